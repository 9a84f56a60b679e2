"""Games that are set aside: nobody can continue them until they are repaired or a later version can read them."""

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
"""The reasons for setting a game aside. Each reason is a problem code."""


def reason_of(error: Exception) -> str:
    """Return the problem code for the error that caused a game to be set aside."""
    match error:
        case UnknownFormat():
            return "unknown-format"
        case CorruptLog():
            return "corrupt-log"
        case DamagedData():
            return "corrupt-data"
    return "internal-error"


class SetAside(NamedTuple):
    """A game that is set aside, the reason, and when it was set aside (ms since the epoch)."""

    game: str
    reason: str
    since: int


class GamesSetAside:
    """The set-aside games of all shards."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def note(self, game_id: str, error: Exception, now: int) -> None:
        """Add a game that failed with an error, unless it is already listed for the same reason.

        Takes one round trip. If the server fails, this method raises nothing, because the caller already has a more
        important error to report.
        """
        with contextlib.suppress(StoreError):
            self._server.run(NOTE, [_KEY], [now, f"{game_id} {reason_of(error)}"])

    def forget(self, game_id: str) -> None:
        """Remove a game from the list. Takes one round trip. Raises: StoreError."""
        self._server.ask("ZREM", _KEY, *(f"{game_id} {reason}" for reason in REASONS))

    def first(self, limit: int) -> tuple[list[SetAside], int]:
        """Return the first `limit` games that were set aside, and the total number of such games.

        Takes one round trip. Raises: StoreError.
        """
        reads: list[Command] = [("ZRANGE", _KEY, 0, limit - 1, "WITHSCORES"), ("ZCARD", _KEY)]
        rows, count = self._server.ask_all(reads)
        entries = (_set_aside(member, since) for member, since in zip(rows[::2], rows[1::2], strict=True))
        return [aside for aside in entries if aside is not None], int(count)


def _set_aside(member: bytes, since: bytes) -> SetAside | None:
    """Return the game that a row describes, or None if the row cannot be read."""
    game, _, reason = member.decode(errors="replace").partition(" ")
    at = float(since)
    if not keys.is_game_id(game) or reason not in REASONS or not math.isfinite(at):
        return None
    return SetAside(game, reason, int(at))


_KEY = keys.of_shard(0, "aside")
