"""The errors that this package raises. A `Problem` means that the server refused a request."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

import httpx


class CondottiereError(Exception):
    """The base class of all errors of this package."""


class Unreachable(CondottiereError):
    """No response arrived, or the response did not come from a Condottiere service."""


class BadSignature(CondottiereError):
    """The delivery's signature is missing or is not valid for the secret, or the delivery is too old."""


class Problem(CondottiereError):
    """The server refused the request. `code` is the kind of problem.

    `clause` is the number of the rule that forbids the request, or None if the server refused it for another reason.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after: int = 0) -> None:
        """Create a problem from the status, the body of the response, and the seconds in `Retry-After`."""
        super().__init__(status, body, retry_after)
        self.status, self.body, self.retry_after = status, body, retry_after
        self.code, self.detail = str(body.get("code", "")), str(body.get("detail", ""))
        self.edition, self.clause = body.get("edition"), body.get("clause")
        self.legal, self.request = body.get("legal"), body.get("request")

    def __str__(self) -> str:
        """Return the status, the code, the clause if there is one, and the detail."""
        clause = f" (clause {self.clause} of {self.edition})" if self.clause else ""
        return f"{self.status} {self.code}{clause}: {self.detail}"


class Unauthorized(Problem):
    """401: the token is missing, unknown, revoked or expired."""


class NotFound(Problem):
    """404: nothing with this id exists."""


class NotYourTurn(Problem):
    """409: it is another seat's turn."""


class IllegalMove(Problem):
    """409: a rule forbids the move. `clause` names the rule, and `legal` lists the legal moves."""


class StaleVersion(Problem):
    """412: the game has changed since the version that you saw."""


class RateLimited(Problem):
    """429: you have sent too many requests. Retry after `retry_after` seconds."""


LONG = 10**9
"""The number of seconds that replaces a number with ten or more digits: about 30 years."""
BY_STATUS = {401: Unauthorized, 404: NotFound, 412: StaleVersion, 429: RateLimited}


def problem_of(response: httpx.Response) -> Problem:
    """Return the error for a response with an error status, from the service or from a proxy."""
    body: Any = None
    with suppress(ValueError):
        body = response.json()
    body = body if isinstance(body, dict) else {"detail": response.reason_phrase}
    otherwise = IllegalMove if response.status_code == httpx.codes.CONFLICT and "clause" in body else Problem
    kind = BY_STATUS.get(response.status_code, otherwise)
    kind = NotYourTurn if body.get("code") == "not-your-turn" else kind
    return kind(response.status_code, body, seconds_until(response.headers.get("Retry-After", "")))


def seconds_until(header: str) -> int:
    """Return the seconds in a Retry-After header (RFC 9110, section 10.2.3), or 0 if it is malformed or in the past."""
    with suppress(ValueError, OverflowError):
        if re.fullmatch(r"[0-9]+", header):
            return int(header) if len(header) < 10 else LONG
        return max(0, ceil(parsedate_to_datetime(header).timestamp() - time.time()))
    return 0
