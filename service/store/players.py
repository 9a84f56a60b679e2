"""Players: each has a unique name, and a token that only the player knows."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from . import keys
from .connection import ReadAhead, Server
from .errors import DamagedData, NameTaken, UnknownPlayer
from .lua import script
from .rows import parse_int
from .transport import Command

TOKEN_BYTES = 32
"""Secret bytes in a token."""

REGISTER = script("register_player")
ROTATE_ONCE = script("replace_token_once")
ROTATE = script("replace_token")
CHANGE_HOURS = script("change_hours")

CHANGED = "changed"
"""The mark that a change of hours leaves in the claim of its request (see `answers`)."""


@dataclass(frozen=True)
class Player:
    """A registered player; `registered` is in ms since the epoch."""

    id: str
    name: str
    registered: int


class Players:
    """All registered players."""

    def __init__(self, server: Server) -> None:
        """Take the server that stores them."""
        self._server = server

    def register(self, name: str) -> tuple[Player, str]:
        """Return a new player and the token, which is not stored and cannot be read again; one round trip.

        The shape of the name is not checked. Raises: NameTaken (upper and lower case make no difference),
        StoreUnavailable.
        """
        player_id = keys.new_player_id(name)
        token = token_of(player_id, secrets.token_bytes(TOKEN_BYTES))
        return self._register(name, player_id, token)[0], token

    def register_once(self, name: str, identity: bytes, secret: bytes) -> tuple[Player, str, bool]:
        """Return a player, the token, and whether the player existed before.

        The id and the token are derived from 32 bytes each.

        One round trip. Raises: as `register`.
        """
        player_id = keys.player_id_from(name, identity)
        token = token_of(player_id, secret)
        player, existed = self._register(name, player_id, token)
        return player, token, existed

    def _register(self, name: str, player_id: str, token: str) -> tuple[Player, bool]:
        """Return the player, and whether another request had registered the same player before."""
        player = Player(player_id, name, time.time_ns() // 1_000_000)
        args = [player.id, name, hash_of(token), player.registered]
        where = [keys.of_name(name), keys.of_player(player.id)]
        result, sent_once = self._server.run_noting_retries(REGISTER, where, args)
        if not result:
            raise NameTaken(name)
        return player, result == 2 and sent_once

    def authenticate(self, token: str) -> Player | None:
        """Return the player with this token, None if nobody has it; one round trip, none for a malformed token."""
        player, valid = self.player_of_token(token)
        return player if valid else None

    def authenticate_and_read(self, token: str, reads: Sequence[Command]) -> tuple[Player, ReadAhead] | None:
        """Return the player with this token, and the answers to `reads`; None if nobody has the token.

        One round trip, in a cluster one for each node; none for a malformed token. An error in the answers to `reads`
        is raised when they are taken.
        """
        player_id = _player_named_by(token)
        if player_id is None:
            return None
        fields, ahead = self._server.ask_and_read_ahead(_ask_player(player_id), reads)
        player, token_hash = _read_player(player_id, fields)
        return (player, ahead) if player is not None and _is_token(token, token_hash) else None

    def authenticate_all(self, tokens: Collection[str]) -> dict[str, Player]:
        """Return the player for each of these tokens; one round trip, none without tokens.

        Tokens that nobody has are left out, and so are tokens of players whose records cannot be read.
        """
        player_ids = {token: player_id for token in tokens if (player_id := _player_named_by(token)) is not None}
        answers = (
            self._server.ask_parts(_ask_player(player_id) for player_id in player_ids.values()) if player_ids else ()
        )
        players = {}
        for (token, player_id), answer in zip(player_ids.items(), answers, strict=True):
            with contextlib.suppress(DamagedData):
                player, token_hash = _read_player(player_id, answer or (None, None, None))
                if player is not None and _is_token(token, token_hash):
                    players[token] = player
        return players

    def player_of_token(self, token: str) -> tuple[Player | None, bool]:
        """Return the player whose id a token contains, and whether it is that player's current token.

        A token that is not current may be an earlier one of the player, or invented. One round trip, none for a
        malformed token.
        """
        player_id = _player_named_by(token)
        if player_id is None:
            return None, False
        player, token_hash = self._read(player_id)
        return player, _is_token(token, token_hash)

    def get(self, player_id: str) -> Player | None:
        """Return a player, None if nobody has this id; one round trip."""
        return self._read(player_id)[0] if keys.is_player_id(player_id) else None

    def named(self, name: str) -> str | None:
        """Return the id of the player with this name, in upper or lower case; None if there is none. One round trip."""
        player_id = self._server.ask("GET", keys.of_name(name))
        text = None if player_id is None else player_id.decode(errors="replace")
        return text if text is not None and keys.is_player_id(text) else None

    def rotate(self, player_id: str) -> str:
        """Replace a player's token and return the new one; the old one is invalid from now on. One round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        token = token_of(player_id, secrets.token_bytes(TOKEN_BYTES))
        valid = keys.is_player_id(player_id)
        if not valid or not self._server.run(ROTATE, [keys.of_player(player_id)], [hash_of(token)]):
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return token

    def rotate_once(self, player_id: str, secret: bytes, before: str, claim: str) -> str | None:
        """Replace the token whose hash is `before` by one derived from 32 bytes, and return it; one round trip.

        Returns None, and changes nothing, if the player has another token now, unless the request with this claim has
        replaced the token before. Raises: StoreUnavailable.
        """
        token = token_of(player_id, secret)
        args = [hash_of(token), before]
        return token if self._server.run(ROTATE_ONCE, [keys.of_player(player_id), claim], args) else None

    def hours(self, player_id: str) -> tuple[int, bytes]:
        """Return when a player registered, and the stored hours, b"" if there are none; one round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        return read_hours(player_id, self._server.ask(*ask_hours(player_id)))

    def change_hours(self, player_id: str, before: bytes, after: bytes, claim: str | None = None) -> bool:
        """Write a player's hours and return True; return False if they are no longer `before`. One round trip.

        With the `claim` of a request that may be repeated, they are written only once for that request.
        Raises: UnknownPlayer, StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        result = self._server.run(CHANGE_HOURS, where, [before, after])
        if result < 0:
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return bool(result)

    def _read(self, player_id: str) -> tuple[Player | None, str]:
        """Return a player and the hash of the player's token."""
        return _read_player(player_id, self._server.ask(*_ask_player(player_id)))


