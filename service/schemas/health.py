"""Schemas for health and readiness."""

from marshmallow import Schema, fields, validate

from ..views.health import REASONS
from .common import milliseconds
from .named import Named, NamedType

SET_ASIDE_REASON = NamedType("SetAsideReason", "Why a game cannot continue.", REASONS, is_open=True)

DUTY_NAME = NamedType(
    "DutyName",
    "timekeeping: the clock process records timeouts and reminders. presence: a web process "
    "reports that it is running. hints: the clock process sends missing hints for bots again. deliveries: the "
    "deliver process sends deliveries to webhooks. bots: a worker handles hints. thinking: a thinker handles hints for "
    "bots that search.",
    ["timekeeping", "presence", "hints", "deliveries", "bots", "thinking"],
    is_open=True,
)


class PartsSchema(Schema):
    """Whether each part is up."""

    log = fields.Boolean(required=True, metadata={"description": "The log server accepts writes."})
    queue = fields.Boolean(required=True, metadata={"description": "The queue server answers."})
    worker = fields.Boolean(required=True, metadata={"description": "A worker reported recently."})
    thinker = fields.Boolean(required=True, metadata={"description": "A thinker reported recently."})
    deliver = fields.Boolean(required=True, metadata={"description": "A deliver process reported recently."})
    clock = fields.Boolean(required=True, metadata={"description": "A clock process reported recently."})


class DutyStatusSchema(Schema):
    """A task that a part of the service repeats."""

    duty = Named(DUTY_NAME, required=True, metadata={"description": "The task."})
    done_at = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When a round was last finished, in milliseconds since 1970-01-01 UTC. null: unknown.",
            "format": "int64",
        },
    )
    up = fields.Boolean(required=True, metadata={"description": "Whether a round was finished recently enough."})


class SetAsideSchema(Schema):
    """A game in which nobody can move until an operator repairs it."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    reason = Named(SET_ASIDE_REASON, required=True, metadata={"description": "Why the game cannot continue."})
    since = milliseconds("When the game was set aside")


class LayoutSchema(Schema):
    """The store's layout number. Versions of the service with the same number can run together."""

    supported = fields.Integer(required=True, metadata={"description": "The layout that this version works with."})
    stored = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The layout that the store has. null: unknown, or the store is empty."},
    )
    migrating = fields.Boolean(
        required=True, metadata={"description": "Whether the store is being migrated to a later layout."}
    )


class HealthSchema(Schema):
    """Which parts of the service are up, and which games and keys cannot be read."""

    status = fields.String(
        required=True, validate=validate.Equal("up"), metadata={"description": "Always `up`: the process responds."}
    )
    parts = fields.Nested(PartsSchema, required=True, metadata={"description": "Which parts are up."})
    duties = fields.List(
        fields.Nested(DutyStatusSchema), required=True, metadata={"description": "The tasks that the parts repeat."}
    )
    set_aside = fields.List(
        fields.Nested(SetAsideSchema),
        required=True,
        metadata={"description": "Games that cannot continue until an operator repairs them; at most 50 are listed."},
    )
    set_aside_count = fields.Integer(required=True, metadata={"description": "How many games are set aside."})
    damaged_keys = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Keys of indexes that this process cannot read."},
    )
    layout = fields.Nested(LayoutSchema, required=True, metadata={"description": "The layout of the store."})
    test_clock = fields.Boolean(
        required=True,
        metadata={"description": "Whether owners may advance the clocks of their games. For development only."},
    )


class DurabilitySchema(Schema):
    """The log server's durability settings.

    Each setting has the worst value across all nodes, or null if the server does not report it.
    """

    appendonly = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "Whether the server writes to an append-only file."}
    )
    appendfsync = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "When the server writes to disk. `always`: before it answers."},
    )
    eviction = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The server's maxmemory-policy: what the server deletes when memory is short."},
    )
    writable = fields.Boolean(required=True, metadata={"description": "Whether the server accepts writes now."})
    stated = fields.Boolean(
        required=True, metadata={"description": "Whether the operator has set CONDOTTIERE_DURABILITY."}
    )
    problems = fields.List(
        fields.String(), required=True, metadata={"description": "Why the server is not ready, in sentences."}
    )


class ReadinessSchema(Schema):
    """Whether the store keeps acknowledged writes, as far as this process knows."""

    status = fields.String(required=True, validate=validate.Equal("ready"), metadata={"description": "Always `ready`."})
    durability = fields.Nested(DurabilitySchema, required=True, metadata={"description": "The log server's settings."})
