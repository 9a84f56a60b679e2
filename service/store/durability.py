"""What is known of the log server: that it takes writes, keeps on disk what it acknowledged, and forgets nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .connection import Server
from .errors import StoreError

_READS = [("INFO", "persistence"), ("INFO", "memory"), ("INFO", "replication"), ("CONFIG GET", "appendfsync")]
BELIEVED = 10.0
"""Seconds for which a refused write counts: each web process writes every five seconds, and so finds out again."""


@dataclass(frozen=True)
class Readiness:
    """What the log server promises, as far as it says; None where it does not.

    `appendonly`, `appendfsync` and `eviction` (its maxmemory-policy) are the worst of all nodes. `stated` is the
    operator's word that what it acknowledges is safe. `problems` says in sentences what keeps it from being ready, and
    `refusals`, which are among them, why it takes no writes now. `answers` tells whether it has said anything at all.
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
        """Whether games may be trusted to this server."""
        return not self.problems

    @property
    def writable(self) -> bool:
        """Whether this server takes writes now."""
        return not self.refusals

    def refused(self, reason: str) -> Readiness:
        """Return the same of a server that takes no writes of this process for one more reason."""
        return replace(self, problems=(*self.problems, reason), refusals=(*self.refusals, reason))


class _Node(NamedTuple):
    """What one node says of itself: three promises, and why it takes no writes, in sentences."""

    appendonly: bool | None
    appendfsync: str | None
    eviction: str | None
    refusals: list[str]


def readiness(server: Server, *, stated: bool) -> Readiness:
    """Ask every node what it promises; one round trip a node. A server that does not answer is a problem."""
    try:
        nodes = [_node(*answers) for answers in server.ask_each_node(_READS)]
    except StoreError as error:
        return Readiness(None, None, None, stated, (str(error),), (str(error),), answers=False)
    appendonly = _worst([node.appendonly for node in nodes], best=True)
    appendfsync = _worst([node.appendfsync for node in nodes], best="always")
    eviction = _worst([node.eviction for node in nodes], best="noeviction")
    refusals = [*_refused_lately(server), *(refusal for node in nodes for refusal in node.refusals)]
    promises = [*_of_eviction(eviction), *([] if stated else _of_durability(appendonly, appendfsync))]
    return Readiness(appendonly, appendfsync, eviction, stated, (*promises, *refusals), tuple(refusals))


def _node(persistence: Any, memory: Any, replication: Any, config: Any) -> _Node:
    said = (persistence, memory, replication, config)
    persistence, memory, replication, config = (part if isinstance(part, dict) else {} for part in said)
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
    """Return what is wrong with a server's memory; what it does not count against its limit is not counted here."""
    most = int(memory.get("maxmemory", 0))
    used = int(memory.get("used_memory", 0)) - int(memory.get("mem_not_counted_for_evict", 0))
    if not most or used < most:
        return []
    return [f"the server is out of memory: it uses {used:,} of {most:,} bytes; raise maxmemory"]


def _refused_lately(server: Server) -> list[str]:
    refused = server.refused
    if refused is None or time.monotonic() - refused.at > BELIEVED:
        return []
    return [f"the server refused a write in the last {BELIEVED:.0f} seconds ({refused.reason})"]


def _worst(said: list[Any], best: Any) -> Any:
    return next((answer for answer in said if answer != best and answer is not None), None if None in said else best)


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
