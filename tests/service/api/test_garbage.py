"""Requests leave no garbage: Python frees a game as soon as the response has been sent.

A reference cycle would keep a whole log in memory until the garbage collector runs, after thousands of requests.
Meanwhile the process would grow, and each request would use memory that no processor cache contains.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from .conftest import SEED, Json, Person

Ask = Callable[[Person, Json], object]


def dry_run(anna: Person, game: Json) -> None:
    """Send a dry run of the first legal move."""
    path, headers = f"/games/{game['id']}/moves?dry_run=true", {"If-Match": f'"{game["version"]}"'}
    assert anna.ask("POST", path, json=game["moves"][0], headers=headers).status_code == 200


REQUESTS: dict[str, Ask] = {
    "a game": lambda anna, game: anna.get(f"/games/{game['id']}"),
    "an earlier version": lambda anna, game: anna.get(f"/games/{game['id']}?version=1"),
    "events": lambda anna, game: anna.get(f"/games/{game['id']}/events"),
    "a move": lambda anna, game: anna.move(game, game["moves"][0]),
    "a dry run": lambda anna, game: dry_run(anna, game),
    "a refused move": lambda anna, game: anna.move(game, {"type": "decline-region"}, status=409),
    "a move at another version": lambda anna, game: anna.move({**game, "version": 99}, game["moves"][0], status=412),
    "a malformed move": lambda anna, game: anna.move(game, {"type": "play-card"}, status=422),
    "an unknown game": lambda anna, _: anna.get("/games/g" + 24 * "0", 404),
    "standing orders": lambda anna, game: anna.get(f"/games/{game['id']}/orders"),
    "a list of games": lambda anna, _: anna.get("/games"),
    "the inbox": lambda anna, _: anna.get("/me/turns"),
    "a feed": lambda anna, _: anna.get("/me/events"),
}


@contextmanager
def garbage() -> Iterator[list[object]]:
    """Yield a list that, after the block, contains the objects that only the garbage collector could free.

    The collector looks only at objects that were created in the block: a whole test run has millions of older ones.
    """
    found: list[object] = []
    gc.disable()
    gc.freeze()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.enable()


def module_of(thing: object) -> str:
    """Return the module that defines a function, or the type of any other object."""
    return str(getattr(thing, "__module__", None) or type(thing).__module__)


@pytest.mark.parametrize("ask", REQUESTS.values(), ids=REQUESTS)
def test_a_request_leaves_nothing_to_the_garbage_collector(ask: Ask, anna: Person) -> None:
    bots = [{"seat": seat, "bot": "steady"} for seat in (1, 2)]
    game = anna.open_game(bots=bots, seed=SEED)
    ask(anna, game)
    game = anna.get(f"/games/{game['id']}")
    with garbage() as found:
        ask(anna, game)
    assert {module_of(thing) for thing in found if module_of(thing).startswith(("service.", "engine."))} == set()
