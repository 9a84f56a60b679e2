"""Indexes in general: their rows are found, read at one moment, and replaced only if nothing has changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from service.store import Store
from service.store.commits import encode_commit
from service.store.effects import Row
from service.store.errors import DamagedData
from service.store.feeds import START
from service.store.keys import of_game, of_shard

from .games import GAME, NOW, OTHER, append, commit, list_game, time_of

ANNA, BRUNO = "p17abcdefghjk", "p17bcdefghjkm"
LOG, OPEN, TURNS = of_game(GAME, "log"), of_shard(17, "open"), of_shard(17, f"turns:{ANNA}")
FEED, RECORD = of_shard(17, f"feed:{ANNA}"), of_shard(17, f"record:{ANNA}")


def raw(store: Store, *command: Any) -> Any:
    return store._server.ask(*command)


def append_to_feeds(store: Store) -> list[bytes]:
    """Return the rows of Anna's feed."""
    rows: list[bytes] = raw(store, "LRANGE", FEED, 0, -1)
    return rows


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the indexes read everything in parts of two rows."""
    monkeypatch.setattr("service.store.indexes.COUNT", 2)


def test_the_keys_of_a_shard_are_those_of_its_logs_and_indexes(store: Store) -> None:
    """Keys of players, webhooks and other shards are not among them."""
    list_game(store, GAME, 0, "open", NOW, ANNA)
    list_game(store, OTHER, 0, "open", NOW, ANNA)
    raw(store, "HSET", of_shard(17, f"player:{ANNA}"), "name", "Anna")
    raw(store, "SET", "condottiere:{s17}:\xff", "x")
    found = {"log:" + GAME, "seed:" + GAME, "summaries", "open", f"mine:{ANNA}"}
    assert store.indexes.keys_of(17) == {of_shard(17, rest) for rest in found}
    assert store.indexes.keys_of(3) == set()


@pytest.mark.parametrize("many", [0, 1, 2, 5, 700])
def test_all_rows_of_an_index_are_found(store: Store, many: int) -> None:
    for number in range(many):
        raw(store, "ZADD", OPEN, number, f"game-{number}")
        raw(store, "HSET", TURNS, f"game-{number}", number)
        raw(store, "RPUSH", FEED, f"game-{number} 1")
    values = {f"game-{number}": b"%d" % number for number in range(many)}
    assert dict(store.indexes.rows_of(OPEN)) == dict(store.indexes.rows_of(TURNS)) == values
    assert [row for row, _ in store.indexes.rows_of(FEED)] == [f"game-{number} 1" for number in range(many)]


def test_an_index_of_another_type_is_damage(store: Store) -> None:
    raw(store, "SET", OPEN, "x")
    with pytest.raises(DamagedData, match="open"):
        list(store.indexes.rows_of(OPEN))


def test_rows_are_read_with_the_end_of_the_log(store: Store) -> None:
    assert append(store, GAME, 0, players=[ANNA])
    assert append(store, OTHER, 0)
    assert append(store, GAME, 1, players=[ANNA, BRUNO])
    raw(store, "RPUSH", FEED, "17other 1")
    raw(store, "ZADD", OPEN, NOW, GAME)
    raw(store, "SET", TURNS, "x")
    rows = [Row(OPEN, GAME), Row(OPEN, "nobody"), Row(TURNS, GAME)]
    assert store.indexes.read(LOG, 2, rows).later_commits == []
    assert store.indexes.read(LOG, 3, rows).later_commits is None
    found = store.indexes.read(LOG, 1, rows, [FEED], GAME)
    assert found.later_commits == [encode_commit(commit(2))]
    assert abs(found.at - time_of(store, GAME)) < 60_000
    assert [found.rows[row] for row in rows] == [b"%d" % NOW, b"", None]
    assert found.feeds == {FEED: [f"{GAME} 1".encode(), f"{GAME} 2".encode()]}


def test_rows_are_mended_while_the_log_is_as_long(store: Store) -> None:
    assert append(store, GAME, 0)
    assert store.indexes.mend(LOG, 1, [("ZADD", OPEN, NOW, GAME), ("HSET", TURNS, GAME, b"{}")])
    assert store.indexes.mend(LOG, 1, [("HDEL", TURNS, GAME)])
    assert append(store, GAME, 1)
    assert not store.indexes.mend(LOG, 1, [("ZREM", OPEN, GAME)])
    assert dict(store.indexes.rows_of(OPEN)) == {GAME: b"%d" % NOW}
    assert dict(store.indexes.rows_of(TURNS)) == {}


def test_where_one_row_cannot_be_mended_none_is(store: Store) -> None:
    raw(store, "SET", TURNS, "x")
    with pytest.raises(DamagedData, match="turns"):
        store.indexes.mend(LOG, 0, [("ZADD", OPEN, NOW, GAME), ("HSET", TURNS, GAME, b"{}")])
    assert dict(store.indexes.rows_of(OPEN)) == {}


def replaced(store: Store, length: int, before: Iterable[bytes]) -> bool:
    """Replace rows of Anna's feed with two others."""
    return store.indexes.mend_feed(LOG, length, FEED, [*before], [b"17new 1", b"17new 2"])


