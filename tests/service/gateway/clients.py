"""Clients that write HTTP by hand: they can stop halfway, send nonsense, or never hang up."""

from __future__ import annotations

import contextlib
import json
import secrets
import select
import socket
import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from email.message import Message
from http.client import parse_headers
from types import TracebackType
from typing import Any, NamedTuple, Self

SECONDS = 30
"""A test fails after this number of seconds without a byte."""
PROBLEM = "application/problem+json"
JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"


class Answer(NamedTuple):
    """A complete response, including interim ones such as 100."""

    status: int
    headers: Message
    body: bytes

    def problem(self) -> dict[str, Any]:
        """Return the problem. Fail unless the response is a problem that closes the connection."""
        assert self.headers["Content-Type"] == PROBLEM
        assert self.headers["Connection"] == "close"
        problem: dict[str, Any] = json.loads(self.body)
        assert problem["status"] == self.status
        assert problem["request"] == self.headers["X-Request-Id"]
        return problem


class Client:
    """A connection to a web process."""

    def __init__(self, port: int, *, receive_buffer: int = 0) -> None:
        """Connect; `receive_buffer` is in bytes, 0 for the system's default."""
        self._socket = socket.socket()
        self._socket.settimeout(SECONDS)
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.connect(("127.0.0.1", port))
        self._stream = self._socket.makefile("rb")

    def fileno(self) -> int:
        """Return the file descriptor, for `select`."""
        return self._socket.fileno()

    def send(self, sent: bytes) -> None:
        """Send bytes. Raises: OSError."""
        self._socket.sendall(sent)

    def finish_sending(self) -> None:
        """Close only the sending side."""
        self._socket.shutdown(socket.SHUT_WR)

    def head(self) -> tuple[int, Message]:
        """Return the status and headers of the next response without reading its body."""
        line = self._stream.readline()
        assert line.startswith(b"HTTP/1."), line
        return int(line.split()[1]), parse_headers(self._stream)

    def answer(self, *, to_head: bool = False) -> Answer:
        """Return the next response, which must be complete; set `to_head` if the request was a HEAD request."""
        status, headers = self.head()
        length = 0 if to_head or status in (100, 204) else int(headers["Content-Length"])
        body = self._stream.read(length)
        assert len(body) == length
        return Answer(status, headers, body)

    def line(self) -> bytes:
        """Return the next line."""
        return self._stream.readline()

    def rest(self) -> bytes:
        """Return everything that the server sends until it closes the connection."""
        return self._stream.read()

    def is_over(self) -> bool:
        """Wait for more data, and return whether the connection has ended instead."""
        return not self._stream.peek(1)

    def has_answer(self) -> bool:
        """Return whether data or the end of the connection have arrived; call this only before reading anything."""
        return bool(_readable([self], 0))

    def close(self, *, abruptly: bool = False) -> None:
        """Hang up; `abruptly` does so with a reset."""
        if abruptly:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._stream.close()
        self._socket.close()

    def __enter__(self) -> Self:
        """Use the connection within a block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Hang up."""
        self.close()


@contextmanager
def crowd(port: int, count: int, sent: bytes, *, receive_buffer: int = 0) -> Iterator[list[Client]]:
    """Keep a number of clients connected within the block, all of which have sent the same bytes."""
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(port, receive_buffer=receive_buffer)) for _ in range(count)]
        for client in clients:
            client.send(sent)
        yield clients


def request(line: str, *headers: str, body: bytes = b"") -> bytes:
    """Return the bytes of a request, such as `GET /v1/bots`, with the length of its body in the headers."""
    return "\r\n".join((f"{line} HTTP/1.1", "Host: x", *headers, "", "")).encode() + body


def registration() -> bytes:
    """Return the body of a request that registers a player under an unused name."""
    return json.dumps({"name": f"p-{secrets.token_hex(8)}"}).encode()


def chunk(data: bytes) -> bytes:
    """Return a chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


HALF_HEADS = {
    "half a request line": b"GET /v1/bo",
    "half a header": b"GET /v1/bots HTTP/1.1\r\nHost: x\r\nAccept: appl",
}
"""Requests that end within their request line or headers."""
HALF_BODIES = {
    "half a body": request("POST /v1/players", JSON, "Content-Length: 99", body=b'{"name":'),
    "no byte of a body": request("POST /v1/players", JSON, "Content-Length: 99"),
    "half a chunk": request("POST /v1/players", JSON, CHUNKED, body=b'40\r\n{"name":'),
    "no last chunk": request("POST /v1/players", JSON, CHUNKED, body=chunk(b'{"name": "Caterina"}')),
}
"""Requests that end before or within their body."""


def unchunked(received: bytes) -> bytes:
    """Return a chunked body without its framing; fail unless it ends with the last chunk and nothing follows."""
    body = b""
    while True:
        size, _, received = received.partition(b"\r\n")
        length = int(size, 16)
        assert received[length : length + 2] == b"\r\n"
        if not length:
            assert received == b"\r\n"
            return body
        body += received[:length]
        received = received[length + 2 :]


def drip(clients: Sequence[Client], byte: bytes, pause: float) -> None:
    """Send a byte over each connection after every pause (seconds), until the server responds or closes it."""
    waiting = set(clients)
    while waiting:
        waiting.difference_update(_readable(waiting, pause))
        for client in waiting:
            # The server may just have closed the connection.
            with contextlib.suppress(ConnectionError):
                client.send(byte)


def _readable(clients: Collection[Client], seconds: float) -> list[Client]:
    """Wait for at most `seconds`, and return the clients for which data or the end of the connection have arrived."""
    poll = select.poll()
    for client in clients:
        poll.register(client, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll(1000 * seconds)}
    return [client for client in clients if client.fileno() in ready]
