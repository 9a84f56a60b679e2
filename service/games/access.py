"""Access to private games, which is limited to the owner, the players at the table, invited players, and anybody with
the link.

Anybody without access gets the same response for a private game as for an id that does not exist. A game's id says
whether the game is private, so for public games the check needs no round trip.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode

from ..store.keys import is_private
from .repository import Games, unknown_game

__all__ = ["is_private", "link_secret", "may_see", "require_access"]

SECRET_BYTES = 16
"""The length of a link's secret. 128 bits cannot be guessed, so no limit on guesses is needed."""


def may_see(games: Games, game_id: str, player: str | None, link: str | None) -> bool:
    """Return whether a player, or a caller without a token, may know that a game exists.

    `link` is the secret that the caller sent, if any. For a private game, the check takes one round trip to the store.
    The first check of a link in a process takes an additional round trip, to read the service's secret. Raises:
    StoreError.
    """
    if not is_private(game_id):
        return True
    access = games.store.tables.access(game_id, player)
    if access.seated or access.invited_until > games.now():
        return True
    if access.link is None or link is None:
        return False
    return hmac.compare_digest(link_secret(games, game_id, access.link).encode(), link.encode())


def require_access(games: Games, game_id: str, player: str | None, link: str | None = None) -> None:
    """Check that a caller may know that a game exists.

    Takes as many round trips as `may_see`. Raises: Problem (unknown-game).
    """
    if not may_see(games, game_id, player, link):
        raise unknown_game(game_id)


def link_secret(games: Games, game_id: str, link: str) -> str:
    """Return the secret of a private game's link, given the stored `link`. Raises: StoreError."""
    data = f"link\n{game_id}\n{link}".encode()
    digest = hmac.digest(games.store.secret.read(), data, "sha256")
    return urlsafe_b64encode(digest[:SECRET_BYTES]).decode().rstrip("=")
