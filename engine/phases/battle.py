"""The battle: seats lay one card at a time, or pass, until all have passed or a card ends it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ..cards import NAMES
from ..commands import Pass, PlayCard
from ..errors import Refusal
from ..events import CardPlayed, SeatPassed, TurnStarted
from ..moments import BATTLE
from ..rules.order import clockwise_from, next_to_play
from ..rules.specials import nothing_to_name, plain_play
from .aftermath import end_battle
from .phase import Phase

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


def begin_battle(state: State, chance: Chance) -> Iterator[Event]:
    """Seats with an empty hand pass; the first of the others, from the marker's holder on, begins."""
    for seat in clockwise_from(state.seats, state.marker):
        if not any(state.hands[seat]):
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, (state.marker - 1) % state.seats)


def legal(state: State) -> list[Command]:
    """Pass, and every card in hand with everything that may be named with it."""
    seat = state.turn
    specials = state.edition.specials
    commands: list[Command] = [_pass(seat)]
    for kind, count in enumerate(state.hands[seat]):
        if count:
            special = specials.get(kind)
            offered = special.offers(state, seat) if special else None
            if offered:
                commands += offered
            else:
                commands.append(plain_play(seat, kind))
    return commands


def check(state: State, command: Pass | PlayCard) -> None:
    """Refuse a card that is not in hand, or something named with it that may not be."""
    if isinstance(command, Pass):
        return
    seat, card = command.seat, command.card
    if not state.hands[seat][card]:
        raise Refusal("card-not-in-hand", f"no {NAMES[card]} is in the hand of seat {seat}", "card")
    special = state.edition.specials.get(card)
    offered = (special and special.offers(state, seat)) or (plain_play(seat, card),)
    if command not in offered:
        refusal = special.refusal if special else nothing_to_name
        raise Refusal(*refusal(state, command))


def decide(state: State, command: Pass | PlayCard, chance: Chance) -> Iterator[Event]:
    """The card or the pass, what follows from it, and whose turn it is then."""
    seat = command.seat
    if isinstance(command, Pass):
        yield SeatPassed(seat, final=state.edition.pass_is_final(state, seat), forced=False)
    else:
        special = state.edition.specials.get(command.card)
        place = special.place if special else "row"
        yield CardPlayed(seat, command.card, place, command.take, command.take_from, command.favor)
        if special:
            yield from special.effect(state, command)
            if special.ends:
                yield from end_battle(state, chance, special.ends)
                return
        if not any(state.hands[seat]):
            yield SeatPassed(seat, final=True, forced=True)
    yield from _next_turn(state, chance, seat)


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
