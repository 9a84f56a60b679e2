"""`condottiere watch`: it prints a game until the game is over, or says what to do if it cannot."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from service.cli import main

from ..commands import Command
from ..gateway.doors import Door, opened
from ..servers import Valkey, free_port
from ..whole.product import Json, Person

DUEL = {"edition": "zman-2018-duel", "options": {"battle_limit": 1}, "seats": 2}
"""A game that two passes end."""


@pytest.fixture(scope="module")
def door(valkey: Valkey, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A web process shared by all tests of this file."""
    valkey.flush()
    with opened(valkey, tmp_path_factory.mktemp("web") / "output") as door:
        yield door
    valkey.flush()


@contextmanager
def people(door: Door) -> Iterator[tuple[Person, Person]]:
    """Two new players."""
    with (
        Person(door.url, f"Anna-{secrets.token_hex(4)}") as anna,
        Person(door.url, f"Bruno-{secrets.token_hex(4)}") as bruno,
    ):
        yield anna, bruno


def watch(*words: str, token: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner(env={"CONDOTTIERE_TOKEN": token, "COLUMNS": "100"}).invoke(main, ["watch", *words])


def passes(person: Person, game: str) -> None:
    """Let a player pass."""
    view: Json = person.get(f"/games/{game}")
    assert person.move(view, {"type": "pass"}, secrets.token_hex(4)).status_code == 201


def name(person: Person) -> str:
    """Return a player's name."""
    return str(person.get("/me")["name"])


def test_a_game_is_followed_from_its_opening_to_its_end(door: Door) -> None:
    """Each line is printed when its event happens. Lines are plain text unless the output is a terminal."""
    with people(door) as (anna, bruno):
        game = anna.open_game(0, **DUEL)["id"]
        with Command(["-m", "service", "watch", door.url, game]) as command:
            command.line(f"^Game {game} of zman-2018-duel, open. You are a spectator.$")
            command.line(f"^{name(anna)} takes seat 0$")
            bruno.post(f"/games/{game}/join", {"seat": 1})
            command.line(f"^{name(bruno)} takes seat 1$")
            command.line(f"^  {name(bruno)} draws 8 cards$")
            command.line("^Battle 1$")
            first, second = (anna, bruno) if anna.get(f"/games/{game}")["moves"] else (bruno, anna)
            passes(first, game)
            command.line(f"^  {name(first)} passes$")
            passes(second, game)
            command.line(f"^  {name(second)} passes$")
            command.line("^The end$")
            command.line(r"^Winner: nobody; the game is a draw \(battle limit\)$")
            status, rest = command.wait()
    assert status == 0
    assert "\x1b" not in rest


def test_a_game_that_is_over_is_printed_at_once(door: Door) -> None:
    """The game can also be given by its URL, or by the URL of its events."""
    with people(door) as (anna, bruno):
        game = anna.open_game(0, **DUEL)["id"]
        bruno.post(f"/games/{game}/join", {})
        anna.post(f"/games/{game}/resign")
        shown = watch(door.url, game)
        assert shown.exit_code == 0
        assert f"\n  {name(anna)} resigns\n" in shown.output
        assert f"\nWinner: {name(bruno)} (resignation)\n" in shown.output
    for url in (f"{door.url}/v1/games/{game}", f"{door.url}/v1/games/{game}/events?after=3"):
        assert watch(url).output == shown.output
    assert watch(f"{door.url}/v1", game).output == shown.output


def test_a_cancelled_game_ends_too(door: Door) -> None:
    with people(door) as (anna, _):
        game = anna.open_game(0, **DUEL)["id"]
        anna.post(f"/games/{game}/leave")
        shown = watch(door.url, game)
        assert shown.exit_code == 0
        assert shown.output.endswith(f"\nThe game was cancelled by {name(anna)}\n")
        hidden = anna.open_game(0, **DUEL, names="hidden")["id"]
        anna.post(f"/games/{hidden}/leave")
        assert watch(door.url, hidden).output.endswith("\nThe game was cancelled by its owner\n")


def test_a_token_is_read_from_the_environment_or_a_file(door: Door, tmp_path: Path) -> None:
    with people(door) as (anna, bruno):
        game = anna.open_game(0, **DUEL)["id"]
        bruno.post(f"/games/{game}/join", {})
        bruno.post(f"/games/{game}/resign")
        file = tmp_path / "token"
        file.write_text(f"{bruno.token}\n")
        assert "You see what seat 0 sees." in watch(door.url, game, token=anna.token).output
        assert "You see what seat 1 sees." in watch(door.url, game, "--token-file", str(file), token=anna.token).output


def test_what_cannot_be_followed_is_said_in_one_line(door: Door) -> None:
    """The line also says what to do about it."""
    with people(door) as (anna, _):
        game = anna.open_game(0, **DUEL)["id"]
    unknown = watch(door.url, game[:-1] + ("0" if game[-1] != "0" else "1"))
    assert unknown.exit_code == 1
    assert re.fullmatch(
        rf"Error: GET /games/\w+: unknown-game: there is no game \w+: check the id: {door.url}/v1/games\S+ lists .*\n",
        unknown.output,
    )
    refused = watch(door.url, game, token="p17wrong")
    assert refused.exit_code == 1
    assert re.fullmatch(
        r"Error: GET /games/\w+: token-unknown: .*: check the token in CONDOTTIERE_TOKEN .*\n", refused.output
    )
    assert "p17wrong" not in refused.output
    away = watch(f"http://127.0.0.1:{free_port()}", game)
    assert away.exit_code == 1
    assert re.fullmatch(r"Error: no server responds at http://127\S+: check the URL, or start .*\n", away.output)
    other = watch(f"{door.url}/docs", game)
    assert other.exit_code == 1
    assert "Traceback" not in other.output


class Impostor(BaseHTTPRequestHandler):
    """A server of something else: it responds to every request with a JSON object or an HTML page without a game."""

    def do_GET(self) -> None:
        """Send the response."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>\x1b[2J</html>" if self.path.endswith("html") else b'{"hello": "\\u001b[2J"}')

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.mark.parametrize("game", ["json", "html"])
def test_another_server_is_said_to_be_one(game: str) -> None:
    """The message is the same for all of its responses."""
    server = HTTPServer(("127.0.0.1", 0), Impostor)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        other = watch(url, game)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert other.exit_code == 1
    assert re.fullmatch(f"Error: {url} does not respond like a Condottiere server: .*check the URL\n", other.output)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["127.0.0.1:8000", "17abc"], "URL must be the address of a service"),
        (["ftp://example.org/", "17abc"], "URL must be the address of a service"),
        (["http://anna:secret@example.org/", "17abc"], "URL must be the address of a service"),
        (["http://127.0.0.1:8000"], "name the game: condottiere watch URL GAME"),
        (["http://127.0.0.1:8000", "../players"], "GAME must be a game id"),
        (["http://127.0.0.1:8000", "17abc", "--token-file", "/nowhere/token"], "Invalid value for '--token-file'"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_asked(words: list[str], said: str) -> None:
    refused = watch(*words)
    assert refused.exit_code == 2
    assert said in refused.output
    assert "secret" not in refused.output


def test_a_token_that_cannot_be_one_is_not_repeated() -> None:
    """A token with a line break would become two headers."""
    refused = watch("http://127.0.0.1:8000", "17abc", token="p17 secret\nCookie: x")
    assert (refused.exit_code, "secret" in refused.output) == (2, False)


@pytest.mark.parametrize(("settings", "coloured"), [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(door: Door, settings: dict[str, str], coloured: bool) -> None:
    """The words are the same with and without colours."""
    with people(door) as (anna, bruno):
        game = anna.open_game(0, **DUEL)["id"]
        bruno.post(f"/games/{game}/join", {})
        anna.post(f"/games/{game}/resign")
    env = {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "COLUMNS": "100", **settings}
    argv = [sys.executable, "-m", "service", "watch", door.url, game]
    shown = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert ("\x1b[96m" in shown.stdout) == coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", shown.stdout).split() == watch(door.url, game).output.split()
