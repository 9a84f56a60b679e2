"""The log: only one writer appends at a time, and nothing is overwritten or half written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from service.store import Store
from service.store.errors import CorruptLog, DamagedData
from service.store.keys import of_game, of_player, of_shard
from service.store.log import OUTBOX, Addition, ask_log

from .games import GAME, NOW, SEED, append, commit, list_game, make_due

LOG = of_game(GAME, "log")
SEED_KEY = of_game(GAME, "seed")


def raw(store: Store, *command: Any) -> Any:
    return store._server.ask(*command)


def test_a_game_that_was_never_opened_has_no_log(store: Store) -> None:
    assert store.log.load(GAME) is None
    assert store.log.length(GAME) == 0


@pytest.mark.parametrize("text", ["", "17", "99abcdefghjkmnpqrs", "17ABCDEFGHJKMNPQRS", "17abcdefghjkmnpqr\n"])
def test_what_is_no_id_names_no_game(store: Store, text: str) -> None:
    assert store.log.load(text) is None


def test_commits_come_back_in_order_with_the_seed(store: Store) -> None:
    assert all(append(store, GAME, expected) for expected in range(5))
    loaded = store.log.load(GAME)
    assert loaded is not None
    assert list(loaded.commits) == [commit(seq) for seq in range(1, 6)]
    assert loaded.seed == SEED
    assert store.log.length(GAME) == 5


def test_what_was_read_with_the_player_is_loaded_once(store: Store) -> None:
    append(store, GAME, 0)
    player, token = store.players.register("Anna")
    found = store.players.authenticate_and_read(token, ask_log(GAME))
    assert found is not None
    assert found[0] == player
    append(store, GAME, 1)
    for length in (1, 2):
        loaded = store.log.load(GAME, found[1])
        assert loaded is not None
        assert len(loaded.commits) == length


def test_a_damaged_log_does_not_keep_its_player_out(store: Store) -> None:
    raw(store, "SET", LOG, "x")
    player, token = store.players.register("Anna")
    found = store.players.authenticate_and_read(token, ask_log(GAME))
    assert found is not None
    assert found[0] == player
    with pytest.raises(CorruptLog):
        store.log.load(GAME, found[1])


def test_a_damaged_player_is_found_before_the_log_is_looked_at(store: Store) -> None:
    raw(store, "SET", LOG, "x")
    player, token = store.players.register("Anna")
    raw(store, "DEL", of_player(player.id))
    raw(store, "SET", of_player(player.id), "x")
    with pytest.raises(DamagedData):
        store.players.authenticate_and_read(token, ask_log(GAME))


def test_neither_seed_nor_commits_are_printed(store: Store) -> None:
    append(store, GAME, 0)
    assert repr(store.log.load(GAME)) == "StoredLog()"


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_an_append_at_another_length_writes_nothing(store: Store, expected: int) -> None:
    list_game(store, GAME, 0, "open", NOW, "p00aaaaaaaaaa")
    append(store, GAME, 1, due=True)
    before = everything(store)
    assert not append(store, GAME, expected, commit=commit(expected + 1, "somebody else"), due=True)
    assert everything(store) == before


def test_of_two_who_append_at_once_one_wins_each_version(store: Store) -> None:
    append(store, GAME, 0)
    barrier = threading.Barrier(2, timeout=30)
    won: dict[str, list[int]] = {"p1": [], "p2": []}

    def race(who: str) -> None:
        for version in range(1, 41):
            barrier.wait()
            if append(store, GAME, version, commit=commit(version + 1, who)):
                won[who].append(version)
            barrier.wait()

    in_threads(race, "p1", "p2")
    loaded = store.log.load(GAME)
    assert loaded is not None
    assert sorted(won["p1"] + won["p2"]) == list(range(1, 41))
    assert [entry["by"] for entry in loaded.commits[1:]] == ["p1" if v in won["p1"] else "p2" for v in range(1, 41)]


def test_an_append_made_again_is_recognised(store: Store) -> None:
    assert append(store, GAME, 0)
    assert append(store, GAME, 1)
    before = everything(store)
    assert append(store, GAME, 0)
    assert append(store, GAME, 1)
    assert everything(store) == before


def test_a_bots_turn_is_due_until_the_next_append_says_otherwise(store: Store) -> None:
    append(store, GAME, 0, due=True)
    make_due(store, GAME, 0)
    assert store.due.overdue(0) == [(GAME, 0)]
    append(store, GAME, 1, due=True)
    ((_, due),) = store.due.overdue(0)
    assert due > 0
    append(store, GAME, 2)
    assert store.due.overdue(0) == []


def test_an_append_tells_since_when_a_bot_must_act_also_when_it_is_made_again(store: Store) -> None:
    opening = Addition(game=GAME, expected=0, commit=commit(1), due=True, seed=SEED)
    appended = store.log.append(opening)
    assert appended is not None
    assert store.due.overdue(0) == [(GAME, appended.at)]
    assert store.log.append(opening) == appended._replace(repeated=True)


def test_every_append_stands_in_the_outbox(store: Store) -> None:
    append(store, GAME, 0)
    append(store, GAME, 1)
    entries = raw(store, "EVAL", "return redis.call('XRANGE', KEYS[1], '-', '+')", 1, of_shard(17, "outbox"))
    assert [fields for _, fields in entries] == [
        [b"game", GAME.encode(), b"seq", b"1"],
        [b"game", GAME.encode(), b"seq", b"2"],
    ]


def test_the_outbox_does_not_grow_for_ever(store: Store) -> None:
    outbox = of_shard(17, "outbox")
    for _ in range(4):
        store._server.ask_all([("XADD", outbox, "*", "game", GAME, "seq", 1)] * (OUTBOX // 2))
    append(store, GAME, 0)
    # Approximate trimming leaves at most one additional node of the stream, a hundred entries.
    assert OUTBOX <= raw(store, "XLEN", outbox) <= OUTBOX + 100


def test_a_seed_goes_with_the_first_commit_and_with_no_other(store: Store) -> None:
    with pytest.raises(ValueError, match="seed"):
        append(store, GAME, 0, seed=None)
    append(store, GAME, 0)
    with pytest.raises(ValueError, match="seed"):
        append(store, GAME, 1, seed=SEED)
    with pytest.raises(ValueError, match="seq"):
        append(store, GAME, 1, commit=commit(3))


CORRUPTIONS: dict[str, Callable[[Store], Any]] = {
    "bytes-that-are-no-json": lambda store: raw(store, "LSET", LOG, -1, b'{"seq":3,"at"'),
    "a-row-that-is-no-commit": lambda store: raw(store, "LSET", LOG, -1, b"[3]"),
    "a-gap": lambda store: raw(store, "LREM", LOG, 1, raw(store, "LINDEX", LOG, 1)),
    "a-row-twice": lambda store: raw(store, "RPUSH", LOG, raw(store, "LINDEX", LOG, -1)),
    "another-kind-of-key": lambda store: (raw(store, "DEL", LOG), raw(store, "SET", LOG, "?")),
    "a-seed-without-a-log": lambda store: raw(store, "DEL", LOG),
    "a-fault-in-the-middle": lambda store: raw(store, "LSET", LOG, 1, b"?"),
    "a-log-without-a-seed": lambda store: raw(store, "DEL", SEED_KEY),
}
IN_THE_MIDDLE = {"a-fault-in-the-middle", "a-log-without-a-seed"}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupt_log_is_not_read(store: Store, name: str) -> None:
    for expected in range(3):
        append(store, GAME, expected)
    CORRUPTIONS[name](store)
    with pytest.raises(CorruptLog) as raised:
        store.log.load(GAME)
    assert raised.value.game_id == GAME
    assert "seat-passed" not in str(raised.value)


@pytest.mark.parametrize("name", [name for name in CORRUPTIONS if name not in IN_THE_MIDDLE])
def test_a_log_whose_end_is_corrupt_is_left_as_it_is(store: Store, name: str) -> None:
    for expected in range(3):
        append(store, GAME, expected)
    CORRUPTIONS[name](store)
    before = everything(store)
    length = 0 if before["log"] is None else before["log"][0]
    with pytest.raises(CorruptLog):
        append(store, GAME, length)
    assert everything(store) == before


def everything(store: Store) -> dict[str, Any]:
    """Return everything that is stored about the game and its shard; of the log, its length and its rows."""
    try:
        rows = raw(store, "LRANGE", LOG, 0, -1)
        log = (len(rows), rows) if rows else None
    except DamagedData:
        log = (0, raw(store, "GET", LOG))
    zsets = {name: raw(store, "ZRANGE", of_shard(17, name), 0, -1, "WITHSCORES") for name in ("due", "open", "running")}
    summaries = raw(store, "HGETALL", of_shard(17, "summaries"))
    outbox = raw(store, "XLEN", of_shard(17, "outbox"))
    return {"log": log, "seed": raw(store, "GET", SEED_KEY), "outbox": outbox, "summaries": summaries, **zsets}


def in_threads(work: Callable[[str], None], *names: str) -> None:
    """Let several functions run at the same time, and wait for them."""
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
