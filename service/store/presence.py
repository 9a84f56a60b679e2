"""Presence: when the service was last seen at work, and when it was not.

The web says time and again that it is there, and the clock after every round that it has finished. One of them that was
silent for longer than a minute has had an outage, whatever the reason: its own end, rounds that failed, or a log server
that could not be written to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import keys
from .connection import Server
from .lua import script
from .rows import whole
from .transport import Command

CLOCK, WEB = PARTS = ("clock", "web")
"""The parts of the service that say that they are there."""
SILENCE = 60_000
"""Ms of silence that are an outage."""
EPOCH = 1_577_836_800_000
"""2020-01-01, before which this service was not there."""
KEPT = 1_000
"""How many outages are remembered."""

BEAT = script("record_presence")
SEEN = script("read_presence")


class Outage(NamedTuple):
    """From when to when a part of the service was silent (ms since the epoch)."""

    since: int
    until: int


class Seen(NamedTuple):
    """When each part of the service was last there, and the outages that have ended, the last one last."""

    last: dict[str, int]
    outages: list[Outage]

    def silent(self, now: int) -> bool:
        """Tell whether an outage goes on: then nobody's time may be said to be over."""
        return any(now - last > SILENCE for last in self.last.values())


class Presence:
    """Who of the service is there."""

    def __init__(self, server: Server) -> None:
        """Take the server that keeps it."""
        self._server = server

    def beat(self, part: str, now: int) -> bool:
        """Say that a part is there; True where an outage of it has ended so. One round trip.

        Raises: StoreUnavailable.
        """
        where = [*_KEYS, *(f"{key}:damaged" for key in _KEYS)]
        return bool(self._server.run(BEAT, where, [part, now, SILENCE, KEPT, EPOCH]))

    def seen(self) -> Seen:
        """Return who was seen when; one round trip. Raises: StoreUnavailable."""
        return self.seen_and_read()[0]

    def seen_and_read(self, *reads: Command) -> tuple[Seen, list[Any]]:
        """Return who was seen when, and the answers to commands that only read; one round trip.

        Raises: StoreUnavailable.
        """
        (flat, outages), *answers = self._server.run_and_ask(SEEN, _KEYS, [KEPT], reads)
        said = {part.decode(errors="replace"): whole(at) for part, at in zip(flat[::2], flat[1::2], strict=True)}
        last = {part: at for part in PARTS if (at := said.get(part)) is not None and at >= EPOCH}
        ended = [Outage(int(row[1]), int(row[2])) for row in map(_OUTAGE.fullmatch, outages) if row]
        return Seen(last, [outage for outage in ended if _is_true(outage, last)]), answers


def _is_true(outage: Outage, last: Mapping[str, int]) -> bool:
    """Tell whether an outage can have been: it ended with a word of a part, so that part's last word is no earlier."""
    return EPOCH <= outage.since < outage.until <= max(last.values(), default=0)


_OUTAGE = re.compile(rb"([0-9]{1,15}) ([0-9]{1,15})")
_KEYS = [keys.of_shard(0, "presence"), keys.of_shard(0, "outages")]
