"""Players: functions that register players, and find them by token or id."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from .. import idempotency
from ..games.repository import Games
from ..problems import Problem, shown
from ..store.connection import ReadAhead
from ..store.errors import NameTaken
from ..store.log import ask_log
from ..store.players import Player
from ..store.statistics import PlayerStatistics
from .codes import RECOVERY_GROUPS, code_from, hash_of_code

__all__ = [
    "Player",
    "PlayerStatistics",
    "ReadAhead",
    "find",
    "player_and_log",
    "player_of_token",
    "player_with_token",
    "record_of",
    "register",
    "register_once",
]


class Registered(NamedTuple):
    """A player, with their token and recovery code.

    `repeated` says whether an earlier request registered the player.
    """

    player: Player
    token: str
    recovery_code: str
    repeated: bool = False


def register(games: Games, name: str) -> Registered:
    """Register a player, and return the player, the token and the recovery code.

    The token and the code cannot be retrieved later. Raises: Problem (name-taken).
    """
    code = code_from(secrets.token_bytes(32), RECOVERY_GROUPS)
    try:
        return Registered(*games.store.players.register(name, hash_of_code(code)), code)
    except NameTaken as taken:
        raise _name_taken(name) from taken


def register_once(games: Games, name: str, key: str) -> Registered:
    """Register a player unless an earlier request with this name and key has done so.

    Returns the player, the token and the recovery code. The id, the token and the code are derived from the key, so a
    repeated request gets the same values. Only hashes of the token and of the code are stored. The Idempotency-Key
    (`key`) must be as hard to guess as a token. Raises: Problem (name-taken, key-reused).
    """
    fingerprint = idempotency.fingerprint_of({"name": name})
    attempt = idempotency.begin_registration(games.store, key, fingerprint)
    code = code_from(attempt.derive("recovery"), RECOVERY_GROUPS)
    identity, secret = attempt.derive("player"), attempt.derive("token")
    try:
        player, token, existed = games.store.players.register_once(name, identity, secret, hash_of_code(code))
        return Registered(player, token, code, existed)
    except NameTaken as taken:
        idempotency.release(games.store, attempt)
        raise _name_taken(name) from taken


def player_with_token(games: Games, token: str) -> Player | None:
    """Return the player with this token, or None if no player has this token."""
    player = games.store.players.authenticate(token)
    if player is not None:
        games.store.names.remember(player.id, player.name)
    return player


def player_and_log(games: Games, token: str, game_id: str) -> tuple[Player, ReadAhead] | None:
    """Return the player with this token, and a game's log, using one round trip.

    Returns None if no player has the token. If the log or the game's id is invalid, this function raises no error:
    `load` raises the error later.
    """
    found = games.store.players.authenticate_and_read(token, ask_log(game_id))
    if found is not None:
        games.store.names.remember(found[0].id, found[0].name)
    return found


def player_of_token(games: Games, token: str) -> tuple[Player | None, bool]:
    """Return the player whose id the token contains (or None), and whether the token really belongs to that player."""
    return games.store.players.player_of_token(token)


def find(games: Games, player_id: str) -> Player:
    """Return the player with this id. Raises: Problem (unknown-player)."""
    player = games.store.players.get(player_id)
    if player is None:
        raise Problem("unknown-player", f"there is no player {shown(player_id)}: check the id")
    return player


def record_of(games: Games, player: Player) -> PlayerStatistics:
    """Return a player's statistics for all games, in one round trip."""
    return games.store.statistics.of_player(player.id)


def _name_taken(name: str) -> Problem:
    return Problem("name-taken", f"another player is already called {name}: choose another name")
