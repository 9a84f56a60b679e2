"""Sending: only to checked addresses, with the right names, within limits, and without errors for others' faults."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import ssl
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NoReturn

import pytest
import trustme

from service.webhooks import sending
from service.webhooks.sending import ANSWER_BYTES, USER_AGENT, Lookup, PostResult, Sender, abort

from .endpoints import LOCAL, Connection, Names, answer, answering, endpoint, head

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
HERE = (ip_network("127.0.0.1/32"),)
HEADERS = {"content-type": "application/json", "webhook-id": "msg_1"}
BODY = b'{"type":"turn.started"}'
NAME = "bot.example"

HOSTILE_ANSWERS = {
    "loopback": ["127.0.0.1"],
    "wildcard DNS, as of 127.0.0.1.nip.io": ["127.0.0.1"],
    "loopback in IPv6": ["::1"],
    "this host": ["0.0.0.0"],
    "unspecified": ["::"],
    "private": ["10.0.0.1"],
    "private, 192.168": ["192.168.0.1"],
    "our own Redis among containers": ["172.18.0.2"],
    "unique local": ["fd12::1"],
    "link-local": ["fe80::1"],
    "link-local with a zone": ["fe80::1%1"],
    "metadata": ["169.254.169.254"],
    "metadata of Azure": ["168.63.129.16"],
    "metadata of Alibaba": ["100.100.100.200"],
    "metadata of AWS in IPv6": ["fd00:ec2::254"],
    "behind a provider's NAT": ["100.64.0.1"],
    "benchmarks": ["198.18.0.1"],
    "multicast": ["224.0.0.1"],
    "broadcast": ["255.255.255.255"],
    "IPv4-mapped": ["::ffff:127.0.0.1"],
    "IPv4-compatible": ["::127.0.0.1"],
    "NAT64": ["64:ff9b::7f00:1"],
    "local NAT64": ["64:ff9b:1::7f00:1"],
    "6to4": ["2002:7f00:1::"],
    "Teredo": ["2001::80ff:fffe"],
    "first public, then private": ["9.9.9.9", "127.0.0.1"],
    "first private, then public": ["127.0.0.1", "9.9.9.9"],
    "public in IPv4, private in IPv6": ["9.9.9.9", "::1"],
    "public in IPv6, private in IPv4": ["2620:fe::9", "10.0.0.1"],
    "private after many that are public": [*(f"9.9.9.{last}" for last in range(50)), "127.0.0.1"],
}

BROKEN_ANSWERS = {
    "no HTTP": b"220 mail.example ESMTP\r\n\r\n",
    "Redis": b"-ERR unknown command\r\n",
    "bytes at random": bytes(range(256)),
    "another version": b"HTTP/9.9 200 OK\r\n\r\n",
    "a status that is no number": b"HTTP/1.1 OK 200\r\n\r\n",
    "a length that is no number": head("200 OK", "Content-Length: many"),
    "a negative length": head("200 OK", "Content-Length: -1"),
    "two lengths": head("200 OK", "Content-Length: 2", "Content-Length: 3") + b"{}",
    "an answer that ends too early": head("200 OK", "Content-Length: 100") + b"{}",
    "chunks that are none": head("200 OK", "Transfer-Encoding: chunked") + b"zz\r\n{}\r\n",
    "chunks that end too early": head("200 OK", "Transfer-Encoding: chunked") + b"2\r\n{}\r\n",
    "a header that is too long": head("200 OK", "X: " + "a" * 20_000),
    "too many headers": head("200 OK", *(f"X-{number}: a" for number in range(1000))),
}


def run(play: Callable[[Sender], Coroutine[Any, Any, Any]], lookup: Lookup | None = None, networks: Any = HERE) -> Any:
    """Return the result of a function that is called with a sender, which may send to the loopback interface."""

    async def whole() -> Any:
        async with Sender(networks, lookup=lookup) as sender:
            return await play(sender)

    return asyncio.run(whole())


async def post(sender: Sender, url: str) -> PostResult:
    """Return the result of a POST request."""
    return await sender.post(url, HEADERS, BODY)


def posted(*answers: bytes, networks: Any = HERE) -> PostResult:
    """Return the result of a POST request to an endpoint that responds like this."""

    async def play(sender: Sender) -> PostResult:
        async with answering(*answers) as there:
            return await post(sender, there.url())

    sent = run(play, networks=networks)
    assert isinstance(sent, PostResult)
    return sent


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """Return a certificate authority that clients trust."""
    ca = trustme.CA()
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return ca


def certified(ca: trustme.CA, *names: str, **options: Any) -> ssl.SSLContext:
    """Return the TLS context of a server with a certificate for these names."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ca.issue_cert(*names, **options).configure_cert(context)
    return context


