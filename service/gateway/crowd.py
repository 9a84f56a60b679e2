"""The crowd: the open connections of a process. The process limits how many connections one address may have."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..config import Networks
from ..limits.addresses import is_trusted, network_of

OF_ONE_ADDRESS = 1000
"""The maximum number of connections from one address: more than the default of MAX_WAITS_PER_ADDRESS, but only a small
part of all connections that a process may have."""


LARGE_BODIES = 4
"""The maximum number of records that the process reads at the same time. All bodies together then take at most 16 MB.
"""


class Crowd:
    """The open connections, each with the name of the client's network. Only the event loop uses this object."""

    def __init__(self, most: int, of_one_address: int | None = None, proxies: Networks = ()) -> None:
        """Allow up to `most` connections in total.

        Allow `of_one_address` connections from each address that is not a proxy (None: any number).
        """
        self._most = most
        self._of_one_address = of_one_address
        self._proxies = proxies
        self._networks: dict[asyncio.Transport, str] = {}
        self._counts: Counter[str] = Counter()
        self._large_bodies = 0

    def add(self, transport: asyncio.Transport) -> bool:
        """Add a connection. Return False if there are too many connections."""
        peer = transport.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        network = network_of(address)
        self._networks[transport] = network
        self._counts[network] += 1
        most = None if not address or is_trusted(address, self._proxies) else self._of_one_address
        return len(self._networks) <= self._most and (most is None or self._counts[network] <= most)

    def remove(self, transport: asyncio.Transport) -> None:
        """Remove a connection that has ended."""
        network = self._networks.pop(transport, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    @contextmanager
    def large_body(self) -> Iterator[bool]:
        """Count a large body while the block reads it.

        Yield False if too many large bodies are already being read.
        """
        self._large_bodies += 1
        try:
            yield self._large_bodies <= LARGE_BODIES
        finally:
            self._large_bodies -= 1

    def __iter__(self) -> Iterator[asyncio.Transport]:
        return iter(self._networks)

    def __len__(self) -> int:
        return len(self._networks)
