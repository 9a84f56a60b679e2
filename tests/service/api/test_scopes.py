"""Scopes: what a token allows, when it expires, and what its player may do with other tokens."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest
from flask import Flask

from service.accounts.access import ADMIN, SCOPES
from service.api.resource import Resource
from service.games.repository import Games
from service.store.keys import of_player
from service.store.tokens import MAX_TOKENS, Token, hash_of, id_of, token_of
from service.views.feeds import GameFollower, next_batches

from ..servers import Valkey, counted, until
from ..times import Time
from .conftest import Json, Person
from .test_openapi import operations
from .test_tokens import KEY, with_token

WITHOUT_TOKEN = {
    "verifyRecord",
    "registerPlayer",
    "exchangeDevice",
    "recoverAccount",
    "getPlayer",
    "listEditions",
    "getEdition",
    "getClause",
    "getSentences",
    "compareEditions",
    "listBots",
    "getHealth",
    "getReadiness",
    "listAnnouncements",
}
"""The operations that do not read a token."""
IDS = {"game_id": "17h8q2v5c0mzk4r9td", "webhook_id": "w07m4x0yr3nzb5", "token_id": "t0123456789", "number": "1"}
IDS |= {"player_id": "p07k3v9xq2mza", "announcement_id": "5c0ffee15a1d"}
IDS |= {"browser_id": "w07n8k2mq4xz51", "message_id": "m0000000000000000", "report_id": "5c0ffee15a1d"}


def limited(person: Person, *scopes: str, **more: Any) -> Person:
    """Return the same person with a token that has only these scopes."""
    made = person.post("/me/tokens", {"name": "bot", "scopes": list(scopes), **more}, 201)
    return with_token(person, made["token"])


def token_of_bot(person: Person) -> Json:
    """Return one of the tokens that `limited` has created. Tokens of one millisecond are in no particular order."""
    token: Json = next(token for token in person.get("/me/tokens")["tokens"] if token["name"] == "bot")
    return token


def scopes_of(operation: Json) -> set[str]:
    """Return the scopes in an operation's description: one, or none if it takes no token."""
    scopes = {operation["x-scope"]} if "x-scope" in operation else set()
    assert ({"token": []} in operation["security"]) == bool(scopes)
    assert all(f"the scope `{scope}`." in operation["description"] for scope in scopes)
    return scopes


def test_every_operation_declares_its_scope() -> None:
    for path, method, operation in operations():
        scopes = scopes_of(operation)
        if operation["operationId"] in WITHOUT_TOKEN:
            assert (operation["security"], scopes) == ([], set())
        else:
            assert len(scopes) == 1, operation["operationId"]
            assert scopes <= {*SCOPES, ADMIN}
            if scopes == {"read"}:
                assert method == "get" or operation["operationId"] in ("playLine", "findGame"), path


def test_an_operation_without_a_scope_cannot_be_added() -> None:
    with pytest.raises(TypeError, match="scope"):
        Resource("Anything", __name__).get("/anything")


@pytest.mark.parametrize("sent", SCOPES)
def test_a_token_does_what_its_scope_allows_and_nothing_else(anna: Person, sent: str) -> None:
    person = limited(anna, sent)
    for path, method, operation in operations():
        if operation["operationId"] in WITHOUT_TOKEN:
            continue
        if operation["operationId"] in ("deleteMe", "revokeToken") and sent == "account":
            continue
        if operation["operationId"] == "listGames":
            path += "?status=mine"  # Other lists are the same for everybody.
        sent_with: Json = {"headers": {"If-Match": '"1"'} if operation["operationId"] == "makeMove" else {}}
        if "requestBody" in operation:
            sent_with["json"] = operation["requestBody"]["content"]["application/json"]["example"]
        made = person.ask(method.upper(), path.removeprefix("/v1").format(**IDS), **sent_with)
        made.close()
        (needed,) = scopes_of(operation)
        problem = made.get_json(force=True) if made.status_code >= 400 else {}
        if needed == sent:
            assert problem.get("code") != "scope-missing", path
        else:
            assert (made.status_code, problem["code"], problem["scope"]) == (403, "scope-missing", needed), path
        if "token" in (made.get_json(silent=True) or {}) and path == "/v1/me/token":
            person = with_token(anna, made.get_json()["token"])


