"""Games that are set aside: an error in one game or key does not affect the time of other games."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import redis

from service.games.repository import Games, load
from service.processes.clock import timekeeping_duty
from service.processes.web import presence_duty
from service.store.errors import CorruptLog, UnknownFormat
from service.store.keys import of_game, of_shard, shard_of_game, shard_of_player
from service.timekeeping.rounds import RARELY, SOON, Timekeeper
from service.views import health

from ..servers import Valkey
from .weeks import HOUR, MINUTE, SECOND, Weeks, per_move

Damage = Callable[[redis.Redis, str], object]


def later_format(server: redis.Redis, game: str) -> None:
    """Append a commit as a later version of the service would write it."""
    key = of_game(game, "log")
    last = json.loads(server.lindex(key, -1))
    server.rpush(key, json.dumps({**last, "seq": last["seq"] + 1, "revision": 99}).replace(', "events"', '\n,"events"'))


def another_type(server: redis.Redis, key: str) -> None:
    """Store a string under a key."""
    server.delete(key)
    server.set(key, "x")


def index(name: str) -> Damage:
    """Return a function that replaces an index of a game's shard with a string."""
    return lambda server, game: another_type(server, of_shard(shard_of_game(game), name))


GAME: dict[str, tuple[str, Damage]] = {
    "its log is of another type": ("corrupt-log", lambda server, game: another_type(server, of_game(game, "log"))),
    "its log ends in rubbish": ("corrupt-log", lambda server, game: server.rpush(of_game(game, "log"), "{")),
    "its seed is lost": ("corrupt-log", lambda server, game: server.delete(of_game(game, "seed"))),
    "its orders are of another type": (
        "corrupt-data",
        lambda server, game: another_type(server, of_game(game, "orders")),
    ),
    "it was written by a later version": ("unknown-format", later_format),
}
SHARD: dict[str, Damage] = {
    "looks": index("looks"),
    "due": index("due"),
    "outbox": index("outbox"),
    "running": index("running"),
    "a look at no game": lambda server, game: server.zadd(of_shard(shard_of_game(game), "looks"), {"nonsense": 0}),
    "a look at a game that never was": lambda server, game: server.zadd(
        of_shard(shard_of_game(game), "looks"), {game[:2] + "0" * 16: 0}
    ),
    "a look since ever": lambda server, game: server.zadd(of_shard(shard_of_game(game), "looks"), {game: "-inf"}),
}
EVERYBODY: dict[str, Damage] = {
    "presence": lambda server, _: another_type(server, of_shard(0, "presence")),
    "outages": lambda server, _: another_type(server, of_shard(0, "outages")),
    "aside": lambda server, _: another_type(server, of_shard(0, "aside")),
    "rubbish in presence": lambda server, _: server.hset(of_shard(0, "presence"), "clock", "soon"),
    "a part that is none": lambda server, _: server.hset(of_shard(0, "presence"), "foo", "1"),
    "a part without a name": lambda server, _: server.hset(of_shard(0, "presence"), b"\xff", "1"),
    "a time that will never be": lambda server, _: server.hset(of_shard(0, "presence"), "clock", "9" * 15),
    "no end": lambda server, _: server.hset(of_shard(0, "presence"), "clock", "inf"),
    "rubbish in aside": lambda server, _: server.zadd(of_shard(0, "aside"), {"x": 0}),
    "an outage that ends in a far future": lambda server, _: server.rpush(of_shard(0, "outages"), "5 99999999999999"),
    "a number without end": lambda server, _: server.rpush(of_shard(0, "outages"), "1 " + "9" * 5_000),
    "a time without end": lambda server, _: server.hset(of_shard(0, "presence"), "clock", "9" * 5_000),
    "a time before the service": lambda server, _: server.hset(of_shard(0, "presence"), "clock", "5"),
    "rubbish in outages": lambda server, _: server.rpush(of_shard(0, "outages"), "1 2 3", "soon"),
}


@pytest.fixture
def two(weeks: Weeks) -> list[str]:
    """Two games in two shards, with an hour for each move; the second uses none of the first game's shards."""
    games: list[str] = []
    while len(games) < 2:
        players = [weeks.player(f"{name}{weeks.now}") for name in ("Anna", "Bruno")]
        game = weeks.open(per_move(3600), *players)
        weeks.time[0] += SECOND
        if {0, *map(shard_of_game, games)}.isdisjoint({shard_of_game(game), *map(shard_of_player, players)}):
            games.append(game)
    return games


def timeouts(weeks: Weeks, game: str) -> int:
    """Return how many turns of a game have timed out."""
    return [r["type"] for c in load(weeks.games, game).commits for r in c["events"]].count("seat-timed-out")


@pytest.mark.parametrize("damage", [*SHARD, *EVERYBODY])
def test_one_bad_key_does_not_keep_time_from_the_others(
    weeks: Weeks, log_server: Valkey, two: list[str], damage: str
) -> None:
    """Every round is finished: no round fails as a whole, and so no thread ends."""
    duty = timekeeping_duty(weeks.games)
    with log_server.client() as server:
        for hours in range(1, 4):
            weeks.jump(weeks.now + HOUR)
            (SHARD | EVERYBODY)[damage](server, two[0])
            while not duty.once():
                pass
            assert timeouts(weeks, two[1]) == hours
            clock = weeks.game(two[1]).table.clock
            assert clock is not None
            assert clock.turn is not None
            assert clock.turn.deadline == weeks.now + HOUR


