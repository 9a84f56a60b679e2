"""An app whose webhooks may lead to the loopback interface, and people who play through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.store import Store

from ..api.conftest import against_bots, anna, bruno, games, made, person, time
from ..servers import Valkey
from .subscriber import LOOPBACK

__all__ = ["against_bots", "anna", "app", "bruno", "games", "made", "person", "time"]


@pytest.fixture
def app(made: Flask, log_server: Valkey, time: Callable[[], int]) -> Iterator[Flask]:
    """The app with separate games, whose logs and queue are on one empty server."""
    config = Config(redis_url=log_server.url, queue_url=log_server.url)
    games = Games(Store(config), Hints(config), now=time, networks=LOOPBACK)
    made.extensions["condottiere"] = games
    yield made
    games.store.close()
    games.hints.close()
