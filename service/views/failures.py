"""What a caller is told when the store fails: nothing of what it holds, and what may be done about it."""

from __future__ import annotations

import logging

from ..games.repository import Games
from ..problems import Problem
from ..store.errors import CorruptLog, DamagedData, OtherLayout, StoreUnavailable, TooManyWaits, UnknownFormat

_logger = logging.getLogger(__name__)


def note(games: Games, error: Exception) -> None:
    """Have the health report name a key that is damaged."""
    if isinstance(error, DamagedData):
        games.store.note_damage(error)


def problem_of(error: Exception) -> Problem | None:
    """Return the problem that a failure of the store means to whoever asked; None where it is no such failure.

    What an operator must see to is logged.
    """
    match error:
        case UnknownFormat():
            _logger.error("%s", error)
            detail = f"the log of game {error.game_id} was written by a later version of the service"
            return Problem("unknown-format", detail, game=error.game_id)
        case CorruptLog():
            _logger.error("the log of game %s cannot be read", error.game_id)
            return Problem("corrupt-log", f"the log of game {error.game_id} cannot be read", game=error.game_id)
        case DamagedData():
            _logger.error("the store holds something damaged: %s", error)
            return Problem("corrupt-data", "something that is stored cannot be read; nothing was changed")
        case TooManyWaits():
            later = {"Retry-After": str(error.retry_after)}
            return Problem("too-many-waits", "ask again later, or without wait", headers=later)
        case OtherLayout():
            _logger.error("%s", error)
            detail = "the service is being upgraded; this version has changed nothing: repeat the request soon"
            return Problem("other-layout", detail, headers={"Retry-After": str(error.retry_after)})
        case StoreUnavailable():
            _logger.error("%s: %s", error, error.__cause__)
            detail = "the store does not answer; repeat the request with its Idempotency-Key, or look before you do"
            return Problem("store-unavailable", detail, headers={"Retry-After": "2"})
    return None
