"""A service in simulated time, and the rebuild of its indexes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.rebuild.findings import Finding
from service.rebuild.rebuild import rebuild
from service.rebuild.run import RebuildRun

from ..correspondence.conftest import weeks as weeks
from ..correspondence.weeks import Weeks


@pytest.fixture
def check(weeks: Weeks) -> Callable[..., list[Finding]]:
    """Compare some games, or all, and write nothing."""
    return lambda *games: list(rebuild(RebuildRun(weeks.games.store, weeks.games.now, mends=False, games=games)))


@pytest.fixture
def mend(weeks: Weeks) -> Callable[..., list[Finding]]:
    """Rebuild some games, or all."""
    return lambda *games: list(rebuild(RebuildRun(weeks.games.store, weeks.games.now, mends=True, games=games)))
