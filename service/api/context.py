"""Context: what Flask keeps for a view to hand to its use case: the games of the app, and the attempt of a request."""

from __future__ import annotations

from flask import current_app, g

from ..games.repository import Games
from ..idempotency import Attempt


def games() -> Games:
    """Return the games of the running app: its store, its queue and its time."""
    value: Games = current_app.extensions["condottiere"]
    return value


def attempt() -> Attempt | None:
    """Return the attempt that this request is, None where it has no Idempotency-Key.

    Whatever honours the key has set it before the view runs.
    """
    value: Attempt | None = g.get("attempt")
    return value
