"""The types `Bot`, which describes a bot, and `Situation`, which is a bot's input."""

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
    """A bot's input when it must choose a command. A bot knows no more than a person in its seat.

    `view` is the seat's view. `history` contains the events of the current game as the seat may see them
    (`engine.history_for`), or nothing if the bot does not use the history. `random` is the bot's source of random
    numbers. `iterations` is the budget of a bot that searches: its maximum number of search iterations. For the same
    view, history, random numbers and budget, a bot always chooses the same command. A bot must not keep a reference to
    `history`, because events may be added to it after the choice.
    """

    view: View
    history: Sequence[Event]
    random: Random
    iterations: int


class Bot(NamedTuple):
    """A bot. `choose` returns one of the commands in `view.legal`, which is never empty.

    `summary` describes how the bot plays. `label` is a short name to show to people, or "" if people should see the key
    instead. Lists of bots are sorted by `level`, weakest first, and then by `key`. `iterations` is the bot's budget, or
    0 if the bot does not search. A bot that needs only the view sets `uses_history` to False, which saves time. A
    change that makes a bot choose a different command in any situation, or that changes its budget, requires a new
    `revision` in a separate module.
    """

    key: str
    summary: str
    choose: Callable[[Situation], Command]
    level: int
    label: str = ""
    revision: int = 1
    iterations: int = 0
    uses_history: bool = True

    @property
    def searches(self) -> bool:
        """Whether the bot searches. A bot that searches may take much longer to move than other bots."""
        return self.iterations > 0

    def play(self, state: State, events: Sequence[Event], random: Random) -> Command:
        """Return the bot's command for the seat to act, giving the bot only what this seat may see.

        `events` are the events that led to the state, beginning with a `GameStarted`.

        >>> from engine import DEFAULT, RandomChance, replay, start
        >>> from engine.bots import BOTS
        >>> events = start(DEFAULT, 3, RandomChance(Random(1)))
        >>> BOTS["steady"].play(replay(events), events, Random(1))
        ChooseRegion(seat=0, region=1)
        """
        seat = state.turn
        history = history_for(events, seat) if self.uses_history else ()
        return self.choose(Situation(view_for(state, seat), history, random, self.iterations))
