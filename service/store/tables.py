"""Tables: data that players may change or delete, and that are therefore stored next to a game's log, not in it. This
module also stores the links and join codes of private games.

A game's title is never in its log, so the title can be changed or deleted without changing the log. The data in this
module are not derived from a log, so a rebuild neither compares nor repairs them.

A private game has a link, which gives access to anybody who knows its secret. The secret is not stored: it is derived
from the server's secret and from the `link` of the game's table. This `link` is a random string that changes when the
link is replaced. A join code is stored only as a hash, together with the `link` that it belongs to.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from . import keys
from .connection import Server
from .hashes import read_hash
from .keyring import Keyring
from .lua import script
from .rows import DIGITS, object_in
from .transport import Command

CODE_LIFETIME = 24 * 3_600_000
"""Milliseconds for which a join code is valid."""

CHANGE_TITLE = script("change_title")
REPLACE_LINK = script("replace_link")
ADD_CODE = script("add_join_code")
NOTE_REMATCH = script("note_rematch")


class StoredTable(NamedTuple):
    """The data stored next to a game's log. A field without a value is None, 0 or empty.

    `link` is the string from which the secret of the game's link is derived. Without the server's secret, this string
    reveals nothing. `rematch_of` is the game of which this game is a rematch. Until `reserved_until` (ms since the
    epoch), the seats in `reserved` are kept for the players of that game. After this time, if `bot` is not None, this
    bot takes the seats of players who have not agreed to the rematch. `rematch` is the newest rematch of this game, and
    `rematches` is the number of its rematches.
    """

    title: str | None = None
    link: str | None = None
    rematch_of: str | None = None
    reserved: Mapping[str, int] = MappingProxyType({})
    reserved_until: int = 0
    bot: str | None = None
    rematch: str | None = None
    rematches: int = 0


class Access(NamedTuple):
    """The data that determine whether a caller has access to a private game.

    `seated` is true for a player who owns the game or has had a seat in it, unless the player has left. `link` has the
    same meaning as in `StoredTable`, and is None if there is no such game. `invited_until` is the time at which the
    player's invitation to the game expires (ms since the epoch). `invited_until` is 0 if the player has no invitation,
    or if the game is no longer open.
    """

    seated: bool
    link: str | None
    invited_until: int = 0


def new_link(bits: bytes | None = None) -> str:
    """Return the string for a new link. The string is random, or derived from `bits` (at least 8 bytes)."""
    return (secrets.token_bytes(8) if bits is None else bits[:8]).hex()


def write_table(game_id: str, table: StoredTable) -> list[Command]:
    """Return the commands that write the data stored next to a game's log.

    Run the commands together with the game's first commit.
    """
    key, shard = _key(game_id), keys.shard_of_game(game_id)
    texts = (("title", table.title), ("link", table.link), ("rematch_of", table.rematch_of), ("bot", table.bot))
    writes: list[Command] = [("HSET", key, name, text) for name, text in texts if text is not None]
    if table.rematch_of is not None:
        writes.append(("HSET", key, "reserved_until", table.reserved_until))
        writes += [("HSET", reserved_key(game_id), player, seat) for player, seat in table.reserved.items()]
        writes.append(("ZADD", keys.of_shard(shard, "proposals"), table.reserved_until, game_id))
    return writes


def read_title(game_id: str) -> Command:
    """Return the command that reads a game's title."""
    return ("HGET", _key(game_id), "title")


def title_of(answer: bytes | None) -> str | None:
    """Return the title in the reply to `read_title`, or None if the game has no title."""
    return _text(answer)


