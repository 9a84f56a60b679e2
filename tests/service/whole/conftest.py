"""Folders with short names, because the names of sockets must be short.

Also random numbers with a printed seed, repeated ROUNDS times.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ...examples import ROUNDS
from ..servers import folder_for_data


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat the tests that take `chance`, with a different seed each time."""
    if ROUNDS > 1 and "chance" in metafunc.fixturenames:
        metafunc.parametrize("chance", range(1, ROUNDS + 1), indirect=True, ids="round-{}".format)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that take `chance`, so that `-m chance` selects them."""
    if "chance" in getattr(item, "fixturenames", ()):
        item.add_marker("chance")


@pytest.fixture(autouse=True)
def _processes_can_be_seen() -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("which processes run is read from /proc")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for the data of a service."""
    with folder_for_data("whole-") as name:
        yield Path(name)


@pytest.fixture
def chance() -> Random:
    """Random numbers from a seed that is printed, and that can be set with CHANCE."""
    seed = int(os.environ.get("CHANCE") or Random().getrandbits(32))
    print(f"CHANCE={seed}")
    return Random(seed)
