"""The web process: a configurable number of processes behind one socket, each with the gateway in front of the app."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial

from flask import Flask

from ..app import make_app
from ..config import Config
from ..games.repository import Games
from ..gateway.server import new_loop, serve
from ..store.errors import StoreError
from ..store.presence import WEB
from ..views.health import readiness
from .duties import Duty, perform
from .forks import run_forked
from .local_url import local_url
from .metrics import serve_metrics
from .reporting import reporting
from .secret_keys import warn_without_keys

BEAT_PAUSE = 5.0
"""Seconds between two heartbeats of the web process."""
LOOP_SECONDS = 10.0
"""Seconds after which a loop that does not respond counts as stuck."""
SWITCH_SECONDS = 0.001
"""Seconds for which a thread may hold the interpreter while others wait for it.

The loop needs the interpreter briefly for each request. With Python's default of 5 ms, the loop would have to wait for
threads that compute responses.
"""
OTHER_CONNECTIONS = 1000
"""The number of connections that a process may have in addition to the connections of waiting requests."""
OWN_FILES = 200
"""The number of files that a process needs besides its client connections, mostly for the log server."""

_logger = logging.getLogger(__name__)


class LoopStuck(Exception):
    """The event loop does not respond, because a call blocks it."""


def run(config: Config) -> None:
    """Serve requests until SIGTERM or SIGINT. Raises: OSError if it cannot listen on HOST and PORT."""
    warn_without_keys(config)
    max_connections = _allow_files(config)
    app = make_app(config)
    with ExitStack() as sockets:
        listener = sockets.enter_context(listening(config.host, config.port))
        works: list[Callable[[], None]] = [partial(_answer_requests, app, listener, config, max_connections)]
        works *= config.workers
        if config.metrics_port:
            # A separate process serves metrics, so metrics cannot delay other requests. If the metrics process ends, it
            # is restarted like the other processes.
            for_metrics = sockets.enter_context(listening(config.metrics_host, config.metrics_port))
            _logger.info("serving metrics at %s/metrics", local_url(config.metrics_host, config.metrics_port))
            works.append(partial(serve_metrics, config, for_metrics))
        _logger.info("listening at %s, process %d", local_url(config.host, config.port), os.getpid())
        run_forked(works)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket from which several processes can accept connections. Raises: OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server(address[:2], family=family, backlog=socket.SOMAXCONN)


def presence_duty(games: Games, check: Callable[[], None], pause: float = BEAT_PAUSE) -> Duty:
    """Return the duty that records that the web process is up. Nothing is recorded if `check` raises an error."""

    def beat() -> bool:
        check()
        games.store.presence.beat(WEB, games.now())
        return False

    return Duty(f"reporting the presence of the {WEB}", beat, pause)


def _answer_requests(app: Flask, listener: socket.socket, config: Config, max_connections: int) -> None:
    """Serve requests in this process until SIGTERM or SIGINT, over at most `max_connections` connections.

    Creating an app takes half a second, so `app` is created once, before the processes are forked. At this point, `app`
    has not connected to any server.
    """
    games: Games = app.extensions["condottiere"]
    _tune_gc()
    sys.setswitchinterval(SWITCH_SECONDS)
    _logger.info("answering requests, process %d", os.getpid())
    with reporting(config, WEB), asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(app, games, listener, config, max_connections))
    logging.shutdown()
    # Do not wait for other threads: a thread that is still waiting for the log server no longer has a client.
    os._exit(0)


async def _serve(app: Flask, games: Games, listener: socket.socket, config: Config, max_connections: int) -> None:
    # These are separate threads, so that the duties are still checked if `_warn` blocks.
    threading.Thread(target=_warn, args=(games,), name="warn", daemon=True).start()
    stop = threading.Event()
    duties = ([presence_duty(games, partial(_check_loop, asyncio.get_running_loop()))], stop)
    threading.Thread(target=perform, args=duties, name="duties", daemon=True).start()
    try:
        await serve(app, listener, games.store, config, max_connections)
    finally:
        stop.set()


def _check_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until a loop responds. Raises: LoopStuck if the event loop does not respond within `LOOP_SECONDS`."""
    answered = threading.Event()
    loop.call_soon_threadsafe(answered.set)
    if not answered.wait(LOOP_SECONDS):
        raise LoopStuck(f"the event loop has not responded for {LOOP_SECONDS:.0f} s")


def _warn(games: Games) -> None:
    """Log warnings if the log server is not ready for games, or if the key for the stored secrets is missing."""
    with suppress(StoreError):
        if (key_id := games.store.sealing.missing_key()) is not None:
            _logger.error(
                "secrets in the store are encrypted with key %s, which is not in CONDOTTIERE_SECRET_KEYS: "
                "restore the key, or tokens created with it will not work",
                key_id,
            )
    for problem in readiness(games).problems:
        _logger.warning("the log server is not ready for games: %s", problem)


def _allow_files(config: Config) -> int:
    """Raise this process's limit on open files to the number that all requests together may need. Forked processes
    inherit the limit.

    Returns the number of client connections to allow. If the system allows fewer files than needed, fewer connections
    are allowed, because the process needs `OWN_FILES` files for other purposes.
    """
    needed = config.max_waits + OTHER_CONNECTIONS + OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    granted = needed if soft == resource.RLIM_INFINITY else min(soft, needed)
    return max(granted - OWN_FILES, 1)


def _tune_gc() -> None:
    """Make the garbage collector skip long-lived objects and run less often.

    A replay allocates thousands of small objects that are not part of reference cycles. Python frees each of these
    objects as soon as nothing refers to it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
