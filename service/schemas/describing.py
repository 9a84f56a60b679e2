"""Descriptions of schemas in the OpenAPI document. This module extends the descriptions that apispec generates."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from .named import Named, NamedType
from .one_of import OneOf

Json = dict[str, Any]

PREFIX = "#/components/schemas/"
"""The start of every reference to a schema."""


class _Converter(OpenAPIConverter):
    """apispec's schema converter, extended for this service.

    The converter also describes `OneOf` schemas and named types, and uses docstrings as descriptions.
    """

    def schema2jsonschema(self, schema: Any) -> Json:
        """Return the description of a schema."""
        described: Json = (
            self._one_of(schema) if isinstance(schema, OneOf) else super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        )
        examples = getattr(schema.Meta, "examples", None)
        return {"description": _text_of(schema), **described, **({"examples": examples} if examples else {})}

    def fields2jsonschema(self, fields: Mapping[str, Any], *, partial: Any = None) -> Json:
        """Return the description of a body, without any `default`.

        If a member's description had a `default`, code generators would treat the member as required.
        """
        described: Json = super().fields2jsonschema(fields, partial=partial)  # type: ignore[no-untyped-call]
        for member in described["properties"].values():
            member.pop("default", None)
        return described

    def field2property(self, field: Any) -> Json:
        """Return the description of a field. For a named type, return a reference to the type's shared description."""
        described: Json = super().field2property(field)
        if not isinstance(field, Named):
            return described
        reference = self._reference(field.named)
        meaning = {name: value for name, value in described.items() if name in ("default", "description", "example")}
        return {**meaning, **({"anyOf": [reference, {"type": "null"}]} if field.allow_none else reference)}

    def _one_of(self, schema: OneOf) -> Json:
        resolve: Callable[[type[Schema]], Json] = self.resolve_nested_schema
        references = {name: resolve(branch) for name, branch in schema.branches.items()}
        return {
            "oneOf": list(references.values()),
            "discriminator": {
                "propertyName": "type",
                "mapping": {name: reference["$ref"] for name, reference in references.items()},
            },
        }

    def _reference(self, named_type: NamedType) -> Json:
        """Return a reference to a named type, and describe the type if this is the first reference to it."""
        if named_type.name not in self.spec.components.schemas:
            self.spec.components.schema(named_type.name, named_type.describe())
        reference: Json = self.spec.components.get_ref("schema", named_type.name)
        return reference


class SchemaPlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin, with this module's schema converter."""

    Converter = _Converter


def open_answers(document: Json, growing: Collection[str]) -> Json:
    """Return the OpenAPI document with additional members allowed in every schema that no request uses.

    Later releases may add members to responses, and clients must accept them. `growing` names the request schemas that
    also allow additional members.
    """
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    bodies = [operation["requestBody"] for operation in operations if "requestBody" in operation]
    closed = reachable(document, {*_references(bodies)}.difference(growing))
    for name, schema in document["components"]["schemas"].items():
        if name not in closed and schema.get("additionalProperties") is False:
            del schema["additionalProperties"]
    return document


def reachable(document: Mapping[str, Any], names: Iterable[str]) -> Json:
    """Return the named schemas, and all schemas that they refer to directly or indirectly, keyed by name."""
    found: Json = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = document["components"]["schemas"][name]
            waiting.extend(_references(found[name]))
    return found


def _references(part: Any) -> Iterator[str]:
    """Yield the name of each schema that a part of the document refers to."""
    if isinstance(part, dict):
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)
    elif isinstance(part, str) and part.startswith(PREFIX):
        yield part.removeprefix(PREFIX)


def _text_of(schema: Schema) -> str:
    """Return a schema's docstring with each paragraph on one line."""
    paragraphs = inspect.cleandoc(type(schema).__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
