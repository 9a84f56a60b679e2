"""Replay: from the bytes of a stored log to the position, as every request does it.

`json.loads` of the same bytes, with the standard library, is the yardstick: what any service pays that keeps JSON. All
are measured in turns, in CPU time, and the median of the turns is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time_ns

import orjson

from engine import DEFAULT, Event, State, events_from_records, replay
from service.game import Game, rebuild
from service.table import TABLE_EVENTS

from .recording import BOT, SEATS, Recording, recordings
from .report import Row, Section, Told

TURNS, QUICK_TURNS = 200, 50
GOAL_MS = 2.0
GOAL_US = 5.0
"""Microseconds an event."""


def measure(quick: bool, told: Told) -> Section:
    """Measure the replay of one recorded game."""
    recording = recordings(1)[0]
    rows = recording.rows
    events = decode(rows)
    asked: dict[str, Callable[[], object]] = {
        "json.loads": lambda: [json.loads(row) for row in rows],
        "orjson.loads": lambda: [orjson.loads(row) for row in rows],
        "decode": lambda: decode(rows),
        "replay": lambda: replay(events),
        "decode and replay": lambda: decode_and_replay(rows),
        "rebuild (a request)": lambda: _rebuild(recording, rows),
    }
    taken = _in_turns(list(asked.values()), QUICK_TURNS if quick else TURNS, told)
    return Section(
        title="Replay",
        how=(
            f"A {DEFAULT} game of {SEATS} `{BOT}` bots: {len(rows)} commits, {recording.events} events, "
            f"{sum(map(len, rows)) / 1024:.0f} KiB. Median CPU time; `rebuild` also seats the players."
        ),
        columns=("Step", "ms", "µs an event", "× json.loads"),
        rows=tuple(_row(name, ms, taken[0], recording.events) for name, ms in zip(asked, taken, strict=True)),
    )


def decode_and_replay(rows: Sequence[bytes]) -> State:
    """Return the position that a stored log leads to."""
    return replay(decode(rows))


def decode(rows: Sequence[bytes]) -> list[Event]:
    """Return the game's events that a stored log holds."""
    records = [record for row in rows for record in orjson.loads(row)["events"]]
    return events_from_records(record for record in records if record["type"] not in TABLE_EVENTS)


def _rebuild(recording: Recording, rows: Sequence[bytes]) -> Game:
    return rebuild("", [orjson.loads(row) for row in rows], recording.seed)


def _in_turns(asked: Sequence[Callable[[], object]], turns: int, told: Told) -> list[float]:
    """Return the median time of each in milliseconds."""
    taken: list[list[int]] = [[] for _ in asked]
    for turn in range(turns):
        for ask, times in zip(asked, taken, strict=True):
            before = process_time_ns()
            ask()
            times.append(process_time_ns() - before)
        told((turn + 1) / turns)
    return [median(times) / 1e6 for times in taken]


def _row(name: str, ms: float, yardstick: float, events: int) -> Row:
    us = 1000 * ms / events
    cells = (name, f"{ms:.2f}", f"{us:.2f}", f"{ms / yardstick:.2f}")
    if name != "decode and replay":
        return Row(cells)
    return Row(cells, f"≤ {GOAL_MS:g} ms, {GOAL_US:g} µs", ms <= GOAL_MS and us <= GOAL_US)
