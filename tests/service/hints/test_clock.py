"""The clock: it sends the hints that are missing, and no others."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from service.config import Config
from service.games.repository import Games
from service.hints.fair import KEYS, Hint
from service.hints.queue import QUEUE, Hints
from service.play.seating import Opening, open_game
from service.processes.clock import GRACE, PATIENCE, Memory, make_round, missing_hints, watch
from service.store import Store

from ..servers import Valkey, until
from ..store.games import GAME, NOW, OTHER, config, make_due, time_of
from .conftest import Start, at_work

DUE = NOW - GRACE
HOUR = 3_600_000


def test_a_turn_without_a_hint_gets_one() -> None:
    assert missing_hints([(GAME, DUE), (OTHER, DUE)], set(), {}, NOW)[0] == [(GAME, DUE), (OTHER, DUE)]


def test_a_hint_that_waits_is_not_sent_again() -> None:
    assert missing_hints([(GAME, DUE)], {(GAME, DUE)}, {}, NOW) == ([], {})


def test_a_hint_for_an_earlier_turn_does_not_count() -> None:
    assert missing_hints([(GAME, DUE)], {(GAME, DUE - 1), (OTHER, DUE)}, {}, NOW)[0] == [(GAME, DUE)]


@pytest.mark.parametrize(("ago", "again"), [(0, False), (PATIENCE - 1, False), (PATIENCE, True), (99 * PATIENCE, True)])
def test_a_turn_is_asked_for_again_after_a_while(ago: int, again: bool) -> None:
    turn = (GAME, DUE)
    hints, remembered = missing_hints([turn], set(), {turn: NOW - ago}, NOW)
    assert hints == ([turn] if again else [])
    assert remembered == {turn: NOW if again else NOW - ago}


def test_the_next_turn_begins_anew() -> None:
    turn = (GAME, DUE)
    assert missing_hints([turn], set(), {(GAME, DUE - 1): NOW}, NOW) == ([turn], {turn: NOW})


def test_a_game_that_goes_on_is_forgotten() -> None:
    assert missing_hints([], set(), {(GAME, DUE): NOW}, NOW) == ([], {})


def test_over_an_hour_a_turn_that_no_hint_helps_is_asked_for_all_the_time() -> None:
    sent: list[int] = []
    memory: Memory = {}
    for second in range(3600):
        hints, memory = missing_hints([(GAME, DUE)], set(), memory, NOW + 1000 * second)
        sent += [second for _ in hints]
    assert sent == list(range(0, 3600, 2))


def test_a_round_sends_what_is_missing_once_it_is_overdue(store: Store, hints: Hints) -> None:
    now = time_of(store, GAME)
    make_due(store, GAME, now + HOUR)
    make_due(store, OTHER, now - GRACE)
    memory = make_round(store, hints, {}, NOW)
    assert hints.waiting() == {Hint(OTHER, now - GRACE)}
    make_round(store, hints, memory, NOW + PATIENCE)
    assert hints.waiting() == {Hint(OTHER, now - GRACE)}


@pytest.mark.parametrize("wrong", [-HOUR, HOUR])
def test_a_web_process_whose_clock_is_wrong_delays_no_bot(settings: Config, hints: Hints, wrong: int) -> None:
    """Nor does the clock send hints too early: the same clock determines what is due and what is overdue."""
    store = Store(settings)
    games = Games(store, hints, now=lambda: time_of(store, GAME) + wrong)
    player, _ = store.players.register("Anna")
    before = time_of(store, GAME)
    asked = Opening("zman-2018", {}, 3, dict.fromkeys(range(3), "random"), "auto", b"", None)
    game = open_game(games, player.id, asked).game
    after = time_of(store, GAME)
    ((found, due),) = store.due.overdue(0)
    assert found == game.id
    assert before <= due <= after
    assert not before <= game.changed_at <= after
    assert hints.waiting() == {Hint(game.id, due, player.id, people=False)}
    store.close()


def test_a_queue_that_was_emptied_is_filled_again(store: Store, hints: Hints, server: redis.Redis) -> None:
    make_due(store, GAME, 0)
    memory = make_round(store, hints, {}, NOW)
    server.flushdb()
    make_due(store, GAME, 0)
    make_round(store, hints, memory, NOW + PATIENCE)
    assert hints.waiting() == {Hint(GAME, 0)}


def test_a_hint_that_has_lost_its_job_gets_one(store: Store, hints: Hints, server: redis.Redis) -> None:
    hints.send(Hint(GAME, 0))
    server.delete(f"rq:queue:{QUEUE}")
    make_round(store, hints, {}, NOW)
    assert server.llen(f"rq:queue:{QUEUE}") == 1


def test_a_job_that_finds_no_hint_is_no_hint(store: Store, hints: Hints, server: redis.Redis) -> None:
    make_due(store, GAME, 0)
    hints.send(Hint(GAME, 0))
    server.delete(*KEYS)
    make_round(store, hints, {}, NOW)
    assert hints.waiting() == {Hint(GAME, 0)}


def test_a_round_says_that_the_clock_is_at_work(store: Store, hints: Hints) -> None:
    make_round(store, hints, {}, NOW)
    assert at_work(hints, "clock")


@pytest.mark.parametrize("lost", ["log", "queue"])
def test_the_clock_outlives_both_servers(log_server: Valkey, lost: str) -> None:
    with TemporaryDirectory(prefix="valkey-") as folder:
        own = Valkey(Path(folder), "--appendonly", "yes")
        urls = {"log": log_server.url, "queue": log_server.url, lost: own.url}
        store, hints = Store(config(urls["log"])), Hints(config(urls["queue"]))
        stop = threading.Event()
        thread = threading.Thread(target=watch, args=(store, hints, stop, 0.05))
        thread.start()
        until(lambda: at_work(hints, "clock"))
        own.kill()
        own.start()
        make_due(store, GAME, 0)
        until(lambda: hints.beats() is not None and hints.waiting() == {Hint(GAME, 0)})
        stop.set()
        thread.join(timeout=30)
        store.close()
        hints.close()
        own.stop()


def test_the_clock_ends_when_it_is_told_to(start: Start, hints: Hints) -> None:
    clock = start("clock")
    until(lambda: at_work(hints, "clock"))
    clock.send_signal(signal.SIGTERM)
    assert clock.wait(timeout=30) == 0


def test_what_is_remembered_can_be_given_back() -> None:
    memory: Memory = {}
    for _ in range(2):
        _, memory = missing_hints([(GAME, DUE)], set(), memory, NOW)
    assert memory == {(GAME, DUE): NOW}
