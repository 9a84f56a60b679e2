"""Damage: a key with invalid contents does not prevent other keys from being read or written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.store import Store
from service.store.alarms import set_alarm
from service.store.deliveries import Lane, Plan
from service.store.errors import CorruptLog, DamagedData, UnknownFormat
from service.store.feeds import START, append_to_feeds
from service.store.formats import FORMAT
from service.store.keys import of_game, of_player, of_shard, of_webhook
from service.store.lists import Listing, write_listing, write_progress
from service.store.statistics import count_move
from service.store.tokens import hash_of
from service.store.turns import write_turn

from .games import GAME, NOW, OTHER, append, commit, list_game, make_due

ANNA = "p17abcdefghjk"
SHARD = int(GAME[:2])
WRITES = [
    *write_listing(GAME, Listing(["running"], {"id": GAME}, NOW, [ANNA])),
    write_progress(GAME, {"version": 2}),
    *append_to_feeds(GAME, 2, [ANNA]),
    *write_turn(GAME, [ANNA], ANNA, {"game": GAME}),
    set_alarm(GAME, NOW),
    *count_move(GAME, ANNA, 5_000),
]
"""Everything that a move may write in addition to the log."""
INDEXES = ["due", "outbox", *sorted({write[1].rpartition("}:")[2] for write in WRITES})]


def raw(store: Store, *command: Any) -> Any:
    return store._server.ask(*command)


def everything(store: Store) -> dict[bytes, Any]:
    """Return all keys of the game's shard with their values."""
    names = [key for keys in store._server.ask_each_node([("KEYS", f"*{{s{SHARD:02d}}}*")]) for key in keys[0]]
    return {name: raw(store, "DUMP", name) for name in sorted(names)}


def spoil(store: Store, key: str) -> None:
    """Replace the value of a key with one of the wrong type."""
    raw(store, "DEL", key)
    raw(store, "SET", key, "x")


@pytest.mark.parametrize("index", INDEXES)
def test_an_append_that_cannot_write_one_key_writes_none(store: Store, index: str) -> None:
    """The outbox names no commit that is missing in the log, feeds contain none, and nobody is told to act."""
    assert append(store, GAME, 0, writes=WRITES)
    key = of_shard(SHARD, index)
    spoil(store, key)
    before = everything(store)
    with pytest.raises(DamagedData, match=index):
        append(store, GAME, 1, due=True, writes=WRITES)
    assert everything(store) == before
    raw(store, "DEL", key)
    assert append(store, GAME, 1, due=True, writes=WRITES)


@pytest.mark.parametrize("count", ["many", "007", "-1", "1.5", "9223372036854775807"])
def test_a_count_that_is_none_is_damage_too(store: Store, count: str) -> None:
    assert append(store, GAME, 0, writes=WRITES)
    raw(store, "HSET", of_shard(SHARD, f"record:{ANNA}"), "moves", count)
    before = everything(store)
    with pytest.raises(DamagedData, match="record"):
        append(store, GAME, 1, writes=WRITES)
    assert everything(store) == before


READS: dict[str, tuple[str, Callable[[Store], Any]]] = {
    "lists": ("running", lambda store: [one["id"] for one in store.lists.page("running")[0]]),
    "summaries": ("summaries", lambda store: [one["id"] for one in store.lists.page("running")[0]]),
    "feeds": (f"feed:{ANNA}", lambda store: [entry.game for entry in store.feeds.read(ANNA, START, 9)]),
    "turns": (f"turns:{ANNA}", lambda store: [turn["game"] for turn in store.turns.of_player(ANNA)]),
    "due": ("due", lambda store: [game for game, _ in store.due.overdue(0)]),
    "looks": ("looks", lambda store: store.alarms.due(NOW, 9)),
    "all looks": ("looks", lambda store: store.alarms.all()),
    "outbox": ("outbox", lambda store: [e.game for found in store.outbox.read(range(64), 9).values() for e in found]),
    "lanes": (
        "lanes",
        lambda store: [lane.game for lane in store.deliveries.take("me", ["me"], dict.fromkeys(range(64), 9))],
    ),
}


def two_games(store: Store) -> None:
    """Write everything that is read above, for two games in two shards."""
    for game in (GAME, OTHER):
        list_game(store, game, 0, "running", NOW)
        assert append(
            store,
            game,
            1,
            players=[ANNA],
            writes=[
                *append_to_feeds(game, 2, [ANNA]),
                set_alarm(game, NOW),
                *write_turn(game, [ANNA], ANNA, {"game": game}),
            ],
        )
        make_due(store, game, 0)
        raw(store, "ZADD", of_shard(int(game[:2]), "lanes"), 0, f"w{game[:2]}abcdefghjk {game}")


