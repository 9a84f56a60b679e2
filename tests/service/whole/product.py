"""The whole product in separate processes: started as its users start it, observed from outside, and killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import requests

from engine import Command, SeededChance, advance, event_to_record, replay, start
from engine.bots import BOTS
from service.config import Config
from service.processes import lock
from service.processes.leash import with_leash
from service.rebuild.rebuild import open_rebuild, rebuild
from service.store import Store
from service.store.keys import of_game

from ..servers import free_port, until

Json = dict[str, Any]

SERVE = ("-m", "service", "serve")
LONG = 180
"""Seconds; nothing here takes this long."""
LONG_GAME = "af" * 32
"""A seed with which six random bots in zman-2018 need 448 commits."""
UNSET = dict.fromkeys(
    ("REDIS_URL", "QUEUE_URL", "REDIS_CLUSTER", "CONDOTTIERE_DURABILITY", "CONDOTTIERE_SECRET_KEYS"), ""
)
"""Settings that override the environment of the tests."""
LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
"""The errors of a client whose server is gone."""


class Service:
    """A running service, as its operator sees it."""

    def __init__(self, folder: Path, argv: Sequence[str], settings: Mapping[str, str]) -> None:
        """Start the service with its data in a folder; `argv` is passed to Python."""
        self.folder = folder
        self.output = folder / "output"
        self.url = f"http://127.0.0.1:{settings['PORT']}"
        self._argv = argv
        self._env = {**os.environ, **UNSET, "CONDOTTIERE_DATA": str(folder), "PYTHONUNBUFFERED": "1", **settings}
        self.start()

    def start(self) -> None:
        """Start the service, possibly again after all of it was killed."""
        with self.output.open("ab") as output:
            self._process = subprocess.Popen(
                with_leash([sys.executable, *self._argv]),
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.pid = self._process.pid

    @property
    def log_url(self) -> str:
        """The address of the embedded log server."""
        return f"unix://{self.folder}/log/socket"

    @property
    def queue_url(self) -> str:
        """The address of the embedded queue server."""
        return f"unix://{self.folder}/queue/socket"

    def said(self) -> str:
        """Return all output so far."""
        return self.output.read_text()

    def pid_of(self, name: str) -> int:
        """Return the process id of web, worker, clock, log or queue; wait for a process that is being started."""
        found: list[int] = []

        def look() -> bool:
            found[:] = [pid for pid in children(self.pid) if _is(pid, self.folder, name)]
            return bool(found)

        until(look)
        return found[0]

    def is_up(self) -> bool:
        """Return whether every part is up."""
        assert self._process.poll() is None, f"the service has ended:\n{self.said()}"
        try:
            return requests.get(f"{self.url}/v1/health", timeout=LONG).status_code == 200
        except requests.ConnectionError:
            return False

    def wait_until_up(self) -> None:
        """Wait until every part is up."""
        until(self.is_up, LONG)

    def kill_everything(self) -> None:
        """Kill every process at the same time, as a power cut would."""
        # A suspended supervisor does not restart anything.
        os.kill(self.pid, signal.SIGSTOP)
        for pid in [*descendants(self.pid), self.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Stop the service, and return its exit status."""
        self._process.terminate()
        return self._process.wait(timeout=LONG)

    def clean_up(self) -> None:
        """Kill everything that is still running."""
        if self._process.poll() is None:
            self.kill_everything()


@contextmanager
def running(folder: Path, argv: Sequence[str] = SERVE, **settings: str) -> Iterator[Service]:
    """Run the service within the block, once all of it is up; if it still runs at the end, it must end cleanly."""
    service = Service(folder, argv, {"PORT": str(free_port()), **settings})
    try:
        service.wait_until_up()
        yield service
        if service._process.poll() is None:
            assert service.stop() == 0
    except BaseException:
        print(service.said())
        raise
    finally:
        service.clean_up()


def children(parent: int) -> list[int]:
    """Return the processes that a process has started and that are still running."""
    return [pid for pid, (state, ppid) in _processes().items() if ppid == parent and state != "Z"]


