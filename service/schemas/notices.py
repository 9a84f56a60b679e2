"""Notices: schemas for the notices that a player gets by e-mail and in browsers."""

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
    "Why the server no longer sends notices to an address or a browser. `failing`: every attempt has failed for "
    "five days. `refused`: the mail server refuses the address. `gone`: the browser no longer accepts "
    "notifications. `unsubscribed`: somebody who received the e-mail unsubscribed. `suspended`: the host "
    "suspended you.",
    ["failing", "refused", "gone", "unsubscribed", "suspended"],
    is_open=True,
)
MAX_ENDPOINT = 2_000


def _events(**kwargs: Any) -> fields.List[Any]:
    meanings = " ".join(f"`{kind}`: {KINDS[kind]}" for kind in CHOICES)
    description = f"The types of event about which to notify you. {meanings} The default is {', '.join(BY_DEFAULT)}."
    return fields.List(Named(EVENT_TYPE, list(CHOICES)), required=True, metadata={"description": description}, **kwargs)


class DigestSchema(Schema):
    """When to send a daily list of the games in which it is your turn."""

    hour = Whole(
        required=True,
        validate=validate.Range(0, 23),
        metadata={"description": "The hour of the day at which to send the list.", "example": 8},
    )
    time_zone = fields.String(
        required=True,
        validate=known_zone,
        metadata={
            "description": "The time zone of `hour`, as a name from the IANA time zone database.",
            "example": "Europe/Rome",
        },
    )


def _digest(never: str, **kwargs: Any) -> fields.Nested:
    description = f"When to send a daily list of the games in which it is your turn. {never}, you get no list."
    return fields.Nested(DigestSchema, allow_none=True, metadata={"description": description}, **kwargs)


class EmailWishesSchema(Schema):
    """The notices to send by e-mail."""

    events = _events()
    digest = _digest("If omitted or `null`", load_default=None)


class PushWishesSchema(Schema):
    """The notices to show in your browsers."""

    events = _events()


class NoticeWishesSchema(Schema):
    """The notices that you want to receive by e-mail and in your browsers."""

    email = fields.Nested(EmailWishesSchema, required=True, metadata={"description": "The notices to send by e-mail."})
    push = fields.Nested(
        PushWishesSchema, required=True, metadata={"description": "The notices to show in your browsers."}
    )


class EmailNoticesSchema(Schema):
    """The notices that the server sends you by e-mail, and your address."""

    available = fields.Boolean(required=True, metadata={"description": "Whether the service can send e-mail."})
    address = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Your e-mail address, or `null` if you have not set one."},
    )
    verified_at = nullable_milliseconds(
        "When you confirmed the address with the code",
        "you have not confirmed the address yet; until you do, the server sends only the code to it",
    )
    failing_since = nullable_milliseconds(
        "When the current series of failed attempts began", "the last attempt succeeded"
    )
    stopped = Named(
        STOPPED,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server no longer sends e-mail to the address. `null` if it still does."},
    )
    events = _events()
    digest = _digest("If `null`", required=True)


class BrowserSchema(Schema):
    """A browser that shows your notifications."""

    id = fields.String(required=True, metadata={"description": "The id of the browser."})
    name = fields.String(required=True, metadata={"description": "The name that you gave the browser."})
    endpoint = fields.String(
        required=True,
        metadata={"description": "The push URL of the browser. A browser can use this URL to find itself in the list."},
    )
    created_at = milliseconds("When the browser was added")
    failing_since = nullable_milliseconds(
        "When the current series of failed attempts began", "the last attempt succeeded"
    )
    stopped = Named(
        STOPPED,
        required=True,
        allow_none=True,
        metadata={"description": "Why the server no longer sends notices to the browser. `null` if it still does."},
    )


class PushNoticesSchema(Schema):
    """The notices that your browsers show."""

    key = fields.String(
        required=True,
        metadata={"description": "The server's public key, which a browser needs as `applicationServerKey`."},
    )
    events = _events()
    browsers = fields.List(
        fields.Nested(BrowserSchema), required=True, metadata={"description": "Your browsers, oldest first."}
    )


class ChatSchema(Schema):
    """A webhook that sends you sentences instead of JSON. Change this webhook with `PATCH /v1/webhooks/{id}`."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    format = Named(WEBHOOK_FORMAT, required=True, metadata={"description": "The kind of chat."})
    events = fields.List(
        Named(EVENT_TYPE, list(KINDS)),
        required=True,
        metadata={"description": "The types of event that the server sends to the webhook."},
    )
    active = fields.Boolean(
        required=True, metadata={"description": "Whether the webhook is active. If `false`, the server sends nothing."}
    )
    verified_at = nullable_milliseconds(
        "When you confirmed the chat with the code",
        "you have not confirmed the chat yet; until you do, the server sends only the code to it",
    )
    failing_since = nullable_milliseconds(
        "When the current series of failed attempts began", "the last attempt succeeded"
    )


class NoticesSchema(Schema):
    """The notices that the server sends you by e-mail and to your browsers."""

    email = fields.Nested(EmailNoticesSchema, required=True, metadata={"description": "Your notices by e-mail."})
    push = fields.Nested(
        PushNoticesSchema, required=True, metadata={"description": "The notices that your browsers show."}
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
        metadata={
            "description": "Your e-mail address. It may contain only ASCII characters.",
            "example": "caterina@example.org",
        },
    )


class AddressCodeSchema(Schema):
    """The code that confirms your e-mail address."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The code from the e-mail that the server sent you.", "example": "K7QM-3XRT"},
    )


class BrowserKeysSchema(Schema):
    """The keys of a browser's push subscription."""

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
    """The `endpoint` and `keys` members of a browser's `PushSubscription`, and a name for the browser."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, MAX_ENDPOINT),
        metadata={
            "description": "The push URL of the browser. The URL must begin with https:// and have a public address."
        },
    )
    keys = fields.Nested(
        BrowserKeysSchema, required=True, metadata={"description": "The keys of the browser's push subscription."}
    )
    name = fields.String(
        load_default="",
        validate=validate.Length(max=60),
        metadata={
            "description": "A name that helps you recognise the browser. The default is an empty name.",
            "example": "Firefox on my laptop",
        },
    )
