"""Replay: what the lines of a log say of its table and of its game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from engine import BadRecord, EngineError, Event, event_from_record
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
from .events import TableEvent, TableOpened, table_event_from_record
from .table import Table, lay_table

KNOWN = 4096
"""How many lines a process knows by sight, at most: about 4 MB."""
_COMMON = frozenset(
    {CardPlayed, HandKept, MarkerTaken, RegionChosen, RegionDeclined, RoundEnded, RowsDiscarded, SeatPassed}
)
"""Events that lie open and say little: the same happen in all games."""
_TURN = "turn-started"
_READERS = {name: reader for name, reader in EVENT_TYPES.items() if name != _TURN}
"""What reads the events of the game, by the names of their types; turns are not read with them."""
_SETTLED = "who sits where is settled when a game starts, but for who is absent"


class _Line(NamedTuple):
    """What one line says of the table and of the game, and the record of whose turn it is then, if anybody's."""

    table: Sequence[TableEvent]
    game: Sequence[Event]
    turn: dict[str, Any] | None


_known: dict[bytes, _Line] = {}
"""Lines that could stand in any game's log, once they were read: none names a player, a time or a hidden card."""


class TableHistory(NamedTuple):
    """A table as it stands after some commits, and the table events of these, each with its commit's number."""

    table: Table
    events: Sequence[tuple[int, TableEvent]]


def table_history(commits: Commits) -> TableHistory:
    """Return who sits where and how that came, without replaying the game. Raises: CorruptLog."""
    try:
        lines, new = _read(commits)
        table, _ = _follow(commits, lines, new)
        return TableHistory(table, [(place + 1, event) for place in new for event in lines[place].table])
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(commits.game_id) from error


def happened(commits: Commits) -> tuple[Table, list[Event]]:
    """Return the table as it stands after some commits, and the events of the game.

    Of the turns, nearly half of all events, only the last is among them, and only if nothing has happened since: the
    others are over, and no state has anything left of a turn that is over.

    Raises: AssertionError, CorruptLog, EngineError, LookupError, TypeError, ValueError where the log cannot be read.
    """
    return _follow(commits, *_read(commits))


def _follow(commits: Commits, lines: Sequence[_Line], new: Sequence[int]) -> tuple[Table, list[Event]]:
    """Return what the lines of some commits lead to, as `happened` does.

    Only those at the `new` places say anything of the table.
    """
    events = [*chain.from_iterable([line.game for line in lines])]
    table = _opened(lines[0])
    start = next((place for place, line in enumerate(lines) if line.game), len(lines))
    for place in new:
        if told := lines[place].table:
            _apply(table, commits.at(place), told, started=place > start)
    last = next((line for line in reversed(lines) if line.game or line.turn), None)
    if last is not None and last.turn is not None:
        events.append(event_from_record(last.turn))
    return table, events


def _read(commits: Commits) -> tuple[list[_Line], list[int]]:
    """Return what the lines of some commits say, and the places of those that were not known by sight.

    The new lines are decoded together. Only they may say anything of the table.
    """
    lines: list[Any] = [*map(_known.get, commits.lines)]
    new = [place for place, known in enumerate(lines) if known is None]
    for place, records in zip(new, commits.records(new), strict=True):
        lines[place] = line = _line(records)
        if len(_known) < KNOWN and not line.table and _COMMON.issuperset(map(type, line.game)):
            _known[commits.lines[place]] = line
    return lines, new


def _line(records: list[dict[str, Any]]) -> _Line:
    """Return what the records of one line say. Raises: EngineError, LookupError, TypeError, ValueError."""
    try:
        return _told_apart(records)
    except AttributeError as error:
        raise BadRecord("a part of a record is of another type") from error


def _told_apart(records: list[dict[str, Any]]) -> _Line:
    table: list[TableEvent] = []
    game: list[Event] = []
    turn = None
    for record in records:
        name = record["type"]
        read = _READERS.get(name)
        if read is not None:
            game.append(read(record))
            turn = None
        elif name == _TURN:
            turn = record
        else:
            table.append(table_event_from_record(record))
            if game and not isinstance(table[-1], ClockEvent):
                raise ValueError(_SETTLED)
    return _Line(table, game, turn)


def _opened(line: _Line) -> Table:
    opened = line.table[0]
    if not isinstance(opened, TableOpened):
        raise TypeError("a log begins with the opening of its table")
    return lay_table(opened)


def _apply(table: Table, at: int, events: Sequence[TableEvent], *, started: bool) -> None:
    for event in events:
        if started and not isinstance(event, ClockEvent):
            raise ValueError(_SETTLED)
        table.apply(at, event)
