"""Answers: how games, other JSON and problems look on the wire, and which headers they have."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
from flask import Response

from ..games.game import Snapshot
from ..problems import MEDIA_TYPE, Problem
from ..views.game import show_game
from .conditions import unless_known, version_tag

ETAG = {
    "ETag": {
        "description": "The game's version, and the seat that it is shown to; strong.",
        "schema": {"type": "string"},
        "example": '"7.0"',
    }
}
LOCATION = {"Location": {"description": "Address of what was made.", "schema": {"type": "string"}}}
REPLAYED = {
    "Idempotent-Replayed": {
        "description": "true when this repeats the answer to an earlier request with the same Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
"""In the description: headers of answers."""
JSON_FOR_ONE = {"Content-Type": "application/json", "Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of an answer that is for whoever asked."""


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON that depends on who asks and may be kept only by whoever asked."""
    return Response(orjson.dumps(body), status, {**JSON_FOR_ONE, **(headers or {})})


class Public(NamedTuple):
    """A JSON body that is the same for everybody and changes only with a release, and its entity tag."""

    body: bytes
    tag: str


def public(body: Any) -> Public:
    """Return a body written as JSON, to be kept and answered as often as it is requested."""
    written = orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS)
    return Public(written, hashlib.sha256(written).hexdigest()[:32])


def public_answer(public: Public) -> Response:
    """Return an answer with a public body, which caches may keep for an hour."""
    response = Response(public.body, mimetype="application/json")
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.set_etag(public.tag)
    return unless_known(response)


def problem_answer(problem: Problem) -> Response:
    """Return a problem as application/problem+json."""
    response = Response(orjson.dumps(problem.body()), problem.kind.status, mimetype=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers.extend(problem.headers)
    return response


class GameShown(Response):
    """A game as a player sees it at a version; `repeated` when the request that shows it was made before."""

    def __init__(self, view: dict[str, Any], *, repeated: bool, **options: Any) -> None:
        """Take the view."""
        super().__init__(orjson.dumps(view), **options)
        self.game: str = view["id"]
        self.version: int = view["version"]
        self.repeated = repeated


def game_answer(
    game: Snapshot,
    player: str | None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    replayed: bool = False,
) -> GameShown:
    """Return a game as this player sees it, with its version as entity tag; `replayed` says that it is marked so."""
    view = show_game(game, player)
    tag = {"ETag": version_tag(game.version, view["you"])}
    sent = {**JSON_FOR_ONE, **tag, **(headers or {}), **repeated(replayed)}
    return GameShown(view, repeated=replayed, status=status, headers=sent)


def repeated(replayed: bool) -> dict[str, str]:
    """Return the headers that say whether an answer is a repetition of an earlier one."""
    return {"Idempotent-Replayed": "true"} if replayed else {}
