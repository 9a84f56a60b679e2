"""The yardstick for moves: bare Flask routes that make the service's reads and writes, but no decisions.

To make a move, a route reads the player, reads the whole log and the seed, and appends a commit of the real size with
the service's script: three round trips. To show a game, a route only reads. The routes neither decode the log nor check
anything, and always send the same response for a game. They run under plain gunicorn with threads.

Each route has two variants, which use different clients for the log server: redis-py with its connection pool, which is
what most applications use, or hiredis with one socket per thread, which is the fastest way in Python.

`python -m benchmarks.bare FILE` runs the app. For each game, FILE contains the response and the arguments of each
append.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import hiredis
import orjson
import redis
from flask import Flask, Response, request
from gunicorn.app.base import BaseApplication

from service.store import keys
from service.store.log import APPEND

REDIS_PY, HIREDIS = "redis-py", "hiredis"
THREADS = 32
KEEP_ALIVE = 75
"""Seconds."""
READ_BYTES = 256 * 1024

Command = tuple[Any, ...]
Asker = Callable[[Sequence[Command]], list[Any]]
"""Sends commands to the log server in one batch, and returns their replies."""


class BareApplication(BaseApplication):  # type: ignore[misc]
    """The bare app as a gunicorn application."""

    def __init__(self, url: str, bind: str, games: Mapping[str, Any]) -> None:
        """`url` is the log server's, `bind` the address to listen on. `games` has each game's response and appends."""
        self._url = url
        self._bind = bind
        self._games = games
        super().__init__()

    def load_config(self) -> None:
        """Pass the app's settings to gunicorn."""
        settings = {
            "bind": self._bind,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": KEEP_ALIVE,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the WSGI app. gunicorn calls this method after it has forked the worker."""
        return make_bare(self._url, self._games)


def make_bare(url: str, games: Mapping[str, Any]) -> Flask:
    """Return the app.

    Each game has an `answer`, and `appends`: the KEYS and ARGV of each append, by the length of the log.
    """
    app = Flask("bare", static_folder=None)
    askers = {REDIS_PY: _through_redis_py(url), HIREDIS: _through_hiredis(url)}
    answers = {game_id: game["answer"].encode() for game_id, game in games.items()}
    askers[REDIS_PY]([("SCRIPT", "LOAD", APPEND.text)])

    @app.get("/<way>/v1/games/<game_id>")
    def show_game(way: str, game_id: str) -> Response:
        length = _read(askers[way], game_id)
        return Response(answers[game_id], 200, {"ETag": f'"{length}"'}, mimetype="application/json")

    @app.post("/<way>/v1/games/<game_id>/moves")
    def make_move(way: str, game_id: str) -> Response:
        request.get_json()
        length = _read(askers[way], game_id)
        written, args = games[game_id]["appends"][str(length)]
        (appended,) = askers[way]([("EVALSHA", APPEND.sha, len(written), *written, *args)])
        if not appended:
            raise RuntimeError(f"the log of game {game_id} does not have {length} commits")
        return Response(answers[game_id], 201, {"ETag": f'"{length + 1}"'}, mimetype="application/json")

    return app


def _read(ask: Asker, game_id: str) -> int:
    """Read the player, then the game, and return the length of the game's log."""
    token = request.headers["Authorization"].removeprefix("Bearer ")
    ask([("HMGET", keys.of_player(token.partition(".")[0]), "name", "registered", "token")])
    log, _ = ask([("LRANGE", keys.of_game(game_id, "log"), 0, -1), ("GET", keys.of_game(game_id, "seed"))])
    return len(log)


def _through_redis_py(url: str) -> Asker:
    client: Any = redis.Redis.from_url(url, protocol=2)

    def ask(commands: Sequence[Command]) -> list[Any]:
        if len(commands) == 1:
            return [client.execute_command(*commands[0])]
        with client.pipeline(transaction=False) as pipe:
            for command in commands:
                pipe.execute_command(*command)
            answers: list[Any] = pipe.execute()
            return answers

    return ask


def _through_hiredis(url: str) -> Asker:
    address = urlsplit(url)
    if address.scheme != "unix":
        raise ValueError("the log server is not on a Unix socket")
    local = threading.local()

    def ask(commands: Sequence[Command]) -> list[Any]:
        if not hasattr(local, "socket"):
            local.socket, local.reader = socket.socket(socket.AF_UNIX), hiredis.Reader()
            local.socket.connect(unquote(address.path))
        local.socket.sendall(b"".join(hiredis.pack_command(command) for command in commands))
        return [_answer(local.socket, local.reader) for _ in commands]

    return ask


def _answer(connection: socket.socket, reader: hiredis.Reader) -> Any:
    while (answer := reader.gets()) is False:
        read = connection.recv(READ_BYTES)
        if not read:
            raise ConnectionResetError("the log server closed the connection")
        reader.feed(read)
    if isinstance(answer, hiredis.ReplyError):
        raise answer
    return answer


if __name__ == "__main__":
    listens = f"{os.environ['HOST']}:{os.environ['PORT']}"
    BareApplication(os.environ["REDIS_URL"], listens, orjson.loads(Path(sys.argv[1]).read_bytes())).run()
