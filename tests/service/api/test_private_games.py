"""Private games: for anybody without a seat or the link, they do not exist on any channel."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine import EDITIONS, NEWEST
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.store.keys import new_game_id, of_game
from service.views.feeds import GameFollower, next_batches

from ..servers import Valkey
from .conftest import Json, Person, as_host
from .receivers import Receivers, receivers_of, that_differ
from .test_looks_equal import begun
from .test_openapi import operations

BOTS: list[Json] = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]


EVERYTHING = "/me/events?talk=true&invitations=true"
"""The feed of a player with all optional contents."""


def with_link(secret: str) -> dict[str, str]:
    return {"Game-Link": secret}


def secret_of(person: Person, game: str) -> str:
    """Return the secret in a private game's link, as a player at the table sees it."""
    secret: str = person.get(f"/games/{game}/table")["link"]["secret"]
    return secret


def requests_about(caller: Person, game: str, names: Sequence[str] = ()) -> dict[str, tuple[int, bytes]]:
    """Return a caller's responses from each operation with a game in its path, without the game's id.

    If `names` are given, only these operations are asked.
    """
    found = {}
    for path, method, operation in operations():
        if (
            "{game_id}" not in path
            or path.startswith("/v1/admin")
            or operation["operationId"] not in (names or [operation["operationId"]])
        ):
            continue
        filled = re.sub(r"\{(?!game_id)\w+\}", "1", path.removeprefix("/v1")).format(game_id=game)
        content = operation.get("requestBody", {}).get("content", {})
        body = content.get("application/json", {}).get("example")
        sent: Json = {} if body is None else {"json": body}
        headers = {"If-Match": '"1"'} if operation["operationId"] == "makeMove" else {}
        with caller.ask(method.upper(), filled, headers=headers, **sent) as answer:
            found[operation["operationId"]] = answer.status_code, answer.data.replace(game.encode(), b"?")
    return found


def seen_of_others(caller: Person, *players: Person) -> list[Any]:
    """Return the bytes from all channels on which a caller may learn about other people's games."""
    names = ["Anna", "Bruno"]
    paths = [
        *(f"/games?status={status}" for status in ("open", "running", "finished", "substitute")),
        *(f"/games?status={status}&player={name}" for status in ("open", "running", "finished") for name in names),
        *(f"/games?status={status}&limit=1&player=Anna&free_seat=true" for status in ("open", "running")),
        *(f"/players/{player.id}" for player in players),
        "/announcements",
        *(["/games?status=mine", "/me/events", EVERYTHING, "/me/turns"] if caller.id else []),
    ]
    answers = [caller.ask("GET", path) for path in paths]
    assert all(answer.status_code == 200 for answer in answers)
    notices = caller.get("/me")["notices"] if caller.id else []
    return [*(answer.data for answer in answers), notices]


def play_to_the_end(games: Games, game: Json, player: Person) -> Json:
    """Play a game against bots, and return it when it is over."""
    while game["status"] == "running":
        if game["moves"]:
            game = player.move(game, game["moves"][-1])
        else:
            assert play_bot_turn(games, game["id"])
            game = player.get(f"/games/{game['id']}")
    return game


def channels(caller: Person, receivers: Receivers | None, *players: Person) -> dict[str, Any]:
    """Return the bytes from all channels on which a caller may learn about other people's games, by channel."""
    found: dict[str, Any] = {"others": seen_of_others(caller, *players)}
    if receivers is None:
        return found
    found["export"] = {**caller.get("/me/export"), "exported_at": 0, "hours": {}}
    found["invitations"] = caller.get("/me/invitations")
    found["stream"] = begun(caller, "/me/events/stream?talk=true&invitations=true")
    return found | receivers.sent()


@pytest.mark.parametrize(
    "key",
    [
        "zman-2018",
        "zman-2018-duel",
        *(pytest.param(key, marks=pytest.mark.slow) for key in sorted({*EDITIONS} - {"zman-2018", "zman-2018-duel"})),
    ],
)
def test_nothing_tells_a_stranger_of_a_private_game(
    anna: Person, bruno: Person, person: Callable[..., Person], spectator: Person, games: Games, key: str
) -> None:
    """Two worlds, with and without private games that are opened, joined, played and finished, look equal to strangers.

    A player of such a game sees it and is notified about it. Everybody sees a game that is not private.
    """
    stranger, seats = person("Carla"), min(3, NEWEST[key].most_seats)
    asked: Json = {"edition": key, "seats": seats, "title": "Secret"}
    against = {**asked, "bots": [bot for bot in BOTS if bot["seat"] < seats]}
    anna.open_game(title="Everybody is welcome")
    callers: list[Person] = [stranger, spectator, bruno]
    receivers = [receivers_of(games, stranger), None, receivers_of(games, bruno)]
    before = [channels(*each, anna, bruno) for each in zip(callers, receivers, strict=True)]
    waiting = anna.open_game(private=True, **asked)["id"]
    bruno.ask("POST", f"/games/{waiting}/join", headers=with_link(secret_of(anna, waiting)))
    running = anna.open_game(private=True, **against)
    over = play_to_the_end(games, anna.open_game(private=True, **against), anna)
    assert over["status"] == "finished"
    after = [channels(*each, anna, bruno) for each in zip(callers, receivers, strict=True)]
    told = [that_differ(*each) for each in zip(before, after, strict=True)]
    assert told[:2] == [set(), set()]
    assert told[2] >= {"others", "export", "stream", "json", "log of json"}
    nowhere = new_game_id(private=True)
    for caller in (stranger, spectator):
        expected = requests_about(caller, nowhere)
        for game in (waiting, running["id"], over["id"]):
            assert requests_about(caller, game) == expected
        assert {status for status, _ in expected.values()} == ({404} if caller is stranger else {401, 404})
    anna.open_game(**asked)
    assert "others" in that_differ(before[0], channels(stranger, receivers[0], anna, bruno))


