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

    Of its decorators only `arguments` does anything when a request comes. What the others say of a view is noted on the
    view itself, and not on another function around it.
    """

    def arguments(self, schema: Any, *, location: str = "json", **options: Any) -> Any:
        """Have a view take what a schema describes, and note from where."""
        describe = super().arguments(schema, location=location, **options)
        schema = resolve_schema_instance(schema)

        def decorate(view: View) -> Any:
            @wraps(view)
            def load_and_call(**path: Any) -> Any:
                return view(load_input(schema, location), **path)

            return _note_input(_note_description(load_and_call, describe), location)

        return decorate

    def doc(self, **options: Any) -> Any:
        """Describe a view."""
        describe = super().doc(**options)
        return lambda view: _note_description(view, describe)

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
        add_route = super().route(rule, parameters=[*parameters.of_path(rule), *headers, *key], **options)

        def decorate(view: View) -> Any:
            view.honours_keys = own_key is not None  # type: ignore[attr-defined]
            return add_route(_note_replays(_note_input(view)) if writes else _note_input(view))

        return decorate

    def alt_response(self, status: int, **options: Any) -> Any:
        """Describe an answer. Views make theirs themselves, so that there is nothing to be done to it."""
        describe = super().alt_response(status, **options)
        return lambda view: _note_description(view, describe)

    def response(self, status: int, schema: Any = None, **options: Any) -> Any:
        """Describe the answer where all goes well."""
        return self.alt_response(status, schema=schema, success=True, **options)

    def _prepare_arguments_doc(self, doc: Any, doc_info: dict[str, Any], **kwargs: Any) -> Any:
        # Every error is a problem, and the default answer says so; a status of its own for one of them says nothing
        # more, and its name is not the same in every Python.
        doc_info.get("arguments", {}).pop("responses", None)
        return super()._prepare_arguments_doc(doc, doc_info, **kwargs)


def _note_input(view: Any, *location: str) -> Any:
    """Note on a view from where it takes input, besides what was noted before, and return it."""
    view.takes = getattr(view, "takes", frozenset()).union(location)
    return view


def _note_replays(view: Any) -> Any:
    """Note on a view that its answers may be marked as repetitions, and return it."""
    responses = view._apidoc["response"]["responses"]
    for status in view._apidoc["success_status_codes"]:
        for answer in responses[status]:
            answer["headers"] = {**answer.get("headers", {}), **REPLAYED}
    return view


def _note_description(view: Any, describe: Callable[[View], Any]) -> Any:
    """Note on a view what a decorator of flask-smorest's says of it, and return it."""
    view._apidoc = describe(view)._apidoc
    return view
