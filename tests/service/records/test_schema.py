"""The published JSON Schema accepts every record, and describes each member of a commit and an event."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine import EDITIONS
from service.records.document import as_json

from ..games.logs import PLAYERS
from .test_document import STORED, moments, stored_game

SCHEMA = Path(__file__).parents[3] / "openapi" / "record.schema.json"

Json = dict[str, Any]


@cache
def schema() -> Json:
    """The published schema, changed so that no object may have additional members."""
    published: Json = json.loads(SCHEMA.read_text())
    return _closed(published)  # type: ignore[no-any-return]


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    closed = {name: _closed(value) for name, value in part.items()}
    if isinstance(part.get("properties"), dict) and part.get("type") == "object":
        closed["additionalProperties"] = False
    return closed


def check(record: Json) -> None:
    """Fail if a record does not match the schema; each event is compared only with the branch of its type."""
    branches = {
        branch["properties"]["type"]["enum"][0]: {"$ref": f"#/$defs/{name}"}
        for name, branch in schema()["$defs"].items()
        if "type" in branch.get("properties", {})
    }
    for commit in record["commits"]:
        for event in commit["events"]:
            validator = Draft202012Validator({**branches[event["type"]], "$defs": schema()["$defs"]})
            assert not [error.message for error in validator.iter_errors(event)], event
    rest = {**record, "commits": [{**commit, "events": []} for commit in record["commits"]]}
    assert not [error.message for error in Draft202012Validator(schema()).iter_errors(rest)]


@pytest.mark.parametrize("key", EDITIONS)
def test_records_of_every_edition_are_as_the_schema_says(key: str) -> None:
    for game in moments(key):
        for player in (PLAYERS[0], None):
            check(json.loads(as_json(game, player, {PLAYERS[0]: "Anna", PLAYERS[1]: None})))


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_records_of_stored_logs_are_as_the_schema_says(path: Path) -> None:
    game = stored_game(path)
    for player in (*game.table.players(), None):
        check(json.loads(as_json(game, player)))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(json.loads(SCHEMA.read_text()))
    assert len(schema()["$defs"]) > 40
