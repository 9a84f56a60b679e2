"""The API's description: equal to its file, valid, complete, and correct."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from flask import Flask
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.api.examples import ANSWERS, REQUESTS
from service.api.outbound import example_of
from service.clocks.hours import Hours, dumps
from service.clocks.nights import Habits
from service.clocks.reckoning import HOUR
from service.clocks.vacation import Vacation
from service.config import Mail
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.tools.openapi import files
from service.webhooks.confirming import code_of
from service.webhooks.kinds import KINDS, PING

from .answers import described_answer, document, hold_told_against_the_description, resolved
from .conftest import Json, Person
from .test_moves import play_on

KEYLESS = {
    *("addBrowser", "confirmAddress", "confirmWebhook", "removeAddress", "removeBrowser", "setAddress", "setNotices"),
    *("findGame", "playLine", "verifyRecord", "deleteMe", "setReadOnly"),
}
"""Operations that can safely be repeated, so that a key would have no effect."""
MAIL = Mail("127.0.0.1", 9, "", "", "off", "games@play.example.org", 0)
"""Settings of an app in which another process sends mail: nothing listens on this port."""
FOLDER = Path(__file__).parents[3] / "openapi"
DEFINED = {"components": document()["components"]}
"""The definitions for a schema's references, for schemas that are checked separately."""


def operations() -> Iterator[tuple[str, str, Json]]:
    """Yield each operation's path, method and description, with its parameters and responses resolved."""
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                parameters = [resolved(one) for one in operation["parameters"]]
                responses = {status: resolved(one) for status, one in operation["responses"].items()}
                yield path, method, {**operation, "parameters": parameters, "responses": responses}


def parameters_of(path: str, operation: Json) -> list[Json]:
    """Return an operation's parameters, including those of its path."""
    return [*map(resolved, document()["paths"][path].get("parameters", [])), *operation["parameters"]]


def success_of(operation: Json) -> str:
    """Return the status with which an operation succeeds."""
    return next(status for status in ("201", "200", "202", "204") if status in operation["responses"])


def test_the_files_are_what_make_openapi_writes() -> None:
    made = dict(files())
    found = {str(path.relative_to(FOLDER)): path.read_bytes() for path in FOLDER.rglob("*.json")}
    assert set(found) == set(made)
    for name, content in made.items():
        assert json.loads(found[name]) == json.loads(content), f"{name} is not up to date: run make openapi"


def test_events_and_their_streams_have_one_media_type_each() -> None:
    for path, media_type in (("events", "application/json"), ("events/stream", "text/event-stream")):
        for start in ("/v1/me", "/v1/games/{game_id}"):
            assert [*document()["paths"][f"{start}/{path}"]["get"]["responses"]["200"]["content"]] == [media_type]


def test_what_is_told_has_a_tag_of_its_own() -> None:
    """Generators write one file for each tag."""
    tags = {tag for _, _, operation in operations() for tag in operation["tags"]}
    told = {tag for item in document()["webhooks"].values() for tag in item["post"]["tags"]}
    assert told == {"Webhook events"}
    assert not told & tags
    assert {tag["name"] for tag in document()["tags"]} == told | tags


def test_the_description_is_valid() -> None:
    validate(document())  # type: ignore[arg-type]


def test_every_operation_is_described() -> None:
    ids = []
    for path, method, operation in operations():
        ids.append(operation["operationId"])
        assert operation["summary"].endswith("."), path
        assert operation["responses"]["default"] == document()["components"]["responses"]["DEFAULT_ERROR"], path
        for part in [operation["requestBody"]] if "requestBody" in operation else []:
            assert "example" in part["content"]["application/json"], path
        success = success_of(operation)
        content = operation["responses"][success].get("content")
        media_type = "text/event-stream" if path.endswith("/stream") else "application/json"
        assert content is None if success == "204" else "example" in content[media_type], (path, method)
    assert len(ids) == len(set(ids))


