"""A check reports each error in an index and writes nothing; a rebuild then repairs it byte for byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis

from service.rebuild.findings import DIFFERENT, FOREIGN, MISSING, Finding
from service.store.indexes import FAMILIES, family_of
from service.store.keys import of_game, of_shard
from service.store.log import Log, StoredLog

from .scene import SHARD, Scene, everything

Rebuild = Callable[..., list[Finding]]
NOBODY, NO_GAME = "p17zzzzzzzzzz", f"{SHARD}{'z' * 16}"


def found_in(server: redis.Redis, family: str) -> list[str]:
    """Return the keys of an index."""
    return sorted(key for key in map(bytes.decode, server.keys(f"*:{family}*")) if family_of(key) == family)


def test_a_scene_has_something_in_every_index_and_nothing_differs(
    scene: Scene, server: redis.Redis, check: Rebuild
) -> None:
    assert [family for family in FAMILIES if not found_in(server, family)] == []
    assert check() == check(*scene.games) == []


def test_where_nothing_differs_each_log_is_read_once(
    scene: Scene, check: Rebuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is loaded again if standing orders belong to it, because their effects need a closer check."""
    read, load = list[str](), Log.load

    def noted(log: Log, game: str) -> StoredLog | None:
        read.append(game)
        return load(log, game)

    monkeypatch.setattr(Log, "load", noted)
    assert check() == []
    assert sorted(read) == sorted([*scene.games, scene.running])


def holds_its_own(
    server: redis.Redis, check: Rebuild, mend: Rebuild, spoil: Callable[[], object], *games: str
) -> list[Finding]:
    """Damage something, check that a check reports it and a rebuild repairs it byte for byte; return the findings."""
    before = everything(server)
    spoil()
    spoilt = everything(server)
    assert spoilt != before
    named = check(*games)
    assert everything(server) == spoilt
    mended = mend(*games)
    assert everything(server) == before
    assert mended == [finding._replace(mended=True) for finding in named]
    assert check(*games) == check() == []
    return named


WRITTEN = [family for family in FAMILIES if family not in ("orders", "orders-history")]
"""The indexes that follow from the logs, which standing orders do not."""


@pytest.mark.parametrize("family", WRITTEN)
def test_an_index_that_is_lost_is_derived_again(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str
) -> None:
    del scene
    key = found_in(server, family)[0]
    named = holds_its_own(server, check, mend, lambda: server.delete(key))
    assert {(finding.key, finding.what) for finding in named} == {(key, MISSING)}


def spoil_row(server: redis.Redis, key: str, row: str) -> None:
    """Remove a row of an index."""
    match FAMILIES[family_of(key)]:
        case "hash":
            server.hdel(key, row)
        case "zset":
            server.zrem(key, row)


def first_row(server: redis.Redis, key: str) -> str:
    """Return a row of an index."""
    rows = server.hkeys(key) if FAMILIES[family_of(key)] == "hash" else server.zrange(key, 0, -1)
    return str(min(rows).decode())


ROWS = [family for family in WRITTEN if family not in ("feed", "record")]
"""The indexes in which each row belongs to one game."""


@pytest.mark.parametrize("family", ROWS)
def test_a_row_that_is_lost_is_named_and_derived_again(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str
) -> None:
    key = found_in(server, family)[0]
    row = first_row(server, key)
    assert row in scene.games
    for games in ((), (row,)):
        named = holds_its_own(server, check, mend, lambda: spoil_row(server, key, row), *games)
        assert named == [Finding(key, row, MISSING)]


@pytest.mark.parametrize("family", [family for family in ROWS if family != "due"])
def test_a_row_that_says_something_else_is_written_again(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str
) -> None:
    del scene
    key = found_in(server, family)[0]
    row = first_row(server, key)
    spoil: Callable[[], object] = (
        (lambda: server.hset(key, row, "{}")) if FAMILIES[family] == "hash" else (lambda: server.zincrby(key, -1, row))
    )
    for games in ((), (row,)):
        assert holds_its_own(server, check, mend, spoil, *games) == [Finding(key, row, DIFFERENT)]


@pytest.mark.parametrize("score", ["-1", "0", "9e15", "inf", "-inf"])
def test_a_time_that_never_was_is_no_time_since_when_a_game_is_due(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, score: str
) -> None:
    key = of_shard(SHARD, "due")
    server.zadd(key, {scene.against_bot: score})
    named = [Finding(key, scene.against_bot, DIFFERENT)]
    assert check() == named
    assert mend() == [named[0]._replace(mended=True)]
    assert check() == []


def add_row(server: redis.Redis, key: str, row: str) -> None:
    """Add a row to an index."""
    match FAMILIES[family_of(key)]:
        case "hash":
            server.hset(key, row, "1")
        case "zset":
            server.zadd(key, {row: 1})
        case "list":
            server.rpush(key, f"{row} 1")


def foreign_key(family: str) -> str:
    """Return a key of an index that belongs to nobody, for indexes with a key for each player."""
    return of_shard(SHARD, f"{family}:{NOBODY}" if family in ("mine", "turns", "given", "feed") else family)


