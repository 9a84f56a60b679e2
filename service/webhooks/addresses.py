"""Addresses: checks endpoints, so that nobody can make the service send requests into a private network.

This module defines which addresses are public, following IANA's registries, because the results of
`ipaddress.is_global` differ between Python releases.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from yarl import URL

from ..config import Networks as Networks

Address = IPv4Address | IPv6Address

LONGEST = 2_000
"""Maximum number of characters of a URL."""

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All unicast addresses that IANA has assigned (RFC 4291, 2.4).

All other addresses are local, reserved or translated.
"""
NAT64 = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that a translator turns into the IPv4 addresses in their last 32 bits (RFC 6052)."""
ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""The possible values of the 32 bits before the IPv4 address, in an IPv6 address that tunnels to this IPv4 address (RFC
5214, section 6.1)."""

SPECIAL = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this network, RFC 791
        "10.0.0.0/8",  # private, RFC 1918
        "100.64.0.0/10",  # behind a provider's NAT, RFC 6598
        "127.0.0.0/8",  # loopback, RFC 1122
        "169.254.0.0/16",  # link-local, RFC 3927
        "172.16.0.0/12",  # private, RFC 1918
        "192.0.0.0/24",  # protocol assignments, RFC 6890
        "192.0.2.0/24",  # documentation, RFC 5737
        "192.31.196.0/24",  # AS112, RFC 7535
        "192.52.193.0/24",  # AMT, RFC 7450
        "192.88.99.0/24",  # 6to4 relays, RFC 7526
        "192.168.0.0/16",  # private, RFC 1918
        "192.175.48.0/24",  # AS112, RFC 7534
        "198.18.0.0/15",  # benchmarks, RFC 2544
        "198.51.100.0/24",  # documentation, RFC 5737
        "203.0.113.0/24",  # documentation, RFC 5737
        "224.0.0.0/4",  # multicast, RFC 5771
        "240.0.0.0/4",  # reserved, and broadcast, RFC 1112
        "2001::/23",  # protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID and others
        "2001:db8::/32",  # documentation, RFC 3849
        "2002::/16",  # 6to4, RFC 3056
        "2620:4f:8000::/48",  # AS112, RFC 7534
        "3fff::/20",  # documentation, RFC 9637
    )
)
"""Networks whose addresses are not public. IPv6 networks outside GLOBAL_UNICAST are not listed."""

METADATA = frozenset(
    ip_address(text)
    for text in (
        "168.63.129.16",  # Azure, in a public network
        "169.254.169.254",  # nearly all clouds
        "169.254.170.2",  # AWS, container roles
        "169.254.170.23",  # AWS, roles of pods
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle
        "fd00:ec2::23",  # AWS, roles of pods
        "fd00:ec2::254",  # AWS
        "fd20:ce::254",  # Google
    )
)
"""Addresses of cloud metadata services, which reveal secrets. The service refuses these addresses even in networks that
the operator allows.
"""

LOOPBACK = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

