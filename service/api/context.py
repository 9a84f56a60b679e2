"""Context: what Flask keeps for a view to pass to its use case: the app's games, and the attempt of the request."""

from __future__ import annotations

from flask import current_app, g

from ..games.repository import Games
from ..idempotency import Attempt


def games() -> Games:
    """Return the games of the running app: its store, its queue and its clock."""
    value: Games = current_app.extensions["condottiere"]
    return value


def attempt() -> Attempt | None:
    """Return the attempt of this request, None without an Idempotency-Key.

    The code that honours the key sets it before the view runs.
    """
    value: Attempt | None = g.get("attempt")
    return value
