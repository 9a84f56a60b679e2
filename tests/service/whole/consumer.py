"""A third-party program that receives deliveries: it trusts signatures, and nothing else."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import orjson
from standardwebhooks import Webhook

from .product import LONG

Json = dict[str, Any]


class Consumer:
    """A server on the loopback interface; each of its paths is an endpoint that stores each delivery once."""

    def __init__(self, secret: str) -> None:
        """Store the secret with which all deliveries are signed."""
        self.secret = secret
        self.told: dict[str, dict[str, Json]] = {}
        self.repeated = 0
        self._news = threading.Condition()
        consumer, verifier = self, Webhook(secret)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                event = verifier.verify(body, dict(self.headers.items()))
                consumer._take(self.path, self.headers["webhook-id"], event)
                answer = orjson.dumps({"challenge": event["data"].get("challenge")})
                self.send_response(200)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def events(self, path: str) -> list[Json]:
        """Return the events that a path has received, except pings, in order of arrival."""
        return [event for event in self.told.get(path, {}).values() if event["type"] != "ping"]

    def wait(self, path: str, more: int) -> bool:
        """Wait for `more` new events at a path, or for the end of the game. Return whether the game has ended."""
        with self._news:
            wanted = len(self.events(path)) + more
            assert self._news.wait_for(lambda: len(self.events(path)) >= wanted or self._ended(path), LONG)
            return self._ended(path)

    def _ended(self, path: str) -> bool:
        return any(event["type"] == "game.ended" for event in self.events(path))

    def _take(self, path: str, message: str, event: Json) -> None:
        with self._news:
            seen = self.told.setdefault(path, {})
            self.repeated += message in seen
            seen.setdefault(message, event)
            self._news.notify_all()

    def __enter__(self) -> Self:
        """Start to listen."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
