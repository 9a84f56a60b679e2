"""Problems (RFC 9457)."""

from marshmallow import INCLUDE, Schema, fields

from .moves import MoveSchema


class ProblemSchema(Schema):
    """Why a request failed."""

    class Meta:
        """Problems may carry further members."""

        unknown = INCLUDE

    type = fields.String(required=True, metadata={"description": "Address of a description of this kind of problem."})
    title = fields.String(required=True, metadata={"description": "What this kind of problem is."})
    status = fields.Integer(required=True, metadata={"description": "The HTTP status."})
    detail = fields.String(required=True, metadata={"description": "What went wrong this time, and what to do."})
    code = fields.String(required=True, metadata={"description": "Stable name of the kind of problem."})
    game = fields.String(metadata={"description": "The game it concerns."})
    version = fields.Integer(metadata={"description": "The version at which the game stands."})
    errors = fields.Dict(metadata={"description": "For each part of the request, what is wrong with it."})
    edition = fields.String(metadata={"description": "The edition whose rules forbid the move."})
    clause = fields.String(metadata={"description": "Number of the clause in that edition's rules document."})
    option = fields.String(metadata={"description": "The option that is at fault."})
    field = fields.String(allow_none=True, metadata={"description": "The part of the move that is at fault."})
    legal = fields.List(fields.Nested(MoveSchema), metadata={"description": "What the caller may do instead."})