@pytest.mark.parametrize("damage", GAME)
def test_a_bad_game_is_set_aside_and_named(
    weeks: Weeks, log_server: Valkey, two: list[str], damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    reason, do = GAME[damage]
    with log_server.client() as server:
        do(server, two[0])
    weeks.jump(weeks.now + HOUR)
    weeks.round()
    assert timeouts(weeks, two[1]) == 1
    found = health.check_health(weeks.games)
    assert [(aside.game, aside.reason) for aside in found.set_aside] == [(two[0], reason)]
    assert found.set_aside_count == 1
    assert f"cannot update the clock of game {two[0]}" in caplog.text


def test_a_bad_game_is_tried_again_rarely_and_taken_up_when_it_is_mended(
    weeks: Weeks, log_server: Valkey, two: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with log_server.client() as server:
        server.rpush(of_game(two[0], "log"), "{")
        weeks.jump(weeks.now + HOUR)
        weeks.round()
        server.rpop(of_game(two[0], "log"))
    for _ in range(9):
        weeks.jump(weeks.now + RARELY // 10)
        weeks.round()
    assert timeouts(weeks, two[0]) == 0
    assert [two[0] in record.message for record in caplog.records].count(True) == 1
    weeks.jump(weeks.now + RARELY // 10)
    weeks.round()
    assert timeouts(weeks, two[0]) == 1
    assert health.check_health(weeks.games).set_aside_count == 0


def test_many_bad_games_in_a_shard_do_not_crowd_out_a_good_one(
    weeks: Weeks, log_server: Valkey, two: list[str]
) -> None:
    shard = of_shard(shard_of_game(two[0]), "looks")
    with log_server.client() as server:
        server.zadd(shard, {f"{two[0][:2]}{number:016d}": number for number in range(300)})
    weeks.jump(weeks.now + HOUR)
    weeks.round()
    assert [timeouts(weeks, game) for game in two] == [1, 1]


def test_a_game_that_somebody_looked_at_is_named_too(weeks: Weeks, log_server: Valkey) -> None:
    """The game has no clock, so the timekeeper does not check it; but the service retries loading it now and then."""
    game = weeks.open(None, weeks.player("Anna"), weeks.player("Bruno"))
    with log_server.client() as server:
        server.rpush(of_game(game, "log"), "{")
        with pytest.raises(CorruptLog):
            load(weeks.games, game)
        assert [aside.game for aside in health.check_health(weeks.games).set_aside] == [game]
        server.rpop(of_game(game, "log"))
    weeks.jump(weeks.now + RARELY)
    weeks.round()
    assert health.check_health(weeks.games).set_aside_count == 0


def test_a_commit_of_a_later_format_is_refused_and_never_appended_to(
    weeks: Weeks, log_server: Valkey, two: list[str]
) -> None:
    with log_server.client() as server:
        later_format(server, two[0])
        before = server.lrange(of_game(two[0], "log"), 0, -1)
        weeks.jump(weeks.now + HOUR)
        weeks.round()
        with pytest.raises(UnknownFormat):
            weeks.move(two[0])
        assert server.lrange(of_game(two[0], "log"), 0, -1) == before


@pytest.fixture
def forbidden(log_server: Valkey) -> Callable[..., None]:
    """A function that forbids the service's user some commands or keys, or allows them again."""

    def change(*rules: str) -> None:
        with log_server.client() as server:
            server.execute_command("ACL", "SETUSER", "default", *rules)

    return change


def test_what_the_server_forbids_for_a_moment_is_done_after_it(
    weeks: Weeks, two: list[str], forbidden: Callable[..., None]
) -> None:
    duties = [timekeeping_duty(weeks.games), presence_duty(weeks.games, lambda: None)]
    weeks.jump(weeks.now + HOUR)
    try:
        forbidden("-zrangebyscore", "-hset")
        for duty in duties:
            duty.once()
            assert not duty.is_stuck()
    finally:
        forbidden("+@all")
    for duty in duties:
        while not duty.once():
            pass
    assert [timeouts(weeks, game) for game in two] == [1, 1]


def test_a_game_whose_keys_are_forbidden_does_not_stop_the_others(
    weeks: Weeks, two: list[str], forbidden: Callable[..., None]
) -> None:
    weeks.jump(weeks.now + HOUR)
    try:
        forbidden("resetkeys", *(f"~*{{s{shard:02d}}}*" for shard in range(64) if shard != shard_of_game(two[0])))
        weeks.round()
    finally:
        forbidden("allkeys")
    assert [timeouts(weeks, game) for game in two] == [0, 1]
    weeks.time[0] += SOON
    weeks.round()
    assert [timeouts(weeks, game) for game in two] == [1, 1]


def test_a_round_that_is_not_finished_does_not_say_that_the_clock_is_there(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The health report does not say so either: it shows only rounds that were finished."""
    weeks.round()
    assert duty_up(weeks.games, "timekeeping")
    monkeypatch.setattr(Timekeeper, "_find_games", lambda *_: 1 / 0)
    duty = timekeeping_duty(weeks.games)
    weeks.time[0] += MINUTE
    duty.once()
    assert not duty_up(weeks.games, "timekeeping")
    assert not health.check_health(weeks.games).parts["clock"]


def duty_up(games: Games, name: str) -> bool:
    """Return whether the health report shows a duty as done."""
    (found,) = (duty for duty in health.check_health(games).duties if duty.duty == name)
    return found.up
