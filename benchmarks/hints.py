"""Hints: how long a person waits for a bot while another player's bots play many games, and how fast those bots play.

* A log server that writes to disk before it responds, a queue server, one clock and one worker run with default
  settings.
* One player opens games of three bots, which play on their own until the end. Another player plays a game with two
  bots. The time from just before this player's move until a bot's first reply has been stored is measured twice: before
  the games between bots begin, and while they are running.
* Then, for the remaining games, workers that play one turn per job alternate with workers that play four. For each
  worker, the benchmark counts the commits made within a few seconds, and then times the replies to the other player's
  moves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import redis

from engine import DEFAULT, command_to_record, legal_commands
from service.config import Config
from service.games.repository import Games, load
from service.games.table import RUNNING
from service.hints.queue import Hints
from service.play.moves import Move, move
from service.play.seating import Opening, open_game
from service.processes.embedded import EmbeddedServer
from service.processes.jobs import TURNS
from service.store import Store, keys

from .processes import run_module
from .report import OnProgress, Row, Section
from .waiting import wait_until

GAMES = 300
ANSWERS, QUICK_ANSWERS = 200, 40
"""The number of bots' replies that are timed, idle and under load."""
WARM = 5
"""The number of replies that are not timed, because the first one waits for the worker to start."""
ROUNDS, QUICK_ROUNDS = 3, 1
"""The number of rounds for each kind of worker."""
SECONDS = 5.0
"""Seconds for which commits are counted in each round."""
SECONDS_TO_ANSWER = 60.0
"""The number of seconds without a response after which the measurement fails."""
BOT = "random"
GOAL = 2.0
"""The maximum ratio of the p50 under load to the p50 when idle."""


class Round(NamedTuple):
    """The results of a worker: commits per second, and the times of the bots' replies (ms)."""

    speed: float
    answers: list[float]


