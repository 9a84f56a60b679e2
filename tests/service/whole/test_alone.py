"""Each process is started separately, as by a host who also runs the log server and the queue server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import requests

from service.processes.serve import PROCESSES

from ..commands import Command
from ..servers import DURABLE, Valkey, free_port, until
from .product import LONG, UNSET, Person, children, running, was_undisturbed

pytestmark = pytest.mark.slow


@contextmanager
def server(folder: Path, name: str, *options: str) -> Iterator[Valkey]:
    """Run a server that is not part of the service."""
    (folder / name).mkdir()
    own = Valkey(folder / name, *options)
    try:
        yield own
    finally:
        own.stop()


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_alone_does_not_start_without_a_log_server(name: str) -> None:
    """The error says what to do."""
    argv = [sys.executable, "-m", "service", name]
    ended = subprocess.run(argv, env={**os.environ, **UNSET}, capture_output=True, text=True, timeout=LONG, check=False)
    said = "Error: REDIS_URL is not set: run `condottiere serve`, which starts its own server, or set REDIS_URL\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", said)


def test_the_processes_run_on_servers_that_are_given(folder: Path) -> None:
    """Each process is started alone, and ends when it is stopped."""
    port = str(free_port())
    with server(folder, "a", *DURABLE) as log, server(folder, "b") as queue, ExitStack() as stack:
        env = {**UNSET, "REDIS_URL": log.url, "QUEUE_URL": queue.url, "PORT": port}
        commands = [stack.enter_context(Command(["-m", "service", name], env)) for name in PROCESSES]
        url = f"http://127.0.0.1:{port}"
        until(lambda: _is_up(url))
        with Person(url, "Caterina") as person:
            was_undisturbed(person, log.url, person.open_game(3)["id"])
        for name, command in zip(PROCESSES, commands, strict=True):
            status, said = command.end()
            assert status == 0, f"{name}: {said}"


@pytest.mark.parametrize(("given", "embedded"), [(("REDIS_URL",), []), (("QUEUE_URL",), ["log"])])
def test_only_what_is_missing_is_embedded(folder: Path, given: tuple[str, ...], embedded: list[str]) -> None:
    """The given log server also serves as the queue, and is not trusted blindly."""
    data = folder / "d"
    data.mkdir()
    with server(folder, "own") as own:
        with running(data, **dict.fromkeys(given, own.url)) as service, Person(service.url, "Caterina") as person:
            assert sorted(path.name for path in data.iterdir() if path.is_dir()) == embedded
            assert len(children(service.pid)) == len(PROCESSES) + len(embedded)
            assert (data / "secret-key").exists() is bool(embedded), "a separate store outlives the data folder"
            until(lambda: bool(embedded) or "CONDOTTIERE_SECRET_KEYS is not set" in service.said())
            kept = "Games are stored in" if embedded else "Games are stored on your own log server"
            until(lambda: kept in service.said())
            until(lambda: bool(embedded) or "appendonly is off, so a restart of the server" in service.said())
            log_url = service.log_url if embedded else own.url
            was_undisturbed(person, log_url, person.open_game(3)["id"])
        assert own.client().dbsize() > 0


def _is_up(url: str) -> bool:
    try:
        return requests.get(f"{url}/v1/health", timeout=LONG).ok
    except requests.ConnectionError:
        return False
