"""Players: each player has a unique name and secret tokens."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import keys, tokens
from .connection import ReadAhead, Server
from .errors import DamagedData, NameTaken, StoreError, TooManyTokens, UnknownPlayer, UnknownToken
from .hashes import read_hash
from .keyring import Keyring, Unreadable
from .lua import script
from .rows import parse_int
from .tokens import Found, Token, hash_of, token_of
from .transport import Command

REGISTER = script("register_player")
ADD_TOKEN = script("add_token")
REMOVE_TOKEN = script("remove_token")
REPLACE_TOKEN = script("replace_token")
REWRITE_TOKEN = script("rewrite_token")
RECOVER = script("recover_player")
REPLACE_RECOVERY = script("replace_recovery")
FREE_NAME = script("free_name")
DELETE = script("delete_player")
CHANGE_HOURS = script("change_hours")
CHANGE_NOTICES = script("change_notices")

CHANGED = "changed"
"""The mark that a change of hours sets in the claim of its request (see `answers`)."""
WRITE_PAUSE = 60.0
"""If the store refuses to record that a token was used, this process waits this many seconds before it tries to record
a use again.
"""


@dataclass(frozen=True)
class Player:
    """A registered player. `registered` is in ms since the epoch. A deleted player has the name "".

    `token` is the token that was used to find the player, or None if the player was found by id. `suspended` is the
    reason why the host has suspended the player, or None for a player who is not suspended.
    """

    id: str
    name: str
    registered: int
    token: Token | None = field(default=None, compare=False)
    suspended: str | None = field(default=None, compare=False)

    @property
    def token_id(self) -> str:
        """The id of the token that was used to find the player, or "" if the player was found by id."""
        return "" if self.token is None else self.token.id

    def refusal(self, scope: str, now: int) -> str | None:
        """Return the problem code if the token does not allow an operation that needs this scope, otherwise None.

        `now` is in ms since the epoch. A player who was found without a token may not do anything.
        """
        token = self.token
        if token is None:
            return "token-unknown"
        if token.expires is not None and token.expires <= now:
            return "token-expired"
        if self.suspended is not None:
            return "suspended"
        return None if scope in token.scopes else "scope-missing"


class Players:
    """All registered players."""

    def __init__(self, server: Server, keyring: Keyring | None = None) -> None:
        """Use this server for all reads and writes, and these keys to hash tokens."""
        self._server = server
        self._keyring = keyring or Keyring()
        self._no_writes_until = 0.0

    def register(self, name: str, recovery: str = "") -> tuple[Player, str]:
        """Register a player, and return the player and the token, which cannot be read again later.

        Takes one round trip. `recovery` is the SHA-256 of the recovery code in hex, or "" for a player without a
        recovery code. This method does not check the name's form. Raises: NameTaken (ignoring case), StoreUnavailable.
        """
        player_id = keys.new_player_id(name)
        token = token_of(player_id, secrets.token_bytes(tokens.BYTES))
        return self._register(name, player_id, token, recovery)[0], token

    def register_once(self, name: str, identity: bytes, secret: bytes, recovery: str = "") -> tuple[Player, str, bool]:
        """Register a player once. Return the player, the token, and whether an earlier request registered the player.

        The player's id is derived from `identity`, and the token from `secret`. `identity` and `secret` have 32 bytes
        each.

        Takes one round trip. Raises: the same errors as `register`.
        """
        player_id = keys.player_id_from(name, identity)
        token = token_of(player_id, secret)
        player, existed = self._register(name, player_id, token, recovery)
        return player, token, existed

    def _register(self, name: str, player_id: str, token: str, recovery: str) -> tuple[Player, bool]:
        """Register a player. Return the player, and whether an earlier request had already registered this player."""
        now, token_hash = _now(), hash_of(token)
        first = Token(tokens.id_of(token_hash), tokens.FIRST_NAME, tokens.SCOPES, now, used=now)
        fields = {"name": name, "registered": now, **self._fields_of_first(token_hash, first)}
        sealed = self._seal_recovery(player_id, recovery) if recovery else ""
        args = [player_id, sealed, *(part for pair in fields.items() for part in pair)]
        where = [keys.of_name(name), keys.of_player(player_id)]
        result, sent_once = self._server.run_noting_retries(REGISTER, where, args)
        if not result:
            raise NameTaken(name)
        return Player(player_id, name, now, first), result == 2 and sent_once

    def authenticate(self, token: str) -> Player | None:
        """Return the player with this token, or None if no player has it.

        Takes one round trip, or none for a malformed token. At most once an hour, a second round trip records that the
        token was used. This method does not check whether the token has expired. Raises: StoreError.
        """
        player, valid = self.player_of_token(token)
        return player if valid else None

    def authenticate_and_read(self, token: str, reads: Sequence[Command]) -> tuple[Player, ReadAhead] | None:
        """Return the player with this token, together with the replies to `reads`. Return None if no player has the
        token.

        Takes one round trip, or one for each node in a cluster. A malformed token needs no round trip. As in
        `authenticate`, another round trip may record that the token was used. If the server refused one of the `reads`,
        the error is raised when the caller takes the replies.
        """
        lookup = self._ask(token)
        if lookup is None:
            return None
        values, ahead = self._server.ask_and_read_ahead(lookup.command, reads)
        player, found = lookup.read(values)
        if player is None or found is None:
            return None
        self._note_use(player.id, lookup, found)
        return player, ahead

    def authenticate_all(self, sent: Collection[str]) -> dict[str, Player]:
        """Return the player for each of these tokens. Takes one round trip, or none if there are no tokens.

        The result leaves out tokens that no player has, and tokens of players whose records cannot be read. This method
        does not record that the tokens were used.
        """
        lookups = {token: one for token in sent if (one := self._ask(token)) is not None}
        answers = self._server.ask_parts(one.command for one in lookups.values()) if lookups else ()
        players = {}
        for (token, one), answer in zip(lookups.items(), answers, strict=True):
            with contextlib.suppress(DamagedData):
                player, found = one.read(answer) if answer else (None, None)
                if player is not None and found is not None:
                    players[token] = player
        return players

    def player_of_token(self, token: str) -> tuple[Player | None, bool]:
        """Return the player whose id is part of a token, and whether the token is one of the player's current tokens.

        A token that is not current may be an earlier token of the player, or may have been made up. Takes as many round
        trips as `authenticate`.
        """
        lookup = self._ask(token)
        if lookup is None:
            return None, False
        player, found = lookup.read(self._server.ask(*lookup.command))
        if player is not None and found is not None:
            self._note_use(player.id, lookup, found)
        return player, found is not None

    def get(self, player_id: str) -> Player | None:
        """Return a player, or None if no player has or had this id. Takes one round trip."""
        if not keys.is_player_id(player_id):
            return None
        lookup = _Lookup(player_id, "", ())
        return lookup.player(self._server.ask(*lookup.command))

    def named(self, name: str) -> str | None:
        """Return the id of the player with this name (ignoring case), or None if no player has it.

        Takes one round trip.
        """
        player_id = self._server.ask("GET", keys.of_name(name))
        text = None if player_id is None else player_id.decode(errors="replace")
        return text if text is not None and keys.is_player_id(text) else None

    def tokens(self, player_id: str) -> list[Token]:
        """Return a player's tokens, oldest first, including expired tokens. Takes one round trip.

        Raises: DamagedData, StoreUnavailable.
        """
        return [found.token for found in self._found_tokens(player_id)]

    def add_token(
        self, player_id: str, token: str, value: Token, claim: str | None = None, *, asker: str = ""
    ) -> Token:
        """Add a token for a player, and return the stored token. Takes one round trip, or two if there is an `asker`.

        If a request's `claim` is given, the token is added only once, even if the request is repeated. Every other
        method that takes a `claim` also makes its change only once. `asker` is the id of the token that was used to
        request the new token. Nothing is added if the player no longer has the token `asker`. Raises: TooManyTokens,
        UnknownPlayer, UnknownToken, StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        field, old = tokens.field_of(self._keyring, hash_of(token)), self._old_value(player_id, asker)
        args = [field, tokens.to_value(value), tokens.MAX_TOKENS, _now(), asker, old]
        result = self._server.run(ADD_TOKEN, where, args)
        if result == -1:
            raise UnknownPlayer(f"no player has the id {player_id!r}")
        if result == -2:
            raise UnknownToken(f"{player_id} no longer has the token {asker!r}")
        if result == 0:
            raise TooManyTokens(f"you already have the maximum of {tokens.MAX_TOKENS} tokens")
        return tokens.from_value(where[0], result)

    def remove_token(self, player_id: str, token_id: str, claim: str | None = None) -> bool:
        """Remove a player's token with this id. Return False if there is no such token. Takes two round trips."""
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        args = [token_id, self._old_value(player_id, token_id)]
        result, sent_once = self._server.run_noting_retries(REMOVE_TOKEN, where, args)
        return bool(result) or not sent_once

    def replace_token(self, player_id: str, before: str, token: str, value: Token, claim: str | None = None) -> bool:
        """Replace the token whose SHA-256 is `before` with a new token. Takes one round trip.

        If the player no longer has the token to be replaced, nothing changes, and the result is False. If an earlier
        attempt with this claim has replaced the token, the result is True. Raises: StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        token_hash = hash_of(token)
        field, old = tokens.field_of(self._keyring, token_hash), "" if self._keyring else token_hash
        args = [field, tokens.to_value(value), before, old, value.created, *tokens.fields_of(self._keyring, before)]
        return bool(self._server.run(REPLACE_TOKEN, where, args))

    def recovery(self, player_id: str) -> tuple[bytes, str]:
        """Return a player's recovery code in its stored form, and the code's SHA-256 in hex.

        If the player has no code, return b"" and "".

        Takes one round trip. Raises: DamagedData if the code was encrypted with a key that is missing,
        StoreUnavailable.
        """
        key = keys.of_player(player_id)
        stored: bytes = self._server.ask("HGET", key, "recovery") or b""
        try:
            return stored, self._keyring.open(stored.decode(errors="replace"), recovery_purpose(player_id))
        except Unreadable as error:
            raise DamagedData(f"{key} contains a recovery code that cannot be read: {error}") from error

    def replace_recovery(self, player_id: str, recovery: str, asker: str, claim: str | None = None) -> bool:
        """Replace a player's recovery code with the code whose SHA-256 in hex is `recovery`. Takes two round trips.

        `asker` is the id of the token that was used to request the code. Returns False if the player no longer has this
        token.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        args = [self._seal_recovery(player_id, recovery), asker, self._old_value(player_id, asker)]
        return bool(self._server.run(REPLACE_RECOVERY, where, args))

    def recover(
        self, player_id: str, before: bytes, recovery: str, token: str, value: Token, claim: str | None = None
    ) -> bool:
        """Replace all of a player's tokens with one new token, and the recovery code with a new code.

        Takes one round trip. `before` is the stored form of the current code, as returned by the `recovery` method. The
        argument `recovery` is the SHA-256 of the new code in hex. If the player's code has changed in the meantime,
        this method changes nothing and returns False. Raises: StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        sealed, field = self._seal_recovery(player_id, recovery), tokens.field_of(self._keyring, hash_of(token))
        return bool(self._server.run(RECOVER, where, [before, sealed, field, tokens.to_value(value)]))

    def free_name(self, player_id: str, name: str) -> None:
        """Let another player register under this player's name. Takes one round trip. Raises: StoreUnavailable."""
        self._server.run(FREE_NAME, [keys.of_name(name)], [player_id])

    def delete(self, player_id: str, now: int) -> None:
        """Delete all data about a player except the times of registration and deletion. Takes one round trip.

        `now` is in ms since the epoch. `get` still returns the player, but without a name. Raises: StoreUnavailable.
        """
        self._server.run(DELETE, [keys.of_player(player_id)], [now, *keys.renamed(player_id)])

    def hours(self, player_id: str) -> tuple[int, bytes]:
        """Return the time at which a player registered, and the stored hours (b"" if there are none).

        Takes one round trip. Raises: UnknownPlayer, StoreUnavailable.
        """
        return read_hours(player_id, self._server.ask(*ask_hours(player_id)))

    def change_hours(self, player_id: str, before: bytes, after: bytes, claim: str | None = None) -> bool:
        """Write a player's hours. Return False if the stored hours are no longer `before`. Takes one round trip.

        If a request's `claim` is given, the hours are written only once, even if the request is repeated. Raises:
        UnknownPlayer, StoreUnavailable.
        """
        where = [keys.of_player(player_id), *([claim] if claim else [])]
        result = self._server.run(CHANGE_HOURS, where, [before, after])
        if result < 0:
            raise UnknownPlayer(f"no player has the id {player_id!r}")
        return bool(result)

    def notices(self, player_id: str) -> bytes:
        """Return, as JSON, which notices a player wants, or b"" if the player has not made a choice yet.

        Takes one round trip.
        """
        (stored,) = self._server.ask("HMGET", keys.of_player(player_id), "notices")
        return stored or b""

    def change_notices(self, player_id: str, notices: bytes) -> None:
        """Store which notices a player wants (as JSON).

        Takes one round trip. Raises: UnknownPlayer, StoreUnavailable.
        """
        if not self._server.run(CHANGE_NOTICES, [keys.of_player(player_id)], [notices]):
            raise UnknownPlayer(f"no player has the id {player_id!r}")

    def _fields_of_first(self, token_hash: str, first: Token) -> dict[str, Any]:
        """Return the fields that store a player's first token.

        Release 0.3.0 accepts this token if the server has no secret key. The `token` field exists even if there is a
        key, because release 0.3.0 cannot read a player without this field.
        """
        if not self._keyring:
            return {tokens.OLD_FIELD: token_hash, tokens.OLD_USED: first.created}
        return {tokens.OLD_FIELD: "", tokens.field_of(self._keyring, token_hash): tokens.to_value(first)}

    def _seal_recovery(self, player_id: str, recovery: str) -> str:
        return self._keyring.seal(recovery, recovery_purpose(player_id))

    def _found_tokens(self, player_id: str) -> list[Found]:
        key = keys.of_player(player_id)
        answer = iter(self._server.ask(*read_hash(key)))
        fields = {name.decode(errors="replace"): value for name, value in zip(answer, answer, strict=True)}
        return tokens.all_in(key, fields, parse_int(fields.get("registered")) or 0)

    def _old_value(self, player_id: str, token_id: str) -> bytes:
        """Return the value of the `token` field if that field holds the token with this id, otherwise b"".

        Takes one round trip, or none if the id is "".
        """
        if not token_id:
            return b""
        old = next((one.value for one in self._found_tokens(player_id) if one.field == tokens.OLD_FIELD), b"")
        return old if old and tokens.id_of(old.decode()) == token_id else b""

    def _ask(self, token: str) -> _Lookup | None:
        """Return the command that finds the player who has this token, or None if the token is malformed."""
        player_id, dot, _ = token.partition(".")
        if not dot or not token.isascii() or not keys.is_player_id(player_id):
            return None
        token_hash = hash_of(token)
        return _Lookup(player_id, token_hash, tokens.fields_of(self._keyring, token_hash))

    def _note_use(self, player_id: str, lookup: _Lookup, found: Found) -> None:
        """Record that a token was used, and move the token to its current field if necessary. Ignore failures."""
        now, used = _now(), found.token.used
        stays_old = found.field == tokens.OLD_FIELD and not self._keyring
        is_current = stays_old or found.field == lookup.fields[0]
        if is_current and used is not None and now - used < tokens.USE_INTERVAL:
            return
        if time.monotonic() < self._no_writes_until:
            return
        field = tokens.OLD_USED if stays_old else lookup.fields[0]
        value = now if stays_old else tokens.to_value(found.token._replace(used=now))
        try:
            self._server.run(REWRITE_TOKEN, [keys.of_player(player_id)], [found.field, found.value, field, value])
        except StoreError:
            self._no_writes_until = time.monotonic() + WRITE_PAUSE


