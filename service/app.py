"""The WSGI app."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NoReturn
from urllib.parse import urlsplit

from flask import Flask, Request
from werkzeug.routing import RequestRedirect

from .accounts.admission import Admission
from .api import register
from .config import Config
from .games.repository import Games, caps_of
from .hints.queue import Hints
from .logs import about, request_id
from .parking import STARTED
from .store import Store


class App(Flask):
    """A Flask app that logs request ids, does not support coroutines, and sends redirects without a scheme or host."""

    def wsgi_app(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Handle a request. Log lines that are written while the app handles the request include the request's id."""
        environ.setdefault(STARTED, time.perf_counter())
        with about(request=request_id(environ.get("HTTP_X_REQUEST_ID"), environ.get("HTTP_AUTHORIZATION"))):
            answer: Iterable[bytes] = super().wsgi_app(environ, start_response)
            return answer

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function unchanged.

        Flask's own method would check on every request whether a dozen functions are coroutines. This app has no
        coroutines.
        """
        return func

    def raise_routing_exception(self, request: Request) -> NoReturn:
        """Remove the scheme and the host from a redirect.

        The service does not know which scheme and host clients use.

        werkzeug redirects a request if its path lacks a final slash or contains two slashes in a row.
        """
        redirect = request.routing_exception
        if isinstance(redirect, RequestRedirect):
            redirect.new_url = urlsplit(redirect.new_url)._replace(scheme="", netloc="").geturl()
        super().raise_routing_exception(request)


def make_app(config: Config) -> Flask:
    """Return the app. Each process has its own app. The app keeps no game state between requests."""
    app = App("service", static_folder=None)
    app.extensions["condottiere"] = Games(
        Store(config),
        Hints(config),
        networks=config.webhook_networks,
        caps=caps_of(config),
        test_clock=config.test_clock,
        public_url=config.public_url,
        talk=config.talk,
        mail=config.mail,
    )
    app.extensions["admission"] = Admission(config.registration, config.registration_code)
    register(app, config)
    return app
