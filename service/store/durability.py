"""Durability: whether the log server accepts writes, keeps acknowledged writes on disk, and never evicts data."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .connection import Server
from .errors import StoreError

_READS = [("INFO", "persistence"), ("INFO", "memory"), ("INFO", "replication"), ("CONFIG GET", "appendfsync")]
REFUSAL_SECONDS = 10.0
"""Seconds for which a server that refused a write counts as not writable.

Each web process tests the server again every five seconds, by writing.
"""


@dataclass(frozen=True)
class Readiness:
    """The settings of the log server that matter for durability. A setting that the server does not report is None.

    `appendonly`, `appendfsync` and `eviction` (the maxmemory-policy) are the worst values found on any node. `stated`
    says whether the operator has stated that acknowledged writes are safe. `problems` are sentences that explain why
    the server is not ready. The sentences that explain why the server currently accepts no writes are also in
    `refusals`. `answers` says whether the server answered at all.
    """

    appendonly: bool | None
    appendfsync: str | None
    eviction: str | None
    stated: bool
    problems: tuple[str, ...]
    refusals: tuple[str, ...] = ()
    answers: bool = True

    @property
    def ready(self) -> bool:
        """Whether this server stores games safely."""
        return not self.problems

    @property
    def writable(self) -> bool:
        """Whether this server accepts writes now."""
        return not self.refusals

    def with_refusal(self, reason: str) -> Readiness:
        """Return this readiness with an additional reason why the server accepts no writes from this process."""
        return replace(self, problems=(*self.problems, reason), refusals=(*self.refusals, reason))


class _Node(NamedTuple):
    """Three settings of one node, and sentences that explain why the node accepts no writes."""

    appendonly: bool | None
    appendfsync: str | None
    eviction: str | None
    refusals: list[str]


def readiness(server: Server, *, stated: bool) -> Readiness:
    """Ask every node for its settings, in one round trip per node.

    If the server does not answer, the result's `problems` say so.
    """
    try:
        nodes = [_node(*answers) for answers in server.ask_each_node(_READS)]
    except StoreError as error:
        return Readiness(None, None, None, stated, (str(error),), (str(error),), answers=False)
    appendonly = _worst([node.appendonly for node in nodes], ideal=True)
    appendfsync = _worst([node.appendfsync for node in nodes], ideal="always")
    eviction = _worst([node.eviction for node in nodes], ideal="noeviction")
    refusals = [*_recent_refusal(server), *(refusal for node in nodes for refusal in node.refusals)]
    promises = [*_of_eviction(eviction), *([] if stated else _of_durability(appendonly, appendfsync))]
    return Readiness(appendonly, appendfsync, eviction, stated, (*promises, *refusals), tuple(refusals))


def _node(persistence: Any, memory: Any, replication: Any, config: Any) -> _Node:
    answers = (persistence, memory, replication, config)
    persistence, memory, replication, config = (part if isinstance(part, dict) else {} for part in answers)
    enabled = persistence.get("aof_enabled")
    refusals = [*_of_role(replication), *_of_memory(memory)]
    if persistence.get("loading"):
        refusals.append("the server is still loading its data")
        return _Node(None, None, memory.get("maxmemory_policy"), refusals)
    if persistence.get("aof_last_write_status", "ok") != "ok":
        refusals.append("the server's last write to its append-only file failed: check its disk")
    appendonly = None if enabled is None else bool(enabled)
    return _Node(appendonly, config.get("appendfsync"), memory.get("maxmemory_policy"), refusals)


def _of_role(replication: Mapping[str, Any]) -> list[str]:
    if replication.get("role", "master") == "master":
        return []
    return ["the server is a replica, which accepts no writes: set REDIS_URL to its primary"]


def _of_memory(memory: Mapping[str, Any]) -> list[str]:
    """Return the problem with a server's memory use, if any.

    Memory that is exempt from the server's limit does not count.
    """
    limit = int(memory.get("maxmemory", 0))
    used = int(memory.get("used_memory", 0)) - int(memory.get("mem_not_counted_for_evict", 0))
    if not limit or used < limit:
        return []
    return [f"the server is out of memory: it uses {used:,} of {limit:,} bytes; raise maxmemory"]


def _recent_refusal(server: Server) -> list[str]:
    refusal = server.last_refusal
    if refusal is None or time.monotonic() - refusal.at > REFUSAL_SECONDS:
        return []
    return [f"the server refused a write in the last {REFUSAL_SECONDS:.0f} seconds ({refusal.reason})"]


def _worst(values: list[Any], ideal: Any) -> Any:
    return next(
        (answer for answer in values if answer != ideal and answer is not None), None if None in values else ideal
    )


def _of_eviction(policy: str | None) -> list[str]:
    if policy in (None, "noeviction"):
        return []
    return [f"maxmemory-policy is {policy}, so the server may delete games: set it to noeviction"]


def _of_durability(appendonly: bool | None, appendfsync: str | None) -> list[str]:
    if appendonly is False:
        return ["appendonly is off, so a restart of the server loses games: set it to yes"]
    if appendonly is None or appendfsync is None:
        return [
            "the server does not report whether it writes to disk before it answers: if it does, set "
            "CONDOTTIERE_DURABILITY=always"
        ]
    if appendfsync != "always":
        return [f"appendfsync is {appendfsync}, so a power cut can lose acknowledged moves: set it to always"]
    return []
