"""Responses: creates the responses for games, problems and other JSON, with their headers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
from flask import Response

from ..games.game import Snapshot
from ..games.table import OVER
from ..logs import current_request
from ..problems import MEDIA_TYPE, Problem
from ..views.game import show_game
from ..views.names import name_game, tag_of
from .conditions import make_conditional, version_tag
from .context import games

ETAG = {
    "ETag": {
        "description": "A strong entity tag. The tag consists of the game's version, the seat that sees the game, "
        "`open` if the game is over and nothing is hidden, and eight digits that stand for the names "
        "of the players.",
        "schema": {"type": "string"},
        "example": '"7.0.5c0ffee5"',
    }
}
LOCATION = {"Location": {"description": "The path of the new resource.", "schema": {"type": "string"}}}
REPLAYED = {
    "Idempotent-Replayed": {
        "description": "`true` if this response repeats the response to an earlier request with the same "
        "Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
RATE_LIMITS: dict[str, Any] = {
    "RateLimit-Policy": {
        "description": "The limits that count this request, each with its name, its number of requests (`q`) and "
        "its window in seconds (`w`). The header is missing if the service has no limits, or cannot "
        "count requests now.",
        "schema": {"type": "string"},
        "example": '"opening";q=30;w=3600',
    },
    "RateLimit": {
        "description": "How many more requests (`r`) each limit in `RateLimit-Policy` allows within the next `t` "
        "seconds.",
        "schema": {"type": "string"},
        "example": '"opening";r=29;t=3600',
    },
}
RETRY_AFTER = {
    "Retry-After": {"description": "The number of seconds to wait before you retry.", "schema": {"type": "integer"}}
}
PROBLEM_HEADERS: dict[int, dict[str, Any]] = {
    401: {
        "WWW-Authenticate": {
            "description": "The authentication scheme that the server expects.",
            "schema": {"type": "string"},
        }
    },
    429: RETRY_AFTER | RATE_LIMITS,
}
"""The headers of problem responses, by status, for the OpenAPI document."""
UNCHANGING = {"Cache-Control": "private, max-age=86400, immutable"}
"""The caching header of a response for one caller, if only the players' names in the response can change."""
JSON_FOR_ONE = {"Content-Type": "application/json", "Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""The headers of a JSON response for one caller."""


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with JSON for one caller, which shared caches must not store."""
    return Response(orjson.dumps(body), status, {**JSON_FOR_ONE, **(headers or {})})


def secret_answer(body: Any, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with JSON that contains a token or a secret. The response is neither cached nor compressed."""
    return answer(body, status, {"Cache-Control": "no-store", **(headers or {})})


class PublicBody(NamedTuple):
    """A body with its entity tag. The body is the same for every caller, and changes only with a new release."""

    text: bytes
    tag: str


def public_body(body: Any) -> PublicBody:
    """Serialise a body as JSON once, so that every request gets the same bytes."""
    return tagged(orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS))


def tagged(text: bytes) -> PublicBody:
    """Return a body with its entity tag."""
    return PublicBody(text, hashlib.sha256(text).hexdigest()[:32])


def public_answer(body: PublicBody) -> Response:
    """Return a response with a public body.

    Caches may keep the response for an hour. For another week, caches may serve the old response while they fetch a new
    one.
    """
    response = Response(body.text, mimetype="application/json")
    response.headers["Cache-Control"] = "public, max-age=3600, stale-while-revalidate=604800"
    response.set_etag(body.tag)
    return make_conditional(response)


def page_answer(body: PublicBody, mimetype: str, policy: str) -> Response:
    """Return a response that contains a page, or a file that pages need. `policy` is its Content-Security-Policy.

    Caches must revalidate the response every time, so that a page and its files come from the same release.
    """
    response = Response(body.text, mimetype=mimetype)
    response.headers["Cache-Control"] = "public, no-cache"
    response.headers["Content-Security-Policy"] = policy
    response.set_etag(body.tag)
    return make_conditional(response)


def problem_answer(problem: Problem) -> Response:
    """Return a problem response (`application/problem+json`) that contains the request's id."""
    body = orjson.dumps(problem.body() | {"request": current_request()})
    response = Response(body, problem.kind.status, mimetype=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers.extend(problem.headers)
    return response


class GameResponse(Response):
    """A response with a game as a player sees it. `replayed` says whether the response repeats an earlier one."""

    def __init__(self, view: dict[str, Any], *, replayed: bool, **options: Any) -> None:
        """Create the response from a view of the game. `options` are arguments for `Response`."""
        super().__init__(orjson.dumps(view), **options)
        self.game: str = view["id"]
        self.version: int = view["version"]
        self.replayed = replayed


def game_answer(
    game: Snapshot,
    player: str | None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    *,
    replayed: bool = False,
    now: Snapshot | None = None,
) -> GameResponse:
    """Return a response that contains a game as this player sees it, and the game's entity tag.

    If the response repeats an earlier one (`replayed`), a header says so. Even then, the response contains the players'
    current names. For `now`, see `show_game`. Reading the names takes a round trip unless this process has cached them.
    """
    view = name_game(games(), show_game(game, player, now))
    names = tag_of(view["seated"], view["owner_name"])
    tag = {"ETag": version_tag(game.version, view["you"], names, revealed=(now or game).revealed)}
    all_headers = {**JSON_FOR_ONE, **tag, **(headers or {}), **replay_mark(replayed)}
    return GameResponse(view, replayed=replayed, status=status, headers=all_headers)


def moment_answer(game: Snapshot, player: str | None, now: Snapshot) -> GameResponse:
    """Return a response with an earlier version of a game as this player sees it. `now` is the game as it is now.

    The log of a finished game does not change, so caches may reuse its views without revalidation. Caches may reuse a
    view for at most a day, because the names in it can change.
    """
    return game_answer(game, player, headers=UNCHANGING if now.status in OVER else None, now=now)


def replay_mark(replayed: bool) -> dict[str, str]:
    """Return the header that marks a repeated response, or no header if the response is not repeated."""
    return {"Idempotent-Replayed": "true"} if replayed else {}
