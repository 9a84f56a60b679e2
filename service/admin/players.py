"""Players: the host can find, suspend and rename players."""

from __future__ import annotations

from typing import Any

from ..games.repository import Games
from ..problems import Problem, shown
from ..store.directory import Account
from ..store.errors import BadCursor
from ..webhooks import subscriptions
from .acts import Actor, act, recorded

SUSPENDED = "suspended"
"""The reason that is recorded when the webhooks of a suspended player are disabled."""
GAMES_SHOWN = 20
"""The maximum number of games that are shown with a player."""

Json = dict[str, Any]


def find(games: Games, prefix: str, cursor: str | None, limit: int) -> tuple[list[Json], str | None]:
    """Return players with a current or earlier name that begins with `prefix`, in no particular order.

    Returns approximately `limit` players and the next page's cursor (None if this is the last page). A page may contain
    fewer than `limit` players, or none, because each request examines a limited number of keys. Raises: Problem
    (invalid-request).
    """
    try:
        accounts, following = games.store.directory.search(prefix, cursor, limit)
    except BadCursor as error:
        errors = {"cursor": ["Must be the value of `next` from an earlier page."]}
        detail = "cursor: must be the value of `next` from an earlier page"
        raise Problem("invalid-request", detail, errors=errors) from error
    return [_show(account) for account in accounts], following


def require(games: Games, name_or_id: str) -> Account:
    """Return the player with this id or name. Raises: Problem (unknown-player)."""
    account = games.store.directory.account(name_or_id)
    if account is None:
        raise Problem("unknown-player", f"there is no player {shown(name_or_id)}: check the id or name")
    return account


def show(games: Games, name_or_id: str) -> Json:
    """Return a player with their webhooks and most recently changed games. Raises: Problem (unknown-player)."""
    account = require(games, name_or_id)
    webhooks = subscriptions.of_player(games, account.id)
    latest, _ = games.store.lists.page("mine", account.id, None, GAMES_SHOWN)
    return {
        **_show(account),
        "webhooks": len(webhooks),
        "active_webhooks": sum(webhook.active for webhook in webhooks),
        "games": [{"id": game["id"], "status": game["status"], "edition": game["edition"]} for game in latest],
    }


def suspend(games: Games, actor: Actor, name_or_id: str, reason: str) -> Json:
    """Suspend a player: reject the player's tokens, and disable the player's webhooks.

    Clocks keep running, standing orders stay in force, and each game's `clock.at_timeout` decides what happens to
    the player's seat. If the player is already suspended, only the reason changes. Raises: Problem (unknown-player).
    """
    account = require(games, name_or_id)
    with recorded(games, actor, act("suspend", account.id, reason)):
        games.store.directory.suspend(account.id, reason)
        subscriptions.disable_all(games, account.id, SUSPENDED)
    return show(games, account.id)


def reinstate(games: Games, actor: Actor, name_or_id: str, reason: str) -> Json:
    """End a player's suspension, if there is one. The player's webhooks stay disabled until the player activates them.

    Raises: Problem (unknown-player).
    """
    account = require(games, name_or_id)
    with recorded(games, actor, act("reinstate", account.id, reason)):
        games.store.directory.suspend(account.id, None)
    return show(games, account.id)


def rename(games: Games, actor: Actor, name_or_id: str, name: str, reason: str) -> Json:
    """Rename a player. The player's earlier names stay reserved, and the host can still use them to find the player.

    The names stay reserved so that nobody else can take a name that people associate with the player. If the call is
    interrupted, the new name stays reserved, and repeating the call completes the renaming. Raises: Problem
    (unknown-player, name-taken).
    """
    account = require(games, name_or_id)
    holder = games.store.directory.account(name)
    if holder is not None and holder.id != account.id:
        raise _name_taken(name)
    with recorded(games, actor, act("rename", account.id, reason, before=account.name, after=name)):
        if not games.store.directory.rename(account.id, name):
            raise _name_taken(name)
        games.store.names.forget([account.id])
    return show(games, account.id)


def _name_taken(name: str) -> Problem:
    return Problem("name-taken", f"another player has, or once had, the name {name}: choose another name")


def _show(account: Account) -> Json:
    return {
        "id": account.id,
        "name": account.name,
        "registered": account.registered,
        "suspended": account.suspended,
    }
