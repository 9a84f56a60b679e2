"""Sending: sends one request to an untrusted endpoint, and returns its result.

A request connects only to addresses that were checked, because its host name is not resolved a second time. Every
request has its own connection, which is closed after the request. The name's addresses are therefore checked for every
request, and no POST is sent on a connection that the endpoint is already closing. The cost is a TLS handshake for each
request.
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
"""The time limit for resolving, connecting and the TLS handshake, for all addresses of an endpoint together."""
ANSWER_SECONDS = 15.0
"""The time limit from the established connection to the last byte of the response."""
ANSWER_BYTES = 16 * 1024
NAMES_AT_ONCE = 64
"""How many host names are resolved at the same time, each in a separate thread. A slow name blocks only its own thread,
so the other names are not delayed.
"""
MOST_ADDRESSES = 8
"""The maximum number of a host name's addresses that are tried. A name may have hundreds of addresses."""
USER_AGENT = f"condottiere-api/{version('condottiere-api')}"

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""A function that returns the numeric addresses of a name, and may raise OSError."""


class PostResult(NamedTuple):
    """The result of a request: the response's `status`, or an `error`, which says why there is no valid response.

    `body` is the body of a 2xx response. The bodies of all other responses are not read. `retry_after` is the number of
    seconds that the endpoint asks the service to wait, or None if there is no readable Retry-After header. `latency` is
    the time that the whole request took, in ms. `error` is one of

    * `bad-url`: the URL is not a valid endpoint;
    * `address-refused`: the URL leads to an address that is neither public nor allowed;
    * `name-not-found`: the host's name has no address, or cannot be resolved now;
    * `no-connection`: the connection is not accepted, or ends before a response;
    * `tls-failed`: the TLS handshake failed, or the certificate is not valid for the name;
    * `timed-out`: the time limit for connecting or for the response was reached;
    * `bad-answer`: the response is not HTTP, ends early, or is compressed although the request forbids it;
    * `answer-too-large`: a 2xx response has more than ANSWER_BYTES bytes.
    """

    status: int | None
    error: str | None
    body: bytes
    retry_after: float | None
    latency: int


class Sender:
    """Sends hundreds of requests concurrently. Use the sender as an async context manager, in the event loop that sends
    the requests.

    Endpoints' certificates are verified against OpenSSL's default certificate authorities: the system's, or those in
    SSL_CERT_FILE.
    """

    def __init__(self, networks: Networks, *, user_agent: str = USER_AGENT, lookup: Lookup | None = None) -> None:
        """Allow requests to endpoints in these private networks. `lookup` replaces the system's resolver."""
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
        """Return this sender."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cancel the lookups that have not started."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PostResult:
        """Post a body and return the result. This method never raises an exception, whatever the endpoint does."""
        began = time.perf_counter()
        try:
            result = await self._post(url, headers, body)
        except _FAILURES as failure:
            result = PostResult(None, _code(failure), b"", None, 0)
        return result._replace(latency=round((time.perf_counter() - began) * 1000))

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> PostResult:
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
                return await _result_of(response)
        finally:
            connector.abort_connection()

    async def _look_up(self, name: str) -> Sequence[str]:
        lookup = partial(socket.getaddrinfo, name, None, type=socket.SOCK_STREAM)
        infos = await asyncio.get_running_loop().run_in_executor(self._threads, lookup)
        return [str(address[0]) for *_, address in infos]


class _Connector(aiohttp.TCPConnector):
    """Opens a request's connection, starts the time limit for the response, and aborts the connection at the end."""

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

    def abort_connection(self) -> None:
        """Abort the connection, if one was opened."""
        if self._transport is not None:
            abort(self._transport)


def abort(transport: asyncio.Transport) -> None:
    """Abort a connection. A normal close would wait half a minute if the endpoint did not close its side."""
    # In Python 3.11 only, the TLS transport raises this error if it was already closed twice.
    with contextlib.suppress(AttributeError):
        transport.abort()


class _CheckedNames(AbstractResolver):
    """Resolves names, and refuses a name if any of its addresses is not allowed.

    A name with both public and private addresses is a sign of an attack or a mistake. If such a name were allowed,
    chance would decide which address is used. aiohttp calls this class only for names, so a numeric address in a URL is
    checked together with the URL.
    """

    def __init__(self, lookup: Lookup, allowed: Callable[[Address], bool]) -> None:
        self._lookup = lookup
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the numeric addresses of a name, after checking them. Raises: RefusedAddress, OSError."""
        addresses = [ip_address(text) for text in await self._lookup(host)]
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, f"{host} has no address")
        if not all(self._allowed(address) for address in addresses):
            raise RefusedAddress(f"{host} resolves to an address that is not public: all its addresses must be public")
        numeric = partial(ResolveResult, hostname=host, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
        return [numeric(host=str(address)) for address in addresses[:MOST_ADDRESSES]]

    async def close(self) -> None:
        """Do nothing, because the sender owns the resources."""


class _BadAnswer(Exception):
    """A response is compressed."""


class _TooLarge(Exception):
    """A response has more than ANSWER_BYTES bytes."""


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
"""The code for each exception class. The first class that matches determines the code."""
_FAILURES = tuple(_CODES)


def _code(failure: Exception) -> str:
    return next(code for kind, code in _CODES.items() if isinstance(failure, kind))


async def _result_of(response: aiohttp.ClientResponse) -> PostResult:
    """Return the result for an endpoint's response. Raises: _BadAnswer, _TooLarge, aiohttp.ClientError."""
    body = await _body(response) if 200 <= response.status < 300 else b""
    return PostResult(
        response.status, None, body, _retry_after(response.headers.get("Retry-After"), datetime.now(UTC)), 0
    )


async def _body(response: aiohttp.ClientResponse) -> bytes:
    # Compressed bodies are never decompressed: a few bytes may expand to gigabytes.
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise _BadAnswer
    try:
        await response.content.readexactly(ANSWER_BYTES + 1)
    except IncompleteReadError as ended:
        return ended.partial
    raise _TooLarge


def _retry_after(text: str | None, now: datetime) -> float | None:
    """Return how many seconds to wait according to a Retry-After header (RFC 9110, section 10.2.3), or None if the
    header cannot be read.

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
    # Of the three date formats in HTTP, only the asctime format does not name the time zone, which is GMT.
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max((then - now).total_seconds(), 0.0)
