"""Doors: what waiting, slow and disconnecting clients cost a web process and others, and how the process stops.

* Two web processes with default settings use one embedded server that writes to disk before it responds. A crowd of
  clients connects to one web process and leaves the other alone. All clients of a crowd run in one process (`crowd`).
* One client represents all other clients. It requests a game from the two web processes alternately, so both are
  measured under the same conditions.
* All streams follow one game, to which the store appends the commits of a recorded game. Times are measured from just
  before the append.
* When the server disconnects a slow client that never finishes its request, the client reconnects. Clients that were
  refused, or that sent `Connection: close`, keep their side of the connection open.
"""

from __future__ import annotations

import math
import os
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import orjson

from service.config import Config
from service.processes.embedded import EmbeddedServer
from service.store import Store

from .crowd import Plan, crowd
from .feed import Player, Stage, in_turns
from .processes import HERE, Web, cpu, resident, web
from .report import OnProgress, Row, Section

STREAMS, QUICK_STREAMS = 4_000, 400
COMMITS, QUICK_COMMITS = 40, 10
"""The number of commits sent to all streams, and then to one stream while the others are open."""
IDLE_SECONDS, QUICK_IDLE_SECONDS = 20.0, 5.0
"""Seconds for which the CPU time of idle streams is measured. The server sends heartbeats every 9 to 15 s."""
SLOW = 100
"""The number of slow clients of each kind."""
BLOCKS, QUICK_BLOCKS = 8, 2
"""The number of blocks of requests at each process, for each kind of slow client."""
TRIES, QUICK_TRIES = 20, 5
"""The number of times that a client disconnects and another takes its place."""
STOPPED = 50
"""The number of streams, and of polls, that are open when the web process is stopped."""
MOVERS = 4
"""The number of games in which moves are being made when the web process is stopped."""
SECONDS = 60.0
"""The number of seconds without a response after which the measurement fails."""
SETTLE = 0.5
"""Seconds to wait until the polls are open and moves are being made."""
ADMITTED = b"HTTP/1.1 200"
JSON = "Content-Type: application/json"
LINES = "Accept: application/x-ndjson"


GOAL_KIB, GOAL_IDLE_PERCENT = 23.0, 2.0
GOAL_LOOKS, GOAL_WORST_MS = 1.5, 500.0
"""The maximum ratio to the p95 without the crowd, and the maximum time of a request with slow clients connected."""
GOAL_ALL_MS, GOAL_ONE_MS = 400.0, 20.0
"""The maximum time until all streams have received a commit (p50), and until another game's stream has (p95)."""
GOAL_PLACE_MS = 500.0
GOAL_HALF_SECONDS, GOAL_STOP_SECONDS = 12.0, 1.0


class Slow(NamedTuple):
    """A kind of slow client, and the behaviour of each client of this kind."""

    name: str
    first_bytes: str
    drip_bytes: str = ""
    pause: float = 1.0
    reads: bool = True
    reconnects: bool = False


class Stopped(NamedTuple):
    """How a web process stopped: the seconds that it took, and the number of streams, polls and games cut off."""

    seconds: float
    cut_off: int


def request(line: str, *headers: str, body: str = "") -> str:
    """Return a request as text. `headers` must state the length of `body`."""
    return "\r\n".join((f"{line} HTTP/1.1", f"Host: {HERE}", *headers, "", body))


def slow_clients(large: str) -> list[Slow]:
    """Return all kinds of slow clients. `large` is a path with a large response."""
    half = request("POST /v1/players", JSON, "Content-Length: 99", body='{"name":')
    chunks = request("POST /v1/players", JSON, "Transfer-Encoding: chunked")
    bots = "GET /v1/bots"
    return [
        Slow("half a header", request(bots)[:-4], reconnects=True),
        Slow("a header, one byte per second", request(bots)[:-4], "a", reconnects=True),
        Slow("half a body", half, reconnects=True),
        Slow("a body, one byte per second", half, "a", reconnects=True),
        Slow("half a chunked body", chunks + "10\r\n{", reconnects=True),
        Slow("endless chunks", chunks, f"400\r\n{1024 * ' '}\r\n", 0.01),
        Slow("a large response, unread", request(f"GET {large}") * 4, reads=False),
        Slow("Connection: close, left open", request(bots, "Connection: close")),
        Slow("HTTP/1.0, left open", "GET /v1/bots HTTP/1.0\r\n\r\n"),
        Slow("an invalid request, left open", "good morning\r\n\r\n"),
        Slow("idle after a response", request(bots)),
    ]


