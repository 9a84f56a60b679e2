"""Marking: a record of how far a player has read a game's messages. Nobody else can see this record."""

from __future__ import annotations

from collections.abc import Sequence

from ..games.repository import Games
from .reading import Reader
from .rooms import ROOMS


def mark(games: Games, reader: Reader, counts: Sequence[int]) -> None:
    """Record that a reader has read the messages up to these counts. Takes one round trip. Raises: StoreError.

    A mark never moves backwards. The function ignores rooms that the reader may not read.
    """
    readable = [count if room in reader.rights.reads else 0 for room, count in zip(ROOMS, counts, strict=True)]
    games.store.talk.mark(reader.game, reader.player, readable)