@pytest.mark.parametrize("key", [None, KEY])
def test_a_token_without_the_scope_account_cannot_replace_itself(anna: Person, key: str | None) -> None:
    bot = limited(anna, "read", "play")
    answer = bot.ask("POST", "/me/token", headers={} if key is None else {"Idempotency-Key": key})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (403, "scope-missing")
    assert bot.get("/me")["id"] == anna.id


def test_a_spectator_needs_no_scope_but_a_token_that_is_sent_does(anna: Person, spectator: Person) -> None:
    game = anna.open_game()
    assert spectator.get(f"/games/{game['id']}")["you"] is None
    for path in ("", "/events", "/events/stream"):
        assert limited(anna, "webhooks").get(f"/games/{game['id']}{path}", 403)["code"] == "scope-missing"


def test_tokens_are_listed_with_what_they_may_do(anna: Person) -> None:
    made = anna.post("/me/tokens", {"name": "bot", "scopes": ["play", "read", "play"]}, 201)
    assert made["token"].startswith(f"{anna.id}.")
    tokens = {token["name"]: token for token in anna.get("/me/tokens")["tokens"]}
    first, bot = tokens["registration"], tokens["bot"]
    assert (first["name"], first["scopes"], first["current"]) == ("registration", list(SCOPES), True)
    assert (bot["name"], bot["scopes"], bot["current"]) == ("bot", ["read", "play"], False)
    assert bot == {name: value for name, value in made.items() if name != "token"}
    assert "token" not in bot


def test_the_first_use_of_a_token_is_recorded_and_then_one_an_hour(
    anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = limited(anna, "read", "account")
    assert token_of_bot(anna)["last_used_at"] is None
    bot.get("/me/tokens")
    used = token_of_bot(anna)["last_used_at"]
    assert isinstance(used, int)
    with counted() as sent:
        bot.get("/me/tokens")
    assert len(sent) == 2, "reads the player and the list, and writes nothing"
    later = used + 3_600_001
    monkeypatch.setattr("service.store.players._now", lambda: later)
    bot.get("/me/tokens")
    assert token_of_bot(anna)["last_used_at"] == later


def test_a_use_that_cannot_be_recorded_fails_nothing(anna: Person, log_server: Valkey) -> None:
    bot = limited(anna, "read")
    with log_server.client() as client:
        client.execute_command("CONFIG SET", "maxmemory", "1")
        try:
            assert bot.get("/me")["id"] == anna.id
            with counted() as sent:
                bot.get("/games?status=finished")
            assert len(sent) <= 5, "there is no immediate retry"
        finally:
            client.execute_command("CONFIG SET", "maxmemory", "0")
    assert token_of_bot(anna)["last_used_at"] is None


def test_a_revoked_token_is_unknown(anna: Person) -> None:
    bot = limited(anna, "read")
    token_id = token_of_bot(anna)["id"]
    assert anna.ask("DELETE", f"/me/tokens/{token_id}").status_code == 204
    assert bot.get("/me", 401)["code"] == "token-unknown"
    answer = anna.ask("DELETE", f"/me/tokens/{token_id}")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "unknown-token")
    assert anna.get("/me")["id"] == anna.id


def test_a_token_may_revoke_itself(anna: Person) -> None:
    (first,) = anna.get("/me/tokens")["tokens"]
    assert anna.ask("DELETE", f"/me/tokens/{first['id']}").status_code == 204
    assert anna.get("/me", 401)["code"] == "token-unknown"


def test_a_player_cannot_revoke_the_token_of_another(anna: Person, bruno: Person) -> None:
    (his,) = bruno.get("/me/tokens")["tokens"]
    assert anna.ask("DELETE", f"/me/tokens/{his['id']}").status_code == 404
    assert bruno.get("/me")["id"] == bruno.id


def test_a_player_has_at_most_twenty_tokens(anna: Person) -> None:
    for _ in range(MAX_TOKENS - 1):
        limited(anna, "read")
    body = {"name": "bot", "scopes": ["read"]}
    assert anna.post("/me/tokens", body, 409)["code"] == "too-many-tokens"
    last = token_of_bot(anna)
    assert anna.ask("DELETE", f"/me/tokens/{last['id']}").status_code == 204
    anna.post("/me/tokens", body, 201)


