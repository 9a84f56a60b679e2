"""After random weeks with games of every kind, the rebuild finds no errors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.table import CANCELLED, FINISHED, OPEN, RUNNING
from service.rebuild.findings import Finding

from ..correspondence.weeks import Weeks
from .random_weeks import RandomWeeks

Rebuild = Callable[..., list[Finding]]

pytestmark = pytest.mark.slow


def test_after_a_random_week_everything_follows_from_the_logs(weeks: Weeks, check: Rebuild) -> None:
    week = RandomWeeks(weeks, seed=1)
    week.live(20)
    assert check() == check(*week.games) == []
    assert {"move", "order", *week.tried} - week.done.keys() == set()
    assert set(week.statuses()) == {OPEN, RUNNING, FINISHED, CANCELLED}


@pytest.mark.parametrize("seed", [2, 3])
def test_after_a_long_time_everything_follows_from_the_logs(weeks: Weeks, check: Rebuild, seed: int) -> None:
    week = RandomWeeks(weeks, seed=seed)
    for _ in range(2):
        week.live(25)
        assert check() == []
    assert check(*week.games) == []
