"""Streams: sends events as they happen, in a format that the client accepts.

Newline-delimited JSON has one commit per line, and an empty line as a heartbeat. The HTML standard defines server-sent
events (9.2, https://html.spec.whatwg.org/multipage/server-sent-events.html).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import orjson
from flask import Response, request

from ..games.repository import Games
from ..parking import Chunk, StreamBody
from ..problems import Problem
from ..views import feeds
from ..views.waiting import Waiter, place_for
from .callers import caller, caller_check, patience
from .context import games

JSON, LINES, SSE = "application/json", "application/x-ndjson", "text/event-stream"
END = b"event: end\ndata: {}\n\n"
"""The last event of a server-sent stream, which is sent when no more events can happen."""


def _lines(batch: Sequence[dict[str, Any]] | None) -> bytes:
    if batch is None:
        return b""
    return b"".join(orjson.dumps(commit) + b"\n" for commit in batch) or b"\n"


def _sent_events(batch: Sequence[dict[str, Any]] | None) -> bytes:
    if batch is None:
        return END
    return b"".join(map(_sent_event, batch)) or b":\n\n"


def _sent_event(commit: dict[str, Any]) -> bytes:
    event_id = commit["id"] if "id" in commit else commit["seq"]
    return b"id: %b\ndata: %b\n\n" % (str(event_id).encode(), orjson.dumps(commit))


_FORMS: dict[str, Callable[[Sequence[dict[str, Any]] | None], bytes]] = {LINES: _lines, SSE: _sent_events}


def describe(example: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a streamed response. `example` is a JSON response that contains the same events."""
    return {
        "schema": {"type": "string"},
        "content_type": SSE,
        "description": "A stream of events, each sent when it happens.",
        "example": _sent_events(example["commits"][-1:]).decode(),
    }


def preferred_media_type(*offered: str) -> str:
    """Return the offered media type that the client prefers, or the first one if there is no Accept header.

    Raises: Problem (not-acceptable).
    """
    accept = request.accept_mimetypes
    media_type = accept.best_match(offered) if accept else offered[0]
    if media_type is None:
        raise Problem("not-acceptable", f"Accept must allow {', '.join(offered[:-1])} or {offered[-1]}")
    return media_type


def last_event_id(is_well_formed: Callable[[str], object]) -> str | None:
    """Return the Last-Event-ID, or None if the header is missing.

    Raises: Problem (malformed-header) if the header is not well-formed.
    """
    event_id = request.headers.get("Last-Event-ID")
    if event_id is not None and not is_well_formed(event_id):
        raise Problem("malformed-header", "Last-Event-ID must be the id of an event that this stream sent")
    return event_id


def answer(follower: feeds.Follower, media_type: str) -> Response:
    """Return a response with a stream in this media type, or a 204 if the stream would have no events.

    Raises: Problem (unknown-game, invalid-request, token-unknown), TooManyWaits, StoreUnavailable, CorruptLog.
    """
    if "Authorization" in request.headers:
        # Identify the player before taking a place, because the place counts towards the player's share.
        caller()
    with ExitStack() as place:
        waiter = place.enter_context(place_for(games(), follower.topic, patience()))
        batch = feeds.begin(games(), follower, caller_check())
        if batch.over and not batch.commits:
            return _add_headers(Response(status=204))
        body = Stream(games(), follower, media_type, batch, waiter, place.pop_all())
        return _add_headers(Response(body, mimetype=media_type, direct_passthrough=True))


class Stream(StreamBody):
    """The body of a streamed response: a follower's batches of events, in one of the formats."""

    def __init__(
        self,
        games: Games,
        follower: feeds.Follower,
        media_type: str,
        batch: feeds.Batch,
        waiter: Waiter | None,
        place: ExitStack,
    ) -> None:
        """Create the stream, given its first batch and the place that the stream occupies.

        `waiter` wakes a stream that blocks a thread.
        """
        self.topic = follower.topic
        self.most_together = follower.most_together
        self.heartbeat = _FORMS[media_type]([])
        self._first = _chunk(batch, media_type)
        self._games = games
        self._follower = follower
        self._media_type = media_type
        self._waiter = waiter
        self._place = place

    @property
    def pause(self) -> float:
        return feeds.pause()

    @property
    def position(self) -> int:
        return self._follower.position

    def first(self) -> Chunk:
        chunk, self._first = self._first, Chunk(b"")
        return chunk if chunk.data else chunk._replace(data=self.heartbeat)

    @classmethod
    def next_chunks(cls, bodies: Sequence[Stream]) -> list[Chunk]:  # type: ignore[override]
        batches = feeds.next_batches(bodies[0]._games, [body._follower for body in bodies])
        chunks: dict[tuple[int, str], Chunk] = {}
        for body, batch in zip(bodies, batches, strict=True):
            if (id(batch), body._media_type) not in chunks:
                chunks[id(batch), body._media_type] = _chunk(batch, body._media_type)
        return [chunks[id(batch), body._media_type] for body, batch in zip(bodies, batches, strict=True)]

    def __iter__(self) -> Iterator[bytes]:
        chunk = self.first()
        yield chunk.data
        while not chunk.last:
            if not chunk.more and self._waiter is not None and not self._waiter.wait(self.pause):
                break
            (chunk,) = self.next_chunks([self])
            if chunk.data or not chunk.last:
                yield chunk.data or self.heartbeat

    def close(self) -> None:
        self._place.close()


def _chunk(batch: feeds.Batch | None, media_type: str) -> Chunk:
    """Return a batch as bytes.

    A `batch` of None means that the follower is no longer allowed to read. The client then gets no more bytes, not even
    the last event.
    """
    if batch is None:
        return Chunk(b"", last=True)
    format_batch = _FORMS[media_type]
    data = format_batch(batch.commits) if batch.commits else b""
    return Chunk(data + format_batch(None) if batch.over else data, batch.over, batch.more)


def _add_headers(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept, Authorization"
    response.headers["X-Accel-Buffering"] = "no"
    return response
