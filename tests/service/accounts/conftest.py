"""The app and people of the API's tests, and servers with secret keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.store import Store

from ..api.conftest import Person, anna, app, bruno, games, made, person, spectator, time
from ..servers import Valkey

__all__ = ["anna", "app", "bruno", "games", "made", "person", "spectator", "time"]

OLD, NEW = b"\x01" * 32, b"\x02" * 32


@pytest.fixture
def with_keys(app: Flask, log_server: Valkey, games: Games) -> Iterator[Callable[..., Games]]:
    """A function that starts the service again with other secret keys."""
    opened: list[Games] = []

    def start(*keys: bytes) -> Games:
        config = Config(redis_url=log_server.url, queue_url=log_server.url, secret_keys=keys)
        opened.append(Games(Store(config), Hints(config)))
        app.extensions["condottiere"] = opened[-1]
        return opened[-1]

    yield start
    app.extensions["condottiere"] = games
    for one in opened:
        one.store.close()
        one.hints.close()


def dumped(server: Valkey) -> dict[bytes, Any]:
    """Return everything that is stored, by key."""
    with server.client() as client:
        return {key: client.dump(key) for key in client.scan_iter("*")}


def text_of(person: Person) -> str:
    """Return a person's token."""
    return person.headers["Authorization"].removeprefix("Bearer ")
