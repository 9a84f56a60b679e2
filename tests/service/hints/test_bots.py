"""A game of bots only and one of standing orders: a worker plays them, even if workers are killed."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from engine import command_to_record, legal_commands
from engine.phase_names import BATTLE, CHOOSE_REGION
from service.config import Config
from service.games.game import Game, key_of_orders
from service.games.repository import Games, load
from service.games.table import FINISHED
from service.hints.fair import KEYS, LINES
from service.hints.queue import QUEUE, Hints, connect
from service.orders.changing import get, put
from service.play.moves import Move, move
from service.play.seating import Opening, join, open_game
from service.processes.clock import watch
from service.store import Store
from service.views.events import wait_for_commits
from service.views.waiting import Patience

from ..servers import Valkey, until
from .conftest import Start

KILLS = 12
LONG_GAME = bytes([12]) * 32
"""The seed of a four-seat game with 232 commits, which is more than the kills in these tests need."""
LONG = 60
"""Seconds; no single move takes this long, even if its worker is killed."""


@pytest.fixture
def settings(log_server: Valkey) -> Iterator[Config]:
    """Log and queue on two servers, as in production."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        queue = Valkey(Path(folder))
        yield Config(redis_url=log_server.url, queue_url=queue.url)
        queue.stop()


@pytest.fixture
def games(settings: Config) -> Iterator[Games]:
    """The use cases on these servers, with a running clock."""
    games = Games(Store(settings), Hints(settings))
    stop = threading.Event()
    clock = threading.Thread(target=watch, args=(games.store, games.hints, stop))
    clock.start()
    yield games
    stop.set()
    clock.join(timeout=LONG)
    games.store.close()
    games.hints.close()


def opened(games: Games, *bots: str, seed: bytes | None = None) -> Game:
    """Open a game in which only these bots play."""
    player, _ = games.store.players.register("Anna")
    asked = Opening("zman-2018", {}, len(bots), dict(enumerate(bots)), "auto", b"", seed)
    return open_game(games, player.id, asked).game


def moved(games: Games, game: Game) -> Game:
    """Return the game after the next move; a finished game does not change."""
    if game.status == FINISHED:
        return game
    later = wait_for_commits(games, game.id, game.version, Patience(LONG))
    assert later.version > game.version, "nobody moves"
    return later


def check_that_every_turn_had_one_move(game: Game) -> None:
    """Check that each bot's commit was made for the version before it, and that the game ends."""
    assert game.status == FINISHED
    assert [commit["key"] for commit in game.commits[1:]] == [f"bot-{seq}" for seq in range(1, game.version)]


def test_bots_play_to_the_end_by_themselves(start: Start, games: Games, settings: Config) -> None:
    start("worker", settings.redis_url, settings.queue_url)
    game = opened(games, "random", "steady", "random")
    while game.status != FINISHED:
        game = moved(games, game)
    check_that_every_turn_had_one_move(game)
    assert games.store.due.overdue(0) == []


def lose(queue: redis.Redis, what: str) -> None:
    """Lose a part of the queue: hints, their places, jobs, the jobs' data, or everything; or damage it."""
    if what == "everything":
        queue.flushall()
    elif what == "types":
        for key in KEYS:
            queue.delete(key)
            queue.set(key, "wrong")
    else:
        lines = {"hints": LINES, "places": set(KEYS) - set(LINES), "jobs": [f"rq:queue:{QUEUE}"]}
        queue.delete(*(lines[what] if what in lines else queue.keys("rq:job:*")))


@pytest.mark.parametrize("what", ["hints", "places", "jobs", "calls", "everything", "types"])
def test_whatever_of_the_queue_is_lost_bots_play_on(start: Start, games: Games, settings: Config, what: str) -> None:
    game = opened(games, "random", "steady", "random")
    with connect(settings.queue_url, LONG) as queue:
        lose(queue, what)
    start("worker", settings.redis_url, settings.queue_url)
    assert moved(games, game).version > game.version


@pytest.mark.slow
def test_a_worker_that_is_killed_again_and_again_loses_and_repeats_nothing(
    start: Start, games: Games, settings: Config
) -> None:
    chance = random.Random(1618)
    worker = start("worker", settings.redis_url, settings.queue_url)
    game = opened(games, *["random"] * 4, seed=LONG_GAME)
    for _ in range(KILLS):
        for _ in range(chance.randrange(1, 4)):
            game = moved(games, game)
        threading.Event().wait(chance.random() / 100)
        worker.kill()
        worker.wait()
        worker = start("worker", settings.redis_url, settings.queue_url)
    assert game.status != FINISHED
    while game.status != FINISHED:
        game = moved(games, game)
    check_that_every_turn_had_one_move(game)


def test_a_worker_that_is_killed_again_and_again_follows_each_order_once(
    start: Start, games: Games, settings: Config
) -> None:
    chance = random.Random(1618)
    worker = start("worker", settings.redis_url, settings.queue_url)
    players = [games.store.players.register(name)[0].id for name in ("Anna", "Bruno")]
    asked = Opening("zman-2018", {"two_on_the_board": True}, 2, {}, "auto", b"", None)
    game_id = open_game(games, players[0], asked).game.id
    join(games, game_id, players[1], None, b"")
    kills = by_hand = 0
    while kills < KILLS // 3:
        game = load(games, game_id)
        player = game.player_to_act()
        assert game.state is not None
        assert player is not None
        if game.state.phase == CHOOSE_REGION:
            first = command_to_record(legal_commands(game.state)[0])
            move(games, game_id, player, Move(first, frozenset((game.version,)), f"key {game.version}"))
            by_hand += 1
            continue
        battle = {"type": "pass"} if game.state.phase == BATTLE else None
        put(games, game_id, player, {"after_battle": "keep", "battle": battle}, None)
        threading.Event().wait(chance.random() / 50)
        worker.kill()
        worker.wait()
        kills += 1
        worker = start("worker", settings.redis_url, settings.queue_url)
        moved(games, game)
        until(lambda: not games.store.due.overdue(0))
    last = load(games, game_id)
    made = [entry["version"] for player in players for entry in get(games, game_id, player).history if "move" in entry]
    assert sorted(made) == [c["seq"] for c in last.commits if c["key"] == key_of_orders(last.seed, c["seq"] - 1)]
    assert len(made) == last.version - 2 - by_hand
