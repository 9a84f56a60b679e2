"""The WSGI app."""

from __future__ import annotations

from flask import Flask

from .api import register
from .config import Config
from .games import Games
from .jobs.queue import Hints
from .store import Store


def make_app(config: Config) -> Flask:
    """Return the app. It keeps nothing of any game between two requests; every process has its own."""
    app = Flask("service", static_folder=None)
    app.extensions["condottiere"] = Games(Store(config), Hints(config), networks=config.webhook_networks)
    register(app)
    return app
