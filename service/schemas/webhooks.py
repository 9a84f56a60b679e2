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
    "`full`: deliveries include the game as you see it, and either your numbered moves or the events that "
    "happened. `thin`: deliveries include neither the game, nor moves, nor events.",
    PAYLOADS,
)
WEBHOOK_FORMAT = NamedType(
    "WebhookFormat",
    " ".join(f"`{form}`: {meaning}." for form, meaning in FORMATS.items()),
    list(FORMATS),
    is_open=True,
)
DELIVERY_STATUS = NamedType(
    "DeliveryStatus",
    "The status of a delivery. `over`: the server no longer sends the delivery, because the turn has ended, the "
    "message was removed, or you have blocked its author.",
    STATUSES,
)
DISABLED_REASON = NamedType(
    "DisabledReason",
    "Why the server disabled a webhook. `failing`: every attempt has failed for five days. `gone`: the endpoint "
    "answered 410. `suspended`: the host suspended you.",
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
        "The ids of the games to which the webhook is limited. You must own each game or have a seat in it. "
        f"{otherwise}, the webhook covers all your games."
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
    description = "The URL of the endpoint. The URL must begin with https:// and have a public address."
    return fields.String(validate=validate.Length(1, MAX_URL_LENGTH), metadata={"description": description}, **kwargs)


_B64 = "[A-Za-z0-9+/]"
SECRET = f"^whsec_(?:(?:{_B64}{{4}}){{8,20}}(?:{_B64}{{2}}==|{_B64}{{3}}=)?|(?:{_B64}{{4}}){{21}}(?:{_B64}{{2}}==)?)$"
"""The pattern of secrets: a prefix, then 24 to 64 bytes in base64."""


def _secret() -> fields.String:
    description = (
        "The secret that the server uses to sign deliveries: `whsec_` followed by 24 to 64 bytes in "
        "base64. If omitted, the server generates a secret."
    )
    return fields.String(validate=validate.Length(max=200), metadata={"description": description, "pattern": SECRET})


class SubscriptionSchema(Schema):
    """The webhook to create."""

    url = _url(required=True)
    events = _events(
        f"The default depends on the format. For `json`, the default is {', '.join(ABOUT_GAMES)}. For the other "
        f"formats, "
        f"the default is {', '.join(FOR_PEOPLE)}.",
        load_default=None,
    )
    games = _games("If omitted or `null`", load_default=None)
    payload = _payload("The default is `full`.", load_default=FULL)
    format = Named(
        WEBHOOK_FORMAT,
        load_default=JSON,
        metadata={"description": "The format of deliveries. You cannot change it later. The default is `json`."},
    )
    active = Flag(
        load_default=True,
        metadata={
            "description": "Whether the webhook is active. If `false`, the server sends nothing until you set "
            "`active` to `true`. The default is `true`."
        },
    )
    secret = _secret()


class WebhookChangeSchema(Schema):
    """The changes to a webhook. Members that you leave out do not change."""

    url = _url()
    events = _events()
    games = _games("If `null`")
    payload = _payload()
    active = Flag(
        metadata={
            "description": "Whether the webhook is active. `true` also enables a webhook that the server disabled."
        }
    )


class ConfirmationSchema(Schema):
    """The code that the server sent to a webhook's receiver."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The code in the test message.", "example": "K7QM-3XRT"},
    )


class SecretWishSchema(Schema):
    """The new secret for a webhook. If you send no secret, the server generates one."""

    secret = _secret()


class WebhookSchema(Schema):
    """A webhook."""

    id = fields.String(required=True, metadata={"description": "The id of the webhook."})
    url = fields.String(required=True, metadata={"description": "The URL of the endpoint."})
    events = fields.List(
        Named(EVENT_TYPE, list(KINDS)),
        required=True,
        metadata={
            "description": "The types of event that the server sends to the webhook. The server also sends `ping` "
            "to every webhook."
        },
    )
    games = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={
            "description": "The ids of the games to which the webhook is limited, or `null` if it covers all "
            "your games."
        },
    )
    payload = _payload(required=True)
    format = Named(WEBHOOK_FORMAT, required=True, metadata={"description": "The format of deliveries."})
    active = fields.Boolean(
        required=True,
        metadata={"description": "Whether the webhook is active. The server sends nothing to an inactive webhook."},
    )
    created_at = milliseconds("When the webhook was created")
    verified_at = nullable_milliseconds(
        "When the endpoint answered a ping or you confirmed the webhook with a code",
        "the webhook is not confirmed yet, and the server sends only pings",
    )
    failing_since = nullable_milliseconds(
        "When the current series of failed attempts began", "the endpoint is not failing"
    )
    disabled = Named(
        DISABLED_REASON,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server disabled the webhook, or `null` if it did not."},
    )
    old_secret_until = nullable_milliseconds("When the old secret expires", "no old secret is in use")


class WebhookWithSecretSchema(WebhookSchema):
    """A webhook with the secret that signs its deliveries."""

    secret = fields.String(
        required=True,
        metadata={
            "description": "The secret that the server uses to sign deliveries. The server shows the secret only once.",
            "pattern": SECRET,
        },
    )


class WebhookListSchema(Schema):
    """The webhooks of a player."""

    webhooks = fields.List(
        fields.Nested(WebhookSchema), required=True, metadata={"description": "Your webhooks, oldest first."}
    )


class ReasonSchema(Schema):
    """Why the server refused the move in an endpoint's response."""

    code = Named(PROBLEM_CODE, required=True, metadata={"description": "The kind of problem."})
    detail = fields.String(required=True, metadata={"description": "What went wrong, and what to do about it."})
    edition = Named(
        EDITION_KEY,
        metadata={"description": "The edition whose rules forbid the move. Present only if the rules forbid the move."},
    )
    clause = fields.String(metadata={"description": "The number of the clause that forbids the move."})
    field = fields.String(metadata={"description": "Which field of the move is not valid."})


class DeliveryTrySchema(Schema):
    """One attempt to send a delivery."""

    at = milliseconds("When the attempt ended")
    status = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The HTTP status of the response, or `null` if there was no response."},
    )
    error = fields.String(
        required=True, allow_none=True, metadata={"description": "What went wrong, if there was no response."}
    )
    latency = fields.Integer(required=True, metadata={"description": "How long the attempt took, in milliseconds."})
    move = fields.String(
        validate=validate.OneOf(["made", "refused", "ignored", "none"]),
        metadata={
            "description": "What happened to the move in the endpoint's response. `ignored`: you had "
            "already moved, the webhook was paused, or its URL or secret was changed in the "
            "meantime. `none`: the response has a body, but contains no move."
        },
    )
    problem = fields.Nested(ReasonSchema, metadata={"description": "Why the server refused the move, if it did."})


