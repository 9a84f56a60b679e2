"""Standing orders as values, and as the plain dicts in requests, responses and the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine import (
    PlayCard,
    command_from_record,
    command_to_record,
)

KEEP, DISCARD = "keep", "discard"
AFTER_BATTLE = (KEEP, DISCARD)
"""The choices after each battle."""
ASK, PASS = "ask", "pass"
THEN = (ASK, PASS)
"""The choices for an order to lay cards: what to do while the seat leads."""


class PassAlways(NamedTuple):
    """Pass for the rest of this battle."""


class PassIfExceeds(NamedTuple):
    """An order for one turn: pass if the strongest row exceeds the given strength, and otherwise lay the given card."""

    strength: int
    otherwise: PlayCard


class LayUntilLead(NamedTuple):
    """Lay these cards in order, one per turn, while the seat does not lead.

    `then` says what to do while the seat leads.
    """

    cards: tuple[PlayCard, ...]
    then: str


BattleOrder = PassAlways | PassIfExceeds | LayUntilLead


class Orders(NamedTuple):
    """The orders of one seat: the choice after every battle, and an order for one battle."""

    after_battle: str | None = None
    battle: BattleOrder | None = None
    given_in: tuple[int, int] | None = None
    """The id (see `battle_of`) of the battle for which the `battle` order was given."""


Entry = dict[str, Any]
"""An entry of the history: the game's `version`, the `order`, what `happened`, and the `move` or the `reason`."""


class Standing(NamedTuple):
    """The orders of one seat, with their history.

    `version` is the number of changes to the orders. `history` begins with the oldest entry. `since` is the game's
    version at the last change. `withdrawn` is true if an event in the log has withdrawn the orders, but the history
    does not record the withdrawal yet. `keys` are the Idempotency-Keys of the last requests that gave orders.
    """

    seat: int
    version: int
    orders: Orders
    history: list[Entry]
    since: int
    withdrawn: bool = False
    keys: Sequence[str] = ()


def plays_of(order: BattleOrder | None) -> tuple[PlayCard, ...]:
    """Return the plays that an order would make, first play first."""
    match order:
        case PassIfExceeds(_, otherwise):
            return (otherwise,)
        case LayUntilLead(cards, _):
            return cards
    return ()


# Orders as plain dicts

_TYPES: Mapping[type, str] = {PassAlways: "pass", PassIfExceeds: "pass-if-exceeds", LayUntilLead: "lay-until-lead"}


def type_of(order: BattleOrder | None) -> str:
    """Return the name of an order's type."""
    return _TYPES[type(order)]


def to_record(orders: Orders) -> dict[str, Any]:
    """Return orders as a plain dict, in the form that requests and responses use.

    >>> to_record(Orders(KEEP, PassAlways(), (0, 4)))
    {'after_battle': 'keep', 'battle': {'type': 'pass'}}
    """
    return {"after_battle": orders.after_battle, "battle": _battle_to_record(orders.battle)}


def show_orders(standing: Standing) -> dict[str, Any]:
    """Return a seat's standing orders as JSON, for its player only."""
    return {
        "seat": standing.seat,
        "version": standing.version,
        **to_record(standing.orders),
        "history": standing.history,
    }


def _battle_to_record(order: BattleOrder | None) -> dict[str, Any] | None:
    if order is None:
        return None
    record: dict[str, Any] = {"type": type_of(order)}
    match order:
        case PassIfExceeds(strength, otherwise):
            record |= {"strength": strength, "otherwise": command_to_record(otherwise)}
        case LayUntilLead(cards, then):
            record |= {"cards": [command_to_record(play) for play in cards], "then": then}
    return record


def from_record(record: Mapping[str, Any], seat: int, given_in: tuple[int, int] | None) -> Orders:
    """Return the orders that a dict contains. Raises: BadRecord.

    `given_in` is the id of the battle for which a battle order is given.
    """
    battle = _battle_from_record(record["battle"], seat)
    return Orders(record["after_battle"], battle, None if battle is None else given_in)


def _battle_from_record(record: Mapping[str, Any] | None, seat: int) -> BattleOrder | None:
    if record is None:
        return None
    match record["type"]:
        case "pass":
            return PassAlways()
        case "pass-if-exceeds":
            return PassIfExceeds(record["strength"], _play(record["otherwise"], seat))
    return LayUntilLead(tuple(_play(play, seat) for play in record["cards"]), record["then"])


def _play(record: Mapping[str, Any], seat: int) -> PlayCard:
    command = command_from_record(record, seat)
    assert isinstance(command, PlayCard), "the schema accepts no other command"
    return command
