"""Delivery signatures, according to Standard Webhooks 1.0 (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Iterable

PREFIX = "whsec_"
BYTES = 32
MIN_BYTES, MAX_BYTES = 24, 64
"""The minimum and maximum number of bytes of a secret, according to the specification."""


def new_secret() -> str:
    """Return a new secret: `whsec_` and 32 random bytes in base 64."""
    return secret_of(secrets.token_bytes(BYTES))


def secret_of(data: bytes) -> str:
    """Return these bytes encoded as a secret."""
    return PREFIX + base64.b64encode(data).decode()


def is_secret(text: str) -> bool:
    """Return whether a string is a valid secret.

    >>> is_secret("whsec_" + "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"), is_secret("whsec_c2hvcnQ=")
    (True, False)
    """
    try:
        return text.startswith(PREFIX) and MIN_BYTES <= len(_bytes(text)) <= MAX_BYTES
    except (binascii.Error, ValueError):
        return False


def headers(message: str, timestamp: int, body: bytes, secrets_in_force: Iterable[str]) -> dict[str, str]:
    """Return the headers that contain a message's id, its signatures, and the time at which it is sent (`timestamp`, in
    s since the epoch).
    """
    content = b"%b.%d.%b" % (message.encode(), timestamp, body)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(secret, content) for secret in secrets_in_force),
    }


def _signature(secret: str, content: bytes) -> str:
    return "v1," + base64.b64encode(hmac.digest(_bytes(secret), content, hashlib.sha256)).decode()


def _bytes(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
