"""Counting: this process's counters, histograms and gauges, in memory until they are reported."""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal, NamedTuple

PREFIX = "condottiere_"
SEPARATOR = "|"
"""The separator between the parts of a field's name: the metric, the labels and a histogram's bucket or `sum`."""

Kind = Literal["counter", "gauge", "histogram"]
Labels = tuple[str, ...]

_lock = threading.Lock()
_counts: dict[tuple[str, Labels], float] = {}
_gauges: dict[tuple[str, Labels], float] = {}
_histograms: dict[tuple[str, Labels], list[float]] = {}
"""For each histogram: first the sum of the values, then the number of values in each bucket. The last bucket is
unbounded."""


class Metric:
    """A metric: its name without the prefix, its help text, and the names of its labels."""

    kind: Kind

    def __init__(self, name: str, help_text: str, *labels: str) -> None:
        """Create a metric. Names follow https://prometheus.io/docs/practices/naming/."""
        self.name = name
        self.help_text = help_text
        self.labels = labels

    @property
    def full_name(self) -> str:
        """The name with the prefix, as monitoring systems see it."""
        return PREFIX + self.name


class Counter(Metric):
    """A counter: a number that only increases."""

    kind = "counter"

    def add(self, *labels: str, amount: float = 1) -> None:
        """Add `amount` to the counter with these label values."""
        key = (self.name, labels)
        with _lock:
            _counts[key] = _counts.get(key, 0) + amount


class Histogram(Metric):
    """A histogram: the number of values in each of several ranges, and the sum of all values."""

    kind = "histogram"

    def __init__(self, name: str, help_text: str, *labels: str, bounds: Sequence[float]) -> None:
        """Create a histogram. `bounds` are the upper bounds of all ranges except the last, which is unbounded."""
        super().__init__(name, help_text, *labels)
        self.bounds = bounds

    def observe(self, value: float, *labels: str) -> None:
        """Count `value` in the histogram with these label values."""
        key, bucket = (self.name, labels), bisect_left(self.bounds, value) + 1
        with _lock:
            row = _histograms.get(key)
            if row is None:
                row = _histograms[key] = [0.0] * (len(self.bounds) + 2)
            row[0] += value
            row[bucket] += 1


class Gauge(Metric):
    """A gauge: a number that goes up and down.

    Each process has its own value. The values of processes that have ended do not count.
    """

    kind = "gauge"

    def set(self, value: float, *labels: str) -> None:
        """Set this process's value of the gauge with these label values."""
        _gauges[self.name, labels] = value

    def add(self, amount: float, *labels: str) -> None:
        """Add `amount` to this process's value of the gauge with these label values."""
        key = (self.name, labels)
        with _lock:
            _gauges[key] = _gauges.get(key, 0) + amount


class Fact(Metric):
    """A gauge whose value is read from the servers when the metrics are requested. Processes do not store the gauge's
    value.
    """

    kind = "gauge"


class Field(NamedTuple):
    """A field of the totals: a metric, its labels and, for a histogram, `sum` or a bucket's number."""

    metric: str
    labels: Labels
    part: str = ""

    @property
    def name(self) -> str:
        """The name under which the queue server stores this field's total."""
        return SEPARATOR.join((self.metric, *self.labels, self.part))


def field_in(name: str) -> Field:
    """Return the field with this stored name.

    >>> field_in("requests_total|makeMove|2xx|")
    Field(metric='requests_total', labels=('makeMove', '2xx'), part='')
    """
    metric, *labels, part = name.split(SEPARATOR)
    return Field(metric, tuple(labels), part)


def take() -> dict[Field, float]:
    """Return the counts of this process since the last call, and reset them."""
    with _lock:
        counts, rows = _counts.copy(), _histograms.copy()
        _counts.clear()
        _histograms.clear()
    fields = {Field(metric, labels): count for (metric, labels), count in counts.items()}
    for (metric, labels), (total, *buckets) in rows.items():
        fields[Field(metric, labels, "sum")] = total
        fields |= {Field(metric, labels, str(number)): count for number, count in enumerate(buckets) if count}
    return fields


def gauges() -> dict[Field, float]:
    """Return the gauges of this process."""
    with _lock:
        return {Field(metric, labels): value for (metric, labels), value in _gauges.items()}


def forget() -> None:
    """Forget all counts and gauges of this process.

    Every newly forked process must call this function, because the process inherits its parent's counts.
    """
    global _lock
    _lock = threading.Lock()
    for values in (_counts, _gauges, _histograms):
        values.clear()


os.register_at_fork(after_in_child=forget)
