"""Health and readiness."""

from marshmallow import Schema, fields, validate

from ..views.health import REASONS
from .common import milliseconds


class PartsSchema(Schema):
    """Whether each part is up."""

    log = fields.Boolean(required=True, metadata={"description": "The server that keeps the games takes writes."})
    queue = fields.Boolean(required=True, metadata={"description": "The server over which workers are told of work."})
    worker = fields.Boolean(required=True, metadata={"description": "A worker has said lately that it is at work."})
    deliver = fields.Boolean(required=True, metadata={"description": "A deliverer has said lately that it is at work."})
    clock = fields.Boolean(required=True, metadata={"description": "The clock has said lately that it is at work."})


class DutySchema(Schema):
    """Something that a part of the service does round after round."""

    duty = fields.String(
        required=True,
        validate=validate.OneOf(["timekeeping", "presence", "hints", "deliveries", "bots"]),
        metadata={
            "description": "timekeeping: the clock writes timeouts and reminders. presence: the web says that it is "
            "there. hints: the clock asks again for bots that should have moved. deliveries: webhooks are sent to. "
            "bots: a worker takes hints."
        },
    )
    done_at = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When a round was last finished, in milliseconds since 1970-01-01 UTC; null: not known.",
            "format": "int64",
        },
    )
    up = fields.Boolean(required=True, metadata={"description": "Whether that was lately."})


class SetAsideSchema(Schema):
    """A game that nobody can play on in before an operator has seen to it."""

    game = fields.String(required=True)
    reason = fields.String(required=True, validate=validate.OneOf(REASONS), metadata={"description": "A code."})
    since = milliseconds("Since when")


class LayoutSchema(Schema):
    """The number of the layout in which everything is stored; versions with the same number can work together."""

    supported = fields.Integer(required=True, metadata={"description": "The layout that this version works with."})
    stored = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The layout that the store has; null: not known."}
    )
    migrating = fields.Boolean(
        required=True, metadata={"description": "Whether the store is on its way from that to a later one."}
    )


class HealthSchema(Schema):
    """Which parts of the service are up, and what cannot be played or read."""

    status = fields.String(required=True, validate=validate.Equal("up"))
    parts = fields.Nested(PartsSchema, required=True)
    duties = fields.List(fields.Nested(DutySchema), required=True)
    set_aside = fields.List(
        fields.Nested(SetAsideSchema), required=True, metadata={"description": "The first 50; the others go on."}
    )
    set_aside_count = fields.Integer(required=True, metadata={"description": "How many they are."})
    damaged_keys = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Keys of indexes that this process cannot read and leaves out."},
    )
    layout = fields.Nested(LayoutSchema, required=True)


class DurabilitySchema(Schema):
    """What the log server promises, the worst of all nodes; null where it does not say."""

    appendonly = fields.Boolean(required=True, allow_none=True, metadata={"description": "Whether it writes to disk."})
    appendfsync = fields.String(
        required=True, allow_none=True, metadata={"description": "When it does; `always` is before it answers."}
    )
    eviction = fields.String(
        required=True, allow_none=True, metadata={"description": "What it forgets when memory is short: its policy."}
    )
    writable = fields.Boolean(required=True, metadata={"description": "Whether it takes writes now."})
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
