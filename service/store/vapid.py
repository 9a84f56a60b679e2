"""VAPID: the key that the service uses to identify itself to the push services of browsers (RFC 8292).

The `deliver` process creates the key when it first starts, unless a web process has already needed the key and created
it. The key never changes, because browsers tie their subscriptions to it. If the server has a secret key, the store
holds the VAPID key in encrypted form.
"""

from __future__ import annotations

import base64
import secrets

from . import keys
from .connection import Server
from .errors import DamagedData
from .keyring import Keyring, Unreadable

FIELD = "private"
PURPOSE = "vapid"
BYTES = 32
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256. A private key is a number from 1 to `ORDER` - 1."""


class Vapid:
    """The private key. Each process reads the key from the store once."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to encrypt and decrypt the private key."""
        self._server = server
        self._keyring = keyring
        self._key: bytes | None = None

    def private_key(self) -> bytes:
        """Return the private key for the curve P-256: a number, encoded as 32 bytes.

        Takes one round trip the first time, then none. Raises: DamagedData if the key cannot be read, StoreUnavailable.
        """
        if self._key is None:
            where = keys.of_shard(0, "vapid")
            number = secrets.randbelow(ORDER - 1) + 1
            sealed = self._keyring.seal(base64.b64encode(number.to_bytes(BYTES, "big")).decode(), PURPOSE)
            _, stored = self._server.ask_all([("HSETNX", where, FIELD, sealed), ("HGET", where, FIELD)])
            self._key = self._open(where, stored.decode(errors="replace"))
        return self._key

    def _open(self, where: str, text: str) -> bytes:
        try:
            key = base64.b64decode(self._keyring.open(text, PURPOSE), validate=True)
        except (Unreadable, ValueError) as error:
            raise DamagedData(f"{where} does not contain a key that can be read") from error
        if len(key) != BYTES or not 0 < int.from_bytes(key, "big") < ORDER:
            raise DamagedData(f"{where} does not contain a private key")
        return key
