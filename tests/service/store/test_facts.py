"""Facts: what waits in the store and for how long, on one server and on a cluster."""

from __future__ import annotations

import pytest

from service.store import Store
from service.store.facts import StoreFacts
from service.store.keys import SHARDS, of_shard
from service.store.presence import CLOCK

from ..servers import Valkey, counted
from .games import GAME, NOW, OTHER, config, time_of

AGES = ("due_age", "alarm_age", "lane_age", "outbox_age")


def ages(facts: StoreFacts) -> dict[str, float]:
    """Return all ages."""
    return {name: getattr(facts, name) for name in AGES}


def test_nothing_waits_in_an_empty_store(store: Store) -> None:
    facts = store.facts.read()
    assert ages(facts) == dict.fromkeys(AGES, 0)
    assert (facts.due, facts.lanes, facts.set_aside) == (0, 0, 0)
    assert facts.games == {"open": 0, "running": 0, "finished": 0}
    assert facts.presence is not None
    assert facts.presence.last == {}
    assert all(memory.used > 100_000 and memory.maximum == 0 for memory in facts.memory)


def test_what_waits_is_counted_over_all_shards_and_the_oldest_gives_the_age(store: Store) -> None:
    """All times are compared with the server's clock."""
    server = store._server
    now = time_of(store, GAME)
    for shard, seconds in ((0, 30), (SHARDS - 1, 90)):
        for name, member in (("due", GAME), ("looks", GAME), ("lanes", f"w {GAME}")):
            server.ask("ZADD", of_shard(shard, name), now - 1000 * seconds, member)
        server.ask("XADD", of_shard(shard, "outbox"), f"{now - 1000 * seconds}-0", "game", GAME)
        server.ask("ZADD", of_shard(shard, "running"), NOW, GAME, NOW, OTHER)
    server.ask("ZADD", of_shard(3, "lanes"), now + 3_600_000, f"w {GAME}")
    facts = store.facts.read()
    assert ages(facts) == pytest.approx(dict.fromkeys(AGES, 90), abs=5)
    assert (facts.due, facts.lanes, facts.games["running"]) == (2, 2, 4)
    server.ask("SET", of_shard(SHARDS - 1, "outbox-read"), f"{now - 90_000}-0")
    assert store.facts.read().outbox_age == pytest.approx(30, abs=5)


def test_presence_and_games_that_are_set_aside_are_read_too(store: Store) -> None:
    store.presence.beat(CLOCK, NOW)
    store.set_aside.note(GAME, ValueError(), NOW)
    facts = store.facts.read()
    assert facts.presence is not None
    assert (facts.presence.last, facts.set_aside) == ({CLOCK: NOW}, 1)


def test_a_damaged_key_hides_nothing_else(store: Store) -> None:
    for name in ("due", "looks", "lanes", "outbox", "outbox-read", "open", "running", "finished", "aside", "presence"):
        for shard in (0, 1):
            store._server.ask("LPUSH", of_shard(shard, name), "damaged")
    store._server.ask("ZADD", of_shard(2, "due"), "-inf", GAME, 1, OTHER)
    facts = store.facts.read()
    assert (facts.due, facts.due_age > 0, facts.set_aside) == (2, False, 0)


def test_facts_take_two_round_trips(log_server: Valkey) -> None:
    """The number is for one server; in a cluster, the client sends each script separately."""
    store = Store(config(log_server.url))
    store.facts.read()
    with counted() as sent:
        store.facts.read()
    store.close()
    assert len(sent) == 2
