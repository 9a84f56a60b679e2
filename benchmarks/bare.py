"""The yardstick of moves: a bare Flask route that asks the server as often as a move does, and decides nothing.

It reads the player, reads the whole log and the seed, and appends a commit of the same bytes as the move's with the
same script; the three round trips differ in nothing but the key. It neither decodes the log nor checks anything, and
answers the same bytes each time. It is served by gunicorn with threads, as it comes: a yardstick that does not move.

`python -m benchmarks.bare FILE` runs it; the file holds the answer, and what each append of each game is sent.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import redis
from flask import Flask, Response, request
from gunicorn.app.base import BaseApplication

from service.config import Config
from service.store import keys
from service.store.log import APPEND

THREADS = 64


class BareApplication(BaseApplication):  # type: ignore[misc]
    """The bare app, as gunicorn wants it."""

    def __init__(self, config: Config, told: Mapping[str, Any]) -> None:
        """Take the configuration, and what to answer and to append."""
        self._config = config
        self._told = told
        super().__init__(prog="bare")

    def load_config(self) -> None:
        """Tell gunicorn its settings."""
        bind = f"{self._config.host}:{self._config.port}"
        settings = {"bind": bind, "worker_class": "gthread", "threads": THREADS, "control_socket_disable": True}
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the WSGI app; called after the fork."""
        return make_bare(self._config.redis_url, self._told)


def make_bare(url: str, told: Mapping[str, Any]) -> Flask:
    """Return the app; told are the `answer`, and for each game the KEYS and ARGV of its `appends`."""
    app = Flask("bare", static_folder=None)
    answer = told["answer"].encode()
    server = redis.Redis.from_url(url, protocol=2)
    server.script_load(APPEND.text)

    @app.post("/v1/games/<game_id>/moves")
    def make_move(game_id: str) -> Response:
        token = request.headers["Authorization"].removeprefix("Bearer ")
        server.hmget(keys.of_player(token.partition(".")[0]), "name", "registered", "token")
        request.get_json()
        length = len(_read(server, game_id))
        written, args = told["appends"][game_id][length]
        if not server.evalsha(APPEND.sha, len(written), *written, *args):
            raise RuntimeError(f"game {game_id} has not {length} commits")
        return Response(answer, 201, {"ETag": f'"{length + 1}"'}, mimetype="application/json")

    return app


def _read(server: redis.Redis, game_id: str) -> list[bytes]:
    with server.pipeline(transaction=False) as pipe:
        pipe.lrange(keys.of_game(game_id, "log"), 0, -1)
        pipe.get(keys.of_game(game_id, "seed"))
        rows: list[bytes] = pipe.execute()[0]
    return rows


if __name__ == "__main__":
    BareApplication(Config.from_env(), orjson.loads(Path(sys.argv[1]).read_bytes())).run()
