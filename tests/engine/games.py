"""Random games of every edition with every option, for tests of properties that hold in all games."""

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine import EDITIONS, NEWEST, Event, SeededChance, State, advance, legal_commands, replay, start

from ..examples import examples

QUICK = settings(deadline=None, max_examples=examples(60), database=None, suppress_health_check=[HealthCheck.too_slow])

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)

Game = tuple[str, int, dict[str, object]]
"""An edition's key, a number of seats, and options."""

NARROWED: dict[str, list[object]] = {"points": [0, 0, 2, 12]}
"""Options for which random games use only these values: matches that end, and single games."""


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A strategy for an edition, a number of seats and options. The battle limit is low, so that games are short."""
    key = draw(st.sampled_from(list(EDITIONS)))
    value = NEWEST[key]
    options: dict[str, object] = {"battle_limit": draw(st.integers(1, 25))}
    for option in value.options:
        if option.key not in options:
            options[option.key] = draw(st.sampled_from(NARROWED.get(option.key, list(option.values))))
    for conflict in value.conflicts:
        if all(options[name] for name in conflict.options):
            options[conflict.options[0]] = NEWEST[key].chosen[conflict.options[0]]
    fewest = 2 if options.get("two_on_the_board") else value.fewest_seats
    return key, draw(st.integers(fewest, value.most_seats)), options


def seats_near(key: str, wanted: int) -> int:
    """Return the number of seats closest to this one that an edition supports."""
    return max(NEWEST[key].fewest_seats, min(wanted, NEWEST[key].most_seats))


def a_small_game(key: str) -> Game:
    """Return a game of an edition with the smallest number of seats."""
    value = NEWEST[key]
    if any(option.key == "two_on_the_board" for option in value.options):
        return key, 2, {"two_on_the_board": True}
    return key, value.fewest_seats, {}


def chance_of(seed: int) -> SeededChance:
    """Return a chance whose draws depend only on their number, so that deciding a move twice gives the same result."""
    return SeededChance(seed.to_bytes(32, "big"), [])


def play_out(game: Game, seed: int) -> tuple[State, list[Event], int]:
    """Play a whole game of random moves; return its last state, its events and the number of moves."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    events = start(key, seats, chance, options)
    state, moves = replay(events), 0
    while commands := legal_commands(state):
        events += advance(state, random.choice(commands), chance)
        moves += 1
    return state, events, moves
