"""Standing orders as values, and what they come to in a position.

A function of the orders and of the seat's own view: what the seat does not know decides nothing. Nothing here asks who
stores orders, and nothing is drawn by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine import (
    Command,
    DiscardHand,
    KeepHand,
    Pass,
    PlayCard,
    View,
    command_from_record,
    command_to_record,
)
from engine.cards import Hand
from engine.phase_names import BATTLE, KEEP_OR_DISCARD

KEEP, DISCARD = "keep", "discard"
AFTER_BATTLE = (KEEP, DISCARD)
"""What an order may answer to the question after each battle."""
ASK, PASS = "ask", "pass"
THEN = (ASK, PASS)
"""What an order to lay cards may do while the seat leads."""

BATTLE_OVER = "battle-over"
ALREADY_PASSED = "already-passed"
NOT_IN_HAND = "card-not-in-hand"
NOT_LEGAL = "not-legal"
OUT_OF_CARDS = "out-of-cards"
FAILED = (BATTLE_OVER, ALREADY_PASSED, NOT_IN_HAND, NOT_LEGAL, OUT_OF_CARDS)
"""Why an order is cancelled: how its premise has failed."""


class PassAlways(NamedTuple):
    """Pass for the rest of this battle."""


class PassIfExceeds(NamedTuple):
    """Once: pass if the strongest row of all exceeds a strength, else lay this card."""

    strength: int
    otherwise: PlayCard


class LayUntilLead(NamedTuple):
    """Lay these cards in order, one a turn, while the seat does not lead; `then` is what it does while it leads."""

    cards: tuple[PlayCard, ...]
    then: str


BattleOrder = PassAlways | PassIfExceeds | LayUntilLead


class Orders(NamedTuple):
    """What stands for one seat: an answer after every battle, and an order for one battle, its premise."""

    after_battle: str | None = None
    battle: BattleOrder | None = None
    given_in: tuple[int, int] | None = None
    """The battle that `battle` is for, as `battle_of` has it."""


Entry = dict[str, Any]
"""What has become of an order: the game's `version`, the `order`, what `happened` and the `move` or the `reason`."""


class Standing(NamedTuple):
    """The orders of one seat.

    `version` counts their changes; `history` has the last entry last; `since` is the game's version at the last change.
    `lost`: the log has withdrawn them, and nobody has noted it yet. `keys` are those of the requests that gave them
    last, where they had any.
    """

    seat: int
    version: int
    orders: Orders
    history: list[Entry]
    since: int
    lost: bool = False
    keys: Sequence[str] = ()


class Cancelled(NamedTuple):
    """An order that stands no more because its premise has failed: its type, and which of `FAILED`."""

    order: str
    reason: str


class Answer(NamedTuple):
    """A move that orders make: the type of the order that makes it, and what stands afterwards."""

    command: Command
    order: str
    left: Orders


def battle_of(view: View) -> tuple[int, int]:
    """Return what tells a battle from every other one of a log: games of the match and battles that are over."""
    return view.games, view.battles


def settle(orders: Orders, view: View) -> tuple[Orders, Cancelled | None]:
    """Return what stands in a position, and the order that is cancelled there.

    To pass until its battle is over is all that such an order was for: it ends without a word.
    """
    reason = None if orders.battle is None else _failed(orders.battle, orders.given_in, view)
    if orders.battle is None or reason is None:
        return orders, None
    fulfilled = isinstance(orders.battle, PassAlways)
    return Orders(orders.after_battle), None if fulfilled else Cancelled(type_of(orders.battle), reason)


def answer(orders: Orders, view: View) -> Answer | None:
    """Return the move that a seat's orders make in a position, as the seat sees it; None where they say nothing.

    >>> from engine import DEFAULT, RandomChance, replay, start, view_for
    >>> from random import Random
    >>> state = replay(start(DEFAULT, 3, RandomChance(Random(1))))
    >>> answer(Orders(KEEP), view_for(state, state.turn))
    """
    left, _ = settle(orders, view)
    if view.seat is None or view.turn != view.seat:
        return None
    if view.phase == KEEP_OR_DISCARD and left.after_battle is not None:
        return Answer(_after_battle(left.after_battle, view), "after-battle", left)
    # What is left for a battle is for this one, and legal.
    command = None if left.battle is None else _next(left.battle, view)
    if left.battle is None or command is None:
        return None
    return Answer(command, type_of(left.battle), _after(command, left))