def test_every_parameter_is_described_and_has_an_example_that_is_one() -> None:
    found = set()
    for path, _, operation in operations():
        for parameter in parameters_of(path, operation):
            name = (operation["operationId"], parameter["name"])
            assert parameter["description"].endswith("."), name
            example = parameter.get("example", parameter["schema"].get("example"))
            assert Draft202012Validator({**parameter["schema"], **DEFINED}).is_valid(example), name
            found.add(parameter["in"])
    assert found == {"path", "query", "header"}


def test_every_link_names_an_operation_and_parameters_that_it_takes() -> None:
    taken = {
        operation["operationId"]: {parameter["name"] for parameter in parameters_of(path, operation)}
        for path, _, operation in operations()
    }
    linked = 0
    for _, _, operation in operations():
        for name, link in operation["responses"][success_of(operation)].get("links", {}).items():
            assert name == link["operationId"]
            assert set(link["parameters"]) <= taken[name], name
            linked += 1
    assert linked > 80


def test_only_methods_that_write_take_an_idempotency_key() -> None:
    for path, method, operation in operations():
        names = [parameter["name"] for parameter in operation.get("parameters", [])]
        keyless = method == "get" or operation["operationId"] in KEYLESS
        assert ("Idempotency-Key" in names) == (not keyless), (method, path)
        assert all(resolved(one)["in"] == "path" for one in document()["paths"][path].get("parameters", [])), path


def test_what_a_view_takes_is_described(app: Flask) -> None:
    """A view takes a query and a body, and no other input."""
    adapter = app.url_map.bind("localhost")
    for path, method, operation in operations():
        endpoint, _ = adapter.match(path.replace("{number}", "7"), method=method.upper())
        described = {parameter["in"] for parameter in operation.get("parameters", [])} & {"query"}
        described |= {"json"} if "requestBody" in operation else set()
        assert getattr(app.view_functions[endpoint], "takes", None) == described, (method, path)


def test_every_part_of_an_answer_has_a_shape() -> None:
    """Only a few objects have members with variable names.

    They are options, clauses of refusals, names of players, words for sentences, and the errors of a request.
    """
    open_ended = {
        (name, member)
        for name, schema in document()["components"]["schemas"].items()
        for member, described in schema.get("properties", {}).items()
        if described.get("type") == "object" and "properties" not in described
    }
    allowed = {"errors", "names", "options", "refusals", "members", "words", "plurals"}
    assert {member for _, member in open_ended} <= allowed, open_ended


def test_every_example_of_an_answer_is_one() -> None:
    for path, method, operation in operations():
        example: Any = ANSWERS.get(operation["operationId"])
        if example is not None:
            described = described_answer(path, method, success_of(operation), "application/json")
            assert described.errors(example) == [], operation["operationId"]


def test_every_example_of_what_is_told_is_one() -> None:
    assert set(document()["webhooks"]) == {PING, *KINDS}
    for kind in document()["webhooks"]:
        hold_told_against_the_description(example_of(kind))


def _of_open_game(anna: Person, bruno: Person, path: str, joins: bool = False) -> tuple[str, Person]:
    """Return a request by the owner of a game that has not started; its example names a player."""
    guest = Person(anna._client, "Ludovico")
    game = anna.open_game(seats=4)["id"]
    if joins:
        guest.post(f"/games/{game}/join")
    if path.startswith("invitation/"):
        anna.post(f"/games/{game}/invitations", {"player": "Bruno"}, 201)
    return f"/v1/games/{game}/{path}", bruno if path.startswith("invitation/") else anna


def _of_finished_game(anna: Person, bruno: Person) -> tuple[str, Person]:
    game = anna.open_game(edition="zman-2018-duel", seats=2)["id"]
    bruno.post(f"/games/{game}/join")
    bruno.post(f"/games/{game}/resign")
    return f"/v1/games/{game}/rematch", anna


def _of_running_game(anna: Person, bruno: Person) -> tuple[str, Person]:
    game = anna.open_game(edition="zman-2018-duel", seats=2)["id"]
    bruno.post(f"/games/{game}/join")
    return f"/v1/games/{game}/end", anna


