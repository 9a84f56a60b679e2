"""Health: schemas for health and readiness."""

from marshmallow import Schema, fields, validate

from ..views.health import REASONS
from .common import milliseconds
from .named import Named, NamedType

SET_ASIDE_REASON = NamedType("SetAsideReason", "Why nobody can move in a game.", REASONS, is_open=True)

DUTY_NAME = NamedType(
    "DutyName",
    "A background task. `timekeeping`: a clock process records timeouts and reminders. `presence`: a web "
    "process reports that it is running. `hints`: a clock process resends lost messages that ask a worker "
    "to make a bot's move. `deliveries`: a `deliver` process sends deliveries to webhooks. `bots`: a worker "
    "makes moves for bots. `thinking`: a thinker process makes moves for bots that search.",
    ["timekeeping", "presence", "hints", "deliveries", "bots", "thinking"],
    is_open=True,
)


class PartsSchema(Schema):
    """Whether each part of the service works."""

    log = fields.Boolean(
        required=True,
        metadata={"description": "Whether the log server (the Redis server that stores games) accepts writes."},
    )
    queue = fields.Boolean(
        required=True,
        metadata={"description": "Whether the queue server (the Redis server for background jobs) responds."},
    )
    worker = fields.Boolean(required=True, metadata={"description": "Whether a worker process has reported recently."})
    thinker = fields.Boolean(
        required=True,
        metadata={"description": "Whether a thinker process (which runs bots that search) has reported recently."},
    )
    deliver = fields.Boolean(
        required=True,
        metadata={"description": "Whether a `deliver` process (which sends webhooks) has reported recently."},
    )
    clock = fields.Boolean(
        required=True,
        metadata={"description": "Whether a clock process (which records timeouts) has reported recently."},
    )


class DutyStatusSchema(Schema):
    """A background task that the service repeats, and when it last finished."""

    duty = Named(DUTY_NAME, required=True, metadata={"description": "The name of the task."})
    done_at = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the task last finished, in milliseconds since 1970-01-01 UTC. `null` if this is "
            "unknown.",
            "format": "int64",
        },
    )
    up = fields.Boolean(required=True, metadata={"description": "Whether the task finished recently enough."})


class SetAsideSchema(Schema):
    """A game that the server has set aside: nobody can move in it until an operator repairs it."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    reason = Named(SET_ASIDE_REASON, required=True, metadata={"description": "Why nobody can move in the game."})
    since = milliseconds("When the server set the game aside")


class LayoutSchema(Schema):
    """The version of the store's data layout. Only releases that use the same layout can run together."""

    supported = fields.Integer(required=True, metadata={"description": "The layout that this release uses."})
    stored = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The layout of the stored data, or `null` if it is unknown or the store is empty."},
    )
    migrating = fields.Boolean(
        required=True, metadata={"description": "Whether a migration to a later layout is in progress."}
    )


class HealthSchema(Schema):
    """Which parts of the service work, and which data cannot be read."""

    status = fields.String(
        required=True,
        validate=validate.Equal("up"),
        metadata={"description": "Always `up`, because the process responds."},
    )
    parts = fields.Nested(PartsSchema, required=True, metadata={"description": "The parts of the service."})
    duties = fields.List(
        fields.Nested(DutyStatusSchema), required=True, metadata={"description": "The background tasks."}
    )
    set_aside = fields.List(
        fields.Nested(SetAsideSchema),
        required=True,
        metadata={
            "description": "Games in which nobody can move until an operator repairs them. At most 50 are listed."
        },
    )
    set_aside_count = fields.Integer(
        required=True, metadata={"description": "The total number of games that need repair."}
    )
    damaged_keys = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The store keys of the indexes that this process could not read."},
    )
    layout = fields.Nested(LayoutSchema, required=True, metadata={"description": "The layout of the store."})
    test_clock = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether owners may advance the clocks of their games, which is meant only for development."
        },
    )


class DurabilitySchema(Schema):
    """The settings that determine whether the log server keeps acknowledged writes.

    If there are several nodes, each setting shows the worst value of any node. A setting is `null` if the server does
    not report it.
    """

    appendonly = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "Whether the server writes to an append-only file."}
    )
    appendfsync = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the server writes to disk. With `always`, the server writes each "
            "change to disk before it responds."
        },
    )
    eviction = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The server's `maxmemory-policy`, which determines what data the server "
            "deletes when memory runs out."
        },
    )
    writable = fields.Boolean(required=True, metadata={"description": "Whether the server accepts writes now."})
    stated = fields.Boolean(
        required=True, metadata={"description": "Whether the operator has set `CONDOTTIERE_DURABILITY`."}
    )
    problems = fields.List(
        fields.String(), required=True, metadata={"description": "Sentences that say why the server is not ready."}
    )


class ReadinessSchema(Schema):
    """Whether this process is ready, and the store settings that determine it."""

    status = fields.String(required=True, validate=validate.Equal("ready"), metadata={"description": "Always `ready`."})
    durability = fields.Nested(
        DurabilitySchema, required=True, metadata={"description": "The durability settings of the log server."}
    )
