"""Presence: when each part of the service was last known to be running, and its outages.

The web process regularly records that it is running. Each time the clock process has checked the games, it records
that it is running. If either process records nothing for longer than a minute, this silence counts as an outage. The
reason for the silence does not matter: the process may have ended, its rounds may have failed, or the log server may
have accepted no writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import keys
from .connection import Server
from .lua import Script, script
from .rows import parse_int
from .transport import Command

CLOCK, WEB = PARTS = ("clock", "web")
"""The parts of the service that record their presence."""
SILENCE = 60_000
"""If a part records nothing for longer than this time, in ms, it has had an outage."""
EPOCH = 1_577_836_800_000
"""2020-01-01, in ms since the epoch. The service did not exist before this date."""
MAX_OUTAGES = 1_000
"""The maximum number of outages that are stored."""

BEAT = script("record_presence", when_read_only=True)
READ = script("read_presence", when_read_only=True)


class Outage(NamedTuple):
    """A period in which a part of the service was silent (ms since the epoch)."""

    since: int
    until: int


class PresenceState(NamedTuple):
    """When each part of the service last recorded its presence, and the outages that have ended, oldest first.

    `read_only` says whether the host has made the store read-only, which counts as an outage.
    """

    last: dict[str, int]
    outages: list[Outage]
    read_only: bool = False

    def silent(self, now: int) -> bool:
        """Return whether there is an outage at `now`. During an outage, no player's time may run out."""
        return self.read_only or any(now - last > SILENCE for last in self.last.values())


class Presence:
    """The record of when each part of the service was last known to be running."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def beat(self, part: str, now: int) -> bool:
        """Record that a part is running. Return whether this record ended an outage of the part.

        Takes one round trip. Raises: StoreUnavailable.
        """
        where = [*_KEYS, *(f"{key}:damaged" for key in _KEYS)]
        return bool(self._server.run(BEAT, where, [part, now, SILENCE, MAX_OUTAGES, EPOCH]))

    def read(self) -> PresenceState:
        """Return when each part last recorded its presence. Takes one round trip. Raises: StoreUnavailable."""
        return self.read_with()[0]

    def read_with(self, *reads: Command) -> tuple[PresenceState, list[Any]]:
        """Return when each part last recorded its presence, and the replies to the commands `reads`.

        The commands must not write. Takes one round trip. Raises: StoreUnavailable.
        """
        answer, *answers = self._server.run_and_ask(*ask_presence(), reads)
        return read_presence(answer), answers


def ask_presence() -> tuple[Script, list[str], list[Any]]:
    """Return the script that reads the presence, with its KEYS and ARGV."""
    return READ, [*_KEYS, keys.of_shard(0, "closed")], [MAX_OUTAGES]


def read_presence(answer: Any) -> PresenceState:
    """Return the presence, given the reply to the script that `ask_presence` returns."""
    flat, outages, closed = answer
    times = {part.decode(errors="replace"): parse_int(at) for part, at in zip(flat[::2], flat[1::2], strict=True)}
    last = {part: at for part in PARTS if (at := times.get(part)) is not None and at >= EPOCH}
    parsed = [Outage(int(row[1]), int(row[2])) for row in map(_OUTAGE.fullmatch, outages) if row]
    plausible = [outage for outage in parsed if _is_plausible(outage, last)]
    return PresenceState(last, plausible, read_only=bool(closed))


def _is_plausible(outage: Outage, last: Mapping[str, int]) -> bool:
    """Return whether the times of a stored outage are plausible.

    An outage ends when a part records its presence, so at least one part's last record must be at or after the outage's
    end.
    """
    return EPOCH <= outage.since < outage.until <= max(last.values(), default=0)


_OUTAGE = re.compile(rb"([0-9]{1,15}) ([0-9]{1,15})")
_KEYS = [keys.of_shard(0, "presence"), keys.of_shard(0, "outages")]
