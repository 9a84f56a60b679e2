"""Webhooks: verified deliveries, and adapters that answer each turn with the move that a function chooses.

`choose` gets the game as its player sees it. `choose` returns one of the game's `moves`, or None if your program will
send the move later in a request. `on_event` gets every other event, together with the `webhook-id`. If a delivery
arrives twice, both copies have the same `webhook-id`. With Starlette and FastAPI, both functions may be coroutine
functions. Functions that are not coroutine functions run in a thread. If a body has more than 4 MiB, the response is
413.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .errors import BadSignature

Chooser: TypeAlias = Callable[[Any], Any]
Taker: TypeAlias = Callable[[Any, str], Any]
Secret: TypeAlias = str | Sequence[str]
LARGEST = 2**22
"""The maximum size of a delivery, in bytes."""
NUMBERS = itertools.count(1)
"""A counter that makes the names of views unique, because Flask requires unique names."""


def verify(body: bytes, headers: Mapping[str, str], secret: Secret, *, tolerance: float = 300) -> Any:
    """Return the event in a delivery, after verifying the signature.

    `secret` is one secret or a sequence of secrets, any of which may have signed the delivery. `tolerance` is the
    maximum difference, in seconds, between the time in the delivery's headers and the current time. Raises:
    BadSignature, or ValueError if a secret is malformed.
    """
    try:
        given = {name.lower(): value for name, value in headers.items()}
        sent, signatures = given["webhook-timestamp"], given["webhook-signature"].encode().split(b" ")
        content = f"{given['webhook-id']}.{sent}.".encode() + body
        late = abs(time.time() - int(sent)) > tolerance
    except (KeyError, ValueError):
        raise BadSignature("a header that the signature needs is missing or malformed") from None
    for key in _keys(secret):
        expected = b"v1," + base64.b64encode(hmac.digest(key, content, "sha256"))
        if any(hmac.compare_digest(signature, expected) for signature in signatures) and not late:
            return json.loads(body)
    raise BadSignature("the delivery was sent too long ago, or the clocks differ" if late else "no signature is valid")


def _keys(secret: Secret) -> list[bytes]:
    """Decode secrets. Raises: ValueError."""
    secrets = [secret] if isinstance(secret, str) else secret
    keys = [base64.b64decode(one.removeprefix("whsec_"), validate=True) for one in secrets]
    if not keys or any(len(key) < 24 for key in keys):
        raise ValueError("a webhook needs a secret of at least 24 bytes")
    return keys


def flask(choose: Chooser, secret: Secret, on_event: Taker | None = None) -> Callable[[], Any]:
    """Return a view for `Flask.add_url_rule`. Raises: ValueError if a secret is malformed."""
    from flask import jsonify, request

    _keys(secret)

    def condottiere() -> Any:
        # Flask responds with 413 if the body is longer.
        request.max_content_length = min(request.max_content_length or LARGEST, LARGEST)
        try:
            event = verify(request.get_data(), dict(request.headers), secret)
        except BadSignature:
            return "", 401
        name, value, status = _answer(event, request.headers["webhook-id"], choose, on_event)
        return (jsonify({name: value}), 200) if name and value is not None else ("", status)

    condottiere.__name__ += f"_{next(NUMBERS)}"
    return condottiere


def starlette(choose: Chooser, secret: Secret, on_event: Taker | None = None) -> Callable[[Any], Any]:
    """Return an endpoint for Starlette's `Route` or `FastAPI.add_route`. Raises: ValueError for a malformed secret."""
    from starlette.responses import JSONResponse, Response

    _keys(secret)

    async def condottiere(request: Any) -> Any:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return Response(status_code=413)
        try:
            event = verify(bytes(body), request.headers, secret)
        except BadSignature:
            return Response(status_code=401)
        name, value, status = await asyncio.to_thread(_answer, event, request.headers["webhook-id"], choose, on_event)
        value = await value if asyncio.iscoroutine(value) else value
        return JSONResponse({name: value}) if name and value is not None else Response(status_code=status)

    return condottiere


def _answer(event: Any, delivery: str, choose: Chooser, on_event: Taker | None) -> tuple[str, Any, int]:
    """Return the name and value of the response's only member, and the status to send if the value is None."""
    if event["type"] == "ping":
        return "challenge", event["data"]["challenge"], 200
    if event["type"] == "turn.started" and "view" in event["data"]:
        return "move", choose(event["data"]["view"]), 202
    return "", on_event(event, delivery) if on_event else None, 204
