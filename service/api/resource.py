"""Resources: flask-smorest's blueprint, extended for this service.

All errors are problem documents, and the blueprint records where each view's input comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

from flask_smorest import Blueprint
from flask_smorest.utils import resolve_schema_instance

from ..accounts.access import ADMIN
from ..limits.table import limits_of
from ..problems import MEDIA_TYPE, PROBLEMS
from ..schemas.problems import ProblemSchema
from . import description, parameters
from .answers import PROBLEM_HEADERS, RATE_LIMITS, REPLAYED
from .bodies import load_input
from .codes import by_status, codes_of
from .requests import REQUEST_ID

View = Callable[..., Any]
NDJSON = "application/x-ndjson"
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""The methods of requests that can change something."""
_PROBLEM = ProblemSchema()
"""The schema of all problems. If flask-smorest were given the class instead, it would create a schema for each
response."""


class Resource(Blueprint):  # type: ignore[misc]
    """A flask-smorest `Blueprint` that returns errors as problem documents and describes parameters.

    Of this class's decorators, only `arguments` does any work when a request arrives. The other decorators record a
    description on the view, and do not wrap the view in another function.
    """

    def arguments(self, schema: Any, *, location: str = "json", **options: Any) -> Any:
        """Load a view's input with a schema, and record on the view where the input comes from."""
        describe = super().arguments(schema, location=location, **options)
        schema = resolve_schema_instance(schema)
        required = location == "json" and options.get("required", True)

        def decorate(view: View) -> Any:
            @wraps(view)
            def load_and_call(*loaded: Any, **path: Any) -> Any:
                return view(*loaded, load_input(schema, location, required=required), **path)

            return _note_input(_note_description(load_and_call, describe), location)

        return decorate

    def doc(self, **options: Any) -> Any:
        """Record the description of a view."""
        describe = super().doc(**options)
        return lambda view: _note_description(view, describe)

    def route(
        self,
        rule: str,
        *,
        scope: str | None,
        token_optional: bool = False,
        headers: Sequence[parameters.Parameter] = (),
        own_key: parameters.Parameter | None = None,
        keyless: bool = False,
        problems: Sequence[str] = (),
        **options: Any,
    ) -> Any:
        """Add a view at a path. Also describe the path's parameters and the headers that the view takes.

        `scope` is the scope that a token needs, or None for an operation that takes no token. If `token_optional` is
        true, the caller need not send a token, but a token that is sent must have the scope.

        Methods that can change something take an Idempotency-Key. `own_key` describes the key if the view itself
        handles keys. A `keyless` operation ignores keys, because clients can safely repeat its requests. `problems` are
        the codes of the operation's problems, except those that the operation's input implies (see `codes`).
        """
        writes = bool(WRITES.intersection(options.get("methods", ())))
        key = [own_key or parameters.IDEMPOTENCY_KEY] if writes and not keyless else []
        security: list[dict[str, list[str]]] = [] if scope is None else [{"token": []}]
        if token_optional:
            security.append({})
        describe = self.doc(security=security, **({} if scope is None else {description.SCOPE: scope}))
        add_route = super().route(rule, parameters=parameters.of_path(rule), **options)

        def decorate(view: Any) -> Any:
            describe(view)
            view.honours_keys = keyless or own_key is not None
            declare_scope(view, scope)
            link = [parameters.GAME_LINK] if "<game_id>" in rule and scope != ADMIN else []
            view._apidoc["headers"] = [*headers, *key, *link, parameters.REQUEST_ID]
            if key:
                _note_headers(view, view._apidoc["success_status_codes"], REPLAYED)
            view.needs_token = scope is not None and not token_optional
            view.limits = limits_of(view._apidoc["manual_doc"]["operationId"], writes=writes)
            if view.limits:
                _note_headers(view, view._apidoc["success_status_codes"], RATE_LIMITS)
            view.problems = codes_of(
                rule,
                scope=scope,
                token_optional=token_optional,
                takes=_note_input(view).takes,
                is_record=hasattr(view, "media_types"),
                writes=writes,
                headers=[header["name"] for header in (*headers, *key)],
                declared=problems,
            )
            for status, codes in by_status(view.problems).items():
                view = self._problem_response(status, codes)(view)
            _note_headers(view, view._apidoc["response"]["responses"], REQUEST_ID)
            return add_route(view)

        return decorate

    def takes_record(self, schema: Any, example: Any) -> Any:
        """Describe the body of a view that takes a record, as JSON or as NDJSON. The view itself reads the record."""
        content = {"application/json": {"schema": schema, "example": example}, NDJSON: {"schema": {"type": "string"}}}
        body = {"description": "The record of a game that is over.", "required": True, "content": content}
        describe = self.doc(requestBody=body)

        def decorate(view: Any) -> Any:
            view.media_types = tuple(content)
            return _note_input(describe(view), "json")

        return decorate

    def _problem_response(self, status: int, codes: Sequence[str]) -> Any:
        """Return a decorator that describes the problems with this status that a view can return."""
        listed = "\n".join(f"* `{code}`: {PROBLEMS[code].title}" for code in codes)
        return self.alt_response(
            status,
            schema=_PROBLEM,
            content_type=MEDIA_TYPE,
            description=f"A problem with one of these codes:\n\n{listed}",
            headers=PROBLEM_HEADERS.get(status, {}),
        )

    def alt_response(self, status: int, **options: Any) -> Any:
        """Describe a response of a view. The view is not wrapped, because views create their own responses."""
        describe = super().alt_response(status, **options)
        return lambda view: _note_description(view, describe)

    def response(self, status: int, schema: Any = None, **options: Any) -> Any:
        """Describe a view's successful response."""
        return self.alt_response(status, schema=schema, success=True, **options)

    def _prepare_arguments_doc(self, doc: Any, doc_info: dict[str, Any], **kwargs: Any) -> Any:
        # The `default` response describes problem documents, and every error response is a problem document. A separate
        # entry for a status would add nothing, and the names of statuses differ between Python versions.
        doc_info.get("arguments", {}).pop("responses", None)
        doc = super()._prepare_arguments_doc(doc, doc_info, **kwargs)
        # Do not add the parameters to the path, where they would apply to every method.
        doc["parameters"] = [*doc.get("parameters", []), *doc_info["headers"]]
        return doc


