"""Health: which parts of the service are up, and whether the store may be trusted with games."""

from __future__ import annotations

from .games import Games
from .store.durability import Readiness
from .store.errors import StoreUnavailable

__all__ = ["Readiness", "parts", "readiness"]


def parts(games: Games) -> dict[str, bool]:
    """Return for each part whether it is up: the log and queue servers, a worker, the clock, a deliverer.

    One round trip to each server, in a cluster one to each node.
    """
    return {"log": _log_is_up(games), **games.hints.parts()}


def readiness(games: Games) -> Readiness:
    """Return what is known of the log server's promises; one round trip, in a cluster one to each node."""
    return games.store.readiness()


def _log_is_up(games: Games) -> bool:
    try:
        return games.store.is_up()
    except StoreUnavailable:
        return False
