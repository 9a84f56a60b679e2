"""What a view shows of a position, in whole random games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Event, KeepHand, Pass, advance, legal_commands, replay, resign, seen_by, start, view_for
from engine.events import (
    BattleEnded,
    CardLaidFaceDown,
    CardPlayed,
    GameStarted,
    RoundStalled,
    RowsDiscarded,
)
from service.views.game import show_position

from ...engine.games import QUICK, SEEDS, Game, chance_of, games
from ...examples import examples


def positions(game: Game, seed: int, resigning: float) -> list[dict[str, object]]:
    """Play a whole game of random moves, and return what a spectator sees after each; some seats resign on the way."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, options))
    seen = [show_position(view_for(state, None), None)]
    while commands := legal_commands(state):
        if random.random() < resigning:
            resign(state, random.choice(state.remaining_seats()), chance)
        else:
            advance(state, random.choice(commands), chance)
        seen.append(show_position(view_for(state, None), None))
    return seen


def check_the_number_of_the_battle(seen: list[dict[str, object]]) -> None:
    """Check that the number begins with 1, never decreases, and increases by one; each game of a match starts again."""
    game, battle = None, 1
    for position in seen:
        match = position["match"]
        number = position["battle"]
        assert isinstance(number, int)
        if isinstance(match, dict) and match["game"] != game:
            game, battle = match["game"], 1
            assert number == 1 or position["phase"] == "over"
        else:
            assert battle <= number <= battle + 1, position
            battle = number


@settings(QUICK, max_examples=examples(120))
@given(games(), SEEDS)
def test_the_distance_from_a_stall_follows_from_what_everybody_sees(game: Game, seed: int) -> None:
    """A count from the public events comes to the same numbers as the view, so the view gives away no hand."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    public = start(key, seats, chance, options)
    state = replay(public)
    while commands := legal_commands(state):
        idle = [command for command in commands if isinstance(command, Pass | KeepHand)]
        chosen = random.choice(idle if idle and random.random() < 0.9 else commands)
        public += [seen_by(event, None) for event in advance(state, chosen, chance)]
        stall = show_position(view_for(state, None), None)["stall"]
        assert stall is None or (stall["battles"], stall["rounds"]) == count_idle_battles(public)


def count_idle_battles(events: Sequence[Event]) -> tuple[int, int]:
    """Return how many battles in a row have passed without a card, and how many rounds ended with a stall meanwhile."""
    battles = rounds = 0
    laid = False
    for event in events:
        match event:
            case CardPlayed() | CardLaidFaceDown():
                battles, rounds, laid = 0, 0, True
            case BattleEnded():
                battles += not laid
            case RowsDiscarded():
                laid = False
            case RoundStalled():
                battles, rounds = 0, rounds + 1
            case GameStarted():
                battles, rounds, laid = 0, 0, False
    return battles, rounds


@settings(QUICK, max_examples=examples(120))
@given(games(), SEEDS, st.sampled_from([0, 0, 0.005, 0.1]))
def test_the_number_of_the_battle_never_runs_backwards(game: Game, seed: int, resigning: float) -> None:
    check_the_number_of_the_battle(positions(game, seed, resigning))


@pytest.mark.parametrize(
    ("key", "phases"),
    [
        ("ffg-2007", ["choose-region", "keep-or-discard", "battle"]),
        ("zman-2018", ["choose-region", "battle", "keep-or-discard"]),
        ("eurogames-1995", ["choose-region", "battle", "keep-or-discard"]),
    ],
)
def test_a_battle_has_its_number_from_the_choice_of_its_region(key: str, phases: list[str]) -> None:
    """Between this choice and the battle, ffg-2007 asks which seats keep their hands."""
    seen = [position["phase"] for position in positions((key, 4, {}), 7, 0) if position["battle"] == 2]
    assert [phase for phase, _ in groupby(seen)] == phases
