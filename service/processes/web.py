"""The web: as many processes as there are cores, each with the gateway in front of the app, behind one socket."""

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
from functools import partial

from flask import Flask

from ..app import make_app
from ..config import Config
from ..games.repository import Games
from ..gateway.server import new_loop, serve
from ..store.presence import WEB
from ..views.health import readiness
from .duties import Duty, perform
from .forks import run_forked
from .local_url import local_url

BEAT_PAUSE = 5.0
"""Seconds between two times at which the web says that it is there."""
LOOP_SECONDS = 10.0
"""How long the loop may take to answer before it counts as stuck."""
SWITCH_SECONDS = 0.001
"""How long one thread may hold the interpreter while others wait for it. The loop needs it at every request, but only
for a moment each time; with Python's 5 ms it waits behind the threads that compute answers."""
OTHER_CONNECTIONS = 1000
"""Connections that a process has besides those of the requests that wait."""
OWN_FILES = 200
"""Files that a process has open besides its connections to clients: those to the log server are most of them."""

_logger = logging.getLogger(__name__)


class LoopStuck(Exception):
    """The loop does not answer: somebody holds it up."""


def run(config: Config) -> None:
    """Answer requests until SIGTERM or SIGINT. Raises: OSError where HOST and PORT cannot be listened at."""
    most = _allow_files(config)
    with listening(config) as listener:
        _logger.info("listening at %s, process %d", local_url(config.host, config.port), os.getpid())
        run_forked(config.workers, lambda: _answer_requests(config, listener, most))


def listening(config: Config) -> socket.socket:
    """Return the socket that all web processes accept from. Raises: OSError."""
    found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server(address[:2], family=family, backlog=socket.SOMAXCONN)


def being_there(games: Games, check: Callable[[], None], pause: float = BEAT_PAUSE) -> Duty:
    """Return the duty of saying time and again that the web is there, unless a check raises why it is not."""

    def beat() -> bool:
        check()
        games.store.presence.beat(WEB, games.now())
        return False

    return Duty(f"reporting the presence of the {WEB}", beat, pause)


def _answer_requests(config: Config, listener: socket.socket, most: int) -> None:
    """Answer requests in this process until SIGTERM or SIGINT, over so many connections at most."""
    app = make_app(config)
    games: Games = app.extensions["condottiere"]
    _calm_the_collector()
    sys.setswitchinterval(SWITCH_SECONDS)
    _logger.info("answering requests, process %d", os.getpid())
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(app, games, listener, most))
    logging.shutdown()
    # A thread that still waits for the log server has nobody to answer to.
    os._exit(0)


async def _serve(app: Flask, games: Games, listener: socket.socket, most: int) -> None:
    # Two threads: whatever becomes of the one, time is counted by the other.
    threading.Thread(target=_warn, args=(games,), name="warn", daemon=True).start()
    stop = threading.Event()
    duties = ([being_there(games, partial(_must_answer, asyncio.get_running_loop()))], stop)
    threading.Thread(target=perform, args=duties, name="duties", daemon=True).start()
    try:
        await serve(app, listener, games.store, most)
    finally:
        stop.set()


def _must_answer(loop: asyncio.AbstractEventLoop) -> None:
    """Do nothing where a loop answers within `LOOP_SECONDS`. Raises: LoopStuck."""
    answered = threading.Event()
    loop.call_soon_threadsafe(answered.set)
    if not answered.wait(LOOP_SECONDS):
        raise LoopStuck(f"the event loop has not responded for {LOOP_SECONDS:.0f} s")


def _warn(games: Games) -> None:
    """Say why the log server is not to be trusted with games, where it is not."""
    for problem in readiness(games).problems:
        _logger.warning("the log server is not ready for games: %s", problem)


def _allow_files(config: Config) -> int:
    """Let this process, and those that it forks, have as many files open as all who wait, and others, may need.

    Return how many connections there may be: where the system allows fewer files, some are kept for the log server.
    """
    wanted = config.max_waits + OTHER_CONNECTIONS + OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    allowed = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(allowed - OWN_FILES, 1)


def _calm_the_collector() -> None:
    """Let the garbage collector leave alone what stays, and come less often: a replay makes thousands of small values.

    They are freed as soon as they are let go, because none of them refers back to another.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
