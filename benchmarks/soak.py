"""Soak: the whole service under a mixed load for many minutes, to see whether anything grows or slows down.

Run it with `make soak` or `python -m benchmarks.soak --minutes 20`. `condottiere serve` runs on the loopback interface
with default settings. People play each other, many streams follow their feeds, bots play separate games, and webhooks
receive every move. Memory is measured three times: after a warm-up, in the middle and at the end.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
import orjson
import requests

from engine import DEFAULT, NEWEST

from .machine import machine
from .processes import HERE, exit_when_terminated, family, free_port, resident, run_module, web
from .report import Row, Section, print_sections

MINUTES = 20.0
WARM_SHARE = 0.25
"""The share of the time that is a warm-up, in which bounded caches (log lines, legal moves, connections) fill up."""
PAIRS = 8
"""The number of concurrent games between two people."""
THINK = 0.2
"""Seconds between two moves of a person."""
STREAMS = 10
"""The number of streams of each person's feed."""
BOT_GAMES = 4
"""The number of concurrent games between bots."""
BOT, BOT_SEATS = "steady", 4
SEATS = 2
EDITION = next(key for key, edition in NEWEST.items() if edition.fewest_seats == SEATS < edition.most_seats)
CHECK_PAUSE = 1.0
"""Seconds between two checks of the bots' games and of the webhook deliveries."""
REPORT_PAUSE = 10.0
"""Seconds between two lines of progress."""
START_SECONDS = SECONDS = 60.0
"""The number of seconds without a response after which a request counts as failed."""
GOAL_PERCENT = 2.0
SERVERS = ("log", "queue")
"""The embedded servers, whose memory grows with the number of games."""

Json = dict[str, Any]


class Counts(NamedTuple):
    """The work done so far, and the number of open streams."""

    moves: int = 0
    bot_games: int = 0
    delivered: int = 0
    failures: int = 0
    streams: int = 0


class Sample(NamedTuple):
    """One sample: its time (s), the work done so far, and the memory of each process (KiB)."""

    at: float
    counts: Counts
    memory: Mapping[str, int]


class Load:
    """The load on a service, and the counts of its work."""

    def __init__(self, url: str, sink: int) -> None:
        """`url` is the service's, and `sink` is the port of the webhook endpoints."""
        self.url = url
        self.sink = sink
        self.stop = threading.Event()
        self._counts = Counts()
        self._lock = threading.Lock()

    def count(self, **done: int) -> None:
        """Add to the counts."""
        with self._lock:
            now = self._counts._asdict()
            self._counts = Counts(**{name: now[name] + done.get(name, 0) for name in now})

    def counts(self) -> Counts:
        """Return the counts so far."""
        return self._counts

    def until_stopped(self, act: Callable[[], None]) -> None:
        """Call `act` until the load stops. A failed request is counted, but does not stop the load."""
        while not self.stop.is_set():
            try:
                act()
            except (requests.RequestException, Refused) as error:
                if not self.stop.is_set():
                    self.count(failures=1)
                    print(f"failed: {error}", file=sys.stderr)
                    self.stop.wait(CHECK_PAUSE)


class Refused(Exception):
    """The service responded to a request with an error."""