OF_TABLES: dict[str, Callable[[Person, Person], tuple[str, Person]]] = {
    "invite": lambda anna, bruno: _of_open_game(anna, bruno, "invitations"),
    "acceptInvitation": lambda anna, bruno: _of_open_game(anna, bruno, "invitation/accept"),
    "declineInvitation": lambda anna, bruno: _of_open_game(anna, bruno, "invitation/decline"),
    "closeSeat": lambda anna, bruno: _of_open_game(anna, bruno, "close-seat"),
    "seatBot": lambda anna, bruno: _of_open_game(anna, bruno, "seat-bot"),
    "handOver": lambda anna, bruno: _of_open_game(anna, bruno, "hand-over", joins=True),
    "proposeRematch": _of_finished_game,
    "askToEnd": _of_running_game,
}
"""For operations at a table: the path of a request that can succeed, and the player who sends it."""


@pytest.mark.parametrize("operation", sorted(REQUESTS))
def test_every_example_of_a_request_is_taken(
    operation: str, made: Flask, anna: Person, bruno: Person, host: Person, games: Games, against_bots: Json
) -> None:
    body = json.loads((FOLDER / "examples" / f"{operation}.json").read_text())["request"]
    if operation == "makeMove":
        game = against_bots
        while body not in game["moves"]:
            if game["moves"]:
                game = anna.move(game, game["moves"][0])
            else:
                assert play_bot_turn(games, game["id"])
                game = anna.get(f"/games/{game['id']}")
        anna.move(game, body)
    elif operation == "joinGame":
        bruno.post(f"/games/{anna.open_game()['id']}/join", body)
    elif operation in ("sendMessage", "reportMessage", "settleReport"):
        talk = f"/games/{anna.open_game()['id']}/talk"
        for person in (bruno, host):
            person.post(talk.replace("/talk", "/join"))
        said = anna.post(talk, REQUESTS["sendMessage"], 201)["id"]
        reported = anna.ask("POST", f"{talk}/{said}/report", json=REQUESTS["reportMessage"])
        report = host.get("/admin/reports")["reports"][0]["id"]
        settled = host.ask("POST", f"/admin/reports/{report}/settle", json=REQUESTS["settleReport"])
        assert (reported.status_code, settled.status_code) == (204, 204)
    else:
        path, method, described = next(found for found in operations() if found[2]["operationId"] == operation)
        if path.startswith("/v1/admin/"):
            path, anna = path.replace("{player_id}", bruno.id).replace("{game_id}", against_bots["id"]), host
        if "{webhook_id}" in path:
            form = "text" if operation == "confirmWebhook" else "json"
            webhook = anna.post("/webhooks", {"url": "https://example.org/", "format": form}, 201)
            path = path.replace("{webhook_id}", webhook["id"])
        if "{game_id}" in path:
            clock = {"kind": "per-move", "seconds": 86_400}
            game = anna.open_game(bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}], clock=clock)
            while not game["moves"]:
                assert play_bot_turn(games, game["id"])
                game = anna.get(f"/games/{game['id']}")
            path = path.replace("{game_id}", game["id"])
        if operation in OF_TABLES:
            path, anna = OF_TABLES[operation](anna, bruno)
        if operation == "grantExtension":
            game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock)
            bruno.post(f"/games/{game['id']}/join")
            asks, anna = (anna, bruno) if anna.get(f"/games/{game['id']}")["moves"] else (bruno, anna)
            asks.post(f"/games/{game['id']}/extension", body)
            path = f"/v1/games/{game['id']}/extension/grant"
        if operation == "goOnVacation":
            saved = Hours(Habits(), Vacation(9 * HOUR, games.now()), auto_vacation=False)
            games.store.players.change_hours(anna.id, b"", dumps(saved))
        if operation == "exchangeDevice":
            body["code"] = anna.post("/me/devices", status=201)["code"]
        if operation == "deleteMe":
            body["name"] = "anna"
        if operation == "recoverAccount":
            body |= {"name": "Anna", "code": anna.post("/me/recovery-code", status=201)["recovery_code"]}
        if operation in ("setAddress", "confirmAddress"):
            made.extensions["condottiere"] = replace(games, mail=MAIL)
        if operation == "confirmAddress":
            anna.ask("PUT", "/me/notices/email", json=REQUESTS["setAddress"])
        if operation in ("confirmAddress", "confirmWebhook"):
            (unconfirmed,) = games.store.webhooks.of_players([anna.id])
            body["code"] = code_of(games, unconfirmed)
        if operation == "findGame":
            private = anna.open_game(private=True)["id"]
            body["code"] = anna.post(f"/games/{private}/code", status=201)["code"]
        if "games" in body:
            body["games"] = [against_bots["id"]]
        if operation == "showCards":
            game = anna.open_game(bots=[{"seat": n, "bot": "steady"} for n in (1, 2)], showing="allowed")
            path = f"/v1/games/{game['id']}/shown"
            body["cards"] = game["position"]["seats"][0]["hand"]["cards"][:1]
        if operation == "playLine":
            play_on(anna, games, game)
        answer = anna.ask(method.upper(), path.removeprefix("/v1"), json=body)
        assert answer.status_code == int(success_of(described)), answer.text


