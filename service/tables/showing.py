"""Showing: a game's table (the data stored outside its log) as JSON, as one caller may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..games.access import is_private, link_secret
from ..games.game import Game
from ..games.repository import Games
from ..games.table import OPEN
from ..store.tables import StoredTable
from ..views.invitations import show_invited
from . import invitations

Json = dict[str, Any]


def show(games: Games, game: Game, player: str | None) -> Json:
    """Return the parts of a game's table that a player may see. Only the owner sees the invitations.

    Takes one round trip. For the owner, the call takes a second round trip, and a third if this process has not cached
    all the names. Raises: StoreError.
    """
    stored = games.store.tables.read(game.id)
    return {
        "game": game.id,
        "title": stored.title,
        "private": is_private(game.id),
        "link": _link(games, game, stored) if is_participant(game, player) else None,
        "invitations": _invitations(games, game, player) if player == game.table.opened.owner else [],
        "rematch_of": stored.rematch_of,
        "rematch": stored.rematch,
        **_reserved(games, game, stored),
    }


def show_invitation(invitation: Json, names: Mapping[str, str | None]) -> Json:
    """Return an invitation as JSON, with the players' names."""
    return {
        "game": invitation["game"],
        "url": f"/v1/games/{invitation['game']}",
        **show_invited(invitation, names),
        "invited_at": invitation["at"],
        "status": invitation["status"],
    }


def show_new_invitation(games: Games, invitation: Json) -> Json:
    """Return a new invitation as JSON. Takes at most one round trip."""
    names = games.store.names.of([invitation["player"], invitation["by"]])
    return show_invitation({**invitation, "status": invitations.PENDING}, names)


def _invitations(games: Games, game: Game, owner: str) -> list[Json]:
    found = [invitations.as_owner_sees(game, one, owner) for one in invitations.of_game(games, game)]
    names = games.store.names.of({player for one in found for player in (one["player"], one["by"])})
    return [show_invitation(one, names) for one in found]


def is_participant(game: Game, player: str | None) -> bool:
    """Return whether a player has a seat in a game, or owns the game."""
    return player is not None and (player == game.table.opened.owner or game.table.seat_of(player) is not None)


def _reserved(games: Games, game: Game, stored: StoredTable) -> Json:
    """Return the seats reserved for players, in seat order, and the time at which the reservations end."""
    if stored.reserved_until <= games.now() or game.status != OPEN:
        return {"reserved": [], "reserved_until": None}
    free = game.table.free_seats
    seats = sorted((seat, player) for player, seat in stored.reserved.items() if seat in free)
    names = games.store.names.of([player for _, player in seats])
    reserved = [{"seat": seat, "player": player, "name": names[player]} for seat, player in seats]
    return {"reserved": reserved, "reserved_until": stored.reserved_until if reserved else None}


def _link(games: Games, game: Game, stored: StoredTable) -> Json | None:
    return show_link(game.id, link_secret(games, game.id, stored.link)) if stored.link else None


def show_link(game_id: str, secret: str) -> Json:
    """Return the link of a private game.

    The secret is in the fragment of the board's URL, because browsers never send a fragment to a server.
    """
    return {"secret": secret, "url": f"/game/{game_id}#link={secret}"}
