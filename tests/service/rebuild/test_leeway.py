"""Alarms depend on the time, and due entries on standing orders: the rebuild accepts any value of the service."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis

from service.orders import changing, following
from service.play.test_clock import advance
from service.rebuild.findings import DIFFERENT, FOREIGN, MISSING, Finding
from service.store.keys import of_shard, shard_of_game
from service.timekeeping.rounds import RARELY

from ..correspondence.weeks import DAY, HOUR, SECOND, Weeks, per_move

Rebuild = Callable[..., list[Finding]]
KEEP = {"after_battle": "keep", "battle": None}
PASS = {"after_battle": None, "battle": {"type": "pass"}}


def index(game: str, name: str) -> str:
    """Return the key of an index in a game's shard."""
    return of_shard(shard_of_game(game), name)


@pytest.fixture
def timed(weeks: Weeks) -> str:
    """A game whose clock has just started to run."""
    return weeks.open(per_move(86_400, vacation=True), weeks.player("Anna"), weeks.player("Bruno"))


def test_an_alarm_may_be_put_off_as_the_timekeeper_does(weeks: Weeks, timed: str, check: Rebuild) -> None:
    """It does not matter when the clock process has checked the game, or when the indexes are compared."""
    began = weeks.now
    for after in range(0, DAY, HOUR):
        weeks.run(began + after)
        assert check() == check(timed) == []


def test_the_indexes_of_a_game_whose_clock_was_advanced_follow_from_its_log(
    weeks: Weeks, timed: str, check: Rebuild
) -> None:
    owner = weeks.game(timed).table.opened.owner
    for _ in range(6):
        advance(weeks.games, timed, owner, seconds=5 * 3_600)
        assert check() == check(timed) == []
        weeks.round()
        assert check() == check(timed) == []


@pytest.mark.parametrize("ahead", [-HOUR, 5 * SECOND, 2 * DAY])
def test_an_alarm_is_not_before_the_next_look_or_after_it(
    weeks: Weeks, timed: str, check: Rebuild, mend: Rebuild, server: redis.Redis, ahead: int
) -> None:
    key = index(timed, "looks")
    score = server.zscore(key, timed)
    server.zincrby(key, ahead, timed)
    for named in (check(), check(timed)):
        assert named == [Finding(key, timed, DIFFERENT)]
    assert mend() == [Finding(key, timed, DIFFERENT, mended=True)]
    assert server.zscore(key, timed) == score
    assert weeks.next_look() == score


def test_an_alarm_that_was_put_off_too_far_is_set_to_the_first_look(
    weeks: Weeks, timed: str, mend: Rebuild, server: redis.Redis
) -> None:
    """The timekeeper then finds nothing to do, and puts off the alarm again."""
    key = index(timed, "looks")
    weeks.run(weeks.now + 20 * HOUR)
    put_off = weeks.next_look()
    server.zadd(key, {timed: weeks.now + 30 * DAY})
    assert [finding.what for finding in mend()] == [DIFFERENT]
    weeks.round()
    assert weeks.next_look() == put_off


def test_a_game_that_is_set_aside_may_be_looked_at_rarely(
    weeks: Weeks, timed: str, check: Rebuild, server: redis.Redis
) -> None:
    server.zadd(index(timed, "looks"), {timed: weeks.now + 25 * HOUR})
    assert [finding.what for finding in check()] == [DIFFERENT]
    weeks.games.store.set_aside.note(timed, "internal-error", weeks.now)
    assert [finding.what for finding in check()] == [DIFFERENT]
    weeks.jump(weeks.now + 25 * HOUR - RARELY)
    assert check() == check(timed) == []


def asked(weeks: Weeks, game: str) -> str:
    """Return the player whose turn it is in a game."""
    player = weeks.game(game).player_to_act()
    assert player is not None
    return player


@pytest.fixture
def untimed(weeks: Weeks) -> str:
    """A two-player game without a clock, on a player's turn in a battle."""
    game = weeks.open(None, weeks.player("Anna"), weeks.player("Bruno"))
    weeks.move(game)
    return game


def test_orders_that_answer_make_a_game_due(
    weeks: Weeks, untimed: str, check: Rebuild, mend: Rebuild, server: redis.Redis
) -> None:
    key = index(untimed, "due")
    changing.put(weeks.games, untimed, asked(weeks, untimed), PASS, None)
    assert check() == []
    server.zrem(key, untimed)
    for named in (check(), check(untimed)):
        assert named == [Finding(key, untimed, MISSING)]
    assert mend() == [Finding(key, untimed, MISSING, mended=True)]
    assert following.follow(weeks.games, untimed)
    assert check() == []


def test_orders_that_say_nothing_may_leave_it_due_until_the_worker_has_read_them(
    weeks: Weeks, untimed: str, check: Rebuild, server: redis.Redis
) -> None:
    changing.put(weeks.games, untimed, asked(weeks, untimed), KEEP, None)
    assert check() == []
    server.zadd(index(untimed, "due"), {untimed: 1})
    assert check() == check(untimed) == []
    assert not following.follow(weeks.games, untimed)
    assert server.zscore(index(untimed, "due"), untimed) is None


def test_without_orders_no_game_of_persons_is_due(
    untimed: str, check: Rebuild, mend: Rebuild, server: redis.Redis
) -> None:
    key = index(untimed, "due")
    server.zadd(key, {untimed: 1})
    assert check() == check(untimed) == [Finding(key, untimed, FOREIGN)]
    assert mend() == [Finding(key, untimed, FOREIGN, mended=True)]
    assert check() == []


def test_a_game_is_not_due_since_a_time_to_come(weeks: Weeks, mend: Rebuild, server: redis.Redis) -> None:
    """Commits have the time of a web process's clock, which may be wrong."""
    game = weeks.open(None, weeks.player("Anna"), seats=2)
    while weeks.game(game).bot_to_act() is None:
        weeks.move(game)
    key = index(game, "due")
    server.zrem(key, game)
    assert [finding.what for finding in mend()] == [MISSING]
    seconds, _ = server.time()
    assert server.zscore(key, game) <= 1000 * (seconds + 1)
    assert weeks.game(game).changed_at > 1000 * (seconds + 1)
