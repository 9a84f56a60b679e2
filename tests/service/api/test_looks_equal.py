"""Two games that look equal to a caller give that caller equal bytes, whatever cards are hidden.

The test sends the same requests twice. In between, it exchanges cards in the stored log that two other seats have never
shown. Only the head of the chain differs, because it is an HMAC with a key that nobody knows. Comparisons therefore
mask it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from engine import EDITIONS, NEWEST, State
from engine.cards import names_of
from service.games.repository import Games, load
from service.gateway.compression import compressed
from service.play.moves import play_bot_turn
from service.store import keys
from service.store.commits import encode_commit
from service.store.deliveries import First
from service.store.webhooks import Webhook
from service.views.feeds import Batch, GameFollower, next_batches
from service.webhooks.delivering import Message, prepare
from service.webhooks.digests import paragraphs_of
from service.webhooks.formats import EMAIL, FORMATS, JSON, PUSH
from service.webhooks.kinds import ABOUT_GAMES, TURN_REMINDER
from service.webhooks.replays import Replays
from service.webhooks.signing import new_secret

from ..notices.browser import Browser
from ..notices.conftest import MAIL
from ..servers import Valkey
from .conftest import SEED, Json, Person

ASKED_BY_ANNA: list[Json] = [
    {"type": "pass"},
    {"type": "keep-hand"},
    {"type": "discard-hand"},
    {"type": "decline-region"},
    {"type": "draw-cards", "number": 2},
    {"type": "keep-cards", "keep": ["heroine"]},
    {"type": "choose-region", "region": "roma"},
    {"type": "play-card", "card": "scarecrow", "take": "mercenary-10", "take_from": 1},
    {"type": "play-card", "card": "surrender"},
    {"type": "play-card", "card": "mercenary-1", "turn_up": "mercenary-10"},
]


Exchange = Callable[[list[Json], State], bool]
"""Exchanges hidden cards in a log that leads to a position; returns False if no such cards exist."""
HEADERS = ("ETag", "Cache-Control", "Content-Length")
"""Headers that depend on what is shown."""


def exchange(commits: list[Json], state: State) -> bool:
    """Exchange one dealt card between seats 1 and 2 that neither has shown; return False if there is no such pair."""
    ours, theirs = (names_of(hand) for hand in state.hands[1:])
    pair = next(((mine, yours) for mine in ours for yours in theirs if mine != yours), None)
    dealt = [e for commit in commits for e in commit["events"] if e["type"] == "hands-dealt"]
    if pair is None or len(dealt) != 1:
        return False
    for seat, (gone, come) in ((1, pair), (2, pair[::-1])):
        cards = dealt[0]["hands"][seat]["cards"]
        cards.remove(gone)
        cards.append(come)
    forget_hashes(commits)
    return True


def forget_hashes(commits: list[Json]) -> None:
    """Remove the stored hashes, which belong to the other world. The chain is then computed."""
    for commit in commits:
        commit.pop("hash", None)


def everything(caller: Person, game: Json) -> list[Any]:
    """Return the bytes of everything that a caller can get of a game without changing it, with the relevant headers."""
    parts = ("", "/events", "/record", "/record?names=true")
    answers = [caller.ask("GET", f"/games/{game['id']}{part}") for part in parts]
    assert all(answer.status_code == 200 for answer in answers)
    as_lines = {**caller.headers, "Accept": "application/x-ndjson"}
    answers.append(caller._client.get(f"/v1/games/{game['id']}/record", headers=as_lines))
    shown = len(answers)
    headers = {"If-Match": f'"{game["version"]}"'}
    asked = [move for move in ASKED_BY_ANNA if move not in game["moves"]]
    path = f"/games/{game['id']}/moves?dry_run=true"
    moves = [*asked, *game["moves"][:6], *game["moves"][-1:]]
    tried = [caller.ask("POST", path, json=move, headers=headers) for move in moves]
    answers += [caller.ask("POST", f"/games/{game['id']}/moves", json=move, headers=headers) for move in asked]
    lines = [{"version": game["version"], "moves": line} for line in ([], moves[-1:])]
    answers += [caller.ask("POST", f"/games/{game['id']}/lines", json=line) for line in lines]
    assert all(answer.status_code >= 400 for answer in answers[shown:])
    answers += tried
    answers += [caller.ask("GET", f"/games?status={kind}") for kind in ("running", "finished")]
    answers += moments(caller, game)
    if caller.id:
        answers += [caller.ask("GET", path) for path in ("/games?status=mine", "/me/events", "/me/turns")]
    told = [
        (answer.status_code, masked(answer.data), zipped(answer), *map(answer.headers.get, HEADERS))
        for answer in answers
    ]
    streams = [f"/games/{game['id']}/events/stream", *(["/me/events/stream"] if caller.id else [])]
    told += [masked(begun(caller, path)) for path in streams]
    # Members that depend only on the time are left out.
    export = {**caller.get("/me/export"), "exported_at": 0, "hours": {}} if caller.id else {}
    return [*told, export]


def begun(caller: Person, path: str) -> bytes:
    """Return what a stream sends immediately."""
    with caller._client.application.test_client().get(f"/v1{path}", headers=caller.headers) as answer:
        assert answer.status_code == 200
        return next(answer.iter_encoded())


def masked(body: bytes) -> bytes:
    """Return a body of the same length with all heads masked; nothing else has the same form."""
    return re.sub(rb'"head":"[0-9a-f]{64}"', b'"head":"%b"' % (b"0" * 64), body)


def exchange_with_deck(commits: list[Json], state: State) -> bool:
    """Exchange a card that seat 1 drew last and has not shown for a card in its deck.

    Return False if there is none.
    """
    events = [event for commit in commits for event in commit["events"] if event.get("seat") == 1]
    last = max(place for place, event in enumerate(events) if event["type"] == "cards-drawn")
    drawn: list[str] = events[last]["cards"]["cards"]
    played = {event["card"] for event in events[last:] if event["type"] == "card-played"}
    hand = {card for card in names_of(state.hands[1]) if card in drawn} - played
    pair = next(((mine, other) for mine in sorted(hand) for other in names_of(state.decks[1]) if mine != other), None)
    if pair is None:
        return False
    drawn.remove(pair[0])
    drawn.append(pair[1])
    forget_hashes(commits)
    return True


def moments(caller: Person, game: Json) -> list[TestResponse]:
    """Return a caller's responses for every version of a game, and for versions that it does not have."""
    versions = range(game["version"] + 2)
    answers = [caller.ask("GET", f"/games/{game['id']}?version={version}") for version in versions]
    assert [answer.status_code for answer in answers] == [422, *[200] * game["version"], 404]
    tags = [{"If-None-Match": answer.headers["ETag"]} for answer in answers[1:-1]]
    where = f"/games/{game['id']}?version=1"
    return [*answers, *(caller.ask("GET", where, headers=tag) for tag in (tags[0], tags[-1]))]


