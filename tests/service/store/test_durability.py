"""Acknowledged means written: what the server guarantees, and what remains when it is killed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store import Store
from service.store.errors import StoreUnavailable

from ..servers import DURABLE, Valkey, folder_for_data
from .games import GAME, NOW, append, config, game_id, list_game
from .test_log import in_threads


@pytest.fixture
def own() -> Iterator[Valkey]:
    """A durable server that this test may damage."""
    with folder_for_data("valkey-") as folder:
        server = Valkey(Path(folder), *DURABLE)
        yield server
        server.stop()


def set_config(server: Valkey, **settings: str) -> None:
    with server.client() as client:
        for name, value in settings.items():
            client.config_set(name.replace("_", "-"), value)


def test_every_acknowledged_append_survives_a_kill(own: Valkey) -> None:
    store = Store(config(own.url))
    acknowledged = {game_id(number, number): 0 for number in range(4)}
    enough = threading.Semaphore(0)

    def write(game: str) -> None:
        try:
            while append(store, game, acknowledged[game], due=True):
                acknowledged[game] += 1
                enough.release()
        except StoreUnavailable:
            return

    def kill(_: str) -> None:
        for _ in range(300):
            assert enough.acquire(timeout=30)
        own.kill()

    in_threads(lambda name: kill(name) if name == "kill" else write(name), "kill", *acknowledged)
    own.start()
    for game, count in acknowledged.items():
        loaded = store.log.load(game)
        assert loaded is not None
        # The append that was in progress may have been written, too.
        assert len(loaded.commits) in (count, count + 1)
        assert append(store, game, len(loaded.commits))
    assert store.due.overdue(0) == []
    store.close()


def test_a_server_that_answers_is_up(store: Store) -> None:
    assert store.readiness().writable


def test_a_server_that_is_gone_is_unavailable_and_comes_back(own: Valkey) -> None:
    store = Store(config(own.url))
    append(store, GAME, 0)
    own.kill()
    for ask in (lambda: store.log.load(GAME), lambda: append(store, GAME, 1), lambda: store.players.register("Anna")):
        with pytest.raises(StoreUnavailable):
            ask()
    assert not store.readiness().ready
    own.start()
    assert append(store, GAME, 1)
    assert store.readiness().ready
    store.close()


def test_a_server_without_memory_is_unavailable_and_nothing_is_half_written(own: Valkey) -> None:
    store = Store(config(own.url))
    list_game(store, GAME, 0, "open", NOW)
    set_config(own, maxmemory="1")
    with pytest.raises(StoreUnavailable):
        list_game(store, GAME, 1, "running", NOW)
    assert store.log.length(GAME) == 1
    assert store.lists.page("running") == ([], None)
    store.close()


def test_a_server_that_writes_before_it_answers_is_ready(own: Valkey) -> None:
    store = Store(config(own.url))
    readiness = store.readiness()
    assert (readiness.appendonly, readiness.appendfsync, readiness.eviction) == (True, "always", "noeviction")
    assert readiness.ready
    store.close()


@pytest.mark.parametrize(("name", "value"), [("appendonly", "no"), ("appendfsync", "everysec")])
def test_a_server_that_answers_first_is_ready_only_at_its_operators_word(own: Valkey, name: str, value: str) -> None:
    set_config(own, **{name: value})
    (problem,) = problems(own.url)
    assert name in problem
    assert problems(own.url, stated=True) == ()


def test_a_server_that_forgets_games_is_never_ready(own: Valkey) -> None:
    set_config(own, maxmemory_policy="allkeys-lru")
    for stated in (False, True):
        (problem,) = problems(own.url, stated=stated)
        assert "allkeys-lru" in problem


def test_where_config_is_forbidden_the_operator_must_speak(own: Valkey) -> None:
    with own.client() as client:
        client.execute_command("ACL SETUSER", "games", "on", ">secret", "~*", "&*", "+@all", "-config")
    url = own.url.replace("unix://", "unix://games:secret@")
    (problem,) = problems(url)
    assert "CONDOTTIERE_DURABILITY" in problem
    assert problems(url, stated=True) == ()


def test_a_cluster_is_as_ready_as_its_worst_node(store: Store, servers: list[Valkey]) -> None:
    if len(servers) > 1:
        assert store.readiness().appendonly is False
    set_config(servers[-1], maxmemory_policy="volatile-lru")
    try:
        assert store.readiness().eviction == "volatile-lru"
    finally:
        set_config(servers[-1], maxmemory_policy="noeviction")


def problems(url: str, *, stated: bool = False) -> tuple[str, ...]:
    store = Store(config(url, stated=stated))
    found = store.readiness().problems
    store.close()
    return found
