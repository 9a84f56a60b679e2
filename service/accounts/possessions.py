"""Possessions: the games that a player owns or has had a seat in, for an export or a deletion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..games.repository import Games

PAGE = 100
Json = dict[str, Any]


class Place(NamedTuple):
    """A game that a player owns or has had a seat in: the game's list entry, and the player's seat, if any."""

    summary: Json
    seat: int | None


def places_of(games: Games, player: str) -> Iterator[Place]:
    """Yield a player's games, most recently changed first. Takes two round trips per `PAGE` games.

    A game that changes during the iteration may be yielded twice. Raises: StoreError.
    """
    cursor = None
    while True:
        summaries, cursor = games.store.lists.page("mine", player, cursor, PAGE)
        for summary in summaries:
            seats = [seat["seat"] for seat in summary["seated"] if seat["player"] == player]
            yield Place(summary, seats[0] if seats else None)
        if cursor is None:
            return
