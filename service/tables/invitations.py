"""Invitations: the owner of an open game can invite players, who can accept or decline.

Only the game's owner and the invited player can see an invitation. An invitation to a rematch reserves a seat. Other
invitations do not reserve a seat, because a reserved seat would reveal the invitation. An invitation ends when the
player answers, when it expires, when the owner withdraws it, or when the game starts.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..games.game import Game
from ..games.hiding import hide_player, hides_names
from ..games.repository import Answer, Games, earlier_answer, load
from ..games.table import OPEN
from ..idempotency import Attempt, claim_of
from ..play import seating
from ..play.guards import require_owner
from ..problems import Problem
from ..store import invitations as notices
from ..store.errors import StoreError
from ..timekeeping.deadlines import current
from ..views.list_pages import player_named
from .blocks import blocked_by

SECOND, DAY = 1000, 86_400
SHORTEST, LONGEST, USUAL = 60, 30 * DAY, 7 * DAY
"""Seconds after which an invitation expires: the minimum and maximum that an owner may choose, and the default."""
INVITATION, REMATCH = KINDS = ("invitation", "rematch")
"""The kinds of invitation: to a game, or to a rematch of a finished game."""
ACCEPTED, DECLINED, PENDING, EXPIRED = STATUSES = ("accepted", "declined", "pending", "expired")
REASONS = ("no-time", "not-interested", "pace", "edition", "unspecified")
"""The reasons for declining: no time, no interest, a preference for a different pace or edition, or no reason given."""
NOTICES = (notices.RECEIVED, notices.PROPOSED, notices.DECLINED)
"""The kinds of notice about an invitation."""
_NOTICES = {INVITATION: notices.RECEIVED, REMATCH: notices.PROPOSED}

Json = dict[str, Any]


def invite(games: Games, game_id: str, owner: str, name: str, seconds: int = USUAL) -> Json:
    """Invite a player, identified by name or id, to an open game, and return the invitation.

    If the player has not answered an earlier invitation to the game, the function returns that invitation.
    Raises: Problem (not-the-owner, game-started, game-cancelled, invalid-request, already-seated, invitation-declined,
    too-many-invitations), StoreError.
    """
    game = current(games, game_id)
    require_owner(game, owner, "invite players")
    seating.require_open(game)
    player = known_player(games, name)
    if player == owner or (game.table.seat_of(player) is not None and not hides_names(game)):
        raise Problem("already-seated", "this player is already at the table", game=game_id)
    now = games.now()
    stored = store_invitation(games, new_invitation(game_id, player, owner, now, now + seconds * SECOND))
    return as_owner_sees(game, stored, owner)


def new_invitation(
    game_id: str,
    player: str,
    by: str,
    at: int,
    until: int,
    *,
    kind: str = INVITATION,
    seat: int | None = None,
    rematch_of: str | None = None,
) -> Json:
    """Return an invitation that is valid from `at` until `until` (ms since the epoch)."""
    return {
        "game": game_id,
        "player": player,
        "by": by,
        "at": at,
        "until": until,
        "kind": kind,
        "seat": seat,
        "rematch_of": rematch_of,
        "answer": None,
    }


def store_invitation(games: Games, invitation: Json) -> Json:
    """Store an invitation, unless the player already has a valid invitation to this game. Return the stored invitation.

    Raises: Problem (invitation-declined, too-many-invitations), StoreError.
    """
    game_id = invitation["game"]
    stored = games.store.invitations.invite(invitation, _NOTICES[invitation["kind"]])
    if stored is None:
        detail = f"you have invited {notices.MOST} players to this game, which is the maximum"
        raise Problem("too-many-invitations", detail, game=game_id)
    if stored["answer"] is not None:
        raise Problem("invitation-declined", "this player has declined your invitation to this game", game=game_id)
    return stored


def as_owner_sees(game: Game, invitation: Json, owner: str) -> Json:
    """Return an invitation as the game's owner sees it.

    If the game hides its players, a previous owner who sent the invitation is hidden too.
    """
    return {**invitation, "by": hide_player(invitation["by"], owner)} if hides_names(game) else invitation


def withdraw(games: Games, game_id: str, owner: str, player: str) -> None:
    """As the game's owner, withdraw a player's invitation. If there is no invitation, nothing changes.

    Raises: Problem (not-the-owner), StoreError.
    """
    require_owner(load(games, game_id), owner, "withdraw invitations")
    games.store.invitations.forget(game_id, player)


def accept(games: Games, game_id: str, player: str, entropy: bytes, attempt: Attempt | None = None) -> Answer:
    """Accept an invitation: take the seat that is reserved for the player, or the first free seat.

    Raises: Problem (no-invitation, and the problems of `seating.join`), StoreError.
    """
    game = load(games, game_id)
    invitation = _pending(games, game_id, player)
    if invitation is None:
        # An identical request may already have accepted the invitation, perhaps after this request loaded the game.
        earlier = earlier_answer(load(games, game_id), player, attempt)
        if earlier is None:
            raise _no_invitation(game_id)
        return earlier
    seat = invitation["seat"]
    return seating.join(games, game_id, player, seat if seat in game.table.free_seats else None, entropy, attempt)


def decline(games: Games, game_id: str, player: str, reason: str, attempt: Attempt | None = None) -> Json:
    """Decline an invitation, and return it. The owner sees the reason. Raises: Problem (no-invitation), StoreError."""
    load(games, game_id)
    invitation = _pending(games, game_id, player)
    if invitation is not None:
        answered = {**invitation, "answer": reason, "answered": games.now(), "claim": claim_of(attempt)}
        if games.store.invitations.answer(answered, notices.DECLINED, invitation["by"]):
            return answered
    stored = games.store.invitations.invited([(game_id, player)]).get((game_id, player))
    if attempt is None or stored is None or stored.get("claim") != attempt.claim:
        raise _no_invitation(game_id)
    return stored  # An identical request has already declined the invitation.


def of_player(games: Games, player: str) -> list[Json]:
    """Return a player's unanswered invitations, newest first, with their games' summaries.

    Takes three round trips. Invitations from players whom the player has blocked are left out. The function also
    removes invitations that have expired, and invitations to games that are no longer open or in which the player now
    has a seat. Raises: StoreError.
    """
    now, blocked = games.now(), blocked_by(games, player)
    found = games.store.invitations.of_player(player)
    rows = games.store.lists.rows([one["game"] for one in found]) if found else {}
    waiting = []
    for one in found:
        summary = rows[one["game"]].summary
        if summary is None or one["by"] in blocked:
            continue
        if one["until"] <= now or summary["status"] != OPEN or _is_seated(summary, player):
            with suppress(StoreError):
                games.store.invitations.forget_pending(one["game"], player)
            continue
        waiting.append({**one, "summary": summary, "title": rows[one["game"]].title})
    return sorted(waiting, key=lambda one: (one["at"], one["game"]), reverse=True)


def of_game(games: Games, game: Game) -> list[Json]:
    """Return all invitations to a game, oldest first, each with its `status`.

    Takes one round trip. Raises: StoreError.
    """
    now = games.now()
    return [{**one, "status": _status(game, one, now)} for one in games.store.invitations.of_game(game.id)]


def remove_all(games: Games, player: str) -> None:
    """Remove all unanswered invitations to a player whose account is being deleted. Raises: StoreError."""
    for one in games.store.invitations.of_player(player):
        games.store.invitations.forget(one["game"], player)


def _status(game: Game, invitation: Json, now: int) -> str:
    """Return the status of an invitation.

    If the game hides its players, the status does not show that an invitation was accepted.
    """
    if game.table.seat_of(invitation["player"]) is not None and not hides_names(game):
        return ACCEPTED
    if invitation["answer"] is not None:
        return DECLINED
    return PENDING if invitation["until"] > now and game.status == OPEN else EXPIRED


def _is_seated(summary: Json, player: str) -> bool:
    return any(seat["player"] == player for seat in summary["seated"])


def _pending(games: Games, game_id: str, player: str) -> Json | None:
    """Return a player's unanswered invitation to a game, or None. Raises: StoreError."""
    invitation = games.store.invitations.to_player(game_id, player)
    return invitation if invitation is not None and invitation["until"] > games.now() else None


def known_player(games: Games, name: str) -> str:
    """Return the id of the player with this name or id, unless the player was deleted.

    Raises: Problem (invalid-request).
    """
    player = player_named(games, name)
    account = games.store.players.get(player)
    if account is None or not account.name:
        errors = {"player": ["No player has this id or name."]}
        raise Problem("invalid-request", "player: no player has this id or name", errors=errors)
    return player


def _no_invitation(game_id: str) -> Problem:
    return Problem(
        "no-invitation",
        "you have no pending invitation to this game: it may have expired or been withdrawn",
        game=game_id,
    )
