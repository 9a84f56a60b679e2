"""Webhooks: verified deliveries, and adapters that answer each turn with the move that a function chooses.

`choose` takes the game as its player sees it, and returns one of its `moves`, or None to move later with a request.
All other events go to `on_event`. With Starlette and FastAPI, both may be coroutine functions; others run in a thread.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .errors import BadSignature

Taker: TypeAlias = Callable[[Any], Any]
Secret: TypeAlias = str | Sequence[str]


def verify(body: bytes, headers: Mapping[str, str], secret: Secret, *, tolerance: float = 300) -> Any:
    """Return the event in a delivery; `secret` may be several, and `tolerance` is in seconds. Raises: BadSignature."""
    try:
        given = {name.lower(): value for name, value in headers.items()}
        sent, signatures = given["webhook-timestamp"], given["webhook-signature"].encode().split(b" ")
        content = f"{given['webhook-id']}.{sent}.".encode() + body
        late = abs(time.time() - int(sent)) > tolerance
    except (KeyError, ValueError):
        raise BadSignature("a header of the signature is missing or malformed") from None
    for one in [secret] if isinstance(secret, str) else secret:
        key = base64.b64decode(one.removeprefix("whsec_"), validate=True)
        if len(key) < 24:
            raise ValueError("a webhook secret has at least 24 bytes")
        expected = b"v1," + base64.b64encode(hmac.digest(key, content, "sha256"))
        if any(hmac.compare_digest(signature, expected) for signature in signatures) and not late:
            return json.loads(body)
    raise BadSignature("the delivery was sent too long ago, or the clocks differ" if late else "no signature is valid")


def flask(choose: Taker, secret: Secret, on_event: Taker | None = None) -> Callable[[], Any]:
    """Return a view for `Flask.add_url_rule`."""
    from flask import jsonify, request

    def condottiere() -> Any:
        try:
            event = verify(request.get_data(), dict(request.headers), secret)
        except BadSignature:
            return "", 401
        name, value, status = _answer(event, choose, on_event)
        return (jsonify({name: value}), 200) if name and value is not None else ("", status)

    return condottiere


def starlette(choose: Taker, secret: Secret, on_event: Taker | None = None) -> Callable[[Any], Any]:
    """Return an endpoint for a `Route` of Starlette, or for `FastAPI.add_route`."""
    from starlette.responses import JSONResponse, Response

    async def condottiere(request: Any) -> Any:
        try:
            event = verify(await request.body(), request.headers, secret)
        except BadSignature:
            return Response(status_code=401)
        name, value, status = await asyncio.to_thread(_answer, event, choose, on_event)
        value = await value if asyncio.iscoroutine(value) else value
        return JSONResponse({name: value}) if name and value is not None else Response(status_code=status)

    return condottiere


def _answer(event: Any, choose: Taker, on_event: Taker | None) -> tuple[str, Any, int]:
    """Return the member of the answer, its value, and the status if there is no value."""
    if event["type"] == "ping":
        return "challenge", event["data"]["challenge"], 200
    if event["type"] == "turn.started" and "view" in event["data"]:
        return "move", choose(event["data"]["view"]), 202
    return "", on_event(event) if on_event else None, 204
