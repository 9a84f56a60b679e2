"""The battle: seats take turns laying one card or passing, until all have passed or a card ends the battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING

from ..cards import KINDS, NAMES
from ..commands import Pass, PlayCard
from ..errors import BadRecord, Refusal
from ..events import CardLaidFaceDown, CardPlayed, CardTurnedUp, SeatPassed, TurnStarted
from ..phase_names import BATTLE
from ..rules.order import clockwise_from, next_to_play
from ..rules.specials import face_down_plays, pass_turn_up_refusal, plain_card_refusal, plain_play, turn_up_refusal
from .battle_end import end_battle
from .phase import Phase

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


def begin_battle(state: State, chance: Chance) -> Iterator[Event]:
    """Pass for seats without cards, then give the first turn to the holder of the battle marker.

    If the holder has passed, the first turn goes to the next seat clockwise that has not passed.
    """
    for seat in clockwise_from(state.seats, state.marker):
        if not any(state.hands[seat]) and not state.passed >> seat & 1:
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, (state.marker - 1) % state.seats)


def legal(state: State) -> list[Command]:
    """Return the legal passes, then every legal play of each card in hand.

    The pass that turns up no card comes first.
    """
    seat, not_plain = state.turn, state.edition.not_plain
    hand: Sequence[int] = state.hands[seat]
    if state.fighters:
        hand = [0 if kind in _barred_kinds(state) else count for kind, count in enumerate(hand)]
    commands: list[Command] = [*_passes(state)]
    for kind, play in compress(_plain_plays(seat), hand):
        if kind in not_plain:
            commands += _plays(state, seat, kind)
        else:
            commands.append(play)
    return commands


def check(state: State, command: Pass | PlayCard) -> None:
    """Reject a card that is not in the hand or may not be laid. Reject a play or a pass with an invalid choice."""
    if isinstance(command, Pass):
        if command not in _passes(state):
            raise Refusal(*pass_turn_up_refusal(command))
        return
    seat, card = state.turn, command.card
    if not 0 <= card < KINDS:
        raise BadRecord(f"there is no kind of card with the number {card}")
    if not state.hands[seat][card]:
        raise Refusal("card-not-in-hand", f"seat {seat} has no {NAMES[card]} in its hand", "card")
    if state.fighters and card in _barred_kinds(state):
        raise Refusal("card-barred", f"a {NAMES[card]} may not be laid in a final battle", "card")
    legal_plays = _plays(state, seat, card) if card in state.edition.not_plain else (plain_play(seat, card),)
    if command not in legal_plays:
        if command.turn_up not in {play.turn_up for play in legal_plays}:
            raise Refusal(*turn_up_refusal(state, command))
        special = state.edition.specials.get(card)
        refusal = special.refusal if special else plain_card_refusal
        raise Refusal(*refusal(state, command))


def decide(state: State, command: Pass | PlayCard, chance: Chance) -> Iterator[Event]:
    """Yield the event for the card or the pass, then its effects, then the next turn or the end of the battle."""
    seat = state.turn
    if isinstance(command, Pass):
        if command.turn_up is not None:
            yield CardTurnedUp(seat, command.turn_up, newest=False)
        yield SeatPassed(seat, final=state.edition.pass_is_final(state, seat), forced=False)
    else:
        _, card, take, take_from, favor, turn_up = command
        hidden = state.hidden[seat]
        special = state.edition.specials.get(card)
        if card in state.edition.face_down:
            yield CardLaidFaceDown(seat, card, turn_up)
        else:
            yield _card_played(seat, card, special.place if special else "row", take, take_from, favor)
        if hidden:
            newest = turn_up is not None and turn_up != hidden[0]
            yield CardTurnedUp(seat, card if newest else hidden[0], newest)
        if special:
            yield from special.effect(state, command)
            if special.ends:
                yield from end_battle(state, chance, special.ends)
                return
        if not any(state.hands[seat]):
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, seat)


def resume(state: State, chance: Chance) -> Iterable[Event]:
    """Restart the current seat's turn or, if that seat has resigned, start the next seat's turn."""
    return _next_turn(state, chance, (state.turn - 1) % state.seats)


def _passes(state: State) -> Sequence[Pass]:
    """Return the legal passes of the seat to act. At least one pass is always legal."""
    hidden = state.hidden[state.turn]
    if hidden and state.edition.pass_may_turn_up:
        return (_pass(state.turn), _pass_with_turn_up(state.turn, hidden[0]))
    return (_pass(state.turn),)


def _plays(state: State, seat: int, card: int) -> Sequence[PlayCard]:
    """Return the legal plays of a card that may need a choice. At least one play is always legal."""
    edition = state.edition
    if card in edition.face_down:
        return face_down_plays(state, seat, card)
    return edition.specials[card].offers(state, seat) or (plain_play(seat, card),)


def _barred_kinds(state: State) -> frozenset[int]:
    assert state.edition.final_battle, "only an edition with a final battle has fighters"
    return state.edition.final_battle.barred


def _next_turn(state: State, chance: Chance, after: int) -> Iterable[Event]:
    seat = next_to_play(state, after)
    return end_battle(state, chance, "passes") if seat is None else _turn(seat)


# Values that every turn needs. They are created only once.


@cache
def _pass(seat: int) -> Pass:
    return Pass(seat)


@cache
def _pass_with_turn_up(seat: int, card: int) -> Pass:
    return Pass(seat, card)


@cache
def _plain_plays(seat: int) -> tuple[tuple[int, PlayCard], ...]:
    return tuple((kind, plain_play(seat, kind)) for kind in range(KINDS))


_card_played = cache(CardPlayed)


@cache
def _turn(seat: int) -> tuple[TurnStarted]:
    return (TurnStarted(seat, BATTLE),)


BATTLE_PHASE = Phase((PlayCard, Pass), legal, check, decide, resume)
