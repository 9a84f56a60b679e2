"""One game as its log says: the table, the position, and with a `Game` the log itself."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import (
    EngineError,
    Event,
    SeededChance,
    State,
    commitment,
    event_from_record,
    event_to_record,
    replay,
    seen_by,
)
from engine.phases import PHASES

from ..store.commits import Commit as Commit
from ..store.commits import Commits as Commits
from ..store.commits import Head
from ..store.errors import CorruptLog
from .replay import happened
from .table import CANCELLED, FINISHED, OPEN, RUNNING, TABLE_EVENTS, Table

SEED_BYTES = 32
ABSENT = "absent"
"""Stands for the bot of a seat that was opened, and that nobody has taken yet."""


@dataclass
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


@dataclass
class Game(Snapshot):
    """A game rebuilt from its log, with the log."""

    commits: Commits = field(repr=False)

    def answered(self, by: str, key: str) -> Head | None:
        """Return the head of the commit that this caller's request with this key has made already."""
        return next((head for head in self.commits.with_key(key) if head["by"] == by), None)

    def moved_since(self, version: int) -> bool:
        """Tell whether a commit after this version holds a game event, or no such version exists yet."""
        later = self.commits[version:]
        return version > self.version or any(
            record["type"] not in TABLE_EVENTS for c in later for record in c["events"]
        )

    def at(self, version: int) -> Game:
        """Return the game as it was at an earlier version."""
        return rebuild(self.commits[:version], self.seed)


def rebuild(commits: Commits, seed: bytes) -> Game:
    """Replay a log. Raises: CorruptLog when it cannot be read."""
    try:
        table, events = happened(commits)
        state = replay(events) if events else None
        opened_at, changed_at = commits.at(0), commits.at(-1)
        return _checked(Game(commits.game_id, len(commits), opened_at, changed_at, seed, table, state, commits))
    except (EngineError, LookupError, TypeError, ValueError, AssertionError) as error:
        raise CorruptLog(commits.game_id) from error


def _checked(game: Game) -> Game:
    """Return a game that may be played on. Raises: ValueError where its log can be read but cannot be true."""
    if len(game.seed) != SEED_BYTES or commitment(game.seed) != game.table.opened.commitment:
        raise ValueError("the seed is not the one that the game's commitment names")
    for seat in game.table.seats:
        bytes.fromhex(seat.entropy)
    state = game.state
    if state is not None and state.result is None and not (state.phase in PHASES and 0 <= state.turn < state.seats):
        raise ValueError("the game waits for nobody")
    return game


def key_of_orders(seed: bytes, version: int) -> str:
    """Return the key of the commit that standing orders make after a version.

    It looks like the key of a request that came without one: only who has the seed can tell, and the log does not say,
    that there were orders.

    >>> key_of_orders(bytes(32), 7)
    '7aa0f0381ab10a716f3a86c1d4a27d82'
    """
    return hmac.digest(seed, b"orders" + version.to_bytes(8, "big"), "sha256").hex()[:32]


def records_seen_by(game_id: str, commit: Commit, seat: int | None) -> list[dict[str, Any]]:
    """Return the events of a running game's commit as a seat may see them; None is a spectator. Raises: CorruptLog."""
    try:
        return [
            record if record["type"] in TABLE_EVENTS else event_to_record(seen_by(event_from_record(record), seat))
            for record in commit["events"]
        ]
    except EngineError as error:
        raise CorruptLog(game_id) from error


def to_records(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return game events as the log keeps them."""
    return [event_to_record(event) for event in events]
