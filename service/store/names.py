"""Names: reads the names of players for views, and caches them for a short time.

Logs hold only player ids, because a name may change or be deleted. A page needs the names of only a few players, and
often needs the same names as earlier pages. Each process therefore caches names for `SECONDS`. If the process listens
for wake-up messages (`waits`), it forgets a name as soon as the name changes. If a page needs names that are not
cached, all of these names are read in one round trip.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from . import keys
from .connection import Server
from .errors import StoreError, StoreUnavailable

SECONDS = 60.0
"""The number of seconds for which a name is cached."""
RETRY_SECONDS = 5.0
"""Seconds after which names that could not be read are read again."""
LIMIT = 10_000
"""The maximum number of players whose names a process caches. Each name takes about 250 bytes."""


class _Entry(NamedTuple):
    """A name (None if the player has no name), and when the entry expires (in seconds, according to the clock of
    `Names`).
    """

    name: str | None
    until: float


class Names:
    """The names of all players. Each process caches some of the names. The object can be used from any thread."""

    def __init__(self, server: Server, clock: Callable[[], float] = time.monotonic) -> None:
        """Read names from this server. `clock` returns seconds, and determines when cached names expire."""
        self._server = server
        self._clock = clock
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    def of(self, players: Iterable[str]) -> dict[str, str | None]:
        """Return the name of each of these players. A name is None if no player has the id, or if the name was deleted.

        Takes one round trip, or none if all names are cached. No error is raised, because a view without names is
        better than no view. If the store does not answer, the result contains the names that are already cached, and
        None for all other players.
        """
        now = self._clock()
        names: dict[str, str | None] = {}
        unknown: list[str] = []
        for player in players:
            entry = self._entries.get(player)
            if entry is None or entry.until <= now:
                unknown.append(player)
            else:
                names[player] = entry.name
        return names | self._read(list(dict.fromkeys(unknown))) if unknown else names

    def remember(self, player: str, name: str) -> None:
        """Cache a player's name, which has just been read from the store."""
        self._remember({player: name}, SECONDS)

    def forget(self, players: Iterable[str]) -> None:
        """Forget the names of these players, because they have changed."""
        with self._lock:
            for player in players:
                self._entries.pop(player, None)

    def _read(self, players: Sequence[str]) -> dict[str, str | None]:
        readable = [player for player in players if keys.is_player_id(player)]
        names: dict[str, str | None] = dict.fromkeys(players)
        try:
            reads = [("HGET", keys.of_player(player), "name") for player in readable]
            answers = self._server.ask_parts(reads) if reads else []
        except StoreUnavailable:
            for player in readable:
                entry = self._entries.get(player)
                names[player] = None if entry is None else entry.name
            self._remember(names, RETRY_SECONDS)
            return names
        except StoreError:
            answers = [None] * len(readable)
        for player, name in zip(readable, answers, strict=True):
            names[player] = None if name is None else name.decode(errors="replace")
        self._remember(names, SECONDS)
        return names

    def _remember(self, names: dict[str, str | None], seconds: float) -> None:
        until = self._clock() + seconds
        with self._lock:
            for player, name in names.items():
                # The most recently read names are at the end, so the first name is the oldest.
                self._entries.pop(player, None)
                self._entries[player] = _Entry(name, until)
            while len(self._entries) > LIMIT:
                del self._entries[next(iter(self._entries))]
