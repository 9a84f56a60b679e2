"""Migrations: a store reaches the next layout once, even if processes are killed, interrupted or still writing."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from service.store import Store
from service.store.errors import OtherLayout
from service.store.keys import SHARDS, of_game
from service.store.layout import LAYOUT, State
from service.store.migration import Batch

from ..commands import Command
from ..servers import Valkey
from .games import NOW, append, config, game_id, list_game
from .toy import MIGRATIONS, NEXT, next_store

KILLS = 5
FULL = (0, 17, 63)
"""Shards with some games; all other shards are empty."""
GAMES = [game_id(shard, number) for shard, number in product(FULL, range(5))]


@pytest.fixture
def later(servers: list[Valkey]) -> Iterator[Store]:
    """The store as the version with the next layout sees it."""
    made = next_store(servers[0].url, cluster=len(servers) > 1)
    yield made
    made.close()


@pytest.fixture
def played(store: Store) -> Store:
    """A store with games of two commits each."""
    for game in GAMES:
        list_game(store, game, 0, "open", NOW)
        assert append(store, game, 1)
    return store


def everything(servers: Sequence[Valkey]) -> dict[bytes, Any]:
    """Return all keys with their values, except values from the server's own clock."""
    found = {}
    for server in servers:
        with server.client() as client:
            found.update({key: client.dump(key) for key in client.scan_iter() if not key.endswith(b":outbox")})
    return found


def fill_again(servers: Sequence[Valkey], played: dict[bytes, Any], store: Store) -> None:
    """Restore everything as it was."""
    for server in servers:
        server.flush()
    store._server.ask_all(("RESTORE", key, 0, value) for key, value in played.items())


def test_every_game_is_in_the_next_layout_after_a_migration(played: Store, later: Store) -> None:
    logs = {game: played._server.ask("LRANGE", of_game(game, "log"), 0, -1) for game in GAMES}
    *_, done = later.migrate(MIGRATIONS)
    assert done == SHARDS
    assert later.layouts() == [State(NEXT)] * SHARDS
    assert {game: later._server.ask("LRANGE", of_game(game, "history"), 0, -1) for game in GAMES} == logs
    assert played.log.lengths(GAMES) == [0] * len(GAMES)
    assert [later._server.ask("GET", f"condottiere:{{s{shard:02d}}}:games") for shard in FULL] == [b"5"] * 3
    later.check_layout()


@pytest.mark.usefixtures("played")
def test_a_migrated_store_has_nothing_to_migrate(later: Store) -> None:
    *_, _ = later.migrate(MIGRATIONS)
    assert list(later.migrate(MIGRATIONS)) == [SHARDS]


def test_an_empty_store_has_nothing_to_migrate(later: Store) -> None:
    assert list(later.migrate(MIGRATIONS)) == [SHARDS]


def test_an_interrupted_migration_goes_on_where_it_was(played: Store, later: Store, servers: list[Valkey]) -> None:
    """After every single batch, another process takes over."""
    before = everything(servers)
    batches = sum(1 for _ in later.migrate(MIGRATIONS))
    unbroken = everything(servers)
    fill_again(servers, before, played)
    rounds = 0
    while next(later.migrate(MIGRATIONS)) < SHARDS:
        rounds += 1
    assert rounds == batches - 1
    assert everything(servers) == unbroken


def test_two_migrations_at_once_do_nothing_twice(played: Store, later: Store, servers: list[Valkey]) -> None:
    before = everything(servers)
    *_, _ = later.migrate(MIGRATIONS)
    alone = everything(servers)
    fill_again(servers, before, played)
    cluster = len(servers) > 1
    stores = [next_store(servers[0].url, cluster=cluster) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert [last for *_, last in threads.map(lambda store: list(store.migrate(MIGRATIONS)), stores)] == [SHARDS] * 4
    for store in stores:
        store.close()
    assert everything(servers) == alone


def test_games_go_on_in_a_shard_until_it_is_migrated_and_no_commit_is_lost(played: Store, later: Store) -> None:
    """Players use the version with the old layout; each continues in every shard until the shard refuses it."""
    migration = later.migrate(MIGRATIONS)

    def play(game: str) -> int:
        made = 2
        while True:
            try:
                assert append(played, game, made)
            except OtherLayout:
                return made
            made += 1

    with ThreadPoolExecutor(len(GAMES)) as threads:
        playing = [threads.submit(play, game) for game in GAMES]
        *_, _ = migration
        acknowledged = [game.result() for game in playing]
    assert [later._server.ask("LLEN", of_game(game, "history")) for game in GAMES] == acknowledged
    assert played.log.lengths(GAMES) == [0] * len(GAMES)


def test_a_later_layout_is_not_migrated_back(played: Store, later: Store) -> None:
    *_, _ = islice(later.migrate(MIGRATIONS), 3)
    with pytest.raises(OtherLayout, match=r"is being migrated to layout 2, .*: start a version"):
        next(played.migrate())
    *_, _ = later.migrate(MIGRATIONS)
    with pytest.raises(OtherLayout, match=r"has layout 2, .*: start a version"):
        next(played.migrate())


@pytest.mark.usefixtures("played")
def test_a_layout_from_which_no_steps_lead_is_left_alone(later: Store, servers: list[Valkey]) -> None:
    before = everything(servers)
    with pytest.raises(OtherLayout, match="has layout 1, which this version cannot migrate"):
        next(later.migrate({}))
    assert everything(servers) == before


@pytest.mark.usefixtures("played")
def test_a_step_that_does_not_move_its_cursor_is_a_fault(later: Store) -> None:
    migrations = {LAYOUT: (lambda *_: Batch([], "x"),)}
    with pytest.raises(ValueError, match="does not move its cursor"):
        list(later.migrate(migrations))


@pytest.mark.slow
def test_a_migration_that_is_killed_at_any_moment_loses_and_repeats_nothing(log_server: Valkey) -> None:
    chance = Random(20_260_101)
    store, later = Store(config(log_server.url)), next_store(log_server.url)
    for game in GAMES:
        list_game(store, game, 0, "open", NOW)
    before = everything([log_server])
    batches = sum(1 for _ in later.migrate(MIGRATIONS))
    unbroken = everything([log_server])
    fill_again([log_server], before, store)
    kills = 0
    while set(later.layouts()) != {State(NEXT)}:
        with Command(["-m", "tests.service.store.toy", log_server.url]) as migration:
            for _ in range(chance.randrange(1, batches // KILLS)):
                if migration.line("a batch is written|all is migrated")[0] == "all is migrated":
                    break
            kills += migration.signalled(signal.SIGKILL)
    assert kills >= KILLS
    assert everything([log_server]) == unbroken
    store.close()
    later.close()