def measure(quick: bool, told: OnProgress) -> Section:
    """Measure streams, places, slow clients, timeouts and a stop, in this order."""
    streams = QUICK_STREAMS if quick else STREAMS
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        folder = Path(name)
        url = stack.enter_context(EmbeddedServer(folder / "log")).url
        stage = Stage(url, stack.enter_context(closing(Store(Config(redis_url=url, queue_url=url)))))
        doors = Doors(folder, {"REDIS_URL": url, "WEB_WORKERS": "1"}, stage, quick)
        rows = []
        parts = (doors.streams, doors.places, doors.slow, doors.timeouts, doors.stop)
        for number, part in enumerate(parts, 1):
            rows += list(part())
            told(number / len(parts))
    return Section(
        title="Doors",
        how=(
            f"One web process has {streams:,} idle streams of one game. One client requests a game from this process "
            "and from a process without streams, alternately. The times of commits are measured from before the "
            f"append until the streams have read them. Then the same requests are made while {SLOW} slow clients of "
            f"each kind are connected. In the last row, the process gets SIGTERM while {STOPPED} streams and "
            f"{STOPPED} polls are waiting and moves are being made in {MOVERS} games."
        ),
        columns=("", "Measured", "Compared with", "Ratio"),
        rows=tuple(rows),
    )


