"""The clock process: it keeps time despite damaged keys and commands that the server forbids for a while."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from service.clocks.settings import PASS, PER_MOVE, ClockSettings
from service.config import Config
from service.games.repository import Games, load
from service.hints.queue import Hints
from service.play.seating import Opening, join, open_game
from service.processes.duties import STUCK_CODE
from service.store import Store
from service.store.keys import of_game, of_shard
from service.store.presence import CLOCK

from ..servers import Valkey, until
from ..store.games import config
from ..times import HOUR, real
from .conftest import Start, at_work

pytestmark = pytest.mark.slow

AN_HOUR = ClockSettings(PER_MOVE, 3600, 0, 0, (), False, False, PASS, 1, "steady")


def overdue_game(settings: Config, name: str) -> str:
    """Return a game in which a player's time ran out an hour ago."""
    store, hints = Store(settings), Hints(settings)
    games = Games(store, hints, now=lambda: real() - 2 * HOUR)
    players = [store.players.register(f"{name}-{number}")[0].id for number in range(2)]
    game = open_game(games, players[0], Opening("zman-2018-duel", {}, 2, {}, "auto", b"", None, AN_HOUR)).game
    join(games, game.id, players[1], None, b"")
    store.close()
    hints.close()
    return game.id


def timed_out(games: Games, game: str) -> bool:
    """Return whether a player's time has run out in a game."""
    return any(r["type"] == "seat-timed-out" for c in load(games, game).commits for r in c["events"])


def test_one_bad_key_does_not_stop_time(start: Start, settings: Config, server: redis.Redis, store: Store) -> None:
    """The key may be a game's log, a shard's index, or the presence record; the thread that keeps time continues."""
    bad, good = (overdue_game(settings, name) for name in ("Anna", "Bruno"))
    other = next(shard for shard in range(64) if shard not in (0, int(bad[:2]), int(good[:2])))
    for key in (of_game(bad, "log"), of_shard(other, "looks"), of_shard(other, "due"), of_shard(0, "presence")):
        server.delete(key)
        server.set(key, "x")
    games, hints = Games(store, Hints(settings)), Hints(settings)
    clock = start("clock")
    until(lambda: timed_out(games, good))
    until(lambda: at_work(hints, CLOCK))
    later = overdue_game(settings, "Carla")
    until(lambda: timed_out(games, later))
    assert clock.poll() is None
    assert [aside.game for aside in store.set_aside.first(9)[0]] == [bad]
    hints.close()
    games.hints.close()


def test_the_clock_cancels_games_that_nobody_joins(start: Start, settings: Config, store: Store) -> None:
    hints = Hints(settings)
    days_ago = Games(store, hints, now=lambda: real() - 31 * 24 * HOUR)
    anna, _ = store.players.register("Anna")
    game = open_game(days_ago, anna.id, Opening("zman-2018-duel", {}, 2, {}, "auto", b"", None, None)).game
    assert load(days_ago, game.id).status == "open"
    start("clock")
    until(lambda: load(days_ago, game.id).status == "cancelled")
    hints.close()


def test_what_is_forbidden_for_a_while_is_done_after_it(
    start: Start, settings: Config, server: redis.Redis, store: Store
) -> None:
    games = Games(store, Hints(settings))
    clock = start("clock")
    until(lambda: CLOCK in store.presence.read().last)
    try:
        server.execute_command("ACL", "SETUSER", "default", "-zrangebyscore", "-hset", "-set")
        game = overdue_game_of_another_user(settings, server)
        until(lambda: denied(server) > 5)
    finally:
        server.execute_command("ACL", "SETUSER", "default", "+@all")
    until(lambda: timed_out(games, game))
    assert clock.poll() is None
    games.hints.close()


def overdue_game_of_another_user(settings: Config, server: redis.Redis) -> str:
    """Return an overdue game, opened by a server user without restrictions."""
    server.execute_command("ACL", "SETUSER", "free", "on", ">free", "~*", "&*", "+@all")
    url = settings.redis_url.replace("unix://", "unix://free:free@")
    try:
        return overdue_game(Config(redis_url=url, queue_url=url), "Dario")
    finally:
        server.execute_command("ACL", "DELUSER", "free")


def denied(server: redis.Redis) -> int:
    """Return how often a server has refused something for lack of permission."""
    errors = server.info("errorstats")
    return int(errors["errorstat_NOPERM"]["count"]) if "errorstat_NOPERM" in errors else 0


QUICK = """
import threading
from service.processes import clock, duties
from service.timekeeping.rounds import Timekeeper
duties.STUCK_SECONDS, duties.CHECK_PAUSE, duties.LONGEST_PAUSE = 3.0, 0.05, 0.1
clock.TABLES_PAUSE = 1.0
{trouble}
from service.processes.clock import run
from service.config import Config
run(Config.from_env())
"""
"""A clock that counts as stuck after three seconds, which is longer than one attempt to reach a server takes."""
HANGS = "Timekeeper.round = lambda self: threading.Event().wait()"
FAILS = "Timekeeper.round = lambda self: 1 / 0"


def clock_with(trouble: str, url: str) -> subprocess.Popen[str]:
    """Start a clock with a fault."""
    env = {**os.environ, "REDIS_URL": url, "QUEUE_URL": url}
    argv = [sys.executable, "-c", QUICK.format(trouble=trouble)]
    return subprocess.Popen(argv, env=env, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("trouble", [HANGS, FAILS])
def test_a_clock_that_is_stuck_ends_so_that_it_is_started_again(log_server: Valkey, trouble: str) -> None:
    clock = clock_with(trouble, log_server.url)
    _, said = clock.communicate(timeout=60)
    assert clock.returncode == STUCK_CODE
    assert "timekeeping has been stuck" in said


def test_a_clock_without_its_servers_does_not_end() -> None:
    """A new process could not reach them either. When they are back, the clock continues."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        own = Valkey(Path(folder))
        hints = Hints(config(own.url))
        clock = clock_with("", own.url)
        until(lambda: at_work(hints, CLOCK))
        assert clock.stderr is not None
        lines = iter(clock.stderr.readline, "")
        own.kill()
        assert any("timekeeping failed and will be retried" in line for line in lines)
        # The wait is longer than the time after which the clock counts as stuck.
        with pytest.raises(subprocess.TimeoutExpired):
            clock.wait(timeout=5)
        own.start()
        assert any("timekeeping works again" in line for line in lines)
        clock.terminate()
        assert clock.wait(timeout=60) == 0
        clock.stderr.close()
        hints.close()
        own.stop()
