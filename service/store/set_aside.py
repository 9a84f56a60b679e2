"""Games that are set aside: nobody can play on in them before an operator or a later version has seen to them."""

from __future__ import annotations

import contextlib
import math
from typing import NamedTuple

from . import keys
from .connection import Server
from .errors import CorruptLog, DamagedData, StoreError, UnknownFormat
from .lua import script
from .transport import Command

NOTE = script("list_game_set_aside")

REASONS = ("corrupt-log", "unknown-format", "corrupt-data", "internal-error")
"""Why a game may be set aside: codes of problems."""


def reason_of(error: Exception) -> str:
    """Return the code of the problem for which a game is set aside."""
    match error:
        case UnknownFormat():
            return "unknown-format"
        case CorruptLog():
            return "corrupt-log"
        case DamagedData():
            return "corrupt-data"
    return "internal-error"


class SetAside(NamedTuple):
    """A game that was set aside, why, and since when (ms since the epoch)."""

    game: str
    reason: str
    since: int


class GamesSetAside:
    """The games of all shards that are set aside."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are listed."""
        self._server = server

    def note(self, game_id: str, error: Exception, now: int) -> None:
        """List a game that failed with an error, unless it stands there for the same reason; one round trip.

        Nothing happens where the server cannot: who sets a game aside has a worse error to report.
        """
        with contextlib.suppress(StoreError):
            self._server.run(NOTE, [_KEY], [now, f"{game_id} {reason_of(error)}"])

    def forget(self, game_id: str) -> None:
        """Take a game off the list; one round trip. Raises: StoreError."""
        self._server.ask("ZREM", _KEY, *(f"{game_id} {reason}" for reason in REASONS))

    def first(self, most: int) -> tuple[list[SetAside], int]:
        """Return the games that were set aside first, at most so many, and how many there are; one round trip.

        Raises: StoreError.
        """
        reads: list[Command] = [("ZRANGE", _KEY, 0, most - 1, "WITHSCORES"), ("ZCARD", _KEY)]
        found, count = self._server.ask_all(reads)
        listed = (_set_aside(member, since) for member, since in zip(found[::2], found[1::2], strict=True))
        return [aside for aside in listed if aside is not None], int(count)


def _set_aside(member: bytes, since: bytes) -> SetAside | None:
    """Return what a row says, None where it says nothing that can be read."""
    game, _, reason = member.decode(errors="replace").partition(" ")
    at = float(since)
    if not keys.is_game_id(game) or reason not in REASONS or not math.isfinite(at):
        return None
    return SetAside(game, reason, int(at))


_KEY = keys.of_shard(0, "aside")