class Person:
    """A user with a token."""

    def __init__(self, url: str) -> None:
        """Register a player."""
        self._url = url
        self._session = requests.Session()
        self.token = self.ask("POST", "/players", {"name": f"soak-{secrets.token_hex(6)}"})["token"]
        self._session.headers["Authorization"] = f"Bearer {self.token}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Json:
        """Send a request, and return the JSON of the response. Raises: Refused, requests.RequestException."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self._session.request(method, f"{self._url}/v1{path}", json=body, headers=sent, timeout=SECONDS)
        if not answer.ok:
            raise Refused(f"{method} {path} responds with {answer.status_code}: {answer.text[:200]}")
        found: Json = answer.json()
        return found


class Pair:
    """Two people who play each other, one game at a time."""

    def __init__(self, load: Load, seed: int) -> None:
        """Register both people, and a webhook of the first person that receives every move."""
        self._load = load
        self._chance = Random(seed)
        self.people = [Person(load.url) for _ in range(SEATS)]
        self._game = ""
        url = f"http://{HERE}:{load.sink}/well/{seed}"
        self.people[0].ask("POST", "/webhooks", {"url": url, "events": ["game.moved"]})

    def act(self) -> None:
        """Make one move, or open a game if there is none."""
        if not self._game:
            first, *others = self.people
            self._game = first.ask("POST", "/games", {"edition": EDITION, "seats": SEATS})["id"]
            for other in others:
                other.ask("POST", f"/games/{self._game}/join", {})
        for person in self.people:
            view = person.ask("GET", f"/games/{self._game}")
            if view["status"] == "finished":
                self._game = ""
                return
            if view["moves"]:
                move, version = self._chance.choice(view["moves"]), view["version"]
                headers = {"If_Match": f'"{version}"', "Idempotency_Key": f"move-{version}"}
                person.ask("POST", f"/games/{self._game}/moves", move, **headers)
                self._load.count(moves=1)
                self._load.stop.wait(THINK)
                return


class Bots:
    """Games between bots. When a game is over, another is opened."""

    def __init__(self, load: Load) -> None:
        """Register the games' owner."""
        self._load = load
        self._owner = Person(load.url)
        self._running: list[str] = []

    def act(self) -> None:
        """Check each game, and replace those that are over."""
        for game in list(self._running):
            if self._owner.ask("GET", f"/games/{game}")["status"] == "finished":
                self._running.remove(game)
                self._load.count(bot_games=1)
        while len(self._running) < BOT_GAMES:
            bots = [{"seat": seat, "bot": BOT} for seat in range(BOT_SEATS)]
            opening = {"edition": DEFAULT, "seats": BOT_SEATS, "bots": bots}
            self._running.append(self._owner.ask("POST", "/games", opening)["id"])
        self._load.stop.wait(CHECK_PAUSE)


def count_deliveries(load: Load) -> None:
    """Count the deliveries to the sink since the last call."""
    connection = HTTPConnection(HERE, load.sink, timeout=SECONDS)
    connection.request("GET", "/")
    load.count(delivered=len(orjson.loads(connection.getresponse().read())))
    connection.close()
    load.stop.wait(CHECK_PAUSE)


async def stream(load: Load, port: int, people: Sequence[Person]) -> None:
    """Keep streams of some users' feeds open until the load ends."""
    held = [asyncio.create_task(_hold_streams(load, port, person.token)) for person in people for _ in range(STREAMS)]
    await asyncio.to_thread(load.stop.wait)
    for one in held:
        one.cancel()
    await asyncio.gather(*held, return_exceptions=True)


async def _hold_streams(load: Load, port: int, token: str) -> None:
    """Keep a stream open. If it ends, count a failure, and open another."""
    head = ("GET /v1/me/events?after=now HTTP/1.1", f"Host: {HERE}", "Accept: application/x-ndjson")
    sent = "\r\n".join((*head, f"Authorization: Bearer {token}", "", "")).encode()
    while True:
        reader, writer = await asyncio.open_connection(HERE, port)
        writer.write(sent)
        load.count(streams=1)
        try:
            while await reader.read(65_536):
                pass
        finally:
            writer.close()
            load.count(streams=-1)
        load.count(failures=1)
        await asyncio.sleep(CHECK_PAUSE)


