"""Failures: the problem responses for failures of the store.

Each problem's text says what to do, and reveals nothing about the store's contents.
"""

from __future__ import annotations

import logging

from ..games.repository import Games
from ..problems import Problem
from ..store.errors import (
    CorruptLog,
    DamagedData,
    OtherLayout,
    ReadOnlyMode,
    StoreUnavailable,
    TooManyWaits,
    UnknownFormat,
)

_logger = logging.getLogger(__name__)


def note(games: Games, error: Exception) -> None:
    """Record a damaged key, so that the health report names it."""
    if isinstance(error, DamagedData):
        games.store.note_damage(error)


def problem_of(error: Exception) -> Problem | None:
    """Return the problem for a store failure, or None if the exception is not a store failure.

    A failure that needs an operator's attention is logged.
    """
    match error:
        case UnknownFormat():
            _logger.error("%s", error)
            detail = (
                f"a later version of the service wrote the log of game {error.game_id}: "
                "report the id to the operator, who can start that version again"
            )
            return Problem("unknown-format", detail, game=error.game_id)
        case CorruptLog():
            _logger.error("cannot read the log of game %s", error.game_id)
            detail = f"the server cannot read the log of game {error.game_id}: report the id to the operator"
            return Problem("corrupt-log", detail, game=error.game_id)
        case DamagedData():
            _logger.error("the store contains damaged data: %s", error)
            return Problem(
                "corrupt-data",
                "the server cannot read some of its stored data, and has changed nothing: "
                "report this problem to the operator",
            )
        case TooManyWaits():
            later = {"Retry-After": str(error.retry_after)}
            return Problem(
                "too-many-waits",
                "too many open long polls and streams: retry later, or omit the `wait` parameter",
                headers=later,
            )
        case ReadOnlyMode():
            detail = (
                "the service is read-only while the host upgrades it, and nothing was changed: repeat the request "
                "after Retry-After seconds"
            )
            return Problem("read-only", detail, headers={"Retry-After": str(error.retry_after)})
        case OtherLayout():
            _logger.error("%s", error)
            detail = (
                "the service is being upgraded, and nothing was changed: repeat the request after Retry-After seconds"
            )
            return Problem("other-layout", detail, headers={"Retry-After": str(error.retry_after)})
        case StoreUnavailable():
            _logger.error("%s: %s", error, error.__cause__)
            detail = (
                "the store did not respond: repeat the request with the same Idempotency-Key; "
                "if you sent no key, first check whether the request was carried out"
            )
            return Problem("store-unavailable", detail, headers={"Retry-After": "2"})
    return None
