"""Health and readiness: what each process has done recently, and why something does not work."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
import redis

from service.games.repository import Games
from service.hints.queue import DELIVER, THINKER, WORKER, beat_key
from service.processes.clock import make_round
from service.store.commits import encode_commit
from service.store.keys import SHARDS, of_game, of_player, of_shard
from service.store.layout import LAYOUT
from service.store.presence import WEB
from service.timekeeping.rounds import Timekeeper

from ..servers import Valkey
from ..times import HOUR, Time, clock
from .conftest import Json, Person


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """The log server, as used by a test that damages it."""
    with log_server.client() as client:
        yield client
        client.config_set("maxmemory", "0")


def everybody_works(games: Games) -> None:
    """Let every part of the service finish a round."""
    games.store.presence.beat(WEB, games.now())
    while Timekeeper(games).round():
        pass
    make_round(games.store, games.hints, {}, 0)
    for who in (WORKER, THINKER, DELIVER):
        games.hints.beat(who, 100)


def health(spectator: Person, status: int = 200) -> Json:
    return spectator.get("/health", status)


def test_every_part_is_up_when_each_has_finished_a_round(games: Games, spectator: Person) -> None:
    everybody_works(games)
    found = health(spectator)
    assert found["parts"] == dict.fromkeys(("log", "queue", "worker", "thinker", "deliver", "clock"), True)
    assert {duty["duty"]: duty["up"] for duty in found["duties"]} == dict.fromkeys(
        ("timekeeping", "presence", "hints", "deliveries", "bots", "thinking"), True
    )
    assert all(duty["done_at"] is not None for duty in found["duties"])
    assert (found["set_aside"], found["set_aside_count"], found["damaged_keys"]) == ([], 0, [])


def test_a_duty_that_was_not_done_lately_is_not_up(games: Games, spectator: Person, time: Time) -> None:
    """The process may be alive without doing its duty, so the check does not ask which processes are alive."""
    everybody_works(games)
    time.passes(30_000)
    found = health(spectator, 503)
    assert [duty["duty"] for duty in found["duties"] if not duty["up"]] == ["timekeeping", "presence"]
    assert (found["code"], found["parts"]["clock"]) == ("not-ready", False)
    assert "timekeeping" in found["detail"]


@pytest.mark.parametrize(("who", "duty"), [(WORKER, "bots"), (THINKER, "thinking"), (DELIVER, "deliveries")])
def test_a_process_that_does_not_run_is_named(
    games: Games, spectator: Person, server: redis.Redis, who: str, duty: str
) -> None:
    """An example is a missing thinker, if the host still starts only the processes of an earlier release."""
    everybody_works(games)
    server.delete(beat_key(who))
    found = health(spectator, 503)
    assert [part for part, up in found["parts"].items() if not up] == [who]
    assert found["detail"] == f"not working: {who}, {duty}"


def test_a_service_whose_web_says_nothing_of_itself_is_judged_by_the_rest(games: Games, spectator: Person) -> None:
    """Another WSGI server may run the app, so the clock does not wait for a web process."""
    everybody_works(games)
    games.store.presence._server.ask("HDEL", of_shard(0, "presence"), WEB)
    assert health(spectator)["status"] == "up"


def test_a_game_that_cannot_be_read_is_named(
    games: Games, anna: Person, against_bots: Json, server: redis.Redis
) -> None:
    server.rpush(of_game(against_bots["id"], "log"), "{")
    everybody_works(games)
    assert health(anna)["set_aside_count"] == 0
    assert anna.get(f"/games/{against_bots['id']}", 500)["code"] == "corrupt-log"
    found = health(anna)
    assert [(aside["game"], aside["reason"]) for aside in found["set_aside"]] == [(against_bots["id"], "corrupt-log")]
    assert found["status"] == "up"


def write_a_later_format(server: redis.Redis, key: str) -> None:
    """Append a commit as a later version might write it."""
    last = json.loads(server.lindex(key, -1))
    server.rpush(key, encode_commit({**last, "seq": last["seq"] + 1, "revision": 99}))


def begin_by_a_later_revision(server: redis.Redis, key: str) -> None:
    """Change the game so that it began with a revision of the edition from a later version."""
    rows = server.lrange(key, 0, -1)
    began = [b'"type":"game-started","edition":"zman-2018","revision":' in row for row in rows].index(True)
    server.lset(key, began, re.sub(rb'("edition":"zman-2018","revision":)\d+', rb"\g<1>99", rows[began]))


def seat_a_later_bot(server: redis.Redis, key: str) -> None:
    """Give a seat to a revision of a bot from a later version."""
    row = server.lindex(key, 0)
    server.lset(
        key, 0, re.sub(rb'("type":"bot-seated","seat":\d,"bot":"\w+","revision":)\d+', rb"\g<1>99", row, count=1)
    )


def seat_an_unknown_bot(server: redis.Redis, key: str) -> None:
    """Give a seat to a bot that only a later version has."""
    row = server.lindex(key, 0)
    server.lset(key, 0, re.sub(rb'("type":"bot-seated","seat":\d,"bot":")\w+', rb"\g<1>garry", row, count=1))


@pytest.mark.parametrize("by", [write_a_later_format, begin_by_a_later_revision, seat_a_later_bot, seat_an_unknown_bot])
def test_what_only_a_later_version_can_read_has_a_code_of_its_own(
    games: Games, anna: Person, against_bots: Json, server: redis.Redis, by: Callable[[redis.Redis, str], None]
) -> None:
    """The service never continues such a game, whoever sends a request."""
    key = of_game(against_bots["id"], "log")
    by(server, key)
    seq = server.llen(key)
    before = server.lrange(key, 0, -1)
    path = f"/games/{against_bots['id']}"
    assert anna.get(path, 500)["code"] == "unknown-format"
    assert anna.move({**against_bots, "version": seq}, against_bots["moves"][0], 500)["code"] == "unknown-format"
    for asked in ("events", "orders"):
        assert anna.get(f"{path}/{asked}", 500)["code"] == "unknown-format"
    assert anna.post(f"{path}/resign", status=500)["code"] == "unknown-format"
    assert server.lrange(key, 0, -1) == before
    everybody_works(games)
    assert [(aside["game"], aside["reason"]) for aside in health(anna)["set_aside"]] == [
        (against_bots["id"], "unknown-format")
    ]


def test_a_list_leaves_out_what_cannot_be_read_and_health_names_the_key(
    games: Games, spectator: Person, against_bots: Json, server: redis.Redis
) -> None:
    everybody_works(games)
    bad = next(of_shard(shard, "running") for shard in range(64) if shard != int(against_bots["id"][:2]))
    server.set(bad, "x")
    assert [game["id"] for game in spectator.get("/games?status=running")["games"]] == [against_bots["id"]]
    assert health(spectator)["damaged_keys"] == [bad]


BIG = "9" * 5_000


@pytest.mark.parametrize(
    "spoil",
    [
        lambda server, player: server.hset(of_player(player), "hours", "[]"),
        lambda server, player: server.hset(of_player(player), "hours", '{"zone":1,"sleep":null}'),
        lambda server, player: server.hset(of_shard(17, f"turns:{player}"), "17", '{"a":1}'),
        lambda server, player: server.hset(of_shard(17, f"given:{player}"), "17", '{"a":1}'),
        lambda server, player: server.rpush(of_shard(17, f"feed:{player}"), f"17k3v9k3v9k3v9k3v9 {BIG}"),
        lambda server, player: server.hset(of_shard(17, f"record:{player}"), "moves", BIG),
        lambda server, player: server.sadd(of_player(player, "webhooks"), "nobody"),
    ],
)
def test_a_value_that_cannot_be_read_is_left_out_of_everything_else(
    anna: Person, server: redis.Redis, spoil: Callable[..., object]
) -> None:
    spoil(server, anna.id)
    for path in ("/me", "/me/turns", "/me/events", f"/players/{anna.id}", "/webhooks", "/games?status=mine"):
        anna.get(path)
    anna.open_game(clock=clock(), bots=[{"seat": 1, "bot": "random"}, {"seat": 2, "bot": "random"}])


def test_a_damaged_player_is_named(anna: Person, spectator: Person, games: Games, server: redis.Redis) -> None:
    everybody_works(games)
    server.hset(of_player(anna.id), "registered", "nan")
    assert spectator.get(f"/players/{anna.id}", 500)["code"] == "corrupt-data"
    assert health(spectator)["damaged_keys"] == [of_player(anna.id)]


@pytest.mark.parametrize("beat", [BIG, "x", "-1"])
def test_health_answers_whatever_was_reported(spectator: Person, games: Games, server: redis.Redis, beat: str) -> None:
    everybody_works(games)
    server.set(beat_key(WORKER), beat)
    server.zadd(of_shard(0, "aside"), {"x": "inf"})
    server.hset(of_shard(0, "presence"), "clock", BIG)
    assert not health(spectator, 503)["parts"]["worker"]


def test_a_server_without_memory_is_neither_up_nor_ready(
    games: Games, anna: Person, against_bots: Json, server: redis.Redis
) -> None:
    """While every write is refused, health does not report success."""
    everybody_works(games)
    server.config_set("maxmemory", "1")
    assert anna.move(against_bots, against_bots["moves"][0], 503)["code"] == "store-unavailable"
    found = health(anna, 503)
    assert found["parts"]["log"] is False
    assert "memory" in found["detail"]
    ready = anna.get("/ready", 503)
    assert ready["durability"]["writable"] is False
    assert "maxmemory" in ready["detail"]


def test_whoever_is_late_is_timed_out_while_another_game_is_set_aside(
    games: Games, person: Callable[..., Person], time: Time, server: redis.Redis
) -> None:
    two = []
    for names in (("Anna", "Bruno"), ("Carla", "Dario")):
        first, second = (person(name) for name in names)
        game = first.open_game(edition="zman-2018-duel", seats=2, clock=clock(seconds=3600))
        two.append((first, second.post(f"/games/{game['id']}/join")["id"]))
    server.delete(of_game(two[0][1], "log"))
    server.set(of_game(two[0][1], "log"), "x")
    time.passes(HOUR)
    everybody_works(games)
    events = two[1][0].get(f"/games/{two[1][1]}/events")["commits"][-1]["events"]
    assert events[0]["type"] == "seat-timed-out"
    assert [aside["game"] for aside in health(two[1][0])["set_aside"]] == [two[0][1]]


def set_layouts(server: redis.Redis, value: str) -> None:
    """Store a number as the layout of every shard."""
    for shard in range(SHARDS):
        server.set(of_shard(shard, "layout"), value)


def test_the_layout_of_the_store_is_told(games: Games, spectator: Person) -> None:
    everybody_works(games)
    assert health(spectator)["layout"] == {"supported": LAYOUT, "stored": LAYOUT, "migrating": False}


@pytest.mark.parametrize(
    ("value", "stored", "migrating", "todo"),
    [("2", 2, False, "start a version"), ("0", 0, False, "run `condottiere"), ("0>1 0 ", 0, True, "run `condottiere")],
)
def test_in_another_layout_the_web_is_not_ready_and_says_what_to_do(
    games: Games, spectator: Person, server: redis.Redis, value: str, stored: int, migrating: bool, todo: str
) -> None:
    everybody_works(games)
    set_layouts(server, value)
    found = health(spectator, 503)
    assert found["layout"] == {"supported": LAYOUT, "stored": stored, "migrating": migrating}
    assert found["parts"]["log"] is False
    assert todo in found["detail"]
    ready = spectator.get("/ready", 503)
    assert todo in ready["detail"]
    assert ready["durability"]["writable"] is False


def test_in_another_layout_requests_are_told_to_come_again(
    anna: Person, against_bots: Json, server: redis.Redis
) -> None:
    """The service writes nothing, and does not show the game, because it might load it incorrectly."""
    set_layouts(server, "2")
    before = server.dbsize()
    for answer in (
        anna.ask("POST", "/games", json={"edition": "zman-2018", "seats": 3}),
        anna.ask("POST", "/players", json={"name": "Bianca"}),
        anna.ask("GET", f"/games/{against_bots['id']}"),
    ):
        assert (answer.status_code, answer.get_json()["code"]) == (503, "other-layout")
        assert int(answer.headers["Retry-After"]) > 0
    assert server.dbsize() == before