class Doors:
    """The web processes, and the parts of the measurement. Each part yields its rows."""

    def __init__(self, folder: Path, settings: dict[str, str], stage: Stage, quick: bool) -> None:
        """`folder` is for logs, `settings` are those of the web processes, and `stage` has the games."""
        self._folder = folder
        self._log = folder / "processes.log"
        self._settings = settings
        self._stage = stage
        self._quick = quick
        self._asker = stage.players[0]
        self._look = f"/v1/games/{stage.table().game}"

    def streams(self) -> Iterator[Row]:
        """Measure idle streams, and the commits that are sent to them."""
        count, commits = (QUICK_STREAMS, QUICK_COMMITS) if self._quick else (STREAMS, COMMITS)
        with ExitStack() as stack:
            quiet, crowded = self._web(stack), self._web(stack)
            self._looks((quiet, crowded), 1)
            before = resident(crowded.pid)
            followed = self._stage.table()
            stream = self._stream(followed.game, followed.middle)
            held = stack.enter_context(crowd(Plan(crowded.port, count, stream, needs_bytes=True), self._folder))
            grown = resident(crowded.pid) - before
            yield _held((f"{grown / count:.1f} KiB", "", ""), "an idle stream", grown / count, GOAL_KIB, "KiB")
            yield self._idle_row(crowded, quiet)
            yield self._row_of_looks(f"view with {count:,} streams", crowded, quiet, math.inf)
            last, median_told, appended = [], [], []
            for length in range(followed.middle, followed.middle + commits):
                began = time.monotonic()
                appended.append(self._stage.move(followed, length))
                told = [1000 * (at - began) for at in held.told()]
                last.append(max(told))
                median_told.append(median(told))
            beside = f"{median(appended):.1f} ms append"
            cells = (f"{median(last):.0f} ms", beside, "")
            yield _held(cells, f"commit to the last of {count:,} streams, p50", median(last), GOAL_ALL_MS, "ms")
            yield Row((f"commit to the last of {count:,} streams, maximum", f"{max(last):.0f} ms", "", ""))
            yield Row((f"commit to half of {count:,} streams, p50", f"{median(median_told):.0f} ms", "", ""))
            yield self._row_of_one_stream(crowded, commits)

    def places(self) -> Iterator[Row]:
        """Measure how soon after a client has disconnected another client can wait in its place."""
        table = self._stage.table()
        first_bytes = self._stream(table.game, table.middle).encode()
        with ExitStack() as stack:
            door = self._web(stack, MAX_WAITS="1")
            held, found = _admitted(door.port, first_bytes), []
            for _ in range(QUICK_TRIES if self._quick else TRIES):
                held.close()
                began = time.monotonic()
                held = _admitted(door.port, first_bytes)
                found.append(time.monotonic() - began)
            held.close()
        yield Row(("place free after a disconnect, p50", f"{1000 * median(found):.1f} ms", "", ""))
        worst = 1000 * max(found)
        yield _held((f"{worst:.1f} ms", "", ""), "place free after a disconnect, maximum", worst, GOAL_PLACE_MS, "ms")

    def slow(self) -> Iterator[Row]:
        """Measure another client's requests while slow clients of each kind are connected."""
        large = self._stage.table()
        with ExitStack() as stack:
            quiet, crowded = self._web(stack), self._web(stack)
            self._looks((quiet, crowded), 1)
            for kind in slow_clients(f"/v1/games/{large.game}/events"):
                plan = Plan(crowded.port, SLOW, *kind[1:4], reads=kind.reads, reconnects=kind.reconnects)
                with crowd(plan, self._folder):
                    yield self._row_of_looks(f"view with {SLOW} clients: {kind.name}", crowded, quiet, GOAL_WORST_MS)

    def timeouts(self) -> Iterator[Row]:
        """Measure how soon the server closes a connection with an incomplete request."""
        kinds = {
            "half a header": request("GET /v1/bots")[:-4],
            "half a body": request("POST /v1/players", JSON, "Content-Length: 99", body='{"name":'),
        }
        with ExitStack() as stack:
            door = self._web(stack)
            held = {
                name: stack.enter_context(crowd(Plan(door.port, 1, first_bytes), self._folder))
                for name, first_bytes in kinds.items()
            }
            for name, followed in held.items():
                (closed,) = followed.closed()
                seconds = closed.at - followed.connected
                yield _held(
                    (f"{seconds:.1f} s", "", ""),
                    f"{name}, until closed",
                    seconds,
                    GOAL_HALF_SECONDS,
                    "s",
                )

    def stop(self) -> Iterator[Row]:
        """Measure how the process stops while requests of all kinds are open."""
        stopped = self._stopped()
        kinds = 2 * STOPPED + MOVERS
        cells = ("from SIGTERM to exit", f"{stopped.seconds:.1f} s", f"{stopped.cut_off} of {kinds} cut off", "")
        goal = f"≤ {GOAL_STOP_SECONDS:g} s, none cut off"
        yield Row(cells, goal, stopped.cut_off == 0 and stopped.seconds <= GOAL_STOP_SECONDS)

    def _web(self, stack: ExitStack, **settings: str) -> Web:
        return stack.enter_context(web(["service", "web"], self._log, {**self._settings, **settings}))

    def _stream(self, game: str, after: int) -> str:
        return request(f"GET /v1/games/{game}/events?after={after}", LINES, _token(self._asker))

    def _looks(self, doors: Sequence[Web], blocks: int) -> list[list[float]]:
        return in_turns([door.port for door in doors], self._look, self._asker, blocks, lambda _: None)

    def _row_of_looks(self, name: str, crowded: Web, quiet: Web, most: float) -> Row:
        beside, alone = self._looks((crowded, quiet), QUICK_BLOCKS if self._quick else BLOCKS)
        ours, theirs = _percentile(95, beside), _percentile(95, alone)
        measured = f"{ours:.1f} ms, max {max(beside):.0f} ms"
        cells = (f"{name}, p95", measured, f"{theirs:.1f} ms, max {max(alone):.0f} ms", f"{ours / theirs:.2f}")
        goal = f"≤ {GOAL_LOOKS:g} times" + ("" if math.isinf(most) else f", none over {most:.0f} ms")
        return Row(cells, goal, ours / theirs <= GOAL_LOOKS and max(beside) <= most)

    def _idle_row(self, crowded: Web, quiet: Web) -> Row:
        began, before = time.monotonic(), [cpu(door.pid) for door in (crowded, quiet)]
        time.sleep(QUICK_IDLE_SECONDS if self._quick else IDLE_SECONDS)
        after, seconds = [cpu(door.pid) for door in (crowded, quiet)], time.monotonic() - began
        ours, theirs = (100 * (now - then) / seconds for now, then in zip(after, before, strict=True))
        cells = (f"{ours:.1f}%", f"{theirs:.1f}% without streams", "")
        return _held(cells, "CPU of the idle process", ours, GOAL_IDLE_PERCENT, "%")

    def _row_of_one_stream(self, crowded: Web, commits: int) -> Row:
        table = self._stage.table()
        plan = Plan(crowded.port, 1, self._stream(table.game, table.middle), needs_bytes=True)
        found = []
        with crowd(plan, self._folder) as alone:
            for length in range(table.middle, table.middle + commits):
                began = time.monotonic()
                self._stage.move(table, length)
                found += [1000 * (at - began) for at in alone.told()]
        late = _percentile(95, found)
        return _held((f"{late:.1f} ms", "", ""), "commit to one stream of another game, p95", late, GOAL_ONE_MS, "ms")

    def _stopped(self) -> Stopped:
        """Open streams and polls, make moves, stop the process, and count the requests that it cut off."""
        table = self._stage.table()
        path = f"GET /v1/games/{table.game}/events?after={table.middle}"
        first_bytes = (request(path, LINES, _token(self._asker)), request(f"{path}&wait=50", _token(self._asker)))
        with ExitStack() as stack:
            door = self._web(stack)
            streams = stack.enter_context(
                crowd(Plan(door.port, STOPPED, first_bytes[0], needs_bytes=True), self._folder)
            )
            polls = stack.enter_context(crowd(Plan(door.port, STOPPED, first_bytes[1]), self._folder))
            threads = stack.enter_context(ThreadPoolExecutor(MOVERS))
            movers = [Mover(self._stage, door.port) for _ in range(MOVERS)]
            playing = [threads.submit(mover.play) for mover in movers]
            time.sleep(SETTLE)
            began = time.monotonic()
            os.kill(door.pid, signal.SIGTERM)
            status = os.waitid(os.P_PID, door.pid, os.WEXITED | os.WNOWAIT)
            seconds = time.monotonic() - began
            if status is None or (status.si_code, status.si_status) != (os.CLD_EXITED, 0):
                raise RuntimeError(f"the web process did not exit normally: {status}")
            closed = [*streams.closed(), *polls.closed()]
            answered = [future.result(SECONDS) for future in playing]
        return Stopped(seconds, sum(not one.whole for one in closed) + answered.count(False))


