"""Sending: one request to an endpoint that nobody vouches for, and what came of it.

The addresses that were checked are those that are connected to: nothing resolves the name again. Every request has a
connection of its own. So each is checked by what its name says now, no POST meets a connection that the other end is
just closing, and nothing of an endpoint outlives its request; that costs a TLS handshake each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import time
from asyncio import IncompleteReadError, Timeout
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.metadata import version
from ipaddress import ip_address
from typing import NamedTuple, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from .addresses import Address, BadAddress, Networks, RefusedAddress, check_url, is_allowed, is_inside

CONNECT_SECONDS = 5.0
"""How long finding, reaching and shaking hands with an endpoint may take, all its addresses together."""
ANSWER_SECONDS = 15.0
"""How long an endpoint may take from then to the last byte of its answer, however many there are."""
ANSWER_BYTES = 16 * 1024
NAMES_AT_ONCE = 64
"""How many names are resolved at once: a slow one keeps a thread, for which the others should not have to wait."""
MOST_ADDRESSES = 8
"""How many addresses of a name are tried; it may have hundreds."""
USER_AGENT = f"condottiere-api/{version('condottiere-api')}"

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""What finds the numeric addresses of a name. Raises: OSError."""


class Sent(NamedTuple):
    """What came of a request: either `status`, or why there is none in `error`.

    `body` is that of a 2xx; of other answers it is not read. `retry_after` is how long an endpoint asks us to wait (s),
    None where it does not, or not readably. `latency` is the whole request's (ms). `error` is one of

    * `bad-url`: the URL is none that can be sent to;
    * `address-refused`: it leads to an address that is neither public nor allowed;
    * `name-not-found`: its name has no address, or nobody knows just now;
    * `no-connection`: nobody accepts the connection, or it ends before an answer;
    * `tls-failed`: there is no agreement on TLS, or the certificate is not valid for the name;
    * `timed-out`: a limit was reached, of connecting or of answering;
    * `bad-answer`: it is not HTTP, ends in the middle or is compressed though we ask that it is not;
    * `answer-too-large`: it is a 2xx of more than ANSWER_BYTES.
    """

    status: int | None
    error: str | None
    body: bytes
    retry_after: float | None
    latency: int


class Sender:
    """Sends requests, hundreds at once; to be entered in the event loop that sends.

    Who signs the certificates of endpoints is what OpenSSL believes: the system's authorities, or SSL_CERT_FILE.
    """

    def __init__(self, networks: Networks, *, user_agent: str = USER_AGENT, lookup: Lookup | None = None) -> None:
        """Take the private networks that endpoints may lie in, and perhaps something else to find addresses by."""
        self._networks = networks
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "identity"}
        self._tls = ssl.create_default_context()
        self._threads = ThreadPoolExecutor(NAMES_AT_ONCE, thread_name_prefix="resolve")
        lookup = lookup or self._look_up
        self._names = {
            "https": _CheckedNames(lookup, partial(is_allowed, networks=networks)),
            "http": _CheckedNames(lookup, partial(is_inside, networks=networks)),
        }

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Forget the names that still wait to be found."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Sent:
        """Return what came of posting a body; whatever the other end does, it does not raise."""
        began = time.perf_counter()
        try:
            sent = await self._post(url, headers, body)
        except _FAILURES as failure:
            sent = Sent(None, _code(failure), b"", None, 0)
        return sent._replace(latency=round((time.perf_counter() - began) * 1000))

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> Sent:
        target = check_url(url, self._networks)
        limit = asyncio.timeout(CONNECT_SECONDS)
        connector = _Connector(self._names[target.scheme], self._tls, limit)
        try:
            async with (
                limit,
                aiohttp.ClientSession(
                    connector=connector,
                    headers=self._headers,
                    timeout=aiohttp.ClientTimeout(),
                    cookie_jar=aiohttp.DummyCookieJar(),
                    auto_decompress=False,
                    read_bufsize=ANSWER_BYTES,
                ) as session,
                session.post(target, headers=headers, data=body, allow_redirects=False) as response,
            ):
                return await _answered(response)
        finally:
            connector.cut()

    async def _look_up(self, name: str) -> Sequence[str]:
        found = partial(socket.getaddrinfo, name, None, type=socket.SOCK_STREAM)
        infos = await asyncio.get_running_loop().run_in_executor(self._threads, found)
        return [str(address[0]) for *_, address in infos]


