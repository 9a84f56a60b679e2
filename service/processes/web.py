"""The web process: gunicorn with threads, told everything here, so that it needs no file of its own."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import resource
import socket
import struct
import threading
import time
from http import HTTPStatus
from typing import Any

import orjson
from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.http.errors import NoMoreData, ParseException  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from ..config import Config
from ..games.repository import Games
from ..problems import MEDIA_TYPE, Problem
from ..store.presence import WEB
from ..views.health import readiness
from .duties import Duty, perform

KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than the minute after which proxies usually let go of theirs."""
IDLE_CONNECTIONS = 1000
OTHER_FILES = 100
UNREAD = {414: "address-too-long", 431: "headers-too-large", 500: "internal-error"}
"""Codes of the problems of requests that cannot be read, by gunicorn's status; all others have one code."""
UNREAD_SAID = {
    "address-too-long": "no address here has more than 4,094 bytes with its query: send less",
    "headers-too-large": "a request has at most 100 headers here, of 8,190 bytes each: send fewer, or shorter ones",
    "internal-error": "something went wrong here; nothing that was answered is lost",
    "unreadable-request": "this does not read as an HTTP/1.1 request: look at what your client sends, byte by byte",
}
SEND_SECONDS = 30
"""After so long a reader who takes nothing, or whose machine is gone, is hung up on: it holds a thread."""
LINGER_SECONDS = 2.0
"""How long a closing connection waits for the client to close its end."""
LINGER_READS, READ_BYTES = 16, 4096
"""How much of what the client still sends meanwhile is read and thrown away."""
BEAT_PAUSE = 5.0
"""Seconds between two times at which the web says that it is there."""
STOP_SECONDS = 5
"""How long requests at hand may take to end, less than the supervisor waits."""

_logger = logging.getLogger(__name__)


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads; it lets go of those who do not read, and of those who wait when it is to end."""

    def handle(self, conn: Any) -> Any:
        """Answer a request over a connection on which no write waits for ever."""
        _bound(conn.sock)
        goes_on = super().handle(conn)
        if not goes_on:
            _linger(conn.sock)
        return goes_on

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request; who has not taken the answer in time is treated as somebody who is gone."""
        req.body.reader = _Reader(req)
        try:
            return super().handle_request(req, conn)
        except (BlockingIOError, TimeoutError) as error:
            # gunicorn would say goodbye in its main thread, and wait there for an answer.
            with contextlib.suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
            raise ConnectionResetError(errno.ECONNRESET, "nobody reads") from error

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what cannot be read as a request with a problem; gunicorn would refuse it with a page."""
        page = _Page()
        super().handle_error(req, page, addr, exc)
        with contextlib.suppress(OSError):
            write_nonblock(client, _refusal(UNREAD.get(page.status, "unreadable-request")))

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End after the requests at hand; in a thread, because a signal's handler must not wait for a lock."""
        super().handle_exit(sig, frame)
        if self.booted:
            games: Games = self.wsgi.extensions["condottiere"]
            threading.Thread(target=games.store.waits.close, name="release").start()


class _Reader:
    """Reads a request's body, and treats a malformed or truncated body as a lost connection.

    WSGI applications expect an OSError from a body that cannot be read; gunicorn's own errors would reach them as
    unknown exceptions. The connection closes after the answer: nobody knows where the next request would begin.
    """

    def __init__(self, req: Any) -> None:
        """Wrap the reader of a request's body."""
        self._req, self._reader = req, req.body.reader

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, b"" at the end of the body. Raises: OSError."""
        owed = min(size, getattr(self._reader, "length", 0))
        try:
            read: bytes = self._reader.read(size)
        except (NoMoreData, ParseException) as error:
            raise self._gone() from error
        if len(read) < owed:
            raise self._gone()
        return read

    def _gone(self) -> ConnectionResetError:
        self._req.force_close()
        return ConnectionResetError(errno.ECONNRESET, "the body is malformed or truncated")


class _Page:
    """Takes the page that gunicorn writes in place of an answer, for its status."""

    status = 500

    def gettimeout(self) -> float:
        """Return what a socket does that is not waited for."""
        return 0

    def sendall(self, page: bytes) -> None:
        """Take the page, whose first words are the protocol's version and the status."""
        self.status = int(page.split()[1])


def _refusal(code: str) -> bytes:
    """Return a whole answer: a problem, after which the connection is closed."""
    problem = Problem(code, UNREAD_SAID[code])
    body = orjson.dumps(problem.body())
    head = (
        f"HTTP/1.1 {problem.kind.status} {HTTPStatus(problem.kind.status).phrase}",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


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
        from ..app import make_app

        app = make_app(self._config)
        games: Games = app.extensions["condottiere"]
        # Two threads: whatever becomes of the one, time is counted by the other.
        threading.Thread(target=_warn, args=(games,), name="warn", daemon=True).start()
        duties = ([being_there(games)], threading.Event())
        threading.Thread(target=perform, args=duties, name="duties", daemon=True).start()
        return app


def being_there(games: Games, pause: float = BEAT_PAUSE) -> Duty:
    """Return the duty of saying time and again that the web is there."""

    def beat() -> bool:
        games.store.presence.beat(WEB, games.now())
        return False

    return Duty(f"saying that the {WEB} is there", beat, pause)


def _warn(games: Games) -> None:
    """Say why the log server is not to be trusted with games, where it is not."""
    for problem in readiness(games).problems:
        _logger.warning("the log server is not to be trusted with games: %s", problem)


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
        # No header, not even from this machine, may change the path, the address or the scheme of a request.
        "forwarded_allow_ips": "",
        "forwarder_headers": "",
        "secure_scheme_headers": {},
        # It would lie in the user's home, the same for every service there.
        "control_socket_disable": True,
    }


def _bound(connection: socket.socket) -> None:
    """Have a write fail that nobody has taken in time, also where the system still holds it back."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SEND_SECONDS)


def _linger(connection: socket.socket) -> None:
    """Shut a connection down, and read what the client still sends: unread data would reset the connection.

    A reset can destroy an answer before the client has read it. gunicorn lingers in the same way, but in its main
    thread, where a client that leaves its end open would hold up everybody for two seconds. After this it has no
    reason to wait.
    """
    deadline = time.monotonic() + LINGER_SECONDS
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        for _ in range(LINGER_READS):
            connection.settimeout(max(deadline - time.monotonic(), 0.001))
            if not connection.recv(READ_BYTES):
                break
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _allow_files(config: Config) -> None:
    """Let this process, and those that it forks, have as many files open as all threads and connections may need."""
    wanted = 2 * config.threads + IDLE_CONNECTIONS + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


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
    _allow_files(config)
    WebApplication(config).run()