def zipped(answer: TestResponse) -> bytes:
    """Return a response's body with the head masked, compressed as for a client that accepts gzip."""
    return compressed(masked(answer.data), answer.status_code, dict(answer.headers), "gzip")


def everything_of_its_log(log_server: Valkey, caller: Person, game: Json) -> list[Any]:
    """Return the same as `everything`, after removing the stored progress, so that lists load the log."""
    with log_server.client() as client:
        client.hdel(keys.of_shard(keys.shard_of_game(game["id"]), "progress"), game["id"])
    return everything(caller, game)


def seen_by_host(host: Person, game: Json) -> list[bytes]:
    """Return the bytes of everything that the host can get of a game and its players without changing the game."""
    paths = [f"/games/{game['id']}", "/games", "/games?player=Anna", "/players?name=", "/players/Anna", "/audit"]
    answers = [host.ask("GET", f"/admin{path}") for path in paths]
    refused = {"seat": 1, "bot": "steady", "reason": "a bot has it already"}
    answers.append(host.ask("POST", f"/admin/games/{game['id']}/give-seat", json=refused))
    assert [answer.status_code for answer in answers] == [*[200] * len(paths), 409]
    # The refusal adds lines to the audit log, which differ only in their times.
    return [masked(answer.data) for answer in answers if "/audit" not in answer.request.path]


def told_together(games: Games, game: Json, caller: Person) -> list[Batch | None]:
    """Return what a caller and a spectator receive if they follow a game and are served together."""
    token = caller.headers["Authorization"].removeprefix("Bearer ")
    return next_batches(games, [GameFollower(game["id"], 0, token), GameFollower(game["id"], 0, None)])


