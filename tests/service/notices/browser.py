"""A browser's subscription, as its push service and the browser see it: it decrypts notifications."""

from __future__ import annotations

import json

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.notices.web_push import BrowserKeys, decode, encode, public_bytes

from ..api.conftest import Json
from ..webhooks.sink import Received


class Browser:
    """A subscription with its own keys."""

    def __init__(self) -> None:
        """Create the keys."""
        self._key = generate_private_key(SECP256R1())
        self._auth = bytes(range(16))
        self.keys = BrowserKeys(encode(public_bytes(self._key)), encode(self._auth))

    def subscription(self, endpoint: str, name: str = "Firefox") -> Json:
        """Return the subscription in the form in which a page sends it."""
        return {"endpoint": endpoint, "keys": self.keys._asdict(), "name": name}

    def read(self, body: bytes) -> Json:
        """Decrypt a notification (RFC 8291, 3.4) with code that is independent of the service."""
        salt, length = body[:16], body[20]
        sender, ciphertext = body[21 : 21 + length], body[21 + length :]
        assert int.from_bytes(body[16:20], "big") >= len(ciphertext)
        shared = self._key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender))
        info = b"WebPush: info\x00" + public_bytes(self._key) + sender
        material = HKDF(SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(material)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(material)
        padded = AESGCM(key).decrypt(nonce, ciphertext, None)
        assert padded.endswith(b"\x02")
        found: Json = json.loads(padded[:-1])
        return found


def claims_of(received: Received, public_key: str) -> Json:
    """Return the claims of a request's token, after verifying its signature with the service's public key."""
    scheme, _, rest = received.headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = decode(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode(public_key))
    key.verify(der, f"{head}.{claims}".encode(), ECDSA(SHA256()))
    found: Json = json.loads(decode(claims))
    return found
