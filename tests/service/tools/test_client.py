"""The HTTP client of the tools: it gives up on servers that are slow or send too much."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest

from service.tools import client as client_module
from service.tools.client import Client, ClientError, NoServer, OtherServer
from service.tools.interrupts import Interrupt

OK = b"HTTP/1.1 200 OK\r\n"
GOOD = OK + b"Content-Length: 2\r\n\r\n{}"
BYTE_SECONDS = 0.02
"""The time between two bytes of a slow server, which is shorter than any timeout."""
SECONDS = 0.5
"""The deadline in these tests."""


@contextmanager
def server(*answers: tuple[bytes, bytes]) -> Iterator[tuple[str, Event, Event]]:
    """Respond to each connection with the next bytes, and then send one byte after another for as long as it is open.

    Yield the URL, an event that is set when a client waits for the slow bytes, and an event that is set when it has
    closed the connection.
    """
    waiting, closed = Event(), Event()

    def serve(listener: socket.socket) -> None:
        for whole, slow in answers:
            with suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(whole)
                    drip(connection, slow)

    def drip(connection: socket.socket, slow: bytes) -> None:
        if slow:
            waiting.set()
        connection.settimeout(BYTE_SECONDS)
        while slow:
            with suppress(TimeoutError):
                if not connection.recv(1):
                    closed.set()
                    return
            try:
                connection.sendall(slow)
            except ConnectionError:
                closed.set()
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=serve, args=(listener,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", waiting, closed
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize(
    ("whole", "slow"),
    [
        (b"HTTP/1.1 200", b" "),
        (OK + b"X-Slow: ", b"a"),
        (OK, b"X: 1\r\n"),
        (OK + b"Content-Length: 1000000\r\n\r\n", b" "),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n99999\r\n", b" "),
        (b"HTTP/1.0 200 OK\r\n\r\n", b" "),
        (b"HTTP/1.0 200 OK\r\n\r\n{}", b" "),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\n", b" "),
    ],
    ids=[
        "a status",
        "a header",
        "headers",
        "a body",
        "chunks",
        "a chunk",
        "no length",
        "JSON without end",
        "a problem",
    ],
)
@pytest.mark.parametrize("ask", [lambda client: client.look("1"), lambda client: client.move("1", 1, {})])
def test_a_request_has_a_deadline_however_often_a_byte_comes(
    monkeypatch: pytest.MonkeyPatch, whole: bytes, slow: bytes, ask: Callable[[Client], object]
) -> None:
    monkeypatch.setattr(client_module, "DEADLINE", SECONDS)
    with server((whole, slow)) as (url, _, closed):
        begun = time.monotonic()
        # Too many headers are refused before the deadline.
        with pytest.raises(NoServer, match=r"did not respond within \d seconds$|^no server responds"):
            ask(Client(url))
        assert time.monotonic() - begun < 10 * SECONDS
        assert closed.wait(10)


def test_the_next_request_after_a_deadline_has_another_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "DEADLINE", SECONDS)
    with server((OK, b"a"), (GOOD, b"")) as (url, *_):
        client = Client(url)
        with pytest.raises(NoServer):
            client.look("1")
        assert client.look("1") == {}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (b"", b" " * 2_000),
        (b"Content-Length: 2000\r\n", b" " * 2_000),
        (b"Transfer-Encoding: chunked\r\n", b"800\r\n" + b" " * 0x800 + b"\r\n0\r\n\r\n"),
        (b"Content-Encoding: gzip\r\nContent-Length: 30\r\n", gzip.compress(b" " * 2_000)),
    ],
    ids=["no length", "a length", "chunks", "compressed"],
)
@pytest.mark.parametrize("status", [b"200 OK", b"500 No"])
def test_an_answer_has_a_largest_size(
    monkeypatch: pytest.MonkeyPatch, status: bytes, headers: bytes, body: bytes
) -> None:
    monkeypatch.setattr(client_module, "LARGEST", 1_000)
    with (
        server((b"HTTP/1.1 %b\r\n%b\r\n%b" % (status, headers, body), b"")) as (url, *_),
        pytest.raises(OtherServer, match=r"its response has more than 1,000 bytes$"),
    ):
        Client(url).look("1")


def test_a_line_of_a_stream_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LARGEST", 1_000)
    answer = OK + b'Transfer-Encoding: chunked\r\n\r\nc\r\n{"seq": 1}\n\n\r\n' + b"400\r\n" + b"x" * 0x400 + b"\r\n"
    with server((answer, b"")) as (url, *_):
        commits = Client(url).follow("1", 0)
        assert [next(commits), next(commits), next(commits)] == [None, {"seq": 1}, None]
        with pytest.raises(OtherServer, match=r"more than 1,000 bytes$"):
            next(commits)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"[]", b"\xff{}", b"", b"{} {}"])
def test_an_answer_must_be_a_json_object(body: bytes) -> None:
    with (
        server((OK + b"Content-Length: %d\r\n\r\n%b" % (len(body), body), b"")) as (url, *_),
        pytest.raises(OtherServer, match=r"its response is not a JSON object$"),
    ):
        Client(url).look("1")


def test_an_interrupt_ends_the_request_of_another_thread() -> None:
    """It also ends the thread's later requests."""
    interrupt, failed = Interrupt(), list[ClientError]()
    with server((OK, b"X")) as (url, waiting, closed):

        def ask() -> None:
            with interrupt:
                for _ in range(2):
                    try:
                        Client(url).look("1")
                    except ClientError as error:
                        failed.append(error)

        thread = Thread(target=ask)
        thread.start()
        assert waiting.wait(10)
        interrupt.fire()
        thread.join(10)
        assert not thread.is_alive()
        assert closed.wait(10)
    assert len(failed) == 2
