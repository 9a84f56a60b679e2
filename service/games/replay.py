"""Replay: what the lines of a log say of its table and of its game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from engine import BadRecord, EngineError, Event, event_from_record, of_last_game
from engine.events import (
    CardPlayed,
    GameStarted,
    HandKept,
    MarkerTaken,
    RegionChosen,
    RegionDeclined,
    RoundEnded,
    RowsDiscarded,
    SeatPassed,
    SeatResigned,
)
from engine.record import EVENT_TYPES, name_of_type

from ..clocks.events import ClockEvent
from ..store.commits import Commits, records_in
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
_GAME_STARTED, _SEAT_RESIGNED = (b'"type":"%b"' % name_of_type(kind).encode() for kind in (GameStarted, SeatResigned))
"""How these events begin where they are written."""
_SETTLED = "who sits where is settled when a game starts, but for who is absent"


class _Line(NamedTuple):
    """What one line says of the table and of the game, and the record of whose turn it is then, if anybody's."""

    table: Sequence[TableEvent]
    game: Sequence[Event]
    turn: dict[str, Any] | None


class _Read(NamedTuple):
    """What was read of a log: the places of some commits, and what the line of each says.

    `new` are the indexes of the lines that were not known by sight: only they may say anything of the table. `games`
    is how many games have started.
    """

    places: Sequence[int]
    lines: Sequence[_Line]
    new: Sequence[int]
    games: int


_known: dict[bytes, _Line] = {}
"""Lines that could stand in any game's log, once they were read: none names a player, a time or a hidden card."""


class TableHistory(NamedTuple):
    """A table as it stands after some commits, and the table events of these, each with its commit's number."""

    table: Table
    events: Sequence[tuple[int, TableEvent]]


def table_history(commits: Commits) -> TableHistory:
    """Return who sits where and how that came, without replaying the game. Raises: CorruptLog."""
    try:
        read = _read(commits)
        table, _ = _follow(commits, read)
        return TableHistory(table, [(read.places[n] + 1, event) for n in read.new for event in read.lines[n].table])
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(commits.game_id) from error


def happened(commits: Commits) -> tuple[Table, list[Event]]:
    """Return the table as it stands after some commits, and the events of the game that lead to its position.

    Of the turns, nearly half of all events, only the last is among them, and only if nothing has happened since: no
    state has anything left of a turn that has ended. Of the earlier games of a match only those events are among them
    that still matter (`engine.of_last_game`).

    Raises: AssertionError, CorruptLog, EngineError, LookupError, TypeError, ValueError where the log cannot be read.
    """
    return _follow(commits, _read(commits))


def _follow(commits: Commits, read: _Read) -> tuple[Table, list[Event]]:
    """Return what the lines that were read lead to, as `happened` does."""
    places, lines, new, games = read
    events = [*chain.from_iterable([line.game for line in lines])]
    if games > 1:
        events = of_last_game(events)
    table = _opened(lines[0])
    start = next((n for n, line in enumerate(lines) if line.game), len(lines))
    for n in new:
        if told := lines[n].table:
            _apply(table, commits.at(places[n]), told, started=n > start)
    last = next((line for line in reversed(lines) if line.game or line.turn), None)
    if last is not None and last.turn is not None:
        events.append(event_from_record(last.turn))
    return table, events


def _read(commits: Commits) -> _Read:
    """Return what the lines say that matter to the table and to the position; new lines are decoded together."""
    starts = commits.places_with(_GAME_STARTED)
    places = range(len(commits)) if len(starts) < 2 else _places_of_last_game(commits, starts)
    texts = commits.lines(places)
    lines: list[Any] = [*map(_known.get, texts)]
    new = [n for n, line in enumerate(lines) if line is None]
    for n, records in zip(new, records_in([texts[n] for n in new]), strict=True):
        lines[n] = line = _line(records)
        if len(_known) < KNOWN and not line.table and _COMMON.issuperset(map(type, line.game)) and _turn_is_read(line):
            _known[texts[n]] = line
    return _Read(places, lines, new, len(starts))


def _places_of_last_game(commits: Commits, starts: Sequence[int]) -> Sequence[int]:
    """Return the places of the commits of a match that still matter: all of them, where its table has a clock.

    A clock runs through all games. Without one nothing happens at a table once the first game has started.
    """
    first, last = starts[0], starts[-1]
    (opening,) = records_in(commits.lines([0]))
    if _opened(_line(opening)).clock is not None:
        return range(len(commits))
    lasting = {*starts, *commits.places_with(_SEAT_RESIGNED)}
    return [*range(first + 1), *sorted(place for place in lasting if first < place < last), *range(last, len(commits))]


def is_known(line: bytes) -> bool:
    """Tell whether this process has read a line before that everybody may see; all of its events can be read."""
    return line in _known


def _turn_is_read(line: _Line) -> bool:
    """Tell whether the record of whose turn it is can be read, if there is one: it is not read where it is over."""
    try:
        return line.turn is None or bool(event_from_record(line.turn))
    except (EngineError, AttributeError, LookupError, TypeError, ValueError):
        return False


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
