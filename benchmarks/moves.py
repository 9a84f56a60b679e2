"""Moves: what `POST /v1/games/{id}/moves` costs compared with a bare Flask route with the same reads and writes.

What makes the comparison fair:

* The bare route (`bare`) uses the same server, an embedded one that writes to disk before it answers. It reads the
  player, reads the whole log with its seed, and appends with the same script. Its games are copies, so that at every
  move both read and write the same number of bytes. Only people play: a hint would be one more round trip.
* The bare route answers with the same number of bytes, and accepts the same request; it decodes, checks and decides
  nothing. It runs under plain gunicorn with threads, and sends its requests to the server one after another. The
  service has a gateway and its own connection pool, and reads the player and the log in one round trip; what that saves
  or costs is part of the result.
* First the CPU time of a request is measured by the length of the log (`lengths`).
* Then games are played in full, except for the last move, so that logs have realistic lengths. The clients (`clients`)
  run in another process, and all of them use one web process and then the other, in turns. Their requests form queues:
  with eight clients and one web process, the times are mostly waiting times, and their ratio is that of the work done
  for a request.
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
"""How often the clients play every recorded game."""
GOALS = {50: 1.5, 99: 2.0}
"""The highest allowed ratio to the bare route, by percentile."""


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure requests by the length of the log, then whole games."""
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
            "CPU time that a web process uses for a request, by the events of the log: a move and a look at a game, "
            "against bare Flask routes under gunicorn that read and write the same, through redis-py or hiredis alone. "
            f"Then {moves:,} moves of {CLIENTS} clients at once, each in its whole game of {SEATS} "
            "persons: times of a request on the loopback. One web process each, asked in turns; the server syncs each "
            "append to disk."
        ),
        columns=("", "Events", "Measured", "Beside it", "Ratio", "Of a block"),
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
                raise RuntimeError(f"the clients have failed: {log.read_text()}")
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
    """Store the start of a game and of its copy, and return what a client needs to play `moves` moves in both."""
    ids = {SERVICE: new_game_id(), BARE: new_game_id()}
    for game_id in ids.values():
        store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
    return {**ids, "tokens": tokens, "moves": [tuple(move) for move in recording.moves[:length]]}


def _appends(game_id: str, recording: Recording) -> dict[str, tuple[list[str], list[str]]]:
    """Return the arguments of every append but the first, by the length of the log."""
    return {str(length): sent_to_append(game_id, recording, length) for length in range(1, len(recording.commits))}


def _answer(recording: Recording, moves: int, player: str) -> str:
    """Return the service's answer in the middle of a game; the bare route's answer has the same length."""
    game = rebuild(Commits.of("", recording.commits[: moves + 1]), recording.seed)
    shown = add_to_game(show_game(game, player), lambda players: dict.fromkeys(players, "Player-0"))
    return orjson.dumps(shown).decode()


def _row(percent: int, goal: float, rounds: list[Times]) -> Row:
    """Return the times of all rounds together, their ratio, and the lowest and highest ratio of a round."""
    ours, theirs = (_percentile(percent, [ms for part in rounds for ms in part[name]]) for name in (SERVICE, BARE))
    ratios = [_percentile(percent, part[SERVICE]) / _percentile(percent, part[BARE]) for part in rounds]
    between = f"{min(ratios):.2f} to {max(ratios):.2f}"
    name = f"a move in whole games, p{percent}"
    cells = (name, "", f"{ours:.2f} ms", f"{theirs:.2f} ms {REDIS_PY}", f"{ours / theirs:.2f}", between)
    return Row(cells, f"≤ {goal:g} times", ours / theirs <= goal)


def _percentile(percent: int, times: list[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