def test_people_at_the_table_see_a_private_game_everywhere(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True, title="Secret")["id"]
    bruno.ask("POST", f"/games/{game}/join", headers=with_link(secret_of(anna, game)))
    for player in (anna, bruno):
        assert player.get(f"/games/{game}")["id"] == game
        (entry,) = player.get("/games?status=mine")["games"]
        assert (entry["id"], entry["title"], entry["private"]) == (game, "Secret", True)
        assert player.get("/me/events")["commits"][-1]["game"] == game
        assert player.get("/me/export")["games"][0]["id"] == game
    assert anna.get("/games?status=open")["games"] == []


def test_whoever_leaves_a_private_game_no_longer_sees_it(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True)["id"]
    secret = secret_of(anna, game)
    bruno.ask("POST", f"/games/{game}/join", headers=with_link(secret))
    bruno.post(f"/games/{game}/leave")
    assert bruno.get(f"/games/{game}", 404)["code"] == "unknown-game"
    assert bruno.ask("GET", f"/games/{game}", headers=with_link(secret)).status_code == 200


def test_a_link_opens_a_private_game_to_spectators_without_a_token(anna: Person, spectator: Person) -> None:
    game = anna.open_game(private=True, title="Secret")["id"]
    link = anna.get(f"/games/{game}/table")["link"]
    assert link["url"] == f"/game/{game}#link={link['secret']}"
    seen = spectator.ask("GET", f"/games/{game}/table", headers=with_link(link["secret"])).get_json()
    assert (seen["title"], seen["link"]) == ("Secret", None)
    for wrong in ("", "x", link["secret"][:-1], "é" * 22, secret_of(anna, anna.open_game(private=True)["id"])):
        answer = spectator.ask("GET", f"/games/{game}", headers=with_link(wrong))
        assert answer.status_code == 404


def test_a_replaced_link_and_its_codes_no_longer_work(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True)["id"]
    old, code = secret_of(anna, game), anna.post(f"/games/{game}/code", status=201)["code"]
    assert bruno.post("/codes/find", {"code": code})["link"]["secret"] == old
    new = anna.post(f"/games/{game}/link")["link"]["secret"]
    assert new != old
    assert bruno.ask("GET", f"/games/{game}", headers=with_link(old)).status_code == 404
    assert bruno.ask("GET", f"/games/{game}", headers=with_link(new)).status_code == 200
    assert bruno.post("/codes/find", {"code": code}, 403)["code"] == "code-unknown"


def test_a_code_leads_to_the_game_however_it_is_typed(anna: Person, bruno: Person) -> None:
    game = anna.open_game(private=True)["id"]
    code = anna.post(f"/games/{game}/code", status=201)["code"]
    found = bruno.post("/codes/find", {"code": code.lower().replace("-", " ")})
    assert found["game"] == game
    headers = with_link(found["link"]["secret"])
    assert bruno.ask("POST", f"/games/{game}/join", headers=headers).get_json()["you"] == 1
    assert bruno.post(f"/games/{game}/code", status=201)["code"] != code


def test_a_code_that_nobody_has_is_refused(bruno: Person) -> None:
    assert bruno.post("/codes/find", {"code": "0000-0000"}, 403)["code"] == "code-unknown"


def test_the_store_holds_neither_links_nor_codes(anna: Person, log_server: Valkey) -> None:
    game = anna.open_game(private=True)["id"]
    secret, code = secret_of(anna, game), anna.post(f"/games/{game}/code", status=201)["code"]
    with log_server.client() as client:
        names = client.keys("*")
        stored = b" ".join([*names, *(client.dump(name) for name in names)])
    for hidden in (secret, code, code.replace("-", "")):
        assert hidden.encode() not in stored


