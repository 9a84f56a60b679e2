"""Invitations: the owner invites players by name, and only these two see the invitation."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from engine import EDITIONS, NEWEST
from service.games.repository import Games
from service.idempotency import Attempt, begin
from service.problems import Problem
from service.tables.invitations import REASONS, accept, decline
from service.webhooks import invitations as told
from service.webhooks import planning

from ..times import DAY, HOUR, Time
from .conftest import Json, Person
from .receivers import IN_EVERY_FORMAT, receivers_of, that_differ
from .test_private_games import channels, requests_about
from .test_webhooks import ALL, add, deliveries, verify


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def invite(owner: Person, game: str, name: str = "Bruno", **more: Any) -> Json:
    return owner.post(f"/games/{game}/invitations", {"player": name, **more}, 201)


def waiting(player: Person) -> list[Json]:
    """Return the invitations to which a player has not responded."""
    found: list[Json] = player.get("/me/invitations")["invitations"]
    return found


def of_table(owner: Person, game: str) -> list[tuple[str, str | None]]:
    """Return the status and reason of each invitation, as the owner sees them."""
    return [(one["status"], one["reason"]) for one in owner.get(f"/games/{game}/table")["invitations"]]


def test_an_invited_player_accepts_and_is_seated(anna: Person, bruno: Person) -> None:
    game = anna.open_game(title="Sunday")["id"]
    made = invite(anna, game)
    (received,) = waiting(bruno)
    assert (received["game"], received["by_name"], received["title"], received["seats"]) == (game, "Anna", "Sunday", 3)
    assert {**received, **made} == received
    assert bruno.post(f"/games/{game}/invitation/accept", {"entropy": "c0"})["you"] == 1
    assert waiting(bruno) == []
    assert of_table(anna, game) == [("accepted", None)]


@pytest.mark.parametrize("reason", REASONS)
def test_a_player_declines_with_a_reason_and_is_not_asked_again(anna: Person, bruno: Person, reason: str) -> None:
    game = anna.open_game()["id"]
    invite(anna, game)
    answer = bruno.ask("POST", f"/games/{game}/invitation/decline", json={"reason": reason})
    assert answer.status_code == 204
    assert waiting(bruno) == []
    assert of_table(anna, game) == [("declined", reason)]
    assert anna.post(f"/games/{game}/invitations", {"player": "Bruno"}, 409)["code"] == "invitation-declined"
    assert bruno.post(f"/games/{game}/invitation/accept", status=404)["code"] == "no-invitation"
    assert bruno.post(f"/games/{game}/join")["you"] == 1


@pytest.mark.parametrize("accepts", [False, True])
def test_a_repetition_may_answer_an_invitation_before_the_first_request_does(
    anna: Person, bruno: Person, games: Games, accepts: bool
) -> None:
    def answered(attempt: Attempt) -> object:
        if accepts:
            return accept(games, game, bruno.id, b"", attempt).game.version
        return decline(games, game, bruno.id, "pace", attempt)

    game = anna.open_game()["id"]
    invite(anna, game)
    first, repetition, other = (begin(games.store, bruno.id, "POST /answer", key, "body") for key in "112")
    effect = answered(repetition)
    waiting(bruno)
    assert answered(first) == effect
    with pytest.raises(Problem, match="you have no pending invitation to this game"):
        answered(other)


def test_an_invitation_expires(anna: Person, bruno: Person, time: Time) -> None:
    game = anna.open_game(private=True)["id"]
    invite(anna, game, seconds=HOUR // 1000)
    assert bruno.get(f"/games/{game}")["id"] == game
    time.passes(HOUR)
    assert waiting(bruno) == []
    assert of_table(anna, game) == [("expired", None)]
    assert bruno.get(f"/games/{game}", 404)["code"] == "unknown-game"
    invite(anna, game)
    assert bruno.get(f"/games/{game}")["id"] == game


def test_an_invitation_to_a_private_game_opens_it_until_it_starts(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True, seats=3, bots=[{"seat": 1, "bot": "steady"}])["id"]
    invite(anna, game)
    assert bruno.get(f"/games/{game}/table")["link"] is None
    anna.post(f"/games/{game}/seat-bot", {"seat": 2, "bot": "steady"})
    assert bruno.get(f"/games/{game}", 404)["code"] == "unknown-game"
    assert waiting(bruno) == []


def test_the_owner_withdraws_an_invitation(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True)["id"]
    invite(anna, game)
    for _ in range(2):
        assert anna.ask("DELETE", f"/games/{game}/invitations/{bruno.id}").status_code == 204
    assert waiting(bruno) == []
    assert of_table(anna, game) == []
    assert bruno.get(f"/games/{game}", 404)["code"] == "unknown-game"


def test_inviting_again_returns_the_same_invitation(anna: Person, bruno: Person, time: Time) -> None:
    game = anna.open_game()["id"]
    first = invite(anna, game)
    time.passes(HOUR)
    assert invite(anna, game, bruno.id) == first
    assert len(waiting(bruno)) == 1


def test_who_may_be_invited(anna: Person, bruno: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game()["id"]
    where = f"/games/{game}/invitations"
    assert bruno.post(where, {"player": "Anna"}, 403)["code"] == "not-the-owner"
    for nobody in ("Nobody", "p00000000000", ""):
        assert anna.post(where, {"player": nobody}, 422)["code"] == "invalid-request"
    assert anna.post(where, {"player": "Anna"}, 409)["code"] == "already-seated"
    gone = person("Carla")
    gone.ask("DELETE", "/me", json={"name": "Carla"})
    assert anna.post(where, {"player": gone.id}, 422)["code"] == "invalid-request"
    bruno.post(f"/games/{game}/join")
    assert anna.post(where, {"player": "Bruno"}, 409)["code"] == "already-seated"
    person("Dora").post(f"/games/{game}/join")
    assert anna.post(where, {"player": "Bruno"}, 409)["code"] == "game-started"


def test_a_game_has_at_most_twenty_invitations(anna: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game()["id"]
    for number in range(21):
        person(f"guest-{number}")
    for number in range(20):
        invite(anna, game, f"guest-{number}")
    refused = anna.post(f"/games/{game}/invitations", {"player": "guest-20"}, 409)
    assert refused["code"] == "too-many-invitations"


@pytest.mark.parametrize("key", EDITIONS)
def test_nobody_else_notices_an_invitation(
    anna: Person, bruno: Person, person: Callable[..., Person], spectator: Person, games: Games, key: str
) -> None:
    """Two worlds, with and without an invitation that is sent and declined, show everybody else equal bytes.

    The invited player sees the invitation and is notified on every channel. The same holds for the owner and the
    answer. A duel has no third seat.
    """
    seat, stranger = person("Carla"), person("Dora")
    seats = min(4, NEWEST[key].most_seats)
    game = anna.open_game(edition=key, seats=seats)["id"]
    others = {"stranger": stranger, "nobody": spectator}
    if seats > 2:
        seat.post(f"/games/{game}/join")
        others["seat"] = seat
    people = {**others, "invited": bruno, "owner": anna}
    receivers = {name: receivers_of(games, other) if other.id else None for name, other in people.items()}
    reads = ("getGame", "getTable", "getEvents", "getRecord")
    answers = ("acceptInvitation", "declineInvitation")

    def seen() -> dict[str, dict[str, Any]]:
        return {
            name: requests_about(other, game, (*reads, *answers) if name in others else reads)
            | channels(other, receivers[name], anna, bruno)
            for name, other in people.items()
        }

    before = seen()
    invite(anna, game)
    sent = {name: that_differ(before[name], now) for name, now in seen().items()}
    bruno.ask("POST", f"/games/{game}/invitation/decline", json={"reason": "pace"})
    declined = {name: that_differ(before[name], now) for name, now in seen().items()}
    for name in others:
        assert not sent[name] | declined[name]
    told = {"stream", *IN_EVERY_FORMAT}
    assert sent["invited"] >= {"invitations", "export", *told}
    assert not told & sent["owner"]
    assert declined["owner"] >= {"getTable", *told}


def test_a_long_poll_ends_with_an_invitation(anna: Person, bruno: Person) -> None:
    empty = bruno.get("/me/invitations")
    assert bruno.get(f"/me/invitations?after={empty['next']}&wait=0") == empty
    game = anna.open_game()["id"]
    invite(anna, game)
    found = bruno.get(f"/me/invitations?after={empty['next']}&wait=25")
    assert [one["game"] for one in found["invitations"]] == [game]
    assert found["next"] != empty["next"]


FEED = "/me/events?invitations=true"


def noticed(player: Person, path: str = FEED) -> list[Json]:
    """Return the notices about invitations in a player's feed."""
    found: list[Json] = player.get(path)["invitations"]
    return found


