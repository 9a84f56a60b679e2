"""Which address belongs to a client, and under which name it is counted."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from service.config import Networks
from service.limits.addresses import REMEMBERED, Client, Clients, client_address, network_of

PROXIES: Networks = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"), ip_network("::1/128"))


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "client"),
    [
        # Without a proxy, the header is text from the client.
        ("192.0.2.7", "", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.2", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.2, 10.0.0.1", "192.0.2.7"),
        # One proxy, which appends its client's address to the header that the client sent.
        ("10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "198.51.100.2, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        # Several proxies.
        ("10.0.0.1", "192.0.2.7, 10.0.0.3, 10.0.0.2", "192.0.2.7"),
        ("10.0.0.1", "198.51.100.2,192.0.2.7,10.0.0.3", "192.0.2.7"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        # An entry is not an address: the proxy that passed it on is the last that can be trusted.
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "192.0.2.7, _hidden, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "192.0.2.7, , 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "192.0.2.7,", "10.0.0.1"),
        ("10.0.0.1", "192.0.2.300", "10.0.0.1"),
        ("10.0.0.1", "nonsense, 192.0.2.7", "192.0.2.7"),
        # Some proxies write addresses with ports and brackets.
        ("10.0.0.1", "192.0.2.7:4711", "192.0.2.7"),
        ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]", "2001:db8::7"),
        ("10.0.0.1", "2001:db8::7", "2001:db8::7"),
        # IPv6, and IPv4 over IPv6.
        ("2001:db8:ffff::1", "2001:db8::7", "2001:db8::7"),
        ("::ffff:10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "198.51.100.2", "192.0.2.7"),
        ("10.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "fe80::7%eth0", "fe80::7"),
        # A Unix socket has no address.
        ("", "192.0.2.7", ""),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_proxys(peer: str, forwarded_for: str, client: str) -> None:
    assert client_address(peer, forwarded_for, PROXIES) == client


def test_without_trusted_proxies_the_header_says_nothing() -> None:
    assert client_address("127.0.0.1", "192.0.2.7", ()) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_ipv6_counts_by_its_64_bits(address: str, counted: str) -> None:
    assert network_of(address) == counted


def test_a_process_remembers_clients_and_not_for_ever() -> None:
    """The same request gives the same client, and the memory is bounded for any number of headers."""
    clients = Clients(PROXIES)
    expected = Client("2001:db8:1:2::1", "2001:db8:1:2::/64")
    assert clients.client("10.0.0.1", "2001:db8:1:2::1") == clients.client("10.0.0.1", "2001:db8:1:2::1") == expected
    for number in range(2 * REMEMBERED):
        clients.client("10.0.0.1", f"unknown-{number}")
        clients.client("10.0.0.1", f"{number}{'x' * 8000}, 192.0.2.7")
    assert len(clients._clients) <= REMEMBERED
    assert Clients(()).client("10.0.0.1", "192.0.2.7") == Client("10.0.0.1", "10.0.0.1")


def test_a_proxy_that_is_not_trusted_is_noticed_once(caplog: pytest.LogCaptureFixture) -> None:
    """A sender on the internet is not one of the host's proxies."""
    clients = Clients((), warns=True)
    clients.client("93.184.215.14", "192.0.2.7")
    assert not caplog.records
    for _ in range(2):
        assert clients.client("127.0.0.1", "192.0.2.7").address == "127.0.0.1"
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "a request from 127.0.0.1 has an X-Forwarded-For header"
    ]
