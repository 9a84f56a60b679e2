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

    type = fields.String(
        required=True, metadata={"description": "The path of the page that explains this kind of problem."}
    )
    title = fields.String(required=True, metadata={"description": "A short description of this kind of problem."})
    status = fields.Integer(required=True, metadata={"description": "The HTTP status."})
    detail = fields.String(
        required=True, metadata={"description": "What went wrong in this request, and what to do about it."}
    )
    code = Named(
        PROBLEM_CODE,
        required=True,
        metadata={"description": "The kind of problem. The meaning of a code never changes."},
    )
    request = fields.String(
        required=True, metadata={"description": "The id of the request, as in the X-Request-Id header."}
    )
    game = fields.String(metadata={"description": "The id of the game that the problem is about."})
    limit = fields.String(metadata={"description": "The name of the limit that was exceeded."})
    cap = fields.Integer(
        metadata={
            "description": "The maximum that you have reached, such as the number of webhooks that you can have at one "
            "time."
        }
    )
    version = fields.Integer(metadata={"description": "The current version of the game or of your orders."})
    index = fields.Integer(
        metadata={
            "description": "If the request contains a list of moves, the position of the refused move, counted from 0."
        }
    )
    errors = fields.Dict(metadata={"description": "The errors in the request, keyed by field."})
    edition = Named(EDITION_KEY, metadata={"description": "The edition whose rules forbid the move."})
    clause = fields.String(
        metadata={"description": "The number of the clause that forbids the move, in the rules of `edition`."}
    )
    option = fields.String(metadata={"description": "The option that is not valid."})
    field = fields.String(allow_none=True, metadata={"description": "Which field of the move is not valid."})
    legal = fields.List(fields.Nested(MoveSchema), metadata={"description": "The moves that you can make instead."})
