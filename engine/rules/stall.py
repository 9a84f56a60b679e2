"""The stall rule, a house rule against games that never end."""

from __future__ import annotations


def most_idle_battles(seats: int) -> int:
    """Return the number of consecutive battles without a laid card after which a game stalls.

    `seats` is the number of seats that have not resigned.
    """
    return 2 * seats
