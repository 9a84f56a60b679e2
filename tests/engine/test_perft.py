"""Perft: the number of sequences of one, two and three legal commands from each position."""

import pytest

from engine import view_for
from engine.notation import from_notation, to_notation
from engine.phase_names import OVER, SETUP
from engine.phases import PHASES
from tests.games.files import REVISIONS, named
from tests.positions.counting import FOLDER, Counted, lines, lines_slowly, read

pytestmark = pytest.mark.whole_games

COUNTED = {name: list(read(FOLDER / f"{name}.perft")) for name in REVISIONS}
FEWEST = 12


def case_name(counted: Counted, name: str) -> str:
    """Return the name of a test: the revision and the purpose of its position."""
    return f"{name}-{counted.purpose.replace(' ', '-')}"


CASES = [pytest.param(one, id=case_name(one, name)) for name, several in COUNTED.items() for one in several]


@pytest.mark.parametrize("counted", CASES)
def test_so_many_lines(counted: Counted) -> None:
    """For single commands, the number also equals the number of conceivable commands that the engine accepts."""
    state = from_notation(counted.position)
    assert tuple(lines(state, depth) for depth in range(1, len(counted.counts) + 1)) == counted.counts
    assert lines_slowly(state, 1) == counted.counts[0]
    assert to_notation(state) == counted.position
    if state.phase != OVER:
        assert len(view_for(state, state.turn).legal) == counted.counts[0]


@pytest.mark.parametrize("name", REVISIONS)
def test_every_revision_has_a_dozen_positions(name: str) -> None:
    """The positions are distinct, allow three commands in a row, and cover every number of seats."""
    value = REVISIONS[name]
    states = [from_notation(one.position) for one in COUNTED[name]]
    assert len({one.position for one in COUNTED[name]}) >= FEWEST
    assert {named(state.edition) for state in states} == {name}
    assert all(len(one.counts) == 3 for one in COUNTED[name])
    assert {state.seats for state in states} >= set(range(value.fewest_seats, value.most_seats + 1))


def test_every_phase_is_counted() -> None:
    """At least one edition covers each phase."""
    phases = {from_notation(one.position).phase for several in COUNTED.values() for one in several}
    assert phases == {*PHASES, OVER}
    assert SETUP not in phases


@pytest.mark.parametrize("name", REVISIONS)
def test_every_option_is_counted_with_a_value_that_is_not_its_default(name: str) -> None:
    """A change to an option's effect therefore fails a test."""
    states = [from_notation(one.position) for one in COUNTED[name]]
    for option in REVISIONS[name].options:
        assert {state.edition.chosen[option.key] for state in states} - {option.default}, option.key
