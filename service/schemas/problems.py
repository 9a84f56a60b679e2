"""The schema for problems (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from marshmallow import INCLUDE, Schema, fields

from engine import DEFAULT, edition

from ..problems import Problem
from .moves import MoveSchema
from .named import EDITION_KEY, PROBLEM_CODE, Named

_EXAMPLE = {
    **Problem(
        "region-owned",
        "Roma has a control marker and may not be contested",
        edition=DEFAULT,
        clause=edition(DEFAULT).clauses["region-owned"],
        field="region",
        legal=[{"type": "choose-region", "region": "torino"}],
    ).body(),
    "request": "4f5e2c80d71b9a36e0c8",
}


class ProblemSchema(Schema):
    """Why a request failed."""

    class Meta:
        """Allow additional members in a problem object."""

        unknown = INCLUDE
        examples: ClassVar[Sequence[Mapping[str, Any]]] = [_EXAMPLE]

    type = fields.String(required=True, metadata={"description": "Path of a page that explains this kind of problem."})
    title = fields.String(required=True, metadata={"description": "What the code means."})
    status = fields.Integer(required=True, metadata={"description": "The HTTP status."})
    detail = fields.String(required=True, metadata={"description": "What went wrong this time, and what to do."})
    code = Named(PROBLEM_CODE, required=True, metadata={"description": "The kind of problem. Codes are stable."})
    request = fields.String(
        required=True, metadata={"description": "The id of the request, the same as in the X-Request-Id header."}
    )
    game = fields.String(metadata={"description": "The id of the game concerned."})
    limit = fields.String(metadata={"description": "The name of the limit that was exceeded."})
    cap = fields.Integer(
        metadata={
            "description": "The maximum number of the things in question, such as webhooks, that you may have at one "
            "time."
        }
    )
    version = fields.Integer(metadata={"description": "The current version of the game or of your orders."})
    index = fields.Integer(metadata={"description": "For a line of moves: the index, from 0, of the move at fault."})
    errors = fields.Dict(metadata={"description": "What is wrong with each part of the request."})
    edition = Named(EDITION_KEY, metadata={"description": "The edition whose rules forbid the move."})
    clause = fields.String(metadata={"description": "The number of the clause in the rules of that edition."})
    option = fields.String(metadata={"description": "The option at fault."})
    field = fields.String(allow_none=True, metadata={"description": "The part of the move at fault."})
    legal = fields.List(fields.Nested(MoveSchema), metadata={"description": "The moves that you may make instead."})