@pytest.mark.parametrize("row", [NO_GAME, f"18{'0' * 16}", "nonsense", ""], ids=["no game", "elsewhere", "no id", "-"])
@pytest.mark.parametrize("family", [*ROWS, "feed"])
def test_a_row_of_no_game_is_removed(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str, row: str
) -> None:
    del scene
    key = foreign_key(family)
    named = holds_its_own(server, check, mend, lambda: add_row(server, key, row))
    assert named == [Finding(key, row, FOREIGN)]


@pytest.mark.parametrize("family", ["mine", "turns", "given", "feed"])
def test_a_row_of_somebody_whom_a_game_does_not_concern_is_removed(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str
) -> None:
    key = foreign_key(family)
    named = holds_its_own(server, check, mend, lambda: add_row(server, key, scene.running))
    assert named == [Finding(key, scene.running, FOREIGN)]


@pytest.mark.parametrize(("family", "game"), [("open", "running"), ("substitute", "finished"), ("looks", "running")])
def test_a_game_in_a_list_to_which_it_does_not_belong_is_removed(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str, game: str
) -> None:
    key, row = of_shard(SHARD, family), getattr(scene, game)
    named = holds_its_own(server, check, mend, lambda: add_row(server, key, row))
    assert named == [Finding(key, row, FOREIGN)]


def test_orders_of_a_seat_that_does_not_move_for_itself_are_removed(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild
) -> None:
    for game, seat in ((scene.finished, "0"), (scene.against_bot, "1"), (scene.open, "0"), (scene.running, "7")):
        key = of_game(game, "orders")
        named = holds_its_own(server, check, mend, lambda key=key, seat=seat: server.hset(key, seat, "{}"))
        assert named == [Finding(key, seat, FOREIGN)]


def test_orders_that_may_stand_are_left_alone(scene: Scene, server: redis.Redis, check: Rebuild) -> None:
    key = of_game(scene.running, "orders")
    for seat in ("0", "1"):
        server.hset(key, seat, server.hvals(key)[0])
    assert check() == []


FEEDS: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "the first row": lambda rows: rows[1:],
    "the last row": lambda rows: rows[:-1],
    "many rows": lambda rows: rows[::3],
    "two in another order": lambda rows: [rows[1], rows[0], *rows[2:]],
    "a row twice": lambda rows: [*rows, rows[0]],
    "all rows": lambda _: [],
    "a row that says nothing": lambda rows: [*rows[:3], b"\xff", *rows[3:]],
    "a row of no game": lambda rows: [*rows[:3], f"{NO_GAME} 1".encode(), *rows[3:]],
}


@pytest.mark.parametrize("spoilt", FEEDS)
def test_a_feed_is_put_in_order_again(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, spoilt: str
) -> None:
    key = of_shard(SHARD, f"feed:{scene.anna}")
    rows = server.lrange(key, 0, -1)

    def spoil() -> None:
        server.delete(key)
        if after := FEEDS[spoilt](rows):
            server.rpush(key, *after)

    assert {finding.key for finding in holds_its_own(server, check, mend, spoil)} == {key}


@pytest.mark.parametrize("field", ["moves", "thought", "timeouts", "class:3", "nonsense"])
def test_counts_that_do_not_add_up_are_counted_again(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, field: str
) -> None:
    key = of_shard(SHARD, f"record:{scene.anna}")
    named = holds_its_own(server, check, mend, lambda: server.hset(key, field, 99))
    assert named == [Finding(key, "", DIFFERENT)]
    stranger = key[:-1] + ("y" if key.endswith("z") else "z")
    assert holds_its_own(server, check, mend, lambda: server.hset(stranger, field, 99))[0].what == FOREIGN


def test_everything_beside_the_logs_can_be_lost_at_once(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild
) -> None:
    def spoil() -> None:
        for family in WRITTEN:
            server.delete(*found_in(server, family))

    del scene
    holds_its_own(server, check, mend, spoil)


def test_a_named_game_is_rebuilt_and_no_other(scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild) -> None:
    key = of_shard(SHARD, "summaries")
    for game in (scene.running, scene.timed):
        server.hset(key, game, "{}")
    assert mend(scene.running) == [Finding(key, scene.running, DIFFERENT, mended=True)]
    assert check() == [Finding(key, scene.timed, DIFFERENT)]


def test_nothing_that_a_finding_says_is_a_value(scene: Scene, server: redis.Redis, check: Rebuild) -> None:
    """Its line names a key and a row, in ASCII."""
    server.hset(of_shard(SHARD, "summaries"), scene.running, '{"hand":"mercenary-10"}')
    server.zadd(of_shard(SHARD, "open"), {b"\xff\n\x1b[2J": 1})
    lines = [str(finding) for finding in check()]
    assert sorted(lines) == [
        "condottiere:{s17}:open \\udcff\\n\\x1b[2J: is not derived from any log",
        f"condottiere:{{s17}}:summaries {scene.running}: differs from the log",
    ]
