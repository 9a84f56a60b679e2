"""The engine accepts exactly the legal commands, in every phase of every edition."""

from random import Random

import pytest
from hypothesis import given

from engine import EDITIONS, State, advance, legal_commands, replay, start

from .asking import accepted, anything, everything, one_of_each
from .cases import EUROGAMES, FFG, REVISED
from .games import QUICK, SEEDS, Game, a_small_game, chance_of, games
from .table import named

TABLES: list[Game] = [
    *(a_small_game(key) for key in EDITIONS),
    (EUROGAMES, 2, {"scarecrow_targets": "any"}),
    (FFG, 2, {"hidden_cards": True, "capturing_regions": True}),
    (FFG, 2, {"draw_after_battle": True}),
    (REVISED, 2, {"capturing_regions": True}),
]


def positions(game: Game, seed: int, each: int = 1) -> list[State]:
    """Return this number of positions from each phase of a random game, and from a final battle if there is one."""
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, {**options, "battle_limit": 30}))
    passed: dict[tuple[str, bool, bool], list[State]] = {}
    while commands := legal_commands(state):
        moment = (state.phase, bool(state.fighters), any(state.hidden))
        passed.setdefault(moment, []).append(state.copy())
        advance(state, random.choice(commands), chance)
    return [spread[len(spread) * part // each] for spread in passed.values() for part in range(each)]


@pytest.mark.whole_games
@pytest.mark.parametrize("game", TABLES, ids=lambda game: "-".join((game[0], *game[2])))
def test_exactly_the_legal_commands_are_accepted(game: Game) -> None:
    """The test tries every conceivable command of the seat to act, in positions from every phase of a game."""
    passed = positions(game, seed=11)
    assert passed
    for state in passed:
        legal = set(named(legal_commands(state)))
        before = state.copy()
        heard = set()
        for command in everything(state.turn, state.seats):
            if accepted(state, command, chance_of(1)):
                heard.add((type(command).__name__, command))
        assert heard == legal
        assert state == before


def test_every_phase_is_passed_through() -> None:
    """The positions above include every phase."""
    phases = {state.phase for game in TABLES for state in positions(game, seed=11)}
    assert phases == {"choose-region", "battle", "keep-or-discard", "keep-cards", "draw-cards"}


@QUICK
@given(game=games(), seed=SEEDS)
def test_only_the_seat_to_act_is_heard(game: Game, seed: int) -> None:
    """The engine refuses all commands of other seats, and a sample of invalid commands of the seat to act."""
    key, seats, options = game
    random, chance = Random(seed), chance_of(seed)
    state = replay(start(key, seats, chance, options))
    for _ in range(300):
        commands = legal_commands(state)
        if not commands:
            break
        legal = set(named(commands))
        for seat in range(seats):
            asked = anything(seat, seats, random)
            assert accepted(state, asked, chance) is ((type(asked).__name__, asked) in legal)
        advance(state, random.choice(commands), chance)
    else:
        return
    assert not any(accepted(state, command, chance) for seat in range(seats) for command in one_of_each(seat))
