"""Feed: how soon followers of a game receive a commit, and what hundreds of idle streams cost other clients.

* Two web processes with default settings use one embedded server that writes to disk before it responds. One web
  process has the idle streams, half of which follow a game, and half a player's feed. The other has no streams.
* Ordinary requests are a player's requests for a game: one round trip and a replay. One client sends them to the two
  web processes alternately, so both are measured under the same conditions.
* The store appends commits of recorded games. Times are measured from just before an append until a client has read the
  commit from a stream or a long poll of the process with the idle streams. They are compared with the time of the
  append alone.
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
from .report import OnProgress, Row, Section

STREAMS = 500
BLOCKS, QUICK_BLOCKS = 60, 10
BLOCK = 50
"""The number of ordinary requests that are sent to one process before switching to the other."""
TABLES, QUICK_TABLES = 4, 1
"""The number of games whose second half is followed, for each kind of follower."""
SETTLE = 0.02
"""Seconds to wait until a long poll has reached the server."""
SECONDS = 60
"""The number of seconds without a response after which the measurement fails."""
GOAL = 1.5


class Player(NamedTuple):
    """A player, with the headers of the player's requests."""

    id: str
    headers: Mapping[str, str]


class Table(NamedTuple):
    """A game in progress."""

    game: str
    recording: Recording

    @property
    def middle(self) -> int:
        """The number of commits in the half of the game that is stored first."""
        return len(self.recording.commits) // 2


class Lag(NamedTuple):
    """Milliseconds from the start of an append until a follower has read the commit, and until the append has ended."""

    read: float
    appended: float


class Stage:
    """A log server, the players of all its games, and one player without games."""

    def __init__(self, url: str, store: Store) -> None:
        """Register the players of the games, and one player without games."""
        self._url = url
        self._store = store
        made = [store.players.register(f"Player {seat}") for seat in range(SEATS + 1)]
        *self.players, self.nobody = (Player(one.id, {"Authorization": f"Bearer {token}"}) for one, token in made)
        self._recording = recordings(1, [player.id for player in self.players])[0]

    def table(self) -> Table:
        """Store the first half of a game, without adding it to a feed."""
        table = Table(keys.new_game_id(), self._recording)
        with redis.Redis.from_url(self._url) as server:
            server.rpush(keys.of_game(table.game, "log"), *self._recording.rows[: table.middle])
            server.set(keys.of_game(table.game, "seed"), self._recording.seed)
        return table

    def length(self, table: Table) -> int:
        """Return the current number of commits in a game."""
        return self._store.log.length(table.game)

    def move(self, table: Table, length: int) -> float:
        """Append the next commit of a game, and return how long the append took, in milliseconds."""
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


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure memory, then ordinary requests, then commits."""
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
            on_progress(number / STREAMS / 3)
        grown = resident(pid) - before
        beside, alone = in_turns(
            (crowded, quiet), look, stage.players[0], blocks, lambda part: on_progress((1 + part) / 3)
        )
        lags: dict[str, list[Lag]] = {way: [] for way in WAYS}
        for number in range(tables):
            for way, follow in WAYS.items():
                lags[way] += follow(stage, crowded)
            on_progress((2 + (number + 1) / tables) / 3)
    return Section(
        title="Feed",
        how=(
            f"One web process with default settings has {STREAMS} idle streams. One client requests a game from this "
            "process and from a process without streams, alternately. The times of commits are measured from before "
            "the append until a client of the process with streams has read them, and are compared with the time of "
            "the append alone. The server writes each append to disk before it responds."
        ),
        columns=("", "Measured", "Compared with", "Ratio"),
        rows=(
            Row(("an idle stream", f"{grown / STREAMS:.0f} KiB" if before else "not measured", "", "")),
            *_rows_of_requests(beside, alone),
            *(row for way, found in lags.items() for row in _rows_of_lags(way, found)),
        ),
    )


# Idle streams and ordinary requests


@contextmanager
def _stream(port: int, path: str, player: Player) -> Iterator[HTTPResponse]:
    """Open a stream, and yield it once it has sent something."""
    with closing(HTTPConnection(HERE, port, timeout=SECONDS)) as connection:
        connection.request("GET", path, headers={**player.headers, "Accept": "application/x-ndjson"})
        response = connection.getresponse()
        if response.status != 200 or response.readline() != b"\n":
            raise RuntimeError(f"{path} responds with {response.status}")
        yield response


@contextmanager
def _idle(stage: Stage, port: int, *, of_game: bool) -> Iterator[None]:
    """Keep an idle stream open: of a game in which nobody moves, or of the feed of a player without games."""
    table = stage.table()
    path = f"/v1/games/{table.game}/events?after={table.middle}" if of_game else "/v1/me/events?after=now"
    with _stream(port, path, stage.nobody):
        yield


def _looks(port: int, path: str, player: Player) -> list[float]:
    """Make a block of ordinary requests, and return their times in milliseconds."""
    taken = []
    with closing(HTTPConnection(HERE, port, timeout=SECONDS)) as connection:
        for _ in range(BLOCK):
            began = time.perf_counter()
            connection.request("GET", path, headers=player.headers)
            connection.getresponse().read()
            taken.append(1000 * (time.perf_counter() - began))
    return taken


def in_turns(
    ports: Sequence[int], path: str, player: Player, blocks: int, on_progress: OnProgress
) -> list[list[float]]:
    """Make `blocks` blocks of ordinary requests at each process, alternately, and return their times (ms)."""
    taken: list[list[float]] = [[] for _ in ports]
    for number in range(blocks):
        for port, found in zip(ports, taken, strict=True):
            found += _looks(port, path, player)
        on_progress((number + 1) / blocks)
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
    "commit to a game's stream": _to_game_stream,
    "commit to a feed's stream": _to_feed_stream,
    "commit to a long poll": _to_long_poll,
}


def _lag(began: float, appended: float, seq: int, length: int) -> Lag:
    read = 1000 * (time.perf_counter() - began)
    if seq != length + 1:
        raise RuntimeError(f"expected commit {length + 1}, but received {seq}")
    return Lag(read, appended)


# Rows


def _rows_of_requests(beside: list[float], alone: list[float]) -> Iterator[Row]:
    for percent, held in ((50, False), (95, True)):
        ours, theirs = _percentile(percent, beside), _percentile(percent, alone)
        cells = (f"view, p{percent}", _ms(ours), f"{_ms(theirs)} without", f"{ours / theirs:.2f}")
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
