"""Webhooks: schemas for subscribing, and for webhooks and their deliveries as players see them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..webhooks.formats import FOR_PEOPLE, FORMATS, JSON
from ..webhooks.kinds import ABOUT_GAMES, KINDS
from ..webhooks.payloads import FULL, THIN
from .common import CheckedSchema, Flag, Whole, milliseconds, nullable_milliseconds
from .named import EDITION_KEY, EVENT_TYPE, PROBLEM_CODE, Named, NamedType

PAYLOADS = [THIN, FULL]
STATUSES = ["waiting", "delivered", "failed", "over"]
PAYLOAD_KIND = NamedType(
    "PayloadKind",
    "full: deliveries include your view, together with your numbered moves or with the events that happened. thin: "
    "deliveries include none of these.",
    PAYLOADS,
)
WEBHOOK_FORMAT = NamedType(
    "WebhookFormat",
    " ".join(f"{form}: {meaning}." for form, meaning in FORMATS.items()),
    list(FORMATS),
    is_open=True,
)
DELIVERY_STATUS = NamedType(
    "DeliveryStatus",
    "over: the turn ended, the message was removed, or you blocked its author before the endpoint accepted the "
    "delivery, so the server no longer sends it.",
    STATUSES,
)
DISABLED_REASON = NamedType(
    "DisabledReason",
    "Why the server disabled a webhook. failing: five days of failures. gone: the endpoint answered 410. suspended: "
    "the host had suspended you.",
    ["failing", "gone", "suspended"],
    is_open=True,
)
MAX_GAMES = 100
MAX_URL_LENGTH = 2_000


def _events(default: str = "", **kwargs: Any) -> fields.List[Any]:
    description = " ".join([*(f"`{kind}`: {meaning}" for kind, meaning in KINDS.items()), default]).rstrip()
    return fields.List(
        Named(EVENT_TYPE, list(KINDS)), validate=validate.Length(min=1), metadata={"description": description}, **kwargs
    )


def _games(otherwise: str, **kwargs: Any) -> fields.List[Any]:
    description = (
        f"Only these games, which must be games that you own or have a seat in. {otherwise}: all of your games."
    )
    return fields.List(
        fields.String(),
        allow_none=True,
        validate=validate.Length(1, MAX_GAMES),
        metadata={"description": description},
        **kwargs,
    )


def _payload(default: str = "", **kwargs: Any) -> fields.String:
    description = f"What deliveries include. {default}".rstrip()
    return Named(PAYLOAD_KIND, metadata={"description": description}, **kwargs)


def _url(**kwargs: Any) -> fields.String:
    description = "The endpoint: an https URL at a public address."
    return fields.String(validate=validate.Length(1, MAX_URL_LENGTH), metadata={"description": description}, **kwargs)


_B64 = "[A-Za-z0-9+/]"
SECRET = f"^whsec_(?:(?:{_B64}{{4}}){{8,20}}(?:{_B64}{{2}}==|{_B64}{{3}}=)?|(?:{_B64}{{4}}){{21}}(?:{_B64}{{2}}==)?)$"
"""24 to 64 bytes in base64, after the prefix."""


def _secret() -> fields.String:
    description = "`whsec_` followed by 24 to 64 bytes in base64. If left out, the server generates one."
    return fields.String(validate=validate.Length(max=200), metadata={"description": description, "pattern": SECRET})


class SubscriptionSchema(Schema):
    """The webhook to create."""

    url = _url(required=True)
    events = _events(
        f"If left out: with the format `json` {', '.join(ABOUT_GAMES)}; otherwise {', '.join(FOR_PEOPLE)}.",
        load_default=None,
    )
    games = _games("null or left out", load_default=None)
    payload = _payload("If left out, `full`.", load_default=FULL)
    format = Named(
        WEBHOOK_FORMAT,
        load_default=JSON,
        metadata={"description": "What the server sends. It cannot be changed later. If left out, `json`."},
    )
    active = Flag(
        load_default=True,
        metadata={"description": "false: the server sends nothing until you set `active` to true. If left out, true."},
    )
    secret = _secret()


class WebhookChangeSchema(Schema):
    """The changes to a webhook. Members that you leave out do not change."""

    url = _url()
    events = _events()
    games = _games("null")
    payload = _payload()
    active = Flag(metadata={"description": "true also enables a webhook that the server disabled."})


class ConfirmationSchema(Schema):
    """The code that a webhook's receiver has shown."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The code in the test message.", "example": "K7QM-3XRT"},
    )


class SecretWishSchema(Schema):
    """The new secret, if the caller chooses one."""

    secret = _secret()


