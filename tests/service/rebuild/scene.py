"""A few games in one shard, so that something stands in every index, and all that the log server holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import redis

from service.clocks.settings import BOT, OPEN_SEAT, ClockSettings
from service.orders import changing
from service.play.absence import resign
from service.play.seating import Opening, join, leave, open_game
from service.store.keys import of_shard

from ..correspondence.weeks import HOUR, SECOND, Weeks, per_move

SHARD = 17
KEEP = {"after_battle": "keep", "battle": None}


class Scene:
    """Four players and their games, all in shard 17. A second passes between what happens in two games."""

    def __init__(self, weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
        """Play them."""
        numbers = iter(range(100))
        monkeypatch.setattr("service.play.seating.new_game_id", lambda: f"{SHARD}{next(numbers):016d}")
        self.weeks = weeks
        self.anna, self.bruno, self.carla, self.dora = map(weeks.player, ("Anna", "Bruno", "Carla", "Dora"))
        self.open = self._open(self.anna, self.bruno, seats=3)
        self.cancelled = self._open(self.bruno, seats=3)
        self.running = self._open(self.anna, self.bruno)
        self.timed = self._open(self.bruno, self.anna, clock=per_move(3600, at_timeout=BOT))
        self.vacant = self._open(self.carla, self.dora, clock=per_move(3600, at_timeout=OPEN_SEAT))
        self.ticking = self._open(self.anna, self.carla, clock=per_move())
        self.finished = self._open(self.carla, self.anna)
        self.against_bot = self._open(self.dora, bots=1)
        self._do(leave, self.open, self.bruno)
        self._do(leave, self.cancelled, self.bruno)
        for _ in range(3):
            for game in (self.running, self.timed, self.finished, self.ticking):
                self._move(game)
        weeks.run(weeks.now + 3 * HOUR)
        self._do(resign, self.finished, self.anna)
        while weeks.game(self.against_bot).bot_to_act() is None:
            self._move(self.against_bot)
        asked = weeks.game(self.running).player_to_act()
        assert asked is not None
        changing.put(weeks.games, self.running, asked, KEEP, None)

    @property
    def games(self) -> list[str]:
        """All of them."""
        return [value for value in vars(self).values() if isinstance(value, str) and value[0] != "p"]

    def play_on(self) -> None:
        """Have the game that two persons play without a clock go on by a move."""
        self._move(self.running)

    def _open(self, *players: str, seats: int = 2, bots: int = 0, clock: ClockSettings | None = None) -> str:
        edition = "zman-2018-duel" if seats == 2 else "zman-2018"
        seated = {seats - 1 - seat: "random" for seat in range(bots)}
        self._tick()
        game = open_game(
            self.weeks.games, players[0], Opening(edition, {}, seats, seated, "auto", b"", None, clock)
        ).game
        for player in players[1:]:
            self._do(join, game.id, player, None, b"")
        return game.id

    def _move(self, game: str) -> None:
        self._tick()
        self.weeks.move(game)

    def _do(self, use: Callable[..., object], game: str, player: str, *more: Any) -> None:
        self._tick()
        use(self.weeks.games, game, player, *more)

    def _tick(self) -> None:
        self.weeks.jump(self.weeks.now + SECOND)


def everything(server: redis.Redis) -> Mapping[bytes, Any]:
    """Return all that a server holds of games and players, by key; of the index of what is due only what is in it."""
    found: dict[bytes, Any] = {key: _value(server, key) for key in server.keys("condottiere:{s*")}
    due = of_shard(SHARD, "due").encode()
    if isinstance(found.get(due), dict):
        found[due] = set(found[due])
    return found


def _value(server: redis.Redis, key: bytes) -> Any:
    match server.type(key):
        case b"string":
            return server.get(key)
        case b"list":
            return server.lrange(key, 0, -1)
        case b"hash":
            return server.hgetall(key)
        case b"zset":
            return dict(server.zrange(key, 0, -1, withscores=True))
        case b"stream":
            return server.xrange(key)
    raise AssertionError(key)
