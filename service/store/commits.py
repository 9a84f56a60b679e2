"""Commits as they are written: one JSON document each, on two lines, its head and its events.

    {"seq":7,"at":1795000000000,"by":"p07k3v9xq2mza","key":"...","fingerprint":"...","revision":1
    ,"events":[{"type":"hand-kept","seat":2},{"type":"turn-started","seat":0,"phase":"choose-region"}]}

So the events of a log are told from the heads without anything being decoded, and whoever replays it may know a line by
sight. A commit on a single line, as all were written once, is read as well.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import compress, count, repeat
from operator import contains
from typing import Any, overload

import orjson

from .errors import CorruptLog, UnknownFormat

REVISION = 1
"""Number of the format of commits, which stands in each of them: the only one that this version knows."""
Head = dict[str, Any]
"""What a commit says of itself: seq, at, by, key, fingerprint and revision."""
CommitRecord = dict[str, Any]
"""One append to a log as a plain dict: its head, and `events` (records)."""

_HEAD = frozenset({"seq", "at", "by", "key", "fingerprint", "revision"})
_COMMIT = _HEAD | {"events"}
_EVENTS = b',"events":'
_beginning = cache(b'{"seq":%d,'.__mod__)
"""Returns how the commit begins that has a number."""
_MADE = re.compile(rb'\{"seq":\d+,"at":(\d{1,15})\b')
_END = b',"revision":%d' % REVISION
"""How the head of every commit ends that is in the format of today."""


def written(commit: CommitRecord) -> bytes:
    """Return a commit as it is stored.

    >>> written({"seq": 7, "revision": 1, "events": [{"type": "rows-discarded"}]}).splitlines()
    [b'{"seq":7,"revision":1', b',"events":[{"type":"rows-discarded"}]}']
    """
    head = orjson.dumps({name: value for name, value in commit.items() if name != "events"})
    return b"%b\n%b%b}" % (head[:-1], _EVENTS, orjson.dumps(commit["events"]))


def records_on(lines: Sequence[bytes]) -> list[list[dict[str, Any]]]:
    """Return the records on some lines of events, for each line a list. Raises: ValueError.

    >>> records_on([b',"events":[{"type":"rows-discarded"}]}'])
    [[{'type': 'rows-discarded'}]]
    """
    lists = b",".join([line.removeprefix(_EVENTS)[:-1] for line in lines])
    records: list[list[dict[str, Any]]] = orjson.loads(b"[%b]" % lists)
    if len(records) != len(lines):
        raise ValueError("a line holds more than its events")
    return records


class Commits(Sequence[CommitRecord]):
    """Commits of a game that follow each other; each is decoded when it is asked for, and none is ever printed."""

    def __init__(self, game_id: str, rows: Sequence[bytes]) -> None:
        """Take a log as it is stored, from its beginning.

        Raises: CorruptLog where a row is no commit, or not the one that should stand there; UnknownFormat where one is
        in a format that this version does not know.
        """
        self.game_id = game_id
        self._heads, self.lines = _taken_apart(rows)
        """`lines` are the events of each commit, undecoded."""
        if b"" in self.lines:
            self._heads, self.lines = _taken_apart([written(_decoded(game_id, row, _COMMIT)) for row in rows])
        if not all(map(bytes.endswith, self._heads, repeat(_END))):
            self._check_formats()
        if not all(map(bytes.startswith, self._heads, map(_beginning, count(1)))):
            raise CorruptLog(game_id)

    def _check_formats(self) -> None:
        """Raises: UnknownFormat where a commit says that it is in one. Whoever reads a damaged head finds that out."""
        for head in self._heads:
            with contextlib.suppress(orjson.JSONDecodeError):
                _must_be_known(self.game_id, orjson.loads(head + b"}"))

    @classmethod
    def of(cls, game_id: str, commits: Iterable[CommitRecord]) -> Commits:
        """Return a log of some commits."""
        return cls(game_id, [written(commit) for commit in commits])

    def __len__(self) -> int:
        """Return how many they are."""
        return len(self._heads)

    @overload
    def __getitem__(self, place: int) -> CommitRecord: ...
    @overload
    def __getitem__(self, place: slice) -> Commits: ...
    def __getitem__(self, place: int | slice) -> CommitRecord | Commits:
        """Return the commit at a place, or those between two. Raises: CorruptLog, IndexError."""
        if isinstance(place, int):
            return _decoded(self.game_id, self._heads[place] + self.lines[place], _COMMIT)
        some = object.__new__(Commits)
        some.game_id, some._heads, some.lines = self.game_id, self._heads[place], self.lines[place]
        return some

    def followed_by(self, rows: Sequence[bytes]) -> Commits:
        """Return these commits and the next ones, which are as they are stored. Raises: CorruptLog."""
        own = (b"%b\n%b" % pair for pair in zip(self._heads, self.lines, strict=True))
        return Commits(self.game_id, [*own, *rows])

    def at(self, place: int) -> int:
        """Return when the commit at a place was made (ms since the epoch). Raises: ValueError, IndexError."""
        _, made, _ = self._heads[place].split(b",", 2)
        return int(made.removeprefix(b'"at":'))

    def with_key(self, key: str) -> Iterator[Head]:
        """Yield the heads of the commits that requests with a key have made. Raises: CorruptLog."""
        wanted = b'"key":%b,' % orjson.dumps(key)
        found = compress(self._heads, map(contains, self._heads, repeat(wanted)))
        return (_decoded(self.game_id, head + b"}", _HEAD) for head in found)


def time_of(commit: bytes) -> int:
    """Return when a commit was made (ms since the epoch), 0 where it does not say so.

    >>> time_of(written({"seq": 7, "at": 1_795_000_000_000, "events": []})), time_of(b"")
    (1795000000000, 0)
    """
    found = _MADE.match(commit)
    return int(found[1]) if found else 0


def _taken_apart(rows: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return the heads and the lines of events, which are empty where there is one line only."""
    parts = [row.partition(b"\n") for row in rows]
    return [head for head, _, _ in parts], [line for _, _, line in parts]


def _decoded(game_id: str, text: bytes, members: frozenset[str]) -> dict[str, Any]:
    """Return a commit or its head, which has these members. Raises: CorruptLog, UnknownFormat."""
    try:
        decoded: dict[str, Any] = orjson.loads(text)
        complete = members <= decoded.keys()
    except (orjson.JSONDecodeError, AttributeError) as error:
        raise CorruptLog(game_id) from error
    _must_be_known(game_id, decoded)
    if not complete:
        raise CorruptLog(game_id)
    return decoded


def _must_be_known(game_id: str, head: dict[str, Any]) -> None:
    """Do nothing where a commit does not say that it is in another format than today's. Raises: UnknownFormat."""
    if head.get("revision", REVISION) != REVISION:
        raise UnknownFormat(game_id)
