"""Web Push: encrypted notifications for browsers, and the headers that the browsers' push services require.

Sources: RFC 8030 (headers), RFC 8188 and RFC 8291 (encryption), RFC 8292 (VAPID).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import orjson
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
"""The lengths of a public key (uncompressed), of a browser's authentication secret and of a salt."""
RECORD_SIZE = 4096
"""The size of an encrypted record, in bytes. A notification consists of one record."""
LONGEST = 3_000
"""The maximum number of bytes in a notification, so that it fits into one record."""
TOKEN_SECONDS = 12 * 3600
"""Seconds for which a VAPID token is valid. RFC 8292 allows up to a day."""


class BrowserKeys(NamedTuple):
    """The keys of a browser's subscription: its public key `p256dh`, and the secret `auth`, both in base64url."""

    p256dh: str
    auth: str


def are_keys(keys: BrowserKeys) -> bool:
    """Return whether notifications can be encrypted with a browser's keys.

    >>> are_keys(BrowserKeys("BA", "AA"))
    False
    """
    try:
        _public_key(decode(keys.p256dh))
        return len(decode(keys.auth)) == AUTH_BYTES
    except ValueError:
        return False


def encrypt(
    plaintext: bytes, keys: BrowserKeys, salt: bytes | None = None, own: EllipticCurvePrivateKey | None = None
) -> bytes:
    """Return a notification that only this browser can decrypt, as a request body encoded with `aes128gcm`.

    `salt` and the key `own` are random unless a test supplies them. Raises: ValueError if the keys are not valid.
    """
    salt, own = salt or secrets.token_bytes(SALT_BYTES), own or generate_private_key(SECP256R1())
    receiver, sender = decode(keys.p256dh), public_bytes(own)
    shared = own.exchange(ECDH(), _public_key(receiver))
    info = b"WebPush: info\0" + receiver + sender
    material = _expand(hmac.digest(decode(keys.auth), shared, "sha256"), info)
    extracted = hmac.digest(salt, material, "sha256")
    key = _expand(extracted, b"Content-Encoding: aes128gcm\0")[:16]
    nonce = _expand(extracted, b"Content-Encoding: nonce\0")[:12]
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, plaintext + b"\x02", None)


def headers(endpoint: str, private_key: bytes, contact: str, topic: str, seconds: int, now: int) -> dict[str, str]:
    """Return the headers of a request to a browser's push service.

    `contact` is a URL at which the push service can reach the host, or "". A later notification with the same `topic`
    replaces an earlier notification that the browser has not received. `seconds` is how long the push service keeps the
    notification, and `now` is the time in seconds since the epoch.
    """
    return {
        "authorization": authorization(endpoint, private_key, contact, now),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(seconds),
        "topic": encode(hashlib.sha256(topic.encode()).digest()[:18]),
        "urgency": "normal",
    }


def authorization(endpoint: str, private_key: bytes, contact: str, now: int) -> str:
    """Return the Authorization header's value, which identifies this service to a push service."""
    target = urlsplit(endpoint)
    claims: dict[str, str | int] = {"aud": f"{target.scheme}://{target.netloc}", "exp": now + TOKEN_SECONDS}
    if contact:
        claims["sub"] = contact
    key = _private_key(private_key)
    signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
    first, second = decode_dss_signature(key.sign(signed.encode(), ECDSA(SHA256())))
    signature = first.to_bytes(32, "big") + second.to_bytes(32, "big")
    return f"vapid t={signed}.{encode(signature)}, k={encode(public_bytes(key))}"


def public_key_of(private_key: bytes) -> str:
    """Return the public key for a 32-byte private key, in base64url, as browsers expect it."""
    return encode(public_bytes(_private_key(private_key)))


def public_bytes(key: EllipticCurvePrivateKey) -> bytes:
    """Return the uncompressed public key of a private key."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encode(data: bytes) -> str:
    """Encode bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Decode a string from base64url, with or without padding. Raises: ValueError."""
    stripped = text.rstrip("=")
    try:
        return base64.b64decode(stripped + "=" * (-len(stripped) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64url") from error


def _private_key(data: bytes) -> EllipticCurvePrivateKey:
    return derive_private_key(int.from_bytes(data, "big"), SECP256R1())


def _public_key(data: bytes) -> PublicKey:
    """Load a public key from its uncompressed form.

    Raises: ValueError, for example if the point is not on the curve.
    """
    if len(data) != KEY_BYTES:
        raise ValueError("not an uncompressed public key")
    return PublicKey.from_encoded_point(SECP256R1(), data)


def _expand(key: bytes, info: bytes) -> bytes:
    """Return the first block of HKDF's expansion (RFC 5869), which is all that Web Push needs."""
    return hmac.digest(key, info + b"\x01", "sha256")


def _json(value: Mapping[str, str | int]) -> str:
    return encode(orjson.dumps(value))