def test_a_feed_has_invitations_and_answers_for_those_who_ask(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True)["id"]
    made = invite(anna, game)
    (received,) = noticed(bruno)
    assert (received["type"], received["game"], received["at"]) == ("invitation.received", game, made["invited_at"])
    about = received["invitation"]
    assert (about["kind"], about["name"], about["by_name"], about["reason"]) == ("invitation", "Bruno", "Anna", None)
    assert noticed(anna) == []
    bruno.ask("POST", f"/games/{game}/invitation/decline", json={"reason": "pace"})
    (declined,) = noticed(anna)
    assert (declined["type"], declined["invitation"]["reason"]) == ("invitation.declined", "pace")
    for player in (anna, bruno):
        feed = player.get(FEED)
        assert noticed(player, f"{FEED}&after={feed['next']}") == []
        assert player.get(f"{FEED}&after=now") == {"commits": [], "invitations": [], "next": feed["next"]}
        assert "invitations" not in player.get("/me/events")


def test_a_rematch_that_is_proposed_is_in_the_feed(anna: Person, bruno: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2)["id"]
    bruno.post(f"/games/{game}/join")
    bruno.post(f"/games/{game}/resign")
    rematch = anna.post(f"/games/{game}/rematch", status=201)["id"]
    (notice,) = noticed(bruno)
    assert (notice["type"], notice["game"]) == ("rematch.proposed", rematch)
    assert (notice["invitation"]["kind"], notice["invitation"]["rematch_of"]) == ("rematch", game)


