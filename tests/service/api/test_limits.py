"""Limits and caps over HTTP: what is refused, what is never refused, and what the headers say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
from flask import Flask

from service.accounts.admission import Admission, require_admission
from service.api.limits import EXTENSION, Limits
from service.api.resource import WRITES
from service.config import Config
from service.games.repository import Caps, Games, caps_of
from service.limits.table import OPERATIONS, OTHER_WRITES
from service.limits.table import limits as limits_of
from service.play.moves import play_bot_turn
from service.problems import Problem
from service.store.keys import of_player
from service.tools.openapi import description

from ..servers import Valkey
from .conftest import Json, Person

HERE = {"REMOTE_ADDR": "2001:db8:1:2::1"}
NEXT_DOOR = {"REMOTE_ADDR": "2001:db8:1:2:ffff::1"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.2"}
FEW = {"registration": 2, "opening": 2, "opening-address": 3, "reads": 2, "logins": 2, "writes": 2, "webhooks": 1}


@contextmanager
def limiting(app: Flask, server: Valkey, amounts: dict[str, int]) -> Iterator[None]:
    """Enforce limits within the block, some of them with smaller values."""
    limits = Limits(Config(redis_url=server.url, queue_url=server.url, limits=True))
    limits.by_name = {
        name: limit._replace(amount=amounts.get(name, limit.amount)) for name, limit in limits.by_name.items()
    }
    app.extensions[EXTENSION] = limits
    try:
        with closing(limits.counts):
            yield
    finally:
        app.extensions[EXTENSION] = None


@pytest.fixture
def limited(app: Flask, log_server: Valkey) -> Iterator[None]:
    """Enforce small limits for each kind of request."""
    with limiting(app, log_server, FEW):
        yield


def refusal(answer: Any) -> tuple[int, str, str]:
    """Return the members that identify a refusal, after checking that it says when to retry."""
    assert int(answer.headers["Retry-After"]) > 0
    problem: Json = answer.get_json(force=True)
    return answer.status_code, problem["code"], problem["limit"]


@pytest.mark.usefixtures("limited")
def test_registration_is_limited_for_each_address(spectator: Person) -> None:
    """IPv6 addresses count by their /64; the headers show how much of the limit is left."""

    def register(name: str, where: dict[str, str]) -> Any:
        return spectator.ask("POST", "/players", json={"name": name}, environ_overrides=where)

    first = register("Caterina", HERE)
    assert first.status_code == 201
    assert first.headers["RateLimit-Policy"] == '"registration";q=2;w=3600'
    assert first.headers["RateLimit"] == '"registration";r=1;t=3600'
    assert "Retry-After" not in first.headers
    assert register("Caterina", HERE).status_code == 409
    refused = register("Lodovico", NEXT_DOOR)
    assert refusal(refused) == (429, "rate-limited", "registration")
    assert refused.headers["RateLimit"].startswith('"registration";r=0;t=')
    assert register("Lodovico", ELSEWHERE).status_code == 201


def test_opening_is_limited_for_each_player_and_for_each_address(
    app: Flask, log_server: Valkey, person: Callable[..., Person]
) -> None:
    people = [person(name) for name in ("Anna", "Bruno", "Carla")]

    def open_game(one: Person, where: dict[str, str]) -> Any:
        body = {"edition": "zman-2018", "seats": 3}
        return one.ask("POST", "/games", json=body, environ_overrides=where)

    with limiting(app, log_server, FEW):
        answers = [open_game(people[0], HERE), open_game(people[0], ELSEWHERE)]
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].headers["RateLimit-Policy"] == '"opening";q=2;w=3600, "opening-address";q=3;w=86400'
        assert refusal(open_game(people[0], ELSEWHERE)) == (429, "rate-limited", "opening")
        assert [open_game(people[1], HERE).status_code for _ in range(2)] == [201, 201]
        assert refusal(open_game(people[2], HERE)) == (429, "rate-limited", "opening-address")
        assert open_game(people[2], ELSEWHERE).status_code == 201


def test_who_has_a_valid_token_is_not_limited_by_others_at_the_address(
    app: Flask, log_server: Valkey, anna: Person, spectator: Person
) -> None:
    """Callers at the same address without a token, or with an invented one, do not affect the player."""
    stranger = Person(app.test_client())
    stranger.headers = {"Authorization": f"Bearer {anna.id}.invented"}
    with limiting(app, log_server, {"reads": 2}):
        assert [spectator.ask("GET", "/games").status_code for _ in range(2)] == [200, 200]
        assert refusal(stranger.ask("GET", "/games")) == (429, "rate-limited", "reads")
        assert [anna.ask("GET", "/games").status_code for _ in range(2)] == [200, 200]
        assert refusal(anna.ask("GET", "/me")) == (429, "rate-limited", "reads")


def test_who_has_no_valid_token_uses_up_nothing_that_needs_one(
    app: Flask, log_server: Valkey, anna: Person, spectator: Person
) -> None:
    """Such requests count neither for the address nor towards the limit that all new players share."""
    stranger = Person(app.test_client())
    stranger.headers = {"Authorization": f"Bearer {anna.id}.invented"}
    body = {"edition": "zman-2018", "seats": 3}
    with limiting(app, log_server, {"opening": 1, "opening-address": 1, "opening-new": 1, "logins": 9}):
        for nobody in (spectator, stranger):
            answers = [nobody.ask("POST", "/games", json=body) for _ in range(3)]
            assert [(answer.status_code, answer.headers.get("RateLimit")) for answer in answers] == [(401, None)] * 3
        with log_server.client() as client:
            assert all(b"limits:logins" in key for key in client.keys("condottiere:limits*"))
        assert anna.ask("POST", "/games", json=body).status_code == 201


def test_a_match_counts_as_several_games(app: Flask, log_server: Valkey, anna: Person) -> None:
    """A match that counts for more than the whole limit uses up all of it. An invalid body counts as one game."""

    def remaining(body: bytes) -> str:
        answer = anna.ask("POST", "/games", data=body, content_type="application/json")
        return str(answer.headers["RateLimit"].partition(";t")[0])

    with limiting(app, log_server, {}):
        assert remaining(b"[" * 20_000) == '"opening";r=29'
        assert remaining(b'{"options": {"points": "many"}}') == '"opening";r=28'
        match = b'{"edition": "ffg-2007", "seats": 2, "options": {"points": %d}}'
        assert remaining(match % 45) == '"opening";r=25'
    with limiting(app, log_server, {"opening": 40}):
        assert remaining(match % 1000) == '"opening";r=0'


@pytest.mark.usefixtures("limited")
def test_refused_logins_become_429(app: Flask, anna: Person) -> None:
    """A valid token from the same address is still accepted."""
    guesser = Person(app.test_client())
    guesser.headers = {"Authorization": f"Bearer {anna.id}.guessed"}
    assert [guesser.ask("GET", "/me/turns").status_code for _ in range(2)] == [401, 401]
    assert refusal(guesser.ask("GET", f"/games/{'17' + 'a' * 16}")) == (429, "rate-limited", "logins")


def test_moves_and_looks_at_a_game_count_nowhere(
    app: Flask, log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    """The test sets every limit to zero."""
    nothing = dict.fromkeys(limits_of(Config(redis_url="", queue_url="")), 0)
    with limiting(app, log_server, nothing):
        answer = anna.ask("GET", f"/games/{against_bots['id']}")
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers
        anna.move(against_bots, against_bots["moves"][0])
        assert anna.ask("GET", f"/games/{against_bots['id']}/events?after=0").status_code == 200
        assert refusal(anna.ask("POST", f"/games/{against_bots['id']}/resign"))[2] == "writes"
        with log_server.client() as client:
            assert not client.keys("condottiere:limits*makeMove*")


def test_the_queues_server_is_not_needed(app: Flask, log_server: Valkey, anna: Person) -> None:
    limits = Limits(Config(redis_url=log_server.url, queue_url=f"{log_server.url}-nobody", limits=True))
    app.extensions[EXTENSION] = limits
    try:
        answer = anna.ask("POST", "/games", json={"edition": "zman-2018", "seats": 3})
        assert answer.status_code == 201
        assert "RateLimit" not in answer.headers
    finally:
        app.extensions[EXTENSION] = None


def test_every_operation_has_the_limits_of_the_table(app: Flask) -> None:
    """Every write has a limit except moves. Every operation in the table exists or is reserved."""
    names = set(limits_of(Config(redis_url="", queue_url="")))
    operations = {
        operation["operationId"]: (method, operation)
        for path in description()["paths"].values()
        for method, operation in path.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    for name, (method, operation) in operations.items():
        expected = OPERATIONS.get(name, OTHER_WRITES if method.upper() in WRITES else ())
        assert bool(expected) == (name != "makeMove" and (method != "get" or name in OPERATIONS)), name
        success = [answer for status, answer in operation["responses"].items() if status in ("200", "201")]
        assert all(("RateLimit" in answer.get("headers", {})) == bool(expected) for answer in success), name
        assert set(expected) <= names
    assert set(OPERATIONS) - set(operations) <= {"exchangeDevice", "recoverAccount"}
    views = {getattr(view, "limits", None) for view in app.view_functions.values()}
    assert {None, (), OTHER_WRITES} <= views


@pytest.mark.parametrize(
    ("mode", "override", "sent", "code"),
    [
        ("open", None, None, None),
        ("open", None, "whatever", None),
        ("closed", None, "sesame", "registration-closed"),
        ("code", None, None, "registration-code-required"),
        ("code", None, "", "registration-code-wrong"),
        ("code", None, "Sesame", "registration-code-wrong"),
        ("code", None, "sésame", "registration-code-wrong"),
        ("code", None, "sesame", None),
        ("open", "closed", None, "registration-closed"),
        ("closed", "open", None, None),
        ("open", "code", "sesame", None),
    ],
)
def test_who_may_register(mode: str, override: str | None, sent: str | None, code: str | None) -> None:
    if code is None:
        require_admission(Admission(mode, "sesame"), sent, override)
    else:
        with pytest.raises(Problem) as caught:
            require_admission(Admission(mode, "sesame"), sent, override)
        assert (caught.value.code, caught.value.kind.status) == (code, 403)


def test_without_a_code_in_the_settings_nobody_registers_by_one() -> None:
    with pytest.raises(Problem, match="closed"):
        require_admission(Admission("open", ""), "", "code")


def test_registration_by_code_over_http(app: Flask, spectator: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "admission", Admission("code", "sesame"))
    assert spectator.post("/players", {"name": "Anna"}, 403)["code"] == "registration-code-required"
    assert spectator.post("/players", {"name": "Anna", "code": "sesam"}, 403)["code"] == "registration-code-wrong"
    assert spectator.post("/players", {"name": "Anna", "code": "sesame"}, 201)["name"] == "Anna"


@pytest.fixture
def capped(app: Flask, games: Games) -> None:
    """Let each player have two games that have not started, three games in total, and one webhook."""
    app.extensions["condottiere"] = replace(games, caps=Caps(open_games=2, games=3, webhooks=1))


@pytest.mark.usefixtures("capped")
def test_open_games_are_capped(anna: Person) -> None:
    """Leaving a game makes room for another."""
    first, _ = anna.open_game(), anna.open_game()
    refused = anna.post("/games", {"edition": "zman-2018", "seats": 3}, 409)
    assert (refused["code"], refused["cap"]) == ("too-many-open-games", 2)
    anna.post(f"/games/{first['id']}/leave")
    anna.open_game()


@pytest.mark.usefixtures("capped")
def test_open_and_running_games_are_capped(games: Games, anna: Person, bruno: Person) -> None:
    """Opened, joined and running games count; finished games and games from which the player has resigned do not."""
    theirs = bruno.open_game(bots=[{"seat": 2, "bot": "steady"}])
    assert anna.post(f"/games/{theirs['id']}/join")["status"] == "running"
    bots_only = anna.open_game(bots=[{"seat": seat, "bot": "steady"} for seat in range(3)])
    assert bots_only["status"] == "running"
    anna.open_game()
    other = bruno.open_game()
    refused = anna.post(f"/games/{other['id']}/join", status=409)
    assert (refused["code"], refused["cap"]) == ("too-many-games", 3)
    assert anna.post("/games", {"edition": "zman-2018", "seats": 3}, 409)["code"] == "too-many-games"
    anna.post(f"/games/{theirs['id']}/resign")
    anna.post(f"/games/{other['id']}/join")
    assert anna.post("/games", {"edition": "zman-2018", "seats": 3}, 409)["code"] == "too-many-games"
    anna.post(f"/games/{other['id']}/leave")
    while play_bot_turn(games, bots_only["id"]):
        pass
    anna.open_game()
    anna.post(f"/games/{other['id']}/join")


@pytest.mark.usefixtures("capped")
@pytest.mark.parametrize("game", ["foo", "99zzzzzzzzzzzzzzzz", "01urbwj7v1y64km1xs"])
def test_a_game_that_does_not_exist_is_not_found_at_the_cap_either(anna: Person, bruno: Person, game: str) -> None:
    anna.open_game()
    anna.open_game()
    anna.post(f"/games/{bruno.open_game()['id']}/join")
    assert anna.post(f"/games/{game}/join", status=404)["code"] == "unknown-game"


@pytest.mark.usefixtures("capped")
def test_webhooks_are_capped(app: Flask, anna: Person) -> None:
    app.extensions["condottiere"] = replace(app.extensions["condottiere"], networks=(ip_network("127.0.0.0/8"),))
    body = {"url": "http://127.0.0.1:9/turns", "events": ["turn.started"]}
    anna.post("/webhooks", body, 201)
    refused = anna.post("/webhooks", body, 409)
    assert (refused["code"], refused["cap"]) == ("too-many-webhooks", 1)


def test_caps_follow_the_settings() -> None:
    config = Config(redis_url="", queue_url="", limits=True, max_open_games=1, max_games=2, max_webhooks=3)
    assert caps_of(config) == Caps(1, 2, 3)
    assert caps_of(replace(config, limits=False)) == Caps(None, None, None)


def test_a_flood_of_new_players_leaves_the_others_alone(
    anna: Person, app: Flask, log_server: Valkey, person: Callable[..., Person]
) -> None:
    opening = {"edition": "zman-2018", "seats": 3}
    with log_server.client() as client:
        client.hincrby(of_player(anna.id), "registered", -24 * 3_600_000)
    with limiting(app, log_server, {"opening-new": 1}):
        stranger, another = person("Bruno"), person("Caterina")
        assert stranger.post("/games", opening, 201)
        assert refusal(another.ask("POST", "/games", json=opening)) == (429, "rate-limited", "opening-new")
        for _ in range(3):
            assert anna.post("/games", opening, 201)
