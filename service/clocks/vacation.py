"""Vacation: time off that a player earns and spends across all games. A vacation can begin automatically."""

from __future__ import annotations

from typing import NamedTuple

from .reckoning import DAY, HOUR, Stop

VACATION = "vacation"
"""The `reason` of a stop that a vacation causes."""
EARNED = 8
"""For every 8 ms outside vacations, a player earns 1 ms of vacation, which is three hours a day."""
MAX_SAVED = 30 * DAY
SHORTEST = HOUR
"""The shortest vacation, in ms. There is a minimum because each vacation is written to many logs. If a player has less
vacation left, no vacation begins."""


class Vacation(NamedTuple):
    """A player's vacation. `saved` is how much vacation was left at the time `as_of`, in ms.

    The last vacation lasts from `since` until `until`. Before the first vacation, `since` is equal to `until`.
    """

    saved: int
    as_of: int
    since: int = 0
    until: int = 0

    def active(self, now: int) -> bool:
        """Return whether the player is on vacation."""
        return self.since <= now < self.until

    def time_left(self, now: int) -> int:
        """Return how much vacation is left, in ms.

        >>> fresh = Vacation(0, 0)
        >>> fresh.time_left(8 * DAY) == DAY, fresh.time_left(1000 * DAY) == MAX_SAVED
        (True, True)
        >>> away = fresh.begin(8 * DAY, 9 * DAY)
        >>> away.time_left(8 * DAY + HOUR) == 23 * HOUR, away.time_left(9 * DAY), away.time_left(17 * DAY) == DAY
        (True, 0, True)
        """
        if self.active(now):
            return self.saved - (now - self.since)
        if self.until > self.as_of:
            rest, earning_since = self.saved - (self.until - self.since), self.until
        else:
            rest, earning_since = self.saved, self.as_of
        return min(MAX_SAVED, rest + max(0, now - earning_since) // EARNED)

    def begin(self, now: int, until: int | None) -> Vacation:
        """Return a copy in which the player has begun a vacation that lasts from `now` until `until`.

        If `until` is None, or later than the saved vacation allows, the vacation lasts until no saved vacation is left.
        """
        time_left = self.time_left(now)
        ends = now + time_left if until is None else min(now + time_left, max(until, now + SHORTEST))
        return Vacation(time_left, now, now, ends)

    def end(self, now: int) -> Vacation:
        """Return a copy in which the player has ended the vacation at `now`. A vacation lasts at least `SHORTEST`."""
        return self._replace(until=max(now, self.since + SHORTEST)) if self.active(now) else self

    def stop(self) -> Stop:
        """Return the player's last vacation as a `Stop`: a period during which the player's clocks are stopped."""
        return Stop(self.since, self.until, VACATION)
