"""Outbound requests: describes, in the OpenAPI document's `webhooks`, the requests that the service sends."""

from __future__ import annotations

from typing import Any

import orjson
from apispec import APISpec
from marshmallow import Schema

from ..schemas.moves import MoveSchema
from ..schemas.payloads import PAYLOADS, ChallengeAnswerSchema
from ..webhooks.kinds import KINDS, MESSAGE_RECEIVED, PING, TURN_STARTED
from ..webhooks.payloads import payload
from .examples import DELIVERED_MESSAGE, DELIVERY_EXAMPLES, example_names

Json = dict[str, Any]

TAG = "Webhook events"
"""The tag of outbound requests. No API operation has this tag, because code generators write one file for each tag."""
HEADERS = {
    "webhook-id": (
        "The id of the delivery, which is the same for every attempt. Ignore a delivery whose id you have "
        "already handled.",
        "msg_w07m4x0yr3nzb5_7",
    ),
    "webhook-timestamp": ("When this attempt was sent, in seconds since 1970-01-01 UTC.", "1795000425"),
    "webhook-signature": (
        "One or two signatures in the format of Standard Webhooks 1.0.",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQ",
    ),
}


def describe(spec: APISpec) -> None:
    """Add every kind of outbound request to the OpenAPI document, with an example."""
    spec.tag({"name": TAG, "description": "The requests that the service sends to your endpoint."})
    spec.options["webhooks"] = {kind: {"post": _operation(spec, kind, schema)} for kind, schema in PAYLOADS.items()}


def _operation(spec: APISpec, kind: str, schema: type[Schema]) -> Json:
    summary = "The server checks that the endpoint is yours." if kind == PING else KINDS[kind]
    return {
        "operationId": "receive" + "".join(word.capitalize() for word in kind.split(".")),
        "summary": summary,
        "tags": [TAG],
        "security": [],
        "parameters": [
            {"in": "header", "name": name, "required": True, "description": description, "schema": {"type": "string"}}
            | {"example": example}
            for name, (description, example) in HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _reference(spec, schema), "example": example_of(kind)}},
        },
        "responses": _answers(spec, kind),
    }


def example_of(kind: str) -> Json:
    """Return an example body for a kind of request."""
    webhook, deliveries = DELIVERY_EXAMPLES
    message = DELIVERED_MESSAGE if kind == MESSAGE_RECEIVED else None
    body: Json = orjson.loads(payload(webhook, *deliveries[kind], example_names, message))
    return body


def _answers(spec: APISpec, kind: str) -> Json:
    success = {
        "204": {
            "description": "You accept the delivery. Any other 2xx status means the same. After a 410, the server "
            "disables the webhook. After any other status, the server tries again."
        }
    }
    if kind == PING:
        content = {"schema": _reference(spec, ChallengeAnswerSchema)}
        return {
            "200": {
                "description": "The endpoint is yours. Your response must contain the challenge.",
                "content": {"application/json": content},
            }
        }
    if kind != TURN_STARTED:
        return success
    move = {
        "description": "Your move: one of `moves`, or its number. If you leave the move out, the game keeps waiting "
        "for it.",
        "anyOf": [{"type": "integer", "minimum": 0}, _reference(spec, MoveSchema)],
    }
    answer = {"type": "object", "properties": {"move": move}}
    return {
        "200": {
            "description": "You accept the delivery and make a move: one of `moves`, or its number.",
            "content": {"application/json": {"schema": answer, "example": {"move": 0}}},
        },
        "202": {"description": "You accept the delivery, and will post your move later."},
        **success,
    }


def _reference(spec: APISpec, schema: type[Schema]) -> Json:
    """Return a reference to a schema. The document then describes the schema only once."""
    (plugin,) = spec.plugins[-1:]
    resolved: Json = plugin.converter.resolve_nested_schema(schema)  # type: ignore[attr-defined]
    return resolved
