"""Players: who registers, whose token this is, who bears an id."""

from __future__ import annotations

from .games import Games
from .problems import Problem, shown
from .store.errors import NameTaken
from .store.players import Player
from .store.records import Record

__all__ = ["Player", "Record", "find", "new_token", "record_of", "register", "whose"]


def register(games: Games, name: str) -> tuple[Player, str]:
    """Return a new player and the token, which is shown this once. Raises: Problem (name-taken)."""
    try:
        return games.store.players.register(name)
    except NameTaken as taken:
        raise Problem("name-taken", f"a player is called {name} already: choose another name") from taken


def whose(games: Games, token: str) -> Player | None:
    """Return the player who has a token, None when nobody has it."""
    return games.store.players.authenticate(token)


def find(games: Games, player_id: str) -> Player:
    """Return the player who has an id. Raises: Problem (unknown-player)."""
    player = games.store.players.get(player_id)
    if player is None:
        raise Problem("unknown-player", f"there is no player {shown(player_id)}")
    return player


def record_of(games: Games, player: Player) -> Record:
    """Return how a player has played, in all games; one round trip."""
    return games.store.records.of_player(player.id)


def new_token(games: Games, player: Player) -> str:
    """Return a player's new token; the one before is dead from this moment on."""
    return games.store.players.rotate(player.id)
