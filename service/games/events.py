"""What happens at a table: who sits down, leaves or is replaced, and what its clock does.

Table events are the service's own, and lie in the same log as the game's, which are the engine's. All of them are
public; they name players by id only. In the store and over HTTP an event is a record, a plain dict with its `type`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, get_args

from engine import Event as GameEvent
from engine import event_from_record as game_event_from_record
from engine import event_to_record as game_event_to_record
from engine.events import GameEnded, MatchEnded, TurnStarted
from engine.record import name_of_type, reader

from ..clocks.events import ClockEvent


class TableOpened(NamedTuple):
    """A player opened a game. `commitment` is the SHA-256 of the game's secret seed, in hexadecimal.

    `clock` are the settings of its clock, none where nobody's time is counted.
    """

    owner: str
    edition: str
    options: dict[str, Any]
    seats: int
    start: str
    commitment: str
    construction: int
    seeded: bool
    clock: dict[str, Any] | None = None


class SeatTaken(NamedTuple):
    """A player sat down, and may have given entropy (hexadecimal) for the draws."""

    seat: int
    player: str
    entropy: str


class BotSeated(NamedTuple):
    """A bot was given a seat."""

    seat: int
    bot: str


class SeatLeft(NamedTuple):
    """A player left a seat before the game began."""

    seat: int
    player: str


class TableCancelled(NamedTuple):
    """The owner left before the game began, and the game with it."""

    player: str


SeatEvent = TableOpened | SeatTaken | BotSeated | SeatLeft | TableCancelled
TableEvent = SeatEvent | ClockEvent
Event = TableEvent | GameEvent
"""Whatever may stand in a commit."""

ENDS_TURN = frozenset({TurnStarted, GameEnded, MatchEnded})
"""One of these stands in every commit that ends a turn."""

_NAMES: dict[Any, str] = {kind: name_of_type(kind) for kind in get_args(TableEvent)}
TABLE_EVENTS = frozenset(_NAMES.values())
"""Types of the records that are table events; every other one is a game event."""
_READERS = {name: reader(kind, {}) for kind, name in _NAMES.items()}


def is_game_event(event: Event) -> bool:
    """Tell whether an event is the game's, and not the table's."""
    return type(event) not in _NAMES


def table_events(events: Iterable[Event]) -> list[TableEvent]:
    """Return the table events among some events."""
    found: list[Any] = [event for event in events if type(event) in _NAMES]
    return found


def game_events(events: Iterable[Event]) -> list[GameEvent]:
    """Return the game events among some events."""
    found: list[Any] = list(filter(is_game_event, events))
    return found


def table_event_from_record(record: dict[str, Any]) -> TableEvent:
    """Return the table event that a dict records. Raises: KeyError or TypeError when it records none."""
    event: TableEvent = _READERS[record["type"]](record)
    return event


def from_record(record: dict[str, Any]) -> Event:
    """Return the event that a dict records. Raises: KeyError, TypeError or EngineError when it records none."""
    return table_event_from_record(record) if record["type"] in _READERS else game_event_from_record(record)


def to_record(event: Any) -> dict[str, Any]:
    """Return an event as a plain dict; what is None is left out of a table event."""
    name = _NAMES.get(type(event))
    if name is None:
        return game_event_to_record(event)
    return {"type": name, **{member: value for member, value in event._asdict().items() if value is not None}}


def to_records(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return events as plain dicts."""
    return [to_record(event) for event in events]
