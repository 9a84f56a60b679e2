"""Talk: the messages at a table that a player is allowed to read.

The player can wait for new messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..games.repository import Games
from ..talk import cursors, reading
from .waiting import Patience, looks

Json = dict[str, Any]

LIMIT = 100
"""The maximum number of messages in one response."""


def newest(games: Games, game_id: str, player: str, limit: int) -> Json:
    """Return the newest messages that a player may read, oldest first. Raises: Problem (unknown-game), StoreError."""
    reader = reading.reader_of(games, game_id, player)
    return reading.show(games, reader, reading.newest_page(games, reader, limit))


def read(
    games: Games,
    game_id: str,
    player: str,
    after: str,
    limit: int,
    patience: Patience,
    who: Callable[[], str | None],
) -> Json:
    """Return at most `limit` messages after a cursor, as soon as there are any, or when the caller's wait times out.

    `who` is called after a wait, and raises Problem if the caller's token was replaced in the meantime. Raises: Problem
    (unknown-game, invalid-request, token-unknown), Parked, TooManyWaits, StoreError.
    """
    counts, reader = cursors.counts_of(after), reading.reader_of(games, game_id, player)
    for look in looks(games, reader.topic, patience):
        reader = reading.reader_of(games, game_id, player)
        page = reading.page_after(games, reader, counts, limit)
        if look.last or page.messages:
            break
    content = reading.show(games, reader, page)
    if look.waited:
        who()
    return content
