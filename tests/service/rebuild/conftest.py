"""A service in simulated time, the contents of its indexes, and their rebuild."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import redis

from service.rebuild.findings import Finding
from service.rebuild.rebuild import rebuild
from service.rebuild.run import RebuildRun

from ..correspondence.conftest import weeks as weeks
from ..correspondence.weeks import Weeks
from ..servers import Valkey
from .scene import Copy, Scene


@pytest.fixture
def check(weeks: Weeks) -> Callable[..., list[Finding]]:
    """Compare some games, or all, and write nothing."""
    return lambda *games: list(rebuild(RebuildRun(weeks.games.store, weeks.games.now, mends=False, games=games)))


@pytest.fixture
def mend(weeks: Weeks) -> Callable[..., list[Finding]]:
    """Rebuild some games, or all."""
    return lambda *games: list(rebuild(RebuildRun(weeks.games.store, weeks.games.now, mends=True, games=games)))


@pytest.fixture(scope="session")
def copies() -> list[Copy]:
    """A stored copy of the scene, because playing it takes longer than most tests."""
    return []


@pytest.fixture
def scene(weeks: Weeks, server: redis.Redis, copies: list[Copy]) -> Scene:
    """Games that have something in every index."""
    if not copies:
        copies.append(Scene(weeks).copy(server))
        server.flushall()
    return Scene.put_back(weeks, server, copies[0])


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """The log server, as used by a test that damages it."""
    with log_server.client() as client:
        yield client