def test_rows_of_a_feed_are_replaced_and_later_ones_stay_behind_them(store: Store) -> None:
    assert append(store, GAME, 0, players=[ANNA])
    before = append_to_feeds(store)
    raw(store, "RPUSH", FEED, "17later 1")
    assert replaced(store, 1, before)
    assert append_to_feeds(store) == [b"17new 1", b"17new 2", b"17later 1"]
    assert [entry.game for entry in store.feeds.read(ANNA, START, 9)] == ["17new", "17new", "17later"]


def test_a_feed_or_log_that_has_changed_is_left_alone(store: Store) -> None:
    assert append(store, GAME, 0, players=[ANNA])
    assert not replaced(store, 1, [b"17gone 1"])
    assert not replaced(store, 1, [*append_to_feeds(store), b"17gone 1"])
    assert not replaced(store, 2, append_to_feeds(store))
    assert append_to_feeds(store) == [f"{GAME} 1".encode()]


def test_the_times_of_a_feed_are_those_of_the_commits_that_it_names(store: Store) -> None:
    assert append(store, GAME, 0, commit=commit(1))
    assert append(store, GAME, 1, commit=commit(2))
    rows = [f"{GAME} 2", f"{GAME} 1", f"{GAME} 3", "nonsense", f"{GAME} x"]
    times = store.indexes.times_of(17, [row.encode() for row in rows])
    assert times == [NOW + 2, NOW + 1, 0, 0, NOW + 1]


def test_counts_are_read_with_what_was_appended_in_their_shard(store: Store) -> None:
    assert store.indexes.last_append(17) == b""
    assert store.indexes.read_counts(RECORD, 17, b"") == (b"", {}, {})
    assert append(store, GAME, 0, writes=[("HINCRBY", RECORD, "moves", 2)])
    assert append(store, OTHER, 0)
    last = store.indexes.last_append(17)
    assert store.indexes.read_counts(RECORD, 17, b"") == (last, {"moves": b"2"}, {GAME: 1})
    assert store.indexes.read_counts(RECORD, 17, last) == (last, {"moves": b"2"}, {})
    for length in (1, 2):
        assert append(store, GAME, length)
    raw(store, "XADD", of_shard(17, "outbox"), "*", "x", "y")
    now = store.indexes.last_append(17)
    assert store.indexes.read_counts(RECORD, 17, last) == (now, {"moves": b"2"}, {GAME: 3})


def test_an_outbox_that_begins_later_does_not_say_what_was_appended(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert append(store, GAME, 0)
    last = store.indexes.last_append(17)
    assert append(store, GAME, 1)
    assert append(store, GAME, 2)
    assert store.indexes.read_counts(RECORD, 17, last) is not None
    monkeypatch.setattr("service.store.indexes.OUTBOX", 2)
    assert store.indexes.read_counts(RECORD, 17, last) is None
    monkeypatch.undo()
    raw(store, "XDEL", of_shard(17, "outbox"), last)
    assert store.indexes.read_counts(RECORD, 17, last) is None


def test_counts_are_replaced_while_they_are_unchanged(store: Store) -> None:
    raw(store, "HSET", RECORD, "moves", 7, "thought", 0)
    assert not store.indexes.mend_counts(RECORD, {"moves": b"7"}, {"moves": 2})
    assert not store.indexes.mend_counts(RECORD, {"moves": b"6", "thought": b"0"}, {"moves": 2})
    assert store.indexes.mend_counts(RECORD, {"moves": b"7", "thought": b"0"}, {"moves": 2, "timeouts": 1})
    assert dict(store.indexes.rows_of(RECORD)) == {"moves": b"2", "timeouts": b"1"}
    assert store.indexes.mend_counts(RECORD, {"moves": b"2", "timeouts": b"1"}, {})
    assert dict(store.indexes.rows_of(RECORD)) == {}
