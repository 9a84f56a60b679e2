"""Signatures of deliveries, as Standard Webhooks 1.0 has them (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Iterable

PREFIX = "whsec_"
BYTES = 32
FEWEST, MOST = 24, 64
"""How many bytes a secret may have, by the specification."""


def new_secret() -> str:
    """Return a new secret: `whsec_` and 32 random bytes in base 64."""
    return secret_of(secrets.token_bytes(BYTES))


def secret_of(data: bytes) -> str:
    """Return the secret that holds some bytes."""
    return PREFIX + base64.b64encode(data).decode()


def is_secret(text: str) -> bool:
    """Tell whether a text may be a secret.

    >>> is_secret("whsec_" + "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"), is_secret("whsec_c2hvcnQ=")
    (True, False)
    """
    try:
        return text.startswith(PREFIX) and FEWEST <= len(_bytes(text)) <= MOST
    except (binascii.Error, ValueError):
        return False


def headers(message: str, timestamp: int, body: bytes, secrets_in_force: Iterable[str]) -> dict[str, str]:
    """Return the headers that say which message this is, when it was sent (s since the epoch), and who signed it."""
    signed = b"%b.%d.%b" % (message.encode(), timestamp, body)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(secret, signed) for secret in secrets_in_force),
    }


def _signature(secret: str, signed: bytes) -> str:
    return "v1," + base64.b64encode(hmac.digest(_bytes(secret), signed, hashlib.sha256)).decode()


def _bytes(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
