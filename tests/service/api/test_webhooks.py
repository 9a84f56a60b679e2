"""Webhooks over HTTP: subscribing, changing, secrets, and the delivery log."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.store.deliveries import Lane, Outcome
from service.store.keys import SHARDS
from service.store.webhooks import MAX_WEBHOOKS
from service.webhooks import planning

from .conftest import Json, Person

URL = "https://bots.example.org/hook"
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
ALL = range(SHARDS)


def add(person: Person, status: int = 201, **asked: Any) -> Json:
    """Subscribe to events."""
    return person.post("/webhooks", {"url": URL, **asked}, status)


def change(person: Person, webhook: Json, status: int = 200, **asked: Any) -> Json:
    """Change a webhook."""
    answer = person.ask("PATCH", f"/webhooks/{webhook['id']}", json=asked)
    assert answer.status_code == status, answer.text
    body: Json = answer.get_json(force=True)
    return body


def verify(games: Games, webhook: Json) -> None:
    """Verify a webhook, as if its endpoint had responded to the ping."""
    games.store.webhooks.change(webhook["id"], {"verified": games.now()})


def deliveries(person: Person, webhook: Json) -> list[Json]:
    """Return the deliveries of a webhook, oldest first."""
    found: list[Json] = person.get(f"/webhooks/{webhook['id']}/deliveries?limit=100")["deliveries"]
    return found[::-1]


def test_a_webhook_is_told_everything_unless_it_asks_for_less(anna: Person) -> None:
    made = add(anna)
    assert (made["games"], made["payload"], made["active"], made["verified_at"]) == (None, "full", True, None)
    assert "turn.started" in made["events"]
    assert len(made["events"]) == 9
    assert made["secret"].startswith("whsec_")


def test_the_secret_is_shown_once(anna: Person) -> None:
    made = add(anna, secret=SECRET)
    assert made["secret"] == SECRET
    shown = anna.get(f"/webhooks/{made['id']}")
    assert "secret" not in shown
    assert anna.get("/webhooks") == {"webhooks": [shown]}
    assert made == {**shown, "secret": SECRET, "old_secret_until": None}


def test_a_new_secret_leaves_the_one_before_in_force_for_a_day(anna: Person, games: Games) -> None:
    made = add(anna, secret=SECRET)
    before = games.now()
    fresh = anna.post(f"/webhooks/{made['id']}/secret", status=201)
    assert fresh["secret"] != SECRET
    assert 0 <= fresh["old_secret_until"] - before - 86_400_000 < 60_000
    kept = games.store.webhooks.get(made["id"])
    assert kept is not None
    assert kept.valid_secrets(games.now()) == [fresh["secret"], SECRET]


def test_a_ping_follows_at_once(anna: Person) -> None:
    made = add(anna)
    (ping,) = deliveries(anna, made)
    assert (ping["type"], ping["status"], ping["game"], ping["tries"]) == ("ping", "waiting", None, [])
    assert "challenge" not in ping
    assert anna.get(f"/webhooks/{made['id']}/deliveries/{ping['number']}") == ping
    assert anna.post(f"/webhooks/{made['id']}/ping", status=202) == ping, "a waiting ping is reused"


def test_a_webhook_is_its_players_alone(anna: Person, bruno: Person, spectator: Person) -> None:
    made = add(anna)
    path = f"/webhooks/{made['id']}"
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/ping"), ("POST", "/secret")):
        answer = bruno.ask(method, path + rest)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "unknown-webhook"), rest
        assert spectator.ask(method, path + rest).status_code == 401
    assert change(bruno, made, 404, active=False)["code"] == "unknown-webhook"
    assert bruno.get("/webhooks") == {"webhooks": []}
    assert anna.get(path)["active"]


def test_a_webhook_is_changed_where_it_is_asked_to_be(anna: Person, games: Games) -> None:
    made = add(anna)
    verify(games, made)
    before = anna.get(f"/webhooks/{made['id']}")
    after = change(anna, made, events=["turn.started"], payload="thin", active=False)
    assert after == {**before, "events": ["turn.started"], "payload": "thin", "active": False}
    assert anna.get(f"/webhooks/{made['id']}") == after


def test_a_new_url_must_prove_itself_anew(anna: Person, games: Games) -> None:
    made = add(anna)
    verify(games, made)
    assert change(anna, made, url=URL)["verified_at"] is not None
    assert change(anna, made, url=URL + "/other")["verified_at"] is None
    assert [one["type"] for one in deliveries(anna, made)] == ["ping", "ping"]


def test_a_removed_webhook_is_gone(anna: Person) -> None:
    made = add(anna)
    answer = anna.ask("DELETE", f"/webhooks/{made['id']}")
    assert (answer.status_code, answer.data) == (204, b"")
    assert anna.get(f"/webhooks/{made['id']}", 404)["code"] == "unknown-webhook"
    assert anna.get("/webhooks") == {"webhooks": []}


def test_games_are_chosen_among_ones_own(anna: Person, bruno: Person) -> None:
    own, other = anna.open_game(), bruno.open_game()
    made = add(anna, games=[own["id"]])
    assert made["games"] == [own["id"]]
    assert add(anna, 403, games=[other["id"]])["code"] == "not-seated"
    assert add(anna, 404, games=["17zzzzzzzzzzzzzzzz"])["code"] == "unknown-game"
    assert change(anna, made, games=None)["games"] is None


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"url": "http://example.org/"}, "bad-endpoint"),
        ({"url": "ftp://example.org/"}, "bad-endpoint"),
        ({"url": "no address"}, "bad-endpoint"),
        ({"url": "https://localhost/v1/games"}, "bad-endpoint"),
        ({"url": ""}, "invalid-request"),
        ({"url": 7}, "invalid-request"),
        ({"events": []}, "invalid-request"),
        ({"events": ["turn.began"]}, "invalid-request"),
        ({"games": []}, "invalid-request"),
        ({"payload": "fat"}, "invalid-request"),
        ({"active": "yes"}, "invalid-request"),
        ({"secret": "whsec_c2hvcnQ="}, "bad-secret"),
        ({"secret": "open sesame"}, "bad-secret"),
        ({"uri": URL}, "unknown-field"),
    ],
)
def test_what_is_asked_wrongly_is_refused_and_makes_nothing(anna: Person, asked: Json, code: str) -> None:
    assert add(anna, 422, **asked)["code"] == code
    assert anna.get("/webhooks") == {"webhooks": []}


@pytest.mark.parametrize("host", ["play.example.org", "play.example.org:443", "PLAY.example.org"])
def test_a_webhook_does_not_lead_back_to_the_service(anna: Person, host: str) -> None:
    """It is refused in any spelling of the address."""
    asked = {"url": f"https://{host}/v1/games"}
    answer = anna.ask("POST", "/webhooks", json=asked, base_url="https://play.example.org")
    assert answer.get_json(force=True)["code"] == "webhook-loop"


def test_a_delivery_that_comes_to_the_service_is_refused(anna: Person) -> None:
    answer = anna.ask("POST", "/games", json={"edition": "zman-2018", "seats": 3}, headers={"webhook-id": "msg_1"})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (403, "loop-detected")


def test_nobody_may_have_too_many(anna: Person) -> None:
    for _ in range(MAX_WEBHOOKS):
        add(anna)
    assert add(anna, 409)["code"] == "too-many-webhooks"


def test_what_happens_is_planned_for_those_it_concerns(anna: Person, bruno: Person, games: Games) -> None:
    mine, his = add(anna), add(bruno, events=["game.started", "turn.started"])
    for made in (mine, his):
        verify(games, made)
    game = anna.open_game(seats=2, edition="ffg-2007")
    bruno.post(f"/games/{game['id']}/join", {})
    assert not planning.plan(games, ALL).more
    told = [(one["type"], one["version"], one["sequence"]) for one in deliveries(anna, mine)[1:]]
    turn = anna.get(f"/games/{game['id']}")["position"]["turn"]
    starts = [("game.started", 2, 2)]
    assert told == [("table.changed", 1, 1), *starts, *([("turn.started", 2, 3)] if turn == 0 else [])]
    assert [one["type"] for one in deliveries(bruno, his)[1:]] == ["game.started"] + ["turn.started"] * (turn == 1)


def test_what_has_been_planned_is_not_planned_again(anna: Person, games: Games) -> None:
    made = add(anna)
    verify(games, made)
    game = anna.open_game()
    planning.plan(games, ALL)
    before = deliveries(anna, made)
    planning.plan(games, ALL)
    planning.plan_game(games, game["id"], 1, 1)
    assert deliveries(anna, made) == before


def test_a_commit_whose_announcement_was_lost_is_planned_with_the_next(
    anna: Person, games: Games, against_bots: Json
) -> None:
    """An outbox remembers only a limited number of entries."""
    made = add(anna, events=["game.started", "game.moved"])
    verify(games, made)
    version = against_bots["version"]
    planning.plan_game(games, against_bots["id"], version, version)
    game = anna.move(against_bots, against_bots["moves"][0])
    while len(games.store.log.load(game["id"]).commits) < version + 3:  # type: ignore[union-attr]
        game = anna.get(f"/games/{game['id']}")
        if game["moves"]:
            anna.move(game, game["moves"][0])
        else:
            play_bot_turn(games, game["id"])
    planning.plan_game(games, game["id"], version + 3, version + 3)
    assert [one["version"] for one in deliveries(anna, made)[1:]] == list(range(version, version + 4))


def test_an_unverified_or_inactive_webhook_is_told_nothing(anna: Person, games: Games) -> None:
    unverified, paused = add(anna), add(anna, active=False)
    verify(games, paused)
    anna.open_game()
    planning.plan(games, ALL)
    for made in (unverified, paused):
        assert [one["type"] for one in deliveries(anna, made)] == ["ping"]


def test_a_webhook_of_chosen_games_is_told_of_no_other(anna: Person, games: Games) -> None:
    chosen = anna.open_game()
    made = add(anna, games=[chosen["id"]])
    verify(games, made)
    anna.open_game()
    planning.plan(games, ALL)
    assert {one["game"] for one in deliveries(anna, made)[1:]} == {chosen["id"]}


def failed(games: Games, webhook: Json, number: int) -> None:
    """Let a number of planned deliveries fail for the webhook's only game."""
    for _ in range(number):
        taken = games.store.deliveries.take("p", ["p"], dict.fromkeys(ALL, 9))
        (lane,) = (lane for lane in taken if lane.game != "-")
        first = games.store.deliveries.first(Lane(webhook["id"], lane.game)).delivery
        assert first is not None
        games.store.deliveries.settle(lane, "p", Outcome({**first, "status": "failed"}), 1_000)


