"""Drawing after a battle: each seat chooses how many cards to draw, or the engine fills all hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..cards import NOTHING
from ..commands import DrawCards
from ..errors import Refusal
from ..events import CardsDrawn, DiscardReshuffled, HandsDealt, RowsDiscarded, TurnStarted
from ..phase_names import DRAW_CARDS
from ..rules.deal import limit_to_deck, max_draw_count
from ..rules.order import clockwise_from, seats_with_cards
from .phase import Phase
from .sequence import resume_from

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..edition import Drawing
    from ..events import Event
    from ..state import State


def draw_full_hands(state: State, chance: Chance) -> Iterator[Event]:
    """Draw from each seat's deck until the seat's hand is full or the deck is empty."""
    for seat in clockwise_from(state.seats, state.marker):
        count = min(state.edition.hand_size - sum(state.hands[seat]), sum(state.deck_of(seat)))
        if count > 0:
            yield _draw_event(state, chance, seat, count, count)


def ask_to_draw(state: State, chance: Chance) -> Iterator[Event]:
    """Ask the next seat with room in its hand to draw. If no seat has cards, deal every seat a full hand instead.

    Before dealing full hands, discard the rows and reshuffle the discard.
    """
    drawing = _drawing(state)
    if not seats_with_cards(state):
        yield RowsDiscarded()
        yield DiscardReshuffled()
        yield _deal_event(state, chance, _full_hands(state, drawing))
        return
    for seat in clockwise_from(state.seats, state.marker):
        if not (state.answered | state.gone) >> seat & 1 and max_draw_count(state, seat, drawing):
            yield TurnStarted(seat, DRAW_CARDS)
            return


def ask_to_draw_from_deck_first(state: State, chance: Chance) -> Iterator[Event]:
    """Ask the next seat with room in its hand to draw. If no seat has cards, deal every seat a full hand instead.

    The rows are discarded, and the discard is reshuffled, only if the deck runs out during this deal.
    """
    if seats_with_cards(state):
        yield from ask_to_draw(state, chance)
        return
    sizes = _full_hands(state, _drawing(state))
    first = limit_to_deck(state, sizes)
    if any(first):
        yield _deal_event(state, chance, first)
    if first != sizes:
        yield RowsDiscarded()
        yield DiscardReshuffled()
        yield _deal_event(state, chance, [size - count for size, count in zip(sizes, first, strict=True)])


QUESTION_STEPS = (ask_to_draw, ask_to_draw_from_deck_first)
"""The steps that can start this phase. An edition has one of these steps."""


def legal(state: State) -> list[Command]:
    """Return one command for each number of cards that may be drawn, including 0."""
    most = max_draw_count(state, state.turn, _drawing(state))
    return [_draw_command(state.turn, count) for count in range(most + 1)]


def check(state: State, command: DrawCards) -> None:
    """Reject a draw of more cards than allowed."""
    most = max_draw_count(state, command.seat, _drawing(state))
    if not 0 <= command.number <= most:
        raise Refusal("too-many-drawn", f"seat {command.seat} may draw 0 to {most} cards now", "number")


def decide(state: State, command: DrawCards, chance: Chance) -> Iterator[Event]:
    """Draw the cards and ask the next seat.

    If the deck runs out, reshuffle the discard and draw the remaining cards.
    """
    seat, count = command.seat, command.number
    available = min(count, sum(state.deck_of(seat)))
    yield _draw_event(state, chance, seat, available, count)
    if available < count:
        yield DiscardReshuffled()
        yield _draw_event(state, chance, seat, count - available, count - available)
    yield from resume_from(QUESTION_STEPS, state, chance)


def _draw_event(state: State, chance: Chance, seat: int, count: int, number: int) -> CardsDrawn:
    """Return the event that draws `count` cards.

    `number` is how many cards the seat should draw, which may be more than `count`.
    """
    if not count:
        return CardsDrawn(seat, NOTHING, None, number)
    (cards,) = chance.deal(state.draws, state.deck_of(seat), (count,))
    return CardsDrawn(seat, cards, state.draws, number)


def _full_hands(state: State, drawing: Drawing) -> list[int]:
    return [0 if state.gone >> seat & 1 else drawing.limit for seat in range(state.seats)]


def _deal_event(state: State, chance: Chance, sizes: Sequence[int]) -> HandsDealt:
    return HandsDealt(chance.deal(state.draws, state.deck_of(0), sizes), state.draws)


def _drawing(state: State) -> Drawing:
    assert state.edition.drawing, "only an edition with `drawing` asks seats to draw"
    return state.edition.drawing


@cache
def _draw_command(seat: int, count: int) -> DrawCards:
    return DrawCards(seat, count)


DRAW_CARDS_PHASE = Phase((DrawCards,), legal, check, decide, partial(resume_from, QUESTION_STEPS))
