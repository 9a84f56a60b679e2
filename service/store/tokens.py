"""Tokens: the fields of a player's Redis hash that store the player's tokens, and the form of their values.

The name of a token's field is `token:` followed by a digest of the token (`keyring`). The command that reads a player
therefore also finds the player's tokens.

Release 0.3.0 gave each player one token, and stored the token's SHA-256 in the `token` field. If there is no secret
key, the token that a registration creates is still stored in this field, so that release 0.3.0 accepts it. The
`token-used` field holds the time at which the token in the `token` field was last used. A token in the `token` field
has all scopes. If there is a secret key, a token in the `token` field moves to its own field when it is next used.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson

from .errors import DamagedData
from .keyring import Keyring
from .keys import token_id_from
from .rows import parse_int

READ, PLAY, WEBHOOKS, ACCOUNT, ADMIN = "read", "play", "webhooks", "account", "admin"
SCOPES = (READ, PLAY, WEBHOOKS, ACCOUNT)
"""The scopes that a player can grant to a token. Only the command line grants the `admin` scope."""
MAX_TOKENS = 20
"""The maximum number of tokens of one player."""
BYTES = 32
"""The number of secret bytes in a token."""
FIRST_NAME = "registration"
"""The name of the token that a registration creates."""
USE_INTERVAL = 3_600_000
"""The use of a token is recorded at most once in this period (ms)."""

OLD_FIELD, OLD_USED = "token", "token-used"
PREFIX = "token:"


class Token(NamedTuple):
    """One of a player's tokens. Times are in ms since the epoch.

    `expires` is None for a token that never expires. `used` is the recorded time of the last use, or None if no use was
    recorded. The recorded time can be up to `USE_INTERVAL` older than the actual last use.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    created: int
    expires: int | None = None
    used: int | None = None


class Old(NamedTuple):
    """The values of the `token` and `token-used` fields."""

    value: bytes | None
    used: bytes | None


class Found(NamedTuple):
    """A token that was found in a player's hash: the field, its value, and the token."""

    field: str
    value: bytes
    token: Token


def token_of(player_id: str, secret: bytes) -> str:
    """Return the token that consists of a player's id and some secret bytes."""
    return f"{player_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def hash_of(token: str) -> str:
    """Return the SHA-256 of a token in hex. The store contains only a hash of this hash (`keyring`)."""
    return hashlib.sha256(token.encode()).hexdigest()


def id_of(token_hash: str) -> str:
    """Return the id of the token with this hash."""
    return token_id_from(bytes.fromhex(token_hash))


def field_of(keyring: Keyring, token_hash: str) -> str:
    """Return the name of the field in which a token with this hash is written."""
    return PREFIX + keyring.hashes(token_hash)[0]


def fields_of(keyring: Keyring, token_hash: str) -> list[str]:
    """Return the names of the fields in which a token with this hash may be stored. The current field is first."""
    return [PREFIX + digest for digest in keyring.hashes(token_hash)]


def to_value(token: Token) -> bytes:
    """Return the value of the field that stores a token."""
    return orjson.dumps({name: value for name, value in token._asdict().items() if value is not None})


@lru_cache(4096)
def from_value(key: str, value: bytes) -> Token:
    """Return the token in a field of the player's hash `key`. Raises: DamagedData."""
    try:
        record = orjson.loads(value)
        token = Token(**{**record, "scopes": tuple(record["scopes"])})
    except (LookupError, TypeError, ValueError) as error:
        raise DamagedData(f"{key} does not contain a token") from error
    numbers = (token.created, token.expires or 0, token.used or 0)
    if not all(isinstance(number, int) for number in numbers):
        raise DamagedData(f"{key} does not contain a token")
    return token


def old_token(token_hash: str, registered: int, used: bytes | None) -> Token:
    """Return the token whose SHA-256 is in the `token` field."""
    return Token(id_of(token_hash), FIRST_NAME, SCOPES, registered, used=parse_int(used))


def find(
    key: str, token_hash: str, fields: Sequence[str], values: Sequence[bytes | None], old: Old, registered: int
) -> Found | None:
    """Return the token with this hash, or None if the player does not have it.

    `values` are the stored values of `fields`. Raises: DamagedData.
    """
    for at, value in enumerate(values):
        if value is not None:
            return Found(fields[at], value, from_value(key, value))
    if old.value == token_hash.encode():
        return Found(OLD_FIELD, old.value, old_token(token_hash, registered, old.used))
    return None


def all_in(key: str, fields: Mapping[str, bytes], registered: int) -> list[Found]:
    """Return every token in a player's hash, oldest first. Raises: DamagedData."""
    found = [Found(field, value, from_value(key, value)) for field, value in fields.items() if field.startswith(PREFIX)]
    old = fields.get(OLD_FIELD)
    if old:
        try:
            found.append(Found(OLD_FIELD, old, old_token(old.decode(), registered, fields.get(OLD_USED))))
        except ValueError as error:
            raise DamagedData(f"{key} does not contain a token") from error
    return sorted(found, key=lambda one: (one.token.created, one.token.id))
