"""Objects of several types, distinguished by their `type`: loads them, and describes them in OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, ValidationError


class OneOf(Schema):
    """A schema that is one of several branches; each branch requires another value of `type`."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Load data with the branch that the data's `type` names. Raises: ValidationError."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Send one JSON object."]})
        name = data.get("type")
        branch = self.branches.get(name) if isinstance(name, str) else None
        if branch is None:
            raise ValidationError({"type": [f"Must be one of: {', '.join(self.branches)}."]})
        return _schema_of(branch).load(data, **kwargs)


@cache
def _schema_of(branch: type[Schema]) -> Schema:
    """Return a branch's schema, which is cached because creating a schema costs more than loading data with it."""
    return branch()


class _Converter(OpenAPIConverter):
    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, OneOf):
            described: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
            return described
        resolve: Callable[[type[Schema]], dict[str, Any]] = self.resolve_nested_schema
        references = {name: resolve(branch) for name, branch in schema.branches.items()}
        return {
            "oneOf": list(references.values()),
            "discriminator": {
                "propertyName": "type",
                "mapping": {name: reference["$ref"] for name, reference in references.items()},
            },
        }


class OneOfPlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin that can also describe a `OneOf`."""

    Converter = _Converter
