"""How many round trips the store needs, and that repeating a request after a lost response does no harm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from service.store import Store
from service.store.feeds import START
from service.store.log import StoredLog, ask_log
from service.store.players import Player

from ..servers import Valkey, Wire, counted
from .games import GAME, NOW, append, config, list_game


@pytest.fixture
def wire(log_server: Valkey) -> Iterator[Wire]:
    """A wire to the server."""
    laid = Wire(log_server)
    yield laid
    laid.close()


@pytest.fixture
def store(log_server: Valkey) -> Iterator[Store]:
    """A connected store with a listed game; the server knows the scripts."""
    made = Store(config(log_server.url))
    assert made.readiness().ready
    list_game(made, GAME, 0, "open", NOW)
    yield made
    made.close()


@pytest.fixture
def far(store: Store, wire: Wire) -> Iterator[Store]:
    """The same store, connected through the wire."""
    assert store.log.length(GAME) == 1
    made = Store(config(wire.url))
    yield made
    made.close()


def test_a_lost_answer_to_an_append_is_asked_for_again(far: Store, wire: Wire) -> None:
    assert far.log.length(GAME) == 1
    wire.lose()
    assert append(far, GAME, 1)
    assert far.log.length(GAME) == 2


def test_a_lost_answer_to_a_registration_is_asked_for_again(far: Store, wire: Wire) -> None:
    far.players.register("Anna")
    wire.lose()
    player, token = far.players.register("Beppe")
    assert far.players.authenticate(token) == player


class Given(NamedTuple):
    """A store and one of its players."""

    store: Store
    player: Player
    token: str


def load_what_was_read(given: Given) -> StoredLog | None:
    """Load a game from the data that were read together with its player."""
    found = given.store.players.authenticate_and_read(given.token, ask_log(GAME))
    assert found is not None
    return given.store.log.load(GAME, found[1])


ASKED: dict[str, tuple[int, Callable[[Given], Any]]] = {
    "load": (1, lambda given: given.store.log.load(GAME)),
    "append": (1, lambda given: list_game(given.store, GAME, 1, "running", NOW, given.player.id)),
    "length": (1, lambda given: given.store.log.length(GAME)),
    "feed": (1, lambda given: given.store.feeds.read(given.player.id, START, 100)),
    "turns": (1, lambda given: given.store.turns.of_player(given.player.id)),
    "record": (1, lambda given: given.store.statistics.of_player(given.player.id)),
    "end-of-feed": (1, lambda given: given.store.feeds.end(given.player.id)),
    "page": (2, lambda given: given.store.lists.page("open")),
    "search": (2, lambda given: given.store.lists.search("open")),
    "names": (1, lambda given: given.store.names.of([given.player.id])),
    "named": (1, lambda given: given.store.players.named("ANNA")),
    "register": (1, lambda given: given.store.players.register("Beppe")),
    "authenticate": (1, lambda given: given.store.players.authenticate(given.token)),
    "authenticate-and-read": (
        1,
        lambda given: given.store.players.authenticate_and_read(given.token, ask_log(GAME)),
    ),
    "load-what-was-read": (1, load_what_was_read),
    "not-a-token": (0, lambda given: given.store.players.authenticate("secret")),
    "overdue": (1, lambda given: given.store.due.overdue(0)),
    "readiness": (2, lambda given: given.store.readiness()),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_server_is_asked_as_often_as_documented(store: Store, name: str) -> None:
    trips, ask = ASKED[name]
    given = Given(store, *store.players.register("Anna"))
    with counted() as sent:
        ask(given)
    assert len(sent) == trips
