"""Replay: computing a position from the bytes of a stored log, as every request must do.

The yardstick is the standard library's `json.loads` on the same bytes, a cost that any service with JSON has. All steps
are measured alternately and in CPU time, and the figures are medians.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import process_time_ns

import orjson

from engine import DEFAULT, EDITIONS, Event, State, events_from_records, replay
from service.games.events import TABLE_EVENTS
from service.games.game import Game, rebuild
from service.store.commits import Commits

from .recording import BOT, EVENTS, SEATS, SEEDS, Recording, recordings
from .report import OnProgress, Row, Section

TURNS, QUICK_TURNS = 200, 50
GOAL_MS = 2.0
GOAL_US = 5.0
"""Microseconds per event."""
YARDSTICK, GOALS_BY_STEP = "json.loads", "decode and replay"


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure the replay of one recorded game of each edition, and each step of the replay for the default edition."""
    recorded = [recordings(1, key=key)[0] for key in EDITIONS]
    steps = [(recording, step, ask) for recording in recorded for step, ask in _steps(recording)]
    all_times = _in_turns([ask for _, _, ask in steps], QUICK_TURNS if quick else TURNS, on_progress)
    yardsticks = {
        recording.edition: ms for (recording, step, _), ms in zip(steps, all_times, strict=True) if step == YARDSTICK
    }
    return Section(
        title="Replay",
        how=(
            f"For each edition, the game of {SEATS} `{BOT}` bots (two in a duel) whose number of events is nearest "
            f"to {EVENTS}, among {SEEDS} games. The times are median CPU times. `rebuild` also seats the players, "
            "but does not decode lines that it has decoded before."
        ),
        columns=("Edition", "Events", "Step", "ms", "µs per event", f"× {YARDSTICK}"),
        rows=tuple(
            _row(recording, step, ms, yardsticks[recording.edition])
            for (recording, step, _), ms in zip(steps, all_times, strict=True)
        ),
    )


def _steps(recording: Recording) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the steps to measure for a game, by name."""
    rows = recording.rows
    yield YARDSTICK, lambda: [json.loads(row) for row in rows]
    if recording.edition == DEFAULT:
        events = decode(rows)
        yield "orjson.loads", lambda: [orjson.loads(row) for row in rows]
        yield "decode", lambda: decode(rows)
        yield "replay", lambda: replay(events)
        yield "rebuild (a request)", lambda: _rebuild(recording, rows)
    yield GOALS_BY_STEP, lambda: decode_and_replay(rows)


def decode_and_replay(rows: Sequence[bytes]) -> State:
    """Return the position at the end of a stored log."""
    return replay(decode(rows))


def decode(rows: Sequence[bytes]) -> list[Event]:
    """Return the game events in a stored log."""
    records = [record for row in rows for record in orjson.loads(row)["events"]]
    return events_from_records(record for record in records if record["type"] not in TABLE_EVENTS)


def _rebuild(recording: Recording, rows: Sequence[bytes]) -> Game:
    return rebuild(Commits("", rows), recording.seed)


def _in_turns(steps: Sequence[Callable[[], object]], turns: int, on_progress: OnProgress) -> list[float]:
    """Run the steps alternately, and return each step's median time in milliseconds."""
    all_times: list[list[int]] = [[] for _ in steps]
    for turn in range(turns):
        for ask, times in zip(steps, all_times, strict=True):
            before = process_time_ns()
            ask()
            times.append(process_time_ns() - before)
        on_progress((turn + 1) / turns)
    return [median(times) / 1e6 for times in all_times]


def _row(recording: Recording, step: str, ms: float, yardstick: float) -> Row:
    us = 1000 * ms / recording.events
    cells = (recording.edition, str(recording.events), step, f"{ms:.2f}", f"{us:.2f}", f"{ms / yardstick:.2f}")
    if step != GOALS_BY_STEP:
        return Row(cells)
    return Row(cells, f"≤ {GOAL_MS:g} ms, {GOAL_US:g} µs", ms <= GOAL_MS and us <= GOAL_US)