@pytest.mark.parametrize(
    "body",
    [
        {"name": "bot", "scopes": []},
        {"name": "bot", "scopes": ["admin"]},
        {"name": "bot", "scopes": ["write"]},
        {"name": "", "scopes": ["read"]},
        {"name": "a\nb", "scopes": ["read"]},
        {"name": "x" * 41, "scopes": ["read"]},
        {"name": "bot", "scopes": ["read"], "expires_at": 1},
        {"name": "bot", "scopes": ["read"], "expires_at": "soon"},
        {"name": "bot"},
    ],
)
def test_a_body_that_is_not_a_token(anna: Person, body: Json) -> None:
    assert anna.post("/me/tokens", body, 422)["code"] == "invalid-request"
    assert len(anna.get("/me/tokens")["tokens"]) == 1


def test_no_request_gives_the_scope_admin(anna: Person, games: Games) -> None:
    """A token with this scope loses it when the token is replaced."""
    text = token_of(anna.id, b"admin")
    games.store.players.add_token(anna.id, text, Token(id_of(hash_of(text)), "host", (*SCOPES, ADMIN), games.now()))
    host = with_token(anna, text)
    scopes = {token["name"]: token["scopes"] for token in anna.get("/me/tokens")["tokens"]}
    assert scopes["host"] == [*SCOPES, ADMIN]
    host.post("/me/token", status=201)
    assert [token["scopes"] for token in anna.get("/me/tokens")["tokens"]] == [list(SCOPES)] * 2


def test_only_the_token_that_is_sent_is_replaced(anna: Person) -> None:
    bot = limited(anna, "read", "account")
    other = limited(anna, "read")
    after = with_token(bot, bot.post("/me/token", status=201)["token"])
    assert bot.get("/me", 401)["code"] == "token-unknown"
    assert [person.get("/me")["id"] for person in (anna, other, after)] == [anna.id] * 3
    replaced = next(token for token in anna.get("/me/tokens")["tokens"] if token["scopes"] == ["read", "account"])
    assert replaced["name"] == "bot"


class TestExpiry:
    """A token stops working when it expires."""

    @pytest.fixture
    def time(self) -> Time:
        """A clock that a test can advance."""
        return Time()

    def test_an_expired_token_has_its_own_code(self, anna: Person, time: Time, games: Games) -> None:
        soon = games.now() + 60_000
        bot = limited(anna, "read", "account", expires_at=soon)
        assert bot.get("/me")["id"] == anna.id
        time.passes(60_000)
        assert bot.get("/me", 401)["code"] == "token-expired"
        game = anna.open_game()
        assert bot.get(f"/games/{game['id']}", 401)["code"] == "token-expired"
        for headers in ({}, {"Idempotency-Key": KEY}):
            answer = bot.ask("POST", "/me/token", headers=headers)
            assert answer.get_json(force=True)["code"] == "token-expired"
            assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
        assert soon in [token["expires_at"] for token in anna.get("/me/tokens")["tokens"]]

    def test_expired_tokens_make_room(
        self, anna: Person, time: Time, games: Games, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _ in range(MAX_TOKENS - 1):
            limited(anna, "read", expires_at=games.now() + 60_000)
        time.passes(60_001)
        monkeypatch.setattr("service.store.players._now", games.now)
        limited(anna, "read")
        assert len(anna.get("/me/tokens")["tokens"]) == 2

    def test_a_stream_ends_when_its_token_expires(self, anna: Person, time: Time, games: Games) -> None:
        game = anna.open_game()
        bot = limited(anna, "read", expires_at=games.now() + 60_000)
        token = bot.headers["Authorization"].removeprefix("Bearer ")
        assert next_batches(games, [GameFollower(game["id"], 0, token)]) != [None]
        time.passes(60_000)
        assert next_batches(games, [GameFollower(game["id"], 0, token)]) == [None]


def test_a_stream_ends_when_its_token_is_revoked_or_has_another_scope(anna: Person, games: Games) -> None:
    game = anna.open_game()
    texts = [limited(anna, scope).headers["Authorization"].removeprefix("Bearer ") for scope in ("read", "play")]
    shown = next_batches(games, [GameFollower(game["id"], 0, text) for text in texts])
    assert (shown[0] is None, shown[1] is None) == (False, True)
    reading = next(token for token in anna.get("/me/tokens")["tokens"] if token["scopes"] == ["read"])
    anna.ask("DELETE", f"/me/tokens/{reading['id']}")
    assert next_batches(games, [GameFollower(game["id"], 0, texts[0])]) == [None]


def test_a_poll_that_waits_with_a_revoked_token_shows_nothing(anna: Person, bruno: Person, games: Games) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2)
    bot = limited(anna, "read")
    answers: list[Json] = []
    path = f"/games/{game['id']}/events?after={game['version']}&wait=20"
    poll = Thread(target=lambda: answers.append(bot.get(path, 401)))
    poll.start()
    until(lambda: bool(games.store.waits._waiters))
    anna.ask("DELETE", f"/me/tokens/{anna.get('/me/tokens')['tokens'][1]['id']}")
    bruno.post(f"/games/{game['id']}/join")
    poll.join()
    assert [answer["code"] for answer in answers] == ["token-unknown"]


