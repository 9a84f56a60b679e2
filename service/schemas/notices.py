"""Notices: schemas for what a player is sent by e-mail and by notifications in browsers."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from ..webhooks.formats import BY_DEFAULT, CHOICES
from ..webhooks.kinds import KINDS
from .clocks import known_zone
from .common import Whole, milliseconds, nullable_milliseconds
from .named import EVENT_TYPE, Named, NamedType
from .webhooks import WEBHOOK_FORMAT

STOPPED = NamedType(
    "StoppedReason",
    "Why the server sends nothing more. failing: five days of failures. refused: the mail server refuses the address. "
    "gone: the browser no longer accepts notifications. unsubscribed: somebody who reads the e-mail does not want it. "
    "suspended: the host had suspended you.",
    ["failing", "refused", "gone", "unsubscribed", "suspended"],
    is_open=True,
)
MAX_ENDPOINT = 2_000


def _events(**kwargs: Any) -> fields.List[Any]:
    meanings = " ".join(f"`{kind}`: {KINDS[kind]}" for kind in CHOICES)
    description = f"The events to send. {meanings} By default: {', '.join(BY_DEFAULT)}."
    return fields.List(Named(EVENT_TYPE, list(CHOICES)), required=True, metadata={"description": description}, **kwargs)


class DigestSchema(Schema):
    """When to send a daily list of the games that are waiting for you."""

    hour = Whole(
        required=True, validate=validate.Range(0, 23), metadata={"description": "The hour of the day.", "example": 8}
    )
    time_zone = fields.String(
        required=True,
        validate=known_zone,
        metadata={"description": "The time zone of the hour, as named by IANA.", "example": "Europe/Rome"},
    )


def _digest(never: str, **kwargs: Any) -> fields.Nested:
    description = f"When to send a list of the games that are waiting for you, once a day. {never}: never."
    return fields.Nested(DigestSchema, allow_none=True, metadata={"description": description}, **kwargs)


class EmailWishesSchema(Schema):
    """What to send by e-mail."""

    events = _events()
    digest = _digest("null or left out", load_default=None)


class PushWishesSchema(Schema):
    """What to show as notifications in your browsers."""

    events = _events()


class NoticeWishesSchema(Schema):
    """What to send you, by which way."""

    email = fields.Nested(EmailWishesSchema, required=True, metadata={"description": "What to send by e-mail."})
    push = fields.Nested(
        PushWishesSchema, required=True, metadata={"description": "What to show as notifications in your browsers."}
    )


class EmailNoticesSchema(Schema):
    """What you are sent by e-mail, and to which address."""

    available = fields.Boolean(required=True, metadata={"description": "Whether the service can send e-mail."})
    address = fields.String(
        required=True, allow_none=True, metadata={"description": "Your address. null: you have not set one."}
    )
    verified_at = nullable_milliseconds(
        "When you confirmed the address with the code", "you have not confirmed it, and the server sends nothing else"
    )
    failing_since = nullable_milliseconds("The time since which every try has failed", "the last try succeeded")
    stopped = Named(
        STOPPED,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server sends nothing more. null: it has not stopped."},
    )
    events = _events()
    digest = _digest("null", required=True)


class BrowserSchema(Schema):
    """A browser that shows your notifications."""

    id = fields.String(required=True, metadata={"description": "The id of the browser."})
    name = fields.String(required=True, metadata={"description": "The name that you gave it."})
    endpoint = fields.String(
        required=True, metadata={"description": "The URL of its push service, by which a browser recognises itself."}
    )
    created_at = milliseconds("When the browser was added")
    failing_since = nullable_milliseconds("The time since which every try has failed", "the last try succeeded")
    stopped = Named(
        STOPPED,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server sends nothing more. null: it has not stopped."},
    )


class PushNoticesSchema(Schema):
    """What your browsers show as notifications."""

    key = fields.String(
        required=True,
        metadata={"description": "The server's public key, which a browser needs as `applicationServerKey`."},
    )
    events = _events()
    browsers = fields.List(
        fields.Nested(BrowserSchema), required=True, metadata={"description": "Your browsers, oldest first."}
    )


class ChatSchema(Schema):
    """A webhook that sends you sentences instead of JSON. Change it with `PATCH /v1/webhooks/{id}`."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    format = Named(WEBHOOK_FORMAT, required=True, metadata={"description": "The kind of chat."})
    events = fields.List(
        Named(EVENT_TYPE, list(KINDS)), required=True, metadata={"description": "The events that are sent there."}
    )
    active = fields.Boolean(
        required=True, metadata={"description": "Whether the webhook is active. false: the server sends nothing."}
    )
    verified_at = nullable_milliseconds(
        "When you confirmed the chat with the code", "you have not confirmed it, and the server sends nothing else"
    )
    failing_since = nullable_milliseconds("The time since which every try has failed", "the last try succeeded")


class NoticesSchema(Schema):
    """What you are sent, by which way, and where to."""

    email = fields.Nested(EmailNoticesSchema, required=True, metadata={"description": "What you are sent by e-mail."})
    push = fields.Nested(
        PushNoticesSchema, required=True, metadata={"description": "What your browsers show as notifications."}
    )
    chats = fields.List(
        fields.Nested(ChatSchema),
        required=True,
        metadata={"description": "Your webhooks that send sentences to a chat or a phone, oldest first."},
    )


class EmailAddressSchema(Schema):
    """Your e-mail address."""

    address = fields.String(
        required=True,
        validate=validate.Length(3, 254),
        metadata={"description": "The address, in ASCII characters.", "example": "caterina@example.org"},
    )


class AddressCodeSchema(Schema):
    """The code from the e-mail to your address."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The code in the e-mail.", "example": "K7QM-3XRT"},
    )


class BrowserKeysSchema(Schema):
    """The keys of a browser's subscription."""

    p256dh = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={"description": "The browser's public key, in base64url."},
    )
    auth = fields.String(
        required=True,
        validate=validate.Length(1, 100),
        metadata={"description": "The browser's authentication secret, in base64url."},
    )


class BrowserSubscriptionSchema(Schema):
    """The members `endpoint` and `keys` of a browser's `PushSubscription`, and a name for the browser."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, MAX_ENDPOINT),
        metadata={"description": "The URL of the browser's push service: an https URL at a public address."},
    )
    keys = fields.Nested(
        BrowserKeysSchema, required=True, metadata={"description": "The keys of the browser's subscription."}
    )
    name = fields.String(
        load_default="",
        validate=validate.Length(max=60),
        metadata={
            "description": "A name by which you recognise the browser. If left out, it has none.",
            "example": "Firefox on my laptop",
        },
    )
