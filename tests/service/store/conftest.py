"""Every test of the store runs twice: on one server and on a cluster of three."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.store import Store

from ..servers import Valkey, cluster
from .games import config


@pytest.fixture(scope="session")
def three() -> Iterator[list[Valkey]]:
    """A cluster of three masters."""
    with TemporaryDirectory(prefix="valkey-") as folder, cluster(Path(folder)) as nodes:
        yield nodes


@pytest.fixture(params=["one-server", "cluster"])
def servers(request: pytest.FixtureRequest) -> Iterator[list[Valkey]]:
    """The store's empty servers."""
    nodes = request.getfixturevalue("three") if request.param == "cluster" else [request.getfixturevalue("valkey")]
    for node in nodes:
        node.flush()
    yield nodes
    for node in nodes:
        node.flush()


@pytest.fixture
def store(servers: list[Valkey]) -> Iterator[Store]:
    """The store; within the time of a test, only its wake-ups can end a wait."""
    made = Store(config(servers[0].url, cluster=len(servers) > 1), recheck=600)
    yield made
    made.close()
