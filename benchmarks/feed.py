"""Feed: how soon a commit reaches those who follow its game, and what hundreds of idle streams cost the others.

* Two web processes with default settings are started beside one embedded server that writes to disk before it answers.
  One of them holds the idle streams: half of them of a game each, half of a player's feed. The other holds none.
* Ordinary requests are looks at a game by a player: one round trip and a replay. One client asks the two processes in
  turns, so both meet the same machine.
* Commits are those of recorded games, appended by the store. The clock begins before the append, and ends when the
  commit has been read from a stream or a long poll of the process that holds the idle streams. How long the append
  itself takes stands beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import orjson
import redis

from service.config import Config
from service.processes.embedded import EmbeddedServer
from service.store import Store, keys
from service.store.feeds import append_to_feeds
from service.store.log import Addition

from .processes import HERE, resident, web
from .recording import SEATS, Recording, recordings
from .report import Row, Section, Told

STREAMS = 500
BLOCKS, QUICK_BLOCKS = 60, 10
BLOCK = 50
"""Ordinary requests at one process before the other's turn."""
TABLES, QUICK_TABLES = 4, 1
"""Games whose second halves are followed, in each of the ways."""
SETTLE = 0.02
"""Seconds in which a long poll comes to wait."""
SECONDS = 60
"""After so long without a sign of life something is broken."""
GOAL = 1.5


class Player(NamedTuple):
    """Somebody who plays in all games, and asks."""

    id: str
    headers: Mapping[str, str]


class Table(NamedTuple):
    """A game in its middle."""

    game: str
    recording: Recording

    @property
    def middle(self) -> int:
        """How many commits it has."""
        return len(self.recording.commits) // 2


class Lag(NamedTuple):
    """Milliseconds from before an append until a follower had read the commit, and until the append was answered."""

    read: float
    appended: float


class Stage:
    """A server, and the players of all games in it."""

    def __init__(self, url: str, store: Store) -> None:
        """Register the players, and somebody who plays nowhere."""
        self._url = url
        self._store = store
        made = [store.players.register(f"Player {seat}") for seat in range(SEATS + 1)]
        *self.players, self.nobody = (Player(one.id, {"Authorization": f"Bearer {token}"}) for one, token in made)
        self._recording = recordings(1, [player.id for player in self.players])[0]

    def table(self) -> Table:
        """Store the first half of a game, of which no feed is told."""
        table = Table(keys.new_game_id(), self._recording)
        with redis.Redis.from_url(self._url) as server:
            server.rpush(keys.of_game(table.game, "log"), *self._recording.rows[: table.middle])
            server.set(keys.of_game(table.game, "seed"), self._recording.seed)
        return table

    def length(self, table: Table) -> int:
        """Return how many commits a game has now."""
        return self._store.log.length(table.game)

    def move(self, table: Table, length: int) -> float:
        """Append the next commit of a game, and return how many milliseconds it took."""
        began = time.perf_counter()
        commit, players = self._recording.commits[length], [player.id for player in self.players]
        addition = Addition(
            game=table.game,
            expected=length,
            commit=commit,
            players=players,
            writes=append_to_feeds(table.game, commit["seq"], players),
        )
        self._store.log.append(addition)
        return 1000 * (time.perf_counter() - began)


def measure(quick: bool, told: Told) -> Section:
    """Measure memory, ordinary requests, then commits."""
    blocks, tables = (QUICK_BLOCKS, QUICK_TABLES) if quick else (BLOCKS, TABLES)
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        folder = Path(name)
        url = stack.enter_context(EmbeddedServer(folder / "log")).url
        stage = Stage(url, stack.enter_context(closing(Store(Config(redis_url=url, queue_url=url)))))
        log, settings = folder / "processes.log", {"REDIS_URL": url, "WEB_WORKERS": "1"}
        quiet = stack.enter_context(web(["service", "web"], log, settings)).port
        crowded, pid = stack.enter_context(web(["service", "web"], log, settings))
        look = f"/v1/games/{stage.table().game}"
        for port in (quiet, crowded):
            _looks(port, look, stage.players[0])
        before = resident(pid)
        for number in range(STREAMS):
            stack.enter_context(_idle(stage, crowded, of_game=number % 2 == 0))
            told(number / STREAMS / 3)
        grown = resident(pid) - before
        beside, alone = in_turns((crowded, quiet), look, stage.players[0], blocks, lambda part: told((1 + part) / 3))
        lags: dict[str, list[Lag]] = {way: [] for way in WAYS}
        for number in range(tables):
            for way, follow in WAYS.items():
                lags[way] += follow(stage, crowded)
            told((2 + (number + 1) / tables) / 3)
    return Section(
        title="Feed",
        how=(
            f"{STREAMS} idle streams in one web process with default settings. Looks at a game there and in one "
            "without streams, in turns. Commits from before the append until they have been read there, and until the "
            "append was answered; the server syncs each to disk."
        ),
        columns=("", "Measured", "Beside it", "Ratio"),
        rows=(
            Row(("an idle stream", f"{grown / STREAMS:.0f} KiB" if before else "not measured", "", "")),
            *_rows_of_requests(beside, alone),
            *(row for way, found in lags.items() for row in _rows_of_lags(way, found)),
        ),
    )


