"""Reads streams. Server-sent events are parsed by sseclient-py, which does not know this project."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sseclient import SSEClient

Json = dict[str, Any]

LINES, SSE = "application/x-ndjson", "text/event-stream"


class Sent(NamedTuple):
    """Something that a stream sent: its type, its id (server-sent events only), and its data."""

    type: str
    id: str | None
    data: Json


def read(media_type: str, chunks: Iterable[bytes]) -> Iterator[Sent]:
    """Yield what a stream sends as it arrives, without heartbeats."""
    if media_type == SSE:
        for event in SSEClient(chunks).events():
            yield Sent(event.event, event.id, json.loads(event.data))
    else:
        for line in _lines(chunks):
            if line:
                yield Sent("message", None, json.loads(line))


def seen(media_type: str, last: Sent) -> str:
    """Return the Last-Event-ID with which the stream continues after this event."""
    return str(last.id if media_type == SSE else last.data.get("id", last.data["seq"]))


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    assert not rest
