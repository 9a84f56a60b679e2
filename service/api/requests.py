"""Requests: counts requests for the metrics, names each request's game in log lines, and returns the request's id."""

from __future__ import annotations

import time

from flask import Flask, Response, current_app, request

from ..logs import HEADER, current_request, name_game
from ..metrics.table import REQUEST_SECONDS, REQUESTS
from ..parking import STARTED
from .context import this_request

LABELS = "condottiere.labels"
"""The key in `app.extensions` for a table with each endpoint's label `operation`."""
PAGE, PREFLIGHT, NOTHING = "page", "preflight", "none"
"""The labels for pages and files, for browsers' preflight requests, and for URLs and methods without an operation."""
STATUSES = ("", "1xx", "2xx", "3xx", "4xx", "5xx")

REQUEST_ID = {
    HEADER: {
        "description": "The id of the request: the id that you sent if it was well-formed, or a new id. The server's "
        "log contains the id, so include it when you report a problem.",
        "schema": {"type": "string"},
        "example": "4f5e2c80d71b9a36e0c8",
    }
}
"""The description of the header with the request's id, for the OpenAPI document. Every response has this header."""


class ParkedResponse(Response):
    """The response to a parked request.

    The gateway discards this response, and later calls the app again for the same request.
    """


def label_operations(app: Flask) -> None:
    """Set each endpoint's label for the metrics, which is the id of its operation in the OpenAPI document."""
    labels: dict[str | None, str] = {None: NOTHING}
    for endpoint, view in app.view_functions.items():
        described = getattr(view, "_apidoc", {}).get("manual_doc", {})
        labels[endpoint] = described.get("operationId", PAGE)
    app.extensions[LABELS] = labels


def begin_request() -> None:
    """If the request's path names a game, name that game in every log line about the request."""
    path = request.view_args
    if path and "game_id" in path:
        name_game(path["game_id"])


def end_request(response: Response) -> Response:
    """Add the request's id to its response, count the request unless it was parked, and return the response."""
    response.headers[HEADER] = current_request()
    if not isinstance(response, ParkedResponse):
        current = this_request()
        label = PREFLIGHT if current.method == "OPTIONS" else current_app.extensions[LABELS][current.endpoint]
        REQUESTS.add(label, STATUSES[response.status_code // 100])
        REQUEST_SECONDS.observe(time.perf_counter() - current.environ[STARTED], label)
    return response
