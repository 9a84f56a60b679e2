"""Errors: converts each exception to the problem document that the client gets."""

from __future__ import annotations

import logging
from typing import Any

from flask import Response, request
from werkzeug.exceptions import BadHost, ClientDisconnected, HTTPException

from engine import BadOption, EngineError, Refusal, WrongSeats, command_to_record

from ..parking import Parked
from ..problems import PROBLEMS, Problem
from ..views import failures
from ..views.lines import LineRefused
from .answers import problem_answer
from .bodies import LARGEST_BODY
from .context import games
from .pages import is_of_api, not_found_page, prefers_page
from .requests import ParkedResponse

log = logging.getLogger(__name__)

HTTP_CODES = {404: "not-found", 405: "method-not-allowed", 413: "body-too-large", 416: "range-not-satisfiable"}
DETAILS = {
    "not-found": "there is nothing at this URL: see /docs for all URLs",
    "method-not-allowed": "use one of the methods in the Allow header",
    "body-too-large": f"a body may have at most {LARGEST_BODY:,} bytes: send a shorter body",
    "internal-error": "an unexpected error occurred on the server, but all acknowledged moves are stored: "
    "try again, and report the error to the operator if it recurs",
}
"""The `detail` of problems that Flask raises itself, by code."""


def answer_error(error: Exception) -> Response:
    """Return the problem document for an exception, without internal details.

    Outside the API, a browser gets a page instead of the `not-found` problem. A parked request (one that the gateway
    will repeat when something happens) gets an empty response, which the gateway discards.
    """
    if isinstance(error, Parked):
        return ParkedResponse(status=204)
    problem = _problem(error)
    if problem.code != "not-found" or is_of_api():
        return problem_answer(problem)
    response = not_found_page() if prefers_page() else problem_answer(problem)
    response.headers["Vary"] = "Accept"
    return response


def _problem(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case Refusal():
            return _refusal_problem(error)
        case LineRefused():
            return _refusal_problem(error.refusal, index=error.index)
        case WrongSeats():
            members: dict[str, Any] = {"fewest": error.fewest, "most": error.most}
            return Problem(error.code, str(error), edition=error.edition, clause=error.clause, **members)
        case BadOption():
            cited: dict[str, Any] = {"clause": error.clause} if error.clause else {}
            return Problem(error.code, str(error), edition=error.edition, option=error.option, **cited)
        case EngineError() if error.code in PROBLEMS:
            return Problem(error.code, str(error))
        case ClientDisconnected():
            return Problem(
                "unreadable-request",
                "the body is truncated, or its chunked encoding is malformed: check the request that your client sends",
            )
        case BadHost():
            return Problem("malformed-header", "Host must be the name or address of this server")
        case HTTPException():
            return _http_problem(error)
    failures.note(games(), error)
    failure = failures.problem_of(error)
    if failure is not None:
        return failure
    log.exception("unhandled error on %s %s", request.method, request.path, exc_info=error)
    return Problem("internal-error", DETAILS["internal-error"])


def _refusal_problem(refusal: Refusal, **members: Any) -> Problem:
    members |= {"edition": refusal.edition, "clause": refusal.clause}
    if refusal.field:
        members["field"] = refusal.field
    if refusal.legal:
        members["legal"] = [command_to_record(command) for command in refusal.legal]
    return Problem(refusal.code, str(refusal), **members)


def _http_problem(error: HTTPException) -> Problem:
    code = HTTP_CODES.get(error.code or 500)
    if code is None:
        log.warning("%s on %s %s", error, request.method, request.path)
        code = "malformed-header" if (error.code or 500) < 500 else "internal-error"
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Content-Range", "Retry-After")}
    return Problem(code, DETAILS.get(code) or error.description or PROBLEMS[code].title, headers=headers)
