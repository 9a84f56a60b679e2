"""Requests have ids: taken or made, in every answer, and in every problem."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from service.api.parameters import REQUEST_ID

from ..logs import logged
from .conftest import Json, Person
from .test_openapi import operations

ID = {"X-Request-Id": "mine-1"}


def test_an_answer_repeats_the_id_of_its_request(anna: Person, spectator: Person, app: Flask) -> None:
    """Also one without a body, a page, and one that is not found."""
    game = anna.open_game()
    path = f"/games/{game['id']}"
    tag = anna.ask("GET", path).headers["ETag"]
    for answer, status in (
        (anna.ask("GET", path, headers=ID), 200),
        (anna.ask("GET", path, headers={**ID, "If-None-Match": tag}), 304),
        (spectator.ask("GET", "/me", headers=ID), 401),
        (spectator.ask("GET", "/nothing", headers=ID), 404),
        (spectator.ask("POST", "/bots", headers=ID), 405),
        (app.test_client().get("/guide/api", headers=ID), 200),
        (app.test_client().get("/nothing", headers={**ID, "Accept": "text/html"}), 404),
    ):
        assert (answer.status_code, answer.headers["X-Request-Id"]) == (status, "mine-1")
        if answer.mimetype == "application/problem+json":
            assert answer.get_json(force=True)["request"] == "mine-1"


def test_a_request_without_an_id_gets_one_of_its_own(app: Flask) -> None:
    answers = [app.test_client().get("/v1/me") for _ in range(2)]
    names = [answer.headers["X-Request-Id"] for answer in answers]
    assert names[0] != names[1]
    assert [answer.get_json(force=True)["request"] for answer in answers] == names


def test_a_repeated_request_has_the_id_of_the_repetition(against_bots: Json, anna: Person) -> None:
    """The recorded answer is the same otherwise."""
    for method, path, body in (
        ("POST", "/games", {"edition": "zman-2018", "seats": 3}),
        ("POST", f"/games/{against_bots['id']}/moves", against_bots["moves"][0]),
    ):
        sent = {"Idempotency-Key": f"key {path}".replace(" ", "-")[:60], "If-Match": f'"{against_bots["version"]}"'}
        first = anna.ask(method, path, json=body, headers={**sent, "X-Request-Id": "first"})
        again = anna.ask(method, path, json=body, headers={**sent, "X-Request-Id": "again"})
        assert again.headers["Idempotent-Replayed"] == "true"
        assert (first.data, first.headers["X-Request-Id"]) == (again.data, "first")
        assert again.headers["X-Request-Id"] == "again"


def test_pages_of_other_sites_may_send_and_read_the_id(spectator: Person) -> None:
    answer = spectator.ask("OPTIONS", "/games")
    assert "X-Request-Id" in answer.headers["Access-Control-Allow-Headers"]
    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]


def test_each_operation_describes_the_id() -> None:
    for path, method, operation in operations():
        assert REQUEST_ID in operation["parameters"], (method, path)
        for status, answer in operation["responses"].items():
            assert "X-Request-Id" in answer["headers"], (method, path, status)


def test_an_error_is_logged_with_the_ids_of_its_request_and_game(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that nobody has thought of."""
    game = anna.open_game()["id"]

    monkeypatch.setattr("service.games.repository.rebuild", lambda *_: 1 // 0)
    with logged("json") as output:
        assert anna.ask("GET", f"/games/{game}", headers=ID).status_code == 500
    (line,) = map(json.loads, output.getvalue().splitlines())
    assert (line["request"], line["game"]) == ("mine-1", game)
    assert "ZeroDivisionError" in line["exception"]
