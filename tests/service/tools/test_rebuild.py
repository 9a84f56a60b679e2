"""`condottiere rebuild`: its output, its exit status, and the progress bar on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
import redis
from click.testing import CliRunner, Result

from service.cli import main
from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.play.seating import Opening, open_game
from service.store import Store
from service.store.keys import of_game, of_shard, shard_of_game

from ..servers import Valkey
from .simulated import NO_WISHES

OPENING = Opening("zman-2018", {}, 3, {}, "auto", b"", None)


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """The log server, as used by a test that damages it."""
    with log_server.client() as client:
        yield client


@pytest.fixture
def games(log_server: Valkey) -> Iterator[list[str]]:
    """Two games that nobody has joined yet."""
    config = Config(redis_url=log_server.url, queue_url=log_server.url)
    store, hints = Store(config), Hints(config)
    player, _ = store.players.register("Anna")
    yield [open_game(Games(store, hints), player.id, OPENING).game.id for _ in range(2)]
    store.close()
    hints.close()


@pytest.fixture
def run(log_server: Valkey) -> Callable[..., Result]:
    """Run the command on the log server."""
    return lambda *args: CliRunner(env={"REDIS_URL": log_server.url}).invoke(main, ["rebuild", *args])


def summaries(game: str) -> str:
    """Return the key of the game summaries that lists show."""
    return of_shard(shard_of_game(game), "summaries")


def test_where_nothing_differs_there_is_one_line_and_the_exit_code_is_0(
    games: list[str], run: Callable[..., Result]
) -> None:
    for args, read in (((), "2 games"), (("--check",), "2 games"), (games[:1], "1 game")):
        result = run(*args)
        assert (result.exit_code, result.output) == (0, f"{read} read: all indexes match the logs\n")


def test_a_check_reports_and_a_rebuild_mends(games: list[str], run: Callable[..., Result], server: redis.Redis) -> None:
    server.hdel(summaries(games[0]), games[0])
    line = f"{summaries(games[0])} {games[0]}: is missing"
    checked = run("--check")
    assert (checked.exit_code, checked.output) == (1, f"{line}\n2 games read: 1 finding, nothing was written\n")
    mended = run()
    assert (mended.exit_code, mended.output) == (0, f"{line}; repaired\n2 games read: 1 finding, 1 repaired\n")
    assert run("--check").exit_code == 0


def test_a_log_that_cannot_be_read_is_named_and_the_exit_code_is_1(
    games: list[str], run: Callable[..., Result], server: redis.Redis
) -> None:
    server.rpush(of_game(games[0], "log"), "{")
    result = run()
    line = f"{of_game(games[0], 'log')}: cannot be read, so it was not changed"
    assert (result.exit_code, result.output) == (1, f"{line}\n1 game read: 1 finding, 0 repaired\n")


def test_what_is_no_game_is_said_in_one_line(games: list[str], run: Callable[..., Result]) -> None:
    result = run(games[0], "nonsense")
    assert (result.exit_code, result.output) == (2, "Error: 'nonsense' is not a valid game id\n")


def test_without_a_log_server_the_exit_code_is_2() -> None:
    result = CliRunner(env={"REDIS_URL": "unix:///nowhere"}).invoke(main, ["rebuild"])
    assert (result.exit_code, result.output) == (2, "Error: the log server is not responding\n")


def on_a_terminal(url: str, *args: str, **env: str) -> str:
    """Return what the command shows if both of its outputs are a terminal."""
    shown, terminal = pty.openpty()
    wishes = {name: value for name, value in os.environ.items() if name not in NO_WISHES}
    argv = [sys.executable, "-m", "service", "rebuild", *args]
    with subprocess.Popen(
        argv, env={**wishes, "TERM": "xterm", "REDIS_URL": url, **env}, stdout=terminal, stderr=terminal
    ):
        os.close(terminal)
        text = b""
        try:
            while part := os.read(shown, 65_536):
                text += part
        except OSError:  # All writers of the terminal have ended.
            pass
    os.close(shown)
    return text.decode()


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_on_a_terminal_a_bar_shows_how_far_it_is(
    games: list[str], log_server: Valkey, server: redis.Redis, no_colour: str
) -> None:
    """The bar is in colour, unless the environment disables colours. Findings are shown as well."""
    server.hdel(summaries(games[0]), games[0])
    shown = on_a_terminal(log_server.url, "--check", **({"NO_COLOR": no_colour} if no_colour else {}))
    assert "64/64 shards, 2 games read" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "is missing" in shown
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9]", shown)) is not bool(no_colour)
