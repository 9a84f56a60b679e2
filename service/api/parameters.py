"""Descriptions of path and header parameters. Query parameters are in `schemas/queries.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine import DEFAULT, EDITIONS

from ..views.feeds import START
from .conditions import KEY, SECRET_KEY_LENGTH
from .examples import ANNOUNCEMENT_ID, BROWSER_ID, CLAUSE, GAME_ID, MESSAGE_ID, PLAYER, REPORT_ID, TOKEN_ID, WEBHOOK_ID

Parameter = dict[str, Any]

_TAGS = {"type": "string", "pattern": r'^(?:\*|(?:,[ \t]*)*(?:W/)?"[!#-~]*"(?:[ \t]*,(?:[ \t]*(?:W/)?"[!#-~]*")?)*)$'}


def _text_in_path(name: str, description: str, example: str) -> Parameter:
    schema = {"type": "string", "minLength": 1}
    return {"in": "path", "name": name, "description": description, "required": True, "schema": schema} | {
        "example": example
    }


def _number_in_path(name: str, description: str, example: int) -> Parameter:
    schema = {"type": "integer", "minimum": 0}
    return {"in": "path", "name": name, "description": description, "required": True, "schema": schema} | {
        "example": example
    }


_IN_PATHS = {
    parameter["name"]: parameter
    for parameter in (
        _text_in_path("game_id", "The `id` of a game.", GAME_ID),
        _text_in_path("player_id", "The `id` of a player.", PLAYER["id"]),
        _text_in_path("token_id", "The `id` of one of your tokens.", TOKEN_ID),
        _text_in_path("announcement_id", "The `id` of an announcement.", ANNOUNCEMENT_ID),
        _text_in_path("message_id", "The `id` of a message.", MESSAGE_ID),
        _text_in_path("report_id", "The `id` of a report.", REPORT_ID),
        _text_in_path("webhook_id", "The `id` of a webhook.", WEBHOOK_ID),
        _text_in_path("browser_id", "The `id` of one of your browsers.", BROWSER_ID),
        _number_in_path("number", "The `number` of a delivery.", 7),
        _text_in_path("key", "The `key` of an edition.", DEFAULT),
        _text_in_path("one", "The `key` of an edition.", DEFAULT),
        _text_in_path("other", "The `key` of another edition.", next(key for key in EDITIONS if key != DEFAULT)),
        _text_in_path("clause", "The `number` of a clause, such as the `clause` that a problem names.", CLAUSE),
    )
}

IF_MATCH: Parameter = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "description": 'The version of the game that you saw, in quotes, such as `"7"`, or the ETag of the response that '
    "showed it. "
    "If you send a list of versions, one of them must match. `*` matches any version. With `*`, the server makes the "
    "move if the rules allow it, even if the game has changed. A weak tag (`W/`) "
    "never matches.",
    "schema": _TAGS,
    "example": '"7"',
}
IF_MATCH_OR_NOT: Parameter = {
    "in": "header",
    "name": "If-Match",
    "description": "The ETag of the orders that you saw. If your orders have changed since, the server refuses the "
    "request. Without this header, or with `*`, the server always replaces the orders.",
    "schema": _TAGS,
    "example": '"3"',
}
IF_MATCH_OF_TURN: Parameter = {
    "in": "header",
    "name": "If-Match",
    "description": "The version of the game that you saw, in quotes, or the ETag of the response that showed it. If "
    "somebody has moved since, the server refuses the request. Without this header, or with `*`, the request "
    "applies to the current turn.",
    "schema": _TAGS,
    "example": '"7"',
}
IDEMPOTENCY_KEY: Parameter = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "A unique key for this request. If you repeat the request with the same key and body, the server "
    "does not carry it out again. You get the first response again, with the header "
    "`Idempotent-Replayed`. The server refuses the same key with a different body.",
    "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
    "example": "9f86d081-884c-4d65-9a2f-eaa0c55ad015",
}
SECRET_KEY: Parameter = {
    **IDEMPOTENCY_KEY,
    "description": "A secret key of 22 or more random characters (128 bits). If you repeat the request "
    "with the same key and body, you get the same token, so keep the key as secret as you "
    "keep the token.",
    "schema": {
        "type": "string",
        "pattern": f"^[\\x21-\\x7e]{{{SECRET_KEY_LENGTH},200}}$",
        "minLength": SECRET_KEY_LENGTH,
    },
    "example": "0hXPaBzLOy3wq2uQd2pRkA",
}
IF_NONE_MATCH: Parameter = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The ETag of an earlier response to the same request. If nothing has changed since, you get a 304 "
    "without a "
    "body.",
    "schema": {"type": "string"},
    "example": '"7.0.5c0ffee5"',
}
GAME_LINK: Parameter = {
    "in": "header",
    "name": "Game-Link",
    "description": "The secret of a private game's link. You need it if you neither own the game nor have a seat in "
    "it. Without it, you get the same response as for a game that does not exist.",
    "schema": {"type": "string"},
    "example": "0hXPaBzLOy3wq2uQd2pRkA",
}
REQUEST_ID: Parameter = {
    "in": "header",
    "name": "X-Request-Id",
    "description": "An id for this request, which appears in the response and in the server's log. The id has 1 to "
    "64 characters: letters, digits, `.`, `_` and `-`. If the id is missing or malformed, the server generates "
    "one.",
    "schema": {"type": "string"},
    "example": "4f5e2c80d71b9a36e0c8",
}
LAST_EVENT_ID: Parameter = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The `id` of the last event that you received from a stream, which is the `seq` of a commit. "
    "`Last-Event-ID` takes precedence over `after`.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
    "example": "7",
}
LAST_FEED_ID: Parameter = {
    **LAST_EVENT_ID,
    "description": "The `id` of the last event that you received from the stream. `Last-Event-ID` takes precedence "
    "over `after`.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
    "example": START,
}


NAMED: Mapping[str, Parameter] = {
    **{"".join(map(str.capitalize, name.split("_"))): parameter for name, parameter in _IN_PATHS.items()},
    "IfMatch": IF_MATCH,
    "IfMatchOrNot": IF_MATCH_OR_NOT,
    "IfMatchOfTurn": IF_MATCH_OF_TURN,
    "IdempotencyKey": IDEMPOTENCY_KEY,
    "SecretIdempotencyKey": SECRET_KEY,
    "IfNoneMatch": IF_NONE_MATCH,
    "GameLink": GAME_LINK,
    "RequestId": REQUEST_ID,
    "LastEventId": LAST_EVENT_ID,
    "LastFeedId": LAST_FEED_ID,
}
"""The shared parameters, by their name in the OpenAPI document."""


def of_path(rule: str) -> list[Parameter]:
    """Return the descriptions of a path's parameters. Raises: KeyError if this module does not describe a parameter.

    >>> [parameter["name"] for parameter in of_path("/players/<player_id>")]
    ['player_id']
    """
    return [_IN_PATHS[name] for name in re.findall(r"<(?:\w+:)?(\w+)>", rule)]
