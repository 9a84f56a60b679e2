"""Schemas for objects of several types, which the `type` member distinguishes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError


class OneOf(Schema):
    """A schema with several branches. Each branch requires a different value of the `type` member."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Load data with the branch that its `type` selects. Raises: ValidationError."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Send one JSON object."]})
        name = data.get("type")
        branch = self.branches.get(name) if isinstance(name, str) else None
        if branch is None:
            raise ValidationError({"type": [f"Must be one of: {', '.join(self.branches)}."]})
        return _schema_of(branch).load(data, **kwargs)


@cache
def _schema_of(branch: type[Schema]) -> Schema:
    """Return a branch's schema. The schema is cached, because creating it takes longer than loading data with it."""
    return branch()
