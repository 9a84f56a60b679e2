"""The outboxes: every append, in order, until a process reports that it has read it."""

from __future__ import annotations

from service.store import Store
from service.store.keys import SHARDS
from service.store.outbox import Entry

from .games import GAME, OTHER, append, game_id

ALL = range(SHARDS)


def told(entries: list[Entry]) -> list[tuple[str, int]]:
    """Return the games in an outbox and the numbers of their commits."""
    return [(entry.game, entry.seq) for entry in entries]


def test_nothing_has_happened(store: Store) -> None:
    assert store.outbox.read(ALL, 10) == {}


def test_every_append_is_read_in_order_until_it_is_said_to_have_been(store: Store) -> None:
    same_shard = game_id(int(GAME[:2]), 7)
    for game, seq in ((GAME, 0), (same_shard, 0), (GAME, 1), (OTHER, 0)):
        assert append(store, game, seq)
    found = store.outbox.read(ALL, 10)
    assert {shard: told(entries) for shard, entries in found.items()} == {
        int(GAME[:2]): [(GAME, 1), (same_shard, 1), (GAME, 2)],
        int(OTHER[:2]): [(OTHER, 1)],
    }
    assert store.outbox.read(ALL, 10) == found
    store.outbox.move_cursor(int(GAME[:2]), found[int(GAME[:2])][1])
    rest = store.outbox.read(ALL, 10)
    assert told(rest[int(GAME[:2])]) == [(GAME, 2)]


def test_no_more_is_read_at_once_than_asked_for(store: Store) -> None:
    for seq in range(3):
        assert append(store, GAME, seq)
    assert told(store.outbox.read([int(GAME[:2])], 2)[int(GAME[:2])]) == [(GAME, 1), (GAME, 2)]
