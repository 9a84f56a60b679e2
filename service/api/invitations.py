"""Invitations: lets a game's owner invite players, and lets players answer invitations and propose rematches."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts import players
from ..accounts.access import PLAY, READ
from ..schemas.games import GameSchema
from ..schemas.queries import InboxQuerySchema
from ..schemas.tables import (
    AcceptingSchema,
    DecliningSchema,
    InvitationListSchema,
    InvitationSchema,
    InvitingSchema,
    ProposalSchema,
)
from ..tables import inbox, invitations, rematch
from ..tables.showing import show_new_invitation
from .answers import ETAG, LOCATION, answer, game_answer
from .callers import caller, caller_check, patience
from .codes import WAITS
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Invitations",
    __name__,
    url_prefix="/v1",
    description="Invite players to games, answer invitations, and propose rematches.",
)


@blueprint.post(
    "/games/<game_id>/invitations",
    scope=PLAY,
    problems=(
        "not-the-owner",
        "game-started",
        "game-cancelled",
        "already-seated",
        "invitation-declined",
        "too-many-invitations",
    ),
)
@blueprint.doc(operationId="invite")
@blueprint.arguments(InvitingSchema, example=REQUESTS["invite"])
@blueprint.response(201, InvitationSchema, example=ANSWERS["invite"])
def invite(body: dict[str, Any], game_id: str) -> Response:
    """Invite a player to a game that you own and that has not started.

    Only you and the player can see the invitation. An invitation does not reserve a seat. A player who is invited to a
    private game does not need the game's link. If you have already invited the player, the response is the existing
    invitation.
    """
    invitation = invitations.invite(games(), game_id, caller().id, body["player"], body["seconds"])
    return answer(show_new_invitation(games(), invitation), 201)


@blueprint.delete("/games/<game_id>/invitations/<player_id>", scope=PLAY, problems=("not-the-owner",))
@blueprint.doc(operationId="withdrawInvitation")
@blueprint.response(204, description="The player no longer has an invitation to the game.")
def withdraw_invitation(game_id: str, player_id: str) -> Response:
    """Withdraw a player's invitation to your game.

    A player who has already accepted keeps the seat.
    """
    owner = caller().id
    invitations.withdraw(games(), game_id, owner, players.find(games(), player_id).id)
    return Response(status=204)


@blueprint.post(
    "/games/<game_id>/invitation/accept",
    scope=PLAY,
    problems=(
        "no-invitation",
        "already-seated",
        "no-free-seat",
        "game-started",
        "game-cancelled",
        "too-many-games",
    ),
)
@blueprint.doc(operationId="acceptInvitation")
@blueprint.arguments(AcceptingSchema, required=False, example=REQUESTS["acceptInvitation"])
@blueprint.response(200, GameSchema, example=ANSWERS["acceptInvitation"], headers=ETAG)
def accept_invitation(body: dict[str, Any], game_id: str) -> Response:
    """Accept an invitation and take a seat.

    You get the seat that is reserved for you, or the first free seat.
    """
    player = caller().id
    entropy = bytes.fromhex(body.get("entropy") or "")
    game, replayed = invitations.accept(games(), game_id, player, entropy, attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/games/<game_id>/invitation/decline", scope=PLAY, problems=("no-invitation",))
@blueprint.doc(operationId="declineInvitation")
@blueprint.arguments(DecliningSchema, required=False, example=REQUESTS["declineInvitation"])
@blueprint.response(204, description="You have declined the invitation.")
def decline_invitation(body: dict[str, Any], game_id: str) -> Response:
    """Decline an invitation.

    The game's owner can see your reason, and cannot invite you to this game again.
    """
    rematch.decline(games(), game_id, caller().id, body["reason"], attempt())
    return Response(status=204)


@blueprint.post(
    "/games/<game_id>/rematch",
    scope=PLAY,
    problems=(
        "not-seated",
        "game-not-over",
        "no-rematch",
        "too-many-open-games",
        "too-many-games",
        "no-free-seat",
    ),
)
@blueprint.doc(operationId="proposeRematch")
@blueprint.arguments(ProposalSchema, required=False, example=REQUESTS["proposeRematch"])
@blueprint.response(201, GameSchema, example=ANSWERS["proposeRematch"], headers=ETAG | LOCATION)
def propose_rematch(body: dict[str, Any], game_id: str) -> Response:
    """Propose a rematch of a finished game, or agree to one.

    You must have a seat in the finished game. The server opens a new game with the same settings, in which each player
    moves to the next seat. The server invites the other players and reserves their seats. If somebody has already
    proposed a rematch, your request agrees to that rematch, and you get your seat. The new game starts when everybody
    has agreed. With `bot`, a bot gets the seats of players who decline or do not agree in time. Without `bot`, anybody
    can take these seats. The response is the new game.
    """
    player = caller().id
    game, replayed = rematch.propose(games(), game_id, player, body["bot"], body["seconds"], attempt())
    return game_answer(game, player, 201, {"Location": f"/v1/games/{game.id}"}, replayed=replayed)


@blueprint.get("/me/invitations", scope=READ, problems=WAITS)
@blueprint.doc(operationId="listMyInvitations")
@blueprint.arguments(InboxQuerySchema, location="query")
@blueprint.response(200, InvitationListSchema, example=ANSWERS["listMyInvitations"])
def list_my_invitations(query: dict[str, Any]) -> Response:
    """Get the invitations that you have not answered, newest first.

    With `after` and `wait`, the server responds as soon as the list changes, or after `wait` seconds at the latest.
    """
    waiting = inbox.wait_for_invitations(
        games(), caller().id, query.get("after"), patience(query["wait"]), caller_check()
    )
    return answer({"invitations": waiting.invitations, "next": waiting.cursor})
