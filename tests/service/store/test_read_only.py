"""Read-only mode: nothing is written in any shard, and its duration counts as an outage."""

from __future__ import annotations

import pytest

from service.store import Store, keys
from service.store.errors import ReadOnlyMode
from service.store.presence import SILENCE, Outage
from service.store.read_only import key_of

from .games import NOW


def test_nobody_can_write_until_it_ends(store: Store) -> None:
    store.players.register("Anna")
    store.read_only.begin(NOW)
    for name in ("Bruno", "Carla", "Dora"):
        with pytest.raises(ReadOnlyMode):
            store.players.register(name)
    assert store.presence.read().read_only
    store.read_only.end(NOW + 1)
    assert not store.presence.read().read_only
    store.players.register("Bruno")


def test_reads_go_on(store: Store) -> None:
    player, token = store.players.register("Anna")
    store.read_only.begin(NOW)
    assert store.players.authenticate(token) == player
    assert store.due.overdue(0) == []
    assert store.alarms.due(NOW, 10) == []
    assert store.lists.page("open") == ([], None)


def test_every_shard_is_closed(store: Store) -> None:
    store.read_only.begin(NOW)
    store.read_only.begin(NOW + 5)
    closed = store._server.ask_all([("GET", key_of(shard)) for shard in range(keys.SHARDS)])
    assert closed == [b"%d" % NOW] * keys.SHARDS
    store.read_only.end(NOW + 9)
    assert store._server.ask_all([("GET", key_of(shard)) for shard in range(keys.SHARDS)]) == [None] * keys.SHARDS


def test_no_time_runs_out_and_the_mode_is_an_outage_however_short(store: Store) -> None:
    for part in ("clock", "web"):
        store.presence.beat(part, NOW)
    store.read_only.begin(NOW)
    assert store.presence.read().silent(NOW)
    assert not store.presence.beat("clock", NOW + 900)
    store.read_only.end(NOW + 1_000)
    seen = store.presence.read()
    assert seen.outages == [Outage(NOW, NOW + 1_000)]
    assert seen.last == {"clock": NOW + 1_000, "web": NOW + 1_000}
    assert not seen.silent(NOW + 1_000)


def test_a_part_that_was_silent_before_has_had_its_outage_since_then(store: Store) -> None:
    store.presence.beat("clock", NOW - 2 * SILENCE)
    store.read_only.begin(NOW)
    store.read_only.end(NOW + 1_000)
    assert store.presence.read().outages == [Outage(NOW - 2 * SILENCE, NOW + 1_000)]


def test_an_end_that_is_repeated_adds_no_time_twice(store: Store) -> None:
    """The process that ended the mode may have died before the shards were open again."""
    store.presence.beat("clock", NOW)
    store.read_only.begin(NOW)
    store.read_only.end(NOW + 1_000)
    store._server.ask("SET", key_of(0), NOW + 1_000)
    store.read_only.end(NOW + 3_000)
    assert store.presence.read().outages == [Outage(NOW, NOW + 1_000), Outage(NOW + 1_000, NOW + 3_000)]


def test_ending_what_never_began_is_no_outage(store: Store) -> None:
    store.presence.beat("clock", NOW)
    store.read_only.end(NOW + 1_000)
    assert store.presence.read() == ({"clock": NOW}, [], False)


def test_damaged_times_do_not_keep_the_store_closed(store: Store) -> None:
    store.read_only.begin(NOW)
    for name in ("presence", "outages"):
        store._server.ask("SET", keys.of_shard(0, name), "damaged")
    store.read_only.end(NOW + 1)
    store.players.register("Anna")
