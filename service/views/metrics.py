"""Metrics: the counts of all processes, and the facts that the servers report, as one string.

The string names neither players nor games.
"""

from __future__ import annotations

from contextlib import suppress

from ..games.repository import Games
from ..hints.totals import QueueFacts, read_facts
from ..metrics import table
from ..metrics.counting import Fact, Field
from ..metrics.text import text
from ..store.errors import StoreError
from ..store.facts import Memory, StoreFacts
from .health import duties_of_log, duties_of_queue

Values = dict[Field, float]


def metrics_text(games: Games) -> bytes:
    """Return all metrics in Prometheus's text format.

    Facts that a server does not report are left out. If a server is unavailable, the text says so, and no exception is
    raised. Takes two round trips to the log server and one to the queue server.
    """
    values: Values = {}
    _add(values, table.QUEUE_UP, 0)
    _add(values, table.STORE_UP, 0)
    queue = read_facts(games.hints)
    if queue is not None:
        _add_queue(values, queue)
    with suppress(StoreError):
        _add_store(values, games, games.store.facts.read())
    return text(values)


def _add_queue(values: Values, facts: QueueFacts) -> None:
    values |= facts.totals
    values |= facts.gauges
    _add(values, table.QUEUE_UP, 1)
    for process, count in facts.processes.items():
        _add(values, table.PROCESSES, count, process)
    for line, count in facts.hints.items():
        _add(values, table.HINTS_WAITING, count, line)
    _add(values, table.JOBS_WAITING, facts.jobs)
    if facts.memory is not None:
        _add_memory(values, facts.memory, "queue", 0)
    for duty in duties_of_queue(facts.beats):
        _add_duty(values, duty.duty, duty.done_at, up=duty.up)


def _add_store(values: Values, games: Games, facts: StoreFacts) -> None:
    _add(values, table.STORE_UP, 1)
    for status, count in facts.games.items():
        _add(values, table.GAMES, count, status)
    _add(values, table.SET_ASIDE, facts.set_aside)
    _add(values, table.DUE_TURNS, facts.due)
    _add(values, table.DUE_AGE, facts.due_age)
    _add(values, table.ALARM_AGE, facts.alarm_age)
    _add(values, table.LANES_DUE, facts.lanes)
    _add(values, table.LANE_AGE, facts.lane_age)
    _add(values, table.OUTBOX_AGE, facts.outbox_age)
    for number, memory in enumerate(facts.memory):
        _add_memory(values, memory, "log", number)
    if facts.presence is not None:
        for duty in duties_of_log(facts.presence, games.now()):
            _add_duty(values, duty.duty, duty.done_at, up=duty.up)


def _add_duty(values: Values, name: str, done_at: int | None, *, up: bool) -> None:
    _add(values, table.DUTY_UP, up, name)
    if done_at is not None:
        _add(values, table.DUTY_ROUND, done_at / 1000, name)


def _add_memory(values: Values, memory: Memory, server: str, node: int) -> None:
    _add(values, table.MEMORY, memory.used, server, str(node))
    if memory.maximum:
        _add(values, table.MEMORY_LIMIT, memory.maximum, server, str(node))


def _add(values: Values, fact: Fact, value: float, *labels: str) -> None:
    values[Field(fact.name, labels)] = value
