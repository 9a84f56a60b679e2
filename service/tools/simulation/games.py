"""Runs the games of a simulation: plans them, seats the bots of each game, and plays each game to its end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from time import thread_time_ns
from typing import NamedTuple

from engine import EngineError, Histories, RandomChance, advance, edition, replay, require_seats, start, view_for
from engine.bots import Situation
from engine.events import BattleEnded, Event, RoundEnded

from .players import BadPlan, find_player

INTEGER = re.compile(r"-?[0-9]{1,9}")
"""Matches an option's value that is read as an integer. Any other value, except `true` and `false`, is a word."""
WORDS = {"true": True, "false": False}


class Plan(NamedTuple):
    """The games to play. `bots` has one name per seat (see `find_player`), in the seat order of the first game."""

    edition: str
    bots: tuple[str, ...]
    games: int
    seed: int
    options: tuple[tuple[str, str | int], ...]
    rotate: bool


class Game(NamedTuple):
    """The result of a finished game. `game` is the game's number in the simulation, from 1.

    `bots`, `regions` (how many each seat holds at the end), `won` (battles) and `points` (of a match) are in seat
    order. `winners` are the winning seats: several if they share the victory, none after a draw. `moves` counts
    commands. `battles` and `rounds` count finished battles and rounds. All counts cover all games of a match.
    """

    game: int
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    reasons: tuple[str, ...]
    moves: int
    battles: int
    rounds: int
    regions: tuple[int, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]


def make_plan(
    key: str, seats: int, bots: Sequence[str], games: int, seed: int, options: Sequence[str], rotate: bool
) -> Plan:
    """Return a valid plan. If there are fewer bots than seats, the list of bots is repeated.

    Each option has the form `key=value`. Raises: BadPlan.

    >>> from engine import DEFAULT
    >>> make_plan(DEFAULT, 3, ["steady", "random"], 9, 0, ["battle_limit=50"], rotate=True).bots
    ('steady', 'random', 'steady')
    """
    chosen = read_options(options)
    check_table(key, seats, chosen)
    for bot in bots:
        find_player(bot)
    if not 1 <= len(bots) <= seats:
        raise BadPlan(f"name 1 to {seats} bots for {seats} seats, not {len(bots)}")
    seated = tuple(bots[seat % len(bots)] for seat in range(seats))
    return Plan(key, seated, games, seed, tuple(chosen.items()), rotate)


def check_table(key: str, seats: int, options: Mapping[str, str | int]) -> None:
    """Check that an edition with these options supports this number of seats. Raises: BadPlan."""
    try:
        require_seats(edition(key, options=options), seats)
    except EngineError as error:
        raise BadPlan(str(error)) from None


def seating(plan: Plan, number: int) -> tuple[str, ...]:
    """Return the bot in each seat of a game. If the bots rotate, each bot moves one seat further with every game.

    >>> from engine import DEFAULT
    >>> plan = make_plan(DEFAULT, 3, ["steady", "random", "random"], 9, 0, [], rotate=True)
    >>> [seating(plan, number).index("steady") for number in (1, 2, 3, 4)]
    [0, 1, 2, 0]
    """
    shift = (number - 1) % len(plan.bots) if plan.rotate else 0
    return plan.bots[len(plan.bots) - shift :] + plan.bots[: len(plan.bots) - shift]


class Move(NamedTuple):
    """One move of a game: the seat, the bot's CPU time (nanoseconds), and the events that followed."""

    seat: int
    nanoseconds: int
    events: list[Event]


class Playing:
    """A game in progress between bots, one per seat. The seed determines the game completely.

    The deals and each seat use separate random sources, so a different bot in a seat does not change the first deal.
    """

    def __init__(self, key: str, options: Mapping[str, str | int], bots: Sequence[str], seed: str) -> None:
        """Start a game. `bots` are names that `find_player` accepts."""
        self._bots = [find_player(bot) for bot in bots]
        self._chance = RandomChance(Random(f"{seed}/chance"))
        self._randoms = [Random(f"{seed}/{seat}") for seat in range(len(bots))]
        events = start(key, len(bots), self._chance, options)
        self.state = replay(events)
        self._histories = Histories()
        self._histories.extend(events)

    def move(self) -> Move:
        """Make a move for the bot whose turn it is."""
        seat = self.state.turn
        bot = self._bots[seat]
        history = self._histories[seat] if bot.uses_history else ()
        situation = Situation(view_for(self.state, seat), history, self._randoms[seat], bot.iterations)
        begun = thread_time_ns()
        command = bot.choose(situation)
        nanoseconds = thread_time_ns() - begun
        events = advance(self.state, command, self._chance)
        self._histories.extend(events)
        return Move(seat, nanoseconds, events)


def play_game(plan: Plan, number: int) -> Game:
    """Play one game of a plan. The game depends only on the plan's seed and the game's number."""
    bots = seating(plan, number)
    playing = Playing(plan.edition, dict(plan.options), bots, f"{plan.seed}/{number}")
    state = playing.state
    moves = battles = rounds = 0
    won = [0] * len(bots)
    while state.result is None:
        moves += 1
        for event in playing.move().events:
            if isinstance(event, BattleEnded):
                battles += 1
                if event.winner is not None:
                    won[event.winner] += 1
            elif isinstance(event, RoundEnded):
                rounds += 1
    return Game(
        game=number,
        bots=bots,
        winners=state.result.winners,
        reasons=state.result.reasons,
        moves=moves,
        battles=battles,
        rounds=rounds,
        regions=tuple(held.bit_count() for held in state.held),
        won=tuple(won),
        points=state.points,
    )


def read_options(texts: Sequence[str]) -> Mapping[str, str | int]:
    """Return the options given by strings of the form `key=value`. Raises: BadPlan.

    >>> read_options(["hidden_cards=true", "points=20"])
    {'hidden_cards': True, 'points': 20}
    """
    chosen: dict[str, str | int] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadPlan(f"write an option as KEY=VALUE, not as {text!r}")
        if key in chosen:
            raise BadPlan(f"the option {key} is given twice")
        chosen[key] = int(value) if INTEGER.fullmatch(value) else WORDS.get(value, value)
    return chosen
