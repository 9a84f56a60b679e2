"""Waiting: a view checks its data repeatedly, until there is more to show or the caller's wait times out.

If the server has a place for the request, the server *parks* the request between two checks: the request then uses no
thread. If the server has no place for the request, the request's thread waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from ..games.repository import Games
from ..parking import Place, Wait
from ..store.waits import Waiter

__all__ = ["Look", "Patience", "Waiter", "looks", "place_for"]


@dataclass(frozen=True)
class Patience:
    """How long a caller waits (in seconds), the token's player, and the `place` if the server parks the request."""

    seconds: float = 0
    player: str | None = None
    place: Place | None = None


class Look(NamedTuple):
    """A check of the data: whether it is the last check, and whether the thread has waited before this check."""

    last: bool
    waited: bool


def looks(games: Games, topic: str, patience: Patience) -> Iterator[Look]:
    """Yield a `Look` for each check of a game's or a player's data. The caller stops the iteration once there is enough
    to show.

    A change that is announced between two checks is not missed. Raises: Parked, TooManyWaits.
    """
    place = patience.place
    left = patience.seconds - (place.waited if place is not None else 0)
    if left <= 0:
        yield Look(last=True, waited=False)
    elif place is None:
        yield from _looks_in_thread(games, topic, patience)
    else:
        yield Look(last=False, waited=False)
        place.take(patience.player)
        place.park(Wait(topic, left))


def _looks_in_thread(games: Games, topic: str, patience: Patience) -> Iterator[Look]:
    waits, deadline = games.store.waits, time.monotonic() + patience.seconds
    yield Look(last=False, waited=False)
    with waits.waiter(topic, with_token=patience.player is not None) as waiter:
        while True:
            yield Look(last=False, waited=True)
            left = deadline - time.monotonic()
            if left <= 0 or not waiter.wait(min(left, waits.recheck)):
                break
    yield Look(last=True, waited=True)


@contextmanager
def place_for(games: Games, topic: str, patience: Patience) -> Iterator[Waiter | None]:
    """Take a place for a follower of a game or of a player's games. Yield a waiter if this thread itself waits, or None
    if the server parks the request.

    A parked request's place becomes free when the response has ended. Raises: TooManyWaits.
    """
    if patience.place is not None:
        patience.place.take(patience.player)
        yield None
    else:
        with games.store.waits.waiter(topic, with_token=patience.player is not None) as waiter:
            yield waiter