def declare_scope(view: Any, scope: str | None) -> None:
    """Record on a view the scope that a token needs, or None if the view takes no token."""
    view.scope = scope


def _note_input(view: Any, *location: str) -> Any:
    """Record that a view also takes input from this place, and return the view."""
    view.takes = getattr(view, "takes", frozenset()).union(location)
    return view


def _note_headers(view: Any, statuses: Iterable[Any], headers: Mapping[str, Any]) -> None:
    """Record that a view's responses with these statuses may have these headers."""
    for status in statuses:
        for answer in view._apidoc["response"]["responses"][status]:
            answer["headers"] = {**answer.get("headers", {}), **headers}


def _note_description(view: Any, describe: Callable[[View], Any]) -> Any:
    """Record a flask-smorest decorator's description on a view, and return the view.

    A view can have twenty descriptions, and the decorator would copy all of them each time. To avoid these copies, this
    function removes the earlier descriptions first, and merges them with the new description afterwards.
    """
    earlier = vars(view).pop("_apidoc", {})
    view._apidoc = _merged(earlier, describe(view)._apidoc)
    return view


def _merged(earlier: Mapping[str, Any], later: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return both descriptions merged. If both descriptions have the same member, lists are joined, and a later text
    replaces an earlier text.
    """
    merged = dict(earlier)
    for key, value in later.items():
        before = merged.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            merged[key] = _merged(before, value)
        else:
            merged[key] = [*before, *value] if isinstance(value, list) and isinstance(before, list) else value
    return merged
