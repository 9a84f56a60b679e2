"""`condottiere admin`: its tables, its JSON output and its exit codes, on a real store."""

from __future__ import annotations

import getpass
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from service.accounts.access import ADMIN, SCOPES
from service.admin import auditing, players, switching
from service.cli import main
from service.play.seating import Opening, open_game
from service.schemas import admin as schemas
from service.tools.admin import commands

from ..correspondence.weeks import Weeks
from ..servers import Valkey

Run = Callable[..., Result]


@pytest.fixture
def run(log_server: Valkey) -> Run:
    """Run one of the host's commands on the store, and check its exit code, which is 0 by default."""

    def run(*args: str, code: int = 0) -> Result:
        env = {"REDIS_URL": log_server.url, "QUEUE_URL": None, "REDIS_CLUSTER": None, "LOG_LEVEL": "error"}
        result = CliRunner(env=env).invoke(main, ["admin", *args])
        assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture
def game(weeks: Weeks) -> str:
    """A running game of Anna against a bot."""
    anna = weeks.player("Anna")
    opening = Opening("zman-2018-duel", {}, 2, {1: "random"}, "auto", b"", None)
    return open_game(weeks.games, anna, opening).game.id


def of_json(result: Result) -> Any:
    """Return a command's JSON output, parsed."""
    return json.loads(result.output)


def subcommands(group: click.Group, *path: str) -> list[tuple[str, ...]]:
    """Return the paths of all commands of a group."""
    found = []
    for name, command in group.commands.items():
        found += subcommands(command, *path, name) if isinstance(command, click.Group) else [(*path, name)]
    return found


@pytest.mark.parametrize("path", subcommands(commands.admin), ids=" ".join)
def test_every_command_is_explained(run: Run, path: tuple[str, ...]) -> None:
    """The options of each command are explained too."""
    run(*path, "-h")
    command: click.Command = commands.admin
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_players_are_found_shown_suspended_and_renamed(run: Run, game: str, weeks: Weeks) -> None:
    found = run("players", "find", "an").output
    assert re.search(r"p\w{12} +Anna +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +-", found)
    assert run("players", "find", "x").output == "none\n"
    assert f"game {game}" in run("players", "show", "Anna").output
    assert "insults" in run("players", "suspend", "Anna", "--reason", "insults").output
    assert of_json(run("players", "show", "anna", "--json"))["suspended"] == "insults"
    assert of_json(run("players", "reinstate", "Anna", "--reason", "talked", "--json"))["suspended"] is None
    assert of_json(run("players", "rename", "Anna", "Annie", "--reason", "wish", "--json"))["name"] == "Annie"
    assert players.require(weeks.games, "Anna").name == "Annie"
    assert [(line["act"], line["by"], line["via"]) for line in auditing.read(weeks.games, None, 9)[0]] == [
        (act, getpass.getuser(), "command-line") for act in ("rename", "reinstate", "suspend")
    ]


def test_games_are_found_shown_given_and_cancelled(run: Run, game: str, weeks: Weeks) -> None:
    assert game in run("games", "find").output
    assert of_json(run("games", "find", "--player", "Anna", "--json"))[0]["id"] == game
    shown = run("games", "show", game).output
    assert re.search(r"seat 0 +p\w{12} \(Anna\) *\n", shown)
    assert weeks.game(game).seed.hex() not in shown
    given = run("games", "give-seat", game, "0", "--bot", "random", "--reason", "wish").output
    assert re.search(r"seat 0 +p\w{12} \(Anna\), bot random *\n", given)
    assert "by host: a mistake" in run("games", "cancel", game, "--reason", "a mistake").output
    refused = run("games", "cancel", game, "--reason", "again", code=1)
    assert refused.output == "Error: the host cancelled the game (a mistake): open or join another game\n"
    assert run("games", "find").output == "none\n"


def test_the_service_is_switched(run: Run, weeks: Weeks) -> None:
    assert re.search(r"registration +setting *\nread-only +off", run("registration").output)
    assert re.search(r"registration +closed", run("registration", "closed", "--reason", "flood").output)
    assert switching.registration_override(weeks.games) == "closed"
    assert "reason: upgrade" in run("read-only", "on", "--reason", "upgrade").output
    assert "reason: upgrade" in run("read-only").output
    assert of_json(run("read-only", "off", "--json"))["read_only"] is None
    assert of_json(run("registration", "setting", "--json")) == {"registration": "setting", "read_only": None}


def test_what_would_write_is_refused_while_the_service_is_read_only(run: Run, game: str) -> None:
    run("read-only", "on")
    refused = run("games", "cancel", game, "--reason", "a mistake", code=1)
    assert refused.output == "Error: the service is read-only: run `condottiere admin read-only off` first\n"
    run("read-only", "off")
    run("games", "cancel", game, "--reason", "a mistake")


