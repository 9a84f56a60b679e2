"""Moments: what a view at an earlier version costs, compared with the current view of the same game.

* Matches are stored in the state after a given number of events, and also in their final state. The requested earlier
  versions are in the middle of the log, and just before its end, where most events must be replayed twice.
* One client sends the requests to one web process, over one open connection. The kinds of view alternate in blocks, in
  a changing order. The CPU time of a block is measured as in `lengths`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import redis

from service.config import Config
from service.processes.embedded import EmbeddedServer
from service.store import Store, keys
from service.store.log import Addition

from .processes import HERE, Web, cpu, web
from .recording import SEATS, Recording, matches
from .report import OnProgress, Row, Section

EVENTS = (20, 200, 400, 1500)
MATCHES = 4
BLOCKS, QUICK_BLOCKS = 30, 5
BLOCK = 40
"""The number of requests of one kind before those of the next kind. The first block is a warm-up."""
SECONDS = 30
"""The number of seconds without a response after which the measurement fails."""
GOAL = 1.5

NOW = "now"
VERSIONS: Mapping[str, Callable[[int], str]] = {
    NOW: lambda _: "",
    "in the middle": lambda length: f"?version={max(1, length // 2)}",
    "just before the end": lambda length: f"?version={max(1, length - 1)}",
}
"""For each kind of view, a function that returns the query string, given the length of the log."""


class Position(NamedTuple):
    """A stored match, with the number of its commits."""

    game: str
    length: int


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure views of matches of several lengths, and of finished matches."""
    blocks = QUICK_BLOCKS if quick else BLOCKS
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        folder = Path(name)
        server = stack.enter_context(EmbeddedServer(folder / "log"))
        store = stack.enter_context(closing(Store(Config(redis_url=server.url, queue_url=server.url))))
        client = stack.enter_context(redis.Redis.from_url(server.url))
        players, tokens = zip(*(store.players.register(f"Match-{seat}") for seat in range(SEATS)), strict=True)
        recorded = matches(MATCHES, EVENTS[-1], [player.id for player in players])
        positions = {
            f"{events:,}": [_stored(client, store, one, one.commits_with(events)) for one in recorded]
            for events in EVENTS
        }
        most = max(one.events for one in recorded)
        positions[f"finished, up to {most:,}"] = [_stored(client, store, one, len(one.commits)) for one in recorded]
        process = stack.enter_context(
            web(["service", "web"], folder / "processes.log", {"REDIS_URL": server.url, "WEB_WORKERS": "1"})
        )
        connection = stack.enter_context(closing(HTTPConnection(HERE, process.port, timeout=SECONDS)))
        times = {
            name: _times(process, connection, tokens[0], some, blocks, _part_of(number, len(positions), on_progress))
            for number, (name, some) in enumerate(positions.items())
        }
    return Section(
        title="A view at a version",
        how=(
            "The CPU time that a web process uses for a player's view of a match at an earlier version, by the "
            "number of events in the log. It is compared with the CPU time of the current view of the same match, "
            "which is requested alternately. The server reads the log once for each view."
        ),
        columns=("", "Events", "Measured", "Current", "Ratio", "Ratio per block"),
        rows=tuple(_rows(times)),
    )


def _part_of(number: int, total: int, on_progress: OnProgress) -> OnProgress:
    return lambda part: on_progress((number + part) / total)


def _stored(server: redis.Redis, store: Store, recording: Recording, length: int) -> Position:
    game_id = keys.new_game_id()
    store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
    server.rpush(keys.of_game(game_id, "log"), *recording.rows[1:length])
    return Position(game_id, length)


def _times(
    process: Web,
    connection: HTTPConnection,
    token: str,
    positions: Sequence[Position],
    blocks: int,
    on_progress: OnProgress,
) -> dict[str, list[float]]:
    """Return, for each kind of view, the CPU time per request (ms) in each block."""
    found: dict[str, list[float]] = {kind: [] for kind in VERSIONS}
    kinds = list(VERSIONS)
    for number in range(blocks + 1):
        first = number % len(kinds)
        for kind in kinds[first:] + kinds[:first]:
            before = cpu(process.pid)
            for request in range(BLOCK):
                _ask(connection, token, positions[request % len(positions)], VERSIONS[kind])
            found[kind] += [1000 * (cpu(process.pid) - before) / BLOCK] if number else []
        on_progress((number + 1) / (blocks + 1))
    return found


def _ask(connection: HTTPConnection, token: str, position: Position, query: Callable[[int], str]) -> None:
    path = f"/v1/games/{position.game}{query(position.length)}"
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise RuntimeError(f"GET {path} responds with {response.status}: {answer[:500]!r}")


def _rows(times: Mapping[str, Mapping[str, list[float]]]) -> Iterator[Row]:
    """Yield rows with the medians of all blocks, their ratio, and the range of the single blocks' ratios."""
    for events, found in times.items():
        now = median(found[NOW])
        for kind, own in found.items():
            if kind != NOW:
                ratios = [one / other for one, other in zip(own, found[NOW], strict=True)]
                between = f"{min(ratios):.2f} to {max(ratios):.2f}"
                ratio = median(own) / now
                cells = (kind, events, f"{median(own):.2f} ms", f"{now:.2f} ms", f"{ratio:.2f}", between)
                yield Row(cells, f"≤ {GOAL:g} times", ratio <= GOAL)
