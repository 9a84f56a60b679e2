"""Game records over HTTP: what each caller gets, entity tags, and what caches may store."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from service.games.repository import Games, load
from service.records.document import as_json
from service.store.chain import hashes_of, head, line_of
from service.store.keys import of_game

from ..records.test_document import recompute
from ..servers import Valkey
from .conftest import Json, Person
from .test_moves import play_on

LINES = {"Accept": "application/x-ndjson"}
SCHEMA = Path(__file__).parents[3] / "openapi" / "record.schema.json"


@cache
def validator() -> Draft202012Validator:
    """Return a validator for the published schema."""
    return Draft202012Validator(json.loads(SCHEMA.read_text()))


def path_of(game: Json) -> str:
    return f"/games/{game['id']}/record"


def test_the_record_of_a_running_game_is_its_caller_s(
    anna: Person, bruno: Person, spectator: Person, against_bots: Json
) -> None:
    path = path_of(against_bots)
    records = [caller.get(path) for caller in (anna, bruno, spectator)]
    assert [record["seat"] for record in records] == [0, None, None]
    assert records[1] == records[2]
    events = anna.get(f"/games/{against_bots['id']}/events")["commits"]
    assert [list(commit) for commit in records[0]["commits"]] == [["seq", "at", "by", "revision", "events"]] * len(
        events
    )
    for record in records:
        assert (record["open"], record["fairness"]["seed"], record["head"]) == (False, None, against_bots["head"])
        assert not [*validator().iter_errors(record)]
    (dealt,) = (event for event in records[0]["commits"][0]["events"] if event["type"] == "hands-dealt")
    assert ["cards" in hand for hand in dealt["hands"]] == [True, False, False]


def test_the_record_of_an_open_game_has_no_hash(anna: Person, spectator: Person) -> None:
    game = anna.open_game()
    record = spectator.get(path_of(game))
    assert (record["open"], record["status"], record["revision"]) == (False, "open", None)
    assert record["seats"] == [{"player": anna.id, "bot": None, "entropy": None}, *[_FREE] * 2]
    assert not [*validator().iter_errors(record)]
    anna.post(f"/games/{game['id']}/leave")
    left = spectator.get(path_of(game))
    assert (left["open"], left["status"], left["fairness"]["seed"]) == (False, "cancelled", None)
    assert "hash" not in left["commits"][-1]


_FREE = {"player": None, "bot": None, "entropy": None}


def test_the_record_of_a_finished_game_is_open_and_never_changes(
    anna: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    game = play_on(anna, games, against_bots)
    first = anna.ask("GET", path_of(game))
    record = first.get_json()
    recompute(record)
    assert not [*validator().iter_errors(record)]
    assert (record["status"], record["version"], record["head"]) == ("finished", game["version"], game["head"])
    assert record["result"] == game["result"]
    second = spectator.ask("GET", path_of(game))
    assert (second.data, second.headers["ETag"]) == (first.data, first.headers["ETag"])
    assert second.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert second.headers["Vary"] == "Accept"
    assert second.headers["Content-Disposition"] == f'attachment; filename="{game["id"]}.record.json"'
    with_names = anna.ask("GET", f"{path_of(game)}?names=true")
    assert with_names.headers["Cache-Control"] == "private, no-cache"


def test_heads_of_views_are_those_of_the_opened_chain(anna: Person, games: Games, against_bots: Json) -> None:
    """A client that has kept the head of a version can recompute it from the record."""
    kept = {against_bots["version"]: against_bots["head"]}
    game = anna.move(against_bots, against_bots["moves"][0])
    kept[game["version"]] = game["head"]
    game = play_on(anna, games, game)
    kept[game["version"]] = game["head"]
    record = anna.get(path_of(game))
    seed = bytes.fromhex(record["fairness"]["seed"])
    assert len(kept) == 3
    for version, shown in kept.items():
        assert head(seed, record["commits"][version - 1]["hash"]) == shown


def test_a_kept_head_shows_that_the_past_was_rewritten(anna: Person, games: Games, against_bots: Json) -> None:
    """Any change up to that version is detected, even if all hashes and the last head were recomputed."""
    kept = anna.move(against_bots, against_bots["moves"][0])
    game = load(games, play_on(anna, games, kept)["id"])
    assert game.at(kept["version"]).head == kept["head"]
    commits = [*game.commits]
    changes: list[tuple[str, list[Json]]] = [
        ("a commit re-timed", [{**commits[0], "at": commits[0]["at"] + 1}, *commits[1:]]),
        ("another author", [commits[0], {**commits[1], "by": "bot:1"}, *commits[2:]]),
        ("an event removed", [{**commits[0], "events": commits[0]["events"][:-1]}, *commits[1:]]),
        ("two commits swapped", [commits[1], commits[0], *commits[2:]]),
        ("a commit removed", commits[1:]),
        ("a commit repeated", [commits[0], *commits]),
    ]
    for name, changed in changes:
        hashes = hashes_of(map(line_of, changed))
        assert head(game.seed, hashes[kept["version"] - 1]) != kept["head"], name
    later = [*commits[: kept["version"]], {**commits[-1], "at": 0}]
    assert head(game.seed, hashes_of(map(line_of, later))[kept["version"] - 1]) == kept["head"]


def test_a_record_comes_as_lines(anna: Person, games: Games, against_bots: Json) -> None:
    for game in (against_bots, play_on(anna, games, against_bots)):
        answer = anna.ask("GET", path_of(game))
        lines = anna._client.get(f"/v1{path_of(game)}", headers={**anna.headers, **LINES})
        assert lines.mimetype == "application/x-ndjson"
        assert lines.headers["Content-Disposition"].endswith('.record.ndjson"')
        assert lines.headers["ETag"] != answer.headers["ETag"]
        first, *commits = map(orjson.loads, lines.data.splitlines())
        assert {**first, "commits": commits} == answer.get_json()


def test_other_formats_are_refused(anna: Person, against_bots: Json) -> None:
    answer = anna.ask("GET", path_of(against_bots), headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.get_json()["code"]) == (406, "not-acceptable")


def test_a_record_that_has_not_changed_is_not_sent_again(anna: Person, bruno: Person, against_bots: Json) -> None:
    path = path_of(against_bots)
    tags = {}
    for caller in (anna, bruno):
        for more in ("", "?names=true"):
            tag = caller.ask("GET", path + more).headers["ETag"]
            again = caller.ask("GET", path + more, headers={"If-None-Match": tag})
            assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
            tags[caller.id, more] = tag
    assert len({*tags.values()}) == 4
    anna.move(against_bots, against_bots["moves"][0])
    assert anna.ask("GET", path, headers={"If-None-Match": tags[anna.id, ""]}).status_code == 200


def test_the_end_of_a_game_changes_the_tag(anna: Person, games: Games, against_bots: Json) -> None:
    """The tag changes even at the same version, because secrets are then shown."""
    game = play_on(anna, games, against_bots)
    tag = anna.ask("GET", path_of(game)).headers["ETag"]
    assert tag == f'"{game["version"]}.open.r1.json"'


def test_names_come_on_request(anna: Person, bruno: Person) -> None:
    game = anna.open_game(bots=[{"seat": 2, "bot": "steady"}])
    bruno.post(f"/games/{game['id']}/join")
    path = path_of(game)
    assert anna.get(f"{path}?names=true")["names"] == {anna.id: "Anna", bruno.id: "Bruno"}
    assert "names" not in anna.get(path)
    assert "Anna" not in anna.ask("GET", path).get_data(as_text=True)
    refused = anna.ask("GET", f"{path}?names=yes")
    assert (refused.status_code, refused.get_json()["code"]) == (422, "invalid-request")


def test_a_game_that_does_not_exist_has_no_record(anna: Person) -> None:
    assert anna.get("/games/17abcdefghjkmnpqrs/record", 404)["code"] == "unknown-game"


def test_the_schema_is_served(spectator: Person) -> None:
    answer = spectator._client.get("/v1/schemas/record.json")
    assert answer.get_json() == json.loads(SCHEMA.read_text())
    assert "public" in answer.headers["Cache-Control"]
    Draft202012Validator.check_schema(answer.get_json())


@pytest.mark.parametrize("change", [{"record": 2}, {"commits": [{"seq": 1}]}, {"head": "0"}, {"status": "over"}])
def test_the_schema_refuses_what_is_no_record(anna: Person, against_bots: Json, change: Json) -> None:
    record: dict[str, Any] = anna.get(path_of(against_bots))
    assert validator().is_valid(record)
    assert not validator().is_valid({**record, **change})


def test_a_wrong_stored_hash_is_not_in_the_record(
    anna: Person, games: Games, log_server: Valkey, against_bots: Json
) -> None:
    """The record computes the chain from the log lines, whatever hash is stored."""
    game = play_on(anna, games, against_bots)
    expected = as_json(load(games, game["id"]), None)
    with log_server.client() as client:
        key = of_game(game["id"], "log")
        for place in (3, -1):
            row, wrong = client.lindex(key, place), re.compile(rb'"hash":"[0-9a-f]{64}"')
            client.lset(key, place, wrong.sub(b'"hash":"%b"' % (b"f" * 64), row, count=1))
            assert client.lindex(key, place) != row
    assert anna.ask("GET", path_of(game)).data == expected
