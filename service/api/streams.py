"""Streams: the forms in which events are sent as they happen, and which form the client accepts.

Newline-delimited JSON: one commit a line, and an empty line as heartbeat. Server-sent events: the HTML standard, 9.2
(https://html.spec.whatwg.org/multipage/server-sent-events.html).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import orjson
from flask import Response, request

from ..problems import Problem
from ..views import failures
from ..views.feeds import Stream

JSON, LINES, SSE = "application/json", "application/x-ndjson", "text/event-stream"
END = b"event: end\ndata: {}\n\n"
"""The end of a server-sent stream after which nothing will ever follow."""


def _lines(batch: Sequence[dict[str, Any]] | None) -> bytes:
    if batch is None:
        return b""
    return b"".join(orjson.dumps(commit) + b"\n" for commit in batch) or b"\n"


def _sent_events(batch: Sequence[dict[str, Any]] | None) -> bytes:
    if batch is None:
        return END
    return b"".join(map(_sent_event, batch)) or b":\n\n"


def _sent_event(commit: dict[str, Any]) -> bytes:
    return b"id: %b\ndata: %b\n\n" % (str(commit.get("id", commit["seq"])).encode(), orjson.dumps(commit))


_FORMS: dict[str, Callable[[Sequence[dict[str, Any]] | None], bytes]] = {LINES: _lines, SSE: _sent_events}


def describe(example: dict[str, Any]) -> dict[int, Any]:
    """Return what the description of an operation says of its streams, given an example of its answer in JSON."""
    descriptions = {
        LINES: "One commit a line, as in `commits`; an empty line every 15 seconds, as a sign of life.",
        SSE: "One commit an event, as in `commits`; a comment every 15 seconds; `event: end` when nothing follows.",
    }
    return {
        200: {
            "content": {
                media_type: {
                    "schema": {"type": "string", "description": text},
                    "example": _FORMS[media_type](example["commits"][-1:]).decode(),
                }
                for media_type, text in descriptions.items()
            }
        }
    }


def preferred_media_type() -> str:
    """Return the media type that the Accept header prefers, JSON without one. Raises: Problem (not-acceptable)."""
    accepted = request.accept_mimetypes
    media_type = accepted.best_match((JSON, LINES, SSE)) if accepted else JSON
    if media_type is None:
        raise Problem("not-acceptable", f"this is sent as {JSON}, {LINES} or {SSE}")
    return media_type


def last_event_id(is_well_formed: Callable[[str], object]) -> str | None:
    """Return the Last-Event-ID, if one came and is well formed. Raises: Problem (malformed-header)."""
    event_id = request.headers.get("Last-Event-ID")
    if event_id is not None and not is_well_formed(event_id):
        raise Problem("malformed-header", "Last-Event-ID names an event as it was sent here")
    return event_id


def answer(stream: Stream, media_type: str) -> Response:
    """Return a stream in its form; 204 where nothing will ever follow. Raises: what the stream raises at its start."""
    chunks = map(_FORMS[media_type], stream)
    first = next(stream)
    if first is None:
        stream.close()
        return _add_headers(Response(status=204))
    # An iterator that has been emptied holds nothing: the first batch may be a whole game.
    body = chain(iter([_FORMS[media_type](first)]), _chunks_until_failure(chunks))
    response = Response(body, mimetype=media_type)
    response.call_on_close(stream.close)
    return _add_headers(response)


def _add_headers(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept, Authorization"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _chunks_until_failure(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield chunks until something fails. The stream then ends; when the client asks again, it gets the problem."""
    try:
        yield from chunks
    except Exception as error:
        if not isinstance(error, Problem) and failures.problem_of(error) is None:
            raise
