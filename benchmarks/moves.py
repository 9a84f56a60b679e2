"""Moves: what `POST /v1/games/{id}/moves` costs compared with a bare Flask route with the same reads and writes.

The comparison works as follows:

* The bare route (`bare`) uses the same embedded server, which writes to disk before it responds. It reads the player,
  reads the whole log with its seed, and appends with the same script. Its games are copies of the service's games, so
  both read and write the same number of bytes for every move. Only people play, because a hint for a bot would be
  another round trip.
* The bare route accepts the same request and sends a response of the same size, but decodes, checks and decides
  nothing. It runs under plain gunicorn with threads, and makes its round trips to the server one at a time. The service
  has a gateway and a connection pool, and reads the player and the log in one round trip; the figures include what
  these save or cost.
* First, the CPU time of a request is measured for logs of several lengths (`lengths`).
* Then games are played in full, except for the last move, so that logs have realistic lengths. The clients (`clients`)
  run in another process, and use the two web processes alternately. With eight clients and one web process, a request
  spends most of its time in a queue, so the ratio of the times is the ratio of the work per request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from service.config import Config
from service.games.game import rebuild
from service.processes.embedded import EmbeddedServer
from service.store import Store
from service.store.commits import Commits
from service.store.keys import new_game_id
from service.store.log import Addition
from service.views.game import show_game
from service.views.names import add_to_game

from . import lengths
from .bare import REDIS_PY
from .clients import BARE, SERVICE, Times
from .lengths import sent_to_append
from .processes import run_module, web
from .recording import SEATS, Recording, recordings
from .report import OnProgress, Row, Section

CLIENTS = 8
ROUNDS, QUICK_ROUNDS = 5, 1
"""The number of times that the clients play each recorded game."""
GOALS = {50: 1.5, 99: 2.0}
"""The maximum ratio to the bare route's time, by percentile."""


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure requests for logs of several lengths, then whole games."""
    with (
        TemporaryDirectory(prefix="condottiere-") as name,
        EmbeddedServer(Path(name) / "log") as server,
        _stored(server.url) as store,
    ):
        folder = Path(name)
        rows = list(lengths.measure(folder, server.url, store, quick, lambda part: on_progress(part / 2)))
        all_times = _measure_games(
            folder, server.url, store, QUICK_ROUNDS if quick else ROUNDS, lambda part: on_progress((1 + part) / 2)
        )
    moves = sum(len(part[SERVICE]) for part in all_times)
    return Section(
        title="Moves",
        how=(
            "First, the CPU time that a web process uses for a move and for a view, by the number of events in the "
            "log. It is compared with bare Flask routes under gunicorn that make the same reads and writes, through "
            f"redis-py or hiredis. Then {moves:,} moves of {CLIENTS} concurrent clients, each of which plays a whole "
            f"game of {SEATS} people: the times of requests over loopback. There is one web process of each kind, "
            "and requests go to them alternately. The server writes each append to disk before it responds."
        ),
        columns=("", "Events", "Measured", "Compared with", "Ratio", "Ratio per block"),
        rows=(*rows, *(_row(percent, goal, all_times) for percent, goal in GOALS.items())),
    )


def _measure_games(folder: Path, url: str, store: Store, rounds: int, on_progress: OnProgress) -> list[Times]:
    plan, bare = _prepare(store, rounds)
    files = [folder / name for name in ("bare.json", "plan.json", "result.json")]
    files[0].write_bytes(orjson.dumps(bare))
    settings = {"REDIS_URL": url, "WEB_WORKERS": "1"}
    log = folder / "processes.log"
    with (
        web(["service", "web"], log, settings) as ours,
        web(["benchmarks.bare", str(files[0])], log, settings) as other,
    ):
        urls = {SERVICE: (ours.port, ""), BARE: (other.port, f"/{REDIS_PY}")}
        files[1].write_bytes(orjson.dumps({**plan, "webs": urls}))
        with run_module(["benchmarks.clients", str(files[1]), str(files[2])], log, {}) as clients:
            assert clients.stdout is not None
            for line in clients.stdout:
                on_progress(float(line))
            if clients.wait():
                raise RuntimeError(f"the clients failed: {log.read_text()}")
    all_times: list[Times] = orjson.loads(files[2].read_bytes())
    return all_times


def _prepare(store: Store, rounds: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Store the beginnings of all games, and return the data for the clients and for the bare route."""
    players, tokens = zip(*(store.players.register(f"Player-{seat}") for seat in range(SEATS)), strict=True)
    recorded_games = recordings(CLIENTS, [player.id for player in players])
    length = min(len(recording.moves) for recording in recorded_games) - 1
    answer = _answer(recorded_games[0], length // 2, players[0].id)
    plan: dict[str, Any] = {"rounds": []}
    bare: dict[str, Any] = {}
    for _ in range(rounds):
        games = [_open(store, recording, tokens, length) for recording in recorded_games]
        plan["rounds"].append(games)
        for game, recording in zip(games, recorded_games, strict=True):
            bare[game[BARE]] = {"answer": answer, "appends": _appends(game[BARE], recording)}
    return plan, bare


@contextmanager
def _stored(url: str) -> Iterator[Store]:
    store = Store(Config(redis_url=url, queue_url=url))
    try:
        yield store
    finally:
        store.close()


def _open(store: Store, recording: Recording, tokens: tuple[str, ...], length: int) -> Mapping[str, Any]:
    """Store the start of a game and of its copy, and return what a client needs to play `length` moves in both."""
    ids = {SERVICE: new_game_id(), BARE: new_game_id()}
    for game_id in ids.values():
        store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
    return {**ids, "tokens": tokens, "moves": [tuple(move) for move in recording.moves[:length]]}


def _appends(game_id: str, recording: Recording) -> dict[str, tuple[list[str], list[str]]]:
    """Return the arguments of every append except the first, by the length of the log."""
    return {str(length): sent_to_append(game_id, recording, length) for length in range(1, len(recording.commits))}


def _answer(recording: Recording, moves: int, player: str) -> str:
    """Return the service's response in the middle of a game, which the bare route sends as its own response."""
    game = rebuild(Commits.of("", recording.commits[: moves + 1]), recording.seed)
    shown = add_to_game(show_game(game, player), lambda players: dict.fromkeys(players, "Player-0"))
    return orjson.dumps(shown).decode()


def _row(percent: int, goal: float, rounds: list[Times]) -> Row:
    """Return a row with a percentile over all rounds, its ratio, and the range of the single rounds' ratios."""
    ours, theirs = (_percentile(percent, [ms for part in rounds for ms in part[name]]) for name in (SERVICE, BARE))
    ratios = [_percentile(percent, part[SERVICE]) / _percentile(percent, part[BARE]) for part in rounds]
    between = f"{min(ratios):.2f} to {max(ratios):.2f}"
    name = f"a move in whole games, p{percent}"
    cells = (name, "", f"{ours:.2f} ms", f"{theirs:.2f} ms {REDIS_PY}", f"{ours / theirs:.2f}", between)
    return Row(cells, f"≤ {goal:g} times", ours / theirs <= goal)


def _percentile(percent: int, times: list[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
