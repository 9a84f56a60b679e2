"""The Python client plays and follows a game to its end while the web is killed: nothing is lost or done twice."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from condottiere_client import AsyncClient, Client

from .product import LONG, running
from .test_killed_web import kill_the_web
from .test_killed_worker import SERVE_AGAIN_SOON

pytestmark = pytest.mark.slow

KILLED_AFTER = (3, 6)
"""The numbers of the player's moves after which the web is killed."""


async def follow(url: str, game_id: str) -> list[Any]:
    """Return the commits that a spectator's stream yields."""
    async with AsyncClient(url) as client:
        return [commit async for commit in client.events(game_id)]


def test_a_bot_and_a_stream_outlive_the_web(folder: Path, chance: Random) -> None:
    with (
        running(folder, SERVE_AGAIN_SOON, WEB_WORKERS="1") as service,
        Client.register(service.url, "Caterina") as client,
        ThreadPoolExecutor(1) as threads,
    ):
        game_id = client.open_game(
            edition="zman-2018", seats=3, bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
        )["id"]
        followed = threads.submit(asyncio.run, follow(service.url, game_id))
        played = 0
        for turn in client.turns(game_id):
            assert turn.play(chance.choice(turn.view["moves"])) is not None
            played += 1
            if played in KILLED_AFTER:
                kill_the_web(service)
        first = next(client.my_events(""))
        assert (first["game"], first["seq"]) == (game_id, 1)
        assert next(client.my_events(first["id"]))["seq"] == 2
        commits = followed.result(LONG)
        assert [commit["seq"] for commit in commits] == [*range(1, client.game(game_id)["version"] + 1)]
        assert client.account is not None
        assert [commit["by"] for commit in commits[1:]].count(client.account["id"]) == played > max(KILLED_AFTER)
