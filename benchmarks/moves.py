"""Moves: what `POST /v1/games/{id}/moves` costs beyond a bare Flask route with the same round trips.

What makes the comparison fair:

* The bare route (`bare`) sends the same three requests to the same server, an embedded one that writes to disk before
  it answers: the player, the whole log with its seed, the append by the same script. Its games are copies, so that at
  every move both read as many bytes and write as many. Only persons play: no hint is sent, which would be a fourth
  round trip.
* Whole games are played but for the last move, so that logs are as short and as long as they are in life.
* Both are served by one gunicorn process each, with the service's own settings; the one that is not asked is idle.
* The clients (`clients`) are another process, and ask both in turns, the same number of them at once. Clients that wait
  for their answers see queues: with eight of them and one process the times are mostly times of waiting for one's turn,
  and their ratio is that of the work done for a request.
* The bare route answers as many bytes, and accepts the same request; it decodes, checks and decides nothing. It asks
  the server through redis-py's own client and pool, as anybody would who writes such a route; the service has a pool of
  its own, and what that saves is part of the result.
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
from service.games.changes import Change
from service.games.game import rebuild
from service.games.repository import addition
from service.processes.embedded import EmbeddedServer
from service.store import Store
from service.store.commits import Commits
from service.store.keys import new_game_id
from service.store.log import Addition, packed
from service.views.game import show_game

from .clients import BARE, SERVICE, Taken
from .processes import started, web
from .recording import SEATS, Recording, recordings
from .report import Row, Section, Told

CLIENTS = 8
ROUNDS, QUICK_ROUNDS = 5, 1
"""Each plays every recorded game anew."""
GOALS = {50: 1.5, 99: 2.0}
"""At most how many times the bare route's, by percentile."""


def measure(quick: bool, told: Told) -> Section:
    """Measure moves against bare requests."""
    with TemporaryDirectory(prefix="condottiere-") as name, EmbeddedServer(Path(name) / "log") as server:
        folder = Path(name)
        taken = _taken(folder, server.url, QUICK_ROUNDS if quick else ROUNDS, told)
    moves = sum(len(part[SERVICE]) for part in taken)
    return Section(
        title="Moves",
        how=(
            f"{moves:,} moves of {CLIENTS} clients at once, each in its game of {SEATS} persons, against a bare Flask "
            "route with the same three round trips; one web process each, asked in turns. Times of a request on the "
            "loopback; the server syncs each append to disk."
        ),
        columns=("Percentile", "Move", "Bare route", "Ratio", "Of a round"),
        rows=tuple(_row(percent, goal, taken) for percent, goal in GOALS.items()),
    )


def _taken(folder: Path, url: str, rounds: int, told: Told) -> list[Taken]:
    plan, bare = _prepare(url, rounds)
    files = [folder / name for name in ("bare.json", "plan.json", "result.json")]
    files[0].write_bytes(orjson.dumps(bare))
    settings = {"REDIS_URL": url}
    log = folder / "processes.log"
    with (
        web(["service", "web"], log, settings) as port,
        web(["benchmarks.bare", str(files[0])], log, settings) as other,
    ):
        files[1].write_bytes(orjson.dumps({**plan, "ports": {SERVICE: port, BARE: other}}))
        with started(["benchmarks.clients", str(files[1]), str(files[2])], log, {}) as clients:
            assert clients.stdout is not None
            for line in clients.stdout:
                told(float(line))
            if clients.wait():
                raise RuntimeError(f"the clients have failed: {log.read_text()}")
    taken: list[Taken] = orjson.loads(files[2].read_bytes())
    return taken


def _prepare(url: str, rounds: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Store the beginnings of all games, and return what the clients and the bare route are told."""
    with _stored(url) as store:
        players, tokens = zip(*(store.players.register(f"Player {seat}") for seat in range(SEATS)), strict=True)
        recorded = recordings(CLIENTS, [player.id for player in players])
        length = min(len(recording.moves) for recording in recorded) - 1
        plan: dict[str, Any] = {"rounds": []}
        answer = _answer(recorded[0], length // 2, players[0].id)
        bare: dict[str, Any] = {"answer": answer, "appends": {}}
        for _ in range(rounds):
            games = [_open(store, recording, tokens, length) for recording in recorded]
            plan["rounds"].append(games)
            for game, recording in zip(games, recorded, strict=True):
                bare["appends"][game[BARE]] = _appends(game[BARE], recording)
    return plan, bare


@contextmanager
def _stored(url: str) -> Iterator[Store]:
    store = Store(Config(redis_url=url, queue_url=url))
    try:
        yield store
    finally:
        store.close()


def _open(store: Store, recording: Recording, tokens: tuple[str, ...], length: int) -> Mapping[str, Any]:
    """Store the start of a game and of its copy, and return what a client needs to play so many moves of both."""
    ids = {SERVICE: new_game_id(), BARE: new_game_id()}
    for game_id in ids.values():
        store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
    return {**ids, "tokens": tokens, "moves": [tuple(move) for move in recording.moves[:length]]}


def _appends(game_id: str, recording: Recording) -> list[list[list[str]]]:
    """Return, by the length of the log, the keys and arguments with which the service's append adds the next commit.

    The first commit is stored before.
    """
    made: list[list[list[str]]] = [[]]
    for length in range(2, len(recording.commits) + 1):
        game = rebuild(Commits.of(game_id, recording.commits[:length]), recording.seed)
        (commit,) = game.since(length - 1)
        keys, args = packed(addition(Change(game, commit, thought=1000)))
        made.append([keys, [arg.decode() if isinstance(arg, bytes) else str(arg) for arg in args]])
    return made


def _answer(recording: Recording, moves: int, player: str) -> str:
    """Return the service's answer in the middle of a game: the bare route answers as many bytes."""
    game = rebuild(Commits.of("", recording.commits[: moves + 1]), recording.seed)
    return orjson.dumps(show_game(game, player)).decode()


def _row(percent: int, goal: float, rounds: list[Taken]) -> Row:
    """Return the times of all rounds together, their ratio, and the lowest and the highest ratio of a round."""
    ours, theirs = (_percentile(percent, [ms for part in rounds for ms in part[name]]) for name in (SERVICE, BARE))
    ratios = [_percentile(percent, part[SERVICE]) / _percentile(percent, part[BARE]) for part in rounds]
    between = f"{min(ratios):.2f} to {max(ratios):.2f}"
    cells = (f"p{percent}", f"{ours:.2f} ms", f"{theirs:.2f} ms", f"{ours / theirs:.2f}", between)
    return Row(cells, f"≤ {goal:g} times", ours / theirs <= goal)


def _percentile(percent: int, times: list[float]) -> float:
    return quantiles(times, n=100)[percent - 1]
