"""Connections to the servers: they are reused, never out of step, and reopened when they break."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import pytest

from service.store import Store
from service.store.connection import Server
from service.store.errors import DamagedData
from service.store.transport import connect

from ..servers import Valkey, counted
from .test_log import in_threads

KEY = "{s00}:a"


@pytest.fixture
def own() -> Iterator[Valkey]:
    """A server that this test may stop."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        server = Valkey(Path(folder))
        yield server
        server.stop()


def test_answers_come_in_the_order_in_which_was_asked(store: Store) -> None:
    asked = [("SET", KEY, 1), ("GET", KEY), ("INCRBY", KEY, 2), ("GET", KEY)]
    _, *answers = store._server.ask_all(asked)
    assert answers == [b"1", 3, b"3"]


def test_after_a_refusal_the_line_is_not_out_of_step(store: Store) -> None:
    with pytest.raises(DamagedData, match="WRONGTYPE"):
        store._server.ask_all([("SET", KEY, 1), ("LPUSH", KEY, 2), ("INCR", KEY)])
    assert store._server.ask("GET", KEY) == b"2"


def test_a_line_that_is_free_is_used_again(own: Valkey) -> None:
    lines = connect(own.url, cluster=False)
    for _ in range(10):
        lines.ask([("PING",)])
    with own.client() as client:
        # The client that sends this command, and the store's connection.
        assert client.info("clients")["connected_clients"] == 2
    lines.close()


def test_after_a_restart_of_the_server_all_lines_are_mended_at_the_first_failure(own: Valkey) -> None:
    server = Server(own.url)
    together = Barrier(8)

    def ask(_: str) -> None:
        together.wait(timeout=30)
        server.ask("BLPOP", "nothing", 0.2)

    in_threads(ask, *map(str, range(8)))
    own.kill()
    own.start()
    with counted() as sent:
        assert server.ask("PING") in (b"PONG", True)
    assert len(sent) == 2
    in_threads(lambda _: server.ask("PING"), *map(str, range(8)))
    server.close()
