"""Events and commands as plain dicts, and back: the names that logs, requests and answers use.

A record has a `type` in kebab-case and one key a field; fields that are None are left out. Cards and regions stand by
name. Hidden and open cards alike are `{"count": n}`, with `cards` (one name a card) where they are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

from .cards import KIND, KINDS, NAMES, SCARECROW, names_of
from .commands import Command, PlayCard
from .errors import BadRecord
from .events import Cards, Event
from .italy import ITALY

Record = dict[str, Any]


def event_to_record(event: Event) -> Record:
    """Return an event as a plain dict.

    >>> from engine.events import RegionChosen
    >>> event_to_record(RegionChosen(seat=2, region=15))
    {'type': 'region-chosen', 'seat': 2, 'region': 'roma'}
    """
    return _to_record(event)


def event_from_record(record: Mapping[str, Any]) -> Event:
    """Return the event that a dict records. Raises: BadRecord."""
    event: Event = _from_record(EVENT_TYPES, record)
    return event


def command_to_record(command: Command) -> Record:
    """Return a command as a plain dict, without its seat: who asks is said elsewhere.

    >>> command_to_record(PlayCard(0, 13, take=6, take_from=0))
    {'type': 'play-card', 'card': 'scarecrow', 'take': 'mercenary-10', 'take_from': 0}
    """
    record = _to_record(command)
    del record["seat"]
    return record


def command_from_record(record: Mapping[str, Any], seat: int) -> Command:
    """Return the command that a dict asks for this seat.

    A scarecrow that names a mercenary and no row means its own row. Raises: BadRecord.

    >>> command_from_record({"type": "play-card", "card": "scarecrow", "take": "mercenary-10"}, seat=1)
    PlayCard(seat=1, card=13, take=6, take_from=1, favor=None)
    """
    if not isinstance(record, Mapping):
        raise BadRecord("a command is recorded by a dict")
    command: Command = _from_record(COMMAND_TYPES, {**record, "seat": seat})
    if isinstance(command, PlayCard) and command.card == SCARECROW and command.take is not None:
        return command if command.take_from is not None else command._replace(take_from=seat)
    return command


def cards_to_record(cards: Cards) -> Record:
    """Return cards as `{"count", "cards"}`, or only their count where only that is known."""
    if isinstance(cards, int):
        return {"count": cards}
    return {"count": sum(cards), "cards": names_of(cards)}


def _cards_from_record(record: Mapping[str, Any]) -> Cards:
    names = record.get("cards")
    if names is None:
        count: int = record["count"]
        return count
    counts = [0] * KINDS
    for name in names:
        counts[KIND[name]] += 1
    return tuple(counts)


def _seat(number: object) -> int:
    if type(number) is not int:
        raise TypeError("a seat is a whole number")
    return number


WRITE: dict[str, Callable[[Any], Any]] = {
    "card": NAMES.__getitem__,
    "take": NAMES.__getitem__,
    "region": lambda region: ITALY.regions[region].key,
    "favor": lambda region: ITALY.regions[region].key,
    "cards": cards_to_record,
    "hands": lambda hands: [cards_to_record(cards) for cards in hands],
    "options": dict,
    "counts": list,
    "strengths": list,
    "leaders": list,
    "winners": list,
    "reasons": list,
}
"""How a field is written, by its name; a field that is not here is written as it is."""

READ: dict[str, Callable[[Any], Any]] = {
    "card": KIND.__getitem__,
    "take": KIND.__getitem__,
    "take_from": _seat,
    "region": ITALY.index.__getitem__,
    "favor": ITALY.index.__getitem__,
    "cards": _cards_from_record,
    "hands": lambda hands: tuple(_cards_from_record(cards) for cards in hands),
    "options": lambda options: tuple(options.items()),
    "counts": tuple,
    "strengths": tuple,
    "leaders": tuple,
    "winners": tuple,
    "reasons": tuple,
}
"""How a field is read, by its name."""


def _kebab(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


_Fields = tuple[tuple[str, Callable[[Any], Any] | None, bool], ...]
_Types = Mapping[str, tuple[Any, _Fields]]


def _types(kinds: tuple[Any, ...]) -> _Types:
    return {_kebab(kind): (kind._make, _fields(kind)) for kind in kinds}


def _fields(kind: Any) -> _Fields:
    """Return each field's name, how it is read, and whether it may be left out."""
    hints = get_type_hints(kind)
    return tuple((name, READ.get(name), type(None) in get_args(hints[name])) for name in kind._fields)


EVENT_TYPES = _types(get_args(Event))
"""Every type of event by the name that its records bear."""

COMMAND_TYPES = _types(get_args(Command))
"""Every type of command by the name that its records bear."""

_NAMES_OF_TYPES = {kind: _kebab(kind) for kind in (*get_args(Event), *get_args(Command))}


def _to_record(value: Any) -> Record:
    record: Record = {"type": _NAMES_OF_TYPES[type(value)]}
    for name, field in zip(value._fields, value, strict=True):
        if field is not None:
            write = WRITE.get(name)
            record[name] = write(field) if write else field
    return record


def _from_record(types: _Types, record: Mapping[str, Any]) -> Any:
    try:
        make, fields = types[record["type"]]
        values = []
        for name, read, optional in fields:
            field = record.get(name)
            if field is not None:
                values.append(read(field) if read else field)
            elif optional:
                values.append(None)
            else:
                raise BadRecord(f"a record of {record['type']} names its {name}")
        return make(values)
    except (KeyError, TypeError, AttributeError) as error:
        raise BadRecord(f"not a record: {error!r}") from error
