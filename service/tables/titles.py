"""Titles: a game's title, which the game's owner and the host can change or remove."""

from __future__ import annotations

import re
import unicodedata

from ..games.repository import Games, load, unknown_game
from ..play.guards import require_owner

_EXCLUDED = r"\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
"""Control characters, and characters that are invisible or change the direction of text."""
MAX_LENGTH = 60
PATTERN = f"[^{_EXCLUDED} ]([^{_EXCLUDED}]{{0,{MAX_LENGTH - 2}}}[^{_EXCLUDED} ])?"
"""The regular expression that a whole title must match."""


def is_title(text: str) -> bool:
    """Return whether a string is a valid title.

    >>> is_title("Sunday evening"), is_title("Sunday "), is_title("a\\nb"), is_title("")
    (True, False, False, False)
    """
    return re.fullmatch(PATTERN, text) is not None


def normalised(title: str | None) -> str | None:
    """Return a title as it is stored (in the Unicode form NFC), or None if there is none.

    >>> normalised("Caffe\u0300"), normalised(None)
    ('Caffè', None)
    """
    return None if title is None else unicodedata.normalize("NFC", title)


def change(games: Games, game_id: str, player: str, title: str | None) -> None:
    """Change or remove a game's title, as the game's owner.

    Raises: Problem (unknown-game, not-the-owner), StoreError.
    """
    require_owner(load(games, game_id), player, "change its title")
    change_by_host(games, game_id, title)


def change_by_host(games: Games, game_id: str, title: str | None) -> None:
    """Change or remove a game's title, without checking the caller. Raises: Problem (unknown-game), StoreError."""
    if not games.store.tables.change_title(game_id, normalised(title)):
        raise unknown_game(game_id)
