"""Effects: an in-memory model of the commands that an append runs together with a commit, and of the rows that they
write.

The model sends nothing to the log server. Temporary keys on the log server would give the same result. However, the log
server is busy with running games, and writes to disk before it answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from .transport import Command

KINDS = {"RPUSH": "list", "HSET": "hash", "HDEL": "hash", "HINCRBY": "hash", "ZADD": "zset", "ZREM": "zset"}
"""The commands that may run together with a commit, and the types of their keys. `append.lua` has the same table."""


class UnknownCommand(Exception):
    """A command is not one of `KINDS`, or has unexpected arguments, so its effect is unknown."""


class Row(NamedTuple):
    """A row of an index: its key, and its member (the field of a hash, or the member of a sorted set)."""

    key: str
    member: str


@dataclass
class Effects:
    """The rows that commands write when they are applied, in order, to an empty store.

    `rows` maps each row to the last command that wrote or removed the row. The last command determines the row's
    content, so rerunning that command repairs the row. `feeds` maps each key to the rows written there, and `counts`
    maps each key to the counts written there.
    """

    rows: dict[Row, Command] = field(default_factory=dict)
    feeds: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def write(self, command: Command) -> None:
        """Apply the next command. Raises: UnknownCommand."""
        match command:
            case ("HSET", str(key), member, _) | ("ZADD", str(key), _, member) | ("HDEL" | "ZREM", str(key), member):
                self.rows[Row(key, str(member))] = command
            case ("RPUSH", str(key), str(row)):
                self.feeds[key].append(row)
            case ("HINCRBY", str(key), str(member), int(number)):
                self.counts[key][member] += number
            case _:
                raise UnknownCommand(f"the effect of {command[0]} is not known")


def removal(row: Row, kind: str) -> Command:
    """Return the command that removes a row from a hash or a zset."""
    return ("HDEL" if kind == "hash" else "ZREM", row.key, row.member)


def holds(command: Command, value: bytes) -> bool:
    """Return whether `value` is the value that a row has after a command. `value` is b"" if the row does not exist.

    >>> holds(("ZADD", "open", 7, "game"), b"7"), holds(("ZREM", "open", "game"), b"7")
    (True, False)
    """
    match command:
        case ("HSET", _, _, expected):
            return bool(value) and value == expected
        case ("ZADD", _, score, _):
            return bool(value) and float(value) == score
    return not value