class _Lookup:
    """The command that reads a player and the token with a given hash.

    If `fields` is empty, the command reads no token.
    """

    __slots__ = ("_hash", "_player_id", "command", "fields")

    def __init__(self, player_id: str, token_hash: str, fields: Sequence[str]) -> None:
        self._player_id = player_id
        self._hash = token_hash
        self.fields = fields
        self.command: Command = ("HMGET", keys.of_player(player_id), *_PLAYER_FIELDS, *fields)

    def read(self, values: Sequence[bytes | None]) -> tuple[Player | None, Found | None]:
        """Return the player and the token from the command's reply. A deleted player is returned as None.

        Raises: DamagedData.
        """
        if values[0] is None:
            return None, None
        registered, key = parse_int(values[1]), str(self.command[1])
        found = None
        if registered is not None:
            old = tokens.Old(values[_OLD_AT], values[_OLD_AT + 1])
            found = tokens.find(key, self._hash, self.fields, values[_REST_AT:], old, registered)
        return self.player(values, None if found is None else found.token), found

    def player(self, values: Sequence[bytes | None], token: Token | None = None) -> Player | None:
        """Return the player from the command's reply, together with a token. Raises: DamagedData."""
        name, registered, suspended, deleted = values[:_OLD_AT]
        if name is None and deleted is None:
            return None
        name, at = name or b"", parse_int(registered)
        if at is None or not name.isascii():
            raise DamagedData(f"{self.command[1]} does not contain a player")
        reason = None if suspended is None else suspended.decode(errors="replace")
        return Player(self._player_id, name.decode(), at, token, reason)


_PLAYER_FIELDS = ("name", "registered", "suspended", "deleted", tokens.OLD_FIELD, tokens.OLD_USED)
_OLD_AT, _REST_AT = len(_PLAYER_FIELDS) - 2, len(_PLAYER_FIELDS)


def recovery_purpose(player_id: str) -> str:
    """Return the `purpose` with which the keyring encrypts a player's recovery code."""
    return f"recovery {player_id}"


def _now() -> int:
    return time.time_ns() // 1_000_000


def ask_hours(player_id: str) -> Command:
    """Return the command that reads a player's hours."""
    return ("HMGET", keys.of_player(player_id), "registered", "hours")


def read_hours(player_id: str, answer: Sequence[bytes | None]) -> tuple[int, bytes]:
    """Return the time of registration and the stored hours from the reply to `ask_hours`. Raises: UnknownPlayer."""
    registered, hours = answer
    if registered is None:
        raise UnknownPlayer(f"no player has the id {player_id!r}")
    at = parse_int(registered)
    if at is None:
        raise DamagedData(f"{keys.of_player(player_id)} does not contain a player")
    return at, hours or b""
