"""A log or index that cannot be read is reported and left unchanged, and does not prevent other comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import redis

from service.rebuild.findings import DAMAGED, DIFFERENT, FOREIGN, UNCOUNTED, UNKNOWN, WRONG_HASH, Finding
from service.store.indexes import FAMILIES
from service.store.keys import of_game, of_shard

from .scene import SHARD, Scene, everything

Rebuild = Callable[..., list[Finding]]


LOGS: dict[str, Callable[[redis.Redis, str, str], object]] = {
    "a line that is no commit": lambda server, log, _: server.rpush(log, "{"),
    "no first commit": lambda server, log, _: server.ltrim(log, 1, -1),
    "no commits": lambda server, log, _: server.delete(log),
    "no seed": lambda server, _, seed: server.delete(seed),
    "another seed": lambda server, _, seed: server.set(seed, bytes(32)),
    "another type": lambda server, log, _: (server.delete(log), server.set(log, "x")),
}


@pytest.mark.parametrize("damage", LOGS)
def test_a_log_that_cannot_be_read_is_named_and_its_rows_are_left(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, damage: str
) -> None:
    log, seed = (of_game(scene.running, kind) for kind in ("log", "seed"))
    LOGS[damage](server, log, seed)
    summaries = of_shard(SHARD, "summaries")
    server.hset(summaries, scene.open, "{}")
    before = everything(server)
    uncounted = Finding(of_shard(SHARD, "record:*"), "", UNCOUNTED)
    different = Finding(summaries, scene.open, DIFFERENT)
    assert check() == [Finding(log, "", DAMAGED), different, uncounted]
    assert check(scene.running) == mend(scene.running) == [Finding(log, "", DAMAGED)]
    assert everything(server) == before
    assert mend() == [Finding(log, "", DAMAGED), different._replace(mended=True), uncounted]
    assert {key for key, value in everything(server).items() if value != before[key]} == {summaries.encode()}


def test_a_wrong_hash_is_named_and_left(scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild) -> None:
    """The stored hash of a commit was changed, or the commit itself was."""
    log = of_game(scene.running, "log")
    assert check() == []
    row = server.lindex(log, 1)
    changed = re.sub(rb'"hash":"[0-9a-f]{64}"', b'"hash":"%b"' % (b"0" * 64), row)
    finding = Finding(log, "commit 2", WRONG_HASH)
    server.lset(log, 1, changed)
    assert check() == check(scene.running) == mend() == mend(scene.running) == [finding]
    assert server.lindex(log, 1) == changed
    server.lset(log, 1, re.sub(rb'"at":\d+', b'"at":1', row))
    assert finding in check()
    server.lset(log, 1, row)
    assert check() == []


def key_of(scene: Scene, family: str) -> str:
    """Return a key of an index that the scene has written; if each player has a key, return a player's."""
    match family:
        case "orders" | "orders-history":
            return of_game(scene.running, family)
        case "mine" | "turns" | "given" | "feed" | "record":
            return of_shard(SHARD, f"{family}:{scene.anna}")
    return of_shard(SHARD, family)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_index_of_another_type_is_named_and_left(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, family: str
) -> None:
    key = key_of(scene, family)
    server.delete(key)
    server.set(key, "x")
    other = of_shard(SHARD, "summaries" if family != "summaries" else "running")
    server.delete(other)
    assert Finding(key, "", DAMAGED) in check()
    assert Finding(key, "", DAMAGED) in mend()
    assert check() == [Finding(key, "", DAMAGED)]
    assert server.get(key) == b"x"


def test_an_outbox_that_cannot_be_read_keeps_statistics_from_being_compared(
    scene: Scene, server: redis.Redis, check: Rebuild
) -> None:
    """Nothing else is affected. If the counts are right, nobody needs to read the outbox."""
    outbox, record = of_shard(SHARD, "outbox"), of_shard(SHARD, f"record:{scene.anna}")
    server.delete(outbox)
    assert check() == []
    server.set(outbox, "x")
    assert check() == []
    server.hset(record, "moves", 99)
    assert check() == [Finding(outbox, "", DAMAGED)]


@pytest.mark.parametrize("orders", ["{", "[]", "{}", '{"version":1,"given_in":null,"after_battle":7,"battle":[]}'])
def test_orders_that_cannot_be_read_are_named_and_left(
    scene: Scene, server: redis.Redis, check: Rebuild, mend: Rebuild, orders: str
) -> None:
    """The rebuild then cannot know whether the game is due."""
    asked = str(scene.weeks.game(scene.running).seat_to_act)
    key = of_game(scene.running, "orders")
    server.hset(key, asked, orders)
    assert check() == mend() == [Finding(key, "", DAMAGED)]
    server.zadd(of_shard(SHARD, "due"), {scene.running: 1})
    assert check() == mend() == [Finding(key, "", DAMAGED)]
    assert server.hget(key, asked) == orders.encode()


def test_a_game_that_there_is_not_is_named(scene: Scene, check: Rebuild, mend: Rebuild) -> None:
    unknown = f"{SHARD}{'z' * 16}"
    assert check(unknown, scene.open) == mend(unknown) == [Finding(of_game(unknown, "log"), "", UNKNOWN)]


def test_orders_of_a_game_that_there_is_not_are_removed(scene: Scene, server: redis.Redis, mend: Rebuild) -> None:
    key = of_game(f"{SHARD}{'z' * 16}", "orders")
    server.hset(key, "0", "{}")
    del scene
    assert mend() == [Finding(key, "0", FOREIGN, mended=True)]
    assert not server.exists(key)
