"""Flood: honest tables together with hostile clients, to see how much the tables slow down and the store grows.

Run it with `make flood` or `python -m benchmarks.flood --minutes 5`. `condottiere serve` runs on the loopback interface
with its default limits, and takes its clients' addresses from `X-Forwarded-For`. First, the honest tables play alone.
Then hostile clients join them, each of which sends its next request as soon as it has the response to the previous one.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import click
import orjson
import redis
import requests

from service.config import Config
from service.limits.table import ESTABLISHED, limits
from service.store.keys import of_player

from .hostile_clients import KINDS
from .machine import machine
from .processes import exit_when_terminated, free_port, run_module
from .report import Row, Section, print_sections
from .soak import EDITION, SEATS, Refused, run_service

MINUTES = 5.0
QUIET_SHARE = 0.2
"""How long the honest tables play alone, as a share of the time of the flood."""
TABLES = 10
THINK = 0.2
"""Seconds between two moves at a table."""
EACH = 8
"""The number of hostile clients of each kind."""
GOAL_RATIO = 2.0
BYTES = {"registration-all": 600, "opening-new": 600_000, "writes-new": 1_000}
"""The maximum number of bytes that the store keeps for each request under a limit, as in docs/limits.md."""
SECONDS = 60.0
"""The number of seconds without a response after which a request counts as failed."""
EXPECTED_REFUSALS = {401, 403, 404, 409, 422, 429}
"""Statuses of expected refusals, such as 401, 404 and 409 for a wrong token, code or name, and 422 for a wrong body."""

Json = dict[str, Any]


class Honest:
    """A table of two honest people at the same address, who play one game at a time; and the times of their moves."""

    def __init__(self, url: str, number: int) -> None:
        """Register both people."""
        self._url = f"{url}/v1"
        self._chance = Random(number)
        self._address = f"2001:db8:{number:x}::1"
        self.players: list[str] = []
        self._sessions = [requests.Session() for _ in range(SEATS)]
        for seat, session in enumerate(self._sessions):
            session.headers["X-Forwarded-For"] = self._address
            player = self._ask(seat, "POST", "/players", {"name": f"honest-{number}-{seat}"})
            session.headers["Authorization"] = f"Bearer {player['token']}"
            self.players.append(player["id"])
        self._game = ""
        self.times: list[float] = []
        self.failures: list[str] = []

    def play(self, stop: threading.Event) -> None:
        """Play until `stop` is set. A refused request is recorded, but does not end the game."""
        while not stop.is_set():
            try:
                self._act()
            except (requests.RequestException, Refused) as error:
                self.failures.append(str(error))
            stop.wait(THINK)

    def _act(self) -> None:
        """Make one move, or open a game if there is none."""
        if not self._game:
            game = self._ask(0, "POST", "/games", {"edition": EDITION, "seats": SEATS})["id"]
            for seat in range(1, SEATS):
                self._ask(seat, "POST", f"/games/{game}/join", {})
            self._game = game
        for seat in range(SEATS):
            view = self._ask(seat, "GET", f"/games/{self._game}")
            if view["status"] == "finished":
                self._game = ""
                return
            if view["moves"]:
                began = time.perf_counter()
                headers = {"If-Match": f'"{view["version"]}"'}
                self._ask(seat, "POST", f"/games/{self._game}/moves", self._chance.choice(view["moves"]), headers)
                self.times.append(1000 * (time.perf_counter() - began))
                return

    def _ask(
        self, seat: int, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Json:
        answer = self._sessions[seat].request(method, self._url + path, json=body, headers=headers, timeout=SECONDS)
        if not answer.ok:
            raise Refused(f"{method} {path} responds with {answer.status_code}: {answer.text[:200]}")
        found: Json = answer.json()
        return found


def flood(minutes: float) -> Section:
    """Let the honest tables play alone and then together with the hostile clients, and return the comparison."""
    seconds = 60 * minutes
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        folder, port = Path(name), free_port()
        stack.enter_context(run_service(folder, port, TRUSTED_PROXIES="127.0.0.0/8", CONDOTTIERE_LIMITS="on"))
        url = f"http://127.0.0.1:{port}"
        tables = [Honest(url, number) for number in range(TABLES)]
        store = redis.Redis.from_url(f"unix://{folder}/log/socket")
        for player in (player for one in tables for player in one.players):
            store.hincrby(of_player(player), "registered", -1000 * ESTABLISHED)
        empty = store.info("memory")["used_memory"]
        quiet = _play(tables, QUIET_SHARE * seconds, "alone")
        before = store.info("memory")["used_memory"]
        with hostile(port, folder) as counts:
            flooded = _play(tables, seconds, "in the flood")
        grown = store.info("memory")["used_memory"] - before - (before - empty) * len(flooded) // len(quiet)
        failures = [failure for one in tables for failure in one.failures]
        answers = orjson.loads(counts.read_bytes())
    return _section(minutes, quiet, flooded, failures, answers, grown)


@contextmanager
def hostile(port: int, folder: Path) -> Iterator[Path]:
    """Run the hostile clients in a separate process. Yield the file that will contain the counts of their responses."""
    result = folder / "hostile.json"
    argv = ["benchmarks.hostile_clients", str(port), str(EACH), str(TABLES), str(result)]
    with run_module(argv, folder / "hostile.log", {}) as process:
        yield result
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    if not result.exists():
        raise RuntimeError((folder / "hostile.log").read_text())


def _play(tables: Sequence[Honest], seconds: float, how: str) -> list[float]:
    """Let the tables play for this many seconds, and return the times of all their moves (ms)."""
    first = [len(one.times) for one in tables]
    stop = threading.Event()
    with ThreadPoolExecutor(len(tables)) as threads:
        working = [threads.submit(one.play, stop) for one in tables]
        print(f"honest tables {how}: {seconds:.0f} s", file=sys.stderr)
        stop.wait(seconds)
        stop.set()
        for work in working:
            work.result(SECONDS)
    return [ms for one, known in zip(tables, first, strict=True) for ms in one.times[known:]]


def _section(
    minutes: float,
    quiet: Sequence[float],
    flooded: Sequence[float],
    failures: Sequence[str],
    counts: Mapping[str, Mapping[str, int]],
    grown: int,
) -> Section:
    ratio = _p95(flooded) / _p95(quiet)
    table_of_limits = limits(Config(redis_url="", queue_url=""))
    bound = sum(table_of_limits[name].amount * each for name, each in BYTES.items())
    refused = Counter[int]()
    for status, count in (pair for of_kind in counts.values() for pair in of_kind.items()):
        refused[int(status.split()[0])] += count
    unexpected = sum(count for status, count in refused.items() if status >= 400 and status not in EXPECTED_REFUSALS)
    return Section(
        title="Flood",
        how=(
            f"`condottiere serve` with default limits. At each of {TABLES} tables, {SEATS} honest people who think "
            f"for {THINK:g} s play alone for {60 * QUIET_SHARE * minutes:.0f} s, and then for {minutes:g} minutes "
            f"together with {EACH * len(KINDS)} hostile clients, {EACH} of each kind: {', '.join(KINDS)}. The times "
            "are those of the honest players' moves; these players registered more than a day ago. The hostile "
            "clients' process has the lowest priority. The store's growth excludes the honest players' part, which "
            "is estimated from the time when they played alone."
        ),
        columns=("", "Alone", "In the flood", "Ratio"),
        rows=(
            Row(
                ("a move, p50", f"{median(quiet):.1f} ms", f"{median(flooded):.1f} ms", _ratio(median, flooded, quiet))
            ),
            Row(
                ("a move, p95", f"{_p95(quiet):.1f} ms", f"{_p95(flooded):.1f} ms", f"{ratio:.2f}"),
                f"at most {GOAL_RATIO:g}",
                ratio <= GOAL_RATIO,
            ),
            Row(("moves", f"{len(quiet):,}", f"{len(flooded):,}", "")),
            Row(("honest people's refused requests", "", f"{len(failures):,}", ""), "none", not failures),
            *(
                Row((f"{kind}: {status}", "", f"{count:,}", ""))
                for kind in KINDS
                for status, count in sorted(counts[kind].items())
            ),
            Row(("undocumented refusals", "", f"{unexpected:,}", ""), "none", unexpected == 0),
            Row(
                ("growth of the store without the honest moves", "", f"{grown / 1e6:.1f} MB", ""),
                f"at most {bound / 1e6:.0f} MB, the stated bound",
                grown <= bound,
            ),
            *(Row((failure[:80], "", "", "")) for failure in failures[:5]),
        ),
    )


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20)[-1]


def _ratio(of: Any, flooded: Sequence[float], quiet: Sequence[float]) -> str:
    return f"{of(flooded) / of(quiet):.2f}"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0.1), default=MINUTES, show_default=True, help="How long to run.")
def main(minutes: float) -> None:
    """Run honest tables together with hostile clients, and measure how much the tables slow down."""
    exit_when_terminated()
    where = machine()
    print_sections(where, [flood(minutes)])


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.flood")
