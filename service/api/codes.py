"""Codes: the problems that each operation can return, as the OpenAPI document lists them.

Most codes follow from the input that an operation takes: a token, a query, a body, a key, or an id in its path. An
operation declares only the codes that do not follow from its input. Tests compare each operation's codes with the
problems that the functions behind its view can raise, and with the problems that real requests get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine import NEWEST

from ..problems import PROBLEMS

CONFLICT = 409

ANYWHERE = (
    "unreadable-request",
    "request-timeout",
    "address-too-long",
    "headers-too-large",
    "expectation-failed",
    "loop-detected",
)
"""The codes for requests that the server cannot read, or that are webhook deliveries. All operations have them."""
RULES = tuple(
    sorted(
        {
            code
            for edition in NEWEST.values()
            for code in edition.clauses
            if code in PROBLEMS and PROBLEMS[code].status == CONFLICT
        }
    )
)
"""The codes of problems for moves that the rules forbid. Each of these problems cites a clause."""
NOT_RUNNING = ("game-not-started", "game-cancelled", "game-over")
WAITS = ("too-many-own-waits",)
"""The additional codes of operations that can wait for events."""

_ALWAYS = ("unknown-field", "rate-limited")
_OF_BODIES = ("malformed-json", "body-too-large", "unsupported-media-type", "invalid-request")
"""The codes of operations that can change something. The server reads the body of such a request even if the
operation expects none."""
_OF_RECORDS = ("unsupported-media-type", "invalid-request")
_OF_TOKENS = ("token-unknown", "token-expired", "suspended", "scope-missing")
_OF_HEADERS: Mapping[str, Sequence[str]] = {
    "Idempotency-Key": ("malformed-header", "key-reused"),
    "If-Match": ("malformed-header",),
    "Last-Event-ID": ("malformed-header",),
}
_OF_PATHS: Mapping[str, str] = {
    "game_id": "unknown-game",
    "player_id": "unknown-player",
    "token_id": "unknown-token",
    "announcement_id": "unknown-announcement",
    "message_id": "unknown-message",
    "report_id": "unknown-report",
    "webhook_id": "unknown-webhook",
    "browser_id": "unknown-browser",
    "number": "unknown-delivery",
    "key": "unknown-edition",
    "one": "unknown-edition",
    "other": "unknown-edition",
    "clause": "unknown-clause",
}


def codes_of(
    rule: str,
    *,
    scope: str | None,
    token_optional: bool,
    takes: Iterable[str],
    is_record: bool,
    writes: bool,
    headers: Iterable[str],
    declared: Iterable[str],
) -> frozenset[str]:
    """Return the codes of an operation's problems with status 4xx.

    `takes` names the places from which the view takes input. `is_record` says whether the body is a record.
    """
    tokens = () if scope is None else _OF_TOKENS if token_optional else ("token-required", *_OF_TOKENS)
    bodies = () if not writes else _OF_RECORDS if is_record else _OF_BODIES
    query = ("invalid-request",) if "query" in takes else ()
    of_headers = [code for header in headers for code in _OF_HEADERS.get(header, ())]
    paths = [_OF_PATHS[name] for name in re.findall(r"<(?:\w+:)?(\w+)>", rule)]
    return frozenset((*_ALWAYS, *tokens, *bodies, *query, *of_headers, *paths, *declared))


def by_status(codes: Iterable[str]) -> Mapping[int, Sequence[str]]:
    """Return codes grouped by the status of their problems, in the order of `PROBLEMS`.

    >>> by_status(["unknown-field", "rate-limited", "invalid-request"])
    {422: ['invalid-request', 'unknown-field'], 429: ['rate-limited']}
    """
    wanted = set(codes)
    found: dict[int, list[str]] = {}
    for code, kind in PROBLEMS.items():
        if code in wanted:
            found.setdefault(kind.status, []).append(code)
    return dict(sorted(found.items()))
