"""Replacing a token: what the old token, webhooks and waiting requests may do afterwards."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.games.repository import Games

from ..servers import Valkey, until
from .conftest import Json, Person, at_once
from .test_webhooks import SECRET, URL, add, change


def replaced(person: Person, body: Any = None) -> Json:
    """Replace a person's token, and let the person use the new one."""
    after = person.post("/me/token", body, 201)
    person.headers = {"Authorization": f"Bearer {after['token']}"}
    return after


@pytest.mark.parametrize("body", [None, {}])
def test_a_new_token_leaves_webhooks_as_they_are_and_lists_the_active_ones(anna: Person, body: Json | None) -> None:
    active, idle = add(anna), add(anna, active=False)
    shown = anna.get("/webhooks")["webhooks"]
    after = replaced(anna, body)
    assert anna.get("/webhooks")["webhooks"] == shown
    assert after["webhooks"] == [one for one in shown if one["id"] == active["id"]]
    assert not anna.get(f"/webhooks/{idle['id']}")["active"]


def test_pausing_stops_every_webhook_and_takes_its_secrets_out_of_force(anna: Person, games: Games) -> None:
    made = [add(anna, secret=SECRET), add(anna, active=False)]
    anna.post(f"/webhooks/{made[0]['id']}/secret", status=201)
    after = replaced(anna, {"webhooks": "pause"})
    assert [one["id"] for one in after["webhooks"]] == [one["id"] for one in made]
    for shown in after["webhooks"]:
        secret = shown.pop("secret")
        assert shown == anna.get(f"/webhooks/{shown['id']}")
        assert not shown["active"]
        kept = games.store.webhooks.get(shown["id"])
        assert kept is not None
        assert kept.valid_secrets(0) == [secret], "no older secret signs any more"
    assert change(anna, made[0], active=True)["active"]


def test_pausing_concerns_ones_own_webhooks_only(anna: Person, bruno: Person) -> None:
    add(anna)
    his = add(bruno)
    replaced(anna, {"webhooks": "pause"})
    assert bruno.get(f"/webhooks/{his['id']}")["active"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"webhooks": "stop"}, "invalid-request"),
        ({"webhooks": None}, "invalid-request"),
        ({"hooks": 1}, "unknown-field"),
    ],
)
def test_a_wish_that_is_not_known_leaves_the_token_alone(anna: Person, body: Json, code: str) -> None:
    add(anna, url=URL)
    assert anna.post("/me/token", body, 422)["code"] == code
    assert anna.get("/webhooks")["webhooks"][0]["active"]


@pytest.mark.parametrize("path", ["/games/{game}/events?after={version}&wait=20", "/me/events?after=now&wait=20"])
def test_who_waits_with_a_token_that_is_replaced_is_shown_nothing(
    anna: Person, bruno: Person, games: Games, path: str
) -> None:
    """A poll that started before must not return a hand that is dealt afterwards."""
    game = anna.open_game(edition="zman-2018-duel", seats=2)
    _waits_in_vain(anna, games, path.format(game=game["id"], version=game["version"]), game, bruno)


def test_an_inbox_that_is_waited_for_with_a_replaced_token_shows_nothing(
    anna: Person, bruno: Person, games: Games
) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2)
    cursor = anna.get("/me/turns")["next"]
    _waits_in_vain(anna, games, f"/me/turns?after={cursor}&wait=20", game, bruno)


def _waits_in_vain(anna: Person, games: Games, path: str, game: Json, bruno: Person) -> None:
    answers: list[Json] = []
    old = Person(anna._client.application.test_client())
    old.headers = anna.headers
    poll = Thread(target=lambda: answers.append(old.get(path, 401)))
    poll.start()
    until(lambda: bool(games.store.waits._waiters))
    replaced(anna)
    bruno.post(f"/games/{game['id']}/join")
    while poll.is_alive() and not answers:
        if (now := anna.get(f"/games/{game['id']}"))["moves"]:
            anna.move(now, now["moves"][0])
        elif (now := bruno.get(f"/games/{game['id']}"))["moves"]:
            bruno.move(now, now["moves"][0])
    poll.join()
    assert [answer["code"] for answer in answers] == ["token-unknown"]


# With a key

KEY = "9f86d081-884c-4d65-9a2f-eaa0c55ad015"


def ask(person: Person, body: Any = None, key: str = KEY) -> TestResponse:
    """Request a new token with a key, but continue to use the old one."""
    return person.ask("POST", "/me/token", json={} if body is None else body, headers={"Idempotency-Key": key})


def with_token(person: Person, token: str) -> Person:
    """Return the same person with another token."""
    other = Person(person._client.application.test_client())
    other.headers = {"Authorization": f"Bearer {token}"}
    return other


