"""The server's secret: 32 random bytes from which ids, tokens and the keys of claims are derived.

The first process that reads the secret creates it, and the secret never changes. Anybody who has the secret and an
Idempotency-Key can derive the ids and tokens that the service derives from them. The secret must therefore be protected
as carefully as game seeds.
"""

from __future__ import annotations

import secrets

from . import keys
from .connection import Server
from .errors import DamagedData

BYTES = 32


class Secret:
    """The server's secret. Each process reads the secret from the store once."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server
        self._secret = b""

    def read(self) -> bytes:
        """Return the secret. Takes one round trip the first time, then none.

        Raises: DamagedData if the secret has the wrong length (nothing may be derived from such a secret),
        StoreUnavailable.
        """
        if not self._secret:
            where = keys.of_shard(0, "secret")
            candidate = secrets.token_bytes(BYTES)
            _, secret = self._server.ask_all([("SET", where, candidate, "NX"), ("GET", where)])
            if len(secret) != BYTES:
                raise DamagedData(f"{where} does not contain {BYTES} bytes")
            self._secret = secret
        return self._secret
