"""Invalid input: each kind has a separate code and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from flask import Flask

from service.api.bodies import load_input
from service.problems import Problem
from service.schemas.moves import MoveSchema

from ..servers import Valkey
from .conftest import Json, Person

BODIES = [
    pytest.param(b"", "application/json", 422, "invalid-request", id="nothing"),
    pytest.param(b"{", "application/json", 400, "malformed-json", id="half an object"),
    pytest.param(b"\xff\xfe", "application/json", 400, "malformed-json", id="no UTF-8"),
    pytest.param(b'{"name": NaN}', "application/json", 400, "malformed-json", id="NaN"),
    pytest.param(b"[" * 20_000, "application/json", 400, "malformed-json", id="bottomless"),
    pytest.param(b'{"name": 1' + b"0" * 6000 + b"}", "application/json", 400, "malformed-json", id="endless number"),
    pytest.param(b"[]", "application/json", 422, "invalid-request", id="a list"),
    pytest.param(b'"x"', "application/json", 422, "invalid-request", id="a word"),
    pytest.param(b"null", "application/json", 422, "invalid-request", id="null"),
    pytest.param(b'{"name": 7}', "application/json", 422, "invalid-request", id="a wrong type"),
    pytest.param(b'{"name": null}', "application/json", 422, "invalid-request", id="null for a name"),
    pytest.param(b'{"name": "a"}', "application/json", 422, "invalid-request", id="too short"),
    pytest.param(b'{"name": "a b"}', "application/json", 422, "invalid-request", id="a space"),
    pytest.param(b'{"name": "anna\\n"}', "application/json", 422, "invalid-request", id="a line end"),
    pytest.param(b'{"name": "anna", "age": 9}', "application/json", 422, "unknown-field", id="an unknown field"),
    pytest.param(b'{"name": "anna"}', "text/plain", 415, "unsupported-media-type", id="plain text"),
    pytest.param(b'{"name": "anna"}', None, 415, "unsupported-media-type", id="no type"),
    pytest.param(b"name=anna", "application/x-www-form-urlencoded", 415, "unsupported-media-type", id="a form"),
    pytest.param(b'"' + b"x" * 40_000 + b'"', "application/json", 413, "body-too-large", id="too large"),
]


@pytest.mark.parametrize(("body", "media_type", "status", "code"), BODIES)
def test_a_body_that_is_not_a_registration(
    spectator: Person, log_server: Valkey, body: bytes, media_type: str | None, status: int, code: str
) -> None:
    answer = spectator.ask("POST", "/players", data=body, content_type=media_type)
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    problem = answer.get_json(force=True)
    assert (problem["code"], problem["status"], problem["type"]) == (code, status, f"/problems/{code}")
    with log_server.client() as client:
        assert client.dbsize() == 0


MOVES: list[Any] = [
    {},
    [],
    {"type": "surrender"},
    {"type": ["pass"]},
    {"type": "play-card"},
    {"type": "play-card", "card": "joker"},
    {"type": "play-card", "card": 3},
    {"type": "play-card", "card": "scarecrow", "take": "pope"},
    {"type": "play-card", "card": "scarecrow", "take_from": 9},
    {"type": "play-card", "card": "scarecrow", "take_from": "0"},
    {"type": "play-card", "card": "bishop", "favor": "paris"},
    {"type": "choose-region", "region": "paris"},
    {"type": "choose-region", "region": None},
    {"type": "choose-region", "region": "roma", "seat": -1},
]


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_a_body_that_is_not_a_move(anna: Person, against_bots: Json, move: Any) -> None:
    problem = anna.move(against_bots, move, 422)
    assert problem["code"] == "invalid-request"
    assert problem["errors"]
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


@pytest.mark.parametrize("move", [MOVES[-1], {"type": "pass"}, {"type": "keep-cards", "keep": ["drummer"]}], ids=str)
def test_a_body_that_came_before_is_loaded_like_the_first(app: Flask, move: Json) -> None:
    """A process caches short valid moves; changes that one request makes to the parsed body do not affect others."""

    def load() -> Json:
        with app.test_request_context("/v1/games/17/moves", method="POST", json=move):
            loaded: Json = load_input(schema, "json")
            return loaded

    schema = MoveSchema()
    if move is MOVES[-1]:
        for _ in range(2):
            with pytest.raises(Problem):
                load()
        return
    first = load()
    assert first == move
    first["seat"] = 3
    assert load() == move


BOTS: list[Any] = [
    ["steady"],
    [1],
    [None],
    [[]],
    [{}],
    [{"seat": 9, "bot": "steady"}],
    [{"seat": "1", "bot": "steady"}],
    [{"seat": 1, "bot": "steady"}, {"bot": "steady"}],
    [{"seat": {}, "bot": []}],
]


@pytest.mark.parametrize("bots", BOTS, ids=str)
def test_malformed_bots_are_refused(anna: Person, bots: Any) -> None:
    problem = anna.post("/games", {"edition": "zman-2018", "seats": 3, "bots": bots}, 422)
    assert problem["code"] == "invalid-request"
    assert all(part.startswith(f"bots.{len(bots) - 1}") for part in problem["errors"])


def test_parts_are_compared_only_when_each_of_them_is_valid(anna: Person) -> None:
    twice = [{"seat": 1, "bot": "steady"}, {"seat": 1, "bot": "random"}]
    opening = {"edition": "zman-2018", "seats": 3, "bots": twice}
    assert anna.post("/games", {**opening, "seats": "3"}, 422)["errors"] == {"seats": ["Not a valid integer."]}
    assert anna.post("/games", opening, 422)["errors"] == {"bots": ["Two bots are assigned to the same seat."]}


def test_a_number_without_a_fraction_is_an_integer(anna: Person) -> None:
    """JSON Schema says so: some languages write every number with a decimal point."""
    opening = {"edition": "zman-2018", "seats": 3.0, "bots": [{"seat": 1.0, "bot": "steady"}]}
    game = anna.post("/games", {**opening, "options": {"battle_limit": 7.0}}, 201)
    assert [seat["bot"] for seat in game["seated"]] == [None, "steady", None]
    assert (game["options"]["battle_limit"], type(game["options"]["battle_limit"])) == (7, int)
    token = anna.post("/me/tokens", {"name": "bot", "scopes": ["read"], "expires_at": 4e12}, 201)
    assert token["expires_at"] == 4_000_000_000_000


@pytest.mark.parametrize("value", [7.5, 1e300, -1e300, "7", True])
def test_an_option_that_is_a_number_takes_whole_numbers_only(anna: Person, value: object) -> None:
    opening = {"edition": "zman-2018", "seats": 3, "options": {"battle_limit": value}}
    assert anna.post("/games", opening, 422)["code"] == "bad-option"


def test_a_body_that_is_required_must_be_there(anna: Person) -> None:
    webhook = anna.post("/webhooks", {"url": "https://bots.example.org/condottiere"}, 201)["id"]
    for path in ("/me", f"/webhooks/{webhook}"):
        answer = anna.ask("PATCH", path)
        assert (answer.status_code, answer.get_json()["errors"]) == (422, {"body": ["Missing."]})
        assert anna.ask("PATCH", path, json={}).status_code == 200


OPENINGS: list[Json] = [
    {},
    {"edition": "zman-2018"},
    {"edition": "monopoly", "seats": 3},
    {"edition": "zman-2018", "seats": "3"},
    {"edition": "zman-2018", "seats": 3.5},
    {"edition": "zman-2018", "seats": 0},
    {"edition": "zman-2018", "seats": 3, "options": []},
    {"edition": "zman-2018", "seats": 3, "bots": {"1": "steady"}},
    {"edition": "zman-2018", "seats": 3, "bots": [{"seat": 1, "bot": "clever"}]},
    {"edition": "zman-2018", "seats": 3, "bots": [{"seat": 1, "bot": "steady"}, {"seat": 1, "bot": "random"}]},
    {"edition": "zman-2018", "seats": 3, "start": "never"},
    {"edition": "zman-2018", "seats": 3, "entropy": "xyz"},
    {"edition": "zman-2018", "seats": 3, "seed": "00"},
]


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_a_body_that_is_not_an_opening(anna: Person, opening: Json) -> None:
    assert anna.post("/games", opening, 422)["code"] == "invalid-request"
    assert anna.get("/games?status=mine")["games"] == []


@pytest.mark.parametrize("options", [{"battle_limit": []}, {"battle_limit": "many"}, {"battle_limit": 1.5}])
def test_an_option_with_a_value_of_no_use(anna: Person, options: Json) -> None:
    assert anna.post("/games", {"edition": "zman-2018", "seats": 3, "options": options}, 422)["code"] == "bad-option"


@pytest.mark.parametrize("depth", [1, 100, 253, 1_000, 1_021])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
def test_a_deeply_nested_option_is_refused(anna: Person, depth: int, brackets: tuple[str, str]) -> None:
    value = brackets[0] * depth + "0" + brackets[1] * depth
    body = f'{{"edition": "zman-2018", "seats": 3, "options": {{"points": {value}}}}}'
    answer = anna.ask("POST", "/games", data=body, content_type="application/json")
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["option"]) == (422, "bad-option", "points")
    assert len(answer.data) < 400


def test_a_problem_quotes_only_the_beginning_of_a_long_value(anna: Person) -> None:
    opening = {"edition": "zman-2018", "seats": 3}
    long = "x" * 30_000
    for problem in (
        anna.post("/games", {**opening, "options": {long: 1}}, 422),
        anna.post("/games", {**opening, "options": {"battle_limit": long}}, 422),
        anna.post("/games", {**opening, long: 1}, 422),
        anna.post("/games", {**opening, "bots": list(range(5_000))}, 422),
        anna.get(f"/games/{long[:3_000]}", 404),
        anna.get(f"/players/{long[:3_000]}", 404),
        anna.get(f"/editions/{long[:3_000]}", 404),
        anna.get(f"/webhooks/{long[:3_000]}", 404),
    ):
        assert len(json.dumps(problem)) < 3_000


def test_a_problem_lists_twenty_wrong_parts_and_counts_the_others(anna: Person) -> None:
    opening = {"edition": "zman-2018", "seats": 3, "bots": list(range(50))}
    problem = anna.post("/games", opening, 422)
    assert len(problem["errors"]) == 20
    assert problem["detail"].endswith("; and 30 more")


@pytest.mark.parametrize("query", ["after=-1", "after=x", "wait=61", "wait=-1"])
def test_a_query_that_is_none(anna: Person, against_bots: Json, query: str) -> None:
    assert anna.get(f"/games/{against_bots['id']}/events?{query}", 422)["code"] == "invalid-request"


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson", "text/event-stream"])
@pytest.mark.parametrize("by_header", [False, True])
def test_a_version_that_is_yet_to_come_is_not_read_on_from(
    anna: Person, against_bots: Json, accept: str, by_header: bool
) -> None:
    """Otherwise a client could wait there forever."""
    version = against_bots["version"]
    after = str(version + 1)
    headers = {"Accept": accept, **({"Last-Event-ID": after} if by_header else {})}
    path = f"/games/{against_bots['id']}/events" + ("" if by_header else f"?after={after}")
    answer = anna.ask("GET", path, headers=headers)
    problem = answer.get_json(force=True)
    assert (answer.status_code, problem["code"], problem["version"]) == (422, "invalid-request", version)
    assert list(problem["errors"]) == ["after"]


def test_what_no_shape_has_is_refused_by_a_code_of_its_own(anna: Person, against_bots: Json) -> None:
    path = f"/games/{against_bots['id']}"
    for problem in (
        anna.move(against_bots, {"type": "pass", "card": "winter"}, 422),
        anna.post("/games", {"edition": "zman-2018", "seats": 3, "owner": "me"}, 422),
        anna.post("/games", {"edition": "zman-2018", "seats": 3, "bots": [{"seat": 1, "bot": "steady", "x": 1}]}, 422),
        anna.get(f"{path}/events?before=3", 422),
    ):
        assert problem["code"] == "unknown-field"
        assert list(problem["errors"].values()) == [["Unknown field."]]


@pytest.mark.parametrize("action", ["leave", "start", "resign", "return", "pause", "resume"])
def test_what_nobody_reads_is_refused_before_anything_is_done(anna: Person, against_bots: Json, action: str) -> None:
    """A client that sends such a parameter or body expects an effect."""
    path = f"/games/{against_bots['id']}"
    for problem in (
        anna.post(f"{path}/{action}", {"dry_run": True}, 422),
        anna.post(f"{path}/{action}?dry_run=1", status=422),
        anna.post("/me/token", {"dry_run": True}, 422),
        anna.get(f"{path}?dry_run=1", 422),
    ):
        assert (problem["code"], problem["errors"]) == ("unknown-field", {"dry_run": ["Unknown field."]})
    assert anna.post(f"{path}/{action}", [1], 422)["code"] == "invalid-request"
    assert anna.get(path) == against_bots


def test_a_body_that_says_nothing_is_none(anna: Person) -> None:
    assert anna.post("/me/token", {}, 201)["name"] == "Anna"


def test_addresses_and_methods_that_are_none(spectator: Person, app: Flask) -> None:
    assert spectator.get("/nowhere", 404)["code"] == "not-found"
    answer = spectator.ask("DELETE", "/players")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert answer.get_json(force=True)["code"] == "method-not-allowed"
    assert app.test_client().get("/problems/nonsense").status_code == 404


def without(member: str) -> Callable[[Json], object]:
    """Return a function that removes a member from a commit."""
    return lambda commit: commit.pop(member)


def turn(**changed: object) -> Callable[[Json], object]:
    """Return a function that changes the turn that a commit starts."""
    return lambda commit: commit["events"][-1].update(changed)


DAMAGE: list[Any] = [
    pytest.param(lambda commit: commit.update(events=[{"type": "nonsense"}]), id="an unknown event"),
    pytest.param(lambda commit: commit.update(seq=9), id="a gap"),
    *(pytest.param(without(member), id=f"no {member}") for member in ("at", "by", "key", "fingerprint", "events")),
    pytest.param(turn(phase="lunch"), id="an unknown phase"),
    pytest.param(turn(seat=7), id="a seat that is not there"),
    pytest.param(turn(seat=None), id="nobody's turn"),
    pytest.param(lambda commit: commit["events"][0].update(commitment="00"), id="another commitment"),
    pytest.param(lambda commit: commit["events"][3].update(entropy="xyz"), id="entropy that is none"),
    pytest.param(lambda commit: commit["events"].append(commit["events"][3]), id="a seat taken after the start"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_corrupt_log_is_named_and_left_as_it_is(
    anna: Person, against_bots: Json, log_server: Valkey, damage: Callable[[Json], object]
) -> None:
    with log_server.client() as client:
        (key,) = client.scan_iter(f"*log:{against_bots['id']}")
        commit = json.loads(client.lindex(key, 0))
        damage(commit)
        client.lset(key, 0, json.dumps(commit))
        _is_corrupt(anna, against_bots)
        assert client.llen(key) == against_bots["version"]
        assert json.loads(client.lindex(key, 0)) == commit


def test_a_turn_that_is_over_and_cannot_be_read_spoils_what_tells_of_it(
    anna: Person, against_bots: Json, log_server: Valkey
) -> None:
    """The game continues, because nothing of the turn is left in the state."""
    game = anna.move(against_bots, against_bots["moves"][0])
    with log_server.client() as client:
        (key,) = client.scan_iter(f"*log:{game['id']}")
        commit = json.loads(client.lindex(key, 0))
        del commit["events"][-1]["seat"]
        client.lset(key, 0, json.dumps(commit))
    assert anna.get(f"/games/{game['id']}") == game
    problem = anna.get(f"/games/{game['id']}/events", 500)
    assert (problem["code"], problem["game"]) == ("corrupt-log", game["id"])


@pytest.mark.parametrize("seed", [b"", b"short", bytes(32)])
def test_a_damaged_seed_is_noticed(anna: Person, against_bots: Json, log_server: Valkey, seed: bytes) -> None:
    with log_server.client() as client:
        (key,) = client.scan_iter(f"*seed:{against_bots['id']}")
        client.set(key, seed)
        _is_corrupt(anna, against_bots)


def test_a_log_that_is_lost_is_no_unknown_game(anna: Person, against_bots: Json, log_server: Valkey) -> None:
    with log_server.client() as client:
        client.delete(*client.scan_iter(f"*log:{against_bots['id']}"))
    _is_corrupt(anna, against_bots)


def _is_corrupt(anna: Person, game: Json) -> None:
    path = f"/games/{game['id']}"
    for problem in (
        anna.get(path, 500),
        anna.get(f"{path}/events", 500),
        anna.move(game, {"type": "pass"}, 500),
        anna.post(f"{path}/leave", status=500),
    ):
        assert (problem["code"], problem["game"]) == ("corrupt-log", game["id"])


def test_a_body_in_chunks_may_not_be_longer_than_another(app: Flask) -> None:
    """The body is refused rather than cut off, because its beginning might mean something else."""
    answer = app.test_client().post(
        "/v1/players",
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
        input_stream=BytesIO(b'{"name": "Bruno"}' + 40_000 * b" "),
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (413, "body-too-large")


def test_a_body_in_chunks_must_be_json_too(app: Flask, anna: Person) -> None:
    answer = app.test_client().post(
        "/v1/games",
        headers={**anna.headers, "Transfer-Encoding": "chunked"},
        content_type="text/plain",
        input_stream=BytesIO(b'{"edition": "zman-2018", "seats": 3}'),
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 415
    assert anna.get("/games?status=mine")["games"] == []


def test_every_problem_looks_alike(spectator: Person) -> None:
    for method, path in (("GET", "/me"), ("GET", "/nowhere"), ("PUT", "/me"), ("POST", "/players")):
        answer = spectator.ask(method, path)
        problem = answer.get_json(force=True)
        assert answer.mimetype == "application/problem+json"
        assert answer.headers["Cache-Control"] == "no-store"
        assert {"type", "title", "status", "detail", "code"} <= set(problem)
        assert problem["status"] == answer.status_code
