"""The response to a dry run depends only on what the player sees: it contains no hidden card or other secret."""

from __future__ import annotations

from dataclasses import replace
from operator import add
from random import Random
from typing import Any

import orjson
import pytest

from engine import CONSTRUCTION, SeededChance, advance, commitment, edition, foresee, legal_commands, start
from engine.cards import NOTHING
from service.games.burying import buried_after, seen_discard
from service.games.commits import Commit
from service.games.events import SeatTaken, TableOpened
from service.games.game import StartedGame, game_of
from service.views.foresight import show_foresight
from tests.engine.machine_twins import twin_of
from tests.games.__main__ import combinations
from tests.games.files import REVISIONS

SEED, OTHER_SEED = bytes(range(32)), bytes(32)
LONGEST = 120
"""The maximum number of moves of a game in these tests."""


def opened(name: str, random: Random) -> StartedGame:
    """Return a game between people, with any options and number of seats."""
    value = REVISIONS[name]
    chosen = random.choice(combinations(value))
    played = edition(value.key, value.revision, chosen)
    seats = random.randint(played.fewest_seats, played.most_seats)
    options = dict(played.chosen)
    table = TableOpened("p0", value.key, options, seats, "auto", commitment(SEED), CONSTRUCTION, False)
    taken = [SeatTaken(seat, f"p{seat}", "") for seat in range(seats)]
    chain = start(value.key, seats, SeededChance(SEED, [b""] * seats), chosen, revision=value.revision)
    game = game_of("17h8q2v5c0mzk4r9td", [Commit(1, 1_000, "p0", "k", "", [table, *taken, *chain])], SEED)
    assert isinstance(game, StartedGame)
    return game


def shown(game: StartedGame, command: Any) -> bytes:
    """Return the response to a dry run as it is sent."""
    return orjson.dumps(show_foresight(game, foresee(game.state, command), f"p{command.seat}"))


def other_world(game: StartedGame, seat: int, random: Random) -> StartedGame:
    """Return a game that looks the same to a seat: hidden cards are dealt again, but not those of an open discard."""
    hidden, seen = game.state.copy(), NOTHING
    if game.state.edition.open_discard:
        hidden.discard, seen = list(game.buried), seen_discard(game.state, game.buried)
    twin = twin_of(hidden, seat, random)
    buried = tuple(twin.discard) if any(seen) or any(game.buried) else NOTHING
    twin.discard = [*map(add, twin.discard, seen)]
    return replace(game, state=twin, seed=OTHER_SEED, buried=buried)


@pytest.mark.parametrize("name", REVISIONS)
def test_two_worlds_give_equal_bytes(name: str) -> None:
    """The worlds differ in hidden cards, including face-down ones, and in the seed."""
    random = Random(name)
    for _ in range(5):
        game = opened(name, random)
        for _ in range(LONGEST):
            if game.state.result is not None:
                break
            command = random.choice(legal_commands(game.state))
            bytes_here = shown(game, command)
            twin = other_world(game, command.seat, random)
            assert shown(twin, command) == bytes_here
            assert SEED.hex().encode() not in bytes_here
            events = advance(game.state, command, game.chance)
            game = replace(game, buried=buried_after(game.buried, game.state, events))


@pytest.mark.parametrize("name", REVISIONS)
def test_no_other_hand_is_shown_at_the_end_of_the_game(name: str) -> None:
    """The hands in a foreseen position are stand-ins, so they are not shown although the game is over there."""
    random, ended = Random(name), 0
    for _ in range(2):
        game = opened(name, random)
        while game.state.result is None:
            command = legal_commands(game.state)[-1 if random.random() < 0.8 else 0]
            seat, certain = command.seat, foresee(game.state, command)
            if certain.position.result is not None:
                ended += 1
                view = show_foresight(game, certain, f"p{seat}")["game"]
                assert view["status"] == "finished"
                assert view["fairness"]["seed"] is None
                assert [("cards" in hand["hand"]) for hand in view["position"]["seats"]] == [
                    other == seat for other in range(game.state.seats)
                ]
            advance(game.state, command, game.chance)
    assert ended