_CHARACTERS = re.compile(r"[^\s\\]+")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
# All URL parsers read URLs of this form in the same way: a host, optionally a port in plain digits, and optionally a
# path or a query.
_SHAPE = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[^][/?#@:%]+)(?::[0-9]{1,5})?(?:[/?].*)?", re.IGNORECASE)
# Some software parses a host that ends in a number as an IPv4 address, even if the number is octal or hexadecimal, or
# if the address has fewer than four parts (WHATWG URL, 3.5).
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")


class BadAddress(ValueError):
    """A URL is not a valid endpoint. The message says what is wrong and what to do."""


class RefusedAddress(BadAddress):
    """A URL or a host name is well formed, but the service does not send requests to its address."""


def check_url(url: str, networks: Networks) -> URL:
    """Return an endpoint's URL in the form used for requests, without resolving names.

    Plain http is allowed for an address in `networks`. If `networks` is not empty, plain http is also allowed for a
    host name, because the host's addresses are checked when a request is sent. Raises: BadAddress.

    >>> check_url("https://Example.com/turns?bot=1", ())
    URL('https://example.com/turns?bot=1')
    """
    _check_text(url)
    try:
        parsed = URL(url)
    except ValueError as error:
        raise BadAddress("not a valid URL; write it like https://example.com/path") from error
    if parsed.port == 0:
        raise BadAddress("0 is not a valid port; use a port from 1 to 65535, or leave out the port")
    host = parsed.raw_host or ""
    if ":" in host or _NUMBER.fullmatch(host):
        _check_literal(host, parsed.scheme, networks)
    else:
        _check_name(host, parsed.scheme, networks)
    return parsed


def is_allowed(address: Address, networks: Networks) -> bool:
    """Return whether deliveries may go to an address: the address must be public unicast, or inside `networks`.

    >>> is_allowed(ip_address("9.9.9.9"), ()), is_allowed(ip_address("::ffff:127.0.0.1"), ())
    (True, False)
    """
    return is_inside(address, networks) or _is_public(_canonical(address))


def is_inside(address: Address, networks: Networks) -> bool:
    """Return whether an address is in a network that the operator allows, and does not belong to a metadata service."""
    canonical = _canonical(address)
    return canonical not in METADATA and any(canonical in network for network in networks)


def _is_public(address: Address) -> bool:
    if address in NAT64:
        return _is_public(_embedded_ipv4(address))
    if isinstance(address, IPv6Address) and (
        address not in GLOBAL_UNICAST or int(address) >> 32 & 0xFFFF_FFFF in ISATAP
    ):
        return False
    return address not in METADATA and not any(address in network for network in SPECIAL)


def _canonical(address: Address) -> Address:
    """Return an address without its zone. Convert an IPv4-mapped IPv6 address to IPv4 (RFC 4291, section 2.5.5.2)."""
    if isinstance(address, IPv4Address):
        return address
    return address.ipv4_mapped or IPv6Address(int(address))


def _embedded_ipv4(address: Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFF_FFFF)


def _check_text(url: str) -> None:
    """Reject a URL that two parsers could interpret in different ways. Raises: BadAddress."""
    if len(url) > LONGEST:
        raise BadAddress(f"must have at most {LONGEST} characters; shorten it")
    if not url.isprintable() or not _CHARACTERS.fullmatch(url):
        raise BadAddress("contains white space, a backslash or a control character; percent-encode it, as in %20")
    if not _SCHEME.match(url):
        raise BadAddress("not a web address; begin it with https://")
    if "#" in url:
        raise BadAddress("has a fragment, which would not be sent; remove # and everything after it")
    if not _SHAPE.fullmatch(url):
        raise BadAddress("only a host and a port may come before the path; write it like https://example.com:8443/path")


def _check_literal(host: str, scheme: str, networks: Networks) -> None:
    try:
        address = ip_address(host)
    except ValueError as error:
        raise BadAddress(
            "the host is not an IP address in its usual form; write it like 9.9.9.9 or [2620:fe::9]"
        ) from error
    if _canonical(address) in METADATA:
        raise RefusedAddress(
            "this is the address of a cloud metadata service, which is never allowed; use another endpoint"
        )
    if not is_allowed(address, networks):
        raise RefusedAddress(f"the address is not public; {_advice(address)}")
    if scheme == "http" and not is_inside(address, networks):
        raise RefusedAddress("http is allowed only for private networks that the operator allows; use https")


def _check_name(host: str, scheme: str, networks: Networks) -> None:
    if not _NAME.fullmatch(host):
        raise BadAddress(
            "the host is not a valid name; use labels of at most 63 letters, digits and hyphens, separated by dots"
        )
    loopback = host == "localhost" or host.endswith(".localhost")
    if loopback and not any(is_inside(address, networks) for address in LOOPBACK):
        raise RefusedAddress(f"{host} is a loopback name, which is not allowed; {_advice(LOOPBACK[0])}")
    if scheme == "http" and not networks:
        raise RefusedAddress(f"http is allowed only for private networks; {_advice(LOOPBACK[0])}")


def _advice(address: Address) -> str:
    """Return advice on how to fix an endpoint whose address is not public."""
    canonical = _canonical(address)
    networks = "127.0.0.0/8,::1/128" if canonical.is_loopback else ip_network(canonical)
    return (
        "use an https endpoint that can be reached from the internet; for development, ask the operator of this "
        f"service to allow private networks, even over http, with WEBHOOK_NETWORKS={networks}"
    )