def _player_named_by(token: str) -> str | None:
    """Return the player's id in a token, None if the token is malformed."""
    player_id, dot, _ = token.partition(".")
    return player_id if dot and token.isascii() and keys.is_player_id(player_id) else None


def _is_token(token: str, token_hash: str) -> bool:
    return hmac.compare_digest(token_hash.encode(), hash_of(token).encode())


def _ask_player(player_id: str) -> Command:
    return ("HMGET", keys.of_player(player_id), "name", "registered", "token")


def _read_player(player_id: str, fields: Sequence[bytes | None]) -> tuple[Player | None, str]:
    """Return a player and the hash of the token, from the answer to `_ask_player`. Raises: DamagedData."""
    name, registered, token = fields
    if name is None:
        return None, ""
    at = parse_int(registered)
    if at is None or token is None or not name.isascii():
        raise DamagedData(f"{keys.of_player(player_id)} does not hold a player")
    return Player(player_id, name.decode(), at), token.decode(errors="replace")


def ask_hours(player_id: str) -> Command:
    """Return the command that reads a player's hours."""
    return ("HMGET", keys.of_player(player_id), "registered", "hours")


def read_hours(player_id: str, answer: Sequence[bytes | None]) -> tuple[int, bytes]:
    """Return what `Players.hours` returns, from the answer to `ask_hours`. Raises: UnknownPlayer."""
    registered, hours = answer
    if registered is None:
        raise UnknownPlayer(f"nobody has the id {player_id!r}")
    at = parse_int(registered)
    if at is None:
        raise DamagedData(f"{keys.of_player(player_id)} does not hold a player")
    return at, hours or b""


def token_of(player_id: str, secret: bytes) -> str:
    """Return the token that consists of a player's id and some secret bytes."""
    return f"{player_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def hash_of(token: str) -> str:
    """Return the hash of a token; the store keeps nothing else of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
