"""Games as they were at some version, replayed once for all who are told of it.

A log is only ever added to, so a game at a version never changes: what is remembered here is never stale. It is
remembered for as long as a move is being told to all seats, which is moments.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future

from ..games.game import Game
from ..games.repository import Games, load

MOST = 64
"""How many are remembered: enough that those who are told of one move at the same time share it."""


class Replays:
    """The last games that were replayed, each by one thread while the others wait for it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._made: dict[tuple[str, int], Future[Game]] = {}

    def at(self, games: Games, game_id: str, version: int) -> Game:
        """Return a game as it was at a version; it may be looked at only. Raises: Problem, CorruptLog, StoreError."""
        key = game_id, version
        with self._lock:
            made = self._made.get(key)
            mine = made is None
            if made is None:
                made = self._made[key] = Future()
                if len(self._made) > MOST:
                    del self._made[next(iter(self._made))]
        if mine:
            self._make(games, key, made)
        return made.result()

    def _make(self, games: Games, key: tuple[str, int], made: Future[Game]) -> None:
        try:
            game = load(games, key[0])
            made.set_result(game if game.version == key[1] else game.at(key[1]))
        except BaseException as error:
            with self._lock:
                self._made.pop(key, None)
            made.set_exception(error)
