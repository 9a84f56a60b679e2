"""Tables: the data beside a game's log that players may change or delete, and the keys to private games.

A game's title is never in its log, so it can be changed and deleted, and a finished game's log stays as it is. These
data do not follow from a log, so a rebuild neither compares nor repairs them.

A private game has a link, which gives access to everybody who knows its secret. The secret is not stored: it is derived
from the server's secret and from the `link` of the game's table, a random text that changes when the link is replaced.
A join code is stored only as a hash, together with the `link` that it belongs to.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from . import keys
from .connection import Server
from .hashes import read_hash
from .keyring import Keyring
from .lua import script
from .transport import Command

CODE_LIFETIME = 24 * 3_600_000
"""Milliseconds for which a join code is valid."""

CHANGE_TITLE = script("change_title")
REPLACE_LINK = script("replace_link")
ADD_CODE = script("add_join_code")


class StoredTable(NamedTuple):
    """What is stored beside a game's log: its title, and the text from which its link's secret is derived.

    Each is None if the game has none. The text is not secret without the server's secret.
    """

    title: str | None = None
    link: str | None = None


class Access(NamedTuple):
    """What may give a caller access to a private game.

    `seated` says whether the player has had a seat in the game or owns it, and has not left. `link` is as in
    `StoredTable`; it is None if there is no such game.
    """

    seated: bool
    link: str | None


def new_link(bits: bytes | None = None) -> str:
    """Return the text for a new link, at random or derived from 8 or more bytes."""
    return (secrets.token_bytes(8) if bits is None else bits[:8]).hex()


def write_table(game_id: str, table: StoredTable) -> list[Command]:
    """Return the commands, to be run with a game's first commit, that write what is stored beside its log."""
    key = _key(game_id)
    title: list[Command] = [] if table.title is None else [("HSET", key, "title", table.title)]
    return [*title, ("HSET", key, "link", table.link)] if table.link else title


def read_title(game_id: str) -> Command:
    """Return the command that reads a game's title."""
    return ("HGET", _key(game_id), "title")


def title_of(answer: bytes | None) -> str | None:
    """Return the title in the answer to `read_title`, or None if the game has no title."""
    return _text(answer)


class Tables:
    """What is stored beside the logs of all games."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to hash join codes."""
        self._server = server
        self._keyring = keyring

    def read(self, game_id: str) -> StoredTable:
        """Return what is stored beside a game's log. One round trip. Raises: StoreError."""
        answer = iter(self._server.ask_all([read_hash(_key(game_id))])[0] or ())
        fields = dict(zip(answer, answer, strict=True))
        return StoredTable(_text(fields.get(b"title")), _text(fields.get(b"link")))

    def access(self, game_id: str, player: str | None) -> Access:
        """Return what may give a player, or a caller without a token, access to a private game. One round trip.

        Raises: StoreError.
        """
        shard = keys.shard_of_game(game_id)
        reads: list[Command] = [("HGET", _key(game_id), "link")]
        if player is not None:
            reads.append(("ZSCORE", keys.of_shard(shard, f"{keys.PRIVATE}:{player}"), game_id))
        link, *seated = self._server.ask_all(reads)
        return Access(any(score is not None for score in seated), _text(link))

    def change_title(self, game_id: str, title: str | None) -> bool:
        """Change a game's title, or remove it. Return False if there is no such game. One round trip.

        Raises: StoreError.
        """
        where = [keys.of_game(game_id, "log"), _key(game_id)]
        return bool(self._server.run(CHANGE_TITLE, where, [title or ""]))

    def replace_link(self, game_id: str, link: str) -> None:
        """Replace a game's link, if there is such a game. One round trip. Raises: StoreError."""
        self._server.run(REPLACE_LINK, [keys.of_game(game_id, "log"), _key(game_id)], [link])

    def add_code(self, code_hash: str, game_id: str, link: str) -> None:
        """Store a join code, given its SHA-256 in hex. One round trip. Raises: StoreError."""
        key = keys.of_join_code(self._keyring.hashes(code_hash)[0])
        self._server.run(ADD_CODE, [key], [f"{game_id} {link}", CODE_LIFETIME])

    def game_of_code(self, code_hash: str) -> tuple[str, str] | None:
        """Return the game of a join code, and the link that the code belongs to, or None if there is no such code.

        One round trip. Raises: StoreError.
        """
        reads = [("GET", keys.of_join_code(digest)) for digest in self._keyring.hashes(code_hash)]
        for answer in self._server.ask_all(reads):
            game_id, _, link = (answer or b"").decode(errors="replace").partition(" ")
            if keys.is_game_id(game_id) and link:
                return game_id, link
        return None


def _key(game_id: str) -> str:
    return keys.of_game(game_id, "table")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="replace")
