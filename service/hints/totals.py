"""Totals: the counts of all processes, added up on the queue server, and the numbers of waiting hints and jobs.

Each process adds what it has counted since its last report. A total therefore does not shrink when a process ends, and
readers do not need to know which processes exist. If the queue server loses the totals, the totals begin at 0 again, as
counters do when a process restarts. The keys of the totals begin with `condottiere:metrics:`.

| key         | type | holds                                                                                       |
|-------------|------|---------------------------------------------------------------------------------------------|
| `totals`    | hash | the name of a field (`metrics.counting`) -> its total                                       |
| `processes` | hash | process -> when it last reported (ms, by this server's clock), the number of that report,   |
|             |      | and its gauges (JSON)                                                                       |
"""

from __future__ import annotations

import math
import secrets
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import redis

from ..metrics.counting import SEPARATOR, Field, field_in
from ..store.facts import Memory, memory_in
from ..store.lua import script
from ..store.rows import parse_int
from . import fair
from .queue import AT_WORK, QUEUES, TIMEOUT, Hints, beat_key, connect

KEYS = TOTALS, PROCESSES = ("condottiere:metrics:totals", "condottiere:metrics:processes")
EXPIRY = 20_000
"""A process that has not reported for this number of milliseconds no longer counts as running."""

ADD = script("add_counts", __package__)


@dataclass(frozen=True)
class QueueFacts:
    """The totals of all processes, the sums of their gauges, and the numbers of hints and jobs on the queue server.

    `processes` maps each kind of process to the number of processes that report. `beats` says when each process in
    `AT_WORK` last recorded that it was running (ms since the epoch, or None if the process is no longer running).
    `hints` maps the name of each waiting line, such as `people`, to the number of hints in that line.
    """

    totals: Mapping[Field, float]
    gauges: Mapping[Field, float]
    processes: Mapping[str, int]
    beats: Mapping[str, int | None]
    hints: Mapping[str, int]
    jobs: int
    memory: Memory | None


class Totals:
    """The totals on the queue server. This process adds its own reports to the totals."""

    def __init__(self, url: str, process: str) -> None:
        """Use the queue server at `url`. `process` is the kind of this process, such as `web`."""
        self._server = connect(url, TIMEOUT)
        self._name = f"{process} {secrets.token_hex(8)}"

    def add(self, number: int, counts: Mapping[Field, float], gauges: Mapping[Field, float]) -> None:
        """Add counts to the totals, unless the report with this number was already added. Takes one round trip.

        Raises: redis.RedisError.
        """
        values = orjson.dumps({field.name: value for field, value in gauges.items()})
        pairs = [part for field, count in counts.items() for part in (field.name, repr(count))]
        self._server.eval(ADD.text, len(KEYS), *KEYS, self._name, number, EXPIRY, values, *pairs)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


def read_facts(hints: Hints) -> QueueFacts | None:
    """Return the queue server's totals and counts, or None if it does not answer. Takes one round trip.

    Keys that are damaged, or that the service is not allowed to read, count as empty.
    """
    empty: list[Any] = [(0, 0), {}, {}, [None] * len(AT_WORK), *[0] * len(fair.LINES), *[0] * len(QUEUES), {}]
    try:
        answers = hints.ask_together(_ask_facts)
    except redis.RedisError:
        return None
    if all(isinstance(answer, Exception) for answer in answers):
        return None
    readable = [
        other if isinstance(answer, Exception) else answer for answer, other in zip(answers, empty, strict=True)
    ]
    (seconds, micros), totals, processes, beats, *waiting, info = readable
    lengths, jobs = waiting[: len(fair.LINES)], waiting[len(fair.LINES) :]
    rows = _recent(processes, 1000 * seconds + micros // 1000)
    gauges: defaultdict[Field, float] = defaultdict(float)
    for _, values in rows:
        for field, value in values.items():
            gauges[field] += value
    return QueueFacts(
        totals=_fields({name.decode(errors="replace"): value for name, value in totals.items()}),
        gauges=gauges,
        processes=Counter(name for name, _ in rows),
        beats={who: parse_int(beat) for who, beat in zip(AT_WORK, beats, strict=True)},
        hints={line.removeprefix(fair.PREFIX): length for line, length in zip(fair.LINES, lengths, strict=True)},
        jobs=sum(jobs),
        memory=memory_in(info) if info else None,
    )


def _ask_facts(pipe: Any) -> None:
    pipe.time()
    for key in KEYS:
        pipe.hgetall(key)
    pipe.mget([beat_key(who) for who in AT_WORK])
    for line in fair.LINES:
        pipe.zcard(line)
    for queue in QUEUES:
        pipe.llen(f"rq:queue:{queue}")
    pipe.info("memory")


def _recent(processes: Mapping[bytes, bytes], now: int) -> list[tuple[str, Mapping[Field, float]]]:
    """Return the kind and the gauges of each process that has reported recently."""
    rows = []
    for name, row in processes.items():
        at, _, rest = row.partition(b" ")
        if now - (parse_int(at) or 0) <= EXPIRY:
            rows.append((name.decode(errors="replace").partition(" ")[0], _gauges_in(rest.partition(b" ")[2])))
    return rows


def _gauges_in(text: bytes) -> Mapping[Field, float]:
    try:
        return _fields(orjson.loads(text))
    except (orjson.JSONDecodeError, AttributeError):
        return {}


def _fields(values: Mapping[str, Any]) -> dict[Field, float]:
    """Return the value of each field. Values that are not numbers are left out."""
    found = {}
    for name, text in values.items():
        try:
            value = float(text)
        except (TypeError, ValueError):
            continue
        if math.isfinite(value) and SEPARATOR in name:
            found[field_in(name)] = value
    return found
