"""Context: the request, the app's games, the registration settings, and the attempt, for use in views.

Flask holds this data while a view runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from flask import Request, current_app, g, request

from ..accounts.admission import Admission
from ..games.repository import Games
from ..idempotency import Attempt

if TYPE_CHECKING:
    from werkzeug.local import LocalProxy

this_request: Callable[[], Request] = cast("LocalProxy[Request]", request)._get_current_object
"""Return the request object behind Flask's proxy. Access through the proxy costs more than a microsecond each time."""


def games() -> Games:
    """Return the running app's `Games`, with its store, its queue and its clock."""
    value: Games = current_app.extensions["condottiere"]
    return value


def admission() -> Admission:
    """Return the running app's settings for who may register."""
    value: Admission = current_app.extensions["admission"]
    return value


def attempt() -> Attempt | None:
    """Return this request's attempt (its Idempotency-Key and body hash), or None if it has no Idempotency-Key.

    `idempotency` sets the attempt before the view runs.
    """
    value: Attempt | None = g.get("attempt")
    return value