def descendants(parent: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    return [pid for child in children(parent) for pid in (child, *descendants(child))]


def _processes() -> dict[int, tuple[str, int]]:
    """Return the state and the parent of every process."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, ppid = stat.read_text().rpartition(")")[2].split()[:2]
            found[int(stat.parent.name)] = state, int(ppid)
    return found


def _is(pid: int, folder: Path, name: str) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        if name in ("log", "queue"):
            return lock.holder(folder / name / "lock") == str(pid)
        return Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"\0%b\0" % name.encode())
    return False


class Person:
    """A person with a token who sends requests to a service."""

    def __init__(self, url: str, name: str) -> None:
        """Register."""
        self._url = url
        self.session = requests.Session()
        player = self.post("/players", {"name": name})
        self.id, self.token = player["id"], player["token"]
        self.session.headers["Authorization"] = f"Bearer {self.token}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> requests.Response:
        """Send any request."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.session.request(method, f"{self._url}/v1{path}", json=body, headers=sent, timeout=LONG)

    def get(self, path: str) -> Json:
        """Send a GET request, which must succeed."""
        return _body(self.ask("GET", path))

    def post(self, path: str, body: Any = None) -> Json:
        """Send a POST request, which must succeed."""
        return _body(self.ask("POST", path, body))

    def open_game(self, bots: int, bot: str = "random", **asked: Any) -> Json:
        """Open a game with bots in the last seats, or in all; it starts when the other seats are taken."""
        seats = asked.pop("seats", bots)
        given = [{"seat": seat, "bot": bot} for seat in range(seats - bots, seats)]
        return self.post("/games", {"edition": "zman-2018", "seats": seats, "bots": given, **asked})

    def move(self, game: Json, move: Json, key: str) -> requests.Response:
        """Make a move at the version of this view."""
        return self.ask(
            "POST", f"/games/{game['id']}/moves", move, If_Match=f'"{game["version"]}"', Idempotency_Key=key
        )

    def my_turn(self, game_id: str) -> Json:
        """Return a game as soon as it is this person's turn or the game is over."""
        while True:
            game = self.get(f"/games/{game_id}")
            if game["moves"] or game["status"] == "finished":
                return game
            self.get(f"/games/{game_id}/events?after={game['version']}&wait=25")

    def __enter__(self) -> Person:
        """Enter the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self.session.close()


def _body(answer: requests.Response) -> Json:
    assert answer.ok, answer.text
    body: Json = answer.json()
    return body


def hold_together(person: Person, game_id: str) -> list[Json]:
    """Return a game's public commits; fail unless each turn has exactly one, made by the right seat."""
    seats = [seat["player"] for seat in person.get(f"/games/{game_id}")["seated"]]
    commits: list[Json] = person.get(f"/games/{game_id}/events?after=0")["commits"]
    assert [commit["seq"] for commit in commits] == list(range(1, len(commits) + 1))
    started = next(number for number, commit in enumerate(commits) if commit["events"][-1]["type"] == "turn-started")
    for before, commit in zip(commits[started:], commits[started + 1 :], strict=False):
        turn = before["events"][-1]
        assert turn["type"] == "turn-started"
        assert commit["by"] == (seats[turn["seat"]] or f"bot:{turn['seat']}")
        assert commit["events"][0]["seat"] == turn["seat"]
    return commits


def stored(log_url: str, game_id: str) -> tuple[list[Json], bytes]:
    """Return a game's commits as they are stored, and its seed."""
    store = Store(Config(redis_url=log_url, queue_url=""))
    try:
        loaded = store.log.load(game_id)
    finally:
        store.close()
    assert loaded is not None
    return list(loaded.commits), loaded.seed


def undisturbed(edition: str, seed: bytes, seats: int, bot: str) -> list[list[Json]]:
    """Return the game events of every commit in a game of bots only that nothing disturbs."""
    chance = SeededChance(seed, [b""] * seats)
    played = [start(edition, seats, chance, {})]
    state, log = replay(played[0]), [*played[0]]
    while state.result is None:
        chosen: Command = BOTS[bot].play(state, log, chance.bot_random(len(played)))
        played.append(advance(state, chosen, chance))
        log += played[-1]
    return [[event_to_record(event) for event in events] for events in played]


def was_undisturbed(person: Person, log_url: str, game_id: str, bot: str = "random") -> None:
    """Wait for the end of a game of bots only; fail unless its moves are those of an undisturbed game.

    Fail also if an index of any game does not agree with the logs.
    """
    game = person.get(f"/games/{game_id}")
    _, seed = stored(log_url, game_id)
    played = undisturbed(game["edition"], seed, len(game["seated"]), bot)
    with client(log_url) as log:
        until(lambda: log.llen(of_game(game_id, "log")) >= len(played), LONG)
    table = len(game["seated"]) + 1
    first, *others = [commit["events"] for commit in stored(log_url, game_id)[0]]
    assert [first[table:], *others] == played
    assert len(hold_together(person, game_id)) == len(played)
    game = person.get(f"/games/{game_id}")
    assert (game["version"], game["status"]) == (len(played), "finished")
    assert game["result"] == {key: played[-1][-1][key] for key in ("winners", "reasons")}
    with open_rebuild(Config(redis_url=log_url, queue_url=""), (), mends=False) as rebuilding:
        assert list(rebuild(rebuilding)) == []


@contextmanager
def client(url: str) -> Iterator[Any]:
    """Connect to one of the servers."""
    with redis.Redis.from_url(url, protocol=2) as server:
        yield server
