"""Export: all data that the service stores about a player, as one JSON document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..games.repository import Games
from ..orders import listing
from ..tables import invitations
from ..tables.showing import show_invitation
from ..talk.blocks import show_blocks
from ..talk.possessions import written_by
from ..timekeeping.availability import hours_of
from ..views.players import show_hours, show_player, show_statistics
from ..webhooks import subscriptions, ways
from ..webhooks.presentation import show_webhook
from . import players, tokens
from .possessions import Place, places_of

Json = dict[str, Any]


def export(games: Games, player: players.Player) -> Json:
    """Return all data that the service stores about a player, except token hashes and webhook secrets.

    The export does not include game events, which clients get with `GET /v1/games/{id}/events`. An export takes about
    two round trips per hundred games, and one more for each game with standing orders. Raises: StoreError.
    """
    now = games.now()
    places = {place.summary["id"]: place for place in places_of(games, player.id)}
    _, recovery = games.store.players.recovery(player.id)
    return {
        "exported_at": now,
        "player": {
            **show_player(player),
            "earlier_names": games.store.directory.earlier_names(player.id),
            "registered_at": player.registered,
            "record": show_statistics(players.record_of(games, player)),
        },
        "hours": show_hours(hours_of(games, player.id), now),
        "tokens": tokens.of_player(games, player),
        "has_recovery_code": bool(recovery),
        "webhooks": [show_webhook(webhook) for webhook in subscriptions.of_player(games, player.id)],
        "notices": ways.show(games, player.id),
        "games": [_show_place(place, player.id) for place in places.values()],
        "orders": listing.history(games, _seats(places.values())),
        "talk": written_by(games, player.id),
        "blocks": show_blocks(games, player.id),
        "invitations": _invitations(games, player.id),
        "feed": {"next": games.store.feeds.end(player.id), "entries": games.store.feeds.lengths([player.id])[0]},
    }


def _invitations(games: Games, player: str) -> list[Json]:
    """Return a player's unanswered invitations, newest first."""
    found = invitations.of_player(games, player)
    names = games.store.names.of({name for one in found for name in (one["player"], one["by"])})
    return [show_invitation({**one, "status": invitations.PENDING}, names) for one in found]


def _show_place(place: Place, player: str) -> Json:
    members = ("id", "status", "edition", "opened_at", "changed_at")
    return {
        **{name: place.summary[name] for name in members},
        "seat": place.seat,
        "owner": place.summary["owner"] == player,
    }


def _seats(places: Iterable[Place]) -> list[tuple[str, int]]:
    return [(place.summary["id"], place.seat) for place in places if place.seat is not None]
