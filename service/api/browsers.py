"""Browsers: headers that let pages from any site read responses (CORS), and headers that stop browsers from guessing
media types.

Pages from any origin may send requests, because tokens are sent in a header and never in a cookie. The headers
therefore do not depend on `Origin`, and no CORS library is needed (decision 0002). The Fetch standard defines CORS and
its headers (3.3, https://fetch.spec.whatwg.org/#http-cors-protocol).
"""

from __future__ import annotations

from flask import Response

from .context import this_request

OPEN = ("/v1/", "/openapi")
"""Prefixes of the paths that pages from other sites may request. The API reference is for people, so it is not
included."""
TO_ALL = {"X-Content-Type-Options": "nosniff"}
TO_EVERY_ORIGIN = {
    **TO_ALL,
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
    ),
}
PREFLIGHT = {
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Game-Link, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
    ),
    "Access-Control-Allow-Methods": "DELETE, GET, HEAD, PATCH, POST, PUT",
    "Access-Control-Max-Age": "86400",
}
"""The headers of the response to a preflight request. A browser may cache this response for a day."""


def add_browser_headers(response: Response) -> Response:
    """Add the headers for browsers to a response, and return the response."""
    current = this_request()
    if not current.path.startswith(OPEN):
        response.headers.extend(TO_ALL)
        return response
    response.headers.extend(TO_EVERY_ORIGIN)
    if current.method == "OPTIONS":
        response.headers.extend(PREFLIGHT)
    return response
