"""What endpoints are told, in the reference: the other direction of the API (OpenAPI 3.1, `webhooks`)."""

from __future__ import annotations

from typing import Any

import orjson
from apispec import APISpec
from marshmallow import Schema

from ..schemas.moves import MoveSchema
from ..schemas.payloads import PAYLOADS, ChallengeSchema
from ..webhooks.kinds import KINDS, PING, TURN_STARTED
from ..webhooks.payloads import payload
from .examples import TOLD

Json = dict[str, Any]

HEADERS = {
    "webhook-id": ("The same for every try: who has seen it has seen the delivery.", "msg_w07m4x0yr3nzb5_7"),
    "webhook-timestamp": ("When it was sent, in seconds since 1970-01-01 UTC.", "1795000425"),
    "webhook-signature": ("One or two signatures, as Standard Webhooks 1.0 has them.", "v1,K5oZfzN95Z9UVu1EsfQmfVNQ"),
}


def describe(spec: APISpec) -> None:
    """Add all that endpoints are told to the description, with an example of each."""
    spec.options["webhooks"] = {kind: {"post": _described(spec, kind, schema)} for kind, schema in PAYLOADS.items()}


def _described(spec: APISpec, kind: str, schema: type[Schema]) -> Json:
    told = "Asks whether the endpoint is yours." if kind == PING else KINDS[kind]
    return {
        "operationId": f"told.{kind}",
        "summary": told,
        "tags": ["Webhooks"],
        "security": [],
        "parameters": [
            {"in": "header", "name": name, "required": True, "description": said, "schema": {"type": "string"}}
            | {"example": example}
            for name, (said, example) in HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _reference(spec, schema), "example": example_of(kind)}},
        },
        "responses": _answers(spec, kind),
    }


def example_of(kind: str) -> Json:
    """Return what an endpoint is told, of an example game."""
    webhook, told = TOLD
    body: Json = orjson.loads(payload(webhook, *told[kind]))
    return body


def _answers(spec: APISpec, kind: str) -> Json:
    taken = {"2XX": {"description": "Taken. Anything else is tried again; 410 disables the webhook."}}
    if kind == PING:
        content = {"schema": _reference(spec, ChallengeSchema)}
        return {"200": {"description": "The endpoint is yours.", "content": {"application/json": content}}}
    if kind != TURN_STARTED:
        return taken
    chosen = {"oneOf": [{"type": "integer", "minimum": 0}, _reference(spec, MoveSchema)]}
    answer = {"type": "object", "properties": {"move": chosen}}
    return {
        "200": {
            "description": "Taken, and this is your move: one of the moves, or its number.",
            "content": {"application/json": {"schema": answer, "example": {"move": 0}}},
        },
        "202": {"description": "Taken; the move comes later, by POST."},
        **taken,
    }


def _reference(spec: APISpec, schema: type[Schema]) -> Json:
    """Return a reference to a schema, which is described once."""
    (plugin,) = spec.plugins[-1:]
    resolved: Json = plugin.converter.resolve_nested_schema(schema)  # type: ignore[attr-defined]
    return resolved
