"""The layout number: which process writes it, and that nobody writes to a shard with another layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.store import Store
from service.store.deliveries import Lane, Outcome, Plan
from service.store.errors import CorruptLog, DamagedData, OtherLayout
from service.store.keys import SHARDS, of_shard
from service.store.layout import LAYOUT, State
from service.store.outbox import Entry
from service.store.presence import CLOCK

from ..servers import Valkey
from .games import GAME, NOW, OTHER, append, config

PLAYER = "p17abcdefghjk"
WEBHOOK = "w17abcdefghjk"


@pytest.fixture
def later(servers: list[Valkey]) -> Iterator[Store]:
    """The store as a version with the next layout sees it."""
    made = Store(config(servers[0].url, cluster=len(servers) > 1), layout=LAYOUT + 1)
    yield made
    made.close()


def number(store: Store, *shards: int, value: str) -> None:
    """Store a number, or any other value, as the layout of some shards."""
    store._server.ask_all(("SET", of_shard(shard, "layout"), value) for shard in shards or range(SHARDS))


def everything(servers: list[Valkey]) -> dict[bytes, Any]:
    """Return all keys with their values, except the layout numbers."""
    found = {}
    for server in servers:
        with server.client() as client:
            found.update({key: client.dump(key) for key in client.scan_iter() if not key.endswith(b":layout")})
    return found


def test_the_first_write_numbers_every_shard(store: Store) -> None:
    assert store.layouts() == []
    assert append(store, GAME, 0)
    assert store.layouts() == [State(LAYOUT)] * SHARDS


def test_an_empty_store_gets_the_number_of_whoever_writes_first(later: Store, store: Store) -> None:
    assert append(later, GAME, 0)
    assert later.layouts() == [State(LAYOUT + 1)] * SHARDS
    with pytest.raises(OtherLayout):
        append(store, OTHER, 0)


@pytest.mark.parametrize("write", ["game", "clock", "secret"])
def test_a_store_that_has_data_and_no_number_is_of_the_first_layout(store: Store, later: Store, write: str) -> None:
    """Release 0.1.0 wrote no number."""
    if write == "secret":
        store.secret.read()
    else:
        append(store, GAME, 0) if write == "game" else store.presence.beat(CLOCK, NOW)
        store._server.ask_all(("DEL", of_shard(shard, "layout")) for shard in range(SHARDS))
    with pytest.raises(OtherLayout, match=r"has layout 1, but this version works with layout 2: run `condottiere mig"):
        append(later, OTHER, 0)
    store.check_layout()


def test_shards_that_an_interrupted_writer_left_out_get_the_number_of_the_others(later: Store) -> None:
    number(later, 0, 5, value="2")
    later.check_layout()
    assert later.layouts() == [State(2)] * SHARDS


WRITES: dict[str, Callable[[Store], object]] = {
    "append": lambda store: append(store, GAME, 1),
    "open": lambda store: append(store, OTHER, 0),
    "register": lambda store: store.players.register("Anna"),
    "beat": lambda store: store.presence.beat(CLOCK, NOW),
    "read-outbox": lambda store: store.outbox.read([17], 10),
    "move-cursor": lambda store: store.outbox.move_cursor(17, Entry("1-1", GAME, 1)),
    "plan": lambda store: store.deliveries.plan([Plan(Lane(WEBHOOK, GAME), None, 1, [])]),
    "take": lambda store: store.deliveries.take("me", ["me"], {17: 10}),
    "settle": lambda store: store.deliveries.settle(Lane(WEBHOOK, GAME), "me", Outcome({}), 0),
    "pause": lambda store: store.webhooks.pause({WEBHOOK: "secret"}),
    "overdue": lambda store: store.due.overdue(0),
    "claim": lambda store: store.answers.claim(of_shard(17, f"answer:x:{PLAYER}"), "body", {}),
    "load": lambda store: store.log.load(GAME),
}


@pytest.mark.parametrize("value", ["2", "0>1 3 17k"])
@pytest.mark.parametrize("write", WRITES)
def test_in_another_layout_nothing_is_written(store: Store, servers: list[Valkey], write: str, value: str) -> None:
    append(store, GAME, 0)
    before = everything(servers)
    number(store, value=value)
    with pytest.raises(OtherLayout):
        WRITES[write](store)
    assert everything(servers) == before


def test_in_another_layout_no_game_is_set_aside(store: Store, servers: list[Valkey]) -> None:
    """The process that would have set it aside has a worse error to report."""
    append(store, GAME, 0)
    before = everything(servers)
    number(store, value="2")
    store.set_aside.note(GAME, CorruptLog(GAME), NOW)
    assert everything(servers) == before


def test_shards_of_this_layout_are_written_to_while_others_are_migrated(store: Store) -> None:
    store.check_layout()
    number(store, 17, value="1>2 0 ")
    with pytest.raises(OtherLayout):
        append(store, GAME, 0)
    assert append(store, OTHER, 0)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2", "the store has layout 2, but this version works with layout 1: start a version that works with layout 2"),
        ("1>2 0 ", "the store is being migrated to layout 2, but this version works with layout 1: start a version"),
        ("0", "the store has layout 0, but this version works with layout 1: run `condottiere migrate`"),
        ("0>1 7 x y", "the store's migration to layout 1 is not finished, but this version works with layout 1: run"),
    ],
)
def test_a_refusal_says_what_to_do(store: Store, value: str, said: str) -> None:
    """The refusal says so at the start, where one shard is enough, and for each write."""
    store.check_layout()
    number(store, 17, value=value)
    for refused in (store.check_layout, lambda: append(store, GAME, 0)):
        with pytest.raises(OtherLayout) as caught:
            refused()
        assert str(caught.value).startswith(said)


@pytest.mark.parametrize("value", ["", "one", "1>2", "-1", "1 "])
def test_a_number_that_cannot_be_read_is_damage_and_its_key_is_named(store: Store, value: str) -> None:
    number(store, value="1")
    number(store, 17, value=value)
    with pytest.raises(DamagedData) as caught:
        append(store, GAME, 0)
    assert caught.value.key == of_shard(17, "layout")
