"""The invitations that are waiting for a player's answer. A caller can wait until these invitations change."""

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
    """The invitations that are waiting for a player, newest first, and the cursor that identifies this list."""

    invitations: list[Json]
    cursor: str


def wait_for_invitations(
    games: Games, player: str, cursor: str | None, patience: Patience, who: Callable[[], str | None]
) -> Waiting:
    """Return a player's unanswered invitations as soon as they differ from the invitations at the cursor.

    If the invitations do not change, return the same invitations when the player's wait times out. A new title or name
    does not end the wait. `who` is called after a wait, and raises Problem if the caller's token was replaced in the
    meantime. Raises: Problem (token-unknown), Parked, TooManyWaits, StoreError.
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
    """Return an invitation with the facts about the game that the player needs to answer it."""
    summary = invitation["summary"]
    shown = show_invitation({**invitation, "status": invitations.PENDING}, names)
    return {
        **shown,
        "title": invitation["title"],
        "edition": summary["edition"],
        "options": summary["options"],
        "seats": len(summary["seated"]),
    }
