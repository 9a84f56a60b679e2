"""Bots that search: workers leave their turns to thinkers, and a thinker leaves all other turns to workers."""

from __future__ import annotations

import os

import pytest
import redis

from engine import bots as registry
from engine.bots import BOTS, REVISIONS, Situation
from engine.commands import Command
from service.config import Config
from service.games.game import Game
from service.games.repository import Games, load
from service.games.table import FINISHED
from service.hints.fair import Hint
from service.hints.queue import CLAIM_SECONDS, FAILED_SECONDS, QUICK, THINKING, Hints, claim_key
from service.play.seating import Opening, open_game
from service.processes import clock
from service.processes import jobs as jobs_module
from service.processes.clock import make_round
from service.processes.jobs import Worker, act, make_turns
from service.store.keys import of_shard, shard_of_game

from ..servers import until
from ..store.games import GAME, NOW, OTHER, make_due
from .conftest import Start, at_work
from .test_worker import come

SEARCHER = "steady"
"""The bot that counts as one that searches in these tests."""
BUDGET = 7


@pytest.fixture(autouse=True)
def searcher(monkeypatch: pytest.MonkeyPatch) -> list[Situation]:
    """Let `SEARCHER` be a bot that searches, and return the situations in which it has chosen a move."""
    situations: list[Situation] = []
    bot = BOTS[SEARCHER]

    def choose(situation: Situation) -> Command:
        situations.append(situation)
        return bot.choose(situation)

    searching = bot._replace(choose=choose, iterations=BUDGET)
    monkeypatch.setattr(registry, "REVISIONS", {**REVISIONS, (SEARCHER, bot.revision): searching})
    monkeypatch.setattr(clock, "BOTS", {**BOTS, SEARCHER: searching})
    return situations


def opened(worker: Worker, owner: str, *seated: str) -> Game:
    """Open a game in which only bots play, without sending its first hint."""
    opening = Opening("zman-2018", {}, len(seated), dict(enumerate(seated)), "auto", b"", bytes([12]) * 32)
    game = open_game(worker.games, owner, opening).game
    worker.hints.forget()
    return load(worker.games, game.id)


def hint_for_now(games: Games, game_id: str, owner: str, *, searches: bool) -> Hint:
    """Return the hint for the only game that is due."""
    ((game, due),) = games.store.due.overdue(0)
    assert game == game_id
    return Hint(game, due, owner, people=False, searches=searches)


def play_until(worker: Worker, game: Game, *, searches: bool) -> Game:
    """Make moves until it is the turn of a bot that does or does not search."""
    while (now := load(worker.games, game.id)).search_to_act != searches:
        make_turns(worker, Hint(game.id, NOW, searches=now.search_to_act))
        while worker.hints.take(QUICK) or worker.hints.take(THINKING):
            pass
    return now


# Which line


def test_the_hint_says_whether_a_bot_that_searches_is_to_act(worker: Worker, anna: str) -> None:
    game = opened(worker, anna, SEARCHER, "random", "random")
    hints = set()
    while (now := load(worker.games, game.id)).status != FINISHED:
        make_turns(worker, Hint(game.id, NOW, searches=now.search_to_act))
        after = load(worker.games, game.id)
        if after.seat_to_act is not None:
            is_searcher = after.table.seats[after.seat_to_act].bot == SEARCHER
            assert worker.hints.waiting() == {hint_for_now(worker.games, game.id, anna, searches=is_searcher)}
            hints.add(is_searcher)
        while worker.hints.take(QUICK) or worker.hints.take(THINKING):
            pass
    assert hints == {True, False}


@pytest.mark.parametrize("searches", [True, False])
def test_the_clock_puts_a_lost_hint_into_the_right_line(
    worker: Worker, hints: Hints, anna: str, searches: bool
) -> None:
    game = play_until(worker, opened(worker, anna, SEARCHER, "random", "random"), searches=searches)
    make_due(worker.games.store, game.id, 0)
    make_round(worker.games.store, hints, {}, NOW)
    assert hints.waiting() == {Hint(game.id, 0, anna, people=False, searches=searches)}


