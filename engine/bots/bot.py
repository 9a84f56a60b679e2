"""The types `Bot`, which describes a bot, and `Situation`, which is all that a bot gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from ..commands import Command
from ..events import Event
from ..secrecy import history_for
from ..state import State
from ..views import View, view_for


class Situation(NamedTuple):
    """All that a bot gets when it must choose a command, which is nothing that a person in its seat could not know.

    `view` is the view of its seat, and `history` the events of the current game as its seat may see them
    (`engine.history_for`), or empty if the bot does not use it. `random` is its source of random numbers, and
    `iterations` its budget: how many iterations a bot that searches may make. The same view, history, numbers and
    budget give the same command. The history may grow after the choice, so a bot does not keep it.
    """

    view: View
    history: Sequence[Event]
    random: Random
    iterations: int


class Bot(NamedTuple):
    """A bot. `choose` returns one of the commands in `view.legal`, which is never empty.

    `summary` describes how it plays, and `label` is a short name for people; if it is "", people see the key. Lists
    are sorted by `level`, weakest first, and then by `key`. `iterations` is the budget with which it plays; 0 for a bot
    that does not search. A bot that needs nothing but the view sets `uses_history` to False, which saves time. A bot
    that chooses another command in any situation, or has another budget, is a new `revision` of it, in a module of its
    own.
    """

    key: str
    summary: str
    choose: Callable[[Situation], Command]
    level: int
    label: str = ""
    revision: int = 1
    iterations: int = 0
    uses_history: bool = True

    def play(self, state: State, events: Sequence[Event], random: Random) -> Command:
        """Return the bot's command for the seat to act; the bot gets only what this seat may see.

        `events` are those that led to the state, from a `GameStarted` on.

        >>> from engine import DEFAULT, RandomChance, replay, start
        >>> from engine.bots import BOTS
        >>> events = start(DEFAULT, 3, RandomChance(Random(1)))
        >>> BOTS["steady"].play(replay(events), events, Random(1))
        ChooseRegion(seat=0, region=1)
        """
        seat = state.turn
        history = history_for(events, seat) if self.uses_history else ()
        return self.choose(Situation(view_for(state, seat), history, random, self.iterations))
