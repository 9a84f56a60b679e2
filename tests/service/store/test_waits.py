"""Waiting for a game: the append wakes every waiter, and no wake-up is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from service.store import Store
from service.store.errors import TooManyWaits
from service.store.keys import WAKES, of_game
from service.store.waits import Places

from ..servers import Valkey, until
from .games import GAME, OTHER, append, config

LONG = 60
"""Seconds; no test takes this long."""


@pytest.fixture
def game(store: Store) -> str:
    """A game with one commit."""
    append(store, GAME, 0)
    return GAME


def wait_until(store: Store, topic: str, seconds: float, come: Callable[[], bool]) -> bool:
    """Wait on a topic until `come` returns true. Return False if it has not done so within `seconds`."""
    deadline = time.monotonic() + seconds
    with store.waits.waiter(topic) as waiter:
        while not come():
            left = deadline - time.monotonic()
            if left <= 0 or not waiter.wait(min(left, store.waits.recheck)):
                return False
    return True


def wait(store: Store, game: str, after: int, seconds: float) -> bool:
    """Wait until a game's log has more than `after` commits."""
    return wait_until(store, game, seconds, lambda: store.log.length(game) > after)


@contextmanager
def waiting(store: Store, game: str, after: int, count: int = 1) -> Iterator[None]:
    """Let threads wait for a game within the block, and check that all of them are woken."""
    woken: list[bool] = []
    threads = [threading.Thread(target=lambda: woken.append(wait(store, game, after, LONG))) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join(timeout=LONG / 2)
    assert woken == [True] * count


def listeners(servers: list[Valkey]) -> int:
    """Return how many connections listen for wake-ups."""
    return sum(int(node.client().execute_command("PUBSUB NUMSUB", WAKES)[0][1]) for node in servers)


def test_what_has_happened_already_is_not_waited_for(store: Store, game: str) -> None:
    assert wait(store, game, 0, LONG)


def test_nothing_happens(store: Store, game: str) -> None:
    assert not wait(store, game, 1, 0.05)
    assert not wait(store, OTHER, 0, 0)


def test_an_append_wakes_all_who_wait_for_that_game(store: Store, servers: list[Valkey], game: str) -> None:
    with waiting(store, game, 1, count=100):
        until(lambda: listeners(servers) == 1)
        append(store, OTHER, 0)
        append(store, game, 1)


def test_an_append_before_the_listener_listens_is_not_missed(store: Store, game: str) -> None:
    with waiting(store, game, 1):
        append(store, game, 1)


def test_a_version_that_is_far_ahead_is_waited_for(store: Store, game: str) -> None:
    with waiting(store, game, 3):
        for expected in (1, 2, 3):
            append(store, game, expected)


def test_a_listener_that_lost_its_connection_listens_again(store: Store, servers: list[Valkey], game: str) -> None:
    for expected in (1, 2):
        with waiting(store, game, expected):
            until(lambda: listeners(servers) == 1)
            for node in servers:
                node.client().execute_command("CLIENT KILL", "TYPE", "pubsub")
            append(store, game, expected)


def test_an_announcement_that_was_never_made_costs_one_look(servers: list[Valkey]) -> None:
    store = Store(config(servers[0].url, cluster=len(servers) > 1), recheck=0.05)
    append(store, GAME, 0)
    with waiting(store, GAME, 1):
        until(lambda: listeners(servers) == 1)
        store._server.ask("RPUSH", of_game(GAME, "log"), b'{"seq":2}')
    store.close()


def test_a_process_that_listens_forgets_a_name_that_changes(store: Store, servers: list[Valkey]) -> None:
    other = Store(config(servers[0].url, cluster=len(servers) > 1))
    anna = store.players.register("Anna")[0].id
    store.waits.subscribe(lambda _: None)
    until(lambda: listeners(servers) == 1)
    assert store.names.of([anna]) == {anna: "Anna"}
    assert other.directory.rename(anna, "Berta")
    until(lambda: store.names.of([anna]) == {anna: "Berta"})
    other.players.delete(anna, 0)
    until(lambda: store.names.of([anna]) == {anna: None})
    other.close()


def test_beyond_the_cap_nobody_may_wait(servers: list[Valkey]) -> None:
    store = Store(config(servers[0].url, cluster=len(servers) > 1, waits=1))
    with store.waits.waiter(OTHER), pytest.raises(TooManyWaits) as raised:
        wait(store, GAME, 0, LONG)
    assert raised.value.retry_after > 0
    assert not wait(store, GAME, 0, 0)
    store.close()


def test_some_places_are_kept_for_callers_with_a_token() -> None:
    places = Places(8)
    for _ in range(6):
        places.take(with_token=False)
    with pytest.raises(TooManyWaits):
        places.take(with_token=False)
    for _ in range(2):
        places.take(with_token=True)
    with pytest.raises(TooManyWaits):
        places.take(with_token=True)
    places.give_back(with_token=False)
    places.take(with_token=True)


def test_who_waits_when_the_end_comes_is_sent_away(store: Store, servers: list[Valkey], game: str) -> None:
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(wait(store, game, 1, LONG)))
    thread.start()
    until(lambda: listeners(servers) == 1)
    store.close()
    thread.join(timeout=LONG / 2)
    assert answers == [False]