def test_a_hint_whose_line_the_clock_cannot_know_is_for_the_workers(
    worker: Worker, hints: Hints, server: redis.Redis, anna: str
) -> None:
    """An example is a commit that an earlier release has appended. The worker passes the hint on."""
    game = play_until(worker, opened(worker, anna, SEARCHER, "random", "random"), searches=True)
    server.hdel(of_shard(shard_of_game(game.id), "progress"), game.id)
    make_due(worker.games.store, game.id, 0)
    make_round(worker.games.store, hints, {}, NOW)
    assert hints.waiting() == {Hint(game.id, 0, anna, people=False)}


# Who makes the turn


def test_a_worker_leaves_the_turn_of_a_bot_that_searches_to_a_thinker(
    worker: Worker, hints: Hints, anna: str, searcher: list[Situation]
) -> None:
    """The hint came from a release that knows only one kind of worker."""
    game = play_until(worker, opened(worker, anna, SEARCHER, "random", "random"), searches=True)
    before = len(searcher)
    due = hint_for_now(worker.games, game.id, anna, searches=True)
    act(worker, due._replace(searches=False))
    assert load(worker.games, game.id).version == game.version
    assert len(searcher) == before
    assert hints.waiting() == {due}
    assert hints.failed([due[:2]]) == set()
    act(worker, due)
    assert load(worker.games, game.id).version == game.version + 1
    assert [situation.iterations for situation in searcher[before:]] == [BUDGET]


def test_a_thinker_leaves_every_other_turn_to_the_workers(
    worker: Worker, hints: Hints, anna: str, searcher: list[Situation]
) -> None:
    game = play_until(worker, opened(worker, anna, SEARCHER, "random", "random"), searches=False)
    before = len(searcher)
    due = hint_for_now(worker.games, game.id, anna, searches=False)
    act(worker, due._replace(searches=True))
    assert load(worker.games, game.id).version == game.version
    assert len(searcher) == before
    assert hints.waiting() == {due}
    assert hints.failed([due[:2]]) == set()


def test_a_worker_stops_before_the_turn_of_a_bot_that_searches(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch, searcher: list[Situation]
) -> None:
    monkeypatch.setattr(jobs_module, "SECONDS", 60)
    monkeypatch.setattr(jobs_module, "TURNS", 1_000)
    game = play_until(worker, opened(worker, anna, SEARCHER, "random", "random"), searches=False)
    before = len(searcher)
    assert make_turns(worker, Hint(game.id, NOW))
    assert load(worker.games, game.id).search_to_act
    assert len(searcher) == before
    assert hints.waiting() == {hint_for_now(worker.games, game.id, anna, searches=True)}


def test_a_thinker_makes_one_turn_a_job(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch, searcher: list[Situation]
) -> None:
    """If only such bots play, others who wait get turns in between, and each bot keeps its budget."""
    monkeypatch.setattr(jobs_module, "SECONDS", 60)
    game = opened(worker, anna, *[SEARCHER] * 6)
    for turns in range(1, 4):
        assert make_turns(worker, Hint(game.id, NOW, searches=True)) == 1
        assert load(worker.games, game.id).version == game.version + turns
        assert hints.take(THINKING) == hint_for_now(worker.games, game.id, anna, searches=True)
    assert [situation.iterations for situation in searcher] == [BUDGET] * 3


def test_six_bots_that_search_keep_their_budgets_to_the_end(
    worker: Worker, anna: str, searcher: list[Situation]
) -> None:
    game = opened(worker, anna, *[SEARCHER] * 6)
    jobs = 0
    while load(worker.games, game.id).status != FINISHED:
        assert make_turns(worker, Hint(game.id, NOW, searches=True)) == 1
        jobs += 1
    assert {situation.view.seat for situation in searcher} == set(range(6))
    assert [situation.iterations for situation in searcher] == [BUDGET] * jobs


