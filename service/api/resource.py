"""Resources: flask-smorest's blueprint, with problems for errors and with what its views take noted on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from flask_smorest import Blueprint
from flask_smorest.utils import resolve_schema_instance

from . import parameters
from .answers import REPLAYED
from .bodies import load_input

View = Callable[..., Any]
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
"""Methods of requests that may change something."""


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
                return view(load_input(loaded, location), **path)

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
