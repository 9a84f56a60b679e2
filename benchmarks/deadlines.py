"""Deadlines: how late the service records a timeout, with thousands of running clocks.

* One embedded server, which writes to disk before it responds, and one clock process run with default settings.
* All games are stored as the service would have stored them. Most deadlines are days ahead. In some games, the time
  runs out at regular intervals; after that, the time of other games runs out at the same moment.
* The lateness of a timeout is the time from its deadline to its commit, as recorded in the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from service.clocks.events import SeatReminded
from service.clocks.game_clock import REMINDERS
from service.clocks.settings import PASS, PER_MOVE, ClockSettings
from service.clocks.settings import to_record as settings_to_record
from service.config import Config
from service.games.changes import Change
from service.games.commits import commits_of
from service.games.events import TableOpened
from service.games.game import unopened_game
from service.games.repository import Games, append
from service.hints.queue import Hints
from service.processes.embedded import EmbeddedServer
from service.store import Store
from service.store.commits import Commits
from service.store.keys import new_game_id
from service.timekeeping.changes import make_change

from .processes import run_module
from .recording import SEATS, Recording, recordings
from .report import OnProgress, Row, Section
from .waiting import wait_until

GAMES, QUICK_GAMES = 10_000, 1_000
APART, TOGETHER = 400, 200
"""The number of games whose time runs out at intervals, and of games whose time runs out at the same moment."""
A_SECOND = 20
"""The number of games in the first group whose time runs out per second."""
LEAD = 6.0
"""Seconds from the start of the clock process to the first deadline."""
GIVE_UP = 60.0
"""Seconds to wait for a timeout after its deadline."""
DAYS = 3 * 86_400_000
GOAL = 5_000
"""In milliseconds."""
CLOCK = ClockSettings(PER_MOVE, 86_400, 0, 0, (), False, False, PASS, 1, "steady")


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Store the games, start the clock, and read when each timeout was recorded."""
    number = QUICK_GAMES if quick else GAMES
    apart = APART // 4 if quick else APART
    with TemporaryDirectory(prefix="condottiere-") as name:
        folder = Path(name)
        with EmbeddedServer(folder / "log") as server:
            config = Config(redis_url=server.url, queue_url=server.url)
            with closing(Store(config)) as store, closing(Hints(config)) as hints:
                games = Games(store, hints)
                players = [store.players.register(f"Player-{seat}")[0].id for seat in range(SEATS)]
                (recording,) = recordings(1, players)
                for stored in range(number - apart - TOGETHER):
                    _store(games, recording, games.now() + DAYS)
                    on_progress(stored / number)
                begins = games.now() + round(1000 * LEAD) + (apart + TOGETHER) * 10
                spread = [begins + 1000 * index // A_SECOND for index in range(apart)]
                at_once = [spread[-1] + 2_000] * TOGETHER
                due = {_store(games, recording, deadline): deadline for deadline in (*spread, *at_once)}
                with run_module(["service", "clock"], folder / "clock.log", {"REDIS_URL": server.url}):
                    _await(games, due)
                late = [_late(games, game, deadline) for game, deadline in due.items()]
    return Section(
        title="Deadlines",
        how=(
            f"One clock process, and {number:,} games with running clocks. The time of {apart} games runs out at "
            f"intervals, {A_SECOND} per second; then the time of {TOGETHER} games runs out at the same moment. The "
            "figures are the delays from the deadline to the commit that records the timeout."
        ),
        columns=("", "p50", "p95", "Maximum"),
        rows=(_row("at intervals", late[:apart]), _row("at the same moment", late[apart:])),
    )


def _store(games: Games, recording: Recording, deadline: int) -> str:
    """Store a game whose first turn ends at `deadline`, with its reminders already recorded, and return its id."""
    at = deadline - 1000 * CLOCK.seconds
    (opening,) = commits_of(Commits.of("", recording.commits[:1]))
    opened, *others = opening.events
    assert isinstance(opened, TableOpened)
    opened = opened._replace(clock=settings_to_record(CLOCK))
    table = unopened_game(new_game_id(), recording.seed, opened)
    then = replace(games, now=lambda: at)
    change = make_change(then, table, opening.by, [opened, *others], opening.key, opening.fingerprint)
    events = [*change.commit.events, SeatReminded(change.game.seat_to_act or 0, REMINDERS[-1])]
    if append(games, Change(table.after(at, events, opening.by), change.commit._replace(events=events))) is None:
        raise RuntimeError("the id of a new game already exists")
    return table.id


def _await(games: Games, due: dict[str, int]) -> None:
    """Wait until every due game has a new commit."""
    for game, deadline in due.items():
        seconds = (deadline - games.now()) / 1000 + GIVE_UP
        if not wait_until(games.store.waits, game, seconds, partial(_has_new_commit, games, game)):
            raise RuntimeError(f"the timeout of game {game} was not recorded")


def _has_new_commit(games: Games, game_id: str) -> bool:
    return games.store.log.length(game_id) > 1


def _late(games: Games, game_id: str, deadline: int) -> int:
    loaded = games.store.log.load(game_id)
    assert loaded is not None
    written: int = loaded.commits[1]["at"]
    if written < deadline or loaded.commits[1]["events"][0]["type"] != "seat-timed-out":
        raise RuntimeError(f"game {game_id} was not timed out at its deadline")
    return written - deadline


def _row(name: str, late: Sequence[int]) -> Row:
    middle, most = (quantiles(late, n=100)[percent - 1] for percent in (50, 95))
    cells = (name, f"{middle:,.0f} ms", f"{most:,.0f} ms", f"{max(late):,} ms")
    return Row(cells, f"p95 ≤ {GOAL // 1000} s", most <= GOAL)
