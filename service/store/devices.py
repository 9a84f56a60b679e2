"""Codes for new devices. The store keeps only a hash of each code, for ten minutes. Each code can be used only once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import keys
from .connection import Server
from .errors import DamagedData
from .keyring import Keyring
from .lua import script

LIFETIME = 600_000
"""Milliseconds for which a code is valid."""

ADD = script("add_device_code")
TAKE = script("take_device_code")


class Taken(NamedTuple):
    """A code that was used: its player, and the scopes of the token to create.

    `asker` is the id of the token with which the code was requested.
    """

    player: str
    scopes: tuple[str, ...]
    asker: str


class Devices:
    """The codes of all players."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to hash the codes."""
        self._server = server
        self._keyring = keyring

    def add(self, code_hash: str, player: str, scopes: Sequence[str], asker: str) -> None:
        """Store a code, given its SHA-256 in hex, unless it is already stored. Takes one round trip.

        `asker` is the id of the token with which the code was requested. Raises: StoreUnavailable.
        """
        key = keys.of_device_code(self._keyring.hashes(code_hash)[0])
        self._server.run(ADD, [key], [player, " ".join(scopes), asker, LIFETIME])

    def take(self, code_hash: str, attempt: str) -> Taken | None:
        """Use up a code. Return None if there is no such code, or if another attempt has already used it.

        Takes one round trip. Raises: DamagedData, StoreUnavailable.
        """
        where = [keys.of_device_code(digest) for digest in self._keyring.hashes(code_hash)]
        answers = self._server.ask_all([self._server.command(TAKE, [key], [attempt]) for key in where])
        for key, answer in zip(where, answers, strict=True):
            if answer:
                player, scopes, asker = ((part or b"").decode(errors="replace") for part in answer)
                if not keys.is_player_id(player):
                    raise DamagedData(f"{key} does not contain a device code")
                return Taken(player, tuple(scopes.split()), asker)
        return None
