"""What a registration, a small write and the counts store on the servers, compared with docs/limits.md."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

from service import create_app
from service.config import Config
from service.limits.counting import PREFIX, Counts
from service.limits.table import ADDRESS, CALLER, limits

from ...test_limits_guide import FLOWING, in_bytes, rows
from ..servers import Valkey


def test_a_registration_and_a_small_write_take_no_more_than_the_guide_says(log_server: Valkey) -> None:
    """The size is the MEMORY USAGE of everything that is stored."""
    app = create_app(Config(redis_url=log_server.url, queue_url=log_server.url))
    client, asked = app.test_client(), 50

    def stored() -> int:
        with log_server.client() as server:
            return sum(server.memory_usage(key, samples=0) or 0 for key in server.scan_iter("condottiere:{s*"))

    def register(number: int) -> str:
        headers = {"Idempotency-Key": f"a-key-of-many-characters-{number}"}
        answer = client.post("/v1/players", json={"name": f"a-player-with-a-{number:04}"}, headers=headers)
        assert answer.status_code == 201
        token: str = answer.get_json()["token"]
        return token

    def ask(token: str, path: str, body: object = None) -> str:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"{path.replace('/', '-')}-{stored()}"}
        answer = client.post(f"/v1/games{path}", json=body, headers=headers)
        assert answer.status_code in (200, 201)
        game: str = answer.get_json()["id"]
        return game

    each = [in_bytes(row[1]) for row in rows("What strangers can make the server store")]
    tokens = [register(number) for number in range(2)]
    before = stored()
    for number in range(2, 2 + asked):
        register(number)
    assert (stored() - before) / asked <= each[0]
    game = ask(tokens[0], "", {"edition": "zman-2018", "seats": 3})
    ask(tokens[1], f"/{game}/join")
    before = stored()
    for number in range(asked):
        ask(tokens[1], f"/{game}/{('leave', 'join')[number % 2]}")
    assert (stored() - before) / asked <= each[2]
    app.extensions["condottiere"].store.close()


def test_the_counts_of_an_address_take_no_more_than_the_guide_says(
    log_server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address has used up every limit."""
    monkeypatch.setattr("service.limits.counting.PATIENCE", 30.0)
    most = re.search(r"take at most (\d+ kB)", FLOWING)
    assert most is not None
    with closing(Counts(log_server.url)) as counts:
        for limit in limits(Config(redis_url="", queue_url="")).values():
            if limit.counts in (ADDRESS, CALLER):
                assert counts.count(limit, "2001:db8:aaaa:bbbb::/64", limit.amount)
    with log_server.client() as server:
        stored = sum(server.memory_usage(key, samples=0) or 0 for key in server.scan_iter(f"{PREFIX}*"))
    assert 0.8 * in_bytes(most[1]) < stored <= in_bytes(most[1])
