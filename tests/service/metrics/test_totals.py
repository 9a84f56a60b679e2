"""Totals on the queue server: they cover all processes, and each report is counted once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from service.config import Config
from service.hints import totals
from service.hints.fair import Hint
from service.hints.queue import Hints
from service.hints.totals import PROCESSES, TOTALS, QueueFacts, Totals, read_facts
from service.metrics.counting import Field
from service.metrics.table import REQUESTS
from service.processes.reporting import Reporter

from ..servers import Valkey, Wire, counted, until
from ..store.games import GAME, NOW, config

MOVES = Field("requests_total", ("makeMove", "2xx"))
POLLS = Field("waits_open", ("poll",))


@pytest.fixture
def hints(log_server: Valkey) -> Iterator[Hints]:
    """The queue."""
    made = Hints(config(log_server.url))
    yield made
    made.close()


@pytest.fixture
def web(log_server: Valkey) -> Iterator[Totals]:
    """A process that reports."""
    made = Totals(log_server.url, "web")
    yield made
    made.close()


def facts(hints: Hints) -> QueueFacts:
    """Return the facts; fail if the server does not respond."""
    found = read_facts(hints)
    assert found is not None
    return found


def test_counts_of_all_processes_add_up_and_outlive_them(log_server: Valkey, hints: Hints, web: Totals) -> None:
    web.add(1, {MOVES: 2}, {POLLS: 3})
    other = Totals(log_server.url, "web")
    other.add(1, {MOVES: 0.5}, {POLLS: 4})
    other.close()
    web.add(2, {MOVES: 1}, {POLLS: 1})
    found = facts(hints)
    assert (found.totals, found.gauges, found.processes) == ({MOVES: 3.5}, {POLLS: 5}, {"web": 2})


def test_hints_are_counted_by_line_and_jobs_together(hints: Hints) -> None:
    lines = [(people, searches) for searches in (False, True) for people in (True, False)]
    for number, (people, searches) in enumerate(lines, 1):
        hints.put([Hint(GAME, NOW + at, people=people, searches=searches) for at in range(number)])
    found = facts(hints)
    assert found.hints == {"people": 1, "bots": 2, "thinking-people": 3, "thinking-bots": 4}
    assert found.jobs == 10


def test_a_report_that_is_sent_again_counts_once(hints: Hints, web: Totals) -> None:
    for number in (1, 1, 2, 1, 2):
        web.add(number, {MOVES: 1}, {})
    assert facts(hints).totals == {MOVES: 2}


def test_a_process_that_no_longer_reports_does_not_count(
    log_server: Valkey, hints: Hints, web: Totals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its gauges disappear, its counts remain, and the next report deletes its data."""
    web.add(1, {MOVES: 1}, {POLLS: 3})
    monkeypatch.setattr(totals, "EXPIRY", -1)
    found = facts(hints)
    assert (found.totals, found.gauges, found.processes) == ({MOVES: 1}, {}, {})
    with log_server.client() as client:
        assert client.hlen(PROCESSES) == 1
        web.add(2, {}, {})
        assert client.hlen(PROCESSES) == 0


def test_a_report_and_a_look_take_one_round_trip_each(hints: Hints, web: Totals) -> None:
    facts(hints)
    web.add(1, {}, {})
    with counted() as sent:
        web.add(2, {MOVES: 1}, {})
        facts(hints)
    assert len(sent) == 2


def test_damage_is_mended_or_passed_over(log_server: Valkey, hints: Hints, web: Totals) -> None:
    """The server contains no unique data, so damage does not matter."""
    with log_server.client() as client:
        client.set(TOTALS, "damaged")
        client.set(PROCESSES, "damaged")
        assert facts(hints).totals == {}
        web.add(1, {MOVES: 1}, {POLLS: 1})
        assert facts(hints).totals == {MOVES: 1}
        client.hset(TOTALS, mapping={MOVES.name: "many", "no field": 1, "x_total|": "nan"})
        client.hset(PROCESSES, mapping={"web a": "soon", b"\xff b": b"1 2 \xff", "web c": f"{10**13} 1 [1]"})
        found = facts(hints)
        assert (found.totals, found.gauges) == ({}, {POLLS: 1})
        web.add(2, {MOVES: 1}, {})
        assert facts(hints).totals == {MOVES: 1}


def test_a_server_that_is_away_is_reported_as_such() -> None:
    lost = Hints(Config(redis_url="", queue_url="unix:///nowhere/s"))
    assert read_facts(lost) is None


def test_a_report_whose_answer_is_lost_is_sent_again_and_counted_once(log_server: Valkey, hints: Hints) -> None:
    wire = Wire(log_server)
    process = Totals(wire.url, "web")
    reporter = Reporter(process)
    reporter.report()
    before = facts(hints).totals.get(MOVES, 0)
    REQUESTS.add("makeMove", "2xx")
    wire.lose()
    with pytest.raises(redis.RedisError):
        reporter.report()
    until(lambda: facts(hints).totals.get(MOVES, 0) == before + 1)
    REQUESTS.add("makeMove", "2xx")
    reporter.report()
    assert facts(hints).totals[MOVES] == before + 1
    reporter.report()
    assert facts(hints).totals[MOVES] == before + 2
    process.close()
    wire.close()
