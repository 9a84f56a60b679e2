"""Counting the tree: from each position so many lines of legal commands to depth one, two and three."""

import pytest

from engine import EDITIONS, view_for
from engine.notation import from_notation, to_notation
from engine.phase_names import OVER, SETUP
from engine.phases import PHASES
from tests.positions.counting import FOLDER, Counted, lines, lines_slowly, read

COUNTED = {key: list(read(FOLDER / f"{key}.perft")) for key in EDITIONS}
FEWEST = 12


def named(counted: Counted, key: str) -> str:
    """Return the name of a test: the edition and what its position is there for."""
    return f"{key}-{counted.purpose.replace(' ', '-')}"


CASES = [pytest.param(one, id=named(one, key)) for key, several in COUNTED.items() for one in several]


@pytest.mark.parametrize("counted", CASES)
def test_so_many_lines(counted: Counted) -> None:
    """And one command deep, as many as the engine takes of everything that could be asked."""
    state = from_notation(counted.position)
    assert tuple(lines(state, depth) for depth in range(1, len(counted.counts) + 1)) == counted.counts
    assert lines_slowly(state, 1) == counted.counts[0]
    assert to_notation(state) == counted.position
    if state.phase != OVER:
        assert len(view_for(state, state.turn).legal) == counted.counts[0]


@pytest.mark.parametrize("key", EDITIONS)
def test_every_edition_has_a_dozen_positions(key: str) -> None:
    """Of its own, all different, three commands deep, at every number of seats."""
    value = EDITIONS[key]
    states = [from_notation(one.position) for one in COUNTED[key]]
    assert len({one.position for one in COUNTED[key]}) >= FEWEST
    assert {state.edition.key for state in states} == {key}
    assert all(len(one.counts) == 3 for one in COUNTED[key])
    assert {state.seats for state in states} >= set(range(value.fewest_seats, value.most_seats + 1))


def test_every_phase_is_counted() -> None:
    """In some edition."""
    phases = {from_notation(one.position).phase for several in COUNTED.values() for one in several}
    assert phases == {*PHASES, OVER}
    assert SETUP not in phases


@pytest.mark.parametrize("key", EDITIONS)
def test_every_option_is_counted_with_a_value_that_is_not_its_default(key: str) -> None:
    """So that a change of what an option does is seen."""
    states = [from_notation(one.position) for one in COUNTED[key]]
    for option in EDITIONS[key].options:
        assert {state.edition.chosen[option.key] for state in states} - {option.default}, option.key