class Stage:
    """A service's servers, its games, and two players."""

    def __init__(self, folder: Path, log_url: str, queue_url: str, games: Games) -> None:
        """Register the players."""
        self._folder = folder
        self.settings = {"REDIS_URL": log_url, "QUEUE_URL": queue_url}
        self._games = games
        self._log = redis.Redis.from_url(log_url)
        self._owner, self._person = (games.store.players.register(name)[0].id for name in ("Owner", "Person"))
        self._bots: list[str] = []

    def close(self) -> None:
        """Close the connection to the log server."""
        self._log.close()

    @contextmanager
    def process(self, *argv: str) -> Iterator[None]:
        """Run one of the service's processes for the duration of a `with` block."""
        with run_module(argv, self._folder / "processes.log", self.settings):
            yield

    def open_games_of_bots(self, number: int, on_progress: OnProgress, bot: str = BOT, seats: int = 3) -> list[str]:
        """Open games that only bots play, and return their ids."""
        opened = []
        for index in range(number):
            opened.append(self._open(self._owner, dict.fromkeys(range(seats), bot), seats))
            on_progress(index / number)
        self._bots += opened
        return opened

    def answers(self, number: int, bot: str = BOT) -> list[float]:
        """Make moves, and return the time (ms) from each move to a bot's first reply."""
        found: list[float] = []
        while len(found) < number:
            found += self._answers_of_a_game(number - len(found), bot)
        return found

    def speed(self) -> float:
        """Return the number of commits per second in the games between bots."""
        began, before = time.perf_counter(), self._commits()
        time.sleep(SECONDS)
        return (self._commits() - before) / (time.perf_counter() - began)

    def check_that_bots_play(self, least: int) -> None:
        """Raises: RuntimeError if fewer games than `least` are running, because the worker may then have been idle."""
        running = sum(load(self._games, game).status == RUNNING for game in self._bots)
        if running < least:
            raise RuntimeError(f"only {running} games between bots are running")

    def await_end(self, game_id: str) -> None:
        """Wait until bots have played a game to its end."""
        while load(self._games, game_id).status == RUNNING:
            time.sleep(0.05)

    def await_commits(self) -> None:
        """Wait until a new worker has made its first commit."""
        before = self._commits()
        while self._commits() == before:
            time.sleep(0.05)

    def _open(self, owner: str, bots: Mapping[int, str], seats: int = 3) -> str:
        asked = Opening(DEFAULT, {}, seats, bots, "auto", b"", None)
        return open_game(self._games, owner, asked).game.id

    def _answers_of_a_game(self, most: int, bot: str) -> Iterator[float]:
        game_id = self._open(self._person, {1: bot, 2: bot})
        for _ in range(most):
            game = load(self._games, game_id)
            while game.bot_to_act():
                self._await(game_id, game.version)
                game = load(self._games, game_id)
            if game.status != RUNNING or game.state is None:
                return
            command = command_to_record(legal_commands(game.state)[0])
            began = time.perf_counter()
            after = move(
                self._games, game_id, self._person, Move(command, frozenset((game.version,)), f"key-{game.version}")
            ).game
            if after.bot_to_act():
                self._await(game_id, after.version)
                yield 1000 * (time.perf_counter() - began)

    def _await(self, game_id: str, version: int) -> None:
        log = self._games.store.log
        if not wait_until(self._games.store.waits, game_id, SECONDS_TO_ANSWER, lambda: log.length(game_id) > version):
            raise RuntimeError("no bot has made a move")

    def _commits(self) -> int:
        with self._log.pipeline(transaction=False) as pipe:
            for game in self._bots:
                pipe.llen(keys.of_game(game, "log"))
            return sum(pipe.execute())


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure replies, idle and under load, and then both kinds of worker alternately."""
    number, rounds = (QUICK_ANSWERS, QUICK_ROUNDS) if quick else (ANSWERS, ROUNDS)
    done = count(1)
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        stage = set_up(Path(name), stack)
        with stage.process("service", "worker"):
            stage.answers(WARM)
            idle = stage.answers(number)
            stage.open_games_of_bots(GAMES, lambda part: on_progress(part / 3))
            loaded = stage.answers(number)
        kinds: dict[int, list[Round]] = {1: [], TURNS: []}
        for part in range(rounds):
            # The order alternates, because logs grow longer.
            for turns in (1, TURNS) if part % 2 else (TURNS, 1):
                kinds[turns].append(_round(stage, turns, number // rounds))
                on_progress((1 + next(done) / rounds) / 3)
        stage.check_that_bots_play(GAMES // 4)
    return Section(
        title="Hints",
        how=(
            f"One worker, and {GAMES} games between bots that one player has opened. The time from another player's "
            f"move to a bot's first reply is measured {number} times before these games begin, and {number} times "
            f"while they are running. Then workers that play {TURNS} turns per job are compared with workers that "
            f"play 1, {rounds} times each: the commits in {SECONDS:g} s, and the replies."
        ),
        columns=("", "Measured", "Compared with", "Ratio"),
        rows=(
            *(_answers_row(f"bot's reply, p{percent}", percent, loaded, idle, "idle") for percent in (50, 95)),
            _speed_row(kinds),
            _answers_row(f"bot's reply with {TURNS} turns per job, p50", 50, *_all_answers(kinds), "with 1"),
        ),
    )


def set_up(folder: Path, stack: ExitStack) -> Stage:
    """Start a log server, a queue server and a clock, which run until the stack is closed, and return the stage."""
    log = stack.enter_context(EmbeddedServer(folder / "log"))
    queue = stack.enter_context(EmbeddedServer(folder / "queue", "everysec"))
    config = Config(redis_url=log.url, queue_url=queue.url)
    store, hints = stack.enter_context(closing(Store(config))), stack.enter_context(closing(Hints(config)))
    stage = stack.enter_context(closing(Stage(folder, log.url, queue.url, Games(store, hints))))
    stack.enter_context(stage.process("service", "clock"))
    return stage


def _round(stage: Stage, turns: int, answers: int) -> Round:
    with stage.process("benchmarks.worker", str(turns)):
        stage.await_commits()
        return Round(stage.speed(), stage.answers(answers))


def _all_answers(kinds: dict[int, list[Round]]) -> tuple[list[float], list[float]]:
    """Return the times of replies with several turns per job, and with one turn per job."""
    several, one = ([ms for part in kinds[turns] for ms in part.answers] for turns in (TURNS, 1))
    return several, one


def _answers_row(name: str, percent: int, ours: Sequence[float], theirs: Sequence[float], beside: str) -> Row:
    first, second = (quantiles(times, n=100)[percent - 1] for times in (ours, theirs))
    cells = (name, f"{first:.0f} ms", f"{second:.0f} ms {beside}", f"{first / second:.2f}")
    held = beside == "idle" and percent == 50
    return Row(cells, f"≤ {GOAL:g} times", first / second <= GOAL) if held else Row(cells)


def _speed_row(kinds: dict[int, list[Round]]) -> Row:
    several, one = (median(part.speed for part in kinds[turns]) for turns in (TURNS, 1))
    return Row(
        (f"commits per second, {TURNS} turns per job", f"{several:.0f}", f"{one:.0f} with 1", f"{several / one:.2f}"),
        "more than with 1",
        several > one,
    )
