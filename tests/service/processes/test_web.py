"""The web process: a client that does not read its response, or is gone, does not occupy a thread forever."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
import requests

from service import create_app
from service.config import Config
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.processes import web
from service.processes.leash import with_leash

from ..api.conftest import Person
from ..servers import Valkey, free_port, until

pytestmark = pytest.mark.slow

IMPATIENT = """
from service import cli
from service.gateway import connection
from service.views import feeds
feeds.HEARTBEAT = 0.1
connection.SEND_SECONDS = 1
cli.main()
"""
TURNS = 300
"""The number of turns in a game whose events exceed the buffers of a connection."""


@pytest.fixture
def events(log_server: Valkey) -> Iterator[str]:
    """The path to the events of a long running game in which nobody moves any more."""
    app = create_app(Config(redis_url=log_server.url, queue_url=log_server.url))
    games: Games = app.extensions["condottiere"]
    bots = [{"seat": seat, "bot": "random"} for seat in range(6)]
    game = Person(app.test_client(), "Anna").open_game(seats=6, bots=bots, seed="af" * 32)["id"]
    for _ in range(TURNS):
        assert play_bot_turn(games, game)
    yield f"/v1/games/{game}/events"
    games.store.close()
    games.hints.close()


@contextmanager
def impatient(log_server: Valkey, output: Path, program: str = IMPATIENT) -> Iterator[int]:
    """Run a web process with one place for streams and little patience with slow readers; yield its port."""
    port = free_port()
    env = {**os.environ, "REDIS_URL": log_server.url, "PORT": str(port), "MAX_WAITS": "1", "WEB_WORKERS": "1"}
    with output.open("wb") as said:
        command = with_leash([sys.executable, "-c", program, "web"])
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
    """Request a stream, and read only the beginning of the response."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n".encode())
    assert reader.recv(15) == b"HTTP/1.1 200 OK"
    return reader


def is_free(port: int, path: str) -> bool:
    """Return whether there is a place for another stream."""
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


@pytest.mark.parametrize(
    ("accept", "heartbeat"), [("application/x-ndjson", b"\n"), ("text/event-stream", b":\n\n")], ids=["lines", "events"]
)
def test_heartbeats_are_chunks(log_server: Valkey, events: str, tmp_path: Path, accept: str, heartbeat: bytes) -> None:
    """Otherwise the client takes the first heartbeat for the size of a chunk, and loses the stream."""
    with impatient(log_server, tmp_path / "output") as port, closing(HTTPConnection("127.0.0.1", port, 30)) as client:
        client.request("GET", events)
        version = json.load(client.getresponse())["next"]
        client.request("GET", f"{events}/stream?after={version}", headers={"Accept": accept})
        answer = client.getresponse()
        assert (answer.status, answer.headers["Transfer-Encoding"]) == (200, "chunked")
        assert answer.read(3 * len(heartbeat)) == 3 * heartbeat
    assert "Traceback" not in (tmp_path / "output").read_text()