def test_the_description_is_served(app: Flask) -> None:
    assert app.test_client().get("/openapi.json").get_json() == document()


def test_a_variant_without_webhooks_is_served(app: Flask) -> None:
    variant = app.test_client().get("/openapi-without-webhooks.json").get_json()
    validate(variant)
    assert {*document()} - {*variant} == {"webhooks"}
    assert variant["paths"] == document()["paths"]
    assert "Webhook events" not in [tag["name"] for tag in variant["tags"]]
    left_out = {*document()["components"]["schemas"]} - {*variant["components"]["schemas"]}
    assert left_out
    text = json.dumps(variant)
    assert not [name for name in left_out if f'"#/components/schemas/{name}"' in text]
    assert all(f'"#/components/schemas/{name}"' in text for name in variant["components"]["schemas"])


PUBLIC = [
    "/openapi.json",
    "/openapi-without-webhooks.json",
    "/v1/bots",
    "/v1/editions",
    "/v1/editions/ffg-2007",
    "/v1/editions/ffg-2007/rules/3.2",
    "/v1/editions/ffg-2007/sentences",
    "/v1/editions/ffg-2007/sentences?revision=1&language=en",
    "/v1/editions/ffg-2007/rules/3.2?revision=1",
    "/v1/editions/ffg-2007/compare/zman-2018",
]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_answer_is_made_once_and_may_be_kept(app: Flask, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app.test_client()
    first = client.get(path)
    assert first.headers["Cache-Control"] == "public, max-age=3600, stale-while-revalidate=604800"
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    assert first.headers["Content-Type"] == "application/json"
    monkeypatch.setattr(orjson, "dumps", None)
    monkeypatch.setattr(hashlib, "sha256", None)
    again = client.get(path)
    assert (again.data, again.headers["ETag"]) == (first.data, first.headers["ETag"])
    tag, is_weak = first.get_etag()
    assert tag
    assert not is_weak
    known = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200
    head = client.head(path)
    assert (head.status_code, head.data, head.content_length) == (200, b"", len(first.data))


def test_public_answers_have_different_tags(app: Flask) -> None:
    client = app.test_client()
    tags = {client.get(path).headers["ETag"] for path in PUBLIC}
    assert len(tags) == len(PUBLIC)
    compared = "/v1/editions/zman-2018/compare/ffg-2007"
    assert client.get(compared).headers["ETag"] not in tags


def test_an_edition_that_does_not_exist_is_not_kept(spectator: Person) -> None:
    for path in (
        "/editions/risk",
        "/editions/risk/rules/3.2",
        "/editions/risk/compare/ffg-2007",
        "/editions/ffg-2007/compare/risk",
    ):
        for _ in range(2):
            assert spectator.get(path, 404)["code"] == "unknown-edition"
