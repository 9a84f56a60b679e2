"""Health and readiness."""

from marshmallow import Schema, fields


class HealthSchema(Schema):
    """Which parts of the service are up."""

    status = fields.String(required=True)
    parts = fields.Dict(keys=fields.String(), values=fields.Boolean(), required=True)


class ReadinessSchema(Schema):
    """Whether the store keeps what it acknowledges, as far as is known."""

    status = fields.String(required=True)
    durability = fields.Dict(required=True)
