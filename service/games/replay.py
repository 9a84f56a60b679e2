"""Replay: decodes the lines of a log, and returns the table and the events of the game."""

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
from .events import (
    STARTS_NO_TURN,
    CardsShown,
    EndAsked,
    GameCancelled,
    HintAsked,
    TableEvent,
    TableHandedOver,
    TableOpened,
    table_event_from_record,
)
from .table import CHANGES_LEADERS, ENDS_BATTLE, WITHOUT_CLOCK, Table, empty_table

MAX_CACHED_LINES = 4096
"""The maximum number of decoded lines that a process caches. A full cache takes about 2 MB."""
_COMMON = frozenset(
    {CardPlayed, HandKept, MarkerTaken, RegionChosen, RegionDeclined, RoundEnded, RowsDiscarded, SeatPassed}
)
"""Public events that have few possible values, so the logs of different games often contain the same lines."""
_TURN = "turn-started"
_READERS = {name: reader for name, reader in EVENT_TYPES.items() if name != _TURN}
"""The function that decodes each type of game event, by the type's name. `turn-started` is handled separately."""
_GAME_STARTED, *_LASTING = (
    b'"type":"%b"' % name_of_type(kind).encode()
    for kind in (GameStarted, SeatResigned, TableHandedOver, *WITHOUT_CLOCK)
)
"""The bytes with which the records of these events begin. No cached line contains these bytes.

In a match without a clock, all these events, except the start of a game, still matter in later games of the match.
"""
_AFTER_START = ClockEvent | EndAsked | GameCancelled | HintAsked | CardsShown | TableHandedOver
"""Table events that may follow the start of a game."""
_SEATS_ARE_FINAL = "seats are final once a game has started, except those of absent players"


class _Line(NamedTuple):
    """A decoded line: its table events and its game events.

    `turn` is the record of the turn that the line starts, or None.
    """

    table: Sequence[TableEvent]
    game: Sequence[Event]
    turn: dict[str, Any] | None


class _DecodedLog(NamedTuple):
    """The decoded part of a log. `places` are the indexes of the decoded commits, and `lines` are their lines.

    `new` contains the indexes of the lines that were not in the cache. Only these lines can contain table events.
    `games` is the number of games that have started, and `began` is the index of the commit that started the last game.
    """

    places: Sequence[int]
    lines: Sequence[_Line]
    new: Sequence[int]
    games: int
    began: int


_cached_lines: dict[bytes, _Line] = {}
"""Decoded lines that can occur in any game's log, because they do not name a player, a time or a hidden card."""
_shared: dict[Event | str, Any] = {}
"""The events and turns of the cached lines. Equal events are stored only once, because many lines contain the same
events."""


class TableHistory(NamedTuple):
    """A table after some commits, and the table events in these commits. Each event has the number of its commit."""

    table: Table
    events: Sequence[tuple[int, TableEvent]]


def table_history(commits: Commits) -> TableHistory:
    """Return the table and its history, without replaying the game. Raises: CorruptLog."""
    try:
        decoded = _decode(commits)
        table, _ = _follow(commits, decoded)
        return TableHistory(
            table, [(decoded.places[n] + 1, event) for n in decoded.new for event in decoded.lines[n].table]
        )
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(commits.game_id) from error


def table_and_events(commits: Commits) -> tuple[Table, list[Event]]:
    """Return the table after some commits, and the game events that lead to the position at that point.

    `turn-started` events, which are nearly half of all events, are left out, because a turn that has ended does not
    change the state. The last `turn-started` is included if no game event follows it. From earlier games of a match,
    only the events that still matter are included (`engine.of_last_game`).

    Raises: AssertionError, CorruptLog, EngineError, LookupError, TypeError, ValueError if the log cannot be read.
    """
    return _follow(commits, _decode(commits))


def _follow(commits: Commits, decoded: _DecodedLog) -> tuple[Table, list[Event]]:
    """Return the table and the game events of the decoded lines, as `table_and_events` does."""
    places, lines, new, games, began = decoded
    events = [*chain.from_iterable([line.game for line in lines])]
    if games > 1:
        events = of_last_game(events)
    table = _open_table(lines[0])
    start = next((n for n, line in enumerate(lines) if line.game), len(lines))
    for n in new:
        if table_events := lines[n].table:
            _apply(table, commits.at(places[n]), table_events, started=n > start)
    last = next((n for n in reversed(range(len(lines))) if lines[n].game or lines[n].turn), None)
    if last is not None:
        turn = lines[last].turn
        if turn is not None:
            events.append(event_from_record(turn))
        if table.hint is not None and places[last] + 1 > table.hint.version:
            table.hint = None
    acted = next(n for n in reversed(range(len(lines))) if not _starts_no_turn(lines[n]))
    table.acted_at = commits.at(places[acted])
    if table.shown or table.end_asked:
        _forget(table, places, lines, began)
    return table, events


def _starts_no_turn(line: _Line) -> bool:
    """Return True if none of a line's events starts a turn."""
    return not (line.game or line.turn) and STARTS_NO_TURN.issuperset(map(type, line.table))


