"""An app that sends e-mail, and people who play through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.config import Config, Mail
from service.games.repository import Games
from service.hints.queue import Hints
from service.store import Store

from ..api.conftest import against_bots, anna, bruno, games, host, made, person, spectator, time
from ..servers import Valkey
from ..webhooks.subscriber import LOOPBACK

__all__ = ["against_bots", "anna", "app", "bruno", "games", "host", "made", "person", "spectator", "time"]

PUBLIC_URL = "https://play.example.org"
MAIL = Mail("127.0.0.1", 9, "", "", "off", "games@play.example.org", 0)
"""Settings of an app in which another process sends mail: nothing listens on this port."""


@pytest.fixture
def app(made: Flask, log_server: Valkey, time: Callable[[], int]) -> Iterator[Flask]:
    """The app with separate games, on one empty server."""
    config = Config(redis_url=log_server.url, queue_url=log_server.url)
    games = Games(
        Store(config), Hints(config), now=time, networks=LOOPBACK, public_url=PUBLIC_URL, mail=MAIL, test_clock=True
    )
    made.extensions["condottiere"] = games
    yield made
    games.store.close()
    games.hints.close()
