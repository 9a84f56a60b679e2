"""Addresses: the address of a client behind trusted proxies, and the network whose requests are counted together.

The module reads only `X-Forwarded-For`, which proxies usually set, and ignores `Forwarded` (RFC 7239).
"""

from __future__ import annotations

import logging
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from ..config import Networks

_logger = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address

REMEMBERED = 4096
"""The maximum number of clients that a process caches."""
LONGEST = 64
"""The maximum length of an address with its scope, in characters.

A longer text is never parsed as an address, and a client with a longer `X-Forwarded-For` is not cached.
"""
IPV6_PREFIX = 64
"""The number of leading bits that identify the network of an IPv6 address. A provider gives each customer a whole /64
or more."""


def client_address(peer: str, forwarded_for: str, trusted: Networks) -> str:
    """Return the address of the client whose request came from `peer`, the other end of the connection.

    If `peer` is in a trusted network, the client's address is the rightmost address in `X-Forwarded-For` that is not in
    a trusted network. If all addresses are trusted, the client's address is the leftmost address. Only entries added by
    trusted proxies count. If an entry is not an address, all entries to its left are ignored, and the address to its
    right is returned. Returns `peer` unchanged if it is not an address, for example if the connection is a Unix socket.

    >>> from ipaddress import ip_network
    >>> client_address("10.0.0.1", "192.0.2.7, 198.51.100.2, 10.0.0.9", (ip_network("10.0.0.0/8"),))
    '198.51.100.2'
    """
    address = _parse(peer)
    if address is None:
        return peer
    entries = forwarded_for.split(",") if forwarded_for else []
    while entries and _is_in(address, trusted):
        reported = _parse(_without_port(entries.pop().strip()))
        if reported is None:
            break
        address = reported
    return str(address)


class Client(NamedTuple):
    """A client: its address, and the name of its network. Requests from one network are counted together."""

    address: str
    network: str


class Clients:
    """Finds the clients behind trusted proxies, and caches each client by `peer` and `X-Forwarded-For`."""

    def __init__(self, trusted: Networks, *, warns: bool = False) -> None:
        """Trust proxies in these networks.

        If `warns` is true and `trusted` is empty, log a warning for the first request that seems to have come through a
        proxy.
        """
        self._trusted = trusted
        self._warns = warns and not trusted
        self._clients: dict[tuple[str, str], Client] = {}

    def client(self, peer: str, forwarded_for: str) -> Client:
        """Return a request's client. `client_address` determines the client's address."""
        if not self._trusted:
            if self._warns and forwarded_for:
                self._warn(peer)
            forwarded_for = ""
        client = self._clients.get((peer, forwarded_for))
        if client is None:
            address = client_address(peer, forwarded_for, self._trusted)
            client = Client(address, network_of(address))
            if len(forwarded_for) <= LONGEST:
                if len(self._clients) >= REMEMBERED:
                    self._clients.clear()
                self._clients[peer, forwarded_for] = client
        return client

    def _warn(self, peer: str) -> None:
        address = _parse(peer)
        if address is not None and address.is_private:
            self._warns = False
            _logger.warning(
                "a request from %s has an X-Forwarded-For header: if this address is your proxy, set TRUSTED_PROXIES; "
                "otherwise all its clients count as one address",
                peer,
            )


def is_trusted(address: str, trusted: Networks) -> bool:
    """Return whether an address is in a trusted network."""
    parsed = _parse(address)
    return parsed is not None and _is_in(parsed, trusted)


@lru_cache(REMEMBERED)
def network_of(address: str) -> str:
    """Return the name of an address's network. Requests from one network are counted together.

    The network of an IPv6 address is its /64 network. Any other address counts as a separate network.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("")
    ('2001:db8:1:2::/64', '192.0.2.7', '')
    """
    parsed = _parse(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed), IPV6_PREFIX), strict=False))
    return address if parsed is None else str(parsed)


def _parse(text: str) -> Address | None:
    """Parse a string as an address, or return None if it is not one.

    An IPv4-mapped address is returned as IPv4.
    """
    if len(text) > LONGEST:
        return None
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        # The scope (%eth0) of a link-local address names an interface, not another client.
        return address.ipv4_mapped or IPv6Address(int(address))
    return address


def _without_port(entry: str) -> str:
    """Return an entry without the port that some proxies add, and without the brackets of an IPv6 address."""
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    return entry.partition(":")[0] if entry.count(":") == 1 else entry


def _is_in(address: Address, networks: Networks) -> bool:
    return any(address in network for network in networks)
