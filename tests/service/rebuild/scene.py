"""A few games in one shard that fill every index, and all the data on the log server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self
from unittest.mock import patch

import redis
from redis.client import Pipeline

from engine.cards import names_of
from service.clocks.settings import BOT, OPEN_SEAT, ClockSettings
from service.orders import changing
from service.play.absence import resign
from service.play.seating import Opening, join, leave, open_game
from service.play.showing import show_cards
from service.store.keys import of_shard

from ..correspondence.weeks import HOUR, SECOND, Weeks, per_move

SHARD = 17
KEEP = {"after_battle": "keep", "battle": None}


class Copy(NamedTuple):
    """A stored scene: the ids of its players and games, the time, and each key with its expiry and value."""

    ids: Mapping[str, str]
    now: int
    stored: list[tuple[bytes, int, bytes]]


class Scene:
    """Four players and their games, all in shard 17. A second passes between events in two games."""

    def __init__(self, weeks: Weeks) -> None:
        """Play the games."""
        self.weeks = weeks
        numbers = iter(range(100))
        with patch("service.play.seating.new_game_id", lambda private: f"{SHARD}{'0u'[private]}{next(numbers):015d}"):
            self._play()

    @classmethod
    def put_back(cls, weeks: Weeks, server: redis.Redis, copy: Copy) -> Self:
        """Return a previously played scene, stored in an otherwise empty store."""
        scene = cls.__new__(cls)
        vars(scene).update(copy.ids, weeks=weeks)
        weeks.time[0] = copy.now
        with server.pipeline(transaction=False) as pipe:
            for key, life, value in copy.stored:
                pipe.restore(key, max(0, life), value)
            pipe.execute()
        return scene

    def copy(self, server: redis.Redis) -> Copy:
        """Return a copy of everything that is stored."""
        ids = {name: value for name, value in vars(self).items() if isinstance(value, str)}
        stored = [(key, server.pttl(key), server.dump(key)) for key in server.scan_iter("*")]
        return Copy(ids, self.weeks.now, stored)

    def _play(self) -> None:
        weeks = self.weeks
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
        self.private = self._open(self.anna, seats=3, private=True)
        self.private_running = self._open(self.anna, self.bruno, private=True)
        self.private_over = self._open(self.anna, self.bruno, private=True)
        self._do(resign, self.private_over, self.anna)
        for game in (self.running, self.ticking):
            self._show(game)
        weeks.run(weeks.now + 3 * HOUR)
        self._do(resign, self.finished, self.anna)
        while weeks.game(self.against_bot).bot_to_act() is None:
            self._move(self.against_bot)
        asked = weeks.game(self.running).player_to_act()
        assert asked is not None
        changing.put(weeks.games, self.running, asked, KEEP, None)

    @property
    def games(self) -> list[str]:
        """The ids of all games."""
        return [value for value in vars(self).values() if isinstance(value, str) and value[0] != "p"]

    def _open(
        self, *players: str, seats: int = 2, bots: int = 0, clock: ClockSettings | None = None, private: bool = False
    ) -> str:
        edition = "zman-2018-duel" if seats == 2 else "zman-2018"
        seated = {seats - 1 - seat: "random" for seat in range(bots)}
        self._tick()
        opening = Opening(edition, {}, seats, seated, "auto", b"", None, clock, private=private, showing="allowed")
        game = open_game(self.weeks.games, players[0], opening).game
        for player in players[1:]:
            self._do(join, game.id, player, None, b"")
        return game.id

    def _move(self, game: str) -> None:
        self._tick()
        self.weeks.move(game)

    def _show(self, game: str) -> None:
        state = self.weeks.game(game).state
        assert state is not None
        self._do(show_cards, game, self.anna, [1], names_of(state.hands[0])[:1])

    def _do(self, use: Callable[..., object], game: str, player: str, *more: Any) -> None:
        self._tick()
        use(self.weeks.games, game, player, *more)

    def _tick(self) -> None:
        self.weeks.jump(self.weeks.now + SECOND)


READS: dict[bytes, Callable[[Pipeline, bytes], object]] = {
    b"string": lambda pipe, key: pipe.get(key),
    b"list": lambda pipe, key: pipe.lrange(key, 0, -1),
    b"hash": lambda pipe, key: pipe.hgetall(key),
    b"zset": lambda pipe, key: pipe.zrange(key, 0, -1, withscores=True),
    b"stream": lambda pipe, key: pipe.xrange(key),
}


def everything(server: redis.Redis) -> Mapping[bytes, Any]:
    """Return a server's data about games and players, by key; of sorted sets, return only the members."""
    keys = server.keys("condottiere:{s*")
    with server.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.type(key)
        types = pipe.execute()
        for key, kind in zip(keys, types, strict=True):
            READS[kind](pipe, key)
        values = pipe.execute()
    found = {
        key: dict(value) if kind == b"zset" else value for key, kind, value in zip(keys, types, values, strict=True)
    }
    due = of_shard(SHARD, "due").encode()
    if isinstance(found.get(due), dict):
        found[due] = set(found[due])
    return found
