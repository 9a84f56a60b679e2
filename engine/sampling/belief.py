"""A seat's belief: the public part of a position and all cases, updated with each event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Any

from ..cards import KINDS
from ..events import (
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardTakenBack,
    CardTurnedUp,
    DiscardReshuffled,
    Event,
    HandDiscarded,
    HandsDealt,
    RoundEnded,
)
from ..evolve import FOLDS
from ..state import NO_CARD, State
from .cases import Case, after_shuffle, merged, thinned
from .pools import Held, Pool, spread

if TYPE_CHECKING:
    from random import Random

    from ..cards import Pile
    from ..events import Cards
    from ..views import View

MOST_CASES = 512
"""The maximum number of cases in a belief. If an event leads to more cases, a random selection of them is kept."""

FEW_CASES = 16
"""The number of cases that are kept when there are too many."""

_IMPOSSIBLE = "the history does not lead to the hands of the view"


class Belief:
    """What a seat knows: the public part of the position, and the cases that agree with the events so far.

    `exact` becomes False when cases are left out, and True again after a shuffle during which no other seat has cards.
    """

    def __init__(self, view: View, random: Random) -> None:
        self._view, self._seat, self._random = view, view.seat, random
        self._edition = view.edition
        seats = len(view.hands)
        self._public = State(view.edition, seats)
        self._public.gone = sum(1 << seat for seat in view.gone)
        self.cases = [Case(1.0, [Pool(list(deck), [0] * seats) for deck in self._public.decks], [()] * seats)]
        self.exact = True

    def follow(self, history: Sequence[Event]) -> State:
        """Apply all events, and return the position without the cards in the decks and in other seats' hands.

        Raises: ValueError if the events do not lead to the view's hands.
        """
        for event in history:
            handler = _HANDLERS.get(type(event))
            if handler is None:
                FOLDS[type(event)](self._public, event)
            else:
                handler(self, event)
        self._weigh()
        public, view = self._public, self._view
        numbers = map(sum, zip(*[pool.hands for pool in self.cases[0].pools], strict=True))
        hands = [hand if seat == self._seat else [0] * KINDS for seat, hand in enumerate(public.hands)]
        if view.hands != tuple([tuple(hands[s]) if s == self._seat else number for s, number in enumerate(numbers)]):
            raise ValueError(_IMPOSSIBLE)
        public.hands = hands
        public.decks = [[0] * KINDS for _ in public.decks]
        public.passed = sum(1 << seat for seat in view.passed)
        public.games, public.points = view.games, view.points
        return public

    # Cards are dealt, drawn and shuffled

    def _hands_dealt(self, event: HandsDealt) -> None:
        self._public.draws = event.draw + 1
        for seat, cards in enumerate(event.hands):
            self._draw(seat, cards)

    def _cards_drawn(self, event: CardsDrawn) -> None:
        if event.draw is not None:
            self._public.draws = event.draw + 1
        self._public.answered |= 1 << event.seat
        self._draw(event.seat, event.cards)

    def _draw(self, seat: int, cards: Cards) -> None:
        deck = seat if self._edition.deck_each else 0
        if isinstance(cards, int):
            for case in self.cases:
                case.pools[deck].hands[seat] += cards
            return
        for kind in spread(cards):
            self._branch(partial(Case.drawn, deck=deck, kind=kind))
            self._public.hands[seat][kind] += 1

    def _shuffled(self, event: DiscardReshuffled | RoundEnded) -> None:
        self._weigh()
        FOLDS[type(event)](self._public, event)
        unseen, seats = self._unseen(), self._public.seats
        cases, most = merged(self.cases), self._most_cases()
        few = ceil(FEW_CASES / len(cases))
        after: dict[tuple[Held, ...], float] = {}
        for case in cases:
            possible, exact = case.held(most, few, self._random)
            self.exact &= exact
            for weight, held in possible:
                after[held] = after.get(held, 0.0) + weight
        if [*after] == [()]:
            self.exact = True
        self.cases = [after_shuffle(weight, held, unseen, seats) for held, weight in after.items()]
        self._settle()

    # Cards are laid

    def _card_played(self, event: CardPlayed) -> None:
        if event.seat != self._seat:
            self._branch(partial(Case.laid, seat=event.seat, kind=event.card))
        FOLDS[CardPlayed](self._public, event)

    def _card_taken_back(self, event: CardTakenBack) -> None:
        FOLDS[CardTakenBack](self._public, event)
        if event.seat != self._seat:
            for case in self.cases:
                case.taken_back(event.seat, event.card)

    def _card_laid_face_down(self, event: CardLaidFaceDown) -> None:
        if event.card is None:
            self._branch(partial(Case.laid_face_down, seat=event.seat, kinds=self._edition.face_down))
            self._public.laid |= 1 << event.seat
            self._public.stalls = 0
        else:
            FOLDS[CardLaidFaceDown](self._public, event)

    def _card_turned_up(self, event: CardTurnedUp) -> None:
        if event.seat != self._seat:
            self._branch(partial(Case.turned_up, seat=event.seat, kind=event.card))
        FOLDS[CardTurnedUp](self._public, event)

    # Cards are discarded

    def _hand_discarded(self, event: HandDiscarded) -> None:
        if not isinstance(event.cards, int):
            FOLDS[HandDiscarded](self._public, event)
            return
        self._public.answered |= 1 << event.seat
        if event.cards < sum([pool.hands[event.seat] for pool in self.cases[0].pools]):
            self._branch(partial(Case.some_discarded, seat=event.seat, number=event.cards))
        else:
            for case in self.cases:
                case.hand_discarded(event.seat, barren=not event.forced)

    # Cases

    def _branch(self, step: Callable[[Case], Iterable[Case]]) -> None:
        """Replace each case with the cases that follow from it."""
        following = [*chain.from_iterable(map(step, self.cases))]
        self.cases = following or [*step(self._forget())]
        if not self.cases:
            raise ValueError(_IMPOSSIBLE)
        self._settle()

    def _settle(self) -> None:
        """Make the weights add up to 1, and limit the number of cases.

        If there are too many cases, merge equal cases. If there are still too many cases, keep a random selection of
        the cases.
        """
        if len(self.cases) == 1:
            self.cases[0].weight = 1.0
            return
        most = self._most_cases()
        if len(self.cases) > most:
            self.cases = merged(self.cases)
        total = sum([case.weight for case in self.cases])
        for case in self.cases:
            case.weight /= total
        if len(self.cases) > most:
            self.exact = False
            self.cases = thinned(self.cases, FEW_CASES, self._random.random())

    def _most_cases(self) -> int:
        return MOST_CASES if self.exact else 2 * FEW_CASES

    def _weigh(self) -> None:
        """Multiply each weight by the probability that every bound card (see `Pool.bound`) has a possible kind."""
        if len(self.cases) == 1 and self.exact:
            return
        for case in self.cases:
            case.weight *= case.likelihood(self._edition.face_down)
        self.cases = [case for case in self.cases if case.weight] or [self._forget()]
        self._settle()

    def _forget(self) -> Case:
        """Return a case to use when no case agrees with the events, because the true case was left out."""
        self.exact = False
        return self.cases[0].forgetful(self._unseen())

    def _unseen(self) -> Pile:
        """Return the cards that the seat neither sees now nor has seen in the discard."""
        public = self._public
        seen = [*public.rows, public.discard]
        if self._seat is not None:
            face_down = public.hidden[self._seat]
            seen += [public.hands[self._seat], [face_down.count(kind) for kind in range(KINDS)]]
        unseen = [printed - sum(counts) for printed, *counts in zip(self._edition.deck, *seen, strict=True)]
        if public.season != NO_CARD:
            unseen[public.season] -= 1
        return unseen


_HANDLERS: dict[type, Callable[[Belief, Any], None]] = {
    HandsDealt: Belief._hands_dealt,
    CardsDrawn: Belief._cards_drawn,
    DiscardReshuffled: Belief._shuffled,
    RoundEnded: Belief._shuffled,
    CardPlayed: Belief._card_played,
    CardTakenBack: Belief._card_taken_back,
    CardLaidFaceDown: Belief._card_laid_face_down,
    CardTurnedUp: Belief._card_turned_up,
    HandDiscarded: Belief._hand_discarded,
}
"""The handler of each type of event that changes what a seat knows about hidden cards, or that may hide cards."""
