"""A search: tries each promising command in many sampled positions, and plays each battle to its end.

The cards that the seat does not see are dealt at random (`engine.sampling`). The better a deal fits the other seats'
moves, the more often the search uses it (`habits`). In a play-out, the searching seat follows the heuristic. Every
other seat follows the heuristic or plays like `steady`. The choice between the heuristic and `steady` is random,
weighted by how well each fits the seat's moves. A play-out stops after the battle or at the end of the game. The value
of a play-out is the seat's chance of winning (`outlook`) or, if the game has ended, the seat's share of the victory.

All commands are tried on the same deals. After each round, the search drops the worse half of the commands (sequential
halving), and thus spends most play-outs on the best commands. The budget is the number of play-outs.

Bots that share this module differ only in their model and their budget. Any change to this module could change the
moves of released bots. If a new bot must choose differently in even a single situation, write a separate search for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple, cast

from ..chance import OnlyLots, WouldDraw
from ..decider import advance
from ..events import GameEnded, MatchEnded
from ..phase_names import BATTLE, CHOOSE_REGION
from ..sampling import Knowledge
from .glance import view_of_turn
from .habits import Habits, Player
from .heuristic import DIGITS, Weights, choose_by_weights, rank_by_weights
from .outlook import Outlook, chances

if TYPE_CHECKING:
    from random import Random

    from ..commands import Command
    from ..state import State
    from ..views import View
    from .bot import Situation

MOST_COMMANDS = {BATTLE: 10, CHOOSE_REGION: 5}
"""The maximum number of commands that are tried, by phase. In other phases, the heuristic chooses."""
SAMPLES_FOR_A_DEAL = 2
"""The number of sampled deals for each deal that is used. Deals are chosen in proportion to their likelihood."""


class Model(NamedTuple):
    """A search's parameters: the heuristic's weights, and the outlook that rates positions after a battle."""

    weights: Weights
    outlook: Outlook


def choose_by_search(situation: Situation, model: Model) -> Command:
    """Return the command with the best play-out results, or the heuristic's command if there is nothing to search.

    The bot searches only in the phases in `MOST_COMMANDS`, and only if it has a budget and at least two legal commands.
    """
    view, random = situation.view, situation.random
    most = MOST_COMMANDS.get(view.phase, 1)
    if len(view.legal) == 1 or most == 1 or not situation.iterations:
        return choose_by_weights(view, random, model.weights)
    commands = rank_by_weights(view, model.weights)[:most]
    if len(commands) == 1:
        return commands[0]
    number = sum(deals for _, deals in rounds(len(commands), situation.iterations))
    deals = likely_deals(situation, model.weights, number)
    return best_by_halving(commands, deals, situation.iterations, PlayOuts(view, model, random).value)


def rounds(commands: int, budget: int) -> Iterator[tuple[int, int]]:
    """For each round of sequential halving, yield the number of commands left and the number of new deals.

    Every round gets an equal share of the budget, but at least one deal.

    >>> list(rounds(6, 180))
    [(6, 10), (3, 20), (2, 30)]
    """
    number = ceil(log2(commands))
    for _ in range(number):
        yield commands, max(1, budget // (number * commands))
        commands = (commands + 1) // 2


class Deal(NamedTuple):
    """A position that agrees with what the seat knows, and for each seat the function that chooses its commands."""

    state: State
    players: tuple[Player, ...]


Value = Callable[[Deal, "Command"], float]
"""A function that rates a command in a deal: the higher the value, the better the command."""


def best_by_halving(commands: Sequence[Command], deals: Iterable[Deal], budget: int, value: Value) -> Command:
    """Return the command with the highest sum of values, or the first of several with that sum.

    `deals` must contain enough deals for all `rounds` together.
    """
    left, totals, rest = list(range(len(commands))), [0.0] * len(commands), iter(deals)
    for _, number in rounds(len(commands), budget):
        for _ in range(number):
            deal = next(rest)
            for index in left:
                totals[index] += value(deal, commands[index])
        left.sort(key=lambda index: (-round(totals[index], DIGITS), index))
        del left[(len(left) + 1) // 2 :]
    return commands[left[0]]


class PlayOuts:
    """Runs play-outs for the seat that a view belongs to."""

    def __init__(self, view: View, model: Model, random: Random) -> None:
        """Use the model's weights. Use `random` to draw lots and to break ties between regions."""
        assert view.seat is not None, "only a seat chooses commands"
        self._seat, self._battles = view.seat, view.battles
        self._model, self._random, self._lots = model, random, OnlyLots(random)
        # Without a target, the engine does not begin the next game of a match.
        self._edition = replace(view.edition, match_target=0)

    def value(self, deal: Deal, command: Command) -> float:
        """Play out a deal, beginning with this command, and return the value (see the module's docstring)."""
        state, players, random, lots = deal.state.copy(), deal.players, self._random, self._lots
        state.edition = self._edition
        try:
            while True:
                events = advance(state, command, lots)
                for event in events:
                    if isinstance(event, GameEnded | MatchEnded):
                        winners = event.winners or range(state.seats)
                        return (self._seat in winners) / len(winners)
                if state.battles > self._battles and state.phase in MOST_COMMANDS:
                    return self._chance(state, dealt=False)
                command = players[state.turn](view_of_turn(state), random)
        except WouldDraw:
            return self._chance(state, dealt=True)

    def _chance(self, state: State, *, dealt: bool) -> float:
        return chances(state, self._model.weights.prices, self._model.outlook, dealt=dealt)[self._seat]


def likely_deals(situation: Situation, weights: Weights, number: int) -> list[Deal]:
    """Return deals that agree with what the seat knows.

    The better a deal fits the other seats' moves, the more often it occurs.
    """
    view, history, random = situation.view, situation.history, situation.random
    knowledge = Knowledge(view, history, random)
    habits = Habits(view, history, weights)
    samples = [knowledge.sample(random) for _ in range(number * SAMPLES_FOR_A_DEAL if habits.moves else number)]
    fits = [habits.fit(sample, random) for sample in samples]
    chosen = resample([fit.likelihood for fit in fits], number, random)
    deals = []
    for index in chosen:
        by_heuristic, steady = habits.players
        players = [by_heuristic if random.random() * sum(odds) < odds[0] else steady for odds in fits[index].players]
        players[cast(int, view.seat)] = by_heuristic
        deals.append(Deal(samples[index], tuple(players)))
    return deals


def resample(likelihoods: Sequence[float], number: int, random: Random) -> list[int]:
    """Return `number` indices in random order. On average, each index occurs in proportion to its likelihood."""
    step = sum(likelihoods) / number
    bound, end = random.random() * step, 0.0
    chosen: list[int] = []
    for index, likelihood in enumerate(likelihoods):
        end += likelihood
        while bound < end and len(chosen) < number:
            chosen.append(index)
            bound += step
    chosen += [len(likelihoods) - 1] * (number - len(chosen))
    for last in reversed(range(1, number)):
        other = int(random.random() * (last + 1))
        chosen[last], chosen[other] = chosen[other], chosen[last]
    return chosen
