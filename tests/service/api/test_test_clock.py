"""Test clocks over HTTP: refusals, responses, and that a service without the setting has none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.games.repository import Games

from ..times import clock
from .conftest import Person


def test_the_owner_advances_the_clock_once_for_each_key(anna: Person, bruno: Person) -> None:
    """Every player's clock can be advanced, not only the owner's."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock())
    bruno.post(f"/games/{game['id']}/join")
    where = f"/games/{game['id']}/clock/advance"
    answers = [anna.ask("POST", where, json={"seconds": 3_600}, headers={"Idempotency-Key": "once"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].get_json() == answers[1].get_json()
    shown = anna.get(f"/games/{game['id']}")["clock"]
    assert (shown["advanced"], shown["turn"]["deadline"]) == (3_600_000, shown["turn"]["since"] + 82_800_000)
    [commit] = anna.get(f"/games/{game['id']}/events?after=2")["commits"]
    assert [(event["type"], event["by"]) for event in commit["events"]] == [("clock-advanced", 3_600_000)]


def test_only_the_turn_that_the_owner_saw_is_advanced(anna: Person, bruno: Person) -> None:
    """A request without If-Match applies to the current turn."""
    opened = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock())
    bruno.post(f"/games/{opened['id']}/join")
    where = f"/games/{opened['id']}"
    seen = anna.get(where)
    mover = anna if seen["moves"] else bruno
    mover.move(mover.get(where), mover.get(where)["moves"][0])
    now = anna.get(where)
    stale, malformed, *accepted = (
        anna.ask("POST", f"{where}/clock/advance", json={"seconds": 60}, headers=headers)
        for headers in (
            {"If-Match": f'"{seen["version"]}"'},
            {"If-Match": "7"},
            {"If-Match": f'"{now["version"]}"'},
            {"If-Match": "*"},
            {},
        )
    )
    assert (stale.status_code, stale.get_json(force=True)["code"]) == (412, "stale-version")
    assert (malformed.status_code, malformed.get_json(force=True)["code"]) == (400, "malformed-header")
    assert [answer.status_code for answer in accepted] == [200, 200, 200]
    assert anna.get(where)["clock"]["advanced"] == 180_000


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seconds": 1, "until": 1},
        {"seconds": 0},
        {"seconds": -1},
        {"seconds": 1_209_601},
        {"seconds": 1.5},
        {"seconds": "1"},
        {"until": -1},
        {"seconds": None},
        {"hours": 1},
        [],
    ],
)
def test_a_body_that_makes_no_sense_is_refused(anna: Person, body: Any) -> None:
    game = anna.open_game(clock=clock())
    problem = anna.post(f"/games/{game['id']}/clock/advance", body, 422)
    assert problem["code"] in ("invalid-request", "unknown-field")


def test_a_service_without_the_setting_advances_nothing(app: Flask, games: Games, anna: Person) -> None:
    game = anna.open_game(clock=clock())
    app.extensions["condottiere"] = replace(games, test_clock=False)
    for where in (game["id"], "00" + "0" * 16):
        problem = anna.post(f"/games/{where}/clock/advance", {"seconds": 1}, 403)
        assert problem["code"] == "test-clock-off"
    assert anna.get("/health", 503)["test_clock"] is False
    app.extensions["condottiere"] = games
    assert anna.get("/health", 503)["test_clock"] is True
