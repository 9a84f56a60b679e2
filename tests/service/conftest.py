"""Servers that run for the whole test run, and that are emptied before and after each test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import redis.utils

from .servers import DURABLE, Valkey, folder_for_data

# redis-py loads its own version from its package's metadata for each connection, which takes a millisecond.
redis.utils.get_lib_version = cache(redis.utils.get_lib_version)


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """One durable server."""
    with folder_for_data("valkey-") as folder:
        server = Valkey(Path(folder), *DURABLE)
        yield server
        server.stop()


@pytest.fixture
def log_server(valkey: Valkey) -> Iterator[Valkey]:
    """The durable server, empty."""
    valkey.flush()
    yield valkey
    valkey.flush()
