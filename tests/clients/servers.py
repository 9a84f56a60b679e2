"""A server that sends prepared responses to the Python client, and a blocking wrapper of the asynchronous client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

import httpx

Json = dict[str, Any]
URL = "http://condottiere.example"


class Script:
    """A list of responses, sent in order; if an element is an exception, it is raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        """Store the responses."""
        self.requests: list[httpx.Request] = []
        self._answers = list(answers)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Return the next response."""
        self.requests.append(request)
        assert self._answers, f"no response is left for {self.sent[-1]}"
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        # A response can be sent only once, and both clients use the same test parameters.
        whole = isinstance(answer.stream, httpx.ByteStream)
        content: Json = {"content": answer.content} if whole else {"stream": answer.stream}
        return httpx.Response(answer.status_code, headers=answer.headers, **content)

    @property
    def sent(self) -> list[str]:
        """The method and path of each request."""
        return [f"{request.method} {request.url.raw_path.decode()}" for request in self.requests]

    @property
    def over(self) -> bool:
        """Whether all responses have been sent."""
        return not self._answers


def good(body: Any = None, status: int = 200) -> httpx.Response:
    """Return a response with a JSON body."""
    return httpx.Response(status, json=body)


def problem(status: int, code: str = "", headers: Json | None = None, **members: Any) -> httpx.Response:
    """Return a problem response."""
    body = {"status": status, "code": code, "detail": f"about {code}", "request": "r1", **members}
    return httpx.Response(status, json=body, headers={"Content-Type": "application/problem+json", **(headers or {})})


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Content that arrives in chunks; if it `breaks`, the connection is lost at the end."""

    def __init__(self, chunks: Iterable[bytes], breaks: bool) -> None:
        """Store the chunks."""
        self._chunks, self._breaks = chunks, breaks
        self.closed = False

    def close(self) -> None:
        """Record that the connection was released."""
        self.closed = True

    def __iter__(self) -> Iterator[bytes]:
        """Yield each chunk."""
        yield from self._chunks
        if self._breaks:
            raise httpx.ReadError("reset")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield each chunk."""
        for chunk in self:
            yield chunk


def stream(*chunks: str | bytes, breaks: bool = False) -> httpx.Response:
    """Return a stream of events; if it `breaks`, the connection is lost at the end."""
    content = [chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks]
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Chunks(content, breaks))


def event(seq: int, **members: Any) -> str:
    """Return a commit in the format of a stream."""
    return f"id: {seq}\ndata: {json.dumps({'seq': seq, **members}, ensure_ascii=False)}\n\n"


END = "event: end\ndata: {}\n\n"


class Awaited:
    """A blocking wrapper around the asynchronous client and its objects: it runs their coroutines and iterators."""

    def __init__(self, thing: Any, loop: asyncio.AbstractEventLoop) -> None:
        """Wrap it."""
        self._thing, self._loop = thing, loop

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the wrapped object; methods are wrapped as well."""
        attribute = getattr(self._thing, name)
        return self._wrap(attribute) if callable(attribute) else attribute

    def _wrap(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            result = method(*args, **kwargs)
            return self._items(result) if hasattr(result, "__anext__") else self._loop.run_until_complete(result)

        return call

    def _items(self, items: Any) -> Iterator[Any]:
        try:
            while True:
                item = self._loop.run_until_complete(anext(items))
                yield item if isinstance(item, dict) else Awaited(item, self._loop)
        except StopAsyncIteration:
            return
