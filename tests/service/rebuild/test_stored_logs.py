"""Logs that releases have stored: they still show the same as then, and a game in one of them is played to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.games.game import StartedGame, rebuild
from service.games.table import FINISHED, RUNNING
from service.rebuild.findings import Finding
from service.store import formats
from service.store.commits import Commits
from service.store.keys import of_game, of_player

from ...logs.__main__ import main as write_logs
from ...logs.files import FOLDER, Stored, folder_of, read, show
from ...releases import RELEASES
from ..correspondence.weeks import Weeks

FILES = sorted(FOLDER.glob("*/*.log"))
EVERY_LOG = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")


def includes(now: Any, then: Any) -> bool:
    """Return whether everything that was shown is still shown; a release may add members."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(name in now and includes(now[name], then[name]) for name in then)
    if isinstance(then, list):
        return isinstance(now, list | tuple) and len(now) == len(then) and all(map(includes, now, then))
    return bool(now == then)


def test_the_formats_of_all_releases_are_here() -> None:
    """Each format has games that have ended and games that have not."""
    for number in {release.format for release in RELEASES}:
        stored = [read(file) for file in folder_of(number).glob("*.log")]
        statuses = {rebuild(Commits(one.id, one.rows), one.seed).status for one in stored}
        assert statuses > {RUNNING, FINISHED}


def test_the_logs_of_a_released_format_are_not_written_again() -> None:
    before = {file: file.stat().st_mtime_ns for file in FILES}
    with pytest.raises(SystemExit, match=f"format {formats.FORMAT} was released"):
        write_logs()
    assert {file: file.stat().st_mtime_ns for file in FILES} == before


@EVERY_LOG
def test_a_stored_log_shows_what_it_showed(file: Path) -> None:
    """The views of every player and of a spectator are compared."""
    stored = read(file)
    assert includes(show(rebuild(Commits(stored.id, stored.rows), stored.seed)), stored.shown)


def put_back(weeks: Weeks, stored: Stored) -> None:
    """Put a game and its players into an otherwise empty store."""
    server = weeks.games.store.log._server
    for player in rebuild(Commits(stored.id, stored.rows), stored.seed).table.players():
        server.ask("HSET", of_player(player), "name", player, "registered", weeks.now)
    server.ask("RPUSH", of_game(stored.id, "log"), *stored.rows)
    server.ask("SET", of_game(stored.id, "seed"), stored.seed)


@EVERY_LOG
def test_a_game_in_a_stored_log_is_played_to_its_end(
    weeks: Weeks, check: Callable[..., list[Finding]], mend: Callable[..., list[Finding]], file: Path
) -> None:
    """The game keeps its revision, its indexes are first derived from the log, and the stored bytes do not change."""
    stored = read(file)
    put_back(weeks, stored)
    mend(stored.id)
    assert check(stored.id) == []
    before = weeks.game(stored.id)
    while (game := weeks.game(stored.id)).status == RUNNING and game.seat_to_act is not None:
        if game.bot_to_act() is not None:
            weeks.bots_move(stored.id)
        else:
            weeks.move(stored.id, game.version)
    rows = weeks.games.store.log._server.ask("LRANGE", of_game(stored.id, "log"), 0, -1)
    assert rows[: len(stored.rows)] == stored.rows
    assert check(stored.id) == []
    if isinstance(before, StartedGame):
        assert isinstance(game, StartedGame)
        assert game.state.edition == before.state.edition
        assert game.status == FINISHED or game.seat_to_act is None
