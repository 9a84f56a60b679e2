"""A cache of games at given versions, so that a game is replayed only once for all webhooks that receive it.

A log only grows, so a game's state at a given version never changes, and this cache is never stale. An entry is needed
only briefly, while the service sends deliveries about one move to the players of all seats.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future

from ..games.game import Game
from ..games.repository import Games, load

MAX_REPLAYS = 64
"""How many games are cached: enough to share one replay among all deliveries of a move."""


class Replays:
    """A cache of the most recently replayed games. One thread replays a game while other threads wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._futures: dict[tuple[str, int], Future[Game]] = {}

    def at(self, games: Games, game_id: str, version: int) -> Game:
        """Return a game at a version. Callers must not modify the game. Raises: Problem, CorruptLog, StoreError."""
        key = game_id, version
        with self._lock:
            future = self._futures.get(key)
            is_first = future is None
            if future is None:
                future = self._futures[key] = Future()
                if len(self._futures) > MAX_REPLAYS:
                    del self._futures[next(iter(self._futures))]
        if is_first:
            self._replay(games, key, future)
        return future.result()

    def _replay(self, games: Games, key: tuple[str, int], future: Future[Game]) -> None:
        try:
            game = load(games, key[0])
            future.set_result(game if game.version == key[1] else game.at(key[1]))
        except BaseException as error:
            with self._lock:
                self._futures.pop(key, None)
            future.set_exception(error)
