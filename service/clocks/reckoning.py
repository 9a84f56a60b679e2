"""Reckoning: when a clock runs out, given the periods in which it is stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from operator import attrgetter
from typing import NamedTuple

SECOND = 1_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR


class Stop(NamedTuple):
    """A period in which a clock is stopped, from `begin` (inclusive) to `until` (exclusive), and the reason."""

    begin: int
    until: int
    reason: str

    def since(self, begin: int) -> Stop:
        """Return the part of this stop at or after `begin`."""
        return self._replace(begin=max(begin, self.begin))


def run_out(since: int, allowance: int, stops: Iterable[Stop], earliest: int = 0) -> tuple[int, list[Stop]]:
    """Return when a clock runs out, and the stops before that time.

    The clock starts at `since` and runs for `allowance` ms. The stops must be sorted by `begin`. Stops may overlap, and
    `stops` may be endless. The returned stops do not overlap: where two stops overlap, the overlap belongs to the stop
    that began first. If the time runs out exactly when a stop begins, and the stop begins at or after `earliest`, the
    result is the beginning of the stop. If the time runs out exactly when a stop begins, and the stop begins before
    `earliest`, the result is `earliest` or the end of the stop, whichever is earlier.

    >>> run_out(0, 10, [Stop(3, 5, "night"), Stop(4, 6, "vacation"), Stop(50, 60, "night")])
    (13, [Stop(begin=3, until=5, reason='night'), Stop(begin=5, until=6, reason='vacation')])
    >>> run_out(0, 3, [Stop(3, 9, "night")]), run_out(0, 3, [Stop(3, 9, "night")], 7)
    ((3, []), (7, [Stop(begin=3, until=7, reason='night')]))
    """
    now, remaining, stops_met = since, allowance, []
    for begin, until, reason in stops:
        if until <= now:
            continue
        begin = max(begin, now)
        if begin - now > remaining or (begin - now == remaining and begin >= earliest):
            break
        remaining -= begin - now
        until = until if remaining else min(until, earliest)
        stops_met.append(Stop(begin, until, reason))
        now = until
    return now + remaining, stops_met


def time_counted(since: int, now: int, stops: Iterable[Stop]) -> int:
    """Return how long a clock has run between `since` and `now`. The stops must not overlap.

    >>> time_counted(0, 12, [Stop(3, 5, "night"), Stop(10, 20, "night")])
    8
    """
    stopped_for = sum(max(0, min(until, now) - max(begin, since)) for begin, until, _ in stops)
    return max(0, now - since - stopped_for)


def in_order(*sources: Iterable[Stop]) -> Iterator[Stop]:
    """Yield all stops from several sources, sorted by `begin`. Each source must also be sorted by `begin`.

    Stops that begin at the same time are in the order of their sources.
    """
    return merge(*sources, key=attrgetter("begin"))
