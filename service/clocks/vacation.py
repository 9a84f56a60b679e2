"""Vacation: time off that a player earns, spends in all games at once, and may let begin by itself before a timeout."""

from __future__ import annotations

from typing import NamedTuple

from .reckoning import DAY, HOUR, Stop

VACATION = "vacation"
"""Reason of a stop."""
EARNED = 8
"""A day earns three hours: one part in so many of the time that passes without a vacation."""
MOST = 30 * DAY
LEAST = HOUR
"""A vacation lasts so long at least, so with less saved none begins: it is written into the log of every game."""


class Vacation(NamedTuple):
    """What a player has saved (ms) at a time, and the vacation that began last; `since` is `until` where none has."""

    saved: int
    as_of: int
    since: int = 0
    until: int = 0

    def active(self, now: int) -> bool:
        """Tell whether the player is away."""
        return self.since <= now < self.until

    def left(self, now: int) -> int:
        """Return how much vacation is left, in ms.

        >>> fresh = Vacation(0, 0)
        >>> fresh.left(8 * DAY) == DAY, fresh.left(1000 * DAY) == MOST
        (True, True)
        >>> away = fresh.begun(8 * DAY, 9 * DAY)
        >>> away.left(8 * DAY + HOUR) == 23 * HOUR, away.left(9 * DAY), away.left(17 * DAY) == DAY
        (True, 0, True)
        """
        if self.active(now):
            return self.saved - (now - self.since)
        if self.until > self.as_of:
            rest, earning_since = self.saved - (self.until - self.since), self.until
        else:
            rest, earning_since = self.saved, self.as_of
        return min(MOST, rest + max(0, now - earning_since) // EARNED)

    def begun(self, now: int, until: int | None) -> Vacation:
        """Return the vacation of a player who leaves now, until a time or until all is spent."""
        left = self.left(now)
        ends = now + left if until is None else min(now + left, max(until, now + LEAST))
        return Vacation(left, now, now, ends)

    def ended(self, now: int) -> Vacation:
        """Return the vacation of a player who is back."""
        return self._replace(until=max(now, self.since + LEAST)) if self.active(now) else self

    def stop(self) -> Stop:
        """Return the stretch of time for which it stops this player's clocks."""
        return Stop(self.since, self.until, VACATION)
