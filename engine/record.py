"""Records: events and commands as plain dicts, for logs, requests and responses.

A record has a `type` in kebab-case and one key per field. Fields that are None are left out. Cards and regions are
represented by their names. A set of cards is written as `{"count": n}`. If the cards are known, this dict also has a
`cards` member with one name per card.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args, get_type_hints

from .cards import KIND, KINDS, NAMES, SCARECROW, Hand, hand_of, names_of
from .commands import Command, PlayCard
from .errors import BadRecord
from .events import Cards, Event
from .italy import ITALY
from .values import short

Record = dict[str, Any]


def event_to_record(event: Event) -> Record:
    """Return an event as a plain dict.

    >>> from engine.events import RegionChosen
    >>> event_to_record(RegionChosen(seat=2, region=15))
    {'type': 'region-chosen', 'seat': 2, 'region': 'roma'}
    """
    return _to_record(event)


def event_from_record(record: Mapping[str, Any]) -> Event:
    """Return the event described by a dict. Raises: BadRecord."""
    return events_from_records([record])[0]


def events_from_records(records: Iterable[Mapping[str, Any]]) -> list[Event]:
    """Return the events described by a sequence of dicts, such as a log. Raises: BadRecord.

    >>> events_from_records([{"type": "region-chosen", "seat": 2, "region": "roma"}, {"type": "rows-discarded"}])
    [RegionChosen(seat=2, region=15), RowsDiscarded()]
    """
    current: object = None
    try:
        return [EVENT_TYPES[(current := record)["type"]](record) for record in records]
    except _UNREADABLE as error:
        raise BadRecord(_explain(current, "event", EVENT_TYPES, error)) from error


def command_to_record(command: Command) -> Record:
    """Return a command as a plain dict, without its seat.

    >>> command_to_record(PlayCard(0, 13, take=6, take_from=0))
    {'type': 'play-card', 'card': 'scarecrow', 'take': 'mercenary-10', 'take_from': 0}
    """
    record = _to_record(command)
    del record["seat"]
    return record


def command_from_record(record: Mapping[str, Any], seat: int) -> Command:
    """Return the command described by a dict, for this seat.

    If a scarecrow's play names a mercenary but no row, the mercenary comes from the seat's own row. Raises: BadRecord
    if the dict is not a valid command or has unknown members.

    >>> command_from_record({"type": "play-card", "card": "scarecrow", "take": "mercenary-10"}, seat=1)
    PlayCard(seat=1, card=13, take=6, take_from=1, favor=None, turn_up=None)
    >>> command_from_record({"type": "play-card", "card": "joker"}, seat=1)
    Traceback (most recent call last):
    engine.errors.BadRecord: play-card: card: there is no card 'joker'
    """
    if not isinstance(record, Mapping):
        raise BadRecord("a command must be a dict")
    fields = {**record, "seat": seat}
    try:
        command: Command = COMMAND_TYPES[fields["type"]](fields)
    except _UNREADABLE as error:
        raise BadRecord(_explain(fields, "command", COMMAND_TYPES, error)) from error
    unknown = [name for name in record if name not in command._fields and name != "type"]
    if unknown:
        raise BadRecord(f"{record['type']} has no member {short(unknown[0])}")
    if isinstance(command, PlayCard) and command.card == SCARECROW and command.take is not None:
        return command if command.take_from is not None else command._replace(take_from=seat)
    return command


def cards_to_record(cards: Cards) -> Record:
    """Return cards as a dict with `count` and `cards`, or with `count` alone if only the number of cards is known."""
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


def _integer(number: object) -> int:
    if type(number) is not int:
        raise TypeError("a seat or a count is a whole number")
    return number


def _hand_from_names(names: object) -> Hand:
    if not isinstance(names, list):
        raise TypeError("cards are listed by name")
    return hand_of(names)


WRITE: dict[str, Callable[[Any], Any]] = {
    "card": NAMES.__getitem__,
    "take": NAMES.__getitem__,
    "turn_up": NAMES.__getitem__,
    "keep": names_of,
    "region": lambda region: ITALY.regions[region].key,
    "favor": lambda region: ITALY.regions[region].key,
    "cards": cards_to_record,
    "hands": lambda hands: [cards_to_record(cards) for cards in hands],
    "options": dict,
    "counts": list,
    "strengths": list,
    "leaders": list,
    "fighters": list,
    "winners": list,
    "reasons": list,
    "gained": list,
    "points": list,
}
"""The function that writes a field, by the field's name. Other fields are written unchanged."""

READ: dict[str, Callable[[Any], Any]] = {
    "card": KIND.__getitem__,
    "take": KIND.__getitem__,
    "turn_up": KIND.__getitem__,
    "take_from": _integer,
    "number": _integer,
    "keep": _hand_from_names,
    "region": ITALY.index.__getitem__,
    "favor": ITALY.index.__getitem__,
    "cards": _cards_from_record,
    "hands": lambda hands: tuple(_cards_from_record(cards) for cards in hands),
    "options": lambda options: tuple(options.items()),
    "counts": tuple,
    "strengths": tuple,
    "leaders": tuple,
    "fighters": tuple,
    "winners": tuple,
    "reasons": tuple,
    "gained": tuple,
    "points": tuple,
}
"""The function that reads a field, by the field's name. Every function raises one of `_UNREADABLE` for None."""