def test_announcements_are_made_listed_and_withdrawn(run: Run) -> None:
    made = of_json(run("announce", "An upgrade [tonight]", "--until", "2099-01-01", "--json"))[0]
    assert made["until"] == 4_070_908_800_000
    assert re.search(r"2099-01-01 00:00:00Z +An upgrade \[tonight\]", run("announcements").output)
    run("withdraw", made["id"])
    assert run("announcements").output == "none\n"
    assert run("withdraw", made["id"], code=1).output.startswith("Error: there is no announcement")


def test_the_audit_log_is_shown_and_shortened(run: Run) -> None:
    for number in range(3):
        run("registration", "closed", "--reason", f"number {number}")
    shown = run("audit", "--limit", "2").output
    assert "number 2" in shown
    assert "number 0" not in shown
    assert [line["reason"] for line in of_json(run("audit", "--json"))] == ["number 2", "number 1", "number 0"]
    assert run("forget-audit", "--before", "2000-01-01").output == "removed 0 entries\n"
    assert run("forget-audit", "--before", "2099-01-01").output == "removed 5 entries\n"


def test_only_the_command_line_makes_tokens_of_the_host(run: Run, weeks: Weeks) -> None:
    weeks.player("Anna")
    text = run("token", "create", "Anna", "laptop").output.strip()
    player = weeks.games.store.players.authenticate(text)
    assert player is not None
    assert player.token is not None
    assert (player.name, player.token.name, player.token.scopes) == ("Anna", "laptop", ("admin",))
    made = of_json(
        run("token", "create", "Anna", "bot", "--scope", "play", "--scope", "read", "--expires", "2099-01-01", "--json")
    )
    assert (made["scopes"], made["expires_at"]) == (["read", "play"], 4_070_908_800_000)
    listed = run("token", "list", "Anna").output
    assert text.partition(".")[2] not in listed
    assert re.search(rf"{player.token.id} +laptop +admin", listed)
    run("token", "revoke", "Anna", player.token.id)
    assert weeks.games.store.players.authenticate(text) is None
    assert run("token", "revoke", "Anna", player.token.id, code=1).output.startswith("Error: Anna has no token")
    assert run("token", "create", "Anna", "old", "--expires", "2000-01-01", code=1).output.startswith("Error: expires")
    assert text.partition(".")[2] not in run("audit").output


def test_a_refusal_is_told_in_one_line(run: Run, weeks: Weeks) -> None:
    assert run("players", "show", "Nobody", code=1).output == (
        "Error: there is no player Nobody: check the id or name\n"
    )
    assert "at most 20 ASCII letters" in run("players", "find", "a*", code=2).output
    weeks.player("Anna")
    assert "2 to 20 ASCII letters" in run("players", "rename", "Anna", "x", "--reason", "wish", code=2).output
    assert "without control characters" in run("players", "suspend", "Anna", "--reason", "\x1b[31m", code=2).output


def test_without_a_store_the_command_says_what_to_start(tmp_path: Path) -> None:
    env = {"REDIS_URL": None, "QUEUE_URL": None, "REDIS_CLUSTER": None, "CONDOTTIERE_DATA": str(tmp_path)}
    result = CliRunner(env=env).invoke(main, ["admin", "audit"])
    assert (result.exit_code, result.output) == (
        2,
        f"Error: no service is running with the data folder {tmp_path}: start `condottiere serve`, or set "
        "CONDOTTIERE_DATA or REDIS_URL to where the service stores its data\n",
    )


def test_a_store_that_does_not_answer_is_told(tmp_path: Path) -> None:
    env = {"REDIS_URL": f"unix://{tmp_path}/nothing", "QUEUE_URL": None, "LOG_LEVEL": "error"}
    result = CliRunner(env=env).invoke(main, ["admin", "audit"])
    assert (result.exit_code, result.output) == (2, "Error: the log server is not responding\n")


def test_commands_offer_what_the_use_cases_know() -> None:
    """The command line lists the choices itself, so that commands start without importing the service."""
    assert (*switching.MODES, switching.SETTING) == commands.MODES
    assert set(commands.STATUSES) == {*schemas.STATUSES, "substitute"}
    assert (*SCOPES, ADMIN) == commands.SCOPES


def test_an_open_game_with_a_free_seat_is_shown(run: Run, weeks: Weeks) -> None:
    opening = Opening("zman-2018", {}, 3, {}, "auto", b"", None)
    game = open_game(weeks.games, weeks.player("Anna"), opening).game
    assert re.search(r"seat 2 +free", run("games", "show", game.id).output)
