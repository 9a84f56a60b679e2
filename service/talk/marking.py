"""Marking: how far a player has read the talk of a game, which nobody else can see."""

from __future__ import annotations

from collections.abc import Sequence

from ..games.repository import Games
from .reading import Reader
from .rooms import ROOMS


def mark(games: Games, reader: Reader, counts: Sequence[int]) -> None:
    """Record that a reader has read the messages up to these counts. One round trip. Raises: StoreError.

    An earlier mark further on stays. Rooms that the reader may not read are not marked.
    """
    readable = [count if room in reader.rights.reads else 0 for room, count in zip(ROOMS, counts, strict=True)]
    games.store.talk.mark(reader.game, reader.player, readable)
