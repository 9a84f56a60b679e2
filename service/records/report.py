"""The report on a verified record: what the verification found, and what it could not check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from ..problems import Problem, shown

Json = dict[str, Any]
_HEAD = re.compile(r"(?:([1-9][0-9]{0,8}):)?([0-9a-f]{64})")
LONGEST, LONGEST_DETAIL = 160, 1000
"""The maximum lengths of a value that a finding quotes, and of the finding's sentence. The limits exist because a
record may contain any text.
"""


class Finding(NamedTuple):
    """The first error in a record.

    `seq` is the number of the commit, or None if the header is wrong. `event` is the index of the event in the commit,
    or None if no single event is wrong. `detail` is a sentence.
    """

    code: str
    seq: int | None
    event: int | None
    detail: str


class UncheckedBot(NamedTuple):
    """A bot whose choices were not repeated, because the bot searches or this version does not have its revision."""

    bot: str
    revision: int


class KeptHead(NamedTuple):
    """A head that somebody saved, and the version of the game to which it belongs (None: any version)."""

    version: int | None
    head: str


def kept_head(text: str) -> KeptHead:
    """Parse `text`, which has the form `HEAD` or `VERSION:HEAD`, and return the head. Raises: Problem (bad-head).

    >>> kept_head("7:" + 64 * "0").version
    7
    """
    match = _HEAD.fullmatch(text)
    if match is None:
        raise Problem("bad-head", f"{shown(text)}: write a head as 64 hexadecimal digits, or as VERSION:HEAD")
    return KeptHead(int(match[1]) if match[1] else None, match[2])


@dataclass
class Report:
    """The result of verifying a record.

    `checked` counts the commits, events, moves, draws, bots' choices, and clock events that were checked.
    """

    game: str
    edition: str
    revision: int | None
    version: int
    head: str | None
    finding: Finding | None = None
    checked: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[UncheckedBot] = field(default_factory=Counter)

    @property
    def valid(self) -> bool:
        """Whether the verification found no error."""
        return self.finding is None

    def as_json(self) -> Json:
        """Return the report as JSON."""
        return {
            "valid": self.valid,
            "game": self.game,
            "edition": self.edition,
            "revision": self.revision,
            "version": self.version,
            "head": self.head,
            "finding": None if self.finding is None else self.finding._asdict(),
            "checked": {name: self.checked[name] for name in COUNTED},
            "unchecked": [{**bot._asdict(), "moves": moves} for bot, moves in self.unchecked.items()],
        }


COUNTED: Sequence[str] = ("commits", "events", "moves", "draws", "bots", "clocks")
"""The things that `Report.checked` counts."""


class Wrong(Exception):
    """A record contains an error. `code`, `event` and `detail` have the same meaning as in `Finding`."""

    def __init__(self, code: str, detail: str, event: int | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.event = code, detail[:LONGEST_DETAIL], event


def quoted(value: Any) -> str:
    """Return a value as JSON, shortened so that a sentence can quote the value.

    >>> quoted({"seat": 1}), len(quoted("x" * 500))
    ('{"seat":1}', 160)
    """
    try:
        text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        text = type(value).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON, regardless of the order of members. `true` is not the same as 1.

    >>> same({"a": 1, "b": [2]}, {"b": [2], "a": 1}), same(1, True)
    (True, False)
    """
    return orjson.dumps(one, option=orjson.OPT_SORT_KEYS) == orjson.dumps(other, option=orjson.OPT_SORT_KEYS)
