"""What the commands leave behind that an append writes beside a log: a small model of the few commands that there are.

It is held in memory, and nothing is sent. Scratch keys on the log server would do the same, but that server writes to
disk before it answers, and serves the games meanwhile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from .transport import Command

KINDS = {"RPUSH": "list", "HSET": "hash", "HDEL": "hash", "HINCRBY": "hash", "ZADD": "zset", "ZREM": "zset"}
"""The commands that may be written beside a commit, and what their keys hold; `append.lua` has the same."""


class UnknownCommand(Exception):
    """A command is not one of `KINDS`, or has another shape: what it would leave behind is not known."""


class Row(NamedTuple):
    """One row of an index: its key and its member, the field of a hash or the member of a sorted set."""

    key: str
    member: str


@dataclass
class Written:
    """What some commands leave behind, in order, where nothing was before.

    `rows` has the last command that wrote or removed each row: so it says what the row holds, and also how to mend it.
    `feeds` and `counts` are by key.
    """

    rows: dict[Row, Command] = field(default_factory=dict)
    feeds: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def write(self, command: Command) -> None:
        """Take the next command. Raises: UnknownCommand."""
        match command:
            case ("HSET", str(key), member, _) | ("ZADD", str(key), _, member) | ("HDEL" | "ZREM", str(key), member):
                self.rows[Row(key, str(member))] = command
            case ("RPUSH", str(key), str(row)):
                self.feeds[key].append(row)
            case ("HINCRBY", str(key), str(member), int(number)):
                self.counts[key][member] += number
            case _:
                raise UnknownCommand(f"what {command[0]} leaves behind is not known")


def removal(row: Row, kind: str) -> Command:
    """Return the command that removes a row of a hash or a zset."""
    return ("HDEL" if kind == "hash" else "ZREM", row.key, row.member)


def holds(command: Command, found: bytes) -> bool:
    """Tell whether a row holds what a command writes; `found` is b"" where the row does not exist.

    >>> holds(("ZADD", "open", 7, "game"), b"7"), holds(("ZREM", "open", "game"), b"7")
    (True, False)
    """
    match command:
        case ("HSET", _, _, value):
            return bool(found) and found == value
        case ("ZADD", _, score, _):
            return bool(found) and float(found) == score
    return not found
