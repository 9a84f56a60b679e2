"""The bridge: a request that has arrived, as WSGI (PEP 3333) wants it, and the answer of the app."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from aiohttp import web
from multidict import CIMultiDict

from ..parking import PLACE, Place, StreamBody
from .compression import compressed, with_suffix, without_suffixes
from .refusals import SERVER

Environment = dict[str, Any]
App = Callable[[Environment, Callable[..., Any]], Iterable[bytes]]

CONDITIONS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")
_HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})
"""Headers of an answer that are for whoever writes it."""


class Answer(NamedTuple):
    """What the app has answered: a body, or a stream."""

    status: int
    headers: CIMultiDict[str]
    body: bytes | StreamBody


def environment(request: web.BaseRequest, body: bytes) -> Environment:
    """Return the environment of a request, but for its body's stream and its place.

    A header whose name has an underscore is left out: it could pass for one with a hyphen there.
    """
    target = request.raw_path
    if not target.startswith("/"):
        address = urlsplit(target)
        target = f"{address.path or '/'}?{address.query}"
    path, _, query = target.partition("?")
    (client, client_port), (server, server_port) = map(_address, (request.protocol.peername, request.protocol.sockname))
    environ: Environment = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "REMOTE_ADDR": client,
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
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    if body or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def call(app: App, environ: Environment, body: bytes, place: Place) -> Answer:
    """Return what the app answers to a request, compressed where its client accepts that.

    Of an answer that goes on for longer than its request only streams may be made. Raises: what the app raises.
    """
    begun: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], None]:
        begun[:] = [int(status[:3]), headers]
        return _write

    environ = {**environ, "wsgi.input": io.BytesIO(body), PLACE: place}
    tagged = _strip_conditions(environ)
    answered = app(environ, start_response)
    status, headers = begun[0], CIMultiDict(pair for pair in begun[1] if pair[0].lower() not in _HOP_BY_HOP)
    headers["Server"] = SERVER
    if environ["REQUEST_METHOD"] != "HEAD":
        headers.popall("Content-Length", None)
    if isinstance(answered, StreamBody):
        return Answer(status, headers, answered)
    try:
        content = b"".join(answered)
    finally:
        if hasattr(answered, "close"):
            answered.close()
    if status == 304 and tagged and "ETag" in headers:
        headers["ETag"] = with_suffix(headers["ETag"])
    return Answer(status, headers, compressed(content, status, headers, environ.get("HTTP_ACCEPT_ENCODING")))


def _strip_conditions(environ: Environment) -> bool:
    """Have the app see its own entity tags, and return whether any was that of a compressed answer."""
    tagged = False
    for name in CONDITIONS:
        if name in environ:
            tags = without_suffixes(environ[name])
            tagged = tagged or tags != environ[name]
            environ[name] = tags
    return tagged


def _address(name: Any) -> tuple[str, str]:
    """Return host and port of one end of a connection; a Unix socket has neither."""
    return (name[0], str(name[1])) if isinstance(name, tuple) else ("", "")


@lru_cache(1024)
def _name(header: bytes) -> str:
    """Return how a header is called in the environment."""
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"


def _write(data: bytes) -> None:
    """Refuse what PEP 3333 keeps for old frameworks."""
    raise NotImplementedError("answers are returned here, not written")
