"""HTTP: one blueprint a resource, and what they share. It reads requests, asks one use case, and writes the answer.

No rule of the game lives here, and nothing that another way of asking would need too. Nobody here knows the store.

All resources share `callers` (whose token came), `conditions` (versions and keys), `bodies` (what else came), `context`
(what Flask keeps for a view) and `answers`. `resource` is their blueprint; `retries` wraps views that change something.

Libraries: apispec, flask, flask_smorest, flask_swagger_ui, marshmallow, orjson, werkzeug.
"""

from __future__ import annotations

import logging
from functools import partial
from importlib.metadata import version
from typing import Any

from flask import Flask, Response, request
from flask_smorest import Api
from werkzeug.exceptions import ClientDisconnected, HTTPException

from engine import BadOption, EngineError, Refusal, WrongSeats, command_to_record

from ..problems import PROBLEMS, Problem
from ..schemas.one_of import OneOfPlugin
from ..schemas.problems import ProblemSchema
from ..views import failures
from . import (
    clocks,
    context,
    editions,
    events,
    games,
    health,
    inbox,
    moves,
    orders,
    outbound,
    pages,
    players,
    webhooks,
)
from .answers import problem_answer, public_answer, public_body
from .bodies import LARGEST_BODY, refuse_unexpected_input
from .browsers import add_browser_headers
from .retries import honour_keys

log = logging.getLogger(__name__)

DESCRIPTION = """\
Play the board game Condottiere: two to six seats, hidden hands, by correspondence, against people and bots.

Register once, send your token as `Authorization: Bearer <token>`, open or join a game, and post one of the `moves`
that the game's view offers, with the version you saw in `If-Match`. Errors are RFC 9457 problems with a stable `code`.
"""


class CondottiereApi(Api):  # type: ignore[misc]
    """flask-smorest's Api with problems for errors."""

    ERROR_SCHEMA = ProblemSchema

    def _register_responses(self) -> None:
        response = {
            "description": "A problem: see its code.",
            "content": {"application/problem+json": {"schema": ProblemSchema}},
            "headers": {
                "Retry-After": {"description": "With 503: seconds to wait.", "schema": {"type": "integer"}},
                "WWW-Authenticate": {"description": "With 401.", "schema": {"type": "string"}},
                "Allow": {"description": "With 405: the methods there are.", "schema": {"type": "string"}},
            },
        }
        self.spec.components.response("DEFAULT_ERROR", response)

    def _register_pagination_header(self) -> None:
        """Lists have cursors in their bodies, and no header for pages."""

    def _register_error_handlers(self) -> None:
        self._app.register_error_handler(Exception, answer_error)


def register(app: Flask) -> CondottiereApi:
    """Give an app its resources, its problems and its pages."""
    app.config.update(
        API_TITLE="Condottiere",
        API_VERSION=version("condottiere-api"),
        OPENAPI_VERSION="3.1.0",
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        API_SPEC_OPTIONS={
            "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
            "security": [{"token": []}],
        },
    )
    app.before_request(refuse_unexpected_input)
    app.after_request(add_browser_headers)
    api = CondottiereApi(app, spec_kwargs={"marshmallow_plugin": OneOfPlugin()})
    for resource in (players, editions, games, moves, orders, events, inbox, clocks, webhooks, health):
        api.register_blueprint(resource.blueprint)
    outbound.describe(api.spec)
    app.register_blueprint(pages.blueprint)
    # Once in a process: flask-smorest would generate it for each request, at the cost of 80 requests for /v1/bots.
    app.add_url_rule("/openapi.json", "description", partial(public_answer, public_body(api.spec.to_dict())))
    honour_keys(app)
    return api


def answer_error(error: Exception) -> Response:
    """Return the problem that an exception means. Nothing that is not meant for the caller is in it."""
    return problem_answer(_problem(error))


def _problem(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case Refusal():
            return _refusal_problem(error)
        case WrongSeats():
            members: dict[str, Any] = {"fewest": error.fewest, "most": error.most}
            return Problem(error.code, str(error), edition=error.edition, clause=error.clause, **members)
        case BadOption():
            cited: dict[str, Any] = {"clause": error.clause} if error.clause else {}
            return Problem(error.code, str(error), edition=error.edition, option=error.option, **cited)
        case EngineError() if error.code in PROBLEMS:
            return Problem(error.code, str(error))
        case ClientDisconnected():
            return Problem("unreadable-request", "the body is truncated, or its chunked encoding is malformed")
        case HTTPException():
            return _http_problem(error)
    failures.note(context.games(), error)
    failure = failures.problem_of(error)
    if failure is not None:
        return failure
    log.exception("unhandled error on %s %s", request.method, request.path, exc_info=error)
    return Problem("internal-error", "something went wrong here; nothing that was answered is lost")


def _refusal_problem(refusal: Refusal) -> Problem:
    members: dict[str, Any] = {"edition": refusal.edition, "clause": refusal.clause}
    if refusal.field:
        members["field"] = refusal.field
    if refusal.legal:
        members["legal"] = [command_to_record(command) for command in refusal.legal]
    return Problem(refusal.code, str(refusal), **members)


HTTP_CODES = {404: "not-found", 405: "method-not-allowed", 413: "body-too-large", 416: "range-not-satisfiable"}
DETAILS = {
    "not-found": "nothing is served at this address; /openapi.json lists what is, and /docs shows it",
    "method-not-allowed": "the methods that this address takes stand in Allow",
    "body-too-large": f"a body has at most {LARGEST_BODY:,} bytes here",
}
"""Details in place of the framework's own, by code."""


def _http_problem(error: HTTPException) -> Problem:
    code = HTTP_CODES.get(error.code or 500)
    if code is None:
        log.warning("%s on %s %s", error, request.method, request.path)
        code = "malformed-header" if (error.code or 500) < 500 else "internal-error"
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Content-Range", "Retry-After")}
    return Problem(code, DETAILS.get(code) or error.description or PROBLEMS[code].title, headers=headers)
