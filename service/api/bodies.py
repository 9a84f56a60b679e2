"""Bodies: loads a request's JSON or query with a schema, and rejects input that the schema does not allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import orjson
from flask import Request, current_app
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from ..problems import Problem, shown
from ..records.reading import OVER_HTTP
from .context import this_request

LARGEST_BODY = 32 * 1024
"""The maximum size of a body that is not a record, in bytes."""
VERIFY = "/v1/records/verify"
"""The path of the operation that takes a record, which can be larger than other bodies
(`records.reading.OVER_HTTP`)."""
JSON_ONLY = ("application/json",)
SAFE = ("GET", "HEAD")
_NOTHING = Schema()
UNKNOWN = ["Unknown field."]
"""marshmallow's error messages for a member that the schema does not have."""
MAX_ERRORS = 20
"""The maximum number of errors that a problem lists. A body can have thousands of errors."""
CACHED_BODIES, CACHED_BODY_BYTES = 1024, 256
"""How many bodies a process caches for schemas with `repeats`, and the maximum size of a cached body, in bytes."""


def refuse_unexpected_input() -> None:
    """Reject input that the view would ignore. This function runs before the view.

    A body must be JSON, unless the view takes another media type. If the view takes no query, a request with a query is
    rejected. If the view takes no body, a request with a body is rejected. A client that sends an unexpected query or
    body has probably made a mistake. A request that is itself a webhook delivery is rejected too, because a service
    that notified itself would loop forever.

    Raises: Problem (unsupported-media-type, unknown-field, loop-detected).
    """
    current = this_request()
    headers, method = current.headers, current.method
    has_body = headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in headers
    view = current_app.view_functions.get(current.endpoint or "")
    if has_body and method in ("PATCH", "POST", "PUT"):
        _require_media_type(current, getattr(view, "media_types", JSON_ONLY))
    if "Webhook-Id" in headers:
        raise Problem(
            "loop-detected",
            "the Webhook-Id header marks a webhook delivery, which this service does not accept: use your own endpoint",
        )
    takes = getattr(view, "takes", None)
    if takes is None:
        return
    if "query" not in takes and current.query_string:
        load_input(_NOTHING, "query")
    if "json" not in takes and method not in SAFE:
        load_input(_NOTHING, "json")


def record_body() -> bytes:
    """Return the body of a request that contains a record. Raises: Problem (record-too-large)."""
    current = this_request()
    current.max_content_length = OVER_HTTP.bytes
    try:
        body: bytes = current.get_data()
    except RequestEntityTooLarge:
        body = b""
    if (current.content_length or len(body)) > OVER_HTTP.bytes or len(body) == OVER_HTTP.bytes:
        raise Problem("record-too-large", f"a record sent over HTTP may have at most {OVER_HTTP.bytes - 1:,} bytes")
    return body


def largest_body(path: str) -> int:
    """Return the maximum size of a request body for a path, in bytes.

    >>> largest_body("/v1/games"), largest_body(VERIFY)
    (32768, 4000000)
    """
    return OVER_HTTP.bytes if path == VERIFY else LARGEST_BODY


def json_body() -> Any:
    """Return the request's JSON, or {} if it has no body. Raises: Problem (malformed-json, unsupported-media-type)."""
    return _read_json(this_request())


def load_input(schema: Schema, location: str, *, required: bool = False) -> Any:
    """Return the request's body or query, loaded with a schema. `location` is "json" or "query".

    Unknown query parameters and unknown members of a body are rejected, because they are probably typos. If `required`
    is true, there must be a body, even if the schema requires no members. Raises: Problem.
    """
    current = this_request()
    try:
        loaded = _load(schema, location, current)
    except ValidationError as error:
        all_errors = dict(_flatten(error.messages))
        errors = dict(sorted(all_errors.items())[:MAX_ERRORS])
        rest = [f"and {len(all_errors) - len(errors)} more"] if len(all_errors) > len(errors) else []
        detail = "; ".join([*(f"{part}: {' '.join(what)}" for part, what in errors.items()), *rest])
        unknown = all(what == UNKNOWN for what in all_errors.values())
        raise Problem("unknown-field" if unknown else "invalid-request", detail, errors=errors) from error
    if required and not current.get_data():
        raise Problem("invalid-request", "body: Missing.", errors={"body": ["Missing."]})
    return loaded


def _load(schema: Schema, location: str, current: Request) -> Any:
    """Return the request's body or query, loaded with a schema. Raises: ValidationError, Problem."""
    if location == "query":
        _refuse_repeats(current)
        return schema.load(current.args) if current.query_string else dict(_defaults(schema))
    if getattr(schema, "repeats", False):
        body = _read_body(current)
        if len(body) <= CACHED_BODY_BYTES:
            return dict(_load_again(schema, body))
    return schema.load(_read_json(current))


def _refuse_repeats(current: Request) -> None:
    """Reject repeated query parameters in a request that writes. Raises: ValidationError."""
    if current.query_string and current.method not in SAFE:
        repeated = [name for name, values in current.args.lists() if len(values) > 1]
        if repeated:
            raise ValidationError({name: ["Given more than once."] for name in repeated})


@cache
def _defaults(schema: Schema) -> Mapping[str, Any]:
    """Return the values that a schema loads from an empty query. The result is cached.

    Raises: ValidationError.
    """
    result: Mapping[str, Any] = schema.load({})
    return result


@lru_cache(CACHED_BODIES)
def _load_again(schema: Schema, body: bytes) -> Mapping[str, Any]:
    """Return a request body, loaded with a schema. The result is cached. Raises: as `load_input`."""
    result: Mapping[str, Any] = schema.load(_parse_json(body))
    return result


def _read_json(current: Request) -> Any:
    """Return the request's JSON, or {} if it has no body. Raises: Problem (malformed-json, unsupported-media-type)."""
    return _parse_json(_read_body(current))


def _read_body(current: Request) -> bytes:
    """Return the request's body. Raises: Problem (unsupported-media-type), RequestEntityTooLarge."""
    body = current.get_data()
    if current.content_length is None and len(body) >= LARGEST_BODY:
        raise RequestEntityTooLarge  # If no length is declared, werkzeug truncates a body that is too large.
    if body:
        _require_media_type(current, JSON_ONLY)
    return body


def _parse_json(body: bytes) -> Any:
    try:
        return orjson.loads(body) if body else {}
    except orjson.JSONDecodeError as error:
        raise Problem("malformed-json", f"the body is not valid JSON: {error}") from error


def _require_media_type(current: Request, media_types: Sequence[str]) -> None:
    if current.mimetype not in media_types:
        content_type = current.mimetype or "missing"
        raise Problem(
            "unsupported-media-type",
            f"the Content-Type is {shown(content_type)}: send {' or '.join(media_types)} instead",
            headers={"Accept": ", ".join(media_types)},
        )


def _flatten(messages: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """Return marshmallow's nested messages as pairs of a dotted path and the messages at that path."""
    if isinstance(messages, Mapping):
        found = []
        for part, inner in messages.items():
            found += _flatten(inner, path if part == "_schema" else f"{path}.{shown(str(part))}".lstrip("."))
        return found
    return [(path or "body", [str(message) for message in messages])]
