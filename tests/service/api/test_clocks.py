"""Clocks over HTTP: choosing one, what the view shows, consent, a player's hours, and every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.games.repository import Games

from .conftest import Json, Person

DAY = {"kind": "per-move", "seconds": 86_400}
BANK = {"kind": "bank", "seconds": 86_400, "increment": 14_400, "cap": 259_200}


def duel(anna: Person, bruno: Person, clock: Json | None) -> Json:
    """Return a duel of Anna and Bruno as Anna sees it."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock)
    bruno.post(f"/games/{game['id']}/join")
    return anna.get(f"/games/{game['id']}")


@pytest.mark.parametrize(
    ("clock", "part"),
    [
        ({"kind": "per-move"}, "clock.seconds"),
        ({"kind": "per-move", "seconds": 9}, "clock.seconds"),
        ({"kind": "per-move", "seconds": 14 * 86_400 + 1}, "clock.seconds"),
        ({"kind": "per-move", "seconds": 300.5}, "clock.seconds"),
        ({"kind": "per-move", "seconds": 300, "increment": 60}, "clock.increment"),
        ({"kind": "per-move", "seconds": 300, "cap": 600}, "clock.cap"),
        ({"kind": "bank", "seconds": 300}, "clock.cap"),
        ({**BANK, "cap": 86_399}, "clock.cap"),
        ({**BANK, "increment": 9}, "clock.increment"),
        ({"kind": "hourglass", "seconds": 300}, "clock.kind"),
        ({**DAY, "days_off": ["someday"]}, "clock.days_off.0"),
        ({**DAY, "days_off": ["monday"] * 8}, "clock.days_off"),
        ({**DAY, "at_timeout": "explode"}, "clock.at_timeout"),
        ({**DAY, "misses": 0}, "clock.misses"),
        ({**DAY, "sleep_hours": "on"}, "clock.sleep_hours"),
        ({**DAY, "vacation": 0}, "clock.vacation"),
        ({**DAY, "bot": "nobody"}, "clock.bot"),
        ("fast", "clock"),
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(anna: Person, clock: Any, part: str) -> None:
    problem = anna.post("/games", {"edition": "zman-2018", "seats": 3, "clock": clock}, 422)
    assert problem["code"] == "invalid-request"
    assert any(name.startswith(part) for name in problem["errors"]), problem["errors"]


def test_all_days_may_not_be_off(anna: Person) -> None:
    days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    problem = anna.post("/games", {"edition": "zman-2018", "seats": 3, "clock": {**DAY, "days_off": days}}, 422)
    assert list(problem["errors"]) == ["clock.days_off"]


def test_what_is_left_out_takes_its_default_and_is_told(anna: Person) -> None:
    shown = anna.open_game(clock={"kind": "per-move", "seconds": 300})["clock"]["settings"]
    assert (shown["sleep_hours"], shown["vacation"], shown["at_timeout"], shown["misses"]) == (False, False, "pass", 1)
    shown = anna.open_game(clock=BANK)["clock"]["settings"]
    assert (shown["sleep_hours"], shown["vacation"]) == (True, True)
    assert anna.open_game()["clock"] is None


def test_the_view_says_deadline_bank_and_why(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, BANK)
    turn = game["clock"]["turn"]
    assert turn["seat"] == game["position"]["turn"]
    assert turn["deadline"] == turn["since"] + 86_400_000
    assert turn["why"] == ["1 d in the bank"]
    assert game["clock"]["banks"] == [86_400_000, 86_400_000]
    assert bruno.get(f"/games/{game['id']}")["clock"] == game["clock"]


def test_a_pause_needs_both_and_nobody_moves_in_it(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, DAY)
    where = f"/games/{game['id']}"
    assert anna.post(f"{where}/pause")["clock"]["pause_asked"] == [0]
    assert anna.post(f"{where}/pause")["version"] == game["version"] + 1
    paused = bruno.post(f"{where}/pause")
    assert paused["clock"]["paused_since"] is not None
    assert paused["clock"]["turn"]["deadline"] is None
    on_turn = anna if game["position"]["turn"] == 0 else bruno
    seen = on_turn.get(where)
    assert seen["moves"] == []
    assert "paused because the players agreed to a pause, since " in seen["clock"]["turn"]["why"][-1]
    assert on_turn.move(seen, {"type": "pass"}, 409)["code"] == "game-paused"
    assert anna.post(f"{where}/pause", status=409)["code"] == "game-paused"
    assert on_turn.post(f"{where}/extension", {"seconds": 60}, 409)["code"] == "game-paused"
    assert bruno.post(f"{where}/resume")["clock"]["paused_since"] is None
    assert on_turn.get(where)["moves"]
    assert bruno.post(f"{where}/resume", status=409)["code"] == "game-not-paused"


def test_more_time_is_asked_for_and_granted_up_to_a_cap(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, DAY)
    where = f"/games/{game['id']}"
    asks, grants = (anna, bruno) if game["position"]["turn"] == 0 else (bruno, anna)
    assert grants.post(f"{where}/extension/grant", {"seconds": 60}, 409)["code"] == "no-extension-asked"
    assert grants.post(f"{where}/extension", {"seconds": 60}, 409)["code"] == "not-your-turn"
    problem = asks.post(f"{where}/extension", {"seconds": 86_401}, 409)
    assert (problem["code"], problem["most"]) == ("extension-too-long", 86_400)
    assert asks.post(f"{where}/extension", {"seconds": 43_200})["clock"]["extension"] == {
        "extra": 43_200_000,
        "agreed": [],
    }
    assert asks.post(f"{where}/extension", {"seconds": 60}, 409)["code"] == "extension-pending"
    assert asks.post(f"{where}/extension/grant", {"seconds": 43_200}, 409)["code"] == "no-extension-asked"
    assert grants.post(f"{where}/extension/grant", {"seconds": 86_400}, 409)["code"] == "no-extension-asked"
    granted = grants.post(f"{where}/extension/grant", {"seconds": 43_200})["clock"]
    assert granted["extension"] is None
    assert granted["turn"]["extra"] == 43_200_000
    assert granted["turn"]["deadline"] == game["clock"]["turn"]["deadline"] + 43_200_000
    assert asks.post(f"{where}/extension", {"seconds": 43_201}, 409)["most"] == 43_200


def test_against_bots_a_pause_needs_nobody_else(anna: Person, against_bots: Json) -> None:
    game = anna.open_game(bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}], clock=DAY)
    assert anna.post(f"/games/{game['id']}/pause")["clock"]["paused_since"] is not None
    for use in ("pause", "resume"):
        assert anna.post(f"/games/{against_bots['id']}/{use}", status=409)["code"] == "no-clock"


