"""Drawing: after a battle seats draw from the deck, by choice or because everybody does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..cards import NOTHING
from ..commands import DrawCards
from ..errors import Refusal
from ..events import CardsDrawn, DiscardReshuffled, HandsDealt, RowsDiscarded, TurnStarted
from ..phase_names import DRAW_CARDS
from ..rules.deal import as_far_as_the_deck_goes, most_to_draw
from ..rules.order import clockwise_from, seats_with_cards
from .phase import Phase
from .sequence import resume_from

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..edition import Drawing
    from ..events import Event
    from ..state import State


def each_seat_draws_up(state: State, chance: Chance) -> Iterator[Event]:
    """Every seat fills its hand from its own deck, as far as that goes."""
    for seat in clockwise_from(state.seats, state.marker):
        count = min(state.edition.hand_size - sum(state.hands[seat]), sum(state.deck_of(seat)))
        if count > 0:
            yield _drawn(state, chance, seat, count, count)


def each_seat_may_draw(state: State, chance: Chance) -> Iterator[Event]:
    """Ask the next seat with room in its hand; where nobody has a card, everybody is dealt a full hand instead."""
    drawing = _drawing(state)
    if not seats_with_cards(state):
        yield RowsDiscarded()
        yield DiscardReshuffled()
        yield _dealt(state, chance, _full_hands(state, drawing))
        return
    for seat in clockwise_from(state.seats, state.marker):
        if not (state.answered | state.gone) >> seat & 1 and most_to_draw(state, seat, drawing):
            yield TurnStarted(seat, DRAW_CARDS)
            return


def each_seat_may_draw_the_deck_first(state: State, chance: Chance) -> Iterator[Event]:
    """Ask the next seat with room in its hand; where nobody has a card, everybody is dealt a full hand instead.

    That comes from the deck, and only where the deck runs out are the rows discarded and the discard reshuffled.
    """
    if seats_with_cards(state):
        yield from each_seat_may_draw(state, chance)
        return
    sizes = _full_hands(state, _drawing(state))
    first = as_far_as_the_deck_goes(state, sizes)
    if any(first):
        yield _dealt(state, chance, first)
    if first != sizes:
        yield RowsDiscarded()
        yield DiscardReshuffled()
        yield _dealt(state, chance, [size - dealt for size, dealt in zip(sizes, first, strict=True)])


ASKING = (each_seat_may_draw, each_seat_may_draw_the_deck_first)
"""The steps that put this question: an edition has one of them."""


def legal(state: State) -> list[Command]:
    """One command for each number of cards, none included."""
    most = most_to_draw(state, state.turn, _drawing(state))
    return [_draw(state.turn, count) for count in range(most + 1)]


def check(state: State, command: DrawCards) -> None:
    """Refuse more cards than may be drawn."""
    most = most_to_draw(state, command.seat, _drawing(state))
    if not 0 <= command.number <= most:
        raise Refusal("too-many-drawn", f"seat {command.seat} may draw 0 to {most} cards now", "number")


def decide(state: State, command: DrawCards, chance: Chance) -> Iterator[Event]:
    """The cards are drawn, the discard reshuffled where the deck runs out, and the next seat is asked."""
    seat, count = command.seat, command.number
    at_hand = min(count, sum(state.deck_of(seat)))
    yield _drawn(state, chance, seat, at_hand, count)
    if at_hand < count:
        yield DiscardReshuffled()
        yield _drawn(state, chance, seat, count - at_hand, count - at_hand)
    yield from resume_from(ASKING, state, chance)


def _drawn(state: State, chance: Chance, seat: int, count: int, number: int) -> CardsDrawn:
    """Draw `count` cards of the `number` that are to be drawn."""
    if not count:
        return CardsDrawn(seat, NOTHING, None, number)
    (cards,) = chance.deal(state.draws, state.deck_of(seat), (count,))
    return CardsDrawn(seat, cards, state.draws, number)


def _full_hands(state: State, drawing: Drawing) -> list[int]:
    return [0 if state.gone >> seat & 1 else drawing.limit for seat in range(state.seats)]


def _dealt(state: State, chance: Chance, sizes: Sequence[int]) -> HandsDealt:
    return HandsDealt(chance.deal(state.draws, state.deck_of(0), sizes), state.draws)


def _drawing(state: State) -> Drawing:
    assert state.edition.drawing, "the edition says how cards are drawn"
    return state.edition.drawing


@cache
def _draw(seat: int, count: int) -> DrawCards:
    return DrawCards(seat, count)


DRAWING = Phase((DrawCards,), legal, check, decide, partial(resume_from, ASKING))
