"""A service in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.store import Store

from ..servers import Valkey
from .weeks import HOUR, MONDAY, Weeks


@pytest.fixture
def weeks(log_server: Valkey, monkeypatch: pytest.MonkeyPatch) -> Iterator[Weeks]:
    """A service on an empty server, at noon on a Monday, whose games have the same seeds in every run."""
    monkeypatch.setattr("service.play.seating.secrets.token_bytes", Random(1).randbytes)
    config = Config(redis_url=log_server.url, queue_url=log_server.url)
    time = [MONDAY + 12 * HOUR]
    store, hints = Store(config), Hints(config)
    yield Weeks(Games(store, hints, now=lambda: time[0], test_clock=True), time)
    store.close()
    hints.close()
