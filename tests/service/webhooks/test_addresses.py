"""Allowed endpoints: nothing that only this service can reach, however the address is spelt or disguised."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from AntiSSRF import IPAddressRanges

from service.webhooks.addresses import LONGEST, BadAddress, RefusedAddress, check_url, is_allowed, is_inside

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
EVERYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))

NOT_PUBLIC = {
    "this host": "0.0.0.0",
    "this network": "0.1.2.3",
    "loopback, as our own Redis": "127.0.0.1",
    "loopback, its last address": "127.255.255.254",
    "private, 10": "10.0.0.1",
    "private, 172.16": "172.16.0.1",
    "private, end of 172.16": "172.31.255.255",
    "private, 192.168": "192.168.1.1",
    "behind a provider's NAT": "100.64.0.1",
    "link-local": "169.254.1.1",
    "metadata of nearly all clouds": "169.254.169.254",
    "metadata of a container": "169.254.170.2",
    "metadata of Azure, in a public network": "168.63.129.16",
    "metadata of Alibaba": "100.100.100.200",
    "metadata of Oracle": "192.0.0.192",
    "protocol assignments": "192.0.0.8",
    "documentation 1": "192.0.2.1",
    "documentation 2": "198.51.100.1",
    "documentation 3": "203.0.113.1",
    "benchmarks": "198.18.0.1",
    "end of benchmarks": "198.19.255.255",
    "relay of 6to4": "192.88.99.1",
    "multicast": "224.0.0.1",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "unspecified": "::",
    "loopback in IPv6": "::1",
    "IPv4-mapped loopback": "::ffff:127.0.0.1",
    "IPv4-mapped metadata": "::ffff:169.254.169.254",
    "IPv4-mapped private": "::ffff:10.0.0.1",
    "IPv4-translated": "::ffff:0:127.0.0.1",
    "IPv4-compatible loopback": "::127.0.0.1",
    "IPv4-compatible public": "::9.9.9.9",
    "NAT64 of loopback": "64:ff9b::127.0.0.1",
    "NAT64 of metadata": "64:ff9b::169.254.169.254",
    "NAT64 of Azure's metadata": "64:ff9b::168.63.129.16",
    "NAT64 of a private network": "64:ff9b::10.0.0.1",
    "local NAT64": "64:ff9b:1::10.0.0.1",
    "local NAT64 of a public address": "64:ff9b:1::9.9.9.9",
    "6to4 of loopback": "2002:7f00:1::1",
    "6to4 of a private network": "2002:a00:1::1",
    "6to4 of a public address": "2002:909:909::1",
    "Teredo": "2001:0:909:909::1",
    "Teredo of loopback": "2001::80ff:fffe",
    "ISATAP of a private network": "2620:fe::5efe:10.0.0.1",
    "ISATAP, said to be universal": "2620:fe::200:5efe:10.0.0.1",
    "link-local in IPv6": "fe80::1",
    "link-local with a zone": "fe80::1%eth0",
    "site-local": "fec0::1",
    "unique local": "fd12:3456:789a::1",
    "metadata of AWS in IPv6": "fd00:ec2::254",
    "metadata of Google in IPv6": "fd20:ce::254",
    "multicast in IPv6": "ff02::1",
    "discard": "100::1",
    "benchmarks in IPv6": "2001:2::1",
    "documentation in IPv6": "2001:db8::1",
    "newer documentation in IPv6": "3fff::1",
    "segment routing": "5f00::1",
    "not given out": "4000::1",
}
"""Addresses that no delivery may reach, with a description of each."""

PUBLIC = ["9.9.9.9", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1"]
PUBLIC += ["169.253.0.1", "223.255.255.255", "168.63.129.17", "::ffff:9.9.9.9", "64:ff9b::9.9.9.9"]
PUBLIC += ["2620:fe::9", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450:4001::1", "2001:200::1"]

HOSTILE = {
    "nothing": "",
    "a path": "/hook",
    "a name": "example.com",
    "no scheme": "//example.com/hook",
    "plain http": "http://example.com/hook",
    "plain http to an address": "http://9.9.9.9/hook",
    "a file": "file:///etc/passwd",
    "Redis": "redis://example.com:6379/0",
    "gopher": "gopher://example.com:6379/_FLUSHALL",
    "a socket": "unix:///run/redis.sock",
    "script": "javascript:alert(1)",
    "no host": "https:///hook",
    "no host but a port": "https://:443/hook",
    "one slash": "https:/example.com/hook",
    "a user": "https://user@example.com/hook",
    "a user and a password": "https://user:password@example.com/hook",
    "an empty user": "https://@example.com/hook",
    "a user who looks like a host": "https://example.com@127.0.0.1/hook",
    "a user who looks like host and port": "https://example.com:443@127.0.0.1/hook",
    "two users": "https://a@b@127.0.0.1/hook",
    "a fragment": "https://example.com/hook#top",
    "an empty fragment": "https://example.com/hook#",
    "a fragment that hides a host": "https://example.com#@127.0.0.1/",
    "a backslash that hides a host": "https://example.com\\@127.0.0.1/",
    "a backslash in the path": "https://example.com/a\\b",
    "a backslash for a slash": "https:\\\\example.com/hook",
    "port 0": "https://example.com:0/hook",
    "port 65536": "https://example.com:65536/hook",
    "a negative port": "https://example.com:-1/hook",
    "a port with a plus": "https://example.com:+443/hook",
    "a port with an underscore": "https://example.com:4_4/hook",
    "a port in other digits": "https://example.com:４４３/hook",
    "an empty port": "https://example.com:/hook",
    "two ports": "https://127.0.0.1:6379:443/hook",
    "a space": "https://example.com/a b",
    "a space before": " https://example.com/hook",
    "a space after": "https://example.com/hook ",
    "a line feed": "https://example.com/hook\nHost: 127.0.0.1",
    "a line feed in the host": "https://exam\nple.com/hook",
    "a tab in the scheme": "ht\ttps://example.com/hook",
    "a null": "https://example.com\x00.evil.example/hook",
    "a control character": "https://example.com/\x7f",
    "another white space": "https://example.com/a\u2003b",
    "text from right to left": "https://example.com/\u202ekooh",
    "a soft hyphen": "https://local\u00adhost/hook",
    "half a character": "https://example.com/\ud800",
    "too long": "https://example.com/" + "a" * LONGEST,
    "decimal": "https://2130706433/hook",
    "octal": "https://0177.0.0.1/hook",
    "octal, all of it": "https://017700000001/hook",
    "hexadecimal": "https://0x7f000001/hook",
    "hexadecimal, part of it": "https://0x7f.0.0.1/hook",
    "hexadecimal, the last part": "https://127.0.0.0x1/hook",
    "short": "https://127.1/hook",
    "shorter": "https://0/hook",
    "too many parts": "https://127.0.0.0.1/hook",
    "too large a part": "https://256.0.0.1/hook",
    "leading zeros": "https://127.000.000.001/hook",
    "with a trailing dot": "https://127.0.0.1./hook",
    "fullwidth digits": "https://１２７.0.0.1/hook",
    "digits in circles": "https://①②⑦.⓪.⓪.①/hook",
    "other dots": "https://127。0。0。1/hook",
    "no address in brackets": "https://[127.0.0.1]/hook",
    "an address of the future": "https://[v1.fe80::1]/hook",
    "a zone": "https://[fe80::1%25eth0]/hook",
    "a zone, bare": "https://[fe80::1%eth0]/hook",
    "a zone on a public address": "https://[2620:fe::9%251]/hook",
    "text before brackets": "https://127.0.0.1[::1]/hook",
    "text after brackets": "https://[2620:fe::9]127.0.0.1/hook",
    "a bracket that does not close": "https://[2620:fe::9/hook",
    "localhost": "https://localhost/hook",
    "localhost in capitals": "https://LocalHost:8000/hook",
    "localhost with a trailing dot": "https://localhost./hook",
    "localhost in other letters": "https://ℓocalhost/hook",
    "below localhost": "https://bot.localhost/hook",
    "a letter in percents": "https://%6cocalhost/hook",
    "an address in percents": "https://%31%32%37.0.0.1/hook",
    "a trailing dot": "https://example.com./hook",
    "two dots": "https://example..com/hook",
    "a dot before": "https://.example.com/hook",
    "a label that is too long": f"https://{'a' * 64}.example/hook",
    "a name that is too long": f"https://{'a.' * 127}example/hook",
    "a label that begins with a hyphen": "https://-a.example/hook",
    "a comma": "https://127.0.0.1,example.com/hook",
    "a semicolon": "https://127.0.0.1;example.com/hook",
    "an asterisk": "https://*.example.com/hook",
    "a letter that turns into a slash": "https://example.com\u2100.evil.example/hook",
    "no name in punycode": "https://xn--/hook",
}

GOOD = {
    "https://example.com": "example.com",
    "https://example.com/": "example.com",
    "HTTPS://Example.COM/Hook": "example.com",
    "https://example.com:8443/hook?bot=1&game=2": "example.com",
    "https://example.com?url=http://127.0.0.1/@": "example.com",
    "https://example.com/@127.0.0.1:6379": "example.com",
    "https://a-b.c_d.example/hook": "a-b.c_d.example",
    "https://bücher.example/hook": "xn--bcher-kva.example",
    "https://xn--bcher-kva.example/hook": "xn--bcher-kva.example",
    "https://ｅxample。com/hook": "example.com",
    "https://9to5.example/hook": "9to5.example",
    "https://0x7f.example/hook": "0x7f.example",
    "https://1.2.3.4.example/hook": "1.2.3.4.example",
    "https://localhost.example/hook": "localhost.example",
    "https://example.com/caf%C3%A9/é": "example.com",
    "https://example.com:65535/hook": "example.com",
    "https://9.9.9.9/hook": "9.9.9.9",
    "https://[2620:fe::9]:8443/hook": "2620:fe::9",
    "https://[2620:FE:0:0::9]/hook": "2620:fe::9",
}
"""URLs that are allowed, with the host to which each delivery is sent."""


@pytest.mark.parametrize("text", NOT_PUBLIC.values(), ids=NOT_PUBLIC)
def test_an_address_that_is_not_public_is_not_allowed(text: str) -> None:
    assert not is_allowed(ip_address(text), ())


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address_is_allowed(text: str) -> None:
    assert is_allowed(ip_address(text), ())


@pytest.mark.parametrize("network", IPAddressRanges.recommended_latest)
def test_what_a_library_for_this_purpose_refuses_is_not_allowed(network: str) -> None:
    """The library microsoft-antissrf provides a second opinion on the edges of every network that it knows."""
    refused = ip_network(network)
    assert not is_allowed(refused[0], ())
    assert not is_allowed(refused[-1], ())


@pytest.mark.parametrize("text", [text for text in NOT_PUBLIC.values() if "%" not in text])
def test_a_url_with_an_address_that_is_not_public_is_refused(text: str) -> None:
    with pytest.raises(RefusedAddress):
        check_url(f"https://[{text}]/hook" if ":" in text else f"https://{text}/hook", ())


@pytest.mark.parametrize("url", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_url_is_refused_in_a_sentence_that_says_what_to_do(url: str) -> None:
    with pytest.raises(BadAddress, match=r"\A[^;]+; .+\Z"):
        check_url(url, ())


@pytest.mark.parametrize("url", HOSTILE.values(), ids=HOSTILE)
def test_no_allowed_network_makes_a_url_well_formed(url: str) -> None:
    with pytest.raises(BadAddress) as refused:
        check_url(url, ())
    if not isinstance(refused.value, RefusedAddress):
        with pytest.raises(BadAddress):
            check_url(url, EVERYWHERE)


@pytest.mark.parametrize(("url", "host"), GOOD.items())
def test_a_good_url_is_sent_to_its_host(url: str, host: str) -> None:
    assert check_url(url, ()).raw_host == host


def test_the_longest_url_passes() -> None:
    url = "https://example.com/"
    assert check_url(url + "a" * (LONGEST - len(url)), ())


@pytest.mark.parametrize(
    ("url", "reason", "setting"),
    [
        ("http://127.0.0.1:9000/hook", "the address is not public", "127.0.0.0/8,::1/128"),
        ("https://[::1]/hook", "the address is not public", "127.0.0.0/8,::1/128"),
        ("https://[::ffff:10.0.0.5]/hook", "the address is not public", "10.0.0.5/32"),
        ("http://[fd12::1]/hook", "the address is not public", "fd12::1/128"),
        ("http://bot.example/hook", "http is allowed only for private networks", "127.0.0.0/8,::1/128"),
        ("https://localhost/hook", "localhost is a loopback name, which is not allowed", "127.0.0.0/8,::1/128"),
        ("http://bot.localhost/hook", "bot.localhost is a loopback name, which is not allowed", "127.0.0.0/8,::1/128"),
    ],
)
def test_the_refusal_of_a_private_endpoint_names_the_setting_that_allows_it(
    url: str, reason: str, setting: str
) -> None:
    """The refusal also gives a value that allows the endpoint."""
    with pytest.raises(RefusedAddress) as refused:
        check_url(url, ())
    assert str(refused.value).startswith(f"{reason}; use an https endpoint")
    assert str(refused.value).endswith(f" with WEBHOOK_NETWORKS={setting}")
    assert check_url(url, tuple(ip_network(network) for network in setting.split(",")))


@pytest.mark.parametrize("url", ["https://169.254.169.254/hook", "http://9.9.9.9/hook"])
def test_no_setting_is_named_that_would_not_help(url: str) -> None:
    """Nothing is ever sent to a metadata service, and a public address is reachable over https."""
    with pytest.raises(RefusedAddress) as refused:
        check_url(url, ())
    assert "WEBHOOK_NETWORKS" not in str(refused.value)


def test_an_allowed_network_is_allowed_in_every_spelling_of_its_addresses() -> None:
    networks = (ip_network("10.1.0.0/16"), ip_network("fd12::/16"))
    for text in ("10.1.2.3", "::ffff:10.1.2.3", "fd12::1"):
        assert is_allowed(ip_address(text), networks)
    for text in ("10.2.0.1", "64:ff9b::10.1.2.3", "fd13::1", "127.0.0.1"):
        assert not is_allowed(ip_address(text), networks)


def test_no_allowed_network_opens_a_metadata_service() -> None:
    for text in ("169.254.169.254", "::ffff:169.254.169.254", "168.63.129.16", "fd00:ec2::254", "fd00:ec2::254%eth0"):
        assert not is_allowed(ip_address(text), EVERYWHERE)
        assert not is_inside(ip_address(text), EVERYWHERE)


def test_a_public_address_is_inside_no_network() -> None:
    assert not is_inside(ip_address("9.9.9.9"), LOOPBACK)
    assert not is_inside(ip_address("9.9.9.9"), ())


def test_every_isatap_address_is_refused_whatever_its_network() -> None:
    network = IPv6Network("2a00:1450:4001::/64")
    for tunnel in (0x5EFE, 0x0200_5EFE):
        assert not is_allowed(IPv6Address(int(network[0]) | tunnel << 32 | int(ip_address("9.9.9.9"))), ())


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/hook", "http://[::1]:8000/hook", "http://localhost:8000/hook", "https://127.0.0.1/hook"],
)
def test_an_allowed_network_is_reached_by_https_and_http(url: str) -> None:
    assert check_url(url, LOOPBACK)
    with pytest.raises(RefusedAddress):
        check_url(url, ())


@pytest.mark.parametrize("url", ["http://9.9.9.9/hook", "http://10.0.0.1/hook", "http://[2620:fe::9]/hook"])
def test_an_address_outside_is_not_reached_by_http(url: str) -> None:
    with pytest.raises(RefusedAddress):
        check_url(url, LOOPBACK)


def test_a_name_may_be_asked_for_by_http_where_any_network_is_allowed() -> None:
    assert check_url("http://bot.example/hook", LOOPBACK)
    with pytest.raises(RefusedAddress):
        check_url("http://bot.example/hook", ())


def test_localhost_needs_a_network_that_holds_it() -> None:
    for name in ("localhost", "bot.localhost"):
        assert check_url(f"https://{name}/hook", (ip_network("127.0.0.0/8"),))
        assert check_url(f"https://{name}/hook", (ip_network("::1/128"),))
        with pytest.raises(RefusedAddress):
            check_url(f"https://{name}/hook", (ip_network("10.0.0.0/8"),))
