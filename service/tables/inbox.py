"""The inbox: the invitations that a player has not answered.

A caller can wait until the list of invitations changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from ..games.repository import Games
from ..views.waiting import Patience, looks
from . import invitations
from .showing import show_invitation

Json = dict[str, Any]


class Waiting(NamedTuple):
    """A player's unanswered invitations, newest first, and the cursor that identifies this list."""

    invitations: list[Json]
    cursor: str


def wait_for_invitations(
    games: Games, player: str, cursor: str | None, patience: Patience, who: Callable[[], str | None]
) -> Waiting:
    """Wait until a player's unanswered invitations differ from the list that the cursor identifies.

    Return the invitations, even if the wait times out. A new title or name does not end the wait. After a wait,
    the function calls `who` to recheck the caller's token, which may have been replaced in the meantime. Raises:
    Problem (token-unknown), Parked, TooManyWaits, StoreError.
    """
    for look in looks(games, player, patience):
        found = invitations.of_player(games, player)
        current = cursor_of(found)
        if look.last or current != cursor:
            break
    if look.waited:
        who()
    names = games.store.names.of({name for one in found for name in (one["player"], one["by"])})
    return Waiting([_show(one, names) for one in found], current)


def cursor_of(found: list[Json]) -> str:
    """Return the cursor that identifies these invitations, in this order."""
    return hashlib.sha256(orjson.dumps([(one["game"], one["at"]) for one in found])).hexdigest()[:32]


def _show(invitation: Json, names: Any) -> Json:
    """Return an invitation, with the information about its game that the player needs in order to decide."""
    summary = invitation["summary"]
    entry = show_invitation({**invitation, "status": invitations.PENDING}, names)
    return {
        **entry,
        "title": invitation["title"],
        "edition": summary["edition"],
        "options": summary["options"],
        "seats": len(summary["seated"]),
    }
