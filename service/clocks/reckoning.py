"""Reckoning: when a span of time is over if some stretches of it do not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from operator import attrgetter
from typing import NamedTuple

SECOND = 1_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR


class Stop(NamedTuple):
    """A stretch of time in which a clock stands still, and why: from `begin` to before `until`."""

    begin: int
    until: int
    reason: str

    def since(self, begin: int) -> Stop:
        """Return what lies of it after a time."""
        return self._replace(begin=max(begin, self.begin))


def run_out(since: int, allowance: int, stops: Iterable[Stop]) -> tuple[int, list[Stop]]:
    """Return when a clock that starts at `since` has run for so long, and the stops on its way there.

    The stops come in order of their beginnings, may overlap and may be without end; those returned do not overlap, and
    of two that do the one that began first gives the reason.

    >>> run_out(0, 10, [Stop(3, 5, "night"), Stop(4, 6, "vacation"), Stop(50, 60, "night")])
    (13, [Stop(begin=3, until=5, reason='night'), Stop(begin=5, until=6, reason='vacation')])
    """
    now, left, met = since, allowance, []
    for begin, until, reason in stops:
        if until <= now:
            continue
        begin = max(begin, now)
        if begin - now >= left:
            break
        left -= begin - now
        met.append(Stop(begin, until, reason))
        now = until
    return now + left, met


def counted(since: int, now: int, stops: Iterable[Stop]) -> int:
    """Return how long a clock has run between two times; the stops do not overlap.

    >>> counted(0, 12, [Stop(3, 5, "night"), Stop(10, 20, "night")])
    8
    """
    stood = sum(max(0, min(until, now) - max(begin, since)) for begin, until, _ in stops)
    return max(0, now - since - stood)


def in_order(*sources: Iterable[Stop]) -> Iterator[Stop]:
    """Yield the stops of several sources, each of which has its own in order, in the order of their beginnings.

    Of those that begin together the sources named first come first.
    """
    return merge(*sources, key=attrgetter("begin"))
