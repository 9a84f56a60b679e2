"""Which parts of the service are up: what `GET /v1/health` answers."""

from __future__ import annotations

from .games import Games
from .store.errors import StoreUnavailable


def parts(games: Games) -> dict[str, bool]:
    """Return for each part whether it is up: the log and queue servers, a worker, the clock."""
    return {"log": _log_is_up(games), **games.hints.parts()}


def _log_is_up(games: Games) -> bool:
    try:
        games.store.due.overdue(0)
    except StoreUnavailable:
        return False
    return True
