"""Decisions: which move standing orders make in a position, or why they are cancelled.

An order's *premise* is the condition that must hold for the order to be followed. For example, the order's battle must
not have ended, and the seat must have the order's cards. If the premise fails, the order no longer applies.

The result depends only on the orders and on the seat's own view, so other seats' hidden cards do not affect it. This
module uses neither the store nor random numbers.
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
"""The reasons for cancelling an order. Each reason describes one way in which the order's premise can fail."""


class Cancellation(NamedTuple):
    """The cancellation of an order whose premise has failed: the order's type, and the reason (one of `FAILED`)."""

    order: str
    reason: str


class Answer(NamedTuple):
    """A move that orders make: its command, the type of the order that makes it, and the orders that remain."""

    command: Command
    order: str
    remaining: Orders


def battle_of(view: View) -> tuple[int, int]:
    """Return the current battle's id within a log: the number of finished games, and the number of finished battles."""
    return view.games, view.battles


def settle(orders: Orders, view: View) -> tuple[Orders, Cancellation | None]:
    """Return the orders that still apply in a position, and the cancellation of the battle order (None if it is not
    cancelled).

    A `PassAlways` order is fulfilled when its battle ends, so it is removed without a cancellation.
    """
    reason = None if orders.battle is None else _failed_premise(orders.battle, orders.given_in, view)
    if orders.battle is None or reason is None:
        return orders, None
    fulfilled = isinstance(orders.battle, PassAlways)
    return Orders(orders.after_battle), None if fulfilled else Cancellation(type_of(orders.battle), reason)


def answer(orders: Orders, view: View) -> Answer | None:
    """Return the move that a seat's orders make, given the seat's view, or None if no order applies.

    >>> from engine import DEFAULT, RandomChance, replay, start, view_for
    >>> from random import Random
    >>> state = replay(start(DEFAULT, 3, RandomChance(Random(1))))
    >>> answer(Orders(after_battle="keep"), view_for(state, state.turn))
    """
    remaining, _ = settle(orders, view)
    if view.seat is None or view.turn != view.seat:
        return None
    if view.phase == KEEP_OR_DISCARD and remaining.after_battle is not None:
        return Answer(_after_battle(remaining.after_battle, view), "after-battle", remaining)
    # `settle` has kept the battle order only if it is for this battle and its move is legal.
    command = None if remaining.battle is None else _next(remaining.battle, view)
    if remaining.battle is None or command is None:
        return None
    return Answer(command, type_of(remaining.battle), _after(command, remaining))


def leads(view: View) -> bool:
    """Return whether the seat's row is stronger than every other row, counting only face-up cards."""
    assert view.seat is not None
    strengths = _strengths(view)
    own = strengths.pop(view.seat)
    return own > max(strengths)


def _failed_premise(order: BattleOrder, given_in: tuple[int, int] | None, view: View) -> str | None:
    """Return why an order's premise has failed, or None if the premise still holds."""
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
    """Return the move that a battle order makes, or None if it makes none. It must be the seat's turn in the order's
    battle.
    """
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
    """Return the orders that remain after an order has made its move."""
    match orders.battle:
        case LayUntilLead(cards, then) if isinstance(command, PlayCard):
            if len(cards) > 1 or then == PASS:
                return orders._replace(battle=LayUntilLead(cards[1:], then))
        case PassAlways() | LayUntilLead():
            return orders
    return Orders(orders.after_battle)


def _after_battle(choice: str, view: View) -> KeepHand | DiscardHand:
    """Return the command for the seat's choice after a battle. A hand that may not be discarded is kept."""
    assert view.seat is not None
    discard = DiscardHand(view.seat)
    return discard if choice == DISCARD and discard in view.legal else KeepHand(view.seat)


def _strengths(view: View) -> list[int]:
    return [sum(line.amount for line in lines) for lines in view.strengths()]


def _hand(view: View) -> Hand:
    assert view.seat is not None
    hand = view.hands[view.seat]
    assert not isinstance(hand, int), "a seat's view must contain its own hand"
    return hand


def missing_card(plays: tuple[PlayCard, ...], view: View) -> int | None:
    """Return the first card that these plays need but the seat does not have, or None if no card is missing.

    A card that a scarecrow takes back returns to the hand and can be laid again.
    """
    hand = list(_hand(view))
    for play in plays:
        hand[play.card] -= 1
        if hand[play.card] < 0:
            return play.card
        if play.take is not None:
            hand[play.take] += 1
    return None
