"""Views: a position as one seat may see it, with the seat's own hand, all open cards, and the number of hidden cards.

Once a game is over, a view of any of its positions may show all hands and face-down cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .board import members
from .cards import KINDS, NOTHING
from .decider import legal_commands
from .rules.stall import most_idle_battles
from .rules.strength import explanations
from .state import NO_CARD, NOBODY, NOWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .board import Regions
    from .cards import Hand
    from .commands import Command
    from .edition import Edition
    from .events import Cards, GameEnded, MatchEnded
    from .rules.strength import Line
    from .state import State


class View(NamedTuple):
    """A position as one seat, or a spectator (`seat` is None), may see it.

    Hands, rows and regions are in seat order. Unless everything is revealed, the view shows only the number of cards in
    other seats' hands. `marker` is the seat that holds the battle marker. `season` (a kind of card), `favor` and
    `contested` (regions) and `turn` (a seat) are None if there is no such card, region or seat. `hidden` contains each
    row's face-down cards. `decks` has the number of cards in the single deck, or in each seat's deck. `passed` lists
    the seats whose pass is final. `fighters` lists the seats in a final battle. `gone` lists the seats that have
    resigned. `idle` is the number of consecutive battles in which no card was laid. `stalls` is the number of
    consecutive rounds that the stall rule has ended. `idle` and `stalls` become 0 as soon as a card is laid. `legal`
    contains this seat's legal commands, and is empty while it is another seat's turn.
    """

    seat: int | None
    edition: Edition
    phase: str
    turn: int | None
    hands: tuple[Cards, ...]
    rows: tuple[Hand, ...]
    hidden: tuple[Cards, ...]
    held: tuple[Regions, ...]
    won: tuple[int, ...]
    marker: int
    favor: int | None
    contested: int | None
    season: int | None
    passed: tuple[int, ...]
    fighters: tuple[int, ...]
    gone: tuple[int, ...]
    decks: tuple[int, ...]
    discard: int
    rounds: int
    battles: int
    declines: int
    idle: int
    stalls: int
    games: int
    points: tuple[int, ...]
    legal: tuple[Command, ...]
    result: GameEnded | MatchEnded | None

    def strengths(self) -> list[list[Line]]:
        """Return an explanation of each row's strength: lines whose amounts add up to that strength."""
        return explanations(self.edition, self.rows, NO_CARD if self.season is None else self.season)

    def most_idle(self) -> int:
        """Return the value of `idle` at which the game stalls."""
        return most_idle_battles(len(self.hands) - len(self.gone))


def view_for(state: State, seat: int | None, *, revealed: bool = False) -> View:
    """Return what a seat may see of a position, or what a spectator may see if `seat` is None.

    With `revealed`, the view shows all hands and all face-down cards. Use `revealed` only for positions of a finished
    game. `legal` contains only the seat's own commands, even with `revealed`.

    >>> from engine import DEFAULT, RandomChance, replay, start
    >>> from random import Random
    >>> view = view_for(replay(start(DEFAULT, 3, RandomChance(Random(1)))), seat=2)
    >>> [cards if isinstance(cards, int) else sum(cards) for cards in view.hands], type(view.hands[0])
    ([10, 10, 10], <class 'int'>)
    """
    return View(
        seat=seat,
        edition=state.edition,
        phase=state.phase,
        turn=_or_none(state.turn, NOBODY),
        hands=tuple(tuple(hand) if owner == seat or revealed else sum(hand) for owner, hand in enumerate(state.hands)),
        rows=tuple(tuple(row) for row in state.rows),
        hidden=tuple(
            _hand(kinds) if owner == seat or revealed else len(kinds) for owner, kinds in enumerate(state.hidden)
        ),
        held=tuple(state.held),
        won=tuple(state.won),
        marker=state.marker,
        favor=_or_none(state.favor, NOWHERE),
        contested=_or_none(state.contested, NOWHERE),
        season=_or_none(state.season, NO_CARD),
        passed=tuple(members(state.passed)),
        fighters=tuple(members(state.fighters)),
        gone=tuple(members(state.gone)),
        decks=tuple(sum(deck) for deck in state.decks),
        discard=sum(state.discard),
        rounds=state.rounds,
        battles=state.battles,
        declines=state.declines,
        idle=0 if state.laid else state.idle,
        stalls=state.stalls,
        games=state.games,
        points=state.points,
        legal=tuple(legal_commands(state)) if seat is not None and seat == state.turn else (),
        result=state.result,
    )


def _hand(kinds: Sequence[int]) -> Hand:
    return tuple([kinds.count(kind) for kind in range(KINDS)]) if kinds else NOTHING


def _or_none(number: int, absent: int) -> int | None:
    return None if number == absent else number
