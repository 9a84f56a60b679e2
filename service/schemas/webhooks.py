"""Webhooks: what is asked for, what is told of them, and their deliveries."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..webhooks.kinds import KINDS, PING
from ..webhooks.payloads import FULL, THIN
from .common import CheckedSchema, Flag, milliseconds

PAYLOADS = [THIN, FULL]
STATUSES = ["waiting", "delivered", "failed", "over"]
MOST_GAMES = 100
LONGEST_URL = 2_000


def _events(**kwargs: Any) -> fields.List[Any]:
    told = " ".join(f"`{kind}`: {what}" for kind, what in KINDS.items())
    each = fields.String(validate=validate.OneOf(list(KINDS)))
    return fields.List(each, validate=validate.Length(min=1), metadata={"description": told}, **kwargs)


def _games(**kwargs: Any) -> fields.List[Any]:
    told = "Games that you sit in or own; all of them if null."
    return fields.List(
        fields.String(),
        allow_none=True,
        validate=validate.Length(1, MOST_GAMES),
        metadata={"description": told},
        **kwargs,
    )


def _payload(**kwargs: Any) -> fields.String:
    told = "full: with your view, and the numbered moves of your turn. thin: what happened where, and no more."
    return fields.String(validate=validate.OneOf(PAYLOADS), metadata={"description": told}, **kwargs)


def _url(**kwargs: Any) -> fields.String:
    told = "Where to send what happens; https, at a public address."
    return fields.String(validate=validate.Length(1, LONGEST_URL), metadata={"description": told}, **kwargs)


def _secret() -> fields.String:
    told = "`whsec_` and 24 to 64 bytes in base 64; you are given one if left out."
    return fields.String(validate=validate.Length(max=200), metadata={"description": told})


def _nullable_milliseconds(description: str) -> fields.Integer:
    field = milliseconds(description)
    field.allow_none = True
    return field


class SubscriptionSchema(Schema):
    """The webhook that is asked for."""

    url = _url(required=True)
    events = _events(load_default=lambda: list(KINDS))
    games = _games(load_default=None)
    payload = _payload(load_default=FULL)
    active = Flag(load_default=True, metadata={"description": "false: nothing is sent until it is true."})
    secret = _secret()


class WebhookChangeSchema(Schema):
    """What is to be changed of a webhook; what is left out stays as it is."""

    url = _url()
    events = _events()
    games = _games()
    payload = _payload()
    active = Flag(metadata={"description": "true also ends what `disabled` says."})


class SecretWishSchema(Schema):
    """The new secret that is wanted, if a certain one is."""

    secret = _secret()


class WebhookSchema(Schema):
    """A webhook."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    events = fields.List(fields.String(validate=validate.OneOf(list(KINDS))), required=True)
    games = fields.List(fields.String(), required=True, allow_none=True)
    payload = fields.String(required=True, validate=validate.OneOf(PAYLOADS))
    active = fields.Boolean(required=True)
    created_at = milliseconds("When it was made")
    verified_at = _nullable_milliseconds("When its endpoint answered a ping; null: it is told nothing else")
    failing_since = _nullable_milliseconds("Since when its endpoint has taken nothing; null where it does")
    disabled = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["failing", "gone"]),
        metadata={"description": "Why it is not active, where that was not your wish: five days of failure, or a 410."},
    )
    old_secret_until = _nullable_milliseconds("Until when the secret before signs too; null where there was none")


class WebhookWithSecretSchema(WebhookSchema):
    """A webhook with the secret that its deliveries are signed with."""

    secret = fields.String(required=True, metadata={"description": "Shown this once."})


class WebhooksSchema(Schema):
    """A player's webhooks."""

    webhooks = fields.List(fields.Nested(WebhookSchema), required=True)


class ReasonSchema(Schema):
    """Why a move in an answer was refused."""

    code = fields.String(required=True)
    detail = fields.String(required=True)
    edition = fields.String(metadata={"description": "Where the rules forbid it: whose."})
    clause = fields.String(metadata={"description": "And which of them."})
    field = fields.String(metadata={"description": "The part of the move that is wrong."})


class TrySchema(Schema):
    """One try of a delivery."""

    at = milliseconds("When it ended")
    status = fields.Integer(required=True, allow_none=True, metadata={"description": "HTTP status; null: no answer."})
    error = fields.String(
        required=True, allow_none=True, metadata={"description": "What went wrong, where no status says it."}
    )
    latency = fields.Integer(required=True, metadata={"description": "Milliseconds."})
    move = fields.String(
        validate=validate.OneOf(["made", "refused", "ignored", "none"]),
        metadata={
            "description": "What came of the move in the answer. ignored: the turn had been answered before, with "
            "another move, or the webhook was paused, led elsewhere or given another secret meanwhile. none: the "
            "answer says something, and no move."
        },
    )
    problem = fields.Nested(ReasonSchema)


class DeliverySchema(Schema):
    """What was sent, or is to be sent, to a webhook."""

    number = fields.Integer(required=True, metadata={"description": "From 1, for each webhook."})
    id = fields.String(required=True, metadata={"description": "The `webhook-id` of every try."})
    type = fields.String(required=True, validate=validate.OneOf([PING, *KINDS]))
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True, metadata={"description": "The game's, when it happened."})
    sequence = fields.Integer(required=True, metadata={"description": "From 1, for each game and webhook."})
    at = milliseconds("When it happened")
    status = fields.String(
        required=True,
        validate=validate.OneOf(STATUSES),
        metadata={"description": "over: the turn was, before anybody took it."},
    )
    tries = fields.List(fields.Nested(TrySchema), required=True)


class DeliveriesSchema(Schema):
    """A page of deliveries, newest first."""

    deliveries = fields.List(fields.Nested(DeliverySchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Send it as `before` for the next page."}
    )


class DeliveriesQuerySchema(Schema):
    """Which deliveries to list."""

    before = fields.Integer(
        validate=validate.Range(1),
        metadata={"description": "`next` of the page before; the newest if left out.", "example": 41},
    )
    limit = fields.Integer(
        load_default=20,
        validate=validate.Range(1, 100),
        metadata={"description": "How many deliveries a page may show.", "example": 20},
    )


class RepetitionSchema(CheckedSchema):
    """Which deliveries are to be sent once more."""

    first = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    last = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    statuses = fields.List(
        fields.String(validate=validate.OneOf(STATUSES)),
        load_default=lambda: ["failed"],
        metadata={"description": "Only those that have come to this."},
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse a range that ends before it begins."""
        if parts["last"] < parts["first"]:
            raise ValidationError({"last": ["Must not be less than first."]})


class RepeatedSchema(Schema):
    """How many deliveries wait once more."""

    waiting = fields.Integer(required=True)
