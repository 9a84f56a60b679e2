"""Lengths: the CPU time of a move and of a view, by the length of the log, compared with the bare routes.

* Matches of one edition are stored in the state after a given number of events. Each match is stored three times: for
  the service, and for the two variants of the bare routes (`bare`). All three read, write and send the same number of
  bytes.
* After each move, this process truncates the log, so that the log has the same length for every request. Web processes
  keep no game data between requests.
* One client sends the requests, over one open connection to each web process. The service and the routes alternate in
  blocks, in a changing order. The CPU time of a block is that of all threads of the web process, as the scheduler
  reports it. It does not include the time of the log server and of the client, and other work on the machine hardly
  affects it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import orjson
import redis

from service.games.changes import Change
from service.games.game import rebuild
from service.games.repository import addition
from service.store import Store, keys, layout
from service.store.commits import Commits
from service.store.log import Addition, append_arguments
from service.views.game import show_game
from service.views.names import add_to_game

from .bare import HIREDIS, REDIS_PY
from .processes import HERE, Web, cpu, web
from .recording import SEATS, Recording, matches
from .report import OnProgress, Row

SERVICE = "service"
EVENTS = (20, 200, 400, 1500)
MATCHES = 8
BLOCKS, QUICK_BLOCKS = 15, 5
BLOCK = 40
"""The number of requests of one kind before those of the next kind. The first block is a warm-up."""
SECONDS = 30
"""The number of seconds without a response after which the measurement fails."""
GOALS = {
    ("move", REDIS_PY): (1.3, 1.4, 1.5, 2.0),
    ("move", HIREDIS): (1.7, 1.9, 2.2, 2.8),
    ("view", REDIS_PY): (1.3, 1.4, 1.5, 2.2),
}
"""The maximum ratios to the bare route's CPU time, one for each number of events in `EVENTS`."""


class Position(NamedTuple):
    """A match after some events, stored for the service and for each bare route. `games` has the ids, by route."""

    games: Mapping[str, str]
    recording: Recording
    length: int

    @property
    def body(self) -> bytes:
        """The next move, as the body of a request."""
        return orjson.dumps(self.recording.moves[self.length - 1].record)

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return self.recording.moves[self.length - 1].seat


class Client:
    """Sends requests to the web processes, and reads the CPU time that they use."""

    def __init__(self, server: redis.Redis, webs: Mapping[str, Web], tokens: Sequence[str]) -> None:
        """`webs` are the web processes by name, and `tokens` are the players' tokens by seat."""
        self._server = server
        self._webs = webs
        self._tokens = tokens
        self._connections = {name: HTTPConnection(HERE, one.port, timeout=SECONDS) for name, one in webs.items()}

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()

    def block(self, ask: Callable[[str, Position], None], name: str, positions: Sequence[Position]) -> float:
        """Send a block of requests, and return the CPU time per request (ms)."""
        before = cpu(self._webs[name].pid)
        for number in range(BLOCK):
            ask(name, positions[number % len(positions)])
        return 1000 * (cpu(self._webs[name].pid) - before) / BLOCK

    def move(self, name: str, position: Position) -> None:
        """Make the next move in a position, and undo it."""
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": "move",
            "If-Match": f'"{position.length}"',
        }
        self._ask("POST", name, position, "/moves", 201, position.body, headers)
        self._server.ltrim(keys.of_game(position.games[name], "log"), 0, position.length - 1)

    def look(self, name: str, position: Position) -> None:
        """Request a position."""
        self._ask("GET", name, position, "", 200)

    def _ask(
        self,
        method: str,
        name: str,
        position: Position,
        path: str,
        status: int,
        body: bytes | None = None,
        headers: Mapping[str, str] = {},
    ) -> None:
        prefix = "" if name == SERVICE else f"/{name}"
        sent = {"Authorization": f"Bearer {self._tokens[position.seat]}", **headers}
        connection = self._connections[name]
        connection.request(method, f"{prefix}/v1/games/{position.games[name]}{path}", body, sent)
        response = connection.getresponse()
        answer = response.read()
        if response.status != status:
            raise RuntimeError(f"{method} {path} at {name} responds with {response.status}: {answer[:500]!r}")


