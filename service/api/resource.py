"""What every resource shares: who asks, what body came, and how answers, problems and versions look on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

import orjson
from flask import Request, current_app, request
from flask_smorest import Blueprint
from flask_smorest.utils import resolve_schema_instance
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge

from ..problems import Problem, shown
from . import parameters
from .answers import REPLAYED

View = Callable[..., Any]
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of requests that may change something."""
LARGEST_BODY = 32 * 1024
"""Bytes that a body may have."""
_NOTHING = Schema()
UNKNOWN = ["Unknown field."]
"""What marshmallow says of a part that no schema has."""
MOST_ERRORS = 20
"""The most wrong parts that a problem lists; a body can have thousands."""


# What came


def body() -> Any:
    """Return the JSON that came, {} where nothing did. Raises: Problem (malformed-json, unsupported-media-type)."""
    return _body(request._get_current_object())  # type: ignore[attr-defined]


def _taken(schema: Schema, location: str) -> Any:
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


def _flat(messages: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """Return marshmallow's nested messages as pairs of a dotted path and what is wrong there."""
    if isinstance(messages, Mapping):
        found = []
        for part, inner in messages.items():
            found += _flat(inner, path if part == "_schema" else f"{path}.{shown(str(part))}".lstrip("."))
        return found
    return [(path or "body", [str(message) for message in messages])]


class Resource(Blueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with problems instead of its own errors, and described parameters.

    Of its decorators only `arguments` does anything when a request comes; what the others say of a view is noted on the
    view itself, and not on another function around it.
    """

    def arguments(self, schema: Any, *, location: str = "json", **options: Any) -> Any:
        """Have a view take what a schema describes, and note from where."""
        described = super().arguments(schema, location=location, **options)
        loaded = resolve_schema_instance(schema)

        def taking(view: View) -> Any:
            @wraps(view)
            def asked(**path: Any) -> Any:
                return view(_taken(loaded, location), **path)

            return _noted(_described(asked, described), location)

        return taking

    def doc(self, **said: Any) -> Any:
        """Describe a view."""
        described = super().doc(**said)
        return lambda view: _described(view, described)

    def route(
        self,
        rule: str,
        *,
        headers: Sequence[parameters.Parameter] = (),
        own_key: parameters.Parameter | None = None,
        **options: Any,
    ) -> Any:
        """Take a path, whose parameters are described, and the headers that all its methods take.

        What may change something takes an Idempotency-Key; `own_key` describes the key that a view honours by itself.
        """
        writes = bool(WRITES.intersection(options.get("methods", ())))
        key = [own_key or parameters.IDEMPOTENCY_KEY] if writes else []
        described = super().route(rule, parameters=[*parameters.of_path(rule), *headers, *key], **options)

        def registered(view: View) -> Any:
            view.honours_keys = own_key is not None  # type: ignore[attr-defined]
            return described(_repeatable(_noted(view)) if writes else _noted(view))

        return registered

    def alt_response(self, status: int, **said: Any) -> Any:
        """Describe an answer. Views make theirs themselves, so that there is nothing to be done to it."""
        described = super().alt_response(status, **said)
        return lambda view: _described(view, described)

    def response(self, status: int, schema: Any = None, **said: Any) -> Any:
        """Describe the answer where all goes well."""
        return self.alt_response(status, schema=schema, success=True, **said)

    def _prepare_arguments_doc(self, doc: Any, doc_info: dict[str, Any], **kwargs: Any) -> Any:
        # Every error is a problem, and the default answer says so; a status of its own for one of them says nothing
        # more, and its name is not the same in every Python.
        doc_info.get("arguments", {}).pop("responses", None)
        return super()._prepare_arguments_doc(doc, doc_info, **kwargs)


def _noted(view: Any, *location: str) -> Any:
    """Return a view of which is noted from where it takes anything."""
    view.takes = getattr(view, "takes", frozenset()).union(location)
    return view


def _repeatable(view: Any) -> Any:
    """Return a view of which is noted that its answer may be marked as a repetition."""
    noted = view._apidoc["response"]["responses"]
    for status in view._apidoc["success_status_codes"]:
        for answer in noted[status]:
            answer["headers"] = {**answer.get("headers", {}), **REPLAYED}
    return view


def _described(view: Any, described: Callable[[View], Any]) -> Any:
    """Return a view of which is noted what a decorator of flask-smorest's says of it."""
    view._apidoc = described(view)._apidoc
    return view


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
        _taken(_NOTHING, "query")
    if "json" not in takes and method not in ("GET", "HEAD"):
        _taken(_NOTHING, "json")


def _must_be_json(asked: Request) -> None:
    if asked.mimetype != "application/json":
        sent = asked.mimetype or "nothing"
        raise Problem(
            "unsupported-media-type",
            f"the body was sent as {shown(sent)}; send it with Content-Type: application/json",
            headers={"Accept": "application/json"},
        )
