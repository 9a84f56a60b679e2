"""Logs and metrics of a game in which everything fails contain no token, no seed and no hand."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from pathlib import Path
from random import Random

import orjson
import pytest
import requests

from engine import event_from_record
from engine.events import HandsDealt
from service.store.keys import of_game

from ..servers import free_port, until
from .product import LONG, Json, Person, Service, client, running, stored

pytestmark = pytest.mark.slow

CARD = "mercenary-"
"""Part of the name of a card in every hand that can win; nothing that is written may contain it."""


def be_refused(person: Person, game: Json) -> None:
    """Send many requests that are refused and that contain the token and a card."""
    path, card = f"/games/{game['id']}/moves", {"type": "play-card", "card": f"{CARD}10"}
    seen = {"If_Match": f'"{game["version"]}"'}
    assert person.ask("POST", path, {**card, "hand": [CARD]}, **seen).json()["code"] == "unknown-field"
    assert person.ask("POST", path, {**card, "type": CARD}, **seen).status_code == 422
    assert person.ask("POST", path, {"type": "choose-region", "region": CARD}, **seen).status_code in (409, 422)
    assert person.ask("POST", path, card, If_Match='"1"').status_code in (409, 412)
    assert person.ask("POST", path, card, If_Match=person.token).json()["code"] == "malformed-header"
    assert person.ask("POST", path, card).json()["code"] == "version-required"
    assert person.ask("GET", "/me", Authorization=f"Bearer {person.token}x").json()["code"] == "token-unknown"
    assert person.ask("GET", "/me", Authorization=person.token).json()["code"] == "token-unknown"


def give_orders(person: Person, game: Json) -> None:
    """Give orders that name cards and are refused, and one order that is accepted for a moment."""
    cards = [{"type": "play-card", "card": f"{CARD}10"}] * 9
    battle = {"type": "lay-until-lead", "cards": cards}
    path = f"/games/{game['id']}/orders"
    assert person.ask("PUT", path, {"battle": battle}).json()["code"] in ("no-battle", "card-not-in-hand")
    assert person.ask("PUT", path, {"battle": {**battle, "then": CARD}}).json()["code"] == "invalid-request"
    assert person.ask("PUT", path, {"after_battle": "discard"}).status_code == 200
    assert person.ask("DELETE", path).status_code == 200


def play_by_chance(person: Person, game_id: str, chance: Random) -> None:
    """Play a game to its end."""
    while (game := person.my_turn(game_id))["moves"]:
        assert person.move(game, chance.choice(game["moves"]), f"key-{game['version']}").status_code == 201


def break_the_log(service: Service, game_id: str) -> None:
    """Damage the hands in a game's log, so that no replay can parse it."""
    commits, _ = stored(service.log_url, game_id)
    dealt = next(event for event in commits[0]["events"] if event["type"] == "hands-dealt")
    dealt["hands"][0]["cards"].append("joker")
    with client(service.log_url) as log:
        log.lset(of_game(game_id, "log"), 0, orjson.dumps(commits[0]))


def secrets_of(service: Service, person: Person, game_ids: list[str]) -> list[str]:
    """Return everything that must stay secret: the token, seeds, and hands in every form that the service uses."""
    found = [person.token, person.token.partition(".")[2], hashlib.sha256(person.token.encode()).hexdigest()]
    for game_id in game_ids:
        commits, seed = stored(service.log_url, game_id)
        found += [seed.hex(), repr(seed), repr(list(seed))]
        for event in (event for commit in commits for event in commit["events"] if event["type"] == "hands-dealt"):
            for hand in (hand for hand in event["hands"] if hand["count"] > 2):
                found += [str(hand["cards"]), orjson.dumps(hand["cards"]).decode(), ", ".join(hand["cards"])]
            read = event_from_record(event)
            assert isinstance(read, HandsDealt)
            found += [form for hand in read.hands if isinstance(hand, tuple) for form in (str(hand), str(list(hand)))]
    return found


def scraped(port: str) -> str:
    """Return the metrics."""
    return requests.get(f"http://127.0.0.1:{port}/metrics", timeout=LONG).text


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_nothing_secret_is_written(folder: Path, chance: Random, log_format: str) -> None:
    """Nothing secret is written even if everything is logged, servers die and logs are damaged."""
    settings = {"LOG_LEVEL": "debug", "LOG_FORMAT": log_format, "METRICS_PORT": str(free_port())}
    with running(folder, **settings) as service, Person(service.url, "Caterina") as person:
        game = person.my_turn(person.open_game(2, seats=3)["id"])
        be_refused(person, game)
        give_orders(person, game)
        broken = person.open_game(6)["id"]
        secrets = secrets_of(service, person, [broken])
        break_the_log(service, broken)
        assert person.ask("GET", f"/games/{broken}").json()["code"] == "corrupt-log"
        os.kill(service.pid_of("log"), signal.SIGKILL)
        until(lambda: "log was killed by SIGKILL" in service.said())
        service.wait_until_up()
        play_by_chance(person, game["id"], chance)
        secrets += secrets_of(service, person, [game["id"]])
        until(lambda: f"cannot make a move in game {broken}" in service.said())
        until(lambda: "condottiere_requests_total{" in scraped(settings["METRICS_PORT"]))
        metrics = scraped(settings["METRICS_PORT"])
        service.stop()
        if log_format == "json":
            lines = [json.loads(line) for line in service.said().splitlines()]
            assert {line["process"] for line in lines} >= {"serve", "web", "worker", "deliver"}
            assert broken in {line.get("game") for line in lines if line["process"] == "worker"}
        written = "".join(path.read_text() for path in [service.output, *folder.glob("*/server.log")]) + metrics
    assert "POST /v1/games 201" in written
    assert person.id not in metrics
    assert game["id"] not in metrics
    assert len(secrets) > 50
    assert [secret for secret in secrets if secret in written] == []
    assert CARD not in written
