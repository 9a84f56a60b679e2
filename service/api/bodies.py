"""Bodies: the JSON or the query that came with a request, as a schema loads it, and what is refused of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from flask import Request, current_app, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from ..problems import Problem, shown

LARGEST_BODY = 32 * 1024
"""Bytes that a body may have."""
_NOTHING = Schema()
UNKNOWN = ["Unknown field."]
"""What marshmallow says of a part that no schema has."""
MOST_ERRORS = 20
"""The most wrong parts that a problem lists; a body can have thousands."""


def must_be_taken() -> None:
    """Refuse what nothing here takes, before anything is done.

    That is a body that is not sent as JSON, a query or a body that nobody reads, for whoever sent it means something,
    and what a webhook has sent, for a service that told itself would never end. Raises: Problem
    (unsupported-media-type, unknown-field, loop-detected).
    """
    asked = request._get_current_object()  # type: ignore[attr-defined]
    headers, method = asked.headers, asked.method
    has_body = headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in headers
    if has_body and method in ("PATCH", "POST", "PUT"):
        _must_be_json(asked)
    if "Webhook-Id" in headers:
        raise Problem("loop-detected", "this is the delivery of a webhook, and nothing here takes one")
    takes = getattr(current_app.view_functions.get(asked.endpoint or ""), "takes", None)
    if takes is None:
        return
    if "query" not in takes and asked.query_string:
        load_input(_NOTHING, "query")
    if "json" not in takes and method not in ("GET", "HEAD"):
        load_input(_NOTHING, "json")


def body() -> Any:
    """Return the JSON that came, {} where nothing did. Raises: Problem (malformed-json, unsupported-media-type)."""
    return _body(request._get_current_object())  # type: ignore[attr-defined]


def load_input(schema: Schema, location: str) -> Any:
    """Return the body or the query, as a schema loads it.

    A parameter that is not known is refused, as a member of a body is: it is a slip of the pen. Raises: Problem.
    """
    asked = request._get_current_object()  # type: ignore[attr-defined]
    try:
        return schema.load(asked.args if location == "query" else _body(asked))
    except ValidationError as error:
        found = dict(_flat(error.messages))
        errors = dict(sorted(found.items())[:MOST_ERRORS])
        more = [f"and {len(found) - len(errors)} more"] if len(found) > len(errors) else []
        detail = "; ".join([*(f"{part}: {' '.join(what)}" for part, what in errors.items()), *more])
        unknown = all(what == UNKNOWN for what in found.values())
        raise Problem("unknown-field" if unknown else "invalid-request", detail, errors=errors) from error


def _body(asked: Request) -> Any:
    """Return the JSON that came, {} where nothing did: no NaN, no bottomless nesting, no endless numbers."""
    body = asked.get_data()
    if asked.content_length is None and len(body) >= LARGEST_BODY:
        raise RequestEntityTooLarge  # werkzeug cuts off what is longer and came without a length.
    if not body:
        return {}
    _must_be_json(asked)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Problem("malformed-json", f"the body is not JSON: {error}") from error


def _must_be_json(asked: Request) -> None:
    if asked.mimetype != "application/json":
        sent = asked.mimetype or "nothing"
        raise Problem(
            "unsupported-media-type",
            f"the body was sent as {shown(sent)}; send it with Content-Type: application/json",
            headers={"Accept": "application/json"},
        )


def _flat(messages: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """Return marshmallow's nested messages as pairs of a dotted path and what is wrong there."""
    if isinstance(messages, Mapping):
        found = []
        for part, inner in messages.items():
            found += _flat(inner, path if part == "_schema" else f"{path}.{shown(str(part))}".lstrip("."))
        return found
    return [(path or "body", [str(message) for message in messages])]
