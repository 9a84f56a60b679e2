"""Webhooks: how many deliveries a process sends, how soon, and how endpoints that hang or fail affect the others.

* The `deliver` process runs as it does for users, with an embedded server that writes to disk before it responds. All
  endpoints of a service run in one process (`sink`), each with a separate path.
* The moves are those of recorded games, starting from the middle. The store appends each move, which is then delivered
  to all webhooks of the four players, with each player's view. The time of a delivery is measured from just before the
  append until the first try reaches the endpoint.
* Bursts of moves show how many deliveries a process can send. Alternately with the bursts, an aiohttp client sends the
  same number of bare requests: the same body to the same sink. It signs each request and opens a new connection for it,
  as would be necessary if every endpoint were on a different machine. The client reads and writes nothing else.
* If an endpoint hangs or fails, later deliveries about the same game wait, because they are sent in order. For such
  endpoints, only the first delivery about each game counts; for the others, every delivery counts.
* A second service, whose endpoints are all healthy, shows whether faulty endpoints slow down the healthy ones. Moves
  are made in the two services alternately, so both are measured under the same conditions. The goal is for the median,
  because the slowest of so few deliveries depend on the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import aiohttp
import orjson
import redis

from service.config import Config
from service.games.game import rebuild
from service.processes.embedded import EmbeddedServer
from service.store import Store, keys
from service.store.commits import Commits
from service.store.log import Addition
from service.store.webhooks import Webhook
from service.webhooks import payloads, signing
from service.webhooks.kinds import GAME_MOVED

from .processes import HERE, run_module, web
from .recording import NOON, SEATS, Recording, recordings
from .report import OnProgress, Row, Section
from .sink import FAIL, HANG, WELL, Arrival

TABLES = 50
WEBHOOKS = 5
"""The number of webhooks per player, which makes 20 per table and 1,000 in total."""
ILL = {0: HANG, 10: FAIL}
"""The faulty endpoints among a table's 20: one hangs (5%), and one fails (5%)."""
RATE = 5.0
"""Moves per second, alternately in the two services. Each service therefore sends 50 deliveries per second."""
SECONDS, QUICK_SECONDS = 30, 5
"""Seconds for which moves are made at that rate."""
BURST = 50
"""The number of moves in a burst, which cause 1,000 deliveries."""
ROUNDS, QUICK_ROUNDS = 3, 1
"""The number of bursts."""
BARE_AT_ONCE = 100
"""The number of concurrent requests of the bare client. More would not make it faster."""
STRAGGLERS = 30.0
"""Seconds after the last move after which a missing delivery counts as lost."""
LOOK = 0.05
"""Seconds between two reads of the sink."""
GOAL_SECONDS, GOAL_SLOWED = 1.0, 1.25


class FullTable(NamedTuple):
    """A table of four players who are in the middle of their game and have no other game."""

    game: str
    players: Sequence[str]
    recording: Recording

    @property
    def middle(self) -> int:
        """The number of commits in the game when the measurement begins."""
        return len(self.recording.commits) // 2


class Burst(NamedTuple):
    """Deliveries per second after a burst of moves, and bare requests per second for the same number of requests."""

    deliverer: float
    bare: float


class Lag(NamedTuple):
    """Milliseconds from the commits to the first tries, for healthy endpoints and for those that hang or fail."""

    healthy: list[float]
    ill: list[float]


