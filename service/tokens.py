"""Tokens: replacing one, and what else may act for the player whose token it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import players
from .games import Games
from .webhooks import subscriptions
from .webhooks.subscriptions import Webhook


class Replaced(NamedTuple):
    """A new token, and the player's webhooks: those that are active, or all of them where they were `paused`."""

    token: str
    webhooks: Sequence[Webhook]
    paused: bool


def replace(games: Games, player: players.Player, *, pause: bool) -> Replaced:
    """Replace a player's token; with `pause`, also stop every webhook and replace its secrets."""
    if pause:
        subscriptions.pause_all(games, player.id)
    token = players.new_token(games, player)
    # A request that came with the old token may have added a webhook meanwhile.
    left = subscriptions.pause_all(games, player.id) if pause else subscriptions.active(games, player.id)
    return Replaced(token, left, pause)