def measure(folder: Path, url: str, store: Store, quick: bool, on_progress: OnProgress) -> Iterator[Row]:
    """Yield a row for each kind of request, bare route and length."""
    blocks = QUICK_BLOCKS if quick else BLOCKS
    players, tokens = zip(*(store.players.register(f"Match-{seat}") for seat in range(SEATS)), strict=True)
    with ExitStack() as stack:
        server = stack.enter_context(redis.Redis.from_url(url))
        recorded = matches(MATCHES, EVENTS[-1], [player.id for player in players])
        positions = {events: [_stored(server, store, one, events) for one in recorded] for events in EVENTS}
        plan = folder / "lengths.json"
        plan.write_bytes(orjson.dumps(dict(_bare_games(positions.values()))))
        log, settings = folder / "processes.log", {"REDIS_URL": url, "WEB_WORKERS": "1"}
        ours = stack.enter_context(web(["service", "web"], log, settings))
        bare = stack.enter_context(web(["benchmarks.bare", str(plan)], log, settings))
        webs = {SERVICE: ours, REDIS_PY: bare, HIREDIS: bare}
        client = stack.enter_context(closing(Client(server, webs, tokens)))
        kinds = {"move": client.move, "view": client.look}
        found: dict[tuple[str, str, int], list[float]] = {
            (kind, name, events): [] for kind in kinds for name in webs for events in EVENTS
        }
        for number in range(blocks + 1):
            for events in EVENTS:
                for kind, ask in kinds.items():
                    for name in _turned(list(webs), number):
                        taken = client.block(ask, name, positions[events])
                        found[kind, name, events] += [taken] if number else []
            on_progress((number + 1) / (blocks + 1))
    for (kind, name), goals in GOALS.items():
        for events, goal in zip(EVENTS, goals, strict=True):
            yield _row(f"a {kind}", name, events, found[kind, SERVICE, events], found[kind, name, events], goal)


def _stored(server: redis.Redis, store: Store, recording: Recording, events: int) -> Position:
    length = recording.commits_with(events)
    position = Position({name: keys.new_game_id() for name in (SERVICE, REDIS_PY, HIREDIS)}, recording, length)
    for game_id in position.games.values():
        store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
        server.rpush(keys.of_game(game_id, "log"), *recording.rows[1:length])
    return position


def _bare_games(positions: Iterable[Sequence[Position]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield, for each game of the bare routes, the response, and the arguments for appending the next commit."""
    for some in positions:
        for position in some:
            commits, length = position.recording.commits[: position.length + 1], position.length
            shown = show_game(rebuild(Commits.of("", commits), position.recording.seed), _player(position))
            named = add_to_game(shown, lambda players: dict.fromkeys(players, "Match-0"))
            answer = orjson.dumps(named).decode()
            for name in (REDIS_PY, HIREDIS):
                game_id = position.games[name]
                append = sent_to_append(game_id, position.recording, length)
                yield game_id, {"answer": answer, "appends": {str(length): append}}


def _player(position: Position) -> str:
    player: str = position.recording.commits[position.length]["by"]
    return player


def sent_to_append(game_id: str, recording: Recording, length: int) -> tuple[list[str], list[str]]:
    """Return the keys and arguments with which the service appends a commit to the first `length` commits."""
    game = rebuild(Commits.of(game_id, recording.commits[: length + 1]), recording.seed)
    (commit,) = game.since(length)
    written, args = append_arguments(addition(Change(game, commit, thinking_time=1000)))
    fenced = [*args, layout.LAYOUT]
    sent = [arg.decode() if isinstance(arg, bytes) else str(arg) for arg in fenced]
    # Each script's gate and fence remove these last two keys.
    return [*written, layout.key_beside(written[0], "closed"), layout.key_beside(written[0])], sent


def _turned(names: list[str], number: int) -> list[str]:
    first = number % len(names)
    return names[first:] + names[:first]


def _row(kind: str, name: str, events: int, ours: list[float], theirs: list[float], goal: float) -> Row:
    """Return a row with the medians of all blocks, their ratio, and the range of the single blocks' ratios."""
    measured, beside = median(ours), median(theirs)
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    between = f"{min(ratios):.2f} to {max(ratios):.2f}"
    cells = (f"{kind}, CPU", f"{events:,}", f"{measured:.2f} ms", f"{beside:.2f} ms {name}", f"{measured / beside:.2f}")
    return Row((*cells, between), f"≤ {goal:g} times", measured / beside <= goal)
