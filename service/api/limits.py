"""Limits: counts requests for limited operations before their views run, and refuses requests that exceed a limit.

A request with an invalid token is not counted until its response is sent. With `CONDOTTIERE_LIMITS=off`, nothing is
counted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import partial

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from ..config import Config
from ..limits.addresses import network_of
from ..limits.counting import Counts, Standing
from ..limits.headers import headers_of
from ..limits.table import ADDRESS, ALL, ESTABLISHED, NEW, OPENING, REFUSED_LOGINS, Limit, games_in, limits
from ..metrics.table import count_limit
from ..parking import KNOWN_PLAYER
from ..problems import Problem
from .answers import problem_answer
from .bodies import json_body
from .callers import caller
from .context import games

EXTENSION = "limits"
"""The key in `app.extensions` of the app's `Limits`."""


class Limits:
    """The limits of an app, and the requests counted so far."""

    def __init__(self, config: Config) -> None:
        """Read the limits and the queue server's address from `config`."""
        self.by_name: Mapping[str, Limit] = limits(config)
        self.counts = Counts(config.queue_url)


def enforce(app: Flask, config: Config) -> None:
    """Make an app enforce the limits, unless the settings turn them off. Tests can replace the limits later."""
    app.extensions[EXTENSION] = Limits(config) if config.limits else None
    # Pass the app as an argument, because Flask's proxy for it costs every request a microsecond.
    app.before_request(partial(_check_operation, app))
    app.after_request(partial(_add_headers, app))


def count_for(name: str, key: str) -> None:
    """Count a request under a key that only the view knows. Raises: Problem (rate-limited)."""
    active: Limits | None = current_app.extensions[EXTENSION]
    standing = None if active is None else active.counts.count(active.by_name[name], key)
    if standing is not None and not standing.allowed:
        g.standings = [standing]
        raise _rate_limited(standing)


def _check_operation(app: Flask) -> None:
    """Count the request, unless the view needs a valid token and the request has none.

    Raises: Problem (rate-limited).
    """
    active: Limits | None = app.extensions[EXTENSION]
    if active is None:
        return
    view = app.view_functions.get(request.endpoint or "")
    names: Sequence[str] = getattr(view, "limits", ())
    if not names or (getattr(view, "needs_token", False) and _player() is None):
        # The view will refuse a request without a valid token, so do not count it towards a limit that others share.
        return
    g.standings = []
    cost = _cost(names)
    for name in names:
        standing = _count(active, name, cost)
        if standing is not None:
            g.standings.append(standing)
            if not standing.allowed:
                raise _rate_limited(standing)


def _add_headers(app: Flask, response: Response) -> Response:
    """Add headers that describe the limits under which the request was counted.

    If the address has sent too many invalid tokens, replace the response with a 429.
    """
    active: Limits | None = app.extensions[EXTENSION]
    if active is None:
        return response
    if response.status_code == 401 and "Authorization" in request.headers:
        standing = _count(active, REFUSED_LOGINS)
        if standing is not None and not standing.allowed:
            g.standings = [standing]
            response = problem_answer(_rate_limited(standing))
    standings = g.get("standings")
    if standings:
        response.headers.update(headers_of(standings))
    return response


def _count(active: Limits, name: str, cost: int = 1) -> Standing | None:
    limit = active.by_name[name]
    if limit.counts == NEW and _is_established():
        return None
    return active.counts.count(limit, _key(limit), cost)


def _cost(names: Sequence[str]) -> int:
    """Return how many requests to count: the number of games if the request opens a match, and 1 otherwise."""
    if OPENING not in names:
        return 1
    try:
        return games_in(json_body())
    except (Problem, HTTPException):
        return 1


def _key(limit: Limit) -> str:
    """Return the key under which a limit counts this request."""
    if limit.counts in (ALL, NEW):
        return limit.counts
    player = _player() if limit.counts != ADDRESS else None
    return player or network_of(request.remote_addr or "")


def _is_established() -> bool:
    """Return whether the request has a valid token of a player who registered at least `ESTABLISHED` seconds ago."""
    with contextlib.suppress(Problem):
        g.caller = caller()
        return bool(games().now() - g.caller.registered >= 1000 * ESTABLISHED)
    return False


def _player() -> str | None:
    """Return the id of the player whose token was sent, or None if no valid token was sent.

    This function checks the token only if the gateway has not recognised it.
    """
    known: str | None = request.environ.get(KNOWN_PLAYER)
    if known is None and "Authorization" in request.headers:
        # The view will refuse a bad token itself, after checking the rest of the request.
        with contextlib.suppress(Problem):
            g.caller = caller()
            known = g.caller.id
    return known


def _rate_limited(standing: Standing) -> Problem:
    """Return the problem for a request that exceeds a limit, and count the refusal in the metrics."""
    limit = standing.limit
    count_limit(limit.name)
    whose = {ALL: "all clients together", NEW: "all new players together", ADDRESS: "your address"}.get(
        limit.counts, "you"
    )
    detail = (
        f"the limit {limit.name} allows {limit.amount} requests in {limit.seconds} seconds from {whose}: retry after "
        "the number of seconds in Retry-After"
    )
    return Problem("rate-limited", detail, limit=limit.name)