class Mover:
    """Makes the moves of a recorded game over one connection."""

    def __init__(self, stage: Stage, port: int) -> None:
        """Begin in the middle of a separate game."""
        self._stage = stage
        self._port = port
        self._table = stage.table()

    def play(self) -> bool:
        """Make moves until the web process exits, and return whether every recorded move got a response.

        Raises: RuntimeError if a move was refused, or if the game ended first.
        """
        game, recording = self._table.game, self._table.recording
        with closing(HTTPConnection(HERE, self._port, timeout=SECONDS)) as connection:
            for length in range(self._table.middle, len(recording.commits)):
                move = recording.moves[length - 1]
                headers = {
                    **self._stage.players[move.seat].headers,
                    "Content-Type": "application/json",
                    "If-Match": f'"{length}"',
                    "Idempotency-Key": f"move-{length}",
                }
                try:
                    connection.request("POST", f"/v1/games/{game}/moves", orjson.dumps(move.record), headers)
                    response = connection.getresponse()
                    answer = response.read()
                except (OSError, HTTPException):
                    return self._stage.length(self._table) == length
                if response.status != 201:
                    raise RuntimeError(f"a move gets {response.status}: {answer[:500]!r}")
        raise RuntimeError("a game ended before the web process exited")


def _held(cells: tuple[str, ...], name: str, value: float, most: float, unit: str) -> Row:
    """Return a row with a figure and its maximum."""
    return Row((name, *cells), f"≤ {most:g} {unit}", value <= most)


def _admitted(port: int, first_bytes: bytes) -> socket.socket:
    """Repeat a request for a stream until it is admitted, and return the connection."""
    while True:
        client = socket.create_connection((HERE, port), SECONDS)
        client.sendall(first_bytes)
        if client.recv(len(ADMITTED)) == ADMITTED:
            return client
        client.close()


def _token(player: Player) -> str:
    return f"Authorization: {player.headers['Authorization']}"


def _percentile(percent: int, times: Sequence[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
