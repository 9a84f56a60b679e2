"""Moments: what a view at an earlier version costs, compared with the current view of the same game.

* Matches are stored as they were after a number of events, and one of them also as it was when it was over. The earlier
  versions that are requested are in the middle of the log and just before its end, where the most events have to be
  replayed twice.
* One client sends the requests to one web process with one open connection. The kinds of view take turns in blocks, in
  changing order. As in `lengths`, the scheduler reports the CPU time of the web process in a block.
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
"""Requests of one kind before the next kind's turn; the first block is a warm-up."""
SECONDS = 30
"""Seconds without an answer after which the measurement fails."""
GOAL = 1.5

NOW = "now"
VERSIONS: Mapping[str, Callable[[int], str]] = {
    NOW: lambda _: "",
    "in the middle": lambda length: f"?version={max(1, length // 2)}",
    "just before": lambda length: f"?version={max(1, length - 1)}",
}
"""For each kind of view: the query, by the length of the log."""


class Position(NamedTuple):
    """A match with a number of commits, as it is stored."""

    game: str
    length: int


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure views of matches of several lengths, and of a match that is over."""
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
        positions[f"over, to {most:,}"] = [_stored(client, store, one, len(one.commits)) for one in recorded]
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
            "CPU time that a web process uses for a player's view of a match at an earlier version, by the events of "
            "the log, and beside it for the current view of the same match, asked in turns. The server reads the log "
            "once for either."
        ),
        columns=("", "Events", "Measured", "Now", "Ratio", "Of a block"),
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
    """Return the CPU time of a request (ms) in each block, for each kind of view."""
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
        raise RuntimeError(f"GET {path} answers {response.status}: {answer[:500]!r}")


def _rows(times: Mapping[str, Mapping[str, list[float]]]) -> Iterator[Row]:
    """Yield the medians of all blocks, their ratio, and the lowest and highest ratio of a block."""
    for events, found in times.items():
        now = median(found[NOW])
        for kind, own in found.items():
            if kind != NOW:
                ratios = [one / other for one, other in zip(own, found[NOW], strict=True)]
                between = f"{min(ratios):.2f} to {max(ratios):.2f}"
                ratio = median(own) / now
                cells = (kind, events, f"{median(own):.2f} ms", f"{now:.2f} ms", f"{ratio:.2f}", between)
                yield Row(cells, f"≤ {GOAL:g} times", ratio <= GOAL)