def leads(view: View) -> bool:
    """Tell whether the seat's row is stronger than every other one, by what lies face up."""
    assert view.seat is not None
    others = _strengths(view)
    own = others.pop(view.seat)
    return own > max(others)


def _failed(order: BattleOrder, given_in: tuple[int, int] | None, view: View) -> str | None:
    """Return why the premise of an order has failed, None where it has not."""
    if view.phase != BATTLE or given_in != battle_of(view):
        return BATTLE_OVER
    if view.seat in view.passed:
        return ALREADY_PASSED
    if view.turn != view.seat:
        return None
    if order == LayUntilLead((), PASS) and not leads(view):
        return OUT_OF_CARDS
    command = _next(order, view)
    if isinstance(command, PlayCard) and command not in view.legal:
        return NOT_LEGAL if _hand(view)[command.card] else NOT_IN_HAND
    return None


def _next(order: BattleOrder, view: View) -> Pass | PlayCard | None:
    """Return what an order says at its seat's turn in its battle, None where it rests. What it needs is there."""
    assert view.seat is not None
    match order:
        case PassIfExceeds(strength, otherwise) if max(_strengths(view)) <= strength:
            return otherwise
        case LayUntilLead(cards, _) if not leads(view):
            return cards[0]
        case LayUntilLead(_, then) if then == ASK:
            return None
    return Pass(view.seat)


def _after(command: Pass | PlayCard, orders: Orders) -> Orders:
    """Return what stands after the move that an order has made."""
    match orders.battle:
        case LayUntilLead(cards, then) if isinstance(command, PlayCard):
            if len(cards) > 1 or then == PASS:
                return orders._replace(battle=LayUntilLead(cards[1:], then))
        case PassAlways() | LayUntilLead():
            return orders
    return Orders(orders.after_battle)


def _after_battle(wanted: str, view: View) -> KeepHand | DiscardHand:
    """A hand that may not be discarded is kept."""
    assert view.seat is not None
    discard = DiscardHand(view.seat)
    return discard if wanted == DISCARD and discard in view.legal else KeepHand(view.seat)


def _strengths(view: View) -> list[int]:
    return [sum(line.amount for line in lines) for lines in view.strengths()]


def _hand(view: View) -> Hand:
    assert view.seat is not None
    hand = view.hands[view.seat]
    assert not isinstance(hand, int), "a seat knows its own hand"
    return hand


# Before they stand


def plays_of(order: BattleOrder | None) -> tuple[PlayCard, ...]:
    """Return the cards that an order names, in the order in which they would be laid."""
    match order:
        case PassIfExceeds(_, otherwise):
            return (otherwise,)
        case LayUntilLead(cards, _):
            return cards
    return ()


def missing(plays: tuple[PlayCard, ...], view: View) -> int | None:
    """Return the kind of the first card that the seat will not have when it is to lay it; None where it has them all.

    What a scarecrow takes back comes to the hand, and may be laid after it.
    """
    held = list(_hand(view))
    for play in plays:
        held[play.card] -= 1
        if held[play.card] < 0:
            return play.card
        if play.take is not None:
            held[play.take] += 1
    return None


# Orders as plain dicts

_TYPES: Mapping[type, str] = {PassAlways: "pass", PassIfExceeds: "pass-if-exceeds", LayUntilLead: "lay-until-lead"}


def type_of(order: BattleOrder | None) -> str:
    """Return the name of an order's type."""
    return _TYPES[type(order)]


def to_record(orders: Orders) -> dict[str, Any]:
    """Return orders as a plain dict: what is asked for and what is shown.

    >>> to_record(Orders(KEEP, PassAlways(), (0, 4)))
    {'after_battle': 'keep', 'battle': {'type': 'pass'}}
    """
    return {"after_battle": orders.after_battle, "battle": _battle_to_record(orders.battle)}


def show_orders(standing: Standing) -> dict[str, Any]:
    """Return a seat's standing orders, for its player alone."""
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
    """Return the orders of a seat that a dict records, for this battle if they are for any. Raises: BadRecord."""
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
    assert isinstance(command, PlayCard), "the schema takes no other command"
    return command