class WebhookSchema(Schema):
    """A webhook."""

    id = fields.String(required=True, metadata={"description": "The id of the webhook."})
    url = fields.String(required=True, metadata={"description": "The endpoint."})
    events = fields.List(
        Named(EVENT_TYPE, list(KINDS)),
        required=True,
        metadata={"description": "The types of event that the server sends. It also sends `ping`."},
    )
    games = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "The ids of the games to which the webhook is limited. null: all of your games."},
    )
    payload = _payload(required=True)
    format = Named(WEBHOOK_FORMAT, required=True, metadata={"description": "What the server sends."})
    active = fields.Boolean(
        required=True, metadata={"description": "Whether the webhook is active. false: the server sends nothing."}
    )
    created_at = milliseconds("When the webhook was created")
    verified_at = nullable_milliseconds(
        "When the endpoint answered a ping, or you confirmed it with a code",
        "neither has happened yet, and the server sends only pings",
    )
    failing_since = nullable_milliseconds("The time since which every try has failed", "the endpoint is not failing")
    disabled = Named(
        DISABLED_REASON,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server disabled the webhook. null: the server did not disable it."},
    )
    old_secret_until = nullable_milliseconds(
        "The time until which the server also signs with the old secret", "no old secret is in use"
    )


class WebhookWithSecretSchema(WebhookSchema):
    """A webhook with the secret that signs its deliveries."""

    secret = fields.String(required=True, metadata={"description": "Shown only once.", "pattern": SECRET})


class WebhookListSchema(Schema):
    """A player's webhooks."""

    webhooks = fields.List(
        fields.Nested(WebhookSchema), required=True, metadata={"description": "Your webhooks, oldest first."}
    )


class ReasonSchema(Schema):
    """Why a move in an answer was refused."""

    code = Named(PROBLEM_CODE, required=True, metadata={"description": "The kind of problem."})
    detail = fields.String(required=True, metadata={"description": "What went wrong, and what to do."})
    edition = Named(EDITION_KEY, metadata={"description": "The edition, if its rules forbid the move."})
    clause = fields.String(metadata={"description": "The number of the clause that forbids the move."})
    field = fields.String(metadata={"description": "The part of the move at fault."})


class DeliveryTrySchema(Schema):
    """One attempt to send a delivery."""

    at = milliseconds("When the try ended")
    status = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The HTTP status of the response. null: there was no response."},
    )
    error = fields.String(
        required=True, allow_none=True, metadata={"description": "What went wrong, if there is no status."}
    )
    latency = fields.Integer(required=True, metadata={"description": "How long the try took, in milliseconds."})
    move = fields.String(
        validate=validate.OneOf(["made", "refused", "ignored", "none"]),
        metadata={
            "description": "What happened to the move in the answer. ignored: you had already moved, the webhook was "
            "paused, or its URL or secret was changed in the meantime. none: the answer has a body, but no move."
        },
    )
    problem = fields.Nested(ReasonSchema, metadata={"description": "Why the move was refused, if it was."})


class DeliverySchema(Schema):
    """A delivery to a webhook, sent or still to be sent."""

    number = fields.Integer(
        required=True, metadata={"description": "The number of this delivery among the webhook's deliveries, from 1."}
    )
    id = fields.String(required=True, metadata={"description": "The `webhook-id` header of every try."})
    type = Named(EVENT_TYPE, required=True, metadata={"description": "The type of event that the delivery is about."})
    game = fields.String(required=True, allow_none=True, metadata={"description": "The id of the game. null: a ping."})
    version = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The version of the game after the event. null: a ping, or a message."},
    )
    sequence = fields.Integer(
        required=True,
        metadata={"description": "The number of this delivery among the webhook's deliveries about this game, from 1."},
    )
    at = milliseconds("When the event happened")
    status = Named(DELIVERY_STATUS, required=True, metadata={"description": "Whether the delivery was accepted."})
    tries = fields.List(
        fields.Nested(DeliveryTrySchema),
        required=True,
        metadata={"description": "The tries of the delivery, oldest first."},
    )


class DeliveryPageSchema(Schema):
    """A page of deliveries, newest first."""

    deliveries = fields.List(
        fields.Nested(DeliverySchema),
        required=True,
        metadata={"description": "The deliveries on the page, newest first."},
    )
    next = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Send `next` as `before` to get the next page. null: this is the last page."},
    )


class DeliveriesQuerySchema(Schema):
    """The deliveries to list."""

    before = fields.Integer(
        validate=validate.Range(1),
        metadata={
            "description": "`next` of the previous page. If left out, the list starts at the newest delivery.",
            "example": 41,
        },
    )
    limit = fields.Integer(
        load_default=20,
        validate=validate.Range(1, 100),
        metadata={"description": "The maximum number of deliveries on the page.", "example": 20},
    )


class RepetitionSchema(CheckedSchema):
    """The deliveries to send again."""

    first = Whole(
        required=True, validate=validate.Range(1), metadata={"description": "The `number` of the first delivery."}
    )
    last = Whole(
        required=True, validate=validate.Range(1), metadata={"description": "The `number` of the last delivery."}
    )
    statuses = fields.List(
        Named(DELIVERY_STATUS),
        load_default=lambda: ["failed"],
        metadata={"description": "Only deliveries with one of these statuses. If left out, only `failed` deliveries."},
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse a range that ends before it begins."""
        if parts["last"] < parts["first"]:
            raise ValidationError({"last": ["Must not be less than first."]})


class RepeatedSchema(Schema):
    """How many deliveries will be sent again."""

    waiting = fields.Integer(required=True, metadata={"description": "How many deliveries will be sent again."})
