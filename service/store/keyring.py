"""The keyring: values derived from the server's secret keys (`CONDOTTIERE_SECRET_KEYS`).

The keys are not in the store. Without the keys, a stolen copy of the store is of little use. A thief who does not have
the keys cannot check guessed tokens against the stored hashes, replace those hashes with other valid ones, read webhook
secrets, or derive a token from an Idempotency-Key.

The first key is the current key, with which all new data are written. The server uses the later keys only to read data
that were written with these keys. Without any key, hashes are plain SHA-256 and secrets are stored without encryption,
as in release 0.3.0.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from functools import cached_property

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SEALED = "sealed:"
"""The first characters of an encrypted text."""
NONCE_BYTES = 12


class Unreadable(Exception):
    """A string was encrypted with a key that the server does not have, or was changed after it was encrypted."""


class _Key:
    """The values that are derived from one secret key."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.id = self._derive("id")[:6].hex()
        self.hashing = self._derive("tokens")
        self.mixing = self._derive("idempotency")

    @cached_property
    def cipher(self) -> AESGCM:
        return AESGCM(self._derive("secrets"))

    def _derive(self, purpose: str) -> bytes:
        return HKDF(SHA256(), 32, salt=b"condottiere", info=purpose.encode()).derive(self._secret)


class Keyring:
    """The keys, in the order of the setting. The `repr` reveals nothing about the keys."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        """Use these secret keys, each of 32 bytes or more. Without keys, nothing is encrypted."""
        self._keys = [_Key(key) for key in keys]

    def __bool__(self) -> bool:
        """Return whether there is a key."""
        return bool(self._keys)

    @property
    def current(self) -> str:
        """The id of the current key, or "" if there is no key. The id reveals nothing about the key."""
        return self._keys[0].id if self._keys else ""

    def hashes(self, digest: str) -> list[str]:
        """Return a digest's hash with each key, current key first, followed by the digest itself (SHA-256 in hex).

        >>> Keyring().hashes("00ff")
        ['00ff']
        """
        if not self._keys:
            return [digest]
        data = bytes.fromhex(digest)
        return [*[hmac.digest(key.hashing, data, "sha256").hex() for key in self._keys], digest]

    def mix(self, key_id: str, root: bytes) -> bytes | None:
        """Return 32 bytes derived from `root` and the key with this id, or None if the server does not have the key.

        If `key_id` is "", return `root` unchanged.
        """
        if not key_id:
            return root
        key = self._find(key_id)
        return None if key is None else hmac.digest(key.mixing, root, "sha256")

    def seal(self, text: str, purpose: str) -> str:
        """Return a string encrypted with the current key, or unchanged if there is no key.

        `purpose` names the webhook or player to which the string belongs. `open` needs the same purpose to decrypt the
        string.
        """
        if not self._keys:
            return text
        key, nonce = self._keys[0], secrets.token_bytes(NONCE_BYTES)
        data = nonce + key.cipher.encrypt(nonce, text.encode(), purpose.encode())
        return f"{SEALED}{key.id}:{base64.b64encode(data).decode()}"

    def open(self, text: str, purpose: str) -> str:
        """Decrypt a string that `seal` encrypted, and return any other string unchanged. Raises: Unreadable."""
        if not text.startswith(SEALED):
            return text
        key_id, _, encoded = text.removeprefix(SEALED).partition(":")
        key = self._find(key_id)
        if key is None:
            raise Unreadable(f"it is encrypted with key {key_id}, which CONDOTTIERE_SECRET_KEYS does not contain")
        try:
            data = base64.b64decode(encoded, validate=True)
            return key.cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], purpose.encode()).decode()
        except (InvalidTag, binascii.Error, ValueError) as error:
            raise Unreadable("it was changed after it was encrypted") from error

    def is_current(self, text: str) -> bool:
        """Return whether a stored string already has the form that `seal` would give it now."""
        return text.startswith(f"{SEALED}{self.current}:") if self._keys else not text.startswith(SEALED)

    def has(self, key_id: str) -> bool:
        """Return whether the server has the key with this id."""
        return self._find(key_id) is not None

    def _find(self, key_id: str) -> _Key | None:
        return next((key for key in self._keys if key.id == key_id), None)


def encrypt(key: bytes, data: bytes) -> bytes:
    """Encrypt bytes with a 32-byte key, and return the result."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, data, None)


def decrypt(key: bytes, data: bytes) -> bytes:
    """Decrypt the bytes that `encrypt` returned for the same key. Raises: Unreadable."""
    try:
        return AESGCM(key).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], None)
    except (InvalidTag, ValueError) as error:
        raise Unreadable("it was encrypted with another key, or changed") from error


def sha256(text: str) -> str:
    """Return the SHA-256 of a string in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
