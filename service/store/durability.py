"""What is known of the log server's promises: that what it acknowledged is on disk, and that it forgets nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .connection import Server
from .errors import StoreUnavailable

_READS = [("INFO", "persistence"), ("INFO", "memory"), ("CONFIG GET", "appendfsync")]


@dataclass(frozen=True)
class Readiness:
    """What the log server promises, as far as it says; None where it does not.

    `appendonly`, `appendfsync` and `eviction` (its maxmemory-policy) are the worst of all nodes. `stated` is the
    operator's word that what it acknowledges is safe. `problems` says in sentences what keeps it from being ready.
    """

    appendonly: bool | None
    appendfsync: str | None
    eviction: str | None
    stated: bool
    problems: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether games may be trusted to this server."""
        return not self.problems


def readiness(server: Server, *, stated: bool) -> Readiness:
    """Ask every node what it promises; one round trip a node. A server that does not answer is a problem."""
    try:
        nodes = [_promises(*answers) for answers in server.ask_each_node(_READS)]
    except StoreUnavailable as error:
        return Readiness(None, None, None, stated, (str(error),))
    appendonly = _worst([node[0] for node in nodes], best=True)
    appendfsync = _worst([node[1] for node in nodes], best="always")
    eviction = _worst([node[2] for node in nodes], best="noeviction")
    problems = [*_of_eviction(eviction), *([] if stated else _of_durability(appendonly, appendfsync))]
    if not all(node[3] for node in nodes):
        problems.append("the last write to the append-only file failed")
    return Readiness(appendonly, appendfsync, eviction, stated, tuple(problems))


def _promises(persistence: Any, memory: Any, config: Any) -> tuple[bool | None, str | None, str | None, bool]:
    """Return appendonly, appendfsync, eviction, and whether the last write of the append-only file went well."""
    persistence, memory, config = (said if isinstance(said, dict) else {} for said in (persistence, memory, config))
    enabled = persistence.get("aof_enabled")
    return (
        None if enabled is None else bool(enabled),
        config.get("appendfsync"),
        memory.get("maxmemory_policy"),
        persistence.get("aof_last_write_status", "ok") == "ok",
    )


def _worst(said: list[Any], best: Any) -> Any:
    return next((answer for answer in said if answer != best and answer is not None), None if None in said else best)


def _of_eviction(policy: str | None) -> list[str]:
    if policy in (None, "noeviction"):
        return []
    return [f"maxmemory-policy is {policy}: the server may forget games; set it to noeviction"]


def _of_durability(appendonly: bool | None, appendfsync: str | None) -> list[str]:
    if appendonly is False:
        return ["appendonly is off: a restart of the server loses games"]
    if appendonly is None or appendfsync is None:
        return ["the server does not say whether it writes to disk before it answers; state it: CONDOTTIERE_DURABILITY"]
    if appendfsync != "always":
        return [f"appendfsync is {appendfsync}: a power cut loses acknowledged moves; set it to always"]
    return []