_UNREADABLE = (KeyError, TypeError, AttributeError)
"""The exceptions that reading an invalid record can raise."""


def name_of_type(kind: type) -> str:
    """Return the `type` that an event or command class has in records.

    >>> name_of_type(PlayCard)
    'play-card'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


Reader = Callable[[Mapping[str, Any]], Any]
"""A function that builds a value from a record. Raises: KeyError, TypeError or AttributeError for an invalid record."""


def reader(kind: Any, read: Mapping[str, Callable[[Any], Any]]) -> Reader:
    """Return a function that builds a named tuple of type `kind` from a record.

    `read` maps each field's name to the function that reads the field. The source of the returned function is generated
    from the type's fields, as in `dataclasses`. Generated source is twice as fast as a loop over the fields, which
    matters because every request reads hundreds of records.

    >>> reader(PlayCard, {"card": KIND.__getitem__})({"seat": 0, "card": "drummer"})
    PlayCard(seat=0, card=8, take=None, take_from=None, favor=None, turn_up=None)
    """
    hints = get_type_hints(kind)
    fields = [_source(name, read=name in read, optional=type(None) in get_args(hints[name])) for name in kind._fields]
    known = {f"read_{name}": read[name] for name in kind._fields if name in read}
    source = f"lambda record: new(kind, ({''.join(f'{field}, ' for field in fields)}))"
    read_record: Reader = eval(source, {"new": tuple.__new__, "kind": kind, "missing": _missing, **known})
    return read_record


def _source(name: str, *, read: bool, optional: bool) -> str:
    """Return the source of an expression that reads a field from `record`.

    The expression raises an exception if a required field is missing or None.
    """
    if read and optional:
        return f"read_{name}(value) if (value := record.get({name!r})) is not None else None"
    if read:
        return f"read_{name}(record[{name!r}])"
    if optional:
        return f"record.get({name!r})"
    return f"value if (value := record[{name!r}]) is not None else missing({name!r})"


def _missing(name: str) -> Any:
    raise KeyError(name)


EVENT_TYPES: Mapping[str, Reader] = {name_of_type(kind): reader(kind, READ) for kind in get_args(Event)}
"""The reader of each type of event, by the `type` of its records."""

COMMAND_TYPES: Mapping[str, Reader] = {name_of_type(kind): reader(kind, READ) for kind in get_args(Command)}
"""The reader of each type of command, by the `type` of its records."""

_NAMES_OF_TYPES = {kind: name_of_type(kind) for kind in (*get_args(Event), *get_args(Command))}
_KINDS: Mapping[str, Any] = {name: kind for kind, name in _NAMES_OF_TYPES.items()}


def _to_record(value: Any) -> Record:
    record: Record = {"type": _NAMES_OF_TYPES[type(value)]}
    for name, field in zip(value._fields, value, strict=True):
        if field is not None:
            write = WRITE.get(name)
            record[name] = write(field) if write else field
    return record


# Messages about invalid records. They are built only after reading has failed.


_NO_CARD, _NO_REGION, _NO_NUMBER = "there is no card {}", "there is no region {}", "{} is not a whole number"
_VALUE_MESSAGES = {
    "card": _NO_CARD,
    "take": _NO_CARD,
    "turn_up": _NO_CARD,
    "take_from": _NO_NUMBER,
    "number": _NO_NUMBER,
    "region": _NO_REGION,
    "favor": _NO_REGION,
    "cards": "{} must have `count` or `cards`",
    "hands": "{} must be a list of hands, each with `count` or `cards`",
    "options": "{} is not a dict",
}
"""The message about an invalid value, by the name of its field. All fields not named here are lists."""


def _explain(record: object, what: str, types: Mapping[str, Reader], error: Exception) -> str:
    """Return an error message that names a record's invalid member.

    `error` is the exception that reading the record raised.
    """
    if not isinstance(record, Mapping):
        return "an event must be a dict"
    name = record.get("type")
    if name is None:
        return "type: missing"
    if not isinstance(name, str) or name not in types:
        return f"type: there is no {what} {short(name)}"
    kind = _KINDS[name]
    hints = get_type_hints(kind)
    for field in kind._fields:
        value = record.get(field)
        if value is None:
            if type(None) not in get_args(hints[field]):
                return f"{name}: {field}: missing"
        elif field in READ:
            try:
                READ[field](value)
            except _UNREADABLE:
                return f"{name}: {field}: {_explain_value(field, value)}"
    return f"not a valid record: {short(error)}"


def _explain_value(field: str, value: object) -> str:
    unknown = [card for card in value if card not in NAMES] if field == "keep" and isinstance(value, list) else []
    if unknown:
        return _NO_CARD.format(short(unknown[0]))
    return _VALUE_MESSAGES.get(field, "{} is not a list").format(short(value))
