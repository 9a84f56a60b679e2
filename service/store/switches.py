"""Switches: settings that the host changes at run time, and announcements.

Every process regularly rereads the settings and the announcements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from . import keys
from .connection import Server
from .errors import StoreError
from .hashes import read_hash
from .rows import object_in
from .transport import Command

REMEMBERED = 3.0
"""Seconds for which a process remembers the switches, so that most requests need not read them."""

REGISTRATION, READ_ONLY = "registration", "read-only"
"""The fields of the hash `switches`."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Switched:
    """The host's settings: `registration` is the registration mode, or None if the mode in the configuration applies.

    `read_only` contains `since` and `reason`, or is None if the store is not read-only. `announcements` maps ids to all
    announcements that have not been removed, even those that have ended.
    """

    registration: str | None
    read_only: Json | None
    announcements: Mapping[str, Json]


class Switches:
    """The switches of the whole service."""

    def __init__(self, server: Server, clock: Callable[[], float] = time.monotonic) -> None:
        """Use this server for all reads and writes.

        `clock` returns the time in seconds, and determines when remembered switches expire.
        """
        self._server = server
        self._clock = clock
        self._remembered: tuple[float, Switched] | None = None

    def read(self) -> Switched:
        """Return the current switches. Takes one round trip. Raises: StoreError."""
        flat, announced = self._server.ask_all([read_hash(_KEY), read_hash(_ANNOUNCEMENTS)])
        fields, texts = _pairs(flat), _pairs(announced)
        registration = fields.get(REGISTRATION)
        announcements = {name: parsed for name, text in texts.items() if (parsed := object_in(text)) is not None}
        switched = Switched(
            None if registration is None else registration.decode(errors="replace"),
            object_in(fields[READ_ONLY]) if READ_ONLY in fields else None,
            announcements,
        )
        self._remembered = (self._clock(), switched)
        return switched

    def recent(self) -> Switched:
        """Return the switches as they were at most `REMEMBERED` seconds ago.

        Takes one round trip if the switches must be reread. If the store fails, return the switches that were last
        read. Raises: StoreError if the store fails before any switches have been read.
        """
        remembered = self._remembered
        if remembered is not None and self._clock() - remembered[0] < REMEMBERED:
            return remembered[1]
        try:
            return self.read()
        except StoreError:
            if remembered is None:
                raise
            return remembered[1]

    def forget(self) -> None:
        """Forget the switches, so that they are reread when they are next needed."""
        self._remembered = None


def switch(name: str, value: str | None) -> Command:
    """Return the command that sets a switch, or resets it if `value` is None."""
    return ("HDEL", _KEY, name) if value is None else ("HSET", _KEY, name, value)


def announce(name: str, announcement: Mapping[str, Any] | None) -> Command:
    """Return the command that stores an announcement under the id `name`, or removes it if `announcement` is None."""
    if announcement is None:
        return ("HDEL", _ANNOUNCEMENTS, name)
    return ("HSET", _ANNOUNCEMENTS, name, orjson.dumps(announcement))


def _pairs(flat: list[bytes]) -> dict[str, bytes]:
    members = iter(flat)
    return {name.decode(errors="replace"): value for name, value in zip(members, members, strict=True)}


_KEY = keys.of_shard(0, "switches")
_ANNOUNCEMENTS = keys.of_shard(0, "announcements")