class DeliverySchema(Schema):
    """A delivery to a webhook. The server may not have sent the delivery yet."""

    number = fields.Integer(
        required=True,
        metadata={"description": "The number of the delivery. Each webhook's deliveries are numbered from 1."},
    )
    id = fields.String(
        required=True,
        metadata={"description": "The id of the delivery, which every attempt sends in the `webhook-id` header."},
    )
    type = Named(EVENT_TYPE, required=True, metadata={"description": "The type of event that the delivery is about."})
    game = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the game, or `null` if the delivery is a ping."},
    )
    version = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The version of the game after the event, or `null` if the delivery is a ping or a message."
        },
    )
    sequence = fields.Integer(
        required=True,
        metadata={
            "description": "The number of the delivery, counting this webhook's deliveries about this game from 1."
        },
    )
    at = milliseconds("When the event happened")
    status = Named(DELIVERY_STATUS, required=True, metadata={"description": "The status of the delivery."})
    tries = fields.List(
        fields.Nested(DeliveryTrySchema),
        required=True,
        metadata={"description": "The attempts to send the delivery, oldest first."},
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
        metadata={
            "description": "The value to send as `before` to get the next page, or `null` if this is the last page."
        },
    )


class DeliveriesQuerySchema(Schema):
    """The deliveries to list."""

    before = fields.Integer(
        validate=validate.Range(1),
        metadata={
            "description": "The value of `next` on the previous page. By default, the list starts at the newest "
            "delivery.",
            "example": 41,
        },
    )
    limit = fields.Integer(
        load_default=20,
        validate=validate.Range(1, 100),
        metadata={"description": "The maximum number of deliveries on the page.", "example": 20},
    )


class RepetitionSchema(CheckedSchema):
    """The deliveries to resend."""

    first = Whole(
        required=True, validate=validate.Range(1), metadata={"description": "The `number` of the first delivery."}
    )
    last = Whole(
        required=True, validate=validate.Range(1), metadata={"description": "The `number` of the last delivery."}
    )
    statuses = fields.List(
        Named(DELIVERY_STATUS),
        load_default=lambda: ["failed"],
        metadata={
            "description": "Send only deliveries with one of these statuses. By default, the server sends only "
            "`failed` deliveries."
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Reject a range whose last number is less than its first. Raises: ValidationError."""
        if parts["last"] < parts["first"]:
            raise ValidationError({"last": ["Must be at least `first`."]})


class RepeatedSchema(Schema):
    """How many deliveries will be resent."""

    waiting = fields.Integer(required=True, metadata={"description": "How many deliveries will be sent again."})