@pytest.mark.parametrize("use", ["resign", "return", "pause", "resume"])
def test_who_may_not_is_told_why(
    anna: Person, bruno: Person, spectator: Person, person: Callable[..., Person], use: str
) -> None:
    waiting = anna.open_game(edition="zman-2018-duel", seats=2, clock=DAY)
    assert anna.post(f"/games/{waiting['id']}/{use}", status=409)["code"] == "game-not-started"
    game = duel(anna, bruno, DAY)
    where = f"/games/{game['id']}/{use}"
    assert spectator.post(where, status=401)["code"] == "token-required"
    assert person("Carla").post(where, status=403)["code"] == "not-seated"
    assert anna.post(f"/games/00{'0' * 16}/{use}", status=404)["code"] == "unknown-game"
    anna.post(f"/games/{game['id']}/resign")
    assert anna.post(where, status=409)["code"] == "game-over"
    assert bruno.get(f"/games/{game['id']}")["result"] == {"winners": [1], "reasons": ["resignation"]}


def test_no_bot_moves_for_who_is_there(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, DAY)
    assert anna.post(f"/games/{game['id']}/return", status=409)["code"] == "seat-not-with-bot"


@pytest.mark.parametrize(
    "body",
    [
        {"time_zone": "Rome"},
        {"time_zone": "../../etc/passwd"},
        {"sleep": {"from": "23:00"}},
        {"sleep": {"from": "24:00", "until": "07:00"}},
        {"sleep": {"from": "20:00", "until": "09:00"}},
        {"sleep": {"from": "07:00", "until": "07:00"}},
        {"auto_vacation": "off"},
        {"auto_vacation": 1},
        {"time": "Europe/Rome"},
    ],
)
def test_hours_that_make_no_sense_are_refused(anna: Person, body: Json) -> None:
    answer = anna.ask("PATCH", "/me", json=body)
    assert answer.status_code == 422, answer.text
    hours = anna.get("/me")["hours"]
    assert (hours["time_zone"], hours["sleep"], hours["auto_vacation"]) == ("UTC", None, False)


def test_hours_are_kept_and_what_is_left_out_stays(anna: Person) -> None:
    night = {"from": "22:30", "until": "06:45"}
    assert anna.ask("PATCH", "/me", json={"time_zone": "Europe/Rome", "sleep": night}).get_json()["sleep"] == night
    anna.ask("PATCH", "/me", json={"auto_vacation": True})
    hours = anna.get("/me")["hours"]
    assert (hours["time_zone"], hours["sleep"], hours["auto_vacation"]) == ("Europe/Rome", night, True)
    anna.ask("PATCH", "/me", json={"sleep": None})
    assert anna.get("/me")["hours"]["sleep"] is None


def test_a_newcomer_has_saved_no_vacation(anna: Person, games: Games) -> None:
    assert anna.post("/me/vacation", status=409)["code"] == "no-vacation"
    problem = anna.post("/me/vacation", {"until": games.now() - 1}, 422)
    assert list(problem["errors"]) == ["until"]
    hours = anna.ask("DELETE", "/me/vacation")
    assert hours.status_code == 200
    assert hours.get_json()["vacation"]["away"] is False
