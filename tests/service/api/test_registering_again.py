"""A registration whose response was lost: with the same key, the player gets the name and the token."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from service.games.repository import Games
from service.store import answers

from ..servers import Valkey
from .conftest import Json, Person, at_once

KEY = "0hXPaBzLOy3wq2uQd2pRkA"


def register(person: Person, name: str = "Caterina", key: str | None = KEY) -> TestResponse:
    """Register under a name with a key."""
    headers = {} if key is None else {"Idempotency-Key": key}
    return person.ask("POST", "/players", json={"name": name}, headers=headers)


def works(person: Person, registered: Json) -> bool:
    """Return whether a player's token is valid."""
    headers = {"Authorization": f"Bearer {registered['token']}"}
    return person.ask("GET", "/me", headers=headers).get_json(force=True).get("id") == registered["id"]


def test_a_repetition_gets_the_same_player_and_the_same_token(spectator: Person) -> None:
    first, *others = [register(spectator) for _ in range(3)]
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first.headers
    for again in others:
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["Location"] == first.headers["Location"]
        assert again.headers["Idempotent-Replayed"] == "true"
    assert works(spectator, first.get_json())


def test_without_a_key_a_name_is_taken_as_ever(spectator: Person) -> None:
    assert register(spectator, key=None).status_code == 201
    assert register(spectator, key=None).status_code == 409
    assert register(spectator).get_json(force=True)["code"] == "name-taken"


def test_somebody_else_with_the_same_name_is_refused(spectator: Person) -> None:
    register(spectator)
    assert register(spectator, key=KEY[::-1]).get_json(force=True)["code"] == "name-taken"
    assert register(spectator, "Francesco", KEY[::-1]).status_code == 201, "the refusal has not used up the key"


def test_the_key_with_another_name_is_refused(spectator: Person) -> None:
    register(spectator)
    for name in ("Francesco", "caterina"):
        answer = register(spectator, name)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "key-reused")
    assert register(spectator, "Francesco", key=None).status_code == 201


@pytest.mark.parametrize("key", ["1", "x" * 21])
def test_a_key_that_could_be_guessed_is_refused(spectator: Person, key: str) -> None:
    """Anybody who guessed the key would get the token."""
    answer = register(spectator, key=key)
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"]) == (400, "malformed-header")
    assert "22" in problem["detail"]
    assert register(spectator, key=None).status_code == 201


def test_of_many_at_once_one_is_the_first_and_all_get_one_token(spectator: Person) -> None:
    found = at_once(lambda _: register(Person(spectator._client.application.test_client())), 8)
    assert {(answer.status_code, answer.data) for answer in found} == {(201, found[0].data)}
    assert ["Idempotent-Replayed" in answer.headers for answer in found].count(False) == 1
    assert works(spectator, found[0].get_json())


def test_what_died_between_the_claim_and_the_registration_is_completed(
    spectator: Person, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(games.store.players, "register_once", _die)
        with pytest.raises(SystemExit):
            register(spectator)
    assert register(spectator).status_code == 201
    assert register(spectator).headers["Idempotent-Replayed"] == "true"


def _die(*_: object) -> None:
    raise SystemExit


def test_nothing_that_is_stored_gives_the_token_away_without_the_key(spectator: Person, log_server: Valkey) -> None:
    token = register(spectator).get_json()["token"].encode()
    with log_server.client() as client:
        stored = [client.dump(key) + key for key in client.scan_iter("*")]
        claims = list(client.scan_iter("*registration:*"))
        assert [0 < client.pttl(claim) <= answers.RETENTION for claim in claims] == [True]
    for secret in (token, token.partition(b".")[2], KEY.encode()):
        assert not any(secret in value for value in stored)
