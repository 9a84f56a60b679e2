"""What standing orders come to in a position: the move that they make, or why they are cancelled.

A function of the orders and of the seat's own view: what the seat does not know decides nothing. Nothing here asks who
stores orders, and nothing is drawn by chance.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Command, DiscardHand, KeepHand, Pass, PlayCard, View
from engine.cards import Hand
from engine.phase_names import BATTLE, KEEP_OR_DISCARD

from .values import ASK, DISCARD, PASS, BattleOrder, LayUntilLead, Orders, PassAlways, PassIfExceeds, type_of

BATTLE_OVER = "battle-over"
ALREADY_PASSED = "already-passed"
NOT_IN_HAND = "card-not-in-hand"
NOT_LEGAL = "not-legal"
OUT_OF_CARDS = "out-of-cards"
FAILED = (BATTLE_OVER, ALREADY_PASSED, NOT_IN_HAND, NOT_LEGAL, OUT_OF_CARDS)
"""Why an order is cancelled: how its premise has failed."""


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
    >>> answer(Orders(after_battle="keep"), view_for(state, state.turn))
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