def test_a_job_of_an_earlier_version_passes_the_turn_on(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(worker, anna, *[SEARCHER] * 3)
    monkeypatch.setattr(jobs_module, "_worker", lambda: worker)
    jobs_module.play(game.id)
    assert hints.waiting() == {Hint(game.id, 0, anna, people=False, searches=True)}
    jobs_module.think_next()
    assert load(worker.games, game.id).version == game.version + 1


def test_a_position_that_a_thinker_is_thinking_about_is_left_to_it(
    worker: Worker, hints: Hints, anna: str, searcher: list[Situation]
) -> None:
    """If a thinker needs more than two seconds, the clock sends the hint again, and a second thinker takes it."""
    game = opened(worker, anna, *[SEARCHER] * 3)
    due = hint_for_now(worker.games, game.id, anna, searches=True)
    with hints.claim(game.id, game.version) as is_first:
        assert is_first
        act(worker, due)
    assert searcher == []
    assert load(worker.games, game.id).version == game.version
    assert hints.failed([due[:2]]) == set()
    act(worker, due)
    assert load(worker.games, game.id).version == game.version + 1


def test_the_claim_of_a_thinker_that_was_killed_expires(hints: Hints, server: redis.Redis) -> None:
    killed = hints.claim(GAME, 7)
    assert killed.__enter__()
    assert 0 < server.ttl(claim_key(GAME, 7)) <= CLAIM_SECONDS
    with hints.claim(GAME, 7) as is_first:
        assert not is_first
    assert server.exists(claim_key(GAME, 7))
    with hints.claim(GAME, 8) as is_first:
        assert is_first


def test_a_move_that_failed_leaves_no_claim(
    worker: Worker, server: redis.Redis, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(worker, anna, *[SEARCHER] * 3)
    monkeypatch.setattr(jobs_module, "play_bot", None)
    with pytest.raises(TypeError):
        act(worker, hint_for_now(worker.games, game.id, anna, searches=True))
    assert not server.exists(claim_key(game.id, game.version))


def test_without_the_queue_server_every_claim_is_granted() -> None:
    hints = Hints(Config(redis_url="unix:///nowhere", queue_url="unix:///nowhere"))
    for _ in range(2):
        with hints.claim(GAME, 7) as is_first:
            assert is_first


def test_a_turn_that_a_thinker_cannot_make_is_asked_for_once_a_minute(
    worker: Worker, hints: Hints, server: redis.Redis, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(worker, anna, *[SEARCHER] * 3)
    monkeypatch.setattr(jobs_module, "play_bot", None)
    due = hint_for_now(worker.games, game.id, anna, searches=True)
    with pytest.raises(TypeError):
        act(worker, due)
    assert hints.failed([due[:2]]) == {due[:2]}
    assert 0 < server.ttl(f"condottiere:hints:failed:{game.id}") <= FAILED_SECONDS


# The process


def test_a_thinker_takes_only_its_own_jobs(start: Start, hints: Hints, server: redis.Redis) -> None:
    start("thinker")
    until(lambda: at_work(hints, "thinker"))
    hints.put([Hint(OTHER, NOW), Hint(GAME, NOW, searches=True)])
    assert come(server, "thoughts") == GAME
    assert hints.waiting() == {Hint(OTHER, NOW)}
    assert not at_work(hints, "worker")
    start("worker")
    assert come(server, "marks") == OTHER


def test_a_worker_takes_no_job_of_a_thinker(start: Start, hints: Hints, server: redis.Redis) -> None:
    start("worker")
    hints.put([Hint(GAME, NOW, searches=True), Hint(OTHER, NOW)])
    assert come(server, "marks") == OTHER
    assert hints.waiting() == {Hint(GAME, NOW, searches=True)}
    assert not at_work(hints, "thinker")


def test_a_thinker_has_a_lower_priority_than_a_worker(start: Start, hints: Hints) -> None:
    quick, slow = start("worker"), start("thinker")
    until(lambda: at_work(hints, "worker") and at_work(hints, "thinker"))
    assert os.getpriority(os.PRIO_PROCESS, slow.pid) > os.getpriority(os.PRIO_PROCESS, quick.pid)