def test_a_feed_hides_invitations_that_are_withdrawn_or_from_blocked_players(anna: Person, bruno: Person) -> None:
    game = anna.open_game()["id"]
    invite(anna, game)
    bruno.ask("PUT", f"/me/blocks/{anna.id}")
    assert noticed(bruno) == []
    bruno.ask("DELETE", f"/me/blocks/{anna.id}")
    assert len(noticed(bruno)) == 1
    anna.ask("DELETE", f"/games/{game}/invitations/{bruno.id}")
    assert noticed(bruno) == []


def test_a_refusal_that_was_withdrawn_is_not_shown_of_a_new_invitation(anna: Person, bruno: Person) -> None:
    game = anna.open_game()["id"]
    invite(anna, game)
    bruno.ask("POST", f"/games/{game}/invitation/decline")
    assert len(noticed(anna)) == 1
    anna.ask("DELETE", f"/games/{game}/invitations/{bruno.id}")
    invite(anna, game)
    assert noticed(anna) == []
    assert {one["invitation"]["reason"] for one in noticed(bruno)} == {None}


def test_a_poll_and_a_stream_of_a_feed_get_an_invitation(anna: Person, bruno: Person, app: Flask) -> None:
    start = bruno.get(f"{FEED}&after=now")["next"]
    game = anna.open_game()["id"]
    with ThreadPoolExecutor(1) as threads:
        poll = threads.submit(noticed, bruno, f"{FEED}&after={start}&wait=25")
        invite(anna, game)
        assert [one["game"] for one in poll.result(timeout=30)] == [game]
    for path, is_told in (("", False), ("&invitations=true", True)):
        where = f"/v1/me/events/stream?after={start}{path}"
        with app.test_client().get(where, headers=bruno.headers) as answer:
            assert (b"invitation.received" in next(answer.iter_encoded())) is is_told


def test_webhooks_hear_of_invitations_and_answers(anna: Person, bruno: Person, games: Games) -> None:
    webhooks = {person: add(person, events=["invitation.received", "invitation.declined"]) for person in (anna, bruno)}
    for webhook in webhooks.values():
        verify(games, webhook)
    game = anna.open_game()["id"]
    invite(anna, game)
    for _ in range(2):
        told.plan(games, ALL)
    bruno.ask("POST", f"/games/{game}/invitation/decline")
    for _ in range(2):
        told.plan(games, ALL)
    planning.plan(games, ALL)
    heard = {
        person.id: [one["type"] for one in deliveries(person, webhook) if one["type"] != "ping"]
        for person, webhook in webhooks.items()
    }
    assert heard == {anna.id: ["invitation.declined"], bruno.id: ["invitation.received"]}


def test_a_deleted_account_leaves_no_invitation(anna: Person, bruno: Person) -> None:
    game = anna.open_game()["id"]
    invite(anna, game)
    assert [one["game"] for one in bruno.get("/me/export")["invitations"]] == [game]
    bruno.ask("DELETE", "/me", json={"name": "Bruno"})
    assert of_table(anna, game) == []


def test_invitations_last_at_most_a_month(anna: Person) -> None:
    game = anna.open_game()["id"]
    for seconds in (59, 30 * DAY // 1000 + 1):
        body = {"player": "Bruno", "seconds": seconds}
        assert anna.post(f"/games/{game}/invitations", body, 422)["code"] == "invalid-request"
