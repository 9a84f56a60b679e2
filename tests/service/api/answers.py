"""Holds every answer against the API's description."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

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
    """Hold an object against the branch that its discriminator names, as OpenAPI has it, and against no other.

    No other would take it: each branch wants a `type` of its own.
    """
    if "discriminator" not in schema:
        yield from Draft202012Validator.VALIDATORS["oneOf"](validator, branches, instance, schema)
        return
    name = instance.get(schema["discriminator"]["propertyName"]) if isinstance(instance, dict) else None
    branch = schema["discriminator"]["mapping"].get(name)
    if branch is None:
        yield ValidationError(f"{name!r} is no type that is described")
    else:
        yield from validator.descend(instance, {"$ref": branch})


def _known(_: Any, values: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    """Hold a value of an open type against the values that the description lists: this release knows no others."""
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
    """Return the codes of the problems with status 4xx that the description names for an operation."""
    responses = document()["paths"][path][method]["responses"]
    texts = [resolved(response)["description"] for status, response in responses.items() if status.startswith("4")]
    return frozenset(code for text in texts for code in re.findall(r"^\* `(.*?)`: ", text, re.MULTILINE))


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resource(DOCUMENT, DRAFT202012.create_resource(_closed_document()))


@cache
def _closed_document() -> dict[str, Any]:
    """Return the description, in which no object may have members that are not described.

    Clients must accept further members, but this release sends none.
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


@cache
def _validator(path: str, method: str, status: str, media_type: str) -> Validator:
    responses = document()["paths"][path][method]["responses"]
    answer = resolved(responses.get(status, responses["default"]))
    schema = {"$id": DOCUMENT, **_closed_document(), **answer["content"][media_type]["schema"]}
    return _Described(schema, registry=_registry())


def hold_against_the_description(app: Flask, answer: TestResponse) -> None:
    """Fail where an answer is not what the description says it is, or is a problem that it does not name.

    Addresses that do not exist have no description.

    What streams send is held against it where it is read.
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
    validator = _validator(path, method, str(answer.status_code), answer.mimetype)
    body = answer.get_json(force=True)
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(body)]
    assert not errors, errors
    if 400 <= answer.status_code < 500:
        assert body["code"] in {*described_codes(path, method), *ANYWHERE}, (path, method, body)


def hold_told_against_the_description(event: dict[str, Any]) -> None:
    """Fail where what an endpoint is told is not what the description says it is."""
    content = document()["webhooks"][event["type"]]["post"]["requestBody"]["content"]["application/json"]
    validator = _Described({"$id": DOCUMENT, **_closed_document(), **content["schema"]}, registry=_registry())
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(event)]
    assert not errors, errors
