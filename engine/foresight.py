"""Foresight: which events a command is certain to cause, given what the command's seat can see.

First, stand-in cards replace the cards that the seat does not see. The stand-in cards depend only on what the seat
sees, so a result computed from them cannot reveal a hidden card. The command is then carried out, up to its first draw,
in several stand-in positions. An event is certain if the seat would see the same event in all stand-in positions.

The rules look at a hidden card only when it is drawn or turned up. The first face-down card to be turned up has the
lowest possible kind in one stand-in position, and the highest possible kind in another. All stand-in positions
therefore show the same card only if the seat can deduce the card's kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from .cards import KINDS, MERCENARIES
from .decider import advance_to_draw, evolve
from .phase_names import SETUP
from .rules.order import clockwise_from
from .secrecy import seen_by
from .state import NO_CARD, NOBODY

if TYPE_CHECKING:
    from .cards import Pile
    from .commands import Command
    from .events import Event
    from .state import State

DRAW, HIDDEN_CARDS = "draw", "hidden-cards"

_UP = range(KINDS)
_SPECIALS = range(len(MERCENARIES), KINDS)
_ORDERS: Sequence[Sequence[int]] = (_UP, _UP[::-1], [*MERCENARIES[::-1], *_SPECIALS], [*_SPECIALS, *MERCENARIES])
"""The orders in which stand-in cards are dealt, one for each stand-in position. The first two orders are opposites."""


class Foresight(NamedTuple):
    """The events that a command is certain to cause, and the reason why no more events are certain.

    `events` are the certain events as the seat sees them. `stops` says why no more events are certain. `stops` is
    `draw` if a draw follows, `hidden-cards` if the next events depend on cards that the seat does not see, and None if
    the command causes no other events.

    `position` is a position after these events, in which stand-ins replace the cards that the seat does not see. If
    `stops` is not None, it is uncertain what the game will wait for next, so the position's `turn` is `NOBODY`, and its
    `phase` is `setup`.
    """

    events: tuple[Event, ...]
    stops: str | None
    position: State


def foresee(state: State, command: Command) -> Foresight:
    """Return the events that a command is certain to cause, given what its seat can see. The state does not change.

    The result depends only on what the seat sees. A Refusal also depends only on what the seat sees, and `advance`
    raises the same Refusal. Raises: Refusal, or BadRecord for a card or a region that does not exist.

    >>> from engine import DEFAULT, RandomChance, legal_commands, replay, start
    >>> from random import Random
    >>> state = replay(start(DEFAULT, 3, RandomChance(Random(1))))
    >>> certain = foresee(state, legal_commands(state)[0])
    >>> [type(event).__name__ for event in certain.events], certain.stops
    (['RegionChosen', 'TurnStarted'], None)
    """
    seat = command.seat
    assert 0 <= seat < state.seats, "only a seat at the table can give commands"
    first, *others = stand_ins(state, seat)
    chain, complete = advance_to_draw(first.copy(), command)
    seen = [seen_by(event, seat) for event in chain]
    certain, agreed = len(chain), True
    for other in others:
        other_chain, other_complete = advance_to_draw(other, command)
        same = _common_length(seen[:certain], [seen_by(event, seat) for event in other_chain])
        agreed = agreed and same == len(chain) == len(other_chain) and complete == other_complete
        certain = same
    position = evolve(first, *chain[:certain])
    if agreed and complete:
        return Foresight(tuple(seen), None, position)
    position.turn, position.phase = NOBODY, SETUP
    return Foresight(tuple(seen[:certain]), DRAW if agreed else HIDDEN_CARDS, position)


def stand_ins(state: State, seat: int) -> list[State]:
    """Return stand-in positions, which look like this position to a seat and depend only on what the seat sees.

    The cards that the seat does not see are the other seats' hands and face-down cards, the decks and the discard. The
    function reads only the number of cards in each of these places, never the cards themselves.
    """
    return [_stand_in(state, seat, order) for order in _ORDERS]


def _stand_in(state: State, seat: int, order: Sequence[int]) -> State:
    """Return a stand-in position, in which the unseen cards have been dealt kind by kind in the given order."""
    position = state.copy()
    unseen = _unseen_cards(state, seat)
    others = [owner for owner in clockwise_from(state.seats, state.marker) if owner != seat]
    # Face-down cards come first, in the order in which they are turned up, because only some kinds are laid face down.
    face_down = [kind for kind in order if kind in state.edition.face_down]
    for owner in others:
        position.hidden[owner] = tuple(_take(unseen, face_down, len(state.hidden[owner])))
    for owner in others:
        position.hands[owner] = _pile(_take(unseen, order, sum(state.hands[owner])))
    position.discard = _pile(_take(unseen, order, sum(state.discard)))
    position.decks = [_pile(_take(unseen, order, sum(deck))) for deck in state.decks]
    return position


def _unseen_cards(state: State, seat: int) -> Pile:
    """Count, by kind, all of the edition's cards that a seat does not see."""
    unseen = [count * len(state.decks) for count in state.edition.deck]
    for pile in (state.hands[seat], *state.rows):
        for kind in _UP:
            unseen[kind] -= pile[kind]
    for kind in state.hidden[seat]:
        unseen[kind] -= 1
    if state.season != NO_CARD:
        unseen[state.season] -= 1
    return unseen


def _take(pile: Pile, order: Sequence[int], number: int) -> list[int]:
    """Remove `number` cards from a pile, kind by kind in the given order, and return the kinds of the removed cards."""
    taken: list[int] = []
    for kind in order:
        count = min(pile[kind], number - len(taken))
        taken += [kind] * count
        pile[kind] -= count
    return taken


def _pile(kinds: Sequence[int]) -> Pile:
    return [kinds.count(kind) for kind in _UP]


def _common_length(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Return how many leading events the two sequences have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