@pytest.mark.parametrize("what", READS)
def test_a_part_that_cannot_be_read_does_not_hide_the_others(
    store: Store, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The damage is logged once and named, and the part is read again as soon as possible."""
    index, read = READS[what]
    two_games(store)
    assert set(read(store)) == {GAME, OTHER}
    two_games_again(store)
    key = of_shard(SHARD, index)
    spoil(store, key)
    for _ in range(3):
        assert set(read(store)) == {OTHER}
        two_games_again(store)
    assert store.damaged == [key]
    assert [record.message for record in caplog.records if key in record.message] == [caplog.messages[0]]
    raw(store, "DEL", key)
    read(store)
    assert store.damaged == []


def two_games_again(store: Store) -> None:
    """Restore what reading has removed: lanes that were taken are given back."""
    for game in (GAME, OTHER):
        raw(store, "DEL", of_shard(int(game[:2]), "taken"))
        try:
            raw(store, "ZADD", of_shard(int(game[:2]), "lanes"), 0, f"w{game[:2]}abcdefghjk {game}")
        except DamagedData:
            continue


def test_where_no_part_can_be_read_nothing_is_shown_as_if_it_were_empty(store: Store) -> None:
    for shard in range(64):
        spoil(store, of_shard(shard, f"turns:{ANNA}"))
    with pytest.raises(DamagedData):
        store.turns.of_player(ANNA)


def test_a_commit_of_a_later_format_is_not_read_and_not_followed(store: Store) -> None:
    """The commit may be anywhere in the log, and its format may have changed anything else."""
    assert append(store, GAME, 0)
    for later in ({**commit(2), "revision": 99}, {"revision": 99, "sequence": 2}):
        raw(store, "RPUSH", of_game(GAME, "log"), str(later).replace("'", '"'))
        with pytest.raises(UnknownFormat) as raised:
            store.log.load(GAME)
        assert isinstance(raised.value, CorruptLog)
        before = everything(store)
        with pytest.raises(UnknownFormat):
            append(store, GAME, 2)
        assert everything(store) == before
        raw(store, "RPOP", of_game(GAME, "log"))
    assert commit(1)["revision"] == FORMAT
    assert append(store, GAME, 1)


ROWS: dict[str, tuple[Any, ...]] = {
    "outbox": ("XADD", of_shard(SHARD, "outbox"), "*", "x", "y"),
    "an outbox without a number": ("XADD", of_shard(SHARD, "outbox"), "*", "game", GAME, "seq", "x"),
    "an outbox with a number without end": ("XADD", of_shard(SHARD, "outbox"), "*", "game", GAME, "seq", "9" * 5_000),
    "lanes": ("ZADD", of_shard(SHARD, "lanes"), 0, "garbage"),
    "a lane of no webhook": ("ZADD", of_shard(SHARD, "lanes"), 0, f"nobody {GAME}"),
    "taken": ("HSET", of_shard(SHARD, "taken"), f"w{SHARD}abcdefghjk {GAME}", "x"),
    "turns": ("HSET", of_shard(SHARD, f"turns:{ANNA}"), "x", "{"),
    "feeds": ("RPUSH", of_shard(SHARD, f"feed:{ANNA}"), b"\xff", "x y z", "17"),
    "due": ("ZADD", of_shard(SHARD, "due"), "-inf", b"\xff"),
    "looks": ("ZADD", of_shard(SHARD, "looks"), "-inf", "x"),
    "lists": ("ZADD", of_shard(SHARD, "running"), "inf", "x"),
}
READ_AS = {
    "an outbox without a number": "outbox",
    "an outbox with a number without end": "outbox",
    "a lane of no webhook": "lanes",
    "taken": "lanes",
}


@pytest.mark.parametrize("what", ROWS)
def test_a_row_that_cannot_be_read_does_not_hide_the_others(store: Store, what: str) -> None:
    _, read = READS[READ_AS.get(what, what)]
    two_games(store)
    raw(store, *ROWS[what])
    assert set(read(store)) - {""} == {GAME, OTHER}


def test_a_record_of_garbage_is_still_a_record(store: Store) -> None:
    assert append(store, GAME, 0, writes=count_move(GAME, ANNA, 5_000))
    raw(store, "HSET", of_shard(SHARD, f"record:{ANNA}"), "class:x", "1", "thought", "x", b"\xff", "1")
    assert store.statistics.of_player(ANNA).moves == 1


def test_an_outbox_that_has_no_name_left_begins_again(store: Store) -> None:
    assert append(store, GAME, 0)
    last = f"{2**64 - 1}-{2**64 - 1}"
    raw(store, "XADD", of_shard(SHARD, "outbox"), last, "game", GAME, "seq", 1)
    assert append(store, GAME, 1)
    assert [entry.seq for entry in store.outbox.read([SHARD], 9)[SHARD]] == [2]


@pytest.mark.parametrize("secret", ["", "x", "y" * 33])
def test_nothing_is_derived_from_a_damaged_secret(store: Store, secret: str) -> None:
    raw(store, "SET", of_shard(0, "secret"), secret)
    with pytest.raises(DamagedData, match="secret") as raised:
        store.secret.read()
    assert raised.value.key == of_shard(0, "secret")


@pytest.mark.parametrize("field", ["registered", "token", "name"])
@pytest.mark.parametrize("value", ["nan", "[]", "9" * 5_000, b"\xff"])
def test_a_damaged_player_is_named(store: Store, field: str, value: str | bytes) -> None:
    player, token = store.players.register("Anna")
    damaged = f"token:{hash_of(token)}" if field == "token" else field
    raw(store, "HSET", of_player(player.id), damaged, value)
    raw(store, "HSET", of_player(player.id), "token-used", value)
    if field == "token":
        assert store.players.get(player.id) == player
        assert store.players.authenticate_all([token]) == {}
        for read in (lambda: store.players.authenticate(token), lambda: store.players.tokens(player.id)):
            with pytest.raises(DamagedData) as raised:
                read()
            assert raised.value.key == of_player(player.id)
    elif field == "registered" or value == b"\xff":
        with pytest.raises(DamagedData) as raised:
            store.players.get(player.id)
        assert raised.value.key == of_player(player.id)


@pytest.mark.parametrize("row", ["x", b"\xff corrupt-log", f"{GAME} because", "x corrupt-log"])
@pytest.mark.parametrize("score", ["inf", "-inf", "1.5"])
def test_a_note_that_cannot_be_read_is_left_out(store: Store, row: str, score: str) -> None:
    raw(store, "ZADD", of_shard(0, "aside"), score, row)
    store.set_aside.note(GAME, CorruptLog(GAME), NOW)
    found, count = store.set_aside.first(9)
    assert ([aside.game for aside in found], count) == ([GAME], 2)


def test_notes_of_another_type_begin_again(store: Store) -> None:
    raw(store, "SET", of_shard(0, "aside"), "x")
    store.set_aside.note(GAME, CorruptLog(GAME), NOW)
    assert [aside.game for aside in store.set_aside.first(9)[0]] == [GAME]


PLANNED = ("planned", "sequences", "deliveries", "waiting", f"lane:{GAME}", "lanes", "taken")


@pytest.mark.parametrize("index", PLANNED)
def test_what_cannot_be_planned_whole_is_not_planned_at_all(store: Store, index: str) -> None:
    webhook = f"w{SHARD}abcdefghjk"
    raw(store, "HSET", of_webhook(webhook, "webhook"), "player", ANNA)
    key = of_shard(SHARD, index) if index in ("lanes", "taken") else of_webhook(webhook, index)
    spoil(store, key)
    store.check_layout()
    before = everything(store)
    delivery = {"type": "game.moved", "game": GAME, "version": 2, "at": NOW, "status": "waiting", "tries": []}
    plan = Plan(Lane(webhook, GAME), None, 2, [delivery])
    with pytest.raises(DamagedData, match=index):
        store.deliveries.plan([plan])
    assert everything(store) == before
    raw(store, "DEL", key)
    assert store.deliveries.plan([plan]) == [1]
    assert store.deliveries.planned_versions([webhook], GAME) == [2]


def test_a_webhook_that_is_damaged_does_not_hide_the_others(store: Store) -> None:
    webhooks = ["w17abcdefghjk", "w17bbcdefghjk"]
    for webhook in webhooks:
        raw(store, "SADD", of_shard(SHARD, f"webhooks:{ANNA}"), webhook)
        fields = {"player": ANNA, "url": "https://a.example", "events": "[]", "payload": "thin", "active": 1}
        parts = [part for pair in {**fields, "created": 1, "secrets": '[["whsec_", 0]]'}.items() for part in pair]
        raw(store, "HSET", of_webhook(webhook, "webhook"), *parts)
    for spoiled in (
        lambda: raw(store, "HSET", of_webhook(webhooks[0], "webhook"), "secrets", "{"),
        lambda: raw(store, "HSET", of_webhook(webhooks[0], "webhook"), "secrets", "[1]"),
        lambda: raw(store, "HSET", of_webhook(webhooks[0], "webhook"), "events", "null", "games", "-1"),
        lambda: raw(store, "SADD", of_shard(SHARD, f"webhooks:{ANNA}"), "nobody", b"\xff"),
        lambda: spoil(store, of_webhook(webhooks[0], "webhook")),
    ):
        spoiled()
        assert [webhook.id for webhook in store.webhooks.of_players([ANNA])] == webhooks[1:]
