"""Habits: how well the moves of the other seats fit the cards of a deal, and the players that may be in these seats.

Each other seat may be played by the heuristic or by `steady`. Two things tell which of them, and which cards a seat
holds. First, the last plays and passes of other seats since cards were last dealt, drawn or discarded are compared with
what each player would do with the cards of a deal; the hands before that are not known. Secondly, some plays of the
game are never made by `steady`, whatever its cards. Each move that a player would not make divides the likelihood by
`SURPRISE`. So nothing becomes impossible, because people and other bots may play in another way. Before the first move,
`steady` counts as if it had surprised once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from ..commands import PlayCard
from ..events import CardPlayed, CardTurnedUp, DiscardReshuffled, Event, RoundEnded, SeatPassed
from ..evolve import FOLDS
from ..phase_names import BATTLE
from ..rules.strength import strengths
from ..secrecy import WITH_SECRETS
from ..state import State
from .bot import Situation
from .glance import view_of_turn
from .heuristic import Weights, choose_by_weights
from .steady import SEASONS, choose_steady

if TYPE_CHECKING:
    from random import Random

    from ..commands import Command
    from ..views import View

Player = Callable[["View", "Random"], "Command"]
"""Chooses a command in the position of a view."""

SURPRISE = 4.0
"""By how much a move that a player would not make divides the likelihood."""
MOST_MOVES = 12
"""How many moves are compared with the cards of a deal, the latest ones."""
_BREAKS = WITH_SECRETS | {DiscardReshuffled, RoundEnded}
"""The hands before these events do not follow from the hands after them."""
_NOT_FOLDED = WITH_SECRETS - {CardTurnedUp}
"""Their cards may be hidden. A card that was turned up lies in the row for all to see."""


class Move(NamedTuple):
    """A move of another seat: the position before it, whose hands do not count, and the card, or None for a pass.

    `laid` has the number of cards of each kind that each seat has laid since then, less those that it has taken back.
    """

    position: State
    laid: list[list[int]]
    card: int | None


class Fit(NamedTuple):
    """How likely a deal is, and for each seat, how likely each player is with the cards of this deal."""

    likelihood: float
    players: list[list[float]]


class Habits:
    """What the moves of the other seats say about their cards and their players.

    `players` are the heuristic and `steady`. If cards are face down, only the plays that `steady` never makes count.
    """

    def __init__(self, view: View, history: Sequence[Event], weights: Weights) -> None:
        """Take the view and the history of a seat, and the weights of the heuristic."""
        self.players: tuple[Player, Player] = (
            lambda view, random: choose_by_weights(view, random, weights),
            lambda view, random: choose_steady(Situation(view, (), random, 0)),
        )
        self.moves, unlike_steady = _read(view, history)
        self._before = [[1.0, SURPRISE ** -(1 + number)] for number in unlike_steady]
        if view.edition.face_down:
            self.moves = []

    def fit(self, deal: State, random: Random) -> Fit:
        """Return how well the moves fit the hands of a deal."""
        found = [[*likelihoods] for likelihoods in self._before]
        for position, laid, card in self.moves:
            position.hands = [[*map(add, hand, more)] for hand, more in zip(deal.hands, laid, strict=True)]
            view, likelihoods = view_of_turn(position), found[position.turn]
            for index, player in enumerate(self.players):
                command = player(view, random)
                if (command.card if isinstance(command, PlayCard) else None) != card:
                    likelihoods[index] /= SURPRISE
        likelihood = 1.0
        for likelihoods in found:
            likelihood *= sum(likelihoods)
        return Fit(likelihood, found)


def _read(view: View, history: Sequence[Event]) -> tuple[list[Move], list[int]]:
    """Return the moves of the other seats since the last break, and how many plays of each seat are not `steady`'s."""
    state = State(view.edition, len(view.hands))
    moves: list[tuple[State, list[list[int]], int | None]] = []
    unlike_steady = [0] * state.seats
    for event in history:
        kind = type(event)
        if kind in _BREAKS:
            moves = []
            if kind in _NOT_FOLDED:
                continue
        if _is_chosen(event) and event.seat != view.seat:
            before = state.copy()
            before.turn, before.phase = event.seat, BATTLE
            moves.append((before, before.hands, event.card if isinstance(event, CardPlayed) else None))
            unlike_steady[event.seat] += isinstance(event, CardPlayed) and _is_unlike_steady(state, event)
        FOLDS[kind](state, event)
    return [
        Move(before, [[*map(sub, then, now)] for then, now in zip(hands, state.hands, strict=True)], card)
        for before, hands, card in moves[-MOST_MOVES:]
    ], unlike_steady


def _is_chosen(event: Event) -> TypeGuard[CardPlayed | SeatPassed]:
    """Return whether an event is a play or a pass that a seat chose."""
    return isinstance(event, CardPlayed) or (isinstance(event, SeatPassed) and not event.forced)


def _is_unlike_steady(state: State, play: CardPlayed) -> bool:
    """Return whether `steady` would not make this play with any cards: it has the lead, or the card does more."""
    if play.card in state.edition.specials and play.card not in SEASONS:
        return True
    totals = list(strengths(state.edition, state.rows, state.season))
    own = totals.pop(play.seat)
    return own > max(totals)
