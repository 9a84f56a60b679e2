"""Blocks: the players whose talk a player does not want to see.

Only the player who made a block can see it.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import keys
from .connection import Server
from .hashes import read_hash
from .lua import script
from .rows import parse_int
from .transport import Command

CHANGE = script("change_blocks")
FORGET = script("forget_blocks")

MAX_BLOCKS = 500
"""The maximum number of players that one player may block."""


class Blocks:
    """The blocks of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def of_player(self, player: str) -> dict[str, int]:
        """Return the players that a player has blocked, and the time of each block (ms), oldest first.

        Takes one round trip. Raises: StoreError.
        """
        return self.of_players([player])[player]

    def of_players(self, players: Sequence[str]) -> dict[str, dict[str, int]]:
        """Return the blocks of each of these players. Takes one round trip, or none if there are no players."""
        unique = list(dict.fromkeys(players))
        answers = self._server.ask_parts([read_blocks(player) for player in unique]) if unique else []
        return {player: blocks_in(answer) for player, answer in zip(unique, answers, strict=True)}

    def add(self, player: str, blocked: str, at: int) -> bool:
        """Block a player. Return False if too many players are already blocked. Takes one round trip."""
        return bool(self._server.run(CHANGE, [_key(player)], [blocked, at, MAX_BLOCKS]))

    def remove(self, player: str, blocked: str) -> None:
        """End a block, if there is one. Takes one round trip. Raises: StoreError."""
        self._server.run(CHANGE, [_key(player)], [blocked, "", MAX_BLOCKS])

    def forget(self, player: str) -> None:
        """Remove all of a player's blocks. Takes one round trip. Raises: StoreError."""
        self._server.run(FORGET, [_key(player)], [])


def _key(player: str) -> str:
    return keys.of_player(player, "blocks")


def read_blocks(player: str) -> Command:
    """Return the command that reads a player's blocks."""
    return read_hash(_key(player))


def blocks_in(answer: Sequence[bytes] | None) -> dict[str, int]:
    """Return the blocked players in the reply to `read_blocks`, and the time of each block (ms), oldest first."""
    members = iter(answer or ())
    pairs = ((name.decode(errors="replace"), parse_int(at)) for name, at in zip(members, members, strict=True))
    known = [(at, name) for name, at in pairs if at is not None and keys.is_player_id(name)]
    return {name: at for at, name in sorted(known)}
