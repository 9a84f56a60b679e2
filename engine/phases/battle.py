"""The battle: seats lay one card at a time, or pass, until all have passed or a card ends it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from ..cards import NAMES
from ..commands import Pass, PlayCard
from ..errors import Refusal
from ..events import CardLaidFaceDown, CardPlayed, CardTurnedUp, SeatPassed, TurnStarted
from ..phase_names import BATTLE
from ..rules.order import clockwise_from, next_to_play
from ..rules.specials import face_down_plays, nothing_to_name, plain_play, turn_up_refused
from .battle_end import end_battle
from .phase import Phase

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


def the_battle_begins(state: State, chance: Chance) -> Iterator[Event]:
    """Seats with an empty hand pass; the first of the others, from the marker's holder on, begins."""
    for seat in clockwise_from(state.seats, state.marker):
        if not any(state.hands[seat]) and not state.passed >> seat & 1:
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, (state.marker - 1) % state.seats)


def legal(state: State) -> list[Command]:
    """Pass, and every card in hand with everything that may be named with it."""
    seat = state.turn
    barred = _barred(state)
    commands: list[Command] = [_pass(seat)]
    for kind, count in enumerate(state.hands[seat]):
        if count and kind not in barred:
            commands += _plays(state, seat, kind)
    return commands


def check(state: State, command: Pass | PlayCard) -> None:
    """Refuse a card that is not in hand or may not be laid, or something named with it that may not be."""
    if isinstance(command, Pass):
        return
    seat, card = command.seat, command.card
    if not state.hands[seat][card]:
        raise Refusal("card-not-in-hand", f"no {NAMES[card]} is in the hand of seat {seat}", "card")
    if card in _barred(state):
        raise Refusal("card-barred", f"a {NAMES[card]} may not be laid in a final battle", "card")
    offered = _plays(state, seat, card)
    if command not in offered:
        if command.turn_up not in {play.turn_up for play in offered}:
            raise Refusal(*turn_up_refused(state, command))
        special = state.edition.specials.get(card)
        refusal = special.refusal if special else nothing_to_name
        raise Refusal(*refusal(state, command))


def decide(state: State, command: Pass | PlayCard, chance: Chance) -> Iterator[Event]:
    """The card or the pass, what follows from it, and whose turn it is then."""
    seat = command.seat
    if isinstance(command, Pass):
        yield SeatPassed(seat, final=state.edition.pass_is_final(state, seat), forced=False)
    else:
        yield from _lay(state, command)
        special = state.edition.specials.get(command.card)
        if special:
            yield from special.effect(state, command)
            if special.ends:
                yield from end_battle(state, chance, special.ends)
                return
        if not any(state.hands[seat]):
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, seat)


def _plays(state: State, seat: int, card: int) -> Sequence[PlayCard]:
    """Return the plays of a card, which is in the seat's hand: one at least."""
    if card in state.edition.face_down:
        return face_down_plays(state, seat, card)
    special = state.edition.specials.get(card)
    return (special and special.offers(state, seat)) or (plain_play(seat, card),)


def _barred(state: State) -> Container[int]:
    final_battle = state.edition.final_battle
    return final_battle.barred if final_battle and state.fighters else ()


def _lay(state: State, play: PlayCard) -> Iterator[Event]:
    """The card is laid; where another one lies face down already, one is turned up."""
    seat, card = play.seat, play.card
    hidden = state.hidden[seat]
    if card in state.edition.face_down:
        yield CardLaidFaceDown(seat, card, play.turn_up)
    else:
        special = state.edition.specials.get(card)
        yield CardPlayed(seat, card, special.place if special else "row", play.take, play.take_from, play.favor)
    if hidden:
        newest = play.turn_up is not None and play.turn_up != hidden[0]
        yield CardTurnedUp(seat, card if newest else hidden[0], newest)


def _next_turn(state: State, chance: Chance, after: int) -> Iterator[Event]:
    seat = next_to_play(state, after)
    if seat is None:
        yield from end_battle(state, chance, "passes")
    else:
        yield TurnStarted(seat, BATTLE)


@cache
def _pass(seat: int) -> Pass:
    return Pass(seat)


FIGHTING = Phase((PlayCard, Pass), legal, check, decide)