def test_only_private_games_have_links_and_only_the_owner_replaces_them(anna: Person, bruno: Person) -> None:
    public = anna.open_game()["id"]
    table = anna.get(f"/games/{public}/table")
    assert (table["title"], table["private"], table["link"]) == (None, False, None)
    for path in ("link", "code"):
        assert anna.post(f"/games/{public}/{path}", status=409)["code"] == "not-private"
    assert bruno.post(f"/games/{public}/code", status=403)["code"] == "not-seated"
    game = anna.open_game(private=True)["id"]
    bruno.ask("POST", f"/games/{game}/join", headers=with_link(secret_of(anna, game)))
    assert bruno.post(f"/games/{game}/link", status=403)["code"] == "not-the-owner"


def test_a_webhook_cannot_find_out_whether_a_private_game_exists(anna: Person, bruno: Person) -> None:
    game, nowhere = anna.open_game(private=True)["id"], new_game_id(private=True)
    bodies = [{"url": "https://bots.example.org/", "games": [name]} for name in (game, nowhere)]
    answers = [bruno.post("/webhooks", body, 404) for body in bodies]
    assert [answer["code"] for answer in answers] == ["unknown-game"] * 2


def test_a_stream_ends_when_its_follower_may_no_longer_see_the_game(anna: Person, games: Games) -> None:
    game = anna.open_game(private=True)["id"]
    token = anna.headers["Authorization"].removeprefix("Bearer ")
    secret = secret_of(anna, game)
    followers = [GameFollower(game, 0, token), GameFollower(game, 0, None, secret), GameFollower(game, 0, None)]
    batches = next_batches(games, followers)
    assert [None if batch is None else len(batch.commits) for batch in batches] == [1, 1, None]
    anna.post(f"/games/{game}/link")
    assert [batch is None for batch in next_batches(games, followers)] == [False, True, True]


def test_the_health_report_does_not_name_a_private_game(anna: Person, log_server: Valkey) -> None:
    game = anna.open_game(private=True)["id"]
    with log_server.client() as client:
        client.rpush(of_game(game, "log"), "damage")
    assert anna.get(f"/games/{game}", 500)["code"] == "corrupt-log"
    assert game not in anna.ask("GET", "/health").get_data(as_text=True)


def test_the_host_sees_private_games(anna: Person, host: Person) -> None:
    game = anna.open_game(private=True)["id"]
    assert host.get(f"/admin/games/{game}")["id"] == game
    assert host.get("/admin/games?player=Anna")["games"][0]["id"] == game
    assert host.get(f"/games/{game}", 404)["code"] == "unknown-game"


def test_a_repeated_opening_finds_the_private_game(anna: Person) -> None:
    asked = {"edition": "zman-2018", "seats": 3, "private": True, "title": "Once"}
    headers = {"Idempotency-Key": "once"}
    answers: list[TestResponse] = [anna.ask("POST", "/games", json=asked, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert len({answer.get_json()["id"] for answer in answers}) == 1
    assert len(anna.get("/games?status=mine")["games"]) == 1


def test_a_preflight_request_about_a_private_game_needs_no_access(app: Flask) -> None:
    answer = app.test_client().options(f"/v1/games/{new_game_id(private=True)}/join")
    assert answer.status_code == 200
    assert "Game-Link" in answer.headers["Access-Control-Allow-Headers"]


TITLES: list[Any] = ["", " ", " Sunday", "Sunday ", "x" * 61, "a\nb", "a\u202eb", "a\u200bb", 7]


@pytest.mark.parametrize("title", TITLES, ids=range(len(TITLES)))
def test_a_title_that_could_mislead_is_refused(anna: Person, title: Any) -> None:
    refused = anna.post("/games", {"edition": "zman-2018", "seats": 3, "title": title}, 422)
    assert refused["code"] == "invalid-request"
    assert "title" in refused["errors"]


def test_the_owner_changes_and_removes_a_title_even_after_the_end(anna: Person, bruno: Person, games: Games) -> None:
    game = play_to_the_end(games, anna.open_game(bots=BOTS, title="Caffe\u0300"), anna)
    where = f"/games/{game['id']}"
    view, record = anna.ask("GET", where), anna.ask("GET", f"{where}/record")
    assert bruno.get(f"{where}/table")["title"] == "Caff\u00e8"
    assert bruno.ask("PATCH", f"{where}/table", json={"title": "x"}).get_json()["code"] == "not-the-owner"
    for title in ("<b>Rematch</b>", None):
        assert anna.ask("PATCH", f"{where}/table", json={"title": title}).get_json()["title"] == title
        assert bruno.get("/games?status=finished")["games"][0]["title"] == title
    for before, path in ((view, where), (record, f"{where}/record")):
        after = anna.ask("GET", path)
        assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])


def test_a_host_is_no_participant(anna: Person, person: Callable[..., Person], games: Games) -> None:
    """A token with all scopes opens no private game: the host has separate operations."""
    host = as_host(person("Dora"), games)
    assert host.get(f"/games/{anna.open_game(private=True)['id']}", 404)["code"] == "unknown-game"
