"""Servers that live as long as the test run, forgetting everything before and after each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .servers import DURABLE, Valkey


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """One durable server. Its folder has a short name, for the name of a socket must be short."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        server = Valkey(Path(folder), *DURABLE)
        yield server
        server.stop()


@pytest.fixture
def log_server(valkey: Valkey) -> Iterator[Valkey]:
    """The durable server, empty."""
    valkey.flush()
    yield valkey
    valkey.flush()
