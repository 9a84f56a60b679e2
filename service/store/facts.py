"""Facts: figures about the store. The facts are part of the metrics, and are read whenever somebody requests the
metrics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import keys
from .connection import Server
from .errors import StoreError
from .lua import script
from .presence import PresenceState, ask_presence, read_presence

READ = script("read_facts")
STATUSES = ("open", "running", "finished")
_NAMES = ("due", "looks", "lanes", "outbox", "outbox-read", *STATUSES, *(f"{keys.PRIVATE}-{name}" for name in STATUSES))


class Memory(NamedTuple):
    """The memory that a node uses, and the node's maximum (0: no maximum), both in bytes."""

    used: int
    maximum: int


@dataclass(frozen=True)
class StoreFacts:
    """How much work is waiting in all shards, and how many games there are.

    Ages are in seconds, and 0 if nothing is waiting.

    `presence` is None if it cannot be read. `memory` has an entry for each node that reports its memory use.
    """

    due: int
    due_age: float
    alarm_age: float
    lanes: int
    lane_age: float
    outbox_age: float
    games: dict[str, int]
    set_aside: int
    presence: PresenceState | None
    memory: Sequence[Memory]


class Facts:
    """The facts about all shards."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def read(self) -> StoreFacts:
        """Return the facts. A part that cannot be read is left out.

        Takes two round trips, or two for each node in a cluster. Raises: StoreError.
        """
        reads = [
            self._server.command(READ, [keys.of_shard(shard, name) for name in _NAMES]) for shard in range(keys.SHARDS)
        ]
        others = [self._server.command(*ask_presence()), ("ZCARD", keys.of_shard(0, "aside"))]
        *answers, presence, set_aside = self._server.ask_parts([*reads, *others])
        rows = [answer for answer in answers if answer is not None]
        return StoreFacts(
            due=sum(row[1] for row in rows),
            due_age=max((_age(row, 2) for row in rows), default=0),
            alarm_age=max((_age(row, 3) for row in rows), default=0),
            lanes=sum(row[4] for row in rows),
            lane_age=max((_age(row, 5) for row in rows), default=0),
            outbox_age=max((_age(row, 6) for row in rows), default=0),
            games={status: sum(row[7 + number] for row in rows) for number, status in enumerate(STATUSES)},
            set_aside=set_aside or 0,
            presence=None if presence is None else read_presence(presence),
            memory=self._memory(),
        )

    def _memory(self) -> list[Memory]:
        try:
            answers = [answer for (answer,) in self._server.ask_each_node([("INFO", "memory")])]
        except StoreError:
            return []
        return [memory_in(answer) for answer in answers if isinstance(answer, dict)]


def memory_in(info: dict[str, Any]) -> Memory:
    """Return the memory use that a server's `INFO memory` reports."""
    return Memory(int(info.get("used_memory", 0)), int(info.get("maxmemory", 0)))


def _age(row: Sequence[Any], number: int) -> float:
    """Return the seconds since a time in the script's reply, or 0 if the time is missing or in the future."""
    at = float(row[number] or math.inf)
    return max(0.0, (float(row[0]) - at) / 1000) if math.isfinite(at) else 0.0
