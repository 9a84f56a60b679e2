"""The server's secret: 32 random bytes from which ids, tokens and names of records are derived.

It is made once, by whoever asks first, and never changes. Whoever has it and an Idempotency-Key has what was derived
from both, so it is as secret as the seeds of games.
"""

from __future__ import annotations

import secrets

from . import keys
from .connection import Server
from .errors import DamagedData

BYTES = 32


class Secret:
    """The secret, read once by each process."""

    def __init__(self, server: Server) -> None:
        """Take the server that keeps it."""
        self._server = server
        self._read = b""

    def read(self) -> bytes:
        """Return the secret; one round trip the first time, none after that.

        Raises: DamagedData where it is damaged: nothing may be derived from it then, StoreUnavailable.
        """
        if not self._read:
            where = keys.of_shard(0, "secret")
            offered = secrets.token_bytes(BYTES)
            _, found = self._server.ask_all([("SET", where, offered, "NX"), ("GET", where)])
            if len(found) != BYTES:
                raise DamagedData(f"{where} does not hold {BYTES} bytes")
            self._read = found
        return self._read
