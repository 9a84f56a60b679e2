"""Signatures, checked with the library that subscribers use."""

from __future__ import annotations

import base64
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.webhooks.signing import headers, is_secret, new_secret

BODY = b'{"type":"ping"}'


def now() -> int:
    """Return the time in seconds, as signatures contain it."""
    return int(time.time())


def test_a_delivery_is_signed_as_standard_webhooks_has_it() -> None:
    secret = new_secret()
    sent = headers("msg_1", now(), BODY, [secret])
    assert Webhook(secret).verify(BODY, sent) == {"type": "ping"}
    assert sent["webhook-id"] == "msg_1"


def test_while_two_secrets_are_in_force_each_of_them_will_do() -> None:
    fresh, old = new_secret(), new_secret()
    sent = headers("msg_1", now(), BODY, [fresh, old])
    for secret in (fresh, old):
        Webhook(secret).verify(BODY, sent)
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(BODY, sent)


@pytest.mark.parametrize("part", ["webhook-id", "webhook-timestamp", "body"])
def test_nothing_that_is_signed_can_be_changed(part: str) -> None:
    secret = new_secret()
    sent = headers("msg_1", now(), BODY, [secret])
    changed = {**sent, "webhook-id": "msg_2"} if part == "webhook-id" else sent
    changed = {**sent, "webhook-timestamp": str(now() + 1)} if part == "webhook-timestamp" else changed
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + b" " if part == "body" else BODY, changed)


@pytest.mark.parametrize("length", [24, 64])
def test_a_secret_of_ones_own_may_have_24_to_64_bytes(length: int) -> None:
    assert is_secret("whsec_" + base64.b64encode(b"x" * length).decode())


@pytest.mark.parametrize(
    "secret", ["", "whsec_", "whsec_!", "whsec_" + "A" * 28, base64.b64encode(b"x" * 32).decode(), "whsec_" + "A" * 92]
)
def test_other_secrets_are_none(secret: str) -> None:
    assert not is_secret(secret)


def test_no_two_secrets_are_alike() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
