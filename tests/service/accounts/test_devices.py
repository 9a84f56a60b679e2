"""A second device: typing a code there gives it a separate token; the code works once, within ten minutes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from service.accounts.access import SCOPES
from service.games.repository import Games
from service.store.devices import LIFETIME

from ..api.conftest import Json, Person, at_once
from ..api.test_scopes import limited
from ..api.test_tokens import KEY, with_token
from ..servers import Valkey
from .conftest import OLD, dumped
from .test_recovery import recover, registered


def exchange(person: Person, code: str, status: int = 201, name: str = "phone") -> Json:
    """Exchange a code for a token."""
    return person.post("/devices", {"code": code, "name": name}, status)


def test_a_code_gives_a_token_of_its_own(anna: Person, spectator: Person) -> None:
    offered = anna.post("/me/devices", status=201)
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", offered["code"])
    assert offered["url"] == f"condottiere://localhost/devices?code={offered['code']}"
    got = exchange(spectator, offered["code"])
    assert (got["id"], got["name"], got["scopes"]) == (anna.id, "Anna", list(SCOPES))
    phone = with_token(anna, got["token"])
    listed = {token["name"]: token for token in phone.get("/me/tokens")["tokens"]}
    assert listed["phone"]["current"]
    assert anna.ask("DELETE", f"/me/tokens/{listed['phone']['id']}").status_code == 204
    assert phone.get("/me", 401)["code"] == "token-unknown"
    assert anna.get("/me")["id"] == anna.id


def test_a_device_may_do_what_the_player_chose(anna: Person, spectator: Person) -> None:
    offered = anna.post("/me/devices", {"scopes": ["play", "read"]}, 201)
    got = exchange(spectator, offered["code"])
    assert got["scopes"] == ["read", "play"]
    assert with_token(anna, got["token"]).get("/me/tokens", 403)["code"] == "scope-missing"


@pytest.mark.parametrize("typed", [str.lower, lambda code: code.replace("-", " "), lambda code: code.replace("0", "O")])
def test_a_code_may_be_typed_in_several_ways(anna: Person, spectator: Person, typed: object) -> None:
    code = anna.post("/me/devices", status=201)["code"]
    assert callable(typed)
    exchange(spectator, typed(code))


def test_a_code_works_once(anna: Person, spectator: Person) -> None:
    code = anna.post("/me/devices", status=201)["code"]
    answers = at_once(lambda _: spectator.ask("POST", "/devices", json={"code": code, "name": "x"}), 4)
    assert sorted(answer.status_code for answer in answers) == [201, 403, 403, 403]
    assert exchange(spectator, code, 403)["code"] == "code-unknown"


@pytest.mark.parametrize("keys", [(), (OLD,)])
@pytest.mark.parametrize("end", ["revoke", "replace", "recover"])
def test_a_code_ends_with_the_token_that_asked_for_it(
    spectator: Person, with_keys: Callable[..., Games], keys: tuple[bytes, ...], end: str
) -> None:
    """If a stolen token is revoked, the codes that it requested stop working."""
    with_keys(*keys)
    player = registered(spectator)
    first = with_token(spectator, player["token"])
    bot = limited(first, "read", "account")
    codes = [asker.post("/me/devices", status=201)["code"] for asker in (first, bot)]
    if end == "revoke":
        first.ask("DELETE", f"/me/tokens/{bot.get('/me/tokens')['tokens'][1]['id']}")
    elif end == "replace":
        bot.post("/me/token", status=201)
    else:
        recover(spectator, name="Carla", code=player["recovery_code"])
    assert exchange(spectator, codes[1], 403)["code"] == "code-unknown"
    exchange(spectator, codes[0], 403 if end == "recover" else 201)


def test_a_code_is_forgotten_after_ten_minutes(anna: Person, spectator: Person, log_server: Valkey) -> None:
    offered = anna.post("/me/devices", status=201)
    with log_server.client() as client:
        (key,) = client.scan_iter("*:device:*")
        assert LIFETIME - 60_000 < client.pttl(key) <= LIFETIME
        client.pexpire(key, 0)
    assert exchange(spectator, offered["code"], 403)["code"] == "code-unknown"


def test_only_a_hash_of_a_code_is_stored(anna: Person, log_server: Valkey) -> None:
    answer = anna.ask("POST", "/me/devices", headers={"Idempotency-Key": KEY}).get_json()
    code = answer["code"]
    for key, value in dumped(log_server).items():
        for text in (code, code.replace("-", "")):
            assert text.encode() not in key + value


def test_a_guess_leaves_nothing_behind(anna: Person, spectator: Person, log_server: Valkey) -> None:
    assert anna.post("/me/devices", status=201)["code"] != "0000-0000"
    for headers in ({}, {"Idempotency-Key": KEY}):
        before = dumped(log_server)
        answer = spectator.ask("POST", "/devices", json={"code": "0000-0000", "name": "x"}, headers=headers)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (403, "code-unknown")
        assert {key for key in dumped(log_server) if not key.endswith(b":secret")} == {
            key for key in before if not key.endswith(b":secret")
        }


def test_a_lost_answer_is_asked_for_again_with_the_key(anna: Person, spectator: Person, log_server: Valkey) -> None:
    code = anna.post("/me/devices", status=201)["code"]
    body, headers = {"code": code, "name": "phone"}, {"Idempotency-Key": KEY}
    first = spectator.ask("POST", "/devices", json=body, headers=headers)
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:device:*"))
    again = spectator.ask("POST", "/devices", json=body, headers=headers)
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(anna.get("/me/tokens")["tokens"]) == 2
    refused = spectator.ask("POST", "/devices", json={**body, "name": "tablet"}, headers=headers)
    assert refused.get_json(force=True)["code"] == "key-reused"
    secret = first.get_json()["token"].partition(".")[2].encode()
    assert not any(secret in value for value in dumped(log_server).values())


@pytest.mark.parametrize("method", ["take", "add_token", "record"])
def test_a_request_that_died_is_completed_with_its_key(
    anna: Person, spectator: Person, games: Games, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def die(*_: object, **__: object) -> None:
        raise SystemExit

    code = anna.post("/me/devices", status=201)["code"]
    body, headers = {"code": code, "name": "phone"}, {"Idempotency-Key": KEY}
    owner = {"take": games.store.devices, "add_token": games.store.players, "record": games.store.answers}[method]
    with monkeypatch.context() as patched:
        patched.setattr(owner, method, die)
        with pytest.raises(SystemExit):
            spectator.ask("POST", "/devices", json=body, headers=headers)
    got = spectator.ask("POST", "/devices", json=body, headers=headers).get_json()
    assert with_token(anna, got["token"]).get("/me")["id"] == anna.id
    assert len(anna.get("/me/tokens")["tokens"]) == 2


def test_a_device_needs_a_free_place(anna: Person, spectator: Person) -> None:
    code = anna.post("/me/devices", status=201)["code"]
    for _ in range(19):
        limited(anna, "read")
    assert exchange(spectator, code, 409)["code"] == "too-many-tokens"
