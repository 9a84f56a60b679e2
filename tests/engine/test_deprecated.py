"""Deprecated names of the engine, which still work but emit warnings."""

import pytest

from engine import DEFAULT
from engine.state import State

from .table import seats_of, table


@pytest.fixture
def state() -> State:
    """Return a position in which B has resigned and A owns Roma."""
    return table(DEFAULT, hands=["1", "", "2"], held=["roma", "", ""], gone="B")


def test_still_there_is_remaining_seats(state: State) -> None:
    """A program written for version 0.2 gets the same seats as before."""
    with pytest.warns(DeprecationWarning, match="remaining_seats"):
        assert state.still_there() == state.remaining_seats() == list(seats_of("AC"))


def test_taken_is_owned_regions(state: State) -> None:
    """A program written for version 0.2 gets the same regions as before."""
    with pytest.warns(DeprecationWarning, match="owned_regions"):
        assert state.taken() == state.owned_regions() == state.held[0]
