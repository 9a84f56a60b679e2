"""Installed releases whose processes run together with those of this version, on one pair of servers."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import requests

from service.processes.leash import with_leash
from service.processes.serve import PROCESSES

from ...releases import Release
from ..servers import free_port, until
from .product import LONG, UNSET, Json, Person

ROOT = Path(__file__).parents[3]
THIS = ""
"""The version under test, as it is installed here."""


class NoHistory(Exception):
    """Raised if the commit of a release is not in the clone."""


def install(release: Release, folder: Path) -> str:
    """Build the wheel of a release from its commit, and return the unpacked wheel's path for Python.

    The release runs with the dependencies of this version. Raises: NoHistory.
    """
    archive = subprocess.run(["git", "archive", release.commit], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        raise NoHistory(f"release {release.version} is not in this clone: {archive.stderr.decode().strip()}")
    source = folder / "source"
    source.mkdir()
    subprocess.run(["tar", "-x"], cwd=source, input=archive.stdout, check=True)
    return build(source, folder, release.version)


def build(source: Path, folder: Path, version: str) -> str:
    """Build the wheel of a source tree, and return the unpacked wheel's path for Python."""
    wheels, installed = folder / "wheels", folder / "installed"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(source)], check=True)
    (wheel,) = wheels.glob(f"*-{version}-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    return str(installed)


LATER_PROCESSES = ("thinker",)
"""Processes that earlier releases do not have."""
LATER_SETTINGS = ("CONDOTTIERE_LIMITS", "CONDOTTIERE_SECRET_KEYS")
"""Settings that earlier releases do not know and therefore refuse."""


def inherited() -> dict[str, str]:
    """Return the environment without the service's settings, including settings of later releases."""
    environment = {**os.environ, **UNSET}
    return {name: value for name, value in environment.items() if name not in LATER_SETTINGS}


class Version:
    """All processes of one version."""

    def __init__(self, path: str, settings: Mapping[str, str], output: Path) -> None:
        """Start the processes; `path` is where the version is unpacked, or THIS."""
        port = str(free_port())
        self.url = f"http://127.0.0.1:{port}"
        later = {"CONDOTTIERE_LIMITS": "off"} if path == THIS else {}
        self._env = {**inherited(), **later, "PYTHONPATH": path, "PORT": port, **settings}
        self._output = output
        processes = Path(path or ROOT) / "service" / "processes"
        names = [name for name in PROCESSES if name not in LATER_PROCESSES or (processes / f"{name}.py").exists()]
        self._processes = {name: self._start(name) for name in names}

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        with self._output.open("ab") as output:
            return subprocess.Popen(
                with_leash([sys.executable, "-P", "-m", "service", name]),
                env=self._env,
                cwd=self._output.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def is_up(self) -> bool:
        """Return whether all processes are running, and the web process reports that every part is up."""
        assert not any(process.poll() for process in self._processes.values()), self._output.read_text()
        try:
            return requests.get(f"{self.url}/v1/health", timeout=LONG).status_code == 200
        except requests.ConnectionError:
            return False

    def stop(self) -> None:
        """Stop the processes as an operator would; each must end cleanly."""
        for process in self._processes.values():
            process.terminate()
        ended = {name: process.wait(timeout=LONG) for name, process in self._processes.items()}
        assert ended == dict.fromkeys(self._processes, 0), self._output.read_text()

    def clean_up(self) -> None:
        """Kill everything that is still running."""
        for process in self._processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()


@contextmanager
def running(paths: Sequence[str], settings: Mapping[str, str], output: Path) -> Iterator[list[Version]]:
    """Run several versions within the block, once all of them are up."""
    with ExitStack() as started:
        versions = []
        for path in paths:
            versions.append(Version(path, settings, output))
            started.callback(versions[-1].clean_up)
        until(lambda: all(version.is_up() for version in versions), LONG)
        yield versions
        for version in versions:
            version.stop()


class Traveller(Person):
    """A person whose requests go to the web processes in rotation, as behind a load balancer."""

    def __init__(self, urls: Sequence[str], name: str) -> None:
        """Register at the first web process."""
        self.lead_to(urls)
        super().__init__(urls[0], name)

    def lead_to(self, urls: Sequence[str]) -> None:
        """Use these web processes in rotation from now on."""
        self.urls = urls
        self._next = cycle(urls)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> requests.Response:
        """Send a request to the next web process."""
        self._url = next(self._next)
        return super().ask(method, path, body, **headers)

    def everywhere(self, path: str) -> list[Json]:
        """Return the responses of all web processes."""
        return [self.get(path) for _ in self.urls]


def play(people: Sequence[Traveller], game_id: str, chance: Random, most: int, *, orders: bool = False) -> bool:
    """Make at most `most` random moves in a game, and return whether it is over.

    With `orders`, everybody's standing orders answer the question after a battle.
    """
    made = 0
    while made < most:
        views = [person.get(f"/games/{game_id}") for person in people]
        if any(view["status"] == "finished" for view in views):
            return True
        mover = next((number for number, view in enumerate(views) if _must_choose(view, orders)), None)
        if mover is None:
            seen = min(view["version"] for view in views)
            people[0].get(f"/games/{game_id}/events?after={seen}&wait=25")
        else:
            move, key = chance.choice(views[mover]["moves"]), f"{chance.getrandbits(64):x}"
            answer = people[mover].move(views[mover], move, key)
            assert answer.status_code == 201, answer.text
            made += 1
    return False


def _must_choose(view: Json, orders: bool) -> bool:
    return bool(view["moves"]) and not (orders and any(move["type"] == "keep-hand" for move in view["moves"]))
