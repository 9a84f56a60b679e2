"""Recovery: a player without any token gets a new one with the code that was shown at registration."""

from __future__ import annotations

import re
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.games.repository import Games
from service.store.keys import of_player

from ..api.conftest import Json, Person, at_once
from ..api.test_scopes import limited
from ..api.test_tokens import KEY, with_token
from ..api.test_webhooks import add
from ..servers import Valkey
from .conftest import dumped


def registered(spectator: Person, name: str = "Carla", **headers: str) -> Json:
    """Register a player."""
    answer = spectator.ask("POST", "/players", json={"name": name}, headers=headers)
    assert answer.status_code == 201
    body: Json = answer.get_json()
    return body


def recover(spectator: Person, key: str | None = None, **body: Any) -> TestResponse:
    """Send a recovery code."""
    return spectator.ask("POST", "/recovery", json=body, headers={} if key is None else {"Idempotency-Key": key})


def test_a_recovery_code_replaces_all_tokens(spectator: Person) -> None:
    player = registered(spectator)
    assert re.fullmatch("([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}", player["recovery_code"])
    first = with_token(spectator, player["token"])
    bot = limited(first, "read")
    after = recover(spectator, name="carla", code=player["recovery_code"].lower()).get_json()
    assert (after["id"], after["name"]) == (player["id"], "Carla")
    assert after["recovery_code"] != player["recovery_code"]
    assert [person.get("/me", 401)["code"] for person in (first, bot)] == ["token-unknown"] * 2
    now = with_token(spectator, after["token"])
    assert [token["name"] for token in now.get("/me/tokens")["tokens"]] == ["recovery"]
    again = recover(spectator, id=player["id"], code=player["recovery_code"])
    assert (again.status_code, again.get_json(force=True)["code"]) == (403, "code-unknown")
    assert recover(spectator, id=player["id"], code=after["recovery_code"]).status_code == 201


def test_a_wrong_code_and_an_unknown_player_get_the_same_answer(spectator: Person) -> None:
    player = registered(spectator)
    code = player["recovery_code"]
    answers = [
        recover(spectator, name="Carla", code="0000-0000-0000-0000-0000"),
        recover(spectator, name="Dario", code=code),
        recover(spectator, id="p17abcdefghjk", code=code),
        recover(spectator, id="x", code=code),
        recover(spectator, KEY, name="Carla", code="0000-0000-0000-0000-0000"),
    ]
    assert {(answer.status_code, answer.data) for answer in answers} == {(403, answers[0].data)}
    assert with_token(spectator, player["token"]).get("/me")["id"] == player["id"]


@pytest.mark.parametrize("body", [{"code": "x"}, {"code": "x", "name": "Carla", "id": "p"}, {"name": "Carla"}])
def test_a_body_that_is_not_a_recovery(spectator: Person, body: Json) -> None:
    answer = recover(spectator, **body)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "invalid-request")


def test_of_two_who_recover_at_once_one_succeeds(spectator: Person) -> None:
    player = registered(spectator)
    answers = at_once(lambda _: recover(spectator, id=player["id"], code=player["recovery_code"]), 4)
    assert sorted(answer.status_code for answer in answers) == [201, 403, 403, 403]


@pytest.mark.parametrize("pause", [False, True])
def test_a_lost_answer_is_asked_for_again_with_the_key(spectator: Person, games: Games, pause: bool) -> None:
    player = registered(spectator)
    webhook = add(with_token(spectator, player["token"]))
    body = {"name": "Carla", "code": player["recovery_code"], **({"webhooks": "pause"} if pause else {})}
    first, again = recover(spectator, KEY, **body), recover(spectator, KEY, **body)
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    (left,) = first.get_json()["webhooks"]
    stored = games.store.webhooks.get(webhook["id"])
    assert stored is not None
    assert stored.active is not pause
    assert stored.valid_secrets(0) == [left["secret"] if pause else webhook["secret"]]
    other = recover(spectator, KEY, **{**body, "code": "0000"})
    assert other.get_json(force=True)["code"] == "code-unknown"


@pytest.mark.parametrize("method", ["recover", "record"])
def test_a_request_that_died_is_completed_with_its_key(
    spectator: Person, games: Games, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def die(*_: object) -> None:
        raise SystemExit

    player = registered(spectator)
    body = {"name": "Carla", "code": player["recovery_code"], "webhooks": "pause"}
    with monkeypatch.context() as patched:
        patched.setattr(games.store.answers if method == "record" else games.store.players, method, die)
        with pytest.raises(SystemExit):
            recover(spectator, KEY, **body)
    first = recover(spectator, KEY, **body)
    assert first.status_code == 201
    assert recover(spectator, KEY, **body).data == first.data
    assert with_token(spectator, first.get_json()["token"]).get("/me")["id"] == player["id"]


def test_a_repeated_registration_shows_the_same_code(spectator: Person) -> None:
    headers = {"Idempotency-Key": KEY}
    first, again = [registered(spectator, **headers) for _ in range(2)]
    assert first == again
    assert recover(spectator, name="Carla", code=again["recovery_code"]).status_code == 201


def test_a_player_of_release_0_3_0_gets_a_code_later(anna: Person, spectator: Person, log_server: Valkey) -> None:
    with log_server.client() as client:
        client.hdel(of_player(anna.id), "recovery")
    assert recover(spectator, name="Anna", code="").status_code == 422
    assert recover(spectator, name="Anna", code="-").status_code == 403
    code = anna.post("/me/recovery-code", status=201)["recovery_code"]
    assert recover(spectator, name="Anna", code=code).status_code == 201


def test_a_new_code_replaces_the_old_one(spectator: Person) -> None:
    player = registered(spectator)
    code = with_token(spectator, player["token"]).post("/me/recovery-code", status=201)["recovery_code"]
    assert recover(spectator, name="Carla", code=player["recovery_code"]).status_code == 403
    assert recover(spectator, name="Carla", code=code).status_code == 201


@pytest.mark.parametrize(
    ("path", "body"), [("/me/tokens", {"name": "x", "scopes": ["account"]}), ("/me/recovery-code", None)]
)
def test_a_token_that_is_revoked_while_its_request_runs_leaves_nothing_behind(
    spectator: Person, games: Games, monkeypatch: pytest.MonkeyPatch, path: str, body: Json | None
) -> None:
    """A thief who keeps requesting tokens and codes without a pause does not regain the account."""
    player = registered(spectator)
    thief, codes = with_token(spectator, player["token"]), [player["recovery_code"]]
    read = games.store.players._old_value

    def recover_first(*args: str) -> bytes:
        codes.append(recover(spectator, name="Carla", code=codes[0]).get_json()["recovery_code"])
        return read(*args)

    monkeypatch.setattr(games.store.players, "_old_value", recover_first)
    assert thief.post(path, body, 401)["code"] == "token-unknown"
    monkeypatch.undo()
    after = with_token(spectator, recover(spectator, name="Carla", code=codes[1]).get_json()["token"])
    assert len(after.get("/me/tokens")["tokens"]) == 1


def test_only_hashes_of_codes_are_stored(spectator: Person, log_server: Valkey) -> None:
    player = registered(spectator, **{"Idempotency-Key": KEY})
    person = with_token(spectator, player["token"])
    second = person.ask("POST", "/me/recovery-code", headers={"Idempotency-Key": KEY}).get_json()["recovery_code"]
    third = recover(spectator, KEY, name="Carla", code=second).get_json()["recovery_code"]
    for key, value in dumped(log_server).items():
        for code in (player["recovery_code"], second, third):
            assert code.encode() not in key + value
            assert code.replace("-", "").encode() not in key + value
