"""Compares every response with the API's description.

A fast validator checks it first. If it finds an error, a slow one produces messages that a programmer can read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urljoin

import jsonschema_rs
from flask import Flask
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from service.api.codes import ANYWHERE
from service.tools.openapi import description

DOCUMENT = "https://condottiere.example/openapi.json"


def _one_of(validator: Any, branches: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Compare an object only with the branch that its discriminator selects, as OpenAPI defines it.

    No other branch would accept it, because each requires a different `type`.
    """
    if "discriminator" not in schema:
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, branches, instance, schema)
        return
    name = instance.get(schema["discriminator"]["propertyName"]) if isinstance(instance, dict) else None
    branch = schema["discriminator"]["mapping"].get(name) if isinstance(name, str) else None
    if branch is None:
        yield ValidationError(f"{name!r} is no type that is described")
    else:
        yield from validator.descend(instance, {"$ref": branch})


def _known(_: Any, values: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    """Compare a value of an open type with the values in the description: this release uses no others."""
    if instance not in values:
        yield ValidationError(f"{instance!r} is not among the known values")


_Described: type[Validator] = extend(Draft202012Validator, {"oneOf": _one_of, "x-extensible-enum": _known})


@cache
def document() -> dict[str, Any]:
    """Return the API's description."""
    return description()


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the description, or the part to which it refers."""
    if "$ref" not in part:
        return part
    *_, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = document()["components"][kind][name]
    return found


@cache
def described_codes(path: str, method: str) -> frozenset[str]:
    """Return the codes of the 4xx problems that the description lists for an operation."""
    responses = document()["paths"][path][method]["responses"]
    texts = [resolved(response)["description"] for status, response in responses.items() if status.startswith("4")]
    return frozenset(code for text in texts for code in re.findall(r"^\* `(.*?)`: ", text, re.MULTILINE))


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resource(DOCUMENT, DRAFT202012.create_resource(_closed_document()))


@cache
def _closed_document() -> dict[str, Any]:
    """Return the description, changed so that no object may have additional members.

    Clients must accept additional members, but this release sends none.
    """
    closed: dict[str, Any] = _closed(document())
    return closed


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    described = part.get("type") == "object" and isinstance(part.get("properties"), dict)
    closed = {name: _closed(one) for name, one in part.items()}
    return {"additionalProperties": False, **closed} if described else closed


class Described:
    """A schema with references to the description, in which no object may have additional members."""

    def __init__(self, schema: dict[str, Any]) -> None:
        """Compile the schema."""
        self.quick = jsonschema_rs.Draft202012Validator(_standard(schema), registry=_quick_registry())
        self.slow = _Described({"$id": DOCUMENT, **_closed_document(), **schema}, registry=_registry())

    def errors(self, value: Any) -> list[str]:
        """Return the errors of a value."""
        if self.quick.is_valid(value):
            return []
        return [f"{error.json_path}: {error.message}" for error in self.slow.iter_errors(value)]


@cache
def _quick_registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(DOCUMENT, _standard(_closed_document()))])


def _standard(part: Any) -> Any:
    """Return a schema that expresses `_Described`'s OpenAPI and open-type rules in standard JSON Schema."""
    if isinstance(part, list):
        return [_standard(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {name: _standard(one) for name, one in part.items()}
    more = []
    if isinstance(values := part.get("x-extensible-enum"), list):
        more.append({"enum": values})
    if isinstance(discriminator := part.get("discriminator"), dict) and "oneOf" in part:
        del plain["oneOf"]
        more += _branches(discriminator["propertyName"], discriminator["mapping"])
    if isinstance(reference := part.get("$ref"), str):
        plain["$ref"] = urljoin(DOCUMENT, reference)
    return plain | {"allOf": [*plain.get("allOf", []), *more]} if more else plain


def _branches(member: str, mapping: dict[str, str]) -> list[dict[str, Any]]:
    """Return a schema that accepts an object if it matches the branch that one of its members selects."""
    named = {"type": "object", "required": [member], "properties": {member: {"enum": [*mapping]}}}
    return [
        named,
        *(
            {"if": {"properties": {member: {"const": name}}}, "then": {"$ref": urljoin(DOCUMENT, reference)}}
            for name, reference in mapping.items()
        ),
    ]


@cache
def described_answer(path: str, method: str, status: str, media_type: str) -> Described:
    """Return the schema for an operation's responses with a status."""
    responses = document()["paths"][path][method]["responses"]
    answer = resolved(responses.get(status, responses["default"]))
    return Described(answer["content"][media_type]["schema"])


@cache
def described_schema(name: str) -> Described:
    """Return one of the description's schemas."""
    return Described({"$ref": f"#/components/schemas/{name}"})


@cache
def _described_webhook(event_type: str) -> Described:
    content = document()["webhooks"][event_type]["post"]["requestBody"]["content"]["application/json"]
    return Described(content["schema"])


def hold_against_the_description(app: Flask, answer: TestResponse) -> None:
    """Fail if a response differs from its description, or is a problem that the description does not list.

    Addresses that do not exist have no description, so their responses are not checked.

    The code that reads streams checks their events.
    """
    if answer.mimetype == "text/event-stream":
        return
    try:
        rule, _ = app.create_url_adapter(answer.request).match(return_rule=True)  # type: ignore[union-attr, arg-type]
    except HTTPException:
        return
    if not answer.data:
        return
    path, method = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), answer.request.method.lower()
    body = answer.get_json(force=True)
    errors = described_answer(path, method, str(answer.status_code), answer.mimetype).errors(body)
    assert not errors, errors
    if 400 <= answer.status_code < 500:
        assert body["code"] in {*described_codes(path, method), *ANYWHERE}, (path, method, body)


def hold_told_against_the_description(event: dict[str, Any]) -> None:
    """Fail if a webhook body differs from its description."""
    errors = _described_webhook(event["type"]).errors(event)
    assert not errors, errors