@pytest.mark.parametrize("body", [{}, {"webhooks": "pause"}])
def test_a_lost_answer_is_asked_for_again_with_the_old_token(anna: Person, games: Games, body: Json) -> None:
    add(anna), add(anna, active=False)
    first, *others = [ask(anna, body) for _ in range(3)]
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first.headers
    for again in others:
        assert (again.status_code, again.data) == (201, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"
    token = first.get_json()["token"]
    assert ask(with_token(anna, token), body).data == first.data, "the caller is the same, with either token"
    assert with_token(anna, token).get("/me")["id"] == anna.id
    for webhook in first.get_json()["webhooks"]:
        kept = games.store.webhooks.get(webhook["id"])
        assert kept is not None
        assert (not kept.active and kept.valid_secrets(0) == [webhook["secret"]]) if body else kept.active


def test_the_old_token_opens_nothing_else(anna: Person) -> None:
    ask(anna)
    assert anna.get("/me", 401)["code"] == "token-unknown"
    assert anna.post("/games", {"edition": "zman-2018", "seats": 3}, 401)["code"] == "token-unknown"
    assert anna.post("/me/token", None, 401)["code"] == "token-unknown"
    assert ask(anna, key=KEY[::-1]).status_code == 401
    assert ask(anna, {"webhooks": "pause"}).get_json(force=True)["code"] == "key-reused"


def test_somebody_elses_token_and_a_made_up_one_open_nothing_with_the_key(anna: Person, bruno: Person) -> None:
    first = ask(anna).get_json()
    assert ask(with_token(anna, f"{anna.id}.{'x' * 43}")).status_code == 401
    assert ask(bruno).get_json()["token"] != first["token"]
    assert with_token(anna, first["token"]).get("/me")["id"] == anna.id


@pytest.mark.parametrize("key", ["1", "x" * 21])
def test_a_key_that_a_thief_could_guess_is_refused(anna: Person, key: str) -> None:
    assert ask(anna, key=key).get_json(force=True)["code"] == "malformed-header"
    assert anna.get("/me")["id"] == anna.id


def test_a_token_that_was_replaced_again_is_not_brought_back(anna: Person) -> None:
    first = ask(anna).get_json()["token"]
    second = ask(with_token(anna, first), key=KEY[::-1]).get_json()["token"]
    assert second != first
    assert ask(anna).get_json()["token"] == first
    assert with_token(anna, first).get("/me", 401)["code"] == "token-unknown"
    assert with_token(anna, second).get("/me")["id"] == anna.id


@pytest.mark.parametrize("method", ["replace_token", "record"])
def test_what_died_on_the_way_is_completed_with_the_old_token(
    anna: Person, games: Games, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def die(*_: object) -> None:
        raise SystemExit

    made = add(anna)
    with monkeypatch.context() as patched:
        patched.setattr(games.store.answers if method == "record" else games.store.players, method, die)
        with pytest.raises(SystemExit):
            ask(anna, {"webhooks": "pause"})
    first = ask(anna, {"webhooks": "pause"})
    assert first.status_code == 201
    assert ask(anna, {"webhooks": "pause"}).data == first.data
    assert [one["id"] for one in first.get_json()["webhooks"]] == [made["id"]]
    assert with_token(anna, first.get_json()["token"]).get("/me")["id"] == anna.id


def test_an_attempt_that_died_for_an_older_token_is_made_for_the_one_that_is_sent(
    anna: Person, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(games.store.players, "replace_token", die)
        with pytest.raises(SystemExit):
            ask(anna)
    now = with_token(anna, anna.post("/me/token", status=201)["token"])
    assert ask(anna).status_code == 401
    first = ask(now)
    assert first.status_code == 201
    assert ask(now).data == first.data
    assert with_token(anna, first.get_json()["token"]).get("/me")["id"] == anna.id


def test_of_two_who_replace_one_token_with_different_keys_one_is_refused(anna: Person) -> None:
    """Neither request gets a token that does not work."""
    answers = at_once(lambda number: ask(anna, key=KEY if number else KEY[::-1]), 2)
    given = [answer.get_json()["token"] for answer in answers if answer.status_code == 201]
    assert len(given) == 1
    assert with_token(anna, given[0]).get("/me")["id"] == anna.id


def test_the_same_request_many_times_at_once_gives_one_token(anna: Person) -> None:
    made = add(anna)
    answers = at_once(lambda _: ask(anna, {"webhooks": "pause"}), 8)
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
    assert ["Idempotent-Replayed" in answer.headers for answer in answers].count(False) == 1
    assert [one["id"] for one in answers[0].get_json()["webhooks"]] == [made["id"]]


def test_nothing_is_stored_in_clear_that_opens_anything(anna: Person, log_server: Valkey) -> None:
    old = anna.headers["Authorization"].removeprefix("Bearer ")
    new = ask(anna).get_json()["token"]
    with log_server.client() as client:
        stored = [client.dump(key) + key for key in client.scan_iter("*")]
    secrets = [part for token in (old, new) for part in (token, token.partition(".")[2])]
    for secret in (*secrets, KEY):
        assert not any(secret.encode() in value for value in stored)
