"""Habits: estimates how well a deal of the hidden cards fits the other seats' moves, and which player made the moves.

The module assumes that every other seat is played by one of two players: the heuristic or `steady`. Two kinds of
evidence indicate which of them plays a seat, and which cards the seat holds. First, the other seats' latest plays and
passes are compared with what each of these two players would do with a deal's cards. Only moves made since cards were
last dealt, drawn or discarded are compared, because the hands before that time are unknown. Second, plays that `steady`
would never make, no matter which cards it has, are counted from the start of the game. Each move that a player would
not make divides that player's likelihood by `SURPRISE`. The likelihood never becomes 0, because people and other bots
may play in other ways. The likelihood of `steady` starts at 1 / `SURPRISE`, as if `steady` had already made one
unlikely move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from ..commands import PlayCard
from ..events import CardLaidFaceDown, CardPlayed, CardTurnedUp, DiscardReshuffled, Event, RoundEnded, SeatPassed
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
"""A function that chooses a command for the seat to act, given its view."""

SURPRISE = 4.0
"""A player's likelihood is divided by this number for each move that the player would not make."""
MOST_MOVES = 12
"""The maximum number of moves that are compared with the cards of a deal. The latest moves are used."""
_BREAKS = WITH_SECRETS | {DiscardReshuffled, RoundEnded}
"""The types of event that make earlier hands unknown, because they cannot be computed from the hands afterwards."""
_NOT_FOLDED = WITH_SECRETS - {CardTurnedUp}
"""The types of event that are not applied, because their cards may be hidden.

`CardTurnedUp` is applied, because it always shows its card.
"""


class Move(NamedTuple):
    """A play or a pass by another seat.

    `position` is the position before the move, but its hands are not valid. For each seat, `laid` counts, by kind, the
    cards that the seat has laid since `position`, minus those that it has taken back. `card` is None for a pass.
    """

    position: State
    laid: list[list[int]]
    card: int | None


class Fit(NamedTuple):
    """A deal's likelihood.

    For each seat, `players` contains the likelihood of the heuristic and that of `steady`, given the deal's cards.
    """

    likelihood: float
    players: list[list[float]]


class Habits:
    """Estimates the other seats' cards and players from their moves.

    `players` are two functions: one chooses moves as the heuristic does, and the other as `steady` does. If cards can
    be laid face down, moves are not compared with deals, so the only evidence is plays that `steady` never makes.
    """

    def __init__(self, view: View, history: Sequence[Event], weights: Weights) -> None:
        """Create the estimates from a seat's view and history, and the heuristic's weights."""
        self.players: tuple[Player, Player] = (
            lambda view, random: choose_by_weights(view, random, weights),
            lambda view, random: choose_steady(Situation(view, (), random, 0)),
        )
        self.moves, unlike_steady = _read(view, history)
        self._before = [[1.0, SURPRISE ** -(1 + number)] for number in unlike_steady]
        if view.edition.face_down:
            self.moves = []

    def fit(self, deal: State, random: Random) -> Fit:
        """Return how well a deal's hands fit the moves."""
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
    """Return the other seats' moves, and count each seat's plays that `steady` would never make.

    Only the moves since the last event of a type in `_BREAKS` are returned. The plays are counted over the whole
    history.
    """
    state = State(view.edition, len(view.hands))
    moves: list[tuple[State, list[list[int]], int | None]] = []
    unlike_steady = [0] * state.seats
    for event in history:
        kind = type(event)
        if kind in _BREAKS:
            moves = []
            if isinstance(event, CardLaidFaceDown) and event.seat != view.seat:
                # The seat's face-down cards are not counted here: if it leads without them, it also leads with them.
                unlike_steady[event.seat] += _leads(state, event.seat)
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
    """Return whether `steady` would never make this play, no matter which cards it has.

    `steady` never lays a card when it leads, and never lays special cards except seasons.
    """
    return (play.card in state.edition.specials and play.card not in SEASONS) or _leads(state, play.seat)


def _leads(state: State, seat: int) -> bool:
    """Return whether a seat's row is stronger than every other row, counting only face-up cards."""
    totals = list(strengths(state.edition, state.rows, state.season))
    own = totals.pop(seat)
    return own > max(totals)
