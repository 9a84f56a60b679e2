"""The embedded servers: Redis-compatible child processes, each with its data in its own folder."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ..config import Config
from . import lock
from .binary import find_binary
from .leash import with_leash
from .secret_keys import key_in

Fsync = Literal["always", "everysec"]

LONGEST_SOCKET = 100
"""The maximum length of a socket's path, in bytes. The limits of operating systems are between 103 and 107."""
LOCK_SECONDS = 3.0
"""The maximum number of seconds to wait for the servers of a killed service to end."""
START_SECONDS = 60.0
STOP_SECONDS = 60.0
"""Seconds that a server gets after SIGTERM to write its data, before it is killed."""
TAIL = 8
"""The number of lines of a server's log that an error message quotes."""

CONFIG = """\
# Written at each start.
{reached}
appendonly yes
appendfsync {fsync}
save ""
maxmemory-policy noeviction
loglevel warning
"""


class EmbeddedError(Exception):
    """Raised if an embedded server cannot run. The message gives the reason, and tells the user what to do.

    The subclass `FolderInUse` means that another process uses the server's folder. The subclass `ServerDied` means that
    the server ended before it answered.
    """


class FolderInUse(EmbeddedError):
    """Another process uses the folder."""


class ServerDied(EmbeddedError):
    """The server ended before it answered."""


class EmbeddedServer:
    """An embedded server, its folder, and its address `url`, which stays the same when the server is restarted.

    Acknowledged writes survive even if the server is killed. If `fsync` is "always", acknowledged writes also survive a
    power failure. The server and this process share a lock on the folder, so two servers never write to the same files.
    Use this class in the main thread: the server gets SIGTERM when the thread that started it ends.
    """

    def __init__(self, folder: Path, fsync: Fsync = "always", *, binary: Path | None = None) -> None:
        """Choose the server's address, without starting the server or writing files. Raises: NoBinary."""
        self.folder = folder.absolute()
        self.name = folder.name
        self._binary = binary or find_binary()
        self._fsync = fsync
        self._socket = self.folder / "socket"
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        if len(os.fsencode(self._socket)) <= LONGEST_SOCKET:
            self.url = f"unix://{quote(str(self._socket))}"
            self._listen_config = "port 0\nunixsocket socket\nunixsocketperm 700"
        else:
            # Every account on this machine can connect to a port, so the server needs a password.
            port, password = _free_port(), secrets.token_urlsafe(24)
            self.url = f"redis://:{password}@127.0.0.1:{port}"
            self._listen_config = f"bind 127.0.0.1\nport {port}\nrequirepass {password}"

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._running_process().pid

    def poll(self) -> int | None:
        """Return the server's exit code (negative for a signal), or None while the server runs."""
        return self._running_process().poll()

    def start(self, seconds: float = START_SECONDS) -> None:
        """Start the server and wait until it answers. Raises: EmbeddedError."""
        try:
            self.launch()
            self._await_answer(time.monotonic() + seconds)
        except BaseException:
            self.stop()
            raise

    def launch(self) -> None:
        """Start the server, or restart it after it has ended, without waiting until it answers.

        Raises: FolderInUse, or EmbeddedError if the folder cannot be used.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = self._take_lock()
            self._socket.unlink(missing_ok=True)
            self._process = self._spawn(self._lock)
            lock.sign(self._lock, self.pid)
        except OSError as error:
            raise EmbeddedError(f"the folder {self.folder} cannot be used: {error.strerror}") from error

    def ready(self) -> bool:
        """Return whether the server answers. The server does not answer while it loads its data, or after it has
        ended.
        """
        return self.poll() is None and _answers(self.url)

    def death(self) -> ServerDied:
        """Return the error for a server that does not start. The error quotes the end of the server's log."""
        return ServerDied(f"the {self.name} server did not start{self._tail()}")

    def stop(self) -> None:
        """If the server is running, have it write its data and stop. In any case, release the folder."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        """Start the server."""
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop the server."""
        self.stop()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError(f"the {self.name} server was never started")
        return self._process

    def _await_answer(self, deadline: float) -> None:
        while not self.ready():
            if self.poll() is not None:
                raise self.death()
            if time.monotonic() > deadline:
                raise EmbeddedError(f"the {self.name} server is not responding{self._tail()}")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._running_process().wait(0.01)

    def _take_lock(self) -> int:
        path = self.folder / "lock"
        descriptor = self._lock if self._lock is not None else lock.take(path, LOCK_SECONDS)
        if descriptor is None:
            message = f"the folder {self.folder} is in use: its server is process {lock.holder(path)}"
            raise FolderInUse(f"{message}; stop the service that started it, or set CONDOTTIERE_DATA to another folder")
        return descriptor

    def _spawn(self, descriptor: int) -> subprocess.Popen[bytes]:
        # All paths are relative to the folder, so no path needs quoting. The server inherits the lock.
        config = self.folder / "server.conf"
        config.touch(mode=0o600)
        config.write_text(CONFIG.format(reached=self._listen_config, fsync=self._fsync))
        with (self.folder / "server.log").open("ab") as log:
            return subprocess.Popen(
                with_leash([str(self._binary), config.name]),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[descriptor],
                process_group=0,
            )

    def _tail(self) -> str:
        log = self.folder / "server.log"
        return "".join(f"\n  {line}" for line in [f"{log}:", *log.read_text(errors="replace").splitlines()[-TAIL:]])


def running_servers(config: Config) -> Config:
    """Return settings that contain the addresses of the servers to use.

    If REDIS_URL is set, return the settings unchanged. Otherwise, add the addresses of the embedded servers of a
    running `condottiere serve`. Unless the settings already contain a secret key, also add the running service's key.
    Raises: EmbeddedError if no service is running with the data folder of the settings.
    """
    if config.redis_url:
        return config
    folder = config.data_dir.expanduser().absolute()
    url = _running_url(folder / "log")
    if url is None:
        raise EmbeddedError(
            f"no service is running with the data folder {folder}: start `condottiere serve`, or set CONDOTTIERE_DATA "
            "or REDIS_URL to where the service stores its data"
        )
    # If there is no queue, only hints for bots are lost, and the clock sends these hints again.
    queue_url = config.queue_url or _running_url(folder / "queue") or url
    secret_keys = config.secret_keys or (bytes.fromhex(key_in(folder)),)
    return replace(config, redis_url=url, queue_url=queue_url, secret_keys=secret_keys)


def _running_url(folder: Path) -> str | None:
    """Return the address of the embedded server that uses a folder, or None if no server answers."""
    try:
        text = (folder / "server.conf").read_text()
    except OSError:
        return None
    settings = dict(line.partition(" ")[::2] for line in text.splitlines())
    if "unixsocket" in settings:
        url = f"unix://{quote(str(folder / settings['unixsocket']))}"
    else:
        url = f"redis://:{settings.get('requirepass', '')}@127.0.0.1:{settings.get('port', '')}"
    return url if _answers(url) else None


def _answers(url: str) -> bool:
    no_retry = Retry(NoBackoff(), 0)
    try:
        with redis.Redis.from_url(url, retry=no_retry, socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except (redis.RedisError, ValueError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
