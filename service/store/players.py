"""Players: a name that is unique, and a token that only its owner has."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from . import keys
from .connection import Server, script
from .errors import NameTaken, UnknownPlayer
from .lines import Command

REGISTER = script("""
-- Registers a player, if nobody has the name.
--
-- KEYS  1 the name's key, 2 the player's key
-- ARGV  1 the player's id, 2 the name, 3 the hash of the token, 4 the time
-- gives 1 registered, or found as an earlier attempt of this very registration left it; 0 the name is taken
--
-- Reason: two who ask for one name at once must not both get it.
local holder = redis.call('GET', KEYS[1])
if holder then
  return holder == ARGV[1] and 1 or 0
end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'name', ARGV[2], 'token', ARGV[3], 'registered', ARGV[4])
return 1
""")

ROTATE = script("""
-- Replaces a player's token.
--
-- KEYS  1 the player's key
-- ARGV  1 the hash of the new token
-- gives 1 replaced, 0 there is no such player
--
-- Reason: a player must not come into being by a token.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'token', ARGV[1])
return 1
""")


CHANGE_HOURS = script("""
-- Writes a player's hours, if they are still what the caller has read.
--
-- KEYS  1 the player's key
-- ARGV  1 what was read or '', 2 what to write
-- gives 1 written, or found as an earlier attempt of this very change left it; 0 they are others; -1 no such player
--
-- Reason: a vacation is spent once, also where two begin it at the same moment.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
local kept = redis.call('HGET', KEYS[1], 'hours') or ''
if kept == ARGV[2] then
  return 1
end
if kept ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'hours', ARGV[2])
return 1
""")


@dataclass(frozen=True)
class Player:
    """Somebody who may sit at tables; `registered` in ms since the epoch."""

    id: str
    name: str
    registered: int


class Players:
    """Everybody who is registered."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are kept."""
        self._server = server

    def register(self, name: str) -> tuple[Player, str]:
        """Return a new player and the token, which is shown this once; one round trip.

        The name's shape is not checked. Raises: NameTaken (whatever the case of its letters), StoreUnavailable.
        """
        player = Player(keys.new_player_id(name), name, time.time_ns() // 1_000_000)
        token = _new_token(player.id)
        args = [player.id, name, _hash(token), player.registered]
        if not self._server.run(REGISTER, [keys.of_name(name), keys.of_player(player.id)], args):
            raise NameTaken(name)
        return player, token

    def authenticate(self, token: str) -> Player | None:
        """Return whose token this is, None when it is nobody's; one round trip, none for what cannot be a token."""
        player_id, dot, _ = token.partition(".")
        if not dot or not token.isascii() or not keys.is_player_id(player_id):
            return None
        player, held = self._read(player_id)
        return player if hmac.compare_digest(held, _hash(token)) else None

    def get(self, player_id: str) -> Player | None:
        """Return a player, None when nobody has this id; one round trip."""
        return self._read(player_id)[0] if keys.is_player_id(player_id) else None

    def rotate(self, player_id: str) -> str:
        """Return a player's new token; the old one is dead from this moment on. One round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        token = _new_token(player_id)
        known = keys.is_player_id(player_id)
        if not known or not self._server.run(ROTATE, [keys.of_player(player_id)], [_hash(token)]):
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return token

    def hours(self, player_id: str) -> tuple[int, bytes]:
        """Return when a player registered, and the hours that were written last, b"" where none were; one round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        return read_hours(player_id, self._server.ask(*ask_hours(player_id)))

    def change_hours(self, player_id: str, before: bytes, after: bytes) -> bool:
        """Write a player's hours unless they are others than before; one round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        written = self._server.run(CHANGE_HOURS, [keys.of_player(player_id)], [before, after])
        if written < 0:
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return bool(written)

    def _read(self, player_id: str) -> tuple[Player | None, str]:
        """Return a player and the hash of the token."""
        fields = self._server.ask("HMGET", keys.of_player(player_id), "name", "registered", "token")
        if fields[0] is None:
            return None, ""
        name, registered, held = (field.decode() for field in fields)
        return Player(player_id, name, int(registered)), held


def ask_hours(player_id: str) -> Command:
    """Return the command that reads a player's hours."""
    return ("HMGET", keys.of_player(player_id), "registered", "hours")


def read_hours(player_id: str, answer: Sequence[bytes | None]) -> tuple[int, bytes]:
    """Return what `Players.hours` returns, from the answer to that command. Raises: UnknownPlayer."""
    registered, hours = answer
    if registered is None:
        raise UnknownPlayer(f"nobody has the id {player_id!r}")
    return int(registered), hours or b""


def _new_token(player_id: str) -> str:
    return f"{player_id}.{secrets.token_urlsafe(32)}"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
