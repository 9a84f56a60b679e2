"""Reporting: a player can report a message to the host."""

from __future__ import annotations

import hashlib

from ..games.repository import Games, load
from ..problems import Problem, shown
from ..store.reports import FULL, MAX_OF_PLAYER, MAX_REPORTS, TOO_MANY
from .rooms import SEATS, rights_of

MAX_REASON = 500
"""The maximum length of the reason for a report, in characters."""


def report(games: Games, game_id: str, player: str, message_id: str, reason: str) -> None:
    """Report a message to the host. A second report of the same message by the same player changes nothing.

    Raises: Problem (unknown-game, unknown-message, too-many-reports), StoreError.
    """
    game = load(games, game_id)
    message = games.store.talk.message(game_id, message_id)
    readers = () if message is None else (message["by"], *message["readers"])
    private = message is not None and message["room"] == SEATS
    if (
        message is None
        or (private and player not in readers)
        or (not private and message["room"] not in rights_of(games, game, player).reads)
    ):
        raise Problem(
            "unknown-message",
            f"this game has no message {shown(message_id)} that you can read: check the id",
            game=game_id,
        )
    report_id = hashlib.sha256(f"{message_id} {player}".encode()).hexdigest()[:16]
    result = games.store.reports.add(
        {"id": report_id, "at": games.now(), "game": game_id, "message": message_id, "reason": reason, "by": player}
    )
    if result == TOO_MANY:
        detail = f"{MAX_OF_PLAYER} of your reports are waiting for the host: wait until the host has read some"
        raise Problem("too-many-reports", detail, cap=MAX_OF_PLAYER)
    if result == FULL:
        detail = f"{MAX_REPORTS} reports are waiting for the host: contact the host in another way"
        raise Problem("too-many-reports", detail, cap=MAX_REPORTS)