async def silent(connection: Connection) -> None:
    """Read the request and everything else that arrives, without responding."""
    await connection.end()


# What is sent


def test_a_request_arrives_as_it_was_posted() -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer(b'{"move": 3}')) as there:
            sent = await post(sender, there.url())
            ((headers, body),) = there.requests
            assert sent == PostResult(200, None, b'{"move": 3}', None, sent.latency)
            assert sent.latency >= 0
            assert headers.items() >= HEADERS.items()
            assert body == BODY
            assert headers[""] == "POST /turns?bot=1 HTTP/1.1"
            assert headers["host"] == f"{LOCAL}:{there.port}"
            assert headers["user-agent"] == USER_AGENT
            assert headers["accept-encoding"] == "identity"
            assert headers["connection"] == "close"

    run(play)


def test_tls_is_asked_for_the_name_and_host_has_name_and_port(authority: trustme.CA) -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer(), tls=certified(authority, NAME)) as there:
            sent = await post(sender, there.url(NAME, "https"))
            assert (sent.status, sent.error) == (200, None)
            assert there.names == [NAME]
            assert there.requests[0][0]["host"] == f"{NAME}:{there.port}"

    run(play, Names([[LOCAL]]))


def test_an_international_name_is_asked_for_in_ascii(authority: trustme.CA) -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer(), tls=certified(authority, "xn--bcher-kva.example")) as there:
            assert (await post(sender, there.url("Bücher.example", "https"))).status == 200
            assert there.names == names.asked == ["xn--bcher-kva.example"]
            assert there.requests[0][0]["host"] == f"xn--bcher-kva.example:{there.port}"

    names = Names([[LOCAL]])
    run(play, names)


def test_an_address_is_certified_as_an_address(authority: trustme.CA) -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer(), tls=certified(authority, LOCAL)) as there:
            assert (await post(sender, there.url(LOCAL, "https"))).status == 200
            assert there.names == [None]
            assert there.requests[0][0]["host"] == f"{LOCAL}:{there.port}"

    run(play)


def test_a_connection_that_was_closed_twice_is_cut(authority: trustme.CA) -> None:
    """`aiohttp` may leave such a connection. Python 3.11 cannot abort it; the request must not fail because of that."""

    async def play(_: Sender) -> None:
        async with answering(answer(), tls=certified(authority, LOCAL)) as there:
            _, writer = await asyncio.open_connection(LOCAL, there.port, ssl=ssl.create_default_context())
            for _ in range(2):
                writer.transport.close()
            abort(writer.transport)
            assert writer.transport.is_closing()

    run(play)


# Where it is sent


@pytest.mark.parametrize("addresses", HOSTILE_ANSWERS.values(), ids=HOSTILE_ANSWERS)
def test_a_name_that_leads_inside_is_refused_before_anything_is_connected(addresses: Sequence[str]) -> None:
    async def play(sender: Sender) -> None:
        async with endpoint(silent) as there:
            sent = await post(sender, there.url(NAME, "https"))
            assert sent._replace(latency=0) == PostResult(None, "address-refused", b"", None, 0)
            assert there.connections == 0

    run(play, Names([addresses]), networks=())


