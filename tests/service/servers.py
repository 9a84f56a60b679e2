"""Real servers for tests: one Valkey on a socket, or three as a cluster, each ended by its process id."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import redis
from redis.backoff import ConstantBackoff
from redis.connection import AbstractConnection
from redis.retry import Retry

from service.processes.binary import find_binary
from service.processes.leash import with_leash

SLOTS = 16_384
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
MEMORY = Path("/dev/shm")
"""A folder on Linux whose files are in memory."""
ROOM = 2**30
"""The number of bytes that must be free there."""


def folder_for_data(prefix: str) -> TemporaryDirectory[str]:
    """Return a folder for the data of servers, which is deleted at the end of its block.

    Its name is short, because the name of a socket must be short. The folder is in memory if there is room, because a
    server waits for the disk after each write. Killing a process does not affect its files in memory.
    """
    room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    return TemporaryDirectory(prefix=prefix, dir=MEMORY if room else None)


class Valkey:
    """A server with its own folder, whose data it loads again when it is restarted."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        """Start the server; without a port, it is reachable only through a socket in its folder."""
        self.folder = folder
        self.port = port
        self.url = f"redis://127.0.0.1:{port}" if port else f"unix://{folder}/s"
        self._options = options
        self._for_flushes = self.client()
        self.start()

    def start(self) -> None:
        """Start the server and wait for its first response."""
        folder = str(self.folder)
        reached = ["--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", f"{folder}/s"]
        kept = ["--dir", folder, "--save", "", "--logfile", f"{folder}/log"]
        program = str(find_binary(os.environ.get("CONDOTTIERE_REDIS_BINARY", "")))
        self._process = subprocess.Popen(with_leash([program, *reached, *kept, *self._options]))
        self.client().ping()

    def client(self) -> redis.Redis:
        """Return a client that waits for the server while it starts."""
        return redis.Redis.from_url(self.url, protocol=2, retry=Retry(ConstantBackoff(0.02), 500))

    def kill(self) -> None:
        """Kill the server's process, as a power cut would end it."""
        self._process.kill()
        self._process.wait()

    def suspend(self) -> None:
        """Suspend the process: the server accepts connections and never responds."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a stopped process continue."""
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the server if it runs."""
        self._for_flushes.close()
        self._process.terminate()
        self._process.wait()

    def flush(self) -> None:
        """Delete all data. The connection for this stays open, because most tests flush the same server twice."""
        self._for_flushes.flushall()


@contextmanager
def cluster(folder: Path) -> Iterator[list[Valkey]]:
    """Run three masters that share the slots and store nothing on disk."""
    nodes = []
    try:
        for number in range(3):
            (folder / str(number)).mkdir()
            options = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
            nodes.append(Valkey(folder / str(number), *options, port=free_port()))
            with nodes[number].client() as client, nodes[0].client() as first:
                client.execute_command("CLUSTER ADDSLOTS", *range(number, SLOTS, 3))
                if number:
                    first.execute_command("CLUSTER MEET", "127.0.0.1", nodes[number].port)
        until(lambda: all(_knows_all(node) for node in nodes))
        yield nodes
    finally:
        for node in nodes:
            node.stop()


class Wire:
    """A wire to a server that can lose one response: after `lose`, the connection breaks instead of delivering it."""

    def __init__(self, server: Valkey) -> None:
        """Create the wire next to the server's own socket."""
        self.url = f"{server.url}-wire"
        self._to = f"{server.folder}/s"
        self._losing = threading.Event()
        self._end = Path(self.url.removeprefix("unix://"))
        self._listener = socket.create_server(str(self._end), family=socket.AF_UNIX)
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self) -> None:
        """Lose the next response."""
        self._losing.set()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._end.unlink()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, far = self._listener.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(self._to)
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near, self._losing), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket, losing: threading.Event | None = None) -> None:
        with here, contextlib.suppress(OSError):
            while carried := here.recv(65_536):
                if losing is not None and losing.is_set():
                    losing.clear()
                    break
                there.sendall(carried)
            there.shutdown(socket.SHUT_RDWR)


class Address:
    """An address that leads to a server, and later perhaps to another one.

    Existing connections stay with their server.
    """

    def __init__(self, server: Valkey) -> None:
        """Lead to a server."""
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def lead_to(self, server: Valkey) -> None:
        """Lead new connections to another server."""
        self._server = server

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, far = self._listener.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(f"{self._server.folder}/s")
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=ends, daemon=True).start()


def _carry(here: socket.socket, there: socket.socket) -> None:
    with here, contextlib.suppress(OSError):
        while carried := here.recv(65_536):
            there.sendall(carried)
        there.shutdown(socket.SHUT_RDWR)


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count how often this process sends something to a server within the block, except to open connections.

    A pipeline is sent as a whole, so this is the number of round trips.
    """
    sent: list[int] = []
    send = AbstractConnection.send_packed_command

    def counting(self: AbstractConnection, command: Any, check_health: bool = True) -> Any:
        # While a connection is being opened, commands do not check its health.
        sent.extend([1] * check_health)
        return send(self, command, check_health=check_health)

    with patch.object(AbstractConnection, "send_packed_command", counting):
        yield sent


def until(what: Callable[[], bool], seconds: float = 30) -> None:
    """Poll until a condition is true, for events that send no notification."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def free_port() -> int:
    """Return a port that nobody listens on; the port 10,000 above it, which a cluster uses too, is also free.

    Both are below the range from which systems assign ports to outgoing connections, so they stay free until used.
    """
    while True:
        port = 10_000 + secrets.randbelow(10_000)
        with contextlib.suppress(OSError), _listening(port), _listening(10_000 + port):
            return port


def _listening(port: int) -> socket.socket:
    return socket.create_server(("127.0.0.1", port))


def _knows_all(node: Valkey) -> bool:
    with node.client() as client:
        told = client.execute_command("CLUSTER INFO")
    return bool(told["cluster_state"] == "ok" and told["cluster_slots_assigned"] == str(SLOTS))
