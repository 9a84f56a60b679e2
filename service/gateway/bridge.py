"""The bridge: converts a complete request to a WSGI call (PEP 3333), and collects the app's response."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from aiohttp import web
from multidict import CIMultiDict

from ..limits.addresses import Clients
from ..parking import ACCEPTED_PLAYER, PLACE, Place, StreamBody
from .compression import compressed, with_suffix, without_suffixes
from .refusals import SERVER

Environment = dict[str, Any]
App = Callable[[Environment, Callable[..., Any]], Iterable[bytes]]

CONDITIONS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")
NETWORK = "condottiere.network"
"""The key, in the WSGI environment, of the client's network. Limits count all addresses of a network together."""
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})
"""Headers that the app may not set, because they concern only the connection."""
_NOT_PASSED_ON = ("HTTP_TRANSFER_ENCODING", "HTTP_UPGRADE")
"""Request headers that concern only the connection. A server may ignore a client's offer to change the protocol (RFC
9110, 7.8), but Werkzeug refuses requests that offer WebSocket."""


class Answer(NamedTuple):
    """The app's response, with a body or a stream.

    `player` is the id of the player whose token the app has accepted. `cpu` is the CPU time of the call, in seconds.
    """

    status: int
    headers: CIMultiDict[str]
    body: bytes | StreamBody
    player: str | None = None
    cpu: float = 0.0


def environment(request: web.BaseRequest, body: bytes, clients: Clients) -> Environment:
    """Return a request's WSGI environment without the body and the request's place, which `call` adds later.

    REMOTE_ADDR is the client's address, which a trusted proxy may have reported. NETWORK is the name of the client's
    network. A header whose name has an underscore is omitted, because in the environment it would look like a header
    with a hyphen.
    """
    target = request.raw_path
    if not target.startswith("/"):
        target = request.rel_url.raw_path_qs
    path, _, query = target.partition("?")
    (client, client_port), (server, server_port) = map(_address, (request.protocol.peername, request.protocol.sockname))
    environ: Environment = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "REMOTE_PORT": client_port,
        "SERVER_NAME": server,
        "SERVER_PORT": server_port,
        "SERVER_PROTOCOL": f"HTTP/{request.version.major}.{request.version.minor}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in request.raw_headers:
        if b"_" in raw_name:
            continue
        name, value = _name(raw_name), raw_value.decode("latin-1")
        environ[name] = f"{environ[name]},{value}" if name in environ else value
    environ["REMOTE_ADDR"], environ[NETWORK] = clients.client(client, environ.get("HTTP_X_FORWARDED_FOR", ""))
    for name in _NOT_PASSED_ON:
        environ.pop(name, None)
    if body or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def call(app: App, environ: Environment, body: bytes, place: Place) -> Answer:
    """Return the app's response to a request, compressed if the client accepts compression.

    The whole body is collected before the function returns, unless the response is a stream. Raises: any exception that
    the app raises.
    """
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], None]:
        head[:] = [int(status[:3]), headers]
        return _write

    start = time.thread_time()
    environ = {**environ, "wsgi.input": io.BytesIO(body), PLACE: place}
    has_suffix = _strip_conditions(environ)
    result = app(environ, start_response)
    player = environ.get(ACCEPTED_PLAYER)
    status, headers = head[0], CIMultiDict(pair for pair in head[1] if pair[0].lower() not in _HOP_BY_HOP)
    headers["Server"] = SERVER
    if environ["REQUEST_METHOD"] != "HEAD":
        headers.popall("Content-Length", None)
    if isinstance(result, StreamBody):
        return Answer(status, headers, result, player, time.thread_time() - start)
    try:
        content = b"".join(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    if status == 304 and has_suffix and "ETag" in headers:
        headers["ETag"] = with_suffix(headers["ETag"])
    data = compressed(content, status, headers, environ.get("HTTP_ACCEPT_ENCODING"))
    return Answer(status, headers, data, player, time.thread_time() - start)


def _strip_conditions(environ: Environment) -> bool:
    """In a request's conditional headers, replace the entity tags of compressed responses with the app's own tags.

    Returns whether the request contained such tags.
    """
    has_suffix = False
    for name in CONDITIONS:
        if name in environ:
            tags = without_suffixes(environ[name])
            has_suffix = has_suffix or tags != environ[name]
            environ[name] = tags
    return has_suffix


def _address(name: Any) -> tuple[str, str]:
    """Return the host and port of one end of a connection. For a Unix socket, host and port are empty."""
    return (name[0], str(name[1])) if isinstance(name, tuple) else ("", "")


@lru_cache(1024)
def _name(header: bytes) -> str:
    """Return the key of a header in the WSGI environment."""
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"


def _write(data: bytes) -> None:
    """Reject the use of `write`, a callable that PEP 3333 defines only for old frameworks."""
    raise NotImplementedError("this server supports only returned responses, not write()")