def test_deliveries_are_sent_once_more_when_they_are_asked_for(anna: Person, games: Games, against_bots: Json) -> None:
    made = add(anna)
    verify(games, made)
    planning.plan_game(games, against_bots["id"], 1, 2)
    total = len(deliveries(anna, made)) - 1
    failed(games, made, total)
    path = f"/webhooks/{made['id']}/deliveries"
    assert anna.post(f"{path}/2/redeliver", status=202)["status"] == "waiting"
    assert anna.get(f"{path}/2")["status"] == "waiting"
    assert anna.post(f"{path}/redeliver", {"first": 1, "last": 100}, 202) == {"waiting": total - 1}
    assert {one["status"] for one in deliveries(anna, made)} == {"waiting"}
    assert anna.post(f"{path}/99/redeliver", status=404)["code"] == "unknown-delivery"
    assert anna.post(f"{path}/redeliver", {"first": 3, "last": 2}, 422)["code"] == "invalid-request"
    assert list(anna.post(f"{path}/redeliver", {"first": 1, "last": 5_000}, 422)["errors"]) == ["last"]


def test_a_disabled_webhook_is_told_of_in_me_until_it_is_enabled(anna: Person, games: Games) -> None:
    made = add(anna)
    games.store.webhooks.change(made["id"], {"active": False, "disabled": "failing", "failing": games.now()})
    notice = {"type": "webhook-disabled", "webhook": made["id"], "reason": "failing"}
    assert anna.get("/me")["notices"] == [notice]
    after = change(anna, made, active=True)
    assert (after["active"], after["disabled"], after["failing_since"]) == (True, None, None)
    assert anna.get("/me")["notices"] == []


def test_pages_of_deliveries_follow_each_other(anna: Person, games: Games) -> None:
    made = add(anna)
    verify(games, made)
    for _ in range(4):
        anna.open_game()
    planning.plan(games, ALL)
    path = f"/webhooks/{made['id']}/deliveries?limit=3"
    page = anna.get(path)
    assert [one["number"] for one in page["deliveries"]] == [5, 4, 3]
    page = anna.get(f"{path}&before={page['next']}")
    assert ([one["number"] for one in page["deliveries"]], page["next"]) == ([2, 1], None)