@pytest.mark.parametrize("host", ["127.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "localhost"])
def test_an_address_in_the_url_is_checked_too(host: str) -> None:
    async def play(sender: Sender) -> None:
        async with endpoint(silent) as there:
            for scheme in ("https", "http"):
                assert (await post(sender, there.url(host, scheme))).error == "address-refused"
            assert there.connections == 0

    run(play, networks=())


@pytest.mark.parametrize("url", ["ftp://example.com/", "https://127.1/", "https://u@example.com/", "https://a..b/", ""])
def test_a_url_that_is_none_is_not_sent_to(url: str) -> None:
    sent = run(lambda sender: post(sender, url))
    assert sent._replace(latency=0) == PostResult(None, "bad-url", b"", None, 0)


@pytest.mark.parametrize("addresses", [["9.9.9.9"], [LOCAL, "9.9.9.9"], ["127.0.0.2"]])
def test_by_http_a_name_must_lead_to_an_allowed_network(addresses: Sequence[str]) -> None:
    async def play(sender: Sender) -> None:
        async with endpoint(silent) as there:
            assert (await post(sender, there.url(NAME))).error == "address-refused"
            assert there.connections == 0

    run(play, Names([addresses]))


def test_a_name_that_changes_its_mind_is_connected_to_where_it_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the first address is allowed, later ones are not, and no other name server is asked."""

    async def play(sender: Sender) -> None:
        async with answering(answer()) as there:
            assert (await post(sender, there.url(NAME))).status == 200
            assert names.asked == [NAME]
            assert (await post(sender, there.url(NAME))).error == "address-refused"
            assert names.asked == [NAME, NAME]
            assert there.connections == 1

    monkeypatch.setattr(socket, "getaddrinfo", resolve_nothing)
    names = Names([[LOCAL], ["127.0.0.2"]])
    run(play, names)


def resolve_nothing(name: object, *_: object, **__: object) -> NoReturn:
    """Find no address."""
    raise socket.gaierror(socket.EAI_NONAME, f"{name} is not known")


def test_names_are_found_as_the_system_finds_them() -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer()) as there:
            assert (await post(sender, there.url("localhost"))).status == 200

    run(play, networks=LOOPBACK)


def test_a_name_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolve_nothing)
    assert run(lambda sender: post(sender, f"https://{NAME}/")).error == "name-not-found"
    assert run(lambda sender: post(sender, f"https://{NAME}/"), Names([[]])).error == "name-not-found"


def test_of_many_addresses_only_some_are_tried() -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer()) as there:
            assert (await post(sender, there.url(NAME))).error == "no-connection"
            assert there.connections == 0

    addresses = [f"127.0.1.{last}" for last in range(sending.MOST_ADDRESSES)]
    run(play, Names([[*addresses, LOCAL]]), networks=LOOPBACK)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_no_redirect_is_followed(status: str) -> None:
    async def play(sender: Sender) -> None:
        async with (
            answering(answer()) as inside,
            answering(answer(b"", status, f"Location: {inside.url()}")) as there,
        ):
            sent = await post(sender, there.url())
            assert sent._replace(latency=0) == PostResult(int(status[:3]), None, b"", None, 0)
            assert (there.connections, inside.connections) == (1, 0)

    run(play)


def test_the_environment_has_no_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer()) as proxy, answering(answer()) as there:
            for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url())
            monkeypatch.delenv("no_proxy", raising=False)
            monkeypatch.delenv("NO_PROXY", raising=False)
            assert (await post(sender, there.url())).status == 200
            assert proxy.connections == 0
            assert "authorization" not in there.requests[0][0]

    (tmp_path / "netrc").write_text(f"machine {LOCAL} login somebody password secret\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    run(play)


def test_no_cookie_is_kept() -> None:
    async def play(sender: Sender) -> None:
        async with answering(answer(b"{}", "200 OK", "Set-Cookie: a=b; Path=/", "Set-Cookie: =;;\xff")) as there:
            for _ in range(2):
                assert (await post(sender, there.url(NAME))).status == 200
            assert not any("cookie" in headers for headers, _ in there.requests)

    run(play, Names([[LOCAL]]))


# The identity of the endpoint


def test_nobody_is() -> None:
    with socket.socket() as bound:
        bound.bind((LOCAL, 0))
        port = bound.getsockname()[1]
        assert run(lambda sender: post(sender, f"http://{LOCAL}:{port}/")).error == "no-connection"


def test_somebody_who_hangs_up() -> None:
    assert posted(b"").error == "no-connection"


def test_somebody_with_a_certificate_for_another_name(authority: trustme.CA) -> None:
    assert tls_failure(certified(authority, "other.example"))


def test_somebody_with_a_certificate_that_is_over(authority: trustme.CA) -> None:
    assert tls_failure(certified(authority, NAME, not_after=datetime.now(UTC) - timedelta(days=1)))


@pytest.mark.usefixtures("authority")
def test_somebody_with_a_certificate_of_an_authority_that_nobody_believes() -> None:
    assert tls_failure(certified(trustme.CA(), NAME))


@pytest.mark.usefixtures("authority")
def test_somebody_who_does_not_speak_tls() -> None:
    async def not_tls(connection: Connection) -> None:
        await connection.send(answer(b"", "400 Bad Request"))
        await connection.end()

    assert tls_failure(None, not_tls)


def tls_failure(tls: ssl.SSLContext | None, behave: Callable[[Connection], Any] = silent) -> bool:
    """Return whether TLS to a server with this certificate fails before any data are sent."""

    async def play(sender: Sender) -> bool:
        async with endpoint(behave, tls) as there:
            return (await post(sender, there.url(NAME, "https"))).error == "tls-failed"

    return bool(run(play, Names([[LOCAL]])))


# How long it takes


def test_a_handshake_that_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(sender: Sender) -> None:
        async with endpoint(silent) as there:
            assert (await post(sender, there.url(LOCAL, "https"))).error == "timed-out"
            await there.ended.wait()

    monkeypatch.setattr(sending, "CONNECT_SECONDS", 0.2)
    run(play)


def test_a_name_that_is_never_found_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: str) -> Sequence[str]:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(sending, "CONNECT_SECONDS", 0.1)
    assert run(lambda sender: post(sender, f"https://{NAME}/"), never).error == "timed-out"


def drips(whole: bytes) -> Callable[[Connection], Coroutine[Any, Any, None]]:
    """Return a function that sends an endless response byte by byte, each byte well within any timeout."""

    async def behave(connection: Connection) -> None:
        gone = asyncio.ensure_future(connection.end())
        for byte in whole:
            await connection.send(bytes([byte]))
            if (await asyncio.wait({gone}, timeout=0.01))[0]:
                return
        raise AssertionError("nobody has cut it off")

    return behave


SLOW = {
    "says nothing": silent,
    "drips its head": drips(head("200 OK", *["X: a"] * 5_000)),
    "drips its body": drips(head("200 OK", "Content-Length: 10000") + b"a" * 10_000),
    "drips chunks": drips(head("200 OK", "Transfer-Encoding: chunked") + b"1\r\na\r\n" * 2_000),
    "drips answers that are none yet": drips(head("103 Early Hints") * 500),
}


@pytest.mark.parametrize("encrypted", [False, True], ids=["http", "https"])
@pytest.mark.parametrize("behave", SLOW.values(), ids=SLOW)
def test_an_endpoint_that_takes_its_time_is_cut_off(
    behave: Callable[[Connection], Any], encrypted: bool, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is for the whole response, whatever arrives from time to time; the connection then ends."""

    async def play(sender: Sender) -> None:
        async with endpoint(behave, certified(authority, NAME) if encrypted else None) as there:
            sent = await post(sender, there.url(NAME, "https" if encrypted else "http"))
            assert sent._replace(latency=0) == PostResult(None, "timed-out", b"", None, 0)
            await there.ended.wait()

    monkeypatch.setattr(sending, "CONNECT_SECONDS", 1_000)
    monkeypatch.setattr(sending, "ANSWER_SECONDS", 0.2)
    run(play, Names([[LOCAL]]))


def test_an_endpoint_that_says_no_goodbye_does_not_keep_its_connection(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise TLS would wait half a minute for it."""

    def hold(listener: socket.socket) -> None:
        secured = certified(authority, LOCAL).wrap_socket(listener.accept()[0], server_side=True)
        secured.recv(1024)
        with socket.socket(fileno=secured.detach()) as held:
            held.settimeout(10)
            with contextlib.suppress(ConnectionError):
                while held.recv(1024):
                    pass

    async def play(sender: Sender) -> None:
        with socket.create_server((LOCAL, 0)) as listener:
            held = asyncio.ensure_future(asyncio.to_thread(hold, listener))
            assert (await post(sender, f"https://{LOCAL}:{listener.getsockname()[1]}/")).error == "timed-out"
            await held

    monkeypatch.setattr(sending, "ANSWER_SECONDS", 0.2)
    run(play)


def test_whoever_waits_may_be_told_to_stop() -> None:
    async def play(sender: Sender) -> None:
        async with endpoint(reached_and_silent) as there:
            waiting = asyncio.ensure_future(post(sender, there.url()))
            await reached.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await there.ended.wait()

    async def reached_and_silent(connection: Connection) -> None:
        await connection.request()
        reached.set()
        await connection.end()

    reached = asyncio.Event()
    run(play)


def test_hundreds_may_be_under_way_at_once() -> None:
    many = 200

    async def play(sender: Sender) -> None:
        async def behave(connection: Connection) -> None:
            await connection.request()
            if there.connections == many:
                everybody.set()
            await everybody.wait()
            await connection.send(answer())

        everybody = asyncio.Event()
        async with endpoint(behave) as there:
            all_sent = await asyncio.gather(*(post(sender, there.url()) for _ in range(many)))
        assert {(sent.status, sent.error) for sent in all_sent} == {(200, None)}

    run(play)


# What is answered


@pytest.mark.parametrize("broken", BROKEN_ANSWERS.values(), ids=BROKEN_ANSWERS)
def test_an_answer_that_cannot_be_read(broken: bytes) -> None:
    assert posted(broken)._replace(latency=0) == PostResult(None, "bad-answer", b"", None, 0)


def test_an_answer_may_have_so_many_bytes_and_no_more() -> None:
    whole = b"a" * ANSWER_BYTES
    assert posted(answer(whole)).body == whole
    assert posted(answer(whole + b"a"))._replace(latency=0) == PostResult(None, "answer-too-large", b"", None, 0)


def test_an_answer_without_end_is_cut_off_where_it_is_too_large() -> None:
    async def endless(connection: Connection) -> None:
        await connection.request()
        await connection.send(head("200 OK"))
        while True:
            await connection.send(b"a" * 65_536)

    async def play(sender: Sender) -> None:
        async with endpoint(endless) as there:
            assert (await post(sender, there.url())).error == "answer-too-large"
            await there.ended.wait()

    run(play)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "x-unknown"])
def test_what_is_packed_is_not_unpacked(encoding: str) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert len(bomb) < ANSWER_BYTES
    sent = posted(answer(bomb, "200 OK", f"Content-Encoding: {encoding}"))
    assert sent._replace(latency=0) == PostResult(None, "bad-answer", b"", None, 0)


@pytest.mark.parametrize("status", ["202 Accepted", "204 No Content", "200 OK"])
def test_an_answer_may_be_empty(status: str) -> None:
    assert posted(head(status, "Content-Length: 0"))._replace(latency=0) == PostResult(
        int(status[:3]), None, b"", None, 0
    )


@pytest.mark.parametrize(
    "status", ["400 Bad Request", "404 Not Found", "410 Gone", "429 Too Many", "500 Oh", "503 Busy"]
)
def test_the_body_of_a_failure_is_not_read(status: str) -> None:
    sent = posted(answer(b"a" * 10 * ANSWER_BYTES, status, "Content-Encoding: gzip"))
    assert sent._replace(latency=0) == PostResult(int(status[:3]), None, b"", None, 0)


@pytest.mark.parametrize("status", ["200 OK", "429 Too Many Requests", "503 Service Unavailable"])
def test_an_endpoint_may_ask_to_wait_some_seconds(status: str) -> None:
    assert posted(answer(b"", status, "Retry-After: 120")).retry_after == 120


@pytest.mark.parametrize("spelling", ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"])
def test_an_endpoint_may_ask_to_wait_until_a_date(spelling: str) -> None:
    """The date may have any of the three formats of RFC 9110, section 5.6.7."""
    then = datetime.now(UTC) + timedelta(hours=1)
    waits = posted(answer(b"", "503 Busy", f"Retry-After: {then.strftime(spelling)}")).retry_after
    assert waits is not None
    assert 0 < waits <= 3600


def test_a_date_that_is_over_asks_for_no_wait() -> None:
    then = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    assert posted(answer(b"", "503 Busy", f"Retry-After: {then}")).retry_after == 0


@pytest.mark.parametrize(
    "text", ["", "soon", "-5", "1.5", "1e9", "٣", "9" * 5_000, "Sun, 06 Nov 99999999999999999999 08:49:37 GMT"]
)
def test_a_wait_that_cannot_be_read_is_none(text: str) -> None:
    assert posted(answer(b"", "503 Busy", f"Retry-After: {text}")).retry_after is None
