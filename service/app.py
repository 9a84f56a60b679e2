"""The WSGI app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from .api import register
from .config import Config
from .games.repository import Games
from .hints.queue import Hints
from .store import Store


class App(Flask):
    """Flask without coroutines."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as it is: none here is a coroutine, and for each request a dozen would be looked at."""
        return func


def make_app(config: Config) -> Flask:
    """Return the app. It keeps nothing of any game between two requests; every process has its own."""
    app = App("service", static_folder=None)
    app.extensions["condottiere"] = Games(Store(config), Hints(config), networks=config.webhook_networks)
    register(app)
    return app