def sent_to_people(games: Games, game: Json, player: str) -> list[tuple[bytes, Any]]:
    """Return each notice about a game's last commit that a player could be sent, in each format for people."""
    webhook = Webhook("w07m4x0yr3nzb5", player, "https://example.org/", [], None, "full", True, 0, [(new_secret(), 0)])
    people = [replace(webhook, verified=1, format=form) for form in FORMATS if form != JSON]
    browser = Browser()
    browsers = replace(webhook, verified=1, format=PUSH, secrets=[(" ".join(browser.keys), 0)])
    address = replace(webhook, verified=1, format=EMAIL, secrets=[("anna@example.org", 0)])
    people += [address, browsers]
    games = replace(games, mail=MAIL, public_url="https://play.example.org")
    about = {"number": 1, "sequence": 1, "game": game["id"], "version": game["version"], "at": 0, "repeated": True}
    kinds = [kind for kind in ABOUT_GAMES if kind != TURN_REMINDER]  # Without a clock, nobody gets reminders.
    firsts = [First(each, {**about, "type": kind}) for each in people for kind in kinds]
    replays = Replays()
    messages = [prepare(games, replays, first) for first in firsts]
    sent = [message for message in messages if isinstance(message, Message)]
    # A browser's notification is encrypted with different keys each time, but its length is always the same.
    return [
        (orjson.dumps([browser.read(one.body), len(one.body)]), one.form["topic"])
        if one.webhook.format == PUSH
        else (one.body, one.form)
        for one in sent
    ]


def digest_of(games: Games, player: str) -> list[str]:
    """Return the text of a player's digest."""
    digest = Webhook("w07m4x0yr3nzb5", player, "", [], None, "full", True, 0, [("anna@example.org", 0)], digest="8 UTC")
    return paragraphs_of(games, digest)


@pytest.mark.parametrize(
    ("key", "options", "exchange"),
    [
        ("zman-2018", {}, exchange),
        ("zman-2018-duel", {}, exchange_with_deck),
        ("ffg-2007", {"hidden_cards": True}, exchange),
        *(
            pytest.param(key, {}, exchange, marks=pytest.mark.slow)
            for key in sorted({*EDITIONS} - {"zman-2018", "zman-2018-duel"})
        ),
    ],
)
def test_hidden_cards_change_no_byte(
    anna: Person,
    spectator: Person,
    host: Person,
    games: Games,
    log_server: Valkey,
    key: str,
    options: Json,
    exchange: Exchange,
) -> None:
    seats = min(3, NEWEST[key].most_seats)
    bots = [{"seat": seat, "bot": "random"} for seat in range(1, seats)]
    asked = {"edition": key, "seats": seats, "options": options, "bots": bots, "seed": SEED}
    game = anna.post("/games", asked, 201)
    random = Random(key)
    compared = 0
    while game["status"] == "running" and compared < 12:
        loaded = load(games, game["id"])
        assert loaded.state is not None
        commits = list(loaded.commits)
        stored_beside = [everything(caller, game) for caller in (anna, spectator)]
        told = told_together(games, game, anna)
        assert [everything_of_its_log(log_server, caller, game) for caller in (anna, spectator)] == stored_beside
        seen = seen_by_host(host, game)
        sent = sent_to_people(games, game, anna.id)
        digest = digest_of(games, anna.id)
        assert bool(digest) == bool(game["moves"])
        assert len(sent) == 6 * (len(ABOUT_GAMES) - 1)
        if exchange(commits, loaded.state):
            where = keys.of_game(game["id"], "log")
            with log_server.client() as client:
                stored = client.lrange(where, 0, -1)
                client.delete(where)
                client.rpush(where, *map(encode_commit, commits))
                after = [everything_of_its_log(log_server, caller, game) for caller in (anna, spectator)]
                told_after = told_together(games, game, anna)
                seen_after = seen_by_host(host, game)
                sent_after = sent_to_people(games, game, anna.id)
                digest_after = digest_of(games, anna.id)
                other = load(games, game["id"])
                client.delete(where)
                client.rpush(where, *stored)
            assert after == stored_beside
            assert told_after == told
            assert seen_after == seen
            assert sent_after == sent
            assert digest_after == digest
            assert other.hash != loaded.hash
            assert other.head != loaded.head
            compared += 1
        if game["moves"]:
            game = anna.move(game, random.choice(game["moves"]))
        else:
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
    assert compared >= 10
