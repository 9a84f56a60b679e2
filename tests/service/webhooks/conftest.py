"""An app whose webhooks may lead to the loopback, and people who play through it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from service import create_app
from service.config import Config
from service.games import Games

from ..api.conftest import against_bots, anna, bruno, games, person
from ..servers import Valkey
from .subscriber import LOOPBACK

__all__ = ["against_bots", "anna", "app", "bruno", "games", "person"]


@pytest.fixture
def app(log_server: Valkey) -> Iterator[Flask]:
    """The app, its logs and its queue on one empty server."""
    app = create_app(Config(redis_url=log_server.url, queue_url=log_server.url, webhook_networks=LOOPBACK))
    yield app
    made: Games = app.extensions["condottiere"]
    made.store.close()
    made.hints.close()
