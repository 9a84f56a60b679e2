"""The clients for measuring moves, in a separate process so that they share no lock with the measured servers.

`python -m benchmarks.clients PLAN RESULT` runs the clients and prints its progress. Each client plays one game, in a
thread with an open connection to each of the two web processes. All clients make a few moves at one process, and then
the same moves at the other. The processes take turns in going first, so both are measured under the same conditions,
and each serves all clients at the same time.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson

from .processes import HERE

SERVICE, BARE = "service", "bare"
BLOCK = 10
"""The number of moves that a client makes at one process before all clients switch.

A game's first block is a warm-up.
"""
SECONDS = 30
"""The number of seconds without a response after which the measurement fails."""

Times = dict[str, list[float]]
"""The time of each request in milliseconds, by web process."""


def run(plan: Mapping[str, Any]) -> list[Times]:
    """Play every round of a plan and return the times. Raises: RuntimeError if the server refuses a move."""
    clients = len(plan["rounds"][0])
    barrier = threading.Barrier(clients)
    all_times = []
    with ThreadPoolExecutor(clients) as pool:
        for number, games in enumerate(plan["rounds"]):
            connections = [_connections(plan["webs"]) for _ in games]
            prefixes = {name: prefix for name, (_, prefix) in plan["webs"].items()}
            parts = list(pool.map(_play, games, connections, [prefixes] * clients, [barrier] * clients))
            all_times.append({name: [ms for part in parts for ms in part[name]] for name in (SERVICE, BARE)})
            print((number + 1) / len(plan["rounds"]), flush=True)
    return all_times


def _connections(webs: Mapping[str, tuple[int, str]]) -> dict[str, HTTPConnection]:
    return {name: HTTPConnection(HERE, port, timeout=SECONDS) for name, (port, _) in webs.items()}


def _play(
    game: Mapping[str, Any],
    connections: Mapping[str, HTTPConnection],
    prefixes: Mapping[str, str],
    barrier: threading.Barrier,
) -> Times:
    all_times: Times = {SERVICE: [], BARE: []}
    try:
        for first in range(0, len(game["moves"]), BLOCK):
            for name in _order(first // BLOCK):
                requests = list(_requests(game, name, prefixes[name], first))
                barrier.wait(SECONDS)
                times = [_post(connections[name], *request) for request in requests]
                all_times[name] += times if first else []
    except BaseException:
        barrier.abort()
        raise
    finally:
        for connection in connections.values():
            connection.close()
    return all_times


def _order(block: int) -> Sequence[str]:
    return (SERVICE, BARE) if block % 2 else (BARE, SERVICE)


def _requests(
    game: Mapping[str, Any], name: str, prefix: str, first: int
) -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """Yield the path, the body and the headers of each move in a block."""
    for number, (seat, record) in enumerate(game["moves"][first : first + BLOCK], first):
        headers = {
            "Authorization": f"Bearer {game['tokens'][seat]}",
            "Content-Type": "application/json",
            "Idempotency-Key": f"move-{number}",
            "If-Match": f'"{number + 1}"',
        }
        yield f"{prefix}/v1/games/{game[name]}/moves", orjson.dumps(record), headers


def _post(connection: HTTPConnection, path: str, body: bytes, headers: dict[str, str]) -> float:
    began = perf_counter()
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    answer = response.read()
    ended = perf_counter()
    if response.status != 201:
        raise RuntimeError(f"{path} responds with {response.status}: {answer[:500]!r}")
    return 1000 * (ended - began)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(orjson.dumps(run(orjson.loads(Path(sys.argv[1]).read_bytes()))))
