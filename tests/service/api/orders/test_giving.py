"""Giving orders, and which orders are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import view_for

from ....engine.cases import REVISED
from ....engine.table import table as position
from ..conftest import Json, Person
from .conftest import IF_NOT_900, KEEP, NOTHING, finish, orders_of, plays, put

# Giving them


def test_there_are_none_to_begin_with(anna: Person, table: Json) -> None:
    assert orders_of(anna, table) == {"seat": 0, "version": 0, **NOTHING, "history": []}


def test_those_in_all_running_games_are_listed(anna: Person, bruno: Person, table: Json) -> None:
    nothing = {"orders": [], "next": None}
    assert anna.get("/me/orders") == nothing
    given = put(anna, table, KEEP)
    assert anna.get("/me/orders") == {"orders": [{"game": table["id"], **given}], "next": None}
    assert bruno.get("/me/orders") == nothing
    anna.ask("DELETE", f"/games/{table['id']}/orders")
    assert anna.get("/me/orders") == nothing
    put(anna, table, KEEP)
    anna.post(f"/games/{table['id']}/resign")
    assert anna.get("/me/orders") == nothing


def test_their_list_refuses_a_cursor_of_another_kind(anna: Person) -> None:
    problem = anna.ask("GET", "/me/orders?cursor=abc").get_json()
    assert (problem["code"], list(problem["errors"])) == ("invalid-request", ["cursor"])


def test_they_replace_those_before_and_are_withdrawn(anna: Person, table: Json) -> None:
    given = put(anna, table, {"after_battle": "discard", "battle": {**IF_NOT_900, "otherwise": plays(table)[0]}})
    assert (given["version"], given["battle"]["otherwise"]) == (1, plays(table)[0])
    assert orders_of(anna, table) == given
    given = put(anna, table, KEEP)
    assert given == {"seat": 0, "version": 2, **KEEP, "battle": None, "history": []}
    answer = anna.ask("DELETE", f"/games/{table['id']}/orders")
    assert answer.get_json() == orders_of(anna, table) == {"seat": 0, "version": 3, **NOTHING, "history": []}


def test_a_request_without_a_body_withdraws_them(anna: Person, table: Json) -> None:
    """Release 0.3.0 accepted such a request too, and treated it as an empty object."""
    path = f"/games/{table['id']}/orders"
    for version, body in ((2, {}), (4, {"json": {}})):
        put(anna, table, KEEP)
        answer = anna.ask("PUT", path, **body)
        assert (answer.status_code, answer.get_json()) == (200, orders_of(anna, table))
        assert answer.get_json() == {"seat": 0, "version": version, **NOTHING, "history": []}


def test_their_version_is_their_entity_tag(anna: Person, table: Json) -> None:
    path = f"/games/{table['id']}/orders"
    put(anna, table, KEEP)
    answer = anna.ask("GET", path)
    assert answer.headers["ETag"] == '"1"'
    assert anna.ask("GET", path, headers={"If-None-Match": '"1"'}).status_code == 304
    assert put(anna, table, KEEP, If_Match='"1"')["version"] == 2
    problem = put(anna, table, KEEP, 412, If_Match='"1"')
    assert (problem["code"], problem["version"]) == ("stale-orders", 2)
    assert anna.ask("DELETE", path, headers={"If-Match": '"1"'}).get_json(force=True)["code"] == "stale-orders"
    assert anna.ask("DELETE", path, headers={"If-Match": '"1", "9"'}).get_json(force=True)["code"] == "stale-orders"
    assert put(anna, table, KEEP, 400, If_Match="1")["code"] == "malformed-header"
    for tags in ('W/"2"', '"x"', '"1", W/"2"'):
        problem = put(anna, table, KEEP, 412, If_Match=tags)
        assert (problem["code"], problem["version"]) == ("stale-orders", 2)
    for version, tags in ((3, "*"), (4, '"9", "3",')):
        assert put(anna, table, KEEP, If_Match=tags)["version"] == version


def test_they_are_given_out_of_turn(bruno: Person, table: Json) -> None:
    view = bruno.get(f"/games/{table['id']}")
    card = next(name for name in view["position"]["seats"][1]["hand"]["cards"] if name.startswith("mercenary"))
    battle = {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": card}]}
    assert put(bruno, table, {"battle": battle})["battle"] == {**battle, "then": "ask"}


# What is refused


def test_only_who_sits_there_has_any(anna: Person, person: Callable[..., Person], table: Json) -> None:
    carla, nobody = person("Carla"), person()
    for method in ("GET", "PUT", "DELETE"):
        for who, status, code in ((carla, 403, "not-seated"), (nobody, 401, "token-required")):
            body = {"json": KEEP} if method == "PUT" else {}
            answer = who.ask(method, f"/games/{table['id']}/orders", **body)
            assert (answer.status_code, answer.get_json(force=True)["code"]) == (status, code)
    assert anna.get("/games/17abcdefghjkmnpqrs/orders", 404)["code"] == "unknown-game"


def test_a_game_that_does_not_run_takes_none(anna: Person, bruno: Person, last_battle: Json) -> None:
    game = anna.open_game()
    assert put(anna, game, KEEP, 409)["code"] == "game-not-started"
    assert orders_of(anna, game)["version"] == 0
    anna.post(f"/games/{game['id']}/leave")
    assert put(anna, game, KEEP, 409)["code"] == "game-cancelled"
    finish(anna, bruno, last_battle)
    assert put(anna, last_battle, KEEP, 409)["code"] == "game-over"
    assert anna.ask("DELETE", f"/games/{last_battle['id']}/orders").get_json(force=True)["code"] == "game-over"


def test_an_order_for_a_battle_needs_one(anna: Person, against_bots: Json) -> None:
    assert against_bots["position"]["phase"] == "choose-region"
    assert put(anna, against_bots, {"battle": {"type": "pass"}}, 409)["code"] == "no-battle"


def test_who_has_passed_gives_no_order_for_the_battle(anna: Person, bruno: Person, table: Json) -> None:
    anna.move(table, {"type": "pass"})
    assert bruno.get(f"/games/{table['id']}")["position"]["phase"] == "battle"
    problem = put(anna, table, {"battle": {"type": "pass"}}, 409)
    assert (problem["code"], problem["edition"], bool(problem["clause"])) == ("already-passed", "zman-2018", True)


def test_a_card_must_be_in_the_hand_as_often_as_it_is_to_be_laid(anna: Person, table: Json) -> None:
    card = plays(table)[0]
    held = table["position"]["seats"][0]["hand"]["cards"].count(card["card"])
    problem = put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [card] * (held + 1)}}, 409)
    assert (problem["code"], problem["field"], bool(problem["clause"])) == ("card-not-in-hand", "card", True)
    assert put(anna, table, {"battle": {"type": "lay-until-lead", "cards": [card] * held}})


def test_at_the_own_turn_what_cannot_be_laid_is_refused_as_the_move_would_be(anna: Person, table: Json) -> None:
    wrong = {**plays(table)[0], "take": "mercenary-10"}
    problem = put(anna, table, {"battle": {**IF_NOT_900, "otherwise": wrong}}, 409)
    assert problem["code"] == anna.move(table, wrong, 409)["code"] == "target-not-allowed"
    assert orders_of(anna, table)["version"] == 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"after_battle": "burn"}, "invalid-request"),
        ({"battle": {"type": "win"}}, "invalid-request"),
        ({"battle": {"type": "pass", "strength": 1}}, "unknown-field"),
        ({"battle": {"type": "pass-if-exceeds", "strength": -1, "otherwise": {}}}, "invalid-request"),
        ({"battle": {"type": "pass-if-exceeds", "strength": 1, "otherwise": {"type": "pass"}}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": "joker"}]}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": [], "then": "win"}}, "invalid-request"),
        ({"battle": {"type": "lay-until-lead", "cards": []}}, "invalid-request"),
        ({"orders": []}, "unknown-field"),
    ],
)
def test_what_is_no_order_is_refused(anna: Person, table: Json, asked: Json, code: str) -> None:
    assert put(anna, table, asked, 422)["code"] == code


def test_a_card_that_is_barred_from_the_final_battle_is_refused(
    bruno: Person, table: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    final = position(REVISED, hands=["1 X", "1 X", "2"], fighters="AB", turn="A")
    monkeypatch.setattr("service.orders.changing.view_for", lambda _, seat: view_for(final, seat))
    order = {"type": "lay-until-lead", "cards": [{"type": "play-card", "card": "surrender"}]}
    problem = put(bruno, table, {"battle": order}, 409)
    assert (problem["code"], problem["edition"], problem["field"]) == ("card-barred", REVISED, "card")


def test_who_does_not_fight_the_final_battle_gives_no_order_for_it(
    bruno: Person, table: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    final = position(REVISED, hands=["1", "2", "2"], fighters="AC", turn="A")
    monkeypatch.setattr("service.orders.changing.view_for", lambda _, seat: view_for(final, seat))
    assert put(bruno, table, {"battle": {"type": "pass"}}, 409)["code"] == "no-battle"


def test_a_card_is_laid_from_the_own_seat(anna: Person, table: Json) -> None:
    card = {**plays(table)[0], "seat": 1}
    orders: list[Json] = [{"type": "lay-until-lead", "cards": [card]}, {**IF_NOT_900, "otherwise": card}]
    for battle in orders:
        assert put(anna, table, {"battle": battle}, 403)["code"] == "not-your-seat"


def test_orders_are_sent_as_json(anna: Person, table: Json) -> None:
    answer = anna.ask("PUT", f"/games/{table['id']}/orders", data="x", headers={"Content-Type": "text/plain"})
    assert answer.get_json(force=True)["code"] == "unsupported-media-type"
    assert "PUT" in anna.ask("OPTIONS", f"/games/{table['id']}/orders").headers["Access-Control-Allow-Methods"]
