"""The host's requests: who may send them, what they do, and that they show nothing hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.admin.switching import MAX_ANNOUNCEMENTS
from service.games.repository import Games, load

from .conftest import Json, Person, as_host
from .test_openapi import operations

ADMIN = [
    (method.upper(), path.removeprefix("/v1"), operation)
    for path, method, operation in operations()
    if path.startswith("/v1/admin/")
]
REASON = {"reason": "a reason"}


def duel(anna: Person, bruno: Person, **options: Any) -> Json:
    """Return a running two-player game."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, **options)
    return bruno.post(f"/games/{game['id']}/join")


def acts(host: Person) -> list[Json]:
    """Return the lines of the audit log, newest first."""
    lines: list[Json] = host.get("/admin/audit?limit=100")["lines"]
    return [line for line in lines if line["via"] == "http"]


def sent(person: Person, method: str, path: str, operation: Json, ids: Json) -> tuple[int, Json]:
    """Send one of the host's requests as a given person."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    answer = person.ask(method, path.format(**ids), **({} if body is None else {"json": body}))
    return answer.status_code, answer.get_json(force=True)


@pytest.mark.parametrize(("method", "path", "operation"), ADMIN, ids=lambda part: part if isinstance(part, str) else "")
def test_only_a_token_with_the_scope_of_the_host_may(
    anna: Person, bruno: Person, spectator: Person, host: Person, method: str, path: str, operation: Json
) -> None:
    ids = {
        "player_id": bruno.id,
        "game_id": duel(anna, bruno)["id"],
        "announcement_id": "5c0ffee15a1d",
        "report_id": "5c0ffee1",
    }
    status, problem = sent(spectator, method, path, operation, ids)
    assert (status, problem["code"]) == (401, "token-required")
    status, problem = sent(anna, method, path, operation, ids)
    assert (status, problem["code"], problem["scope"]) == (403, "scope-missing", "admin")
    assert acts(host) == []


def test_no_request_gives_the_scope_of_the_host(host: Person) -> None:
    assert host.post("/me/tokens", {"name": "more", "scopes": ["admin"]}, 422)["code"] == "invalid-request"
    replaced = host.post("/me/token", status=201)
    host.headers = {"Authorization": f"Bearer {replaced['token']}"}
    assert host.get("/admin/audit", 403)["scope"] == "admin"


def test_players(host: Person, bruno: Person) -> None:
    found = host.get("/admin/players?name=bru")
    assert [(player["id"], player["name"]) for player in found["players"]] == [(bruno.id, "Bruno")]
    suspended = host.post(f"/admin/players/{bruno.id}/suspend", {"reason": "insults"})
    assert suspended["suspended"] == host.get("/admin/players/Bruno")["suspended"] == "insults"
    problem = bruno.get("/me", 403)
    assert (problem["code"], problem["reason"]) == ("suspended", "insults")
    assert host.post(f"/admin/players/{bruno.id}/reinstate", REASON)["suspended"] is None
    assert bruno.get("/me")["name"] == "Bruno"
    assert host.post(f"/admin/players/{bruno.id}/rename", {"name": "Brunello", **REASON})["name"] == "Brunello"
    assert bruno.get("/me")["name"] == "Brunello"
    taken = host.post(f"/admin/players/{bruno.id}/rename", {"name": "HOST", **REASON}, 409)
    assert taken["code"] == "name-taken"
    assert host.get("/admin/players/nobody", 404)["code"] == "unknown-player"
    assert host.get("/admin/players?name=a*", 422)["code"] == "invalid-request"
    assert [(line["act"], line["by"], line["token"], line["target"]) for line in acts(host)] == [
        (act, host.id, "laptop", bruno.id) for act in ("rename", "reinstate", "suspend")
    ]


def test_the_host_can_be_suspended_too(host: Person, person: Callable[..., Person], games: Games) -> None:
    other = as_host(person("Other"), games)
    other.post(f"/admin/players/{host.id}/suspend", {"reason": "left"})
    assert host.get("/admin/audit", 403)["code"] == "suspended"


def test_games(host: Person, anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno)
    assert [one["id"] for one in host.get("/admin/games")["games"]] == [game["id"]]
    assert host.get("/admin/games?player=Anna&status=open")["games"] == []
    shown = host.get(f"/admin/games/{game['id']}")
    assert [(seat["player"], seat["name"]) for seat in shown["seats"]] == [(anna.id, "Anna"), (bruno.id, "Bruno")]
    given = host.post(f"/admin/games/{game['id']}/give-seat", {"seat": 1, **REASON})
    assert given["seats"][1]["bot"] == "steady"
    assert [notice["type"] for notice in bruno.get("/me")["notices"]] == ["seat-with-bot"]
    bruno.post(f"/games/{game['id']}/return")
    again = host.post(f"/admin/games/{game['id']}/give-seat", {"seat": 5, **REASON}, 409)
    assert again["code"] == "seat-not-given"
    cancelled = host.post(f"/admin/games/{game['id']}/cancel", {"reason": "a mistake"})
    assert (cancelled["status"], cancelled["cancelled"]) == (
        "cancelled",
        {"by": "host", "by_name": None, "reason": "a mistake"},
    )
    assert anna.get(f"/games/{game['id']}")["cancelled"] == cancelled["cancelled"]
    last = bruno.get("/me/events")["commits"][-1]
    assert (last["by"], last["events"]) == (
        "host",
        [{"type": "game-cancelled", "by": "host", "reason": "a mistake"}],
    )
    assert host.post(f"/admin/games/{game['id']}/cancel", {"reason": "again"}, 409)["code"] == "game-cancelled"
    assert host.get("/admin/games/17aaaaaaaaaaaaaaaa", 404)["code"] == "unknown-game"


def test_registration(host: Person, person: Callable[..., Person], spectator: Person) -> None:
    assert host.get("/admin/switches") == {"registration": "setting", "read_only": None}
    closed = _body(host.ask("PUT", "/admin/registration", json={"mode": "closed", "reason": "flood"}))
    assert closed["registration"] == "closed"
    assert spectator.post("/players", {"name": "Carla"}, 403)["code"] == "registration-closed"
    _body(host.ask("PUT", "/admin/registration", json={"mode": "setting"}))
    assert person("Carla").id


def test_read_only_mode(host: Person, anna: Person) -> None:
    """It can be ended with an Idempotency-Key, although the server cannot record the key."""
    key = {"Idempotency-Key": "a-key-of-22-characters-or-more"}
    shown = _body(host.ask("PUT", "/admin/read-only", json={"on": True, "reason": "upgrade"}, headers=key))
    assert shown["read_only"]["reason"] == "upgrade"
    problem = anna.post("/games", {"edition": "zman-2018", "seats": 3}, 503)
    assert problem["code"] == "read-only"
    assert host.get("/admin/switches")["read_only"] == shown["read_only"]
    assert _body(host.ask("PUT", "/admin/read-only", json={"on": False}, headers=key))["read_only"] is None
    anna.open_game()


def test_announcements(host: Person, anna: Person, spectator: Person, games: Games) -> None:
    now = games.now()
    made = host.post("/admin/announcements", {"text": "Welcome"}, 201)
    later = host.post("/admin/announcements", {"text": "Later", "from": now + 10**9, "until": now + 10**10}, 201)
    assert spectator.get("/announcements")["announcements"] == [made]
    assert host.get("/admin/announcements")["announcements"] == [made, later]
    notice = {"type": "announcement", "announcement": made["id"], "text": "Welcome", "until": None}
    assert anna.get("/me")["notices"] == [notice]
    past = host.post("/admin/announcements", {"text": "Never", "until": now - 1}, 422)
    assert set(past["errors"]) == {"until"}
    assert host.ask("DELETE", f"/admin/announcements/{made['id']}").status_code == 204
    assert spectator.get("/announcements")["announcements"] == []
    missing = host.ask("DELETE", f"/admin/announcements/{made['id']}")
    assert missing.get_json(force=True)["code"] == "unknown-announcement"
    for _ in range(MAX_ANNOUNCEMENTS - 1):
        host.post("/admin/announcements", {"text": "More"}, 201)
    assert host.post("/admin/announcements", {"text": "Too many"}, 409)["code"] == "too-many-announcements"


def test_the_audit_log_is_read_in_pages(host: Person) -> None:
    for number in range(5):
        host.ask("PUT", "/admin/registration", json={"mode": "setting", "reason": f"number {number}"})
    first = host.get("/admin/audit?limit=2")
    second = host.get(f"/admin/audit?limit=2&before={first['next']}")
    assert [line["reason"] for line in (*first["lines"], *second["lines"])] == [f"number {n}" for n in (4, 3, 2, 1)]
    assert host.get("/admin/audit?before=nonsense", 422)["code"] == "invalid-request"


@pytest.mark.parametrize("reason", ["", "x" * 201, "line\nbreak", "\x1b[31m", None, 7])
def test_a_reason_is_one_line(host: Person, bruno: Person, reason: Any) -> None:
    problem = host.post(f"/admin/players/{bruno.id}/suspend", {"reason": reason}, 422)
    assert set(problem["errors"]) == {"reason"}


def test_nothing_shows_a_hand_or_a_seed(host: Person, anna: Person, bruno: Person, games: Games) -> None:
    game = duel(anna, bruno)
    seed = load(games, game["id"]).seed.hex()
    shown = [
        host.ask("GET", path).get_data(as_text=True)
        for path in (f"/admin/games/{game['id']}", "/admin/games", "/admin/players/Anna", "/admin/audit")
    ]
    shown.append(host.ask("POST", f"/admin/games/{game['id']}/give-seat", json={"seat": 0, **REASON}).text)
    for text in shown:
        assert seed not in text
        assert '"hand' not in text
        assert "mercenary" not in text


def _body(answer: Any) -> Json:
    assert answer.status_code == 200, answer.text
    body: Json = answer.get_json(force=True)
    return body