# Idle streams and ordinary requests


@contextmanager
def _stream(port: int, path: str, player: Player) -> Iterator[HTTPResponse]:
    """Open a stream, and yield it when it has shown that it is alive."""
    with closing(HTTPConnection(HERE, port, timeout=SECONDS)) as connection:
        connection.request("GET", path, headers={**player.headers, "Accept": "application/x-ndjson"})
        response = connection.getresponse()
        if response.status != 200 or response.readline() != b"\n":
            raise RuntimeError(f"{path} answers {response.status}")
        yield response


@contextmanager
def _idle(stage: Stage, port: int, *, of_game: bool) -> Iterator[None]:
    """Hold a stream of a game in which nobody moves, or of the feed of somebody who plays nowhere."""
    table = stage.table()
    path = f"/v1/games/{table.game}/events?after={table.middle}" if of_game else "/v1/me/events?after=now"
    with _stream(port, path, stage.nobody):
        yield


def _looks(port: int, path: str, player: Player) -> list[float]:
    """Return the milliseconds of a block of ordinary requests."""
    taken = []
    with closing(HTTPConnection(HERE, port, timeout=SECONDS)) as connection:
        for _ in range(BLOCK):
            began = time.perf_counter()
            connection.request("GET", path, headers=player.headers)
            connection.getresponse().read()
            taken.append(1000 * (time.perf_counter() - began))
    return taken


def in_turns(ports: Sequence[int], path: str, player: Player, blocks: int, told: Told) -> list[list[float]]:
    """Return the milliseconds of so many blocks of ordinary requests at each of the processes."""
    taken: list[list[float]] = [[] for _ in ports]
    for number in range(blocks):
        for port, found in zip(ports, taken, strict=True):
            found += _looks(port, path, player)
        told((number + 1) / blocks)
    return taken


# Commits


def _to_game_stream(stage: Stage, port: int) -> Iterator[Lag]:
    table = stage.table()
    with _stream(port, f"/v1/games/{table.game}/events?after={table.middle}", stage.players[0]) as stream:
        yield from _streamed(stage, table, stream)


def _to_feed_stream(stage: Stage, port: int) -> Iterator[Lag]:
    with _stream(port, "/v1/me/events?after=now", stage.players[1]) as stream:
        yield from _streamed(stage, stage.table(), stream)


def _streamed(stage: Stage, table: Table, stream: HTTPResponse) -> Iterator[Lag]:
    for length in range(table.middle, len(table.recording.commits)):
        began = time.perf_counter()
        appended = stage.move(table, length)
        while (line := stream.readline()) == b"\n":
            pass
        yield _lag(began, appended, orjson.loads(line)["seq"], length)


def _to_long_poll(stage: Stage, port: int) -> Iterator[Lag]:
    table = stage.table()
    with closing(HTTPConnection(HERE, port, timeout=SECONDS)) as connection:
        for length in range(table.middle, len(table.recording.commits)):
            path = f"/v1/games/{table.game}/events?after={length}&wait=50"
            connection.request("GET", path, headers=stage.players[0].headers)
            time.sleep(SETTLE)
            began = time.perf_counter()
            appended = stage.move(table, length)
            answer = connection.getresponse().read()
            yield _lag(began, appended, orjson.loads(answer)["next"], length)


WAYS: dict[str, Callable[[Stage, int], Iterator[Lag]]] = {
    "to a game's stream": _to_game_stream,
    "to a feed's stream": _to_feed_stream,
    "to a long poll": _to_long_poll,
}


def _lag(began: float, appended: float, seq: int, length: int) -> Lag:
    read = 1000 * (time.perf_counter() - began)
    if seq != length + 1:
        raise RuntimeError(f"commit {length + 1} was awaited, and {seq} has come")
    return Lag(read, appended)


# Rows


def _rows_of_requests(beside: list[float], alone: list[float]) -> Iterator[Row]:
    for percent, held in ((50, False), (95, True)):
        ours, theirs = _percentile(percent, beside), _percentile(percent, alone)
        cells = (f"a look, p{percent}", _ms(ours), f"{_ms(theirs)} without", f"{ours / theirs:.2f}")
        yield Row(cells, f"≤ {GOAL:g} times" if held else "", ours / theirs <= GOAL if held else None)


def _rows_of_lags(way: str, lags: list[Lag]) -> Iterator[Row]:
    appended = median(lag.appended for lag in lags)
    for percent in (50, 95):
        read = _percentile(percent, [lag.read for lag in lags])
        yield Row((f"{way}, p{percent}", _ms(read), f"{_ms(appended)} append" if percent == 50 else "", ""))


def _ms(value: float) -> str:
    return f"{value:.1f} ms"


def _percentile(percent: int, times: Sequence[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