class _Connector(aiohttp.TCPConnector):
    """Makes the one connection of a request, grants the answer its time from then on, and ends it for good."""

    def __init__(self, names: AbstractResolver, tls: ssl.SSLContext, limit: Timeout) -> None:
        super().__init__(resolver=names, use_dns_cache=False, ssl=tls, force_close=True)
        self._limit_of_request = limit
        self._transport: asyncio.Transport | None = None

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[aiohttp.tracing.Trace], timeout: aiohttp.ClientTimeout
    ) -> aiohttp.connector.Connection:
        connection = await super().connect(req, traces, timeout)
        self._transport = connection.transport
        self._limit_of_request.reschedule(self._loop.time() + ANSWER_SECONDS)
        return connection

    def cut(self) -> None:
        """End the connection, if one was made."""
        if self._transport is not None:
            cut(self._transport)


def cut(transport: asyncio.Transport) -> None:
    """End a connection: one that is only closed waits half a minute for an endpoint that does not say goodbye."""
    # Python 3.11's TLS transport raises this where it has been closed twice already; later ones do nothing then.
    with contextlib.suppress(AttributeError):
        transport.abort()


class _CheckedNames(AbstractResolver):
    """Finds the addresses of names, and refuses a name if a single one of them is not allowed.

    A name that leads both out and in is meant to catch somebody, or wrong, and which of its addresses is connected to
    would be chance. aiohttp asks for names only: addresses in URLs are checked with the URL.
    """

    def __init__(self, lookup: Lookup, allowed: Callable[[Address], bool]) -> None:
        self._lookup = lookup
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name, checked and numeric. Raises: RefusedAddress, OSError."""
        found = [ip_address(text) for text in await self._lookup(host)]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, f"{host} has no address")
        if not all(self._allowed(address) for address in found):
            raise RefusedAddress(f"{host} resolves to an address that is not public: all its addresses must be public")
        numeric = partial(ResolveResult, hostname=host, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
        return [numeric(host=str(address)) for address in found[:MOST_ADDRESSES]]

    async def close(self) -> None:
        """Do nothing: it is the sender's."""


class _BadAnswer(Exception):
    """An answer is compressed."""


class _TooLarge(Exception):
    """An answer is longer than ANSWER_BYTES."""


_CODES: Mapping[type[Exception], str] = {
    RefusedAddress: "address-refused",
    BadAddress: "bad-url",
    aiohttp.ClientConnectorDNSError: "name-not-found",
    aiohttp.ClientSSLError: "tls-failed",
    TimeoutError: "timed-out",
    _TooLarge: "answer-too-large",
    _BadAnswer: "bad-answer",
    aiohttp.ClientPayloadError: "bad-answer",
    aiohttp.ClientResponseError: "bad-answer",
    aiohttp.ClientError: "no-connection",
}
"""The code of each failure: the first that fits."""
_FAILURES = tuple(_CODES)


def _code(failure: Exception) -> str:
    return next(code for kind, code in _CODES.items() if isinstance(failure, kind))


async def _answered(response: aiohttp.ClientResponse) -> Sent:
    """Return what an endpoint has answered. Raises: _BadAnswer, _TooLarge, aiohttp.ClientError."""
    body = await _body(response) if 200 <= response.status < 300 else b""
    return Sent(response.status, None, body, _retry_after(response.headers.get("Retry-After"), datetime.now(UTC)), 0)


async def _body(response: aiohttp.ClientResponse) -> bytes:
    # What is packed is never unpacked: a few bytes may unfold to gigabytes.
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise _BadAnswer
    try:
        await response.content.readexactly(ANSWER_BYTES + 1)
    except IncompleteReadError as ended:
        return ended.partial
    raise _TooLarge


def _retry_after(text: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After asks for (RFC 9110, section 10.2.3), None where it cannot be read.

    >>> now = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
    >>> _retry_after("120", now), _retry_after("Sat, 21 Nov 2026 12:01:30 GMT", now), _retry_after("soon", now)
    (120.0, 90.0, None)
    """
    if text is None:
        return None
    if re.fullmatch("[0-9]{1,10}", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # Of the three spellings of a date in HTTP, asctime's does not say that it is GMT.
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max((then - now).total_seconds(), 0.0)