def test_a_suspended_player_gets_the_reason(anna: Person, spectator: Person, log_server: Valkey) -> None:
    game = anna.open_game()
    with log_server.client() as client:
        client.hset(of_player(anna.id), "suspended", "insults in names")
    for method, path in (("GET", "/me"), ("GET", f"/games/{game['id']}"), ("POST", "/me/token")):
        problem = anna.ask(method, path).get_json(force=True)
        assert (problem["status"], problem["code"], problem["reason"]) == (403, "suspended", "insults in names")
    assert spectator.get(f"/players/{anna.id}")["name"] == "Anna"


def test_a_token_of_release_0_3_0_keeps_all_scopes_and_can_be_revoked(anna: Person, log_server: Valkey) -> None:
    """Without a secret key, the token stays where that release looks for it, so that an upgrade can be undone."""
    text, key = token_of(anna.id, b"as long ago"), of_player(anna.id)
    bot = limited(anna, "read", "account")
    with log_server.client() as client:
        assert client.hget(key, "token") == hash_of(anna.headers["Authorization"].partition(" ")[2]).encode()
        client.hset(key, "token", hash_of(text))
        client.hdel(key, "token-used")
        old = with_token(anna, text)
        assert anna.get("/me", 401)["code"] == "token-unknown"
        before = bot.get("/me/tokens")["tokens"]
        after = old.get("/me/tokens")["tokens"]
        assert client.hget(key, "token") == hash_of(text).encode()
    assert [token["scopes"] for token in after] == [list(SCOPES), ["read", "account"]]
    assert (before[0]["id"], before[0]["last_used_at"]) == (id_of(hash_of(text)), None)
    assert isinstance(after[0]["last_used_at"], int)
    assert bot.ask("DELETE", f"/me/tokens/{id_of(hash_of(text))}").status_code == 204
    assert old.get("/me", 401)["code"] == "token-unknown"


def test_a_token_of_release_0_3_0_can_be_revoked_before_it_is_used(anna: Person, log_server: Valkey) -> None:
    text, bot = token_of(anna.id, b"as long ago"), limited(anna, "account")
    with log_server.client() as client:
        client.hset(of_player(anna.id), "token", hash_of(text))
    assert bot.ask("DELETE", f"/me/tokens/{id_of(hash_of(text))}").status_code == 204
    assert with_token(anna, text).get("/me", 401)["code"] == "token-unknown"


def test_nothing_that_was_made_with_a_key_is_stored_in_clear(anna: Person, log_server: Valkey) -> None:
    """Neither the token nor the recorded response is stored in clear."""
    body, headers = {"name": "bot", "scopes": ["read"]}, {"Idempotency-Key": KEY}
    first, again = [anna.ask("POST", "/me/tokens", json=body, headers=headers) for _ in range(2)]
    assert first.data == again.data
    webhook = anna.ask("POST", "/webhooks", json={"url": "https://example.org/"}, headers=headers).get_json()
    secret = first.get_json()["token"].partition(".")[2].encode()
    with log_server.client() as client:
        dumps = {key: client.dump(key) for key in client.scan_iter("*")}
    assert not any(secret in dump for dump in dumps.values())
    answers = [dump for key, dump in dumps.items() if b":answer:" in key]
    assert len(answers) == 2
    assert not any(webhook["secret"].encode() in dump for dump in answers)


def test_views_know_their_scope(app: Flask) -> None:
    """The scope is known even if a view is wrapped to handle keys."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/v1/"):
            assert hasattr(app.view_functions[rule.endpoint], "scope"), rule
