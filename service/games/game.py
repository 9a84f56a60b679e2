"""One game as its log says: the table, the position, and with a `Game` the log itself."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import EngineError, SeededChance, State, UnknownEdition, commitment, evolve
from engine import Event as GameEvent
from engine import replay as replay_events
from engine.phases import PHASES

from ..store.commits import Commits, Head
from ..store.errors import CorruptLog, UnknownFormat
from .commits import Commit, commits_of, to_record
from .events import Event, TableOpened, game_events, table_events
from .replay import happened
from .table import CANCELLED, FINISHED, OPEN, RUNNING, Table, lay_table

SEED_BYTES = 32
ABSENT = "absent"
"""Stands for the bot of a seat that was opened, and that nobody has taken yet."""


@dataclass(frozen=True)
class Snapshot:
    """A game at one version: nothing here that its log does not say, but for the seed that lies beside it.

    What is secret of it is not shown where it is printed.
    """

    id: str
    version: int
    """The length of the log."""
    opened_at: int
    changed_at: int
    """When the first and the last commit were made, in ms since the epoch."""
    seed: bytes = field(repr=False)
    table: Table
    state: State | None = field(repr=False)
    """The position; None before the game has started."""

    @property
    def status(self) -> str:
        """One of open, running, finished and cancelled."""
        if self.state is not None:
            return RUNNING if self.state.result is None else FINISHED
        return CANCELLED if self.table.cancelled else OPEN

    @property
    def chance(self) -> SeededChance:
        """The draws of this game."""
        return SeededChance(self.seed, [bytes.fromhex(seat.entropy) for seat in self.table.seats])

    @property
    def asked(self) -> int | None:
        """The seat that the game waits for; None where it waits for none: it is not running, or it pauses."""
        pausing = self.table.clock is not None and self.table.clock.paused is not None
        return self.state.turn if self.state is not None and self.state.result is None and not pausing else None

    def thinking(self) -> list[int]:
        """Return the seats whose players move for themselves: no bots, and nobody who has resigned."""
        gone = 0 if self.state is None else self.state.gone
        seats = enumerate(self.table.seats)
        return [n for n, seat in seats if seat.player is not None and seat.bot is None and not gone >> n & 1]

    def player_to_act(self) -> str | None:
        """Return the player that the game waits for; None when it waits for a bot, or for nobody."""
        seat = None if self.asked is None else self.table.seats[self.asked]
        return None if seat is None or seat.bot is not None else seat.player

    def bot_to_act(self) -> str | None:
        """Return the key of the bot that the game waits for; for a seat that nobody has, the one that lays nothing."""
        if self.asked is None:
            return None
        seat = self.table.seats[self.asked]
        return seat.bot or (None if seat.player is not None else ABSENT)

    def after(self, at: int, events: Sequence[Event]) -> Snapshot:
        """Return the game after one more commit of these events, made at a time (ms since the epoch).

        This is the one place where a change is folded into a game; the game before it stays as it is.
        """
        return Snapshot(
            self.id,
            self.version + 1,
            self.opened_at if self.version else at,
            at,
            self.seed,
            self.table.after(at, table_events(events)),
            _position_after(self.state, game_events(events)),
        )


@dataclass(frozen=True)
class Game(Snapshot):
    """A game rebuilt from its log, with the log."""

    commits: Commits = field(repr=False)
    """The log as it is stored; `since` has its commits as values."""

    def answered(self, by: str, key: str) -> Head | None:
        """Return the head of the commit that this caller's request with this key has made already."""
        return next((head for head in self.commits.with_key(key) if head["by"] == by), None)

    def since(self, version: int) -> list[Commit]:
        """Return the commits after a version. Raises: CorruptLog."""
        return commits_of(self.commits[version:])

    def moved_since(self, version: int) -> bool:
        """Tell whether a commit after this version holds a game event, or no such version exists yet."""
        return version > self.version or any(commit.game_events for commit in self.since(version))

    def at(self, version: int) -> Game:
        """Return the game as it was at an earlier version."""
        return rebuild(self.commits[:version], self.seed)


@dataclass(frozen=True)
class StartedGame(Game):
    """A game that has started: it runs, or it is over, and has a position."""

    state: State = field(repr=False)


def table_to_open(game_id: str, seed: bytes, opened: TableOpened) -> Snapshot:
    """Return a game before its first commit, which holds the opening of its table."""
    return Snapshot(game_id, 0, 0, 0, seed, lay_table(opened), None)


def rebuild(commits: Commits, seed: bytes) -> Game:
    """Replay a log; one that has started is a `StartedGame`.

    Raises: CorruptLog when it cannot be read, UnknownFormat when it is played by a revision that is not here.
    """
    try:
        table, events = happened(commits)
        state = replay_events(events) if events else None
        of_log = commits.game_id, len(commits), commits.at(0), commits.at(-1), seed, table
        game = Game(*of_log, None, commits) if state is None else StartedGame(*of_log, state, commits)
        _check(game)
    except UnknownEdition as error:
        raise UnknownFormat(commits.game_id) from error
    except (EngineError, LookupError, TypeError, ValueError, AssertionError) as error:
        raise CorruptLog(commits.game_id) from error
    return game


def game_of(game_id: str, commits: Iterable[Commit], seed: bytes) -> Game:
    """Return the game that some commits lead to, from the first one on. Raises: as `rebuild`."""
    return rebuild(Commits.of(game_id, map(to_record, commits)), seed)


def _position_after(state: State | None, events: Sequence[GameEvent]) -> State | None:
    """Return the position after some game events, the first of which open the game where there was none."""
    if not events:
        return state
    return replay_events(events) if state is None else evolve(state, *events)


def _check(game: Game) -> None:
    """Do nothing where a game may be played on. Raises: ValueError where its log can be read but cannot be true."""
    if len(game.seed) != SEED_BYTES or commitment(game.seed) != game.table.opened.commitment:
        raise ValueError("the seed is not the one that the game's commitment names")
    for seat in game.table.seats:
        bytes.fromhex(seat.entropy)
    state = game.state
    if state is not None and state.result is None and not (state.phase in PHASES and 0 <= state.turn < state.seats):
        raise ValueError("the game waits for nobody")


def key_of_orders(seed: bytes, version: int) -> str:
    """Return the key of the commit that standing orders make after a version.

    It looks like the key of a request that came without one: only who has the seed can tell, and the log does not say,
    that there were orders.

    >>> key_of_orders(bytes(32), 7)
    '7aa0f0381ab10a716f3a86c1d4a27d82'
    """
    return hmac.digest(seed, b"orders" + version.to_bytes(8, "big"), "sha256").hex()[:32]
