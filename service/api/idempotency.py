"""Retries: if a request changes something, the server carries it out only once per Idempotency-Key.

This module wraps every view that can change something, so views need not handle keys themselves. If a view handles keys
differently, its route must say so.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import orjson
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from engine import EngineError

from .. import idempotency
from ..games.repository import load
from ..idempotency import Attempt
from ..problems import Problem
from .answers import JSON_FOR_ONE, GameResponse, game_answer, replay_mark
from .bodies import json_body
from .callers import caller
from .conditions import idempotency_key
from .context import games
from .resource import WRITES, View

RECORDED_HEADERS = ("Cache-Control", "ETag", "Location")
"""The headers that are recorded with a response. If the response contains a game, only `Location` is recorded, because
the other headers follow from the game."""


def honour_keys(app: Flask) -> None:
    """Wrap every view that can change something, so that it honours idempotency keys."""
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if WRITES & (rule.methods or set()) and not getattr(view, "honours_keys", False):
            app.view_functions[rule.endpoint] = _wrap(view)


def _wrap(view: View) -> View:
    @wraps(view)
    def call_once(**path: Any) -> Response:
        key = idempotency_key()
        if key is None:
            answer: Response = view(**path)
            return answer
        attempt = _begin(key)
        return _carry_out(view, path, attempt) if attempt.answer is None else _recorded_answer(attempt, attempt.answer)

    call_once.honours_keys = True  # type: ignore[attr-defined]
    return call_once


def _begin(key: str) -> Attempt:
    g.caller = caller()
    target = f"{request.method} {request.path}"
    return idempotency.begin(games().store, g.caller.id, target, key, _fingerprint())


def _fingerprint() -> str:
    """Return a hash of the request's body. The order of the body's members does not matter."""
    try:
        return idempotency.fingerprint_of(json_body())
    except orjson.JSONEncodeError:
        # orjson can read deeper nesting than it can write. No schema accepts a body with such deep nesting, so hash
        # the body's text.
        return idempotency.fingerprint_of(request.get_data(as_text=True))


def _carry_out(view: View, path: dict[str, Any], attempt: Attempt) -> Response:
    g.attempt = attempt
    try:
        answer: Response = view(**path)
    except (Problem, EngineError, HTTPException) as error:
        earlier = idempotency.release(games().store, attempt) if _is_refusal(error) else None
        if earlier is None:
            raise
        return _recorded_answer(attempt, earlier)
    record = _record(attempt, answer)
    first = idempotency.record(games().store, attempt, record)
    replayed = answer.replayed if isinstance(answer, GameResponse) else attempt.begun
    if first != record:
        answer = _recorded_answer(attempt, first)
    _set_replay_mark(answer, replayed=replayed)
    return answer


def _is_refusal(error: Exception) -> bool:
    """Return whether an error leads to a 4xx response. A request that gets a 4xx response has changed nothing."""
    return not isinstance(error, Problem) or error.kind.status < 500


def _record(attempt: Attempt, answer: Response) -> bytes:
    """Return the part of a response that must be recorded.

    If the response contains a game, only the game's version is recorded, because the log has the rest. A response with
    `no-store` contains a secret, so its record is encrypted.
    """
    headers = {name: answer.headers[name] for name in RECORDED_HEADERS if name in answer.headers}
    if not isinstance(answer, GameResponse):
        text = answer.get_data(as_text=True)
        record = orjson.dumps({"status": answer.status_code, "headers": headers, "body": text})
        is_secret = headers.get("Cache-Control") == "no-store"
        return orjson.dumps({"hidden": idempotency.hide(attempt, record)}) if is_secret else record
    members = {"status": answer.status_code, "game": answer.game, "version": answer.version}
    return orjson.dumps({**members, "headers": {"Location": headers["Location"]}} if "Location" in headers else members)


def _recorded_answer(attempt: Attempt, record: bytes) -> Response:
    """Return the recorded response, marked as a repetition."""
    members = orjson.loads(record)
    if "hidden" in members:
        members = orjson.loads(idempotency.reveal(attempt, members["hidden"]))
    if "game" in members:
        game = load(games(), members["game"]).at(members["version"])
        answer: Response = game_answer(game, caller().id, members["status"], members.get("headers"))
    else:
        headers = JSON_FOR_ONE if members["body"] else {}
        answer = Response(members["body"], members["status"], {**headers, **members["headers"]})
    _set_replay_mark(answer, replayed=True)
    return answer


def _set_replay_mark(answer: Response, *, replayed: bool) -> None:
    answer.headers.remove("Idempotent-Replayed")
    answer.headers.extend(replay_mark(replayed))
