"""Possessions: all messages and blocks of a player, for an export or a deletion."""

from __future__ import annotations

from typing import Any

from ..games.repository import Games

Json = dict[str, Any]

_EXPORTED = ("id", "at", "room", "seats", "seat", "text")


def written_by(games: Games, player: str) -> list[Json]:
    """Return all messages that a player has written, oldest first. Takes three round trips. Raises: StoreError."""
    found = [
        {"game": game, **{member: message[member] for member in _EXPORTED}}
        for game, messages in _messages_of(games, player).items()
        for message in messages
    ]
    return sorted(found, key=lambda message: (message["at"], message["id"]))


def remove_all(games: Games, player: str) -> None:
    """Remove the text of every message that a player has written, and remove the player's blocks.

    Takes one round trip for each game, and four more. Raises: StoreError.
    """
    for game, messages in _messages_of(games, player).items():
        games.store.talk.remove(game, [message for message in messages if message["text"] is not None])
    games.store.blocks.forget(player)


def _messages_of(games: Games, player: str) -> dict[str, list[Json]]:
    """Return the messages that a player has written, keyed by game."""
    ids = games.store.talk.of_player(player)
    found = games.store.talk.messages(ids)
    return {
        game: [message for one in some if (message := found.get(one)) is not None and message["by"] == player]
        for game, some in ids.items()
    }
