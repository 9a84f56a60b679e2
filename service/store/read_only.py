"""Read-only mode: no data are written while the host upgrades the service or examines its data.

To close a shard, the host sets a key in it. The value of this key is the time at which read-only mode began (ms since
the epoch). Scripts that write include `gate.lua`, which stops the script if the shard is closed. Only three kinds of
script still run: scripts that only read, scripts that record that a process is running, and the host's scripts.

Every period of read-only mode, however short, counts as an outage (`presence`), so no player's time runs out during
this period.
"""

from __future__ import annotations

from . import keys
from .connection import Server
from .lua import script
from .presence import MAX_OUTAGES

END = script("end_read_only", when_read_only=True)


class ReadOnly:
    """Read-only mode of all shards."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def begin(self, now: int) -> None:
        """Close every shard. Once this method has returned, no process writes game data. Takes one round trip.

        If a shard is already closed, its key keeps the earlier time. Raises: StoreError.
        """
        self._server.ask_all([("SET", key_of(shard), now, "NX") for shard in range(keys.SHARDS)])

    def end(self, now: int) -> None:
        """Record the period of read-only mode as an outage, and then open all shards. Takes three round trips.

        The first shard is opened last.

        If this call is interrupted, read-only mode stays on, and the call can be repeated. Raises: StoreError.
        """
        where = [key_of(0), keys.of_shard(0, "presence"), keys.of_shard(0, "outages")]
        self._server.run(END, where, [now, MAX_OUTAGES])
        self._server.ask_all([("DEL", key_of(shard)) for shard in range(1, keys.SHARDS)])
        self._server.ask("DEL", key_of(0))


def key_of(shard: int) -> str:
    """Return the key that exists while a shard is read-only."""
    return keys.of_shard(shard, "closed")
