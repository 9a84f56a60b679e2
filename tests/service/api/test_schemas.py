"""The schemas in the API's description, as client generators and their users need them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator
from marshmallow import Schema, missing

from engine.bots import BOTS
from service.problems import PROBLEMS
from service.schemas.event_members import MEANINGS, SPECIAL, SUMMARIES
from service.schemas.events import EventSchema
from service.schemas.named import CARDS, EDITION_KEYS, PHASE, REGIONS

from .answers import document
from .conftest import Json

SCHEMAS: Json = document()["components"]["schemas"]
EXAMPLES = ("example", "examples")


def snake(name: str) -> str:
    """Return a name as generators of Python write it.

    >>> snake("CardName"), snake("EventType")
    ('card_name', 'event_type')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def parts(described: object) -> Iterator[Json]:
    """Yield every object in a description."""
    if isinstance(described, dict):
        yield described
        described = list(described.values())
    for inner in described if isinstance(described, list) else []:
        yield from parts(inner)


def subclasses(schema: type[Schema]) -> Iterator[type[Schema]]:
    """Yield every schema class of the service."""
    for one in schema.__subclasses__():
        yield from [one] if one.__module__.startswith("service.schemas") else []
        yield from subclasses(one)


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_schema_has_the_name_of_a_member_or_of_a_keyword(name: str) -> None:
    """Generators write both in the same way, so that a class would shadow its own member."""
    members = {member.replace("_", "").lower() for member in SCHEMAS[name].get("properties", {})}
    assert name.lower() not in members
    assert snake(name) not in keyword.kwlist
    assert name not in {"Array", "Date", "Error", "Map", "Object", "Record", "Set", "Try"}, "TypeScript has one"


def test_cards_regions_and_phases_are_closed_and_named() -> None:
    for name, values in {"CardName": CARDS, "RegionName": REGIONS, "Phase": PHASE.values}.items():
        assert SCHEMAS[name]["enum"] == values


def test_editions_bots_and_problems_are_open_and_named() -> None:
    known = {"EditionKey": EDITION_KEYS, "BotKey": list(BOTS), "ProblemCode": list(PROBLEMS)}
    for name, values in known.items():
        assert "enum" not in SCHEMAS[name]
        assert SCHEMAS[name]["examples"] == values


def test_an_open_type_lists_its_values_and_says_that_there_may_be_others() -> None:
    found = {name: described for name, described in SCHEMAS.items() if "x-extensible-enum" in described}
    assert {"EditionKey", "EventType", "ProblemCode"} <= set(found)
    for described in found.values():
        assert "a client must accept values that it does not know" in described["description"]
        assert all(f"`{value}`" in described["description"] for value in described["x-extensible-enum"])


def test_what_a_named_type_lists_is_listed_nowhere_else() -> None:
    named = {tuple(one.get("enum", one.get("x-extensible-enum", ()))) for one in SCHEMAS.values()} - {()}
    assert not [part for one in SCHEMAS.values() for part in parts(one.get("properties")) if _enum(part) in named]


def _enum(part: Json) -> tuple[str, ...]:
    values = part.get("enum", ())
    return tuple(value for value in values if value is not None) if isinstance(values, list) else ()


def test_no_member_has_a_default_that_generators_would_take_for_a_promise() -> None:
    """`openapi-typescript` and others make a member with a `default` required, even in requests."""
    bodies = {name: one["properties"] for name, one in SCHEMAS.items() if "properties" in one}
    assert not [(name, member) for name, one in bodies.items() for member in one if "default" in one[member]]


def test_a_member_that_may_be_left_out_says_what_happens_then() -> None:
    found = 0
    for schema in {*subclasses(Schema)}:
        if schema.__module__ != "service.schemas.queries" and not schema.__name__.endswith("QuerySchema"):
            for name, field in schema._declared_fields.items():
                if field.load_default is not missing:
                    described = field.metadata["description"]
                    assert re.search("omitted|default|leave it out", described, re.IGNORECASE), (schema.__name__, name)
                    found += 1
    assert found > 20


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_and_every_member_is_described(name: str) -> None:
    described = SCHEMAS[name]
    assert described["description"].endswith(".")
    assert not [member for member, one in described.get("properties", {}).items() if not _is_text(one)]
    assert not re.search(r"\b(None|True|False)\b", described["description"]), "as Python says it"


def test_every_member_that_is_described_in_its_place_is_described() -> None:
    """A body that only one operation uses may have no name, but its members are explained."""
    places = [document()["paths"], document()["webhooks"], *SCHEMAS.values()]
    inline = [part for place in places for part in parts(_without_examples(place)) if "properties" in part]
    assert not [(one, name) for one in inline for name, part in one["properties"].items() if not _is_text(part)]


def _without_examples(described: object) -> object:
    """Return a description without example values, which could be mistaken for schemas."""
    if isinstance(described, dict):
        return {name: _without_examples(inner) for name, inner in described.items() if name not in EXAMPLES}
    return [_without_examples(inner) for inner in described] if isinstance(described, list) else described


def _is_text(member: Json) -> bool:
    return str(member.get("description", "")).endswith(".")


def test_every_member_of_an_event_that_is_explained_exists() -> None:
    members = {name: branch._declared_fields.keys() for name, branch in EventSchema.branches.items()}
    assert {*SUMMARIES, *SPECIAL} <= set(members)
    assert not [
        (name, member) for name, special in SPECIAL.items() for member in special if member not in members[name]
    ]
    general = {member for name, one in members.items() for member in one if member not in SPECIAL.get(name, ())}
    assert set(MEANINGS) <= general


def test_the_example_of_a_problem_is_one() -> None:
    (example,) = SCHEMAS["Problem"]["examples"]
    validator = Draft202012Validator({"$ref": "#/components/schemas/Problem", "components": document()["components"]})
    assert not [error.message for error in validator.iter_errors(example)]
    assert example["code"] in PROBLEMS


def test_only_requests_refuse_members_that_are_not_described() -> None:
    """A later release may add members to responses. In a request, a member that is not described is a mistake."""
    closed = {name for name, one in SCHEMAS.items() if one.get("additionalProperties") is False}
    assert {"Opening", "PlayCard", "Subscription", "Night"} <= closed
    assert not {"Game", "Event", "CardPlayed", "Webhook", "GameRecord", "RecordCommit", "TurnStartedPayload"} & closed
