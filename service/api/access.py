"""Access: refuses requests about a private game from callers who are not allowed to know that the game exists.

The check runs before the view of every operation with a game in its path. The host's operations are the exception,
because the host may see every game. A refused caller gets exactly the same response as for a game id that does not
exist. The check ignores the rest of the request, so the response for a private game never differs from the response for
an unknown game.
"""

from __future__ import annotations

from flask import current_app, request

from ..accounts.access import ADMIN
from ..games.access import is_private, require_access
from .callers import caller, link_sent
from .context import games


def check_access() -> None:
    """Check that the caller is allowed to know about the game in the path.

    The check of a private game takes two round trips: one for the token, and one for the game. Other games need no
    check. Raises: Problem (unknown-game, token-required, token-unknown, token-expired, suspended, scope-missing).
    """
    game_id = (request.view_args or {}).get("game_id")
    if game_id is None or not is_private(game_id) or request.method == "OPTIONS":
        return
    view = current_app.view_functions.get(request.endpoint or "")
    scope: str | None = getattr(view, "scope", None)
    if scope is None or scope == ADMIN:
        return
    with_token = getattr(view, "needs_token", False) or "Authorization" in request.headers
    require_access(games(), game_id, caller().id if with_token else None, link_sent())
