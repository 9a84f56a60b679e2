"""Sealing: encrypts all secrets that are not yet encrypted with the current secret key.

The secrets are webhook secrets, the key for push services, and hashes of recovery codes. A secret may have been stored
without encryption, or encrypted with an earlier key. Hashes of tokens are not changed here, because a hash cannot be
computed without the token. Each token gets its new hash when it is next used.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

import orjson

from . import keys, vapid
from .connection import Server
from .errors import DamagedData
from .indexes import Indexes, family_of, name_in
from .keyring import Keyring, Unreadable
from .lua import script
from .players import recovery_purpose
from .webhooks import secret_purpose

REPLACE_FIELD = script("replace_field")

_logger = logging.getLogger(__name__)


class Sealing:
    """The encrypted data of all shards.

    After the current key has changed, all encrypted data must be re-encrypted. The store records which key was used.
    """

    def __init__(self, server: Server, keyring: Keyring, indexes: Indexes) -> None:
        """Encrypt data on this server with the current key of `keyring`. `indexes` finds the keys of a shard."""
        self._server = server
        self._keyring = keyring
        self._indexes = indexes

    def is_done(self) -> bool:
        """Return True if everything is encrypted with the current key, or if there is no key. Takes one round trip."""
        return not self._keyring or self._key_of_store() == self._keyring.current

    def missing_key(self) -> str | None:
        """If the keyring lacks the key with which the store is encrypted, return that key's id, otherwise None.

        Also returns None if nothing is encrypted. Takes one round trip. Raises: StoreError.
        """
        key_id = self._key_of_store()
        return None if not key_id or self._keyring.has(key_id) else key_id

    def _key_of_store(self) -> str:
        stored = self._server.ask("GET", keys.of_shard(0, "sealed"))
        return "" if stored is None else str(stored.decode(errors="replace"))

    def note_done(self) -> None:
        """Record that everything is encrypted with the current key. Takes one round trip."""
        self._server.ask("SET", keys.of_shard(0, "sealed"), self._keyring.current)

    def seal_shard(self, shard: int) -> int:
        """Encrypt a shard's secrets, and return how many values were encrypted. The call can be repeated at any time.

        Takes about one round trip per thousand keys on the server, one for each webhook and player, and one for each
        value that changes. If a value cannot be read, log the failure, and leave the value unchanged. Raises:
        StoreError.
        """
        changed = 0
        for key in self._indexes.names_of(shard):
            kind, name = family_of(key), name_in(key)
            if kind == "webhook" and keys.is_webhook_id(name):
                changed += self._seal_field(key, "secrets", partial(self._seal_secrets, name))
            elif kind == "vapid" and not name:
                changed += self._seal_field(key, vapid.FIELD, self._seal_vapid)
            elif kind == "player" and keys.is_player_id(name):
                changed += self._seal_field(key, "recovery", partial(self._seal_recovery, name))
        return changed

    def _seal_field(self, key: str, field: str, seal: Callable[[str], str]) -> int:
        """Encrypt a field of a hash. Return 1 if the field changed, otherwise 0."""
        try:
            (before,) = self._server.ask("HMGET", key, field)
            after = None if before is None else seal(before.decode())
        except (DamagedData, Unreadable, TypeError, ValueError) as error:
            _logger.warning("cannot encrypt the value of Redis key %s: %s", key, error)
            return 0
        if before is None or after == before.decode():
            return 0
        return int(self._server.run(REPLACE_FIELD, [key], [field, before, after]))

    def _seal_secrets(self, webhook_id: str, text: str) -> str:
        secrets = orjson.loads(text)
        purpose = secret_purpose(webhook_id)
        after = [[self._seal(secret, purpose), until] for secret, until in secrets]
        return text if after == secrets else orjson.dumps(after).decode()

    def _seal_recovery(self, player_id: str, text: str) -> str:
        return self._seal(text, recovery_purpose(player_id))

    def _seal_vapid(self, text: str) -> str:
        return self._seal(text, vapid.PURPOSE)

    def _seal(self, text: str, purpose: str) -> str:
        if self._keyring.is_current(text):
            return text
        return self._keyring.seal(self._keyring.open(text, purpose), purpose)
