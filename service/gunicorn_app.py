"""The web process: gunicorn with threads, told everything here, so that it needs no file of its own."""

from __future__ import annotations

import gc
import logging
import threading
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from .config import Config
from .games import Games

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than the minute after which proxies usually let go of theirs."""
IDLE_CONNECTIONS = 1000
STOP_SECONDS = 5
"""How long requests at hand may take to end, less than the supervisor waits."""


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, which lets those go who wait for events when it is told to end."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End after the requests at hand; in a thread, because a signal's handler must not wait for a lock."""
        super().handle_exit(sig, frame)
        if self.booted:
            games: Games = self.wsgi.extensions["condottiere"]
            threading.Thread(target=games.store.wakes.close, name="release").start()


class WebApplication(BaseApplication):  # type: ignore[misc]
    """The service, as gunicorn wants it."""

    def __init__(self, config: Config) -> None:
        """Take the configuration."""
        self._config = config
        super().__init__(prog="condottiere web")

    def load_config(self) -> None:
        """Tell gunicorn its settings."""
        for name, value in options(self._config).items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the WSGI app; called in each process of the web, after it was forked."""
        from . import create_app

        return create_app(self._config)


def options(config: Config) -> dict[str, Any]:
    """Return gunicorn's settings."""
    host = f"[{config.host}]" if ":" in config.host else config.host
    return {
        "bind": f"{host}:{config.port}",
        "worker_class": Worker,
        "workers": config.workers,
        "threads": config.threads,
        "worker_connections": config.threads + IDLE_CONNECTIONS,
        "keepalive": KEEP_ALIVE,
        "graceful_timeout": STOP_SECONDS,
        "loglevel": config.log_level,
        "post_worker_init": _calm_the_collector,
        # It would lie in the user's home, the same for every service there.
        "control_socket_disable": True,
    }


def _calm_the_collector(worker: Worker) -> None:
    """Let the garbage collector leave alone what stays, and come less often: a replay makes thousands of small values.

    They are freed as soon as they are let go, because none of them refers back to another.
    """
    del worker
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def run(config: Config) -> None:
    """Answer requests until SIGTERM or SIGINT. Raises: SystemExit."""
    logging.getLogger("gunicorn.error").propagate = False
    WebApplication(config).run()
