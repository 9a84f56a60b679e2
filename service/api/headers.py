"""Headers of every answer: what it may not be taken for, and that pages of every site may read it (CORS).

Every origin may ask, because tokens travel in a header and never in a cookie. So these headers depend on nobody's
`Origin`, and there is nothing in them that a library would have to work out for every request (decision 0002). Terms:
the Fetch standard, 3.3 (https://fetch.spec.whatwg.org/#http-cors-protocol).
"""

from __future__ import annotations

from flask import Response, request

OPEN = ("/v1/", "/openapi.json")
"""Beginnings of the paths that pages of other sites may ask; the reference is for people."""
TO_ALL = {"X-Content-Type-Options": "nosniff"}
TO_EVERY_ORIGIN = {
    **TO_ALL,
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Idempotent-Replayed, Location, Retry-After",
}
PREFLIGHT = {
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
    ),
    "Access-Control-Allow-Methods": "DELETE, GET, HEAD, PATCH, POST, PUT",
    "Access-Control-Max-Age": "86400",
}
"""What a browser asks before it sends what a form could not have sent; seconds for which it may remember it."""


def with_headers(response: Response) -> Response:
    """Return an answer with the headers that it has in common with all the others."""
    asked = request._get_current_object()  # type: ignore[attr-defined]
    if not asked.path.startswith(OPEN):
        response.headers.extend(TO_ALL)
        return response
    response.headers.extend(TO_EVERY_ORIGIN)
    if asked.method == "OPTIONS":
        response.headers.extend(PREFLIGHT)
    return response
