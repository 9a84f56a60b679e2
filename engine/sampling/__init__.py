"""Samples: positions that agree with everything a seat knows, with the unseen cards dealt at random.

Copies of a kind count as different physical cards. Every combination of a deal and hidden choices that agrees with the
history is equally likely, so samples ignore how likely a seat was to make its moves. A hidden choice is another seat's
choice of which cards to keep, discard or lay face down. A card that a scarecrow takes back is *located*:
everybody knows whose hand it is in, until it is discarded face down or shuffled. If a seat has a located copy of a card
and lays a copy of that card face up, the samples assume that the seat laid the located copy.

A seat's knowledge is a list of cases, each with a weight. In each case, the cards that the seat does not see are
divided into pools. The seat knows which cards are in a pool, and how many of them are at each place. All ways to deal a
pool's cards to these places are equally likely. Usually there is one case, with one pool for each deck and one pool for
each kind of located cards. However, cards that other seats hold while the discard is reshuffled stay in a separate
pool. There is one case for each possible set of cards in such a separate pool. When a seat with cards from such a pool
later lays a card, there is also a case for each pool that the card may have come from.

Samples are exactly uniform while the number of cases is at most `MOST_CASES`. This limit is never exceeded if the
edition has no face-down cards and no other seat has cards while the discard is reshuffled. If there are more cases,
about `FEW_CASES` of them are kept. The random choice of cases to keep preserves each case's expected weight. From then
on, samples are only approximately uniform, and `Knowledge.exact` is False. If none of the kept cases agrees with a
later event, the seat *forgets*: all cards that it does not see are merged into one pool. Samples are exact again after
a shuffle during which no other seat has cards.

Every sample agrees with the view, and contains each physical card exactly once.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from .belief import FEW_CASES, MOST_CASES, Belief
from .deals import Deal

if TYPE_CHECKING:
    from random import Random

    from ..events import Event
    from ..state import State
    from ..views import View

__all__ = ["FEW_CASES", "MOST_CASES", "Knowledge", "sample_state"]


class Knowledge:
    """What a seat knows about a position. `sample` returns positions that agree with this knowledge.

    `exact` is False if the samples are only approximately uniform; the module's docstring explains when.

    >>> from engine import DEFAULT, RandomChance, history_for, replay, start, view_for
    >>> from random import Random
    >>> events, random = start(DEFAULT, 3, RandomChance(Random(1))), Random(1)
    >>> knowledge = Knowledge(view_for(replay(events), seat=2), history_for(events, seat=2), random)
    >>> one, other = knowledge.sample(random), knowledge.sample(random)
    >>> one.hands[2] == other.hands[2], one.hands[0] == other.hands[0], knowledge.exact
    (True, False, True)
    """

    def __init__(self, view: View, history: Sequence[Event], random: Random) -> None:
        """Derive this knowledge from a seat's view and whole history. `random` is used only if there are too many
        cases.

        Raises: ValueError if the history does not lead to the view's hands.
        """
        belief = Belief(view, random)
        self._position = belief.follow(history)
        self._cases = belief.cases
        self.exact = belief.exact
        self._bounds = [*accumulate([case.weight for case in belief.cases])]
        self._deals: dict[int, Deal] = {}

    def sample(self, random: Random) -> State:
        """Return a position that agrees with what the seat knows. Returned positions share no mutable data."""
        bounds = self._bounds
        index = bisect(bounds, random.random() * bounds[-1], 0, len(bounds) - 1) if len(bounds) > 1 else 0
        deal = self._deals.get(index)
        if deal is None:
            deal = self._deals[index] = Deal(self._cases[index], self._position)
        return deal.draw(random)


def sample_state(view: View, history: Sequence[Event], random: Random) -> State:
    """Return a random position that agrees with everything a seat knows.

    `view` and `history` must be for the same position, and either for the same seat or both for a spectator. The view
    must not be `revealed`. The module's docstring defines how likely each position is. To draw several samples of one
    position, reuse one `Knowledge`. Raises: ValueError if the history does not lead to the view's hands.

    >>> from engine import DEFAULT, RandomChance, history_for, replay, start, view_for
    >>> from random import Random
    >>> events = start(DEFAULT, 3, RandomChance(Random(1)))
    >>> view, history = view_for(replay(events), seat=2), history_for(events, seat=2)
    >>> position = sample_state(view, history, Random(1))
    >>> view_for(position, seat=2) == view, position == replay(events)
    (True, False)
    """
    return Knowledge(view, history, random).sample(random)