@contextmanager
def run_service(folder: Path, port: int, **more: str) -> Iterator[int]:
    """Run the whole service for the duration of a `with` block.

    Yield its process id once every part is up. `more` are settings.
    """
    settings = {
        "CONDOTTIERE_DATA": str(folder),
        "HOST": HERE,
        "PORT": str(port),
        "WEBHOOK_NETWORKS": "127.0.0.0/8",
        "LOG_LEVEL": "warning",
        **more,
    }
    log = folder / "serve.log"
    with run_module(["service", "serve"], log, settings) as process, ThreadPoolExecutor(1) as reading:
        assert process.stdout is not None
        reading.submit(_copy, process.stdout, log)
        deadline = time.monotonic() + START_SECONDS
        while not _is_up(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the service did not start: {log.read_text()}")
            time.sleep(0.2)
        try:
            yield process.pid
        finally:
            process.terminate()


def _copy(lines: Iterable[str], log: Path) -> None:
    with log.open("a") as copied:
        copied.writelines(lines)


def _is_up(port: int) -> bool:
    try:
        return requests.get(f"http://{HERE}:{port}/v1/health", timeout=SECONDS).status_code == 200
    except requests.ConnectionError:
        return False


def memory(pid: int, folder: Path) -> dict[str, int]:
    """Return the memory (KiB) of each of the service's processes with its children, by name."""
    _, *members = family(pid)
    children = [one for one in members if _parent(one) == pid]
    return {_name(one, folder): resident(one) for one in children}


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _name(pid: int, folder: Path) -> str:
    """Return the name of a process: a command of the service, or the folder of an embedded server."""
    where = Path(f"/proc/{pid}/cwd").readlink()
    if where.parent == folder:
        return where.name
    return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").split("\0")[-1]


def soak(minutes: float) -> Section:
    """Run the load, and return a section with the rates of work and the changes in memory."""
    seconds = 60 * minutes
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        folder, port = Path(name), free_port()
        pid = stack.enter_context(run_service(folder, port))
        sink, _ = stack.enter_context(web(["benchmarks.sink"], folder / "sink.log", {}))
        load = Load(f"http://{HERE}:{port}", sink)
        pairs, bots = [Pair(load, number) for number in range(PAIRS)], Bots(load)
        acts = [*(pair.act for pair in pairs), bots.act, lambda: count_deliveries(load)]
        threads = stack.enter_context(ThreadPoolExecutor(len(acts) + 1))
        stack.callback(load.stop.set)
        working = [threads.submit(load.until_stopped, act) for act in acts]
        people = [person for pair in pairs for person in pair.people]
        working.append(threads.submit(asyncio.run, stream(load, port, people)))
        warm = WARM_SHARE * seconds
        began, samples = time.monotonic(), list[Sample]()
        for until in (warm, (warm + seconds) / 2, seconds):
            _pass(load, began, until, seconds)
            samples.append(Sample(time.monotonic(), load.counts(), memory(pid, folder)))
        load.stop.set()
        for work in working:
            work.result(SECONDS)
    return _section(minutes, warm, samples)


def _pass(load: Load, began: float, until: float, seconds: float) -> None:
    """Wait until `until` seconds after the start, and print the progress from time to time."""
    while (left := began + until - time.monotonic()) > 0:
        time.sleep(min(left, REPORT_PAUSE))
        done = "; ".join(f"{name.replace('_', ' ')}: {count:,}" for name, count in load.counts()._asdict().items())
        print(f"{time.monotonic() - began:,.0f} of {seconds:,.0f} s; {done}", file=sys.stderr)


def _section(minutes: float, warm: float, samples: Sequence[Sample]) -> Section:
    start, middle, end = samples
    failures = end.counts.failures
    return Section(
        title="Soak",
        how=(
            f"`condottiere serve` with default settings runs for {minutes:g} minutes, of which {warm:.0f} s are a "
            f"warm-up. The load consists of {PAIRS} games between people who think for {THINK:g} s, {STREAMS} "
            f"streams of each person's feed, {BOT_GAMES} concurrent games between bots, and a webhook for each game "
            "between people. Each rate is that of the period before the column's moment. Memory is resident memory; "
            "the servers' memory grows with the number of games."
        ),
        columns=("", "Start", "Middle", "End", "Change"),
        rows=(
            *(_rate_row(name, samples) for name in ("moves", "bot_games", "delivered")),
            Row(("open streams", *(f"{one.counts.streams:,}" for one in samples), "")),
            Row(("failures", "", "", f"{failures:,}", ""), "none", failures == 0),
            *(_memory_row(name, start.memory, middle.memory, end.memory) for name in start.memory),
        ),
    )


def _rate_row(name: str, samples: Sequence[Sample]) -> Row:
    """Return the rate per second of a kind of work in the first half and in the second."""
    rates = [
        (getattr(after.counts, name) - getattr(before.counts, name)) / (after.at - before.at)
        for before, after in pairwise(samples)
    ]
    change = f"{100 * (rates[1] / rates[0] - 1):+.1f}%" if rates[0] else ""
    return Row((f"{name.replace('_', ' ')} per second", "", *(f"{rate:.2f}" for rate in rates), change))


def _memory_row(name: str, *looks: Mapping[str, int]) -> Row:
    start, *_, end = found = [look.get(name, 0) for look in looks]
    percent = 100 * (end - start) / start
    cells = (f"memory of {name}", *(f"{kib / 1024:.1f} MiB" for kib in found), f"{percent:+.1f}%")
    if name in SERVERS:
        return Row(cells)
    return Row(cells, f"flat within {GOAL_PERCENT:g}%", abs(percent) <= GOAL_PERCENT)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0.1), default=MINUTES, show_default=True, help="How long to run.")
def main(minutes: float) -> None:
    """Run the whole service under a mixed load, and measure whether its memory grows or its speed drops."""
    exit_when_terminated()
    where = machine()
    print_sections(where, [soak(minutes)])


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.soak")