def _forget(table: Table, places: Sequence[int], lines: Sequence[_Line], began: int) -> None:
    """Drop cards that were shown in earlier games of a match, and outdated requests to end the game.

    Also count the cards that were shown before the current battle.
    """
    battle, leaders = (_last_place(places, lines, kinds) for kinds in (ENDS_BATTLE, CHANGES_LEADERS))
    table.shown = tuple([event for event in table.shown if event.version > began])
    table.earlier_shown = sum([event.version <= battle for event in table.shown])
    table.end_asked = tuple([event for event in table.end_asked if event.version > leaders])


def _last_place(places: Sequence[int], lines: Sequence[_Line], kinds: frozenset[type[Event]]) -> int:
    """Return the index of the last commit with a game event of one of these types. If there is no such commit, return
    the index of the first commit.
    """
    found = (n for n in reversed(range(len(lines))) if any(type(event) in kinds for event in lines[n].game))
    return places[next(found, 0)]


def _decode(commits: Commits) -> _DecodedLog:
    """Return the lines that determine the table and the position.

    All lines that are not cached are decoded together.
    """
    texts = commits.lines
    places: Sequence[int] = range(len(texts))
    lines: list[Any] = [*map(_cached_lines.get, texts)]
    new = [place for place, line in enumerate(lines) if line is None]
    starts = [place for place in new if _GAME_STARTED in texts[place]]
    if len(starts) > 1 and not _has_clock(texts[0]):
        places = _places_of_last_game(texts, starts, new)
        texts, lines = [texts[place] for place in places], [lines[place] for place in places]
        new = [n for n, line in enumerate(lines) if line is None]
    for n, records in zip(new, records_in([texts[n] for n in new]), strict=True):
        lines[n] = line = _line(records)
        if (
            len(_cached_lines) < MAX_CACHED_LINES
            and not line.table
            and _COMMON.issuperset(map(type, line.game))
            and _is_turn_readable(line)
        ):
            _cached_lines[texts[n]] = _with_shared_parts(line)
    return _DecodedLog(places, lines, new, len(starts), starts[-1] if starts else 0)


def _has_clock(opening: bytes) -> bool:
    """Return whether a table has a clock, given the log line that opens the table."""
    (records,) = records_in([opening])
    return _open_table(_line(records[:1])).clock is not None


def _places_of_last_game(texts: Sequence[bytes], starts: Sequence[int], new: Sequence[int]) -> Sequence[int]:
    """Return the indexes of the commits that still matter in a match without a clock.

    `starts` are the commits that start a game, and `new` are the commits whose lines are not in the cache. If a match
    has a clock, all its commits matter, because the clock continues through all games of the match.

    Without a clock, only a few kinds of table events can follow the start of the first game. Two kinds of table events
    matter for the whole match: changes of the table's owner, and events about seats that the host gave to bots. A
    cancellation of the game is always in the last commit. Requests for hints no longer matter once the position
    changes. Shown cards, and requests to end the game, no longer matter once the next game starts.
    """
    first, last = starts[0], starts[-1]
    between = [place for place in new if first < place < last]
    joined = b"".join([texts[place] for place in between])
    lasting = {place for kind in _LASTING if kind in joined for place in between if kind in texts[place]}
    return [*range(first + 1), *sorted(lasting.union(starts[1:-1])), *range(last, len(texts))]


def _with_shared_parts(line: _Line) -> _Line:
    """Return an equal line whose events and turn are the objects stored in `_shared`."""
    turn = line.turn and _shared.setdefault(repr(line.turn), line.turn)
    return _Line((), tuple(_shared.setdefault(event, event) for event in line.game), turn)


def is_cached(line: bytes) -> bool:
    """Return whether a line is in the cache. The events of a cached line are public, and all of them can be decoded."""
    return line in _cached_lines


def _is_turn_readable(line: _Line) -> bool:
    """Return True if the line does not start a turn, or if its turn can be decoded.

    Replay itself does not decode turns that have ended.
    """
    try:
        return line.turn is None or bool(event_from_record(line.turn))
    except (EngineError, AttributeError, LookupError, TypeError, ValueError):
        return False


def _line(records: list[dict[str, Any]]) -> _Line:
    """Return the decoded line with these records. Raises: EngineError, LookupError, TypeError, ValueError."""
    try:
        return _classify(records)
    except AttributeError as error:
        raise BadRecord("a field of a record has the wrong type") from error


def _classify(records: list[dict[str, Any]]) -> _Line:
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
            if game and not isinstance(table[-1], _AFTER_START):
                raise ValueError(_SEATS_ARE_FINAL)
    return _Line(table, game, turn)


def _open_table(line: _Line) -> Table:
    opened = line.table[0]
    if not isinstance(opened, TableOpened):
        raise TypeError("a log must begin with the opening of its table")
    return empty_table(opened)


def _apply(table: Table, at: int, events: Sequence[TableEvent], *, started: bool) -> None:
    for event in events:
        if started and not isinstance(event, _AFTER_START):
            raise ValueError(_SEATS_ARE_FINAL)
        table.apply(at, event)
