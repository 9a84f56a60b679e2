"""Players: a name that is unique, and a token that only its owner has."""

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
from .rows import whole
from .transport import Command

TOKEN_BYTES = 32
"""Secret bytes in a token."""

REGISTER = script("register_player")
ROTATE_ONCE = script("replace_token_once")
ROTATE = script("replace_token")
CHANGE_HOURS = script("change_hours")

CHANGED = "changed"
"""The mark that a change of hours leaves in the claim of its request."""


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
        player_id = keys.new_player_id(name)
        token = token_of(player_id, secrets.token_bytes(TOKEN_BYTES))
        return self._register(name, player_id, token)[0], token

    def register_once(self, name: str, identity: bytes, secret: bytes) -> tuple[Player, str, bool]:
        """Return a player whose id and token follow from 32 bytes each, the token, and whether they were there before.

        One round trip. Raises: as `register`.
        """
        player_id = keys.player_id_from(name, identity)
        token = token_of(player_id, secret)
        player, found = self._register(name, player_id, token)
        return player, token, found

    def _register(self, name: str, player_id: str, token: str) -> tuple[Player, bool]:
        """Return the player, and whether somebody else has registered just this one before."""
        player = Player(player_id, name, time.time_ns() // 1_000_000)
        args = [player.id, name, hash_of(token), player.registered]
        where = [keys.of_name(name), keys.of_player(player.id)]
        result, sent_once = self._server.run_noting(REGISTER, where, args)
        if not result:
            raise NameTaken(name)
        return player, result == 2 and sent_once

    def authenticate(self, token: str) -> Player | None:
        """Return whose token this is, None when it is nobody's; one round trip, none for what cannot be a token."""
        player, valid = self.look(token)
        return player if valid else None

    def authenticate_and_read(self, token: str, others: Sequence[Command]) -> tuple[Player, ReadAhead] | None:
        """Return whose token this is, and the answers to other commands; None when it is nobody's.

        One round trip, in a cluster one for each node; none for what cannot be a token. What is wrong with the other
        answers is raised when they are taken.
        """
        player_id = _player_named_by(token)
        if player_id is None:
            return None
        fields, ahead = self._server.ask_and_read_ahead(_ask_player(player_id), others)
        player, held = _read_player(player_id, fields)
        return (player, ahead) if player is not None and _is_token(token, held) else None

    def authenticate_all(self, tokens: Collection[str]) -> dict[str, Player]:
        """Return whose each of some tokens is; one round trip, none without tokens.

        Left out are tokens that are nobody's, and those of players who cannot be read.
        """
        wanted = {token: player_id for token in tokens if (player_id := _player_named_by(token)) is not None}
        answers = self._server.ask_parts(_ask_player(player_id) for player_id in wanted.values()) if wanted else ()
        found = {}
        for (token, player_id), answer in zip(wanted.items(), answers, strict=True):
            with contextlib.suppress(DamagedData):
                player, held = _read_player(player_id, answer or (None, None, None))
                if player is not None and _is_token(token, held):
                    found[token] = player
        return found

    def look(self, token: str) -> tuple[Player | None, bool]:
        """Return the player whom a token names, and whether it is that player's token now; round trips as above.

        A token that is not may have been once, or may be made up.
        """
        player_id = _player_named_by(token)
        if player_id is None:
            return None, False
        player, held = self._read(player_id)
        return player, _is_token(token, held)

    def get(self, player_id: str) -> Player | None:
        """Return a player, None when nobody has this id; one round trip."""
        return self._read(player_id)[0] if keys.is_player_id(player_id) else None

    def rotate(self, player_id: str) -> str:
        """Return a player's new token; the old one is dead from this moment on. One round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        token = token_of(player_id, secrets.token_bytes(TOKEN_BYTES))
        known = keys.is_player_id(player_id)
        if not known or not self._server.run(ROTATE, [keys.of_player(player_id)], [hash_of(token)]):
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return token

    def rotate_once(self, player_id: str, secret: bytes, before: str, claim: str) -> str | None:
        """Return the token that follows from 32 bytes, in place of the one with the hash `before`; one round trip.

        None, and nothing is changed, where the player has neither; unless the request with this claim has replaced it
        already. Raises: StoreUnavailable.
        """
        token = token_of(player_id, secret)
        args = [hash_of(token), before]
        return token if self._server.run(ROTATE_ONCE, [keys.of_player(player_id), claim], args) else None

    def hours(self, player_id: str) -> tuple[int, bytes]:
        """Return when a player registered, and the hours that were written last, b"" where none were; one round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        return read_hours(player_id, self._server.ask(*ask_hours(player_id)))

    def change_hours(self, player_id: str, before: bytes, after: bytes, claim: str | None = None) -> bool:
        """Write a player's hours unless they are others than before; one round trip.

        With the `claim` of a request that may be repeated, they are written once for it.
        Raises: UnknownPlayer, StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        written = self._server.run(CHANGE_HOURS, where, [before, after])
        if written < 0:
            raise UnknownPlayer(f"nobody has the id {player_id!r}")
        return bool(written)

    def _read(self, player_id: str) -> tuple[Player | None, str]:
        """Return a player and the hash of the token."""
        return _read_player(player_id, self._server.ask(*_ask_player(player_id)))


def _player_named_by(token: str) -> str | None:
    """Return the id of the player whom a token names, None where it cannot be a token."""
    player_id, dot, _ = token.partition(".")
    return player_id if dot and token.isascii() and keys.is_player_id(player_id) else None


def _is_token(token: str, held: str) -> bool:
    return hmac.compare_digest(held.encode(), hash_of(token).encode())


def _ask_player(player_id: str) -> Command:
    return ("HMGET", keys.of_player(player_id), "name", "registered", "token")


def _read_player(player_id: str, fields: Sequence[bytes | None]) -> tuple[Player | None, str]:
    """Return a player and the hash of the token, from the answer to that command. Raises: DamagedData."""
    name, registered, token = fields
    if name is None:
        return None, ""
    at = whole(registered)
    if at is None or token is None or not name.isascii():
        raise DamagedData(f"{keys.of_player(player_id)} does not hold a player")
    return Player(player_id, name.decode(), at), token.decode(errors="replace")


def ask_hours(player_id: str) -> Command:
    """Return the command that reads a player's hours."""
    return ("HMGET", keys.of_player(player_id), "registered", "hours")


def read_hours(player_id: str, answer: Sequence[bytes | None]) -> tuple[int, bytes]:
    """Return what `Players.hours` returns, from the answer to that command. Raises: UnknownPlayer."""
    registered, hours = answer
    if registered is None:
        raise UnknownPlayer(f"nobody has the id {player_id!r}")
    at = whole(registered)
    if at is None:
        raise DamagedData(f"{keys.of_player(player_id)} does not hold a player")
    return at, hours or b""


def token_of(player_id: str, secret: bytes) -> str:
    """Return the token of a player that holds some secret bytes."""
    return f"{player_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
