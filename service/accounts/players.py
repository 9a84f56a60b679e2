"""Players: who registers, whose token this is, who bears an id."""

from __future__ import annotations

from .. import idempotency
from ..games.repository import Games
from ..idempotency import Attempt
from ..problems import Problem, shown
from ..store.connection import ReadAhead
from ..store.errors import NameTaken
from ..store.log import ask_log
from ..store.players import Player, token_of
from ..store.statistics import PlayerStatistics

__all__ = [
    "Player",
    "PlayerStatistics",
    "ReadAhead",
    "find",
    "named_by",
    "new_token",
    "new_token_once",
    "record_of",
    "register",
    "register_once",
    "token_of",
    "whose",
    "whose_and_log",
]


def register(games: Games, name: str) -> tuple[Player, str]:
    """Return a new player and the token, which is shown this once. Raises: Problem (name-taken)."""
    try:
        return games.store.players.register(name)
    except NameTaken as taken:
        raise _name_taken(name) from taken


def register_once(games: Games, name: str, key: str) -> tuple[Player, str, bool]:
    """Return the player whom this name and this key register, the token, and whether they were registered before.

    Both follow from the key, so whoever repeats the request gets the same token; nothing of it is kept but a hash. The
    key must be as hard to guess as a token. Raises: Problem (name-taken, key-reused).
    """
    fingerprint = idempotency.fingerprint_of({"name": name})
    attempt = idempotency.begin_registration(games.store, key, fingerprint)
    try:
        return games.store.players.register_once(name, attempt.derived("player"), attempt.derived("token"))
    except NameTaken as taken:
        idempotency.release(games.store, attempt)
        raise _name_taken(name) from taken


def whose(games: Games, token: str) -> Player | None:
    """Return the player who has a token, None when nobody has it."""
    return games.store.players.authenticate(token)


def whose_and_log(games: Games, token: str, game_id: str) -> tuple[Player, ReadAhead] | None:
    """Return the player who has a token, and what was read of a game's log in the same round trip, to load it with.

    None when nobody has the token. What is wrong with the log, or with the id, is found when the game is loaded.
    """
    return games.store.players.authenticate_and_read(token, ask_log(game_id))


def named_by(games: Games, token: str) -> tuple[Player | None, bool]:
    """Return the player whom a token names, if there is one, and whether it is that player's token now."""
    return games.store.players.look(token)


def find(games: Games, player_id: str) -> Player:
    """Return the player who has an id. Raises: Problem (unknown-player)."""
    player = games.store.players.get(player_id)
    if player is None:
        raise Problem("unknown-player", f"there is no player {shown(player_id)}: check the id")
    return player


def record_of(games: Games, player: Player) -> PlayerStatistics:
    """Return how a player has played, in all games; one round trip."""
    return games.store.statistics.of_player(player.id)


def new_token(games: Games, player: Player) -> str:
    """Return a player's new token; the one before is dead from this moment on."""
    return games.store.players.rotate(player.id)


def new_token_once(games: Games, player: Player, secret: bytes, before: str, attempt: Attempt) -> str | None:
    """Return a player's new token, which follows from 32 bytes, for a request that may be repeated.

    `before` is the hash of the token that it replaces; None where another request has replaced that one.
    """
    return games.store.players.rotate_once(player.id, secret, before, attempt.claim)


def _name_taken(name: str) -> Problem:
    return Problem("name-taken", f"another player is already called {name}: choose another name")
