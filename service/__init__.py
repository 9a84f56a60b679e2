"""Condottiere over HTTP: a thin, honest shell round the engine."""

from __future__ import annotations

from flask import Flask

from .api import register
from .config import Config
from .games import Games
from .jobs.queue import Hints
from .store import Store


def create_app(config: Config | None = None) -> Flask:
    """Return the WSGI app. It keeps nothing of any game between two requests; every process may have its own.

    Without a config the environment is read. Raises: ConfigError when a setting is missing or cannot be read.
    """
    config = config or Config.from_env()
    app = Flask(__name__, static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["condottiere"] = Games(Store(config), Hints(config))
    register(app)
    return app
