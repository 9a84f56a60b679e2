"""Health and readiness."""

from marshmallow import Schema, fields, validate


class PartsSchema(Schema):
    """Whether each part is up."""

    log = fields.Boolean(required=True, metadata={"description": "The server that keeps the games."})
    queue = fields.Boolean(required=True, metadata={"description": "The server over which workers are told of work."})
    worker = fields.Boolean(required=True, metadata={"description": "A worker has said lately that it is at work."})
    deliver = fields.Boolean(required=True, metadata={"description": "A deliverer has said lately that it is at work."})
    clock = fields.Boolean(required=True, metadata={"description": "The clock has said lately that it is at work."})


class HealthSchema(Schema):
    """Which parts of the service are up."""

    status = fields.String(required=True, validate=validate.Equal("up"))
    parts = fields.Nested(PartsSchema, required=True)


class DurabilitySchema(Schema):
    """What the log server promises, the worst of all nodes; null where it does not say."""

    appendonly = fields.Boolean(required=True, allow_none=True, metadata={"description": "Whether it writes to disk."})
    appendfsync = fields.String(
        required=True, allow_none=True, metadata={"description": "When it does; `always` is before it answers."}
    )
    eviction = fields.String(
        required=True, allow_none=True, metadata={"description": "What it forgets when memory is short: its policy."}
    )
    stated = fields.Boolean(
        required=True, metadata={"description": "Whether the operator has stated that what it acknowledges is safe."}
    )
    problems = fields.List(
        fields.String(), required=True, metadata={"description": "What keeps it from being ready, in sentences."}
    )


class ReadinessSchema(Schema):
    """Whether the store keeps what it acknowledges, as far as is known."""

    status = fields.String(required=True, validate=validate.Equal("ready"))
    durability = fields.Nested(DurabilitySchema, required=True)
