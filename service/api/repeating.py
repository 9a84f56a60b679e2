"""Repeating: every request that may change something is carried out once for each Idempotency-Key.

It wraps all views of such requests, so that none can be forgotten. A view that honours keys in a way of its own says so
where it takes its path.
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

KEPT_HEADERS = ("ETag", "Location")
"""Headers of an answer that are recorded with it; a game's entity tag follows from its version."""


def honour_keys(app: Flask) -> None:
    """Let every view that may change something honour keys."""
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        if WRITES & (rule.methods or set()) and not getattr(view, "honours_keys", False):
            app.view_functions[rule.endpoint] = _once(view)


def _once(view: View) -> View:
    @wraps(view)
    def asked(**path: Any) -> Response:
        key = idempotency_key()
        if key is None:
            answer: Response = view(**path)
            return answer
        attempt = _begun(key)
        return _carried_out(view, path, attempt) if attempt.answer is None else _again(attempt.answer)

    asked.honours_keys = True  # type: ignore[attr-defined]
    return asked


def _begun(key: str) -> Attempt:
    g.caller = caller()
    target = f"{request.method} {request.path}"
    return idempotency.begin(games().store, g.caller.id, target, key, _fingerprint())


def _fingerprint() -> str:
    """Return the fingerprint of the body that came, the same however its members are ordered."""
    try:
        return idempotency.fingerprint_of(json_body())
    except orjson.JSONEncodeError:
        # orjson reads what is nested deeper than it writes. No schema takes that, so its text will do.
        return idempotency.fingerprint_of(request.get_data(as_text=True))


def _carried_out(view: View, path: dict[str, Any], attempt: Attempt) -> Response:
    g.attempt = attempt
    try:
        answer: Response = view(**path)
    except (Problem, EngineError, HTTPException) as error:
        earlier = idempotency.release(games().store, attempt) if _is_refusal(error) else None
        if earlier is None:
            raise
        return _again(earlier)
    record = _record(answer)
    counts = idempotency.record(games().store, attempt, record)
    replayed = answer.replayed if isinstance(answer, GameResponse) else attempt.begun
    if counts != record:
        answer = _again(counts)
    _mark(answer, replayed=replayed)
    return answer


def _is_refusal(error: Exception) -> bool:
    """Return whether a request ends in a 4xx, and has changed nothing."""
    return not isinstance(error, Problem) or error.kind.status < 500


def _record(answer: Response) -> bytes:
    """Return an answer as it is recorded: that of a game by its version, since the log says the rest."""
    headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    if not isinstance(answer, GameResponse):
        text = answer.get_data(as_text=True)
        return orjson.dumps({"status": answer.status_code, "headers": headers, "body": text})
    del headers["ETag"]
    kept = {"status": answer.status_code, "game": answer.game, "version": answer.version}
    return orjson.dumps({**kept, "headers": headers} if headers else kept)


def _again(recorded: bytes) -> Response:
    """Return an answer that was recorded."""
    kept = orjson.loads(recorded)
    if "game" in kept:
        game = load(games(), kept["game"])
        answer: Response = game_answer(game.at(kept["version"]), caller().id, kept["status"], kept.get("headers"))
    else:
        headers = JSON_FOR_ONE if kept["body"] else {}
        answer = Response(kept["body"], kept["status"], {**headers, **kept["headers"]})
    _mark(answer, replayed=True)
    return answer


def _mark(answer: Response, *, replayed: bool) -> None:
    answer.headers.remove("Idempotent-Replayed")
    answer.headers.extend(replay_mark(replayed))
