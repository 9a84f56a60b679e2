"""Replay: what the lines of a log say of its table and of its game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import EngineError, Event, event_from_record
from engine.events import (
    CardPlayed,
    HandKept,
    MarkerTaken,
    RegionChosen,
    RegionDeclined,
    RoundEnded,
    RowsDiscarded,
    SeatPassed,
)
from engine.record import EVENT_TYPES

from ..clocks.events import ClockEvent
from ..store.commits import Commits
from ..store.errors import CorruptLog
from .events import TABLE_EVENTS, TableEvent, TableOpened, table_event_from_record
from .table import Table, lay_table

KNOWN = 4096
"""How many lines a process knows by sight, at most: about 4 MB."""
_COMMON = frozenset(
    {CardPlayed, HandKept, MarkerTaken, RegionChosen, RegionDeclined, RoundEnded, RowsDiscarded, SeatPassed}
)
"""Events that lie open and say little: the same happen in all games."""
_SETTLED = "who sits where is settled when a game starts, but for who is absent"


class _Said(NamedTuple):
    """What one line says of the table and of the game, and the record of whose turn it is then, if anybody's."""

    table: Sequence[TableEvent]
    game: Sequence[Event]
    turn: dict[str, Any] | None


_known: dict[bytes, _Said] = {}
"""Lines that could stand in any game's log, once they were read: none names a player, a time or a hidden card."""


class TableHistory(NamedTuple):
    """A table as it stands after some commits, and the table events of these, each with its commit's number."""

    table: Table
    events: Sequence[tuple[int, TableEvent]]


def table_history(commits: Commits) -> TableHistory:
    """Return who sits where and how that came, without replaying the game. Raises: CorruptLog."""
    try:
        lines = _read(commits)
        table, _ = _follow(commits, lines)
        return TableHistory(table, [(seq, event) for seq, line in enumerate(lines, 1) for event in line.table])
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(commits.game_id) from error


def happened(commits: Commits) -> tuple[Table, list[Event]]:
    """Return the table as it stands after some commits, and the events of the game.

    Of the turns, nearly half of all events, only the last is among them, and only if nothing has happened since: the
    others are over, and no state has anything left of a turn that is over.

    Raises: AssertionError, CorruptLog, EngineError, LookupError, TypeError, ValueError where the log cannot be read.
    """
    return _follow(commits, _read(commits))


def _follow(commits: Commits, lines: Sequence[_Said]) -> tuple[Table, list[Event]]:
    """Return what the lines of some commits lead to, as `happened` does."""
    events: list[Event] = []
    turn, after = None, 0
    table = _opened(lines[0])
    for place, (told, game, waits) in enumerate(lines):
        if told:
            _apply(table, commits.at(place), told, started=bool(events))
        events += game
        if waits is not None:
            turn, after = waits, len(events)
    if turn is not None and after == len(events):
        events.append(event_from_record(turn))
    return table, events


def _read(commits: Commits) -> list[_Said]:
    """Return what the lines of some commits say; the new ones among them are decoded together."""
    said: list[Any] = list(map(_known.get, commits.lines))
    new = [place for place, known in enumerate(said) if known is None]
    for place, records in zip(new, commits.records(new), strict=True):
        said[place] = one = _said(records)
        if len(_known) < KNOWN and not one.table and _COMMON.issuperset(map(type, one.game)):
            _known[commits.lines[place]] = one
    return said


def _said(records: list[dict[str, Any]]) -> _Said:
    table: list[TableEvent] = []
    game: list[Event] = []
    turn = None
    for record in records:
        name = record["type"]
        if name == "turn-started":
            turn = record
        elif name not in TABLE_EVENTS:
            game.append(EVENT_TYPES[name](record))
            turn = None
        else:
            table.append(table_event_from_record(record))
            if game and not isinstance(table[-1], ClockEvent):
                raise ValueError(_SETTLED)
    return _Said(table, game, turn)


def _opened(said: _Said) -> Table:
    opened = said.table[0]
    if not isinstance(opened, TableOpened):
        raise TypeError("a log begins with the opening of its table")
    return lay_table(opened)


def _apply(table: Table, at: int, events: Sequence[TableEvent], *, started: bool) -> None:
    for event in events:
        if started and not isinstance(event, ClockEvent):
            raise ValueError(_SETTLED)
        table.apply(at, event)
