"""While a game is running, no stored hash, key or fingerprint leaves the service on any channel."""

from __future__ import annotations

import hashlib
import re
from random import Random
from typing import Any

import orjson
import pytest

from engine import EDITIONS, NEWEST
from service.games.game import Game
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.records.document import as_json
from service.store.webhooks import Webhook
from service.views.feeds import GameFollower, next_batches
from service.webhooks.kinds import KINDS, PING
from service.webhooks.payloads import FULL, payload

from .conftest import SEED, Json, Person
from .test_moves import play_on

MY_KEY = "my-key-0123456789abcdef"


def secrets_of(game: Game) -> set[str]:
    """Return all hashes, keys and fingerprints in a game's log, and the next hash."""
    found = {game.hash, *filter(None, game.commits.stored_hashes())}
    for commit in game.commits:
        found |= {commit["key"], commit["fingerprint"]}
    found |= {hashlib.sha256(line).hexdigest() for line in game.commits.stored_lines()}
    return found - {""}


def channels(games: Games, caller: Person, host: Person, game: Json) -> dict[str, bytes]:
    """Return the bytes of everything that anybody can get of a game, by channel."""
    path, version = f"/games/{game['id']}", game["version"]
    parts = ("", "/events", "/record", "/record?names=true", "/orders", "?version=1")
    found = {part: caller.ask("GET", path + part).data for part in parts}
    lists = ["/games?status=running", "/games?status=mine", "/me/events", "/me/turns", "/me/export", "/me"]
    found |= {part: caller.ask("GET", part).data for part in lists}
    found |= {part: host.ask("GET", part).data for part in ("/admin/games", f"/admin{path}", "/admin/audit")}
    for accept in ("application/x-ndjson", "text/event-stream"):
        headers = {**caller.headers, "Accept": accept}
        found[f"record as {accept}"] = caller._client.get(f"/v1{path}/record", headers=headers).data
    refused = [{"type": "choose-region", "region": "nowhere"}, {"type": "play-card", "card": "surrender"}, {}]
    for number, move in enumerate(move for move in refused if move not in game["moves"]):
        for tag in (version, version + 1):
            headers = {"If-Match": f'"{tag}"', "Idempotency-Key": f"{MY_KEY}{number}{tag}"}
            answer = caller.ask("POST", f"{path}/moves", json=move, headers=headers)
            found[f"refusal {number} {tag}"] = answer.data
    used = {"If-Match": f'"{version}"', "Idempotency-Key": MY_KEY}
    found["key reused"] = caller.ask("POST", f"{path}/moves", json={"type": "keep-hand"}, headers=used).data
    token = caller.headers["Authorization"].removeprefix("Bearer ")
    followers = [GameFollower(game["id"], 0, token), GameFollower(game["id"], 0, None)]
    found["streams"] = orjson.dumps([batch.commits for batch in next_batches(games, followers) if batch])
    loaded = load(games, game["id"])
    found["printed"] = repr(loaded).encode()
    return found | {f"webhook {kind}": delivered(games, loaded, caller.id, kind) for kind in (*KINDS, PING)}


def delivered(games: Games, game: Game, player: str, kind: str) -> bytes:
    """Return the fullest possible delivery body of this kind, or b"" if none can be sent."""
    about = {"kind": "invitation", "player": player, "by": player, "seat": None, "rematch_of": None}
    webhook = Webhook("w00000000", player, "https://bot.example/", [], [kind], FULL, True, 0, [])
    delivery: Json = {"type": kind, "at": 0, "version": game.version, "sequence": 1, "challenge": "c", "problem": {}}
    delivery |= {"invitation": {**about, "until": 0, "answer": None}}
    try:
        return payload(webhook, delivery, game if kind != PING else None, games.store.names.of)
    except StopIteration:
        return b""


@pytest.mark.parametrize("key", EDITIONS)
def test_what_a_running_game_keeps_secret(anna: Person, host: Person, games: Games, key: str) -> None:
    seats = max(2, NEWEST[key].fewest_seats)
    bots = [{"seat": seat, "bot": "random"} for seat in range(1, seats)]
    game = anna.post("/games", {"edition": key, "seats": seats, "bots": bots, "seed": SEED}, 201)
    random, moved, looked = Random(key), 0, 0
    while game["status"] == "running" and looked < 4:
        if not game["moves"]:
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
            continue
        sent = {"Idempotency_Key": MY_KEY} if not moved else {}
        game = anna.move(game, random.choice(game["moves"]), **sent)
        moved += 1
        if moved in (1, 2, 5, 9) and game["status"] == "running":
            look(games, anna, host, game)
            looked += 1
    assert looked >= 2


def look(games: Games, anna: Person, host: Person, game: Json) -> None:
    """Search for secrets on every channel of a game."""
    secrets = secrets_of(load(games, game["id"]))
    assert MY_KEY in secrets
    assert len([one for one in secrets if re.fullmatch("[0-9a-f]{64}", one)]) > game["version"]
    shown: dict[str, Any] = channels(games, anna, host, game)
    assert sum(len(body) > 200 for body in shown.values()) > 15
    for name, body in shown.items():
        for secret in secrets:
            assert secret.encode() not in body, name


def test_a_finished_game_opens_its_hashes_only(anna: Person, games: Games, against_bots: Json) -> None:
    first = anna.move(against_bots, against_bots["moves"][0], Idempotency_Key=MY_KEY)
    game = play_on(anna, games, first)
    loaded = load(games, game["id"])
    record = as_json(loaded, anna.id).decode()
    assert all(hash_ in record for hash_ in loaded.commits.stored_hashes() if hash_)
    for commit in loaded.commits:
        for secret in filter(None, (commit["key"], commit["fingerprint"])):
            assert f'"{secret}"' not in record
