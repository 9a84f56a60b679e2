"""Refusals: the answers to input that never reaches the app as a request."""

from __future__ import annotations

from http import HTTPStatus

import orjson
from aiohttp import web

from ..api.bodies import LARGEST_BODY
from ..logs import HEADER, current_request
from ..metrics.table import REQUESTS
from ..problems import MEDIA_TYPE, Problem

SERVER = "condottiere"
"""The `Server` header: it does not name any software."""
LONGEST_ADDRESS = 4094
"""Bytes that a request's address may have, with its query."""
LONGEST_HEADER, MOST_HEADERS = 8190, 100

DETAILS = {
    "address-too-long": f"the URL, including the query, may have at most {LONGEST_ADDRESS:,} bytes: shorten it",
    "headers-too-large": f"a request may have at most {MOST_HEADERS} headers of at most {LONGEST_HEADER:,} bytes each: "
    "send fewer or shorter headers",
    "body-too-large": f"a body may have at most {LARGEST_BODY:,} bytes: send less",
    "expectation-failed": "the server supports only Expect: 100-continue: send that, or no Expect header",
    "internal-error": "the server failed unexpectedly; acknowledged moves are stored: try again, and report it to the "
    "operator if it recurs",
    "request-timeout": "the server stopped waiting for the rest of the request: send the whole request without delay",
    "too-many-connections": "the server has reached its limit of open connections: close those that you do not need, "
    "or retry later",
    "unreadable-request": "the server cannot parse this as an HTTP/1.1 request: check the bytes that your client sends",
}


class Refused(Exception):
    """A request is refused, and its connection not read any further; `code` is the problem's code."""

    def __init__(self, code: str) -> None:
        """Take the code."""
        super().__init__(DETAILS[code])
        self.code = code


def refusal(code: str) -> web.Response:
    """Return the answer that refuses a request; the connection is closed after it."""
    problem, request = _problem(code), current_request()
    headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", "Server": SERVER, "Connection": "close"}
    response = web.Response(body=_body(problem, request), status=problem.kind.status, headers=headers)
    response.headers[HEADER] = request
    response.force_close()
    return response


def raw_refusal(code: str) -> bytes:
    """Return the same refusal as raw bytes, for a connection on which no request has begun."""
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
    """Return the problem of a refusal, and count it as a request of no operation."""
    problem = Problem(code, DETAILS[code])
    REQUESTS.add("none", f"{problem.kind.status // 100}xx")
    return problem
