"""Refusals: the responses to input that the gateway does not pass to the app."""

from __future__ import annotations

from http import HTTPStatus

import orjson
from aiohttp import web
from multidict import CIMultiDict

from ..api.bodies import LARGEST_BODY
from ..api.browsers import TO_EVERY_ORIGIN
from ..logs import HEADER, current_request
from ..metrics.table import REQUESTS, count_limit
from ..problems import MEDIA_TYPE, Problem
from ..records.reading import OVER_HTTP
from .guard import BURST, NAME, WINDOW

SERVER = "condottiere"
"""The value of the `Server` header, which does not name any software."""
LONGEST_ADDRESS = 4094
"""The maximum length of a request's URL, including the query, in bytes."""
LONGEST_HEADER, MOST_HEADERS = 8190, 100

RATE_LIMITED = "rate-limited"
DELAY = 1
"""Seconds by which the refusal is delayed if a caller sends too many requests. Retry-After has the same value."""

DETAILS = {
    "address-too-long": f"the URL, including the query, may have at most {LONGEST_ADDRESS:,} bytes: shorten it",
    "headers-too-large": f"a request may have at most {MOST_HEADERS} headers of at most {LONGEST_HEADER:,} bytes each: "
    "send fewer or shorter headers",
    "body-too-large": f"a body may have at most {LARGEST_BODY:,} bytes: send a shorter body",
    "record-too-large": f"a record sent over HTTP may have at most {OVER_HTTP.bytes:,} bytes: verify this record with "
    "`condottiere verify`",
    "verifier-busy": "too many records are being verified right now: try again in a few seconds",
    "expectation-failed": "the only Expect header that the server supports is `Expect: 100-continue`: send this "
    "header, or none",
    "internal-error": "an unexpected error occurred on the server, but all acknowledged moves are stored: "
    "try again, and report the error to the operator if it recurs",
    RATE_LIMITED: f"the limit {NAME} allows {BURST} requests in {WINDOW} seconds in this process: send fewer requests",
    "request-timeout": "the server stopped waiting for the rest of the request: send the whole request without delay",
    "too-many-connections": "too many connections are open, in total or from your address: close the "
    "connections that you do not need, or retry later",
    "unreadable-request": "the server cannot parse this as an HTTP/1.1 request: check the bytes that your client sends",
}


class Refused(Exception):
    """A request must be refused, and nothing more may be read from its connection. `code` is the problem's code."""

    def __init__(self, code: str) -> None:
        """Create the refusal whose problem has this code."""
        super().__init__(DETAILS[code])
        self.code = code


RATE_LIMITS = {
    "RateLimit-Policy": f'"{NAME}";q={BURST};w={WINDOW}',
    "RateLimit": f'"{NAME}";r=0;t={DELAY}',
    "Retry-After": str(DELAY),
}
"""The headers of the response to a caller who sends too many requests."""


def refusal(code: str) -> web.Response:
    """Return the response that refuses a request. The connection is closed after this response."""
    problem, request = _problem(code), current_request()
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", "Server": SERVER, "Connection": "close"}
    headers |= RATE_LIMITS if code == RATE_LIMITED else {}
    response = web.Response(body=_body(problem, request), status=problem.kind.status, headers=headers)
    response.headers[HEADER] = request
    response.force_close()
    return response


def rate_limited() -> tuple[int, CIMultiDict[str], bytes]:
    """Return the status, headers and body of the refusal for a caller who sends too many requests.

    The connection stays open.
    """
    problem, request = _problem(RATE_LIMITED), current_request()
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", "Server": SERVER, HEADER: request}
    headers |= RATE_LIMITS | TO_EVERY_ORIGIN
    return problem.kind.status, CIMultiDict(headers), _body(problem, request)


def raw_refusal(code: str) -> bytes:
    """Return a refusal as raw bytes, for a connection on which no request has begun."""
    problem, request = _problem(code), current_request()
    body = _body(problem, request)
    head = (
        f"HTTP/1.1 {problem.kind.status} {HTTPStatus(problem.kind.status).phrase}",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        f"Server: {SERVER}",
        f"{HEADER}: {request}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


def _body(problem: Problem, request: str) -> bytes:
    return orjson.dumps(problem.body() | {"request": request})


def _problem(code: str) -> Problem:
    """Return a refusal's problem, and count the refused request as a request without an operation."""
    if code == RATE_LIMITED:
        problem = Problem(code, DETAILS[code], limit=NAME)
        count_limit(NAME)
    else:
        problem = Problem(code, DETAILS[code])
    REQUESTS.add("none", f"{problem.kind.status // 100}xx")
    return problem