class Stage:
    """A service with webhooks and a `deliver` process, its moves, and the deliveries that have arrived at the sink."""

    def __init__(self, store: Store, tables: Sequence[FullTable], sink: int, healthy: int, log: Path) -> None:
        """`sink` is a port, `healthy` the number of healthy endpoints per table. `log` has the processes' output."""
        self.sink = sink
        self._log = log
        self._store = store
        self._tables = tables
        self._healthy = healthy
        self._moves_made = 0
        self._move_times: dict[tuple[str, int], float] = {}
        self._tries: dict[str, Arrival] = {}

    def move(self) -> None:
        """Append the next move. The tables take turns."""
        turn, number = divmod(self._moves_made, len(self._tables))
        table = self._tables[number]
        length = table.middle + turn
        self._moves_made += 1
        self._move_times[table.game, length + 1] = time.monotonic()
        commit = table.recording.commits[length]
        self._store.log.append(Addition(game=table.game, expected=length, commit=commit))

    def finish(self) -> Lag:
        """Wait for every first try that counts, and return the times for the moves since the last call."""
        ill = SEATS * WEBHOOKS - self._healthy
        count = self._healthy * self._moves_made + ill * min(self._moves_made, len(self._tables))
        deadline = time.monotonic() + STRAGGLERS
        while self._count_arrivals() < count:
            if time.monotonic() > deadline:
                raise RuntimeError(f"some deliveries have not arrived: {self._log.read_text()}")
            time.sleep(LOOK)
        moved, self._move_times = self._move_times, {}
        lag = Lag([], [])
        for first in self._tries.values():
            began = moved.get((first.game, first.version))
            if began is not None and first.endpoint == WELL:
                lag.healthy.append(1000 * (first.at - began))
            elif began is not None and first.sequence == 1:
                lag.ill.append(1000 * (first.at - began))
        return lag

    def _count_arrivals(self) -> int:
        """Read the sink, and return how many first tries that count have arrived so far."""
        for arrival in _arrivals(self.sink):
            self._tries.setdefault(arrival.message, arrival)
        return sum(first.endpoint == WELL or first.sequence == 1 for first in self._tries.values())


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure bursts, then moves at a steady rate, with healthy endpoints only and with some faulty ones."""
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if quick else (ROUNDS, SECONDS)
    tables = [_full_table(number) for number in range(TABLES)]
    with TemporaryDirectory(prefix="condottiere-") as name:
        folder = Path(name)
        with (
            _stage(folder / "healthy", tables, {}) as healthy,
            _stage(folder / "mixed", tables, ILL) as mixed,
        ):
            bursts = []
            for number in range(rounds):
                bursts.append(_burst(healthy, tables[0]))
                on_progress((number + 1) / rounds / 2)
            _steady((healthy, mixed), seconds, lambda part: on_progress((1 + part) / 2))
            alone, beside = healthy.finish(), mixed.finish()
    return Section(
        title="Webhooks",
        how=(
            f"One `deliver` process, and {TABLES * SEATS * WEBHOOKS:,} webhooks of {TABLES * SEATS} players at "
            f"{TABLES} tables. First, bursts of {BURST} moves, each of which is delivered to {SEATS * WEBHOOKS} "
            "endpoints, compared with the same number of bare signed requests of an aiohttp client. Then "
            f"{RATE / 2:g} moves per second for {seconds} s while 5% of the endpoints hang and 5% fail, "
            "alternately with a service whose endpoints are all healthy. The times are measured from before the "
            "commit until the first try arrives; for faulty endpoints, only each game's first delivery counts."
        ),
        columns=("", "Measured", "Compared with", "Ratio"),
        rows=(_row_of_bursts(bursts), *_rows_of_lags(alone, beside)),
    )


def _full_table(number: int) -> FullTable:
    players = tuple(keys.new_player_id(f"Player {number * SEATS + seat}") for seat in range(SEATS))
    return FullTable(keys.new_game_id(), players, recordings(1, players)[0])


@contextmanager
def _stage(folder: Path, tables: Sequence[FullTable], ill: Mapping[int, str]) -> Iterator[Stage]:
    """Run a service with all tables and webhooks. Yield it once its `deliver` process has delivered a first move."""
    log = folder / "processes.log"
    with (
        EmbeddedServer(folder) as server,
        closing(Store(Config(redis_url=server.url, queue_url=server.url))) as store,
        web(["benchmarks.sink"], log, {}) as (sink, _),
    ):
        _prepare(server.url, tables)
        for table in tables:
            for number in range(SEATS * WEBHOOKS):
                store.webhooks.add(_webhook(table.players[number // WEBHOOKS], sink, ill.get(number, WELL)))
        settings = {"REDIS_URL": server.url, "QUEUE_URL": server.url, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
        with run_module(["service", "deliver"], log, settings):
            stage = Stage(store, tables, sink, SEATS * WEBHOOKS - len(ill), log)
            stage.move()
            stage.finish()
            yield stage


def _prepare(url: str, tables: Sequence[FullTable]) -> None:
    """Store the first half of each game, without causing deliveries."""
    with redis.Redis.from_url(url) as server:
        for table in tables:
            server.rpush(keys.of_game(table.game, "log"), *table.recording.rows[: table.middle])
            server.set(keys.of_game(table.game, "seed"), table.recording.seed)


def _webhook(player: str, sink: int, endpoint: str) -> Webhook:
    webhook_id = keys.new_webhook_id(player)
    return Webhook(
        id=webhook_id,
        player=player,
        url=f"http://{HERE}:{sink}/{endpoint}/{webhook_id}",
        events=[GAME_MOVED],
        games=None,
        payload=payloads.FULL,
        active=True,
        created=NOON,
        secrets=[(signing.new_secret(), 0)],
        verified=NOON,
    )


def _steady(stages: Sequence[Stage], seconds: float, on_progress: OnProgress) -> None:
    """Make `RATE` moves per second for `seconds` seconds, alternating between the stages."""
    began = time.monotonic()
    moves = round(RATE * seconds)
    for number in range(moves):
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        stages[number % len(stages)].move()
        on_progress((number + 1) / moves)


def _burst(stage: Stage, table: FullTable) -> Burst:
    """Make moves as fast as the log accepts them, and then one bare request for each delivery that the moves caused."""
    count = BURST * SEATS * WEBHOOKS
    began = time.monotonic()
    for _ in range(BURST):
        stage.move()
    stage.finish()
    taken = time.monotonic() - began
    bare = asyncio.run(_bare(stage.sink, table, count))
    _arrivals(stage.sink)
    return Burst(count / taken, count / bare)


async def _bare(sink: int, table: FullTable, count: int) -> float:
    """Send `count` bare requests with the body of a delivery, and return how many seconds they take."""
    webhook = _webhook(table.players[0], sink, WELL)
    delivery = {"type": GAME_MOVED, "at": NOON, "version": table.middle, "sequence": 1}
    game = rebuild(Commits.of(table.game, table.recording.commits[: table.middle]), table.recording.seed)
    body = payloads.payload(webhook, delivery, game, lambda players: dict.fromkeys(players, "Player-0"))

    async def post(number: int) -> None:
        headers = signing.headers(f"bare-{number}", NOON // 1000, body, webhook.valid_secrets(NOON))
        async with session.post(webhook.url, headers=headers, data=body) as response:
            await response.read()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=BARE_AT_ONCE, force_close=True)) as session:
        began = time.monotonic()
        await asyncio.gather(*(post(number) for number in range(count)))
        return time.monotonic() - began


def _arrivals(sink: int) -> list[Arrival]:
    """Return the deliveries that arrived at the sink since the last call."""
    with closing(HTTPConnection(HERE, sink, timeout=STRAGGLERS)) as connection:
        connection.request("GET", "/")
        return [Arrival(*row) for row in orjson.loads(connection.getresponse().read())]


def _row_of_bursts(bursts: Sequence[Burst]) -> Row:
    ours, theirs = (median(rates) for rates in zip(*bursts, strict=True))
    ratio = median(burst.deliverer / burst.bare for burst in bursts)
    return Row(("deliveries per second", f"{ours:,.0f}", f"{theirs:,.0f} bare", f"{ratio:.2f}"))


def _rows_of_lags(alone: Lag, beside: Lag) -> Iterator[Row]:
    everywhere = _percentile(95, beside.healthy + beside.ill)
    goal = f"≤ {GOAL_SECONDS:g} s"
    yield Row(("first try, p95", _ms(everywhere), "", ""), goal, everywhere <= 1000 * GOAL_SECONDS)
    yield Row(("at faulty endpoints, p95", _ms(_percentile(95, beside.ill)), "", ""))
    for percent in (50, 95):
        ours, theirs = (_percentile(percent, lag.healthy) for lag in (beside, alone))
        cells = (
            f"at healthy endpoints, p{percent}",
            _ms(ours),
            f"{_ms(theirs)} without faulty ones",
            f"{ours / theirs:.2f}",
        )
        held = percent == 50
        yield Row(cells, f"≤ {GOAL_SLOWED:g} times" if held else "", ours / theirs <= GOAL_SLOWED if held else None)


def _ms(value: float) -> str:
    return f"{value:.0f} ms"


def _percentile(percent: int, times: Sequence[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
