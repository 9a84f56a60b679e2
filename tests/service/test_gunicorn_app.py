"""The web process: who does not read an answer, or is gone, does not hold a thread for ever."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path

import pytest
import requests

from service import create_app, gunicorn_app
from service.config import Config
from service.games import Games
from service.leash import leashed
from service.moves import play_bot_turn

from .api.conftest import Person
from .servers import Valkey, free_port, until

IMPATIENT = """
from service import cli, feeds, gunicorn_app
feeds.HEARTBEAT = 0.1
gunicorn_app.SEND_SECONDS = 1
cli.main()
"""
TURNS = 300
"""Of a game whose events are more than a connection holds that nobody reads from."""


@pytest.fixture
def events(log_server: Valkey) -> Iterator[str]:
    """The path of the events of a long game that goes on, but in which nobody moves."""
    app = create_app(Config(redis_url=log_server.url, queue_url=log_server.url))
    games: Games = app.extensions["condottiere"]
    bots = [{"seat": seat, "bot": "random"} for seat in range(6)]
    game = Person(app.test_client(), "Anna").open_game(seats=6, bots=bots, seed="1d" * 32)["id"]
    for _ in range(TURNS):
        assert play_bot_turn(games, game)
    yield f"/v1/games/{game}/events"
    games.store.close()
    games.hints.close()


@contextmanager
def impatient(log_server: Valkey, output: Path) -> Iterator[int]:
    """Run a web process with one place for streams that does not wait long for readers; yield its port."""
    port = free_port()
    env = {**os.environ, "REDIS_URL": log_server.url, "PORT": str(port), "MAX_WAITS": "1", "WEB_THREADS": "16"}
    with output.open("wb") as said:
        command = leashed([sys.executable, "-c", IMPATIENT, "web"])
        process = subprocess.Popen(command, env=env, stdout=said, stderr=subprocess.STDOUT)
    try:
        until(lambda: _answers(port))
        yield port
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def reads_nothing(port: int, path: str) -> socket.socket:
    """Ask for a stream, and take no more than the beginning of the answer."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n".encode())
    assert reader.recv(15) == b"HTTP/1.1 200 OK"
    return reader


def is_free(port: int, path: str) -> bool:
    """Tell whether there is a place for one more stream."""
    asked = {"Accept": "text/event-stream"}
    with requests.get(f"http://127.0.0.1:{port}{path}", headers=asked, stream=True, timeout=30) as answer:
        assert answer.status_code in (200, 503)
        return answer.ok


def test_who_reads_nothing_is_hung_up_on(log_server: Valkey, events: str, tmp_path: Path) -> None:
    with impatient(log_server, tmp_path / "output") as port, reads_nothing(port, events):
        assert not is_free(port, events)
        until(lambda: is_free(port, events))
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_who_is_gone_is_found_by_the_heartbeat(log_server: Valkey, events: str, tmp_path: Path) -> None:
    with impatient(log_server, tmp_path / "output") as port:
        reads_nothing(port, events).close()
        until(lambda: is_free(port, events))
    assert "Traceback" not in (tmp_path / "output").read_text()


UNREAD = [
    (b"GET /" + 5_000 * b"a" + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "address-too-long"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: " + 9_000 * b"a" + b"\r\n\r\n", 431, "headers-too-large"),
    (b"good morning\r\n\r\n", 400, "unreadable-request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n", 400, "unreadable-request"),
    (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: magic\r\n\r\n", 400, "unreadable-request"),
]


def test_what_is_no_request_is_refused_with_a_problem(log_server: Valkey, tmp_path: Path) -> None:
    """As everything is: who reads answers need not know who has written them."""
    with impatient(log_server, tmp_path / "output") as port:
        for sent, status, code in UNREAD:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
                client.sendall(sent)
                answer = HTTPResponse(client)
                answer.begin()
                problem = json.load(answer)
            assert (answer.status, problem["status"], problem["code"]) == (status, status, code)
            assert answer.headers["Content-Type"] == "application/problem+json"
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_there_may_be_a_file_for_every_connection() -> None:
    """Many systems begin with 1,024; the system's own bound is kept."""
    config = Config(redis_url="", queue_url="")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        gunicorn_app._allow_files(config)
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert allowed == hard or allowed > config.max_waits + gunicorn_app.IDLE_CONNECTIONS
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
