"""A log server that is emptied once per module, because the module's web process uses it throughout, and a clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..servers import Valkey
from .clocks import Clock


@pytest.fixture(scope="module")
def module_server(valkey: Valkey) -> Iterator[Valkey]:
    """The durable server, empty before and after all tests of a module."""
    valkey.flush()
    yield valkey
    valkey.flush()


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file to which the module's web process logs."""
    return tmp_path_factory.mktemp("web") / "output"


@pytest.fixture
def clock() -> Clock:
    """A clock that the test sets."""
    return Clock()
