"""Registration, tokens, and the caller's own account."""

from __future__ import annotations

import pytest

from service.games.repository import Games

from ..servers import Valkey
from .conftest import Person


def test_a_player_registers_and_is_known_by_the_token(anna: Person) -> None:
    me = anna.get("/me")
    assert {key: me[key] for key in ("id", "name", "notices")} == {"id": anna.id, "name": "Anna", "notices": []}
    record = {"moves": 0, "timeouts": 0, "move_times": None}
    assert anna.get(f"/players/{anna.id}") == {"id": anna.id, "name": "Anna", "record": record}


@pytest.mark.usefixtures("anna")
def test_a_name_is_unique_whatever_its_case(spectator: Person) -> None:
    assert spectator.post("/players", {"name": "ANNA"}, 409)["code"] == "name-taken"


def test_a_new_token_ends_the_old_one(anna: Person) -> None:
    token = anna.post("/me/token", status=201)["token"]
    assert anna.get("/me", 401)["code"] == "token-unknown"
    anna.headers["Authorization"] = f"Bearer {token}"
    assert anna.get("/me")["id"] == anna.id


def test_the_token_is_stored_as_a_hash_only(anna: Person, log_server: Valkey) -> None:
    secret = anna.headers["Authorization"].removeprefix("Bearer ").encode()
    with log_server.client() as client:
        stored = [client.dump(key) for key in client.scan_iter("*")]
    assert stored
    assert not any(secret in value or secret.split(b".")[1] in value for value in stored if value)


def test_nobody_has_no_token(spectator: Person) -> None:
    answer = spectator.ask("GET", "/me")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.get_json(force=True)["code"] == "token-required"


def test_other_schemes_and_wrong_tokens_are_refused(anna: Person, games: Games) -> None:
    token = anna.headers["Authorization"].removeprefix("Bearer ")
    for sent in (f"Basic {token}", "Bearer", "Bearer nonsense", f"Bearer {token}x", f"Bearer {anna.id}."):
        anna.headers["Authorization"] = sent
        assert anna.get("/me", 401)["code"] == "token-unknown"
    assert games.store.players.get(anna.id) is not None


def test_nobody_has_an_id_that_was_never_given(spectator: Person) -> None:
    assert spectator.get("/players/p00aaaaaaaaaa", 404)["code"] == "unknown-player"
