"""The crowd: the open connections of a process, and how many of them one address may have."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..config import Networks
from ..limits.addresses import is_trusted, network_of

OF_ONE_ADDRESS = 1000
"""Connections that one address may have: more than its long polls and streams, but a small part of a process's."""


LARGE_BODIES = 4
"""The maximum number of records that the process reads at once; their bodies are large, at most 16 MB together."""


class Crowd:
    """The open connections, each with the name of the network that it comes from. Only the loop uses it."""

    def __init__(self, most: int, of_one_address: int | None = None, proxies: Networks = ()) -> None:
        """Allow `most` connections, and `of_one_address` (None: no limit) from each address except a proxy's."""
        self._most = most
        self._of_one_address = of_one_address
        self._proxies = proxies
        self._networks: dict[asyncio.Transport, str] = {}
        self._counts: Counter[str] = Counter()
        self._large_bodies = 0

    def add(self, transport: asyncio.Transport) -> bool:
        """Add a connection; return False if it must be refused because there are too many."""
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
        """Within the block, read a large body; yield False if too many are being read already."""
        self._large_bodies += 1
        try:
            yield self._large_bodies <= LARGE_BODIES
        finally:
            self._large_bodies -= 1

    def __iter__(self) -> Iterator[asyncio.Transport]:
        """Iterate over the connections."""
        return iter(self._networks)

    def __len__(self) -> int:
        """Return how many connections there are."""
        return len(self._networks)