class Tables:
    """The data stored next to the logs of all games."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to hash join codes."""
        self._server = server
        self._keyring = keyring

    def read(self, game_id: str) -> StoredTable:
        """Return the data stored next to a game's log. Takes one round trip. Raises: StoreError."""
        reads = [read_hash(_key(game_id)), read_hash(reserved_key(game_id))]
        fields, reserved = map(_pairs, self._server.ask_all(reads))
        return StoredTable(
            title=fields.get("title"),
            link=fields.get("link"),
            rematch_of=fields.get("rematch_of"),
            reserved={player: int(seat) for player, seat in reserved.items() if seat.isdecimal()},
            reserved_until=_number(fields.get("reserved_until")),
            bot=fields.get("bot"),
            rematch=fields.get("rematch"),
            rematches=_number(fields.get("rematches")),
        )

    def access(self, game_id: str, player: str | None) -> Access:
        """Return the data that determine whether a caller has access to a private game. Takes one round trip.

        `player` is None for a caller without a token. Raises: StoreError.
        """
        shard = keys.shard_of_game(game_id)
        reads: list[Command] = [("HGET", _key(game_id), "link")]
        if player is None:
            return Access(False, _text(self._server.ask_all(reads)[0]))
        reads.append(("ZSCORE", keys.of_shard(shard, f"{keys.PRIVATE}:{player}"), game_id))
        reads.append(("HGET", invited_key(game_id, player), game_id))
        reads.append(("ZSCORE", keys.of_shard(shard, f"{keys.PRIVATE}-open"), game_id))
        link, seated, row, is_open = self._server.ask_all(reads)
        invitation = None if row is None or is_open is None else object_in(row, "until")
        return Access(seated is not None, _text(link), 0 if invitation is None else invitation["until"])

    def change_title(self, game_id: str, title: str | None) -> bool:
        """Change a game's title, or remove it. Return False if there is no such game. Takes one round trip.

        Raises: StoreError.
        """
        where = [keys.of_game(game_id, "log"), _key(game_id)]
        return bool(self._server.run(CHANGE_TITLE, where, [title or ""]))

    def replace_link(self, game_id: str, link: str) -> None:
        """Replace a game's link, if the game exists. Takes one round trip. Raises: StoreError."""
        self._server.run(REPLACE_LINK, [keys.of_game(game_id, "log"), _key(game_id)], [link])

    def note_rematch(self, game_id: str, number: int, rematch: str) -> None:
        """Record a game's rematch with this number, unless a later rematch is already recorded. Takes one round trip.

        Raises: StoreError.
        """
        self._server.run(NOTE_REMATCH, [_key(game_id)], [number, rematch])

    def proposals_due(self, now: int, limit: int) -> list[str]:
        """Return the rematches whose reservations have ended, earliest first, at most `limit` from each shard.

        Takes one round trip. Raises: StoreUnavailable.
        """
        reads = [
            ("ZRANGEBYSCORE", keys.of_shard(shard, "proposals"), "-inf", now, "WITHSCORES", "LIMIT", 0, limit)
            for shard in range(keys.SHARDS)
        ]
        answers = self._server.ask_parts(reads)
        return [game for _, game in sorted(entry for answer in answers for entry in keys.games_at(answer or ()))]

    def end_proposal(self, game_id: str) -> None:
        """Remove a game from the rematches that still have reservations. Takes one round trip. Raises: StoreError."""
        self._server.ask("ZREM", keys.of_shard(keys.shard_of_game(game_id), "proposals"), game_id)

    def add_code(self, code_hash: str, game_id: str, link: str) -> None:
        """Store a join code, given its SHA-256 in hex. Takes one round trip. Raises: StoreError."""
        key = keys.of_join_code(self._keyring.hashes(code_hash)[0])
        self._server.run(ADD_CODE, [key], [f"{game_id} {link}", CODE_LIFETIME])

    def game_of_code(self, code_hash: str) -> tuple[str, str] | None:
        """Return a join code's game and link, or None if there is no such code.

        Takes one round trip. Raises: StoreError.
        """
        reads = [("GET", keys.of_join_code(digest)) for digest in self._keyring.hashes(code_hash)]
        for answer in self._server.ask_all(reads):
            game_id, _, link = (answer or b"").decode(errors="replace").partition(" ")
            if keys.is_game_id(game_id) and link:
                return game_id, link
        return None


def invited_key(game_id: str, player: str) -> str:
    """Return the key that holds a player's invitations in a game's shard."""
    return keys.of_shard(keys.shard_of_game(game_id), f"invited:{player}")


def reserved_key(game_id: str) -> str:
    """Return the key that holds the reserved seats of a rematch."""
    return keys.of_game(game_id, "reserved")


def _pairs(answer: Sequence[bytes]) -> dict[str, str]:
    """Return the fields and values in the reply to `read_hash`."""
    texts = iter([text.decode(errors="replace") for text in answer or ()])
    return dict(zip(texts, texts, strict=True))


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) <= DIGITS else 0


def _key(game_id: str) -> str:
    return keys.of_game(game_id, "table")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="replace")
