"""Replacing a token: what the old one, the webhooks and whoever waits may do afterwards."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

from service.games import Games

from ..servers import until
from .conftest import Json, Person
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
    assert [one["id"] for one in after["webhooks"]] == [active["id"]]
    assert anna.get("/webhooks")["webhooks"] == shown
    assert after["webhooks"] == shown[:1]
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
        assert kept.valid_secrets(0) == [secret], "no older one signs any more"
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
    """A poll that was begun before must not hand out the hand that is dealt after."""
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
    until(lambda: bool(games.store.wakes._waiters))
    replaced(anna)
    bruno.post(f"/games/{game['id']}/join")
    while poll.is_alive() and not answers:
        if (now := anna.get(f"/games/{game['id']}"))["moves"]:
            anna.move(now, now["moves"][0])
        elif (now := bruno.get(f"/games/{game['id']}"))["moves"]:
            bruno.move(now, now["moves"][0])
    poll.join()
    assert [answer["code"] for answer in answers] == ["token-unknown"]
