"""The web is killed again and again in the middle of requests; clients that repeat them with their keys are safe."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests

from ..pids import alive
from ..servers import until
from .product import LONG, LOST, Json, Service, descendants, running
from .test_killed_worker import SERVE_AGAIN_SOON

pytestmark = pytest.mark.slow

KILLS = 6
COUPLES = 4
"""The number of pairs of players who are active at the same time."""
MANY = 25
"""The maximum number of responses between two kills."""


class Stubborn:
    """A client that repeats every request with its key until it gets a response, and counts the repetitions."""

    def __init__(self, url: str, chance: Random) -> None:
        """Create a client of a service; keys come from `chance`."""
        self._url = url
        self._session = requests.Session()
        self._chance = chance
        self.answered = self.repeated = 0
        self.token = self.id = ""

    def ask(self, method: str, path: str, body: Any = None) -> Json:
        """Send a request that changes something until it succeeds, and return the response."""
        headers = {"Idempotency-Key": f"{self._chance.getrandbits(128):032x}"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        answer = self._until_answered(method, path, body, headers)
        self.answered += 1
        return answer

    def register(self, name: str) -> None:
        """Register, and use the token from then on."""
        player = self.ask("POST", "/players", {"name": name})
        self.id, self.token = player["id"], player["token"]

    def replace_token(self) -> None:
        """Replace the token, and use the new one from then on."""
        self.token = self.ask("POST", "/me/token", {"webhooks": "pause"})["token"]

    def get(self, path: str) -> Json:
        """Send a GET request until it succeeds."""
        return self._until_answered("GET", path, None, {"Authorization": f"Bearer {self.token}"})

    def _until_answered(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Json:
        found: list[requests.Response] = []

        def answered() -> bool:
            with contextlib.suppress(*LOST):
                found.append(
                    self._session.request(method, f"{self._url}/v1{path}", json=body, headers=headers, timeout=LONG)
                )
            if not found or found[-1].status_code >= 500:
                self.repeated += 1
                return False
            return True

        until(answered, LONG)
        assert found[-1].ok, found[-1].text
        shown: Json = found[-1].json()
        return shown

    def close(self) -> None:
        """Close the connection."""
        self._session.close()


class Couple:
    """Two players who repeatedly register, open a game, join it, and pause it."""

    def __init__(self, number: int, url: str, chance: Random) -> None:
        """Start with nothing done."""
        self.number = number
        self.opened: dict[str, str] = {}
        self.registered: list[str] = []
        self.owner, self.guest = Stubborn(url, Random(chance.random())), Stubborn(url, Random(chance.random()))

    @property
    def answered(self) -> int:
        """How many responses the clients have received."""
        return self.owner.answered + self.guest.answered

    def live(self, stop: threading.Event) -> None:
        """Continue until the test stops it."""
        while not stop.is_set() or not self.opened:
            for role, who in (("o", self.owner), ("g", self.guest)):
                who.token = ""
                who.register(f"{role}{self.number}-{len(self.opened)}")
                self.registered.append(who.id)
            clock = {"kind": "per-move", "seconds": 86_400}
            game = self.owner.ask("POST", "/games", {"edition": "zman-2018-duel", "seats": 2, "clock": clock})
            self.guest.ask("POST", f"/games/{game['id']}/join")
            self.owner.replace_token()
            self.owner.ask("POST", f"/games/{game['id']}/pause")
            self.owner.ask("PATCH", "/me", {"time_zone": "Europe/Rome"})
            self.opened[game["id"]] = self.owner.id
            self.hold(game["id"])

    def hold(self, game_id: str) -> None:
        """Fail unless everything was done once."""
        mine = self.owner.get("/games?status=mine")["games"]
        assert [game["id"] for game in mine] == [game_id]
        commits = self.owner.get(f"/games/{game_id}/events")["commits"]
        types = [event["type"] for commit in commits for event in commit["events"]]
        done = {"table-opened": 1, "seat-taken": 2, "game-started": 1, "pause-asked": 1}
        assert {kind: types.count(kind) for kind in done} == done


def kill_the_web(service: Service) -> None:
    """Kill all web processes at the same time."""
    web = service.pid_of("web")
    for pid in [web, *descendants(web)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(web))


def test_what_is_repeated_until_it_is_answered_is_done_once(folder: Path, chance: Random) -> None:
    """The requests are registrations, new tokens, games, joins, pauses and habits; kills come at random instants."""
    stop = threading.Event()
    with running(folder, SERVE_AGAIN_SOON) as service, ThreadPoolExecutor(COUPLES) as threads:
        couples = [Couple(number, service.url, Random(chance.random())) for number in range(COUPLES)]
        lives = [threads.submit(couple.live, stop) for couple in couples]
        try:
            for _ in range(KILLS):
                enough = sum(couple.answered for couple in couples) + chance.randrange(1, MANY)
                until(lambda: sum(couple.answered for couple in couples) >= enough or _over(lives), LONG)  # noqa: B023
                kill_the_web(service)
                service.wait_until_up()
        finally:
            stop.set()
        for life in lives:
            life.result()
        assert sum(who.repeated for couple in couples for who in (couple.owner, couple.guest)) > 0
        registered = [name for couple in couples for name in couple.registered]
        assert len(registered) == len(set(registered))
        for couple in couples:
            couple.owner.close()
            couple.guest.close()


def _over(lives: list[Any]) -> bool:
    return any(life.done() for life in lives)