UNREAD = [
    (b"GET /" + 5_000 * b"a" + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "address-too-long"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: " + 9_000 * b"a" + b"\r\n\r\n", 431, "headers-too-large"),
    (b"good morning\r\n\r\n", 400, "unreadable-request"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n", 400, "unreadable-request"),
    (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: magic\r\n\r\n", 400, "unreadable-request"),
]


def test_what_is_no_request_is_refused_with_a_problem(log_server: Valkey, tmp_path: Path) -> None:
    """Clients get problems for all errors, whichever part of the service writes them."""
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


CHUNKED = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
BROKEN = {
    "not a number": b"zz\r\n{}\r\n0\r\n\r\n",
    "a Python prefix": b"0x2\r\n{}\r\n0\r\n\r\n",
    "a negative number": b"-1\r\n{}\r\n0\r\n\r\n",
    "a sign": b"+2\r\n{}\r\n0\r\n\r\n",
    "a space": b" 2\r\n{}\r\n0\r\n\r\n",
    "an underscore": b"0_2\r\n{}\r\n0\r\n\r\n",
    "no size": b"\r\n{}\r\n0\r\n\r\n",
    "an empty extension": b"2;\r\n{}\r\n0\r\n\r\n",
    "no CRLF after a chunk": b"2\r\n{}0\r\n\r\n",
    "LF for CRLF": b"2\n{}\n0\n\n\r\n",
    "a chunk longer than its size": b"1\r\n{}\r\n0\r\n\r\n",
    "a trailer with a host": b"2\r\n{}\r\n0\r\nHost: x\r\n\r\n",
    "a malformed trailer": b"2\r\n{}\r\n0\r\ngood morning\r\n\r\n",
    "a bad second chunk": b"1\r\n{\r\nzz\r\n}\r\n0\r\n\r\n",
}
NEXT = b"GET /v1/bots HTTP/1.1\r\nHost: next\r\n\r\n"


class Answer(NamedTuple):
    """One of the responses received over a connection."""

    status: int
    headers: Message
    body: bytes


class _Received(BytesIO):
    """All data received over a connection, from which http.client can parse one response after another."""

    def makefile(self, mode: str) -> _Received:
        assert mode == "rb"
        return self

    def close(self) -> None:
        """Stay open for the next response."""


def answers(port: int, sent: bytes) -> list[Answer]:
    """Send bytes, close the sending side, and return all responses that arrive before the server closes its side."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        with client.makefile("rb") as stream:
            received = _Received(stream.read())
    found = []
    while received.tell() < len(received.getbuffer()):
        answer = HTTPResponse(received)  # type: ignore[arg-type]
        answer.begin()
        found.append(Answer(answer.status, answer.headers, answer.read()))
    return found


def test_malformed_chunks_are_refused_and_nothing_after_them_is_read(log_server: Valkey, tmp_path: Path) -> None:
    """Otherwise a proxy could see a second request there, and pass its response to another client."""
    with impatient(log_server, tmp_path / "output") as port:
        for kind, chunks in BROKEN.items():
            sent = b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + CHUNKED + chunks + NEXT
            (answer,) = answers(port, sent)
            problem = json.loads(answer.body)
            assert (answer.status, problem["status"], problem["code"]) == (400, 400, "unreadable-request"), kind
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.headers["Connection"] == "close", kind
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_malformed_chunks_are_refused_whatever_is_asked(log_server: Valkey, tmp_path: Path) -> None:
    """They are refused even if the operation needs no body."""
    with impatient(log_server, tmp_path / "output") as port:
        for kind, chunks in BROKEN.items():
            for line in (b"GET /v1/bots", b"POST /nowhere"):
                sent = line + b" HTTP/1.1\r\nHost: x\r\n" + CHUNKED + chunks + NEXT
                assert [answer.status for answer in answers(port, sent)] == [400], kind
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_a_trailer_says_nothing_about_the_request(log_server: Valkey, tmp_path: Path) -> None:
    """A proxy may have treated it as part of the body."""
    chunks = b"2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n"
    with impatient(log_server, tmp_path / "output") as port:
        sent = b"POST /v1/me/token HTTP/1.1\r\nHost: x\r\n" + CHUNKED + chunks + NEXT
        refused, following = answers(port, sent)
        assert (json.loads(refused.body)["code"], following.status) == ("token-required", 200)


def test_valid_chunks_are_read_and_the_next_request_is_answered(log_server: Valkey, tmp_path: Path) -> None:
    """The chunks may have an extension and a trailer."""
    chunks = b'8;a="b"\r\n{"name":\r\n8\r\n "Anna"}\r\n0\r\nX-Sum: 7\r\n\r\n'
    with impatient(log_server, tmp_path / "output") as port:
        sent = b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + CHUNKED + chunks + NEXT
        assert [answer.status for answer in answers(port, sent)] == [201, 200]


TRUNCATED = {
    "in a chunk": CHUNKED + b'20\r\n{"name": "Anna"',
    "after a chunk": CHUNKED + b'10\r\n{"name": "Anna"}\r\n',
    "before the size of a chunk": CHUNKED,
    "in a trailer": CHUNKED + b'10\r\n{"name": "Anna"}\r\n0\r\nX-Sum: 7',
    "by its length": b'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name": "Anna"}',
}


def test_a_truncated_body_is_refused(log_server: Valkey, tmp_path: Path) -> None:
    """It is refused even if the received part would be a valid body."""
    with impatient(log_server, tmp_path / "output") as port:
        for kind, rest in TRUNCATED.items():
            (answer,) = answers(port, b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + rest)
            assert (answer.status, json.loads(answer.body)["code"]) == (400, "unreadable-request"), kind
    with log_server.client() as client:
        assert not list(client.scan_iter("*player:*"))
    assert "Traceback" not in (tmp_path / "output").read_text()


@pytest.mark.parametrize("abruptly", [False, True])
def test_a_client_that_hangs_up_in_the_middle_of_a_body_leaves_no_traceback(
    log_server: Valkey, tmp_path: Path, abruptly: bool
) -> None:
    with impatient(log_server, tmp_path / "output") as port:
        for rest in TRUNCATED.values():
            with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
                if abruptly:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.sendall(b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + rest)
        assert requests.get(f"http://127.0.0.1:{port}/v1/bots", timeout=30).ok
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_clients_that_leave_closed_connections_open_hold_up_nobody(log_server: Valkey, tmp_path: Path) -> None:
    """The thread that accepts connections must not wait for them."""
    with impatient(log_server, tmp_path / "output") as port, contextlib.ExitStack() as opened:
        for _ in range(20):
            client = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            client.sendall(b"GET /v1/bots HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert requests.get(f"http://127.0.0.1:{port}/v1/bots", timeout=20).ok


MIRROR = """
import json
from service import cli
from service.processes import web
make_app = web.make_app

def mirrored(config):
    app = make_app(config)
    def mirror(environ, start_response):
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps({name: value for name, value in environ.items() if isinstance(value, str)}).encode()]
    app.wsgi_app = mirror
    return app

web.make_app = mirrored
cli.main()
"""
"""A web process that responds with the WSGI environment of each request."""
FORGED = [
    b"SCRIPT_NAME: /evil",
    b"SCRIPT_NAME: /v1",
    b"Script-Name: /v1",
    b"PATH_INFO: /v1/me",
    b"Path-Info: /v1/me",
    b"REMOTE_USER: Anna",
    b"Remote-User: Anna",
    b"REMOTE_ADDR: 9.9.9.9",
    b"Remote-Addr: 9.9.9.9",
    b"HTTP_AUTHORIZATION: Bearer x",
    b"CONTENT_LENGTH: 7",
    b"X-Forwarded-For: 9.9.9.9",
    b"X-Forwarded-Host: evil.example",
    b"X-Forwarded-Port: 1",
    b"X-Forwarded-Prefix: /evil",
    b"X-Forwarded-Proto: https",
    b"X-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off",
    b"X-Forwarded-Protocol: ssl",
    b"Forwarded: for=9.9.9.9;host=evil.example;proto=https",
]


def test_headers_change_nothing_else_in_the_environment(log_server: Valkey, tmp_path: Path) -> None:
    """They have no effect even if they come from this machine, because a local proxy may forward any headers."""
    with impatient(log_server, tmp_path / "output", MIRROR) as port:

        def seen(header: bytes) -> dict[str, str]:
            lines = (b"GET /v1/bots HTTP/1.1", b"Host: x", b"X-Request-Id: 1", *([header] if header else []), b"", b"")
            (answer,) = answers(port, b"\r\n".join(lines))
            assert answer.status == 200, header
            environ: dict[str, str] = json.loads(answer.body)
            assert environ.pop("REMOTE_PORT")
            return environ

        plain = seen(b"")
        for header in FORGED:
            sent = {f"HTTP_{line.split(b':')[0].decode().upper().replace('-', '_')}" for line in header.split(b"\r\n")}
            forged = seen(header)
            assert {name: forged[name] for name in plain} == plain, header
            assert set(forged) - set(plain) <= sent, header
            assert b"_" not in header.split(b":")[0] or forged == plain, header


PROXIED = [
    b"PROXY TCP4 9.9.9.9 127.0.0.1 1 2\r\n",
    b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\x09\x09\x09\x09\x7f\x00\x00\x01\x00\x01\x00\x02",
]


@pytest.mark.parametrize("line", PROXIED, ids=["version 1", "version 2"])
def test_the_proxy_protocol_is_not_accepted(log_server: Valkey, tmp_path: Path, line: bytes) -> None:
    with impatient(log_server, tmp_path / "output", MIRROR) as port:
        assert [answer.status for answer in answers(port, line + NEXT)] == [400]


def test_there_may_be_a_file_for_every_connection() -> None:
    """Many systems begin with a limit of 1,024. The system's hard limit is kept."""
    config = Config(redis_url="", queue_url="")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        most = web._allow_files(config)
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert most == min(allowed, config.max_waits + web.OTHER_CONNECTIONS + web.OWN_FILES) - web.OWN_FILES
        assert allowed == hard or allowed > config.max_waits
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


FEW = """
from service import cli
from service.processes import web
web._allow_files = lambda config: 3
cli.main()
"""
"""A web process that accepts three connections at a time."""


def test_who_comes_when_all_connections_are_taken_is_refused(log_server: Valkey, tmp_path: Path) -> None:
    with impatient(log_server, tmp_path / "output", FEW) as port, contextlib.ExitStack() as opened:
        for _ in range(3):
            client = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            client.sendall(NEXT)
            assert client.recv(15) == b"HTTP/1.1 200 OK"
        (refused,) = answers(port, NEXT)
        assert (refused.status, json.loads(refused.body)["code"]) == (503, "too-many-connections")
        client.close()
        until(lambda: answers(port, NEXT)[0].status == 200)
