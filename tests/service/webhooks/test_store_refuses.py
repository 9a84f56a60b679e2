"""The store refuses writes, or contains damaged data, while deliveries are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import redis

from service.games.repository import Games
from service.processes import deliver
from service.store.keys import of_shard, shard_of_player
from service.webhooks.signing import new_secret

from ..api.conftest import Json, Person
from ..servers import Valkey
from .subscriber import Subscriber, answered, delivering, eventually, listening, run, taken
from .test_deliver import deliveries, subscribed


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let failed steps be repeated immediately."""
    monkeypatch.setattr(deliver, "BEAT", 0.02)
    monkeypatch.setattr(deliver, "LONGEST_PAUSE", 0.05)


def refused(server: redis.Redis) -> int:
    """Return how many writes a server has refused for lack of memory."""
    errors: dict[str, Any] = server.info("errorstats")
    return int(errors["errorstat_OOM"]["count"]) if "errorstat_OOM" in errors else 0


@pytest.mark.parametrize("answer", ["taken", "a move"])
def test_what_was_sent_is_not_sent_again_because_it_cannot_be_written_down(
    log_server: Valkey, anna: Person, against_bots: Json, answer: str
) -> None:
    """When the store accepts writes again, the try is recorded, and the move in the response is made."""
    with log_server.client() as server:
        server.config_resetstat()

        def run_out(event: Json) -> Any:
            if event["type"] != "turn.started":
                return taken(event)
            if event["data"]["version"] > against_bots["version"]:
                return answered()
            server.config_set("maxmemory", "1")
            return answered({"move": 0} if answer == "a move" else None)

        endpoint = Subscriber(new_secret(), run_out)

        async def play() -> None:
            async with listening(endpoint), delivering(log_server.url):
                webhook = await subscribed(anna, endpoint, events=["turn.started"])
                await endpoint.until(lambda: bool(endpoint.told("turn.started")))
                await eventually(lambda: refused(server) >= 20)
                server.config_set("maxmemory", "0")
                await eventually(lambda: deliveries(anna, webhook)[0]["status"] == "delivered")

        try:
            run(play())
        finally:
            server.config_set("maxmemory", "0")
    versions = [told["version"] for told in endpoint.told("turn.started")]
    assert versions.count(against_bots["version"]) == 1
    moved = anna.get(f"/games/{against_bots['id']}")["version"] - against_bots["version"]
    assert moved == (1 if answer == "a move" else 0)


def test_a_shard_that_cannot_be_read_keeps_no_other_from_being_told(
    log_server: Valkey, anna: Person, person: Callable[..., Person]
) -> None:
    bianca = next(one for one in (person(f"Bianca{n}") for n in range(99)) if _shard(one) != _shard(anna))
    hers = Subscriber(new_secret())

    async def play() -> None:
        async with listening(hers), delivering(log_server.url):
            await subscribed(bianca, hers)
            with log_server.client() as server:
                for index in ("lanes", "outbox"):
                    key = of_shard(_shard(anna), index)
                    server.delete(key)
                    server.set(key, "x")
            await asyncio.to_thread(_open_game_in_a_sound_shard, bianca)
            await hers.until(lambda: bool(hers.told("game.started")))

    run(play())


def _open_game_in_a_sound_shard(one: Person) -> None:
    bots = [{"seat": seat, "bot": "random"} for seat in (1, 2)]
    asked = {"edition": "zman-2018", "seats": 3, "bots": bots}
    while (answer := one.ask("POST", "/games", json=asked)).status_code != 201:
        assert answer.get_json(force=True)["code"] == "corrupt-data"


def _shard(one: Person) -> int:
    return shard_of_player(one.id)


def test_a_deliverer_that_finishes_no_round_does_not_report_that_it_is_at_work(
    log_server: Valkey, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliver, "HEALTHY", 1)

    async def play() -> None:
        async with delivering(log_server.url):
            await eventually(lambda: _at_work(games))
            monkeypatch.setattr(deliver.planning, "plan", lambda *_: 1 / 0)
            await eventually(lambda: not _at_work(games))
            monkeypatch.undo()
            await eventually(lambda: _at_work(games))

    run(play())


def _at_work(games: Games) -> bool:
    beats = games.hints.beats()
    return beats is not None and beats["deliver"] is not None
