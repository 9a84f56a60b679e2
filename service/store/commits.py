"""Commits as they are written: one JSON document each, on two lines, its head and its events.

    {"seq":7,"at":1795000000000,"by":"p07k3v9xq2mza","key":"...","fingerprint":"...","revision":1
    ,"events":[{"type":"hand-kept","seat":2},{"type":"turn-started","seat":0,"phase":"choose-region"}]}

So the events of a log are told from the heads without anything being decoded, and whoever replays it may know a line by
sight. A commit on a single line, as all were written once, is read as well, and so is one in an older format: both are
brought to the shape above as they are read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain, count
from typing import Any, overload

import orjson

from . import formats
from .errors import CorruptLog, UnknownFormat

Head = dict[str, Any]
"""What a commit says of itself: seq, at, by, key, fingerprint and revision."""
CommitRecord = dict[str, Any]
"""One append to a log as a plain dict: its head, and `events` (records)."""

_HEAD = frozenset({"seq", "at", "by", "key", "fingerprint", "revision"})
_COMMIT = _HEAD | {"events"}
_EVENTS = b',"events":'
_BEGINNINGS = [b'{"seq":%d,' % seq for seq in range(1, 1025)]
"""How the commits of a log begin; hardly any log is longer."""
_seam = cache(b',"revision":%d\n'.__mod__)
"""Returns how the head of a commit ends that is in the format with a number, where its events follow."""
_MADE = re.compile(rb'\{"seq":\d+,"at":(\d{1,15})\b')


def written(commit: CommitRecord) -> bytes:
    """Return a commit as it is stored.

    >>> written({"seq": 7, "revision": 1, "events": [{"type": "rows-discarded"}]}).splitlines()
    [b'{"seq":7,"revision":1', b',"events":[{"type":"rows-discarded"}]}']
    """
    head = orjson.dumps({name: value for name, value in commit.items() if name != "events"})
    return b"%b\n%b%b}" % (head[:-1], _EVENTS, orjson.dumps(commit["events"]))


class Commits(Sequence[CommitRecord]):
    """Commits of a game that follow each other; each is decoded when it is asked for, and none is ever printed."""

    def __init__(self, game_id: str, rows: Sequence[bytes]) -> None:
        """Take a log as it is stored, from its beginning.

        Raises: CorruptLog where a row is no commit, or not the one that should stand there; UnknownFormat where one is
        in a format that this version does not know.
        """
        self.game_id = game_id
        self._rows = rows
        if self._text.count(_seam(formats.FORMAT)) != len(rows):
            self._rows = [_in_todays_format(game_id, row) for row in rows]
            del self._text
        later = map(b'{"seq":%d,'.__mod__, count(len(_BEGINNINGS) + 1))
        if not all(map(bytes.startswith, self._rows, chain(_BEGINNINGS, later))):
            raise CorruptLog(game_id)

    @cached_property
    def _text(self) -> bytes:
        """All rows in one text: to search it costs a tenth of searching them one by one."""
        return b"".join(self._rows)

    @classmethod
    def of(cls, game_id: str, commits: Iterable[CommitRecord]) -> Commits:
        """Return a log of some commits."""
        return cls(game_id, [written(commit) for commit in commits])

    def __len__(self) -> int:
        """Return how many they are."""
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> CommitRecord: ...
    @overload
    def __getitem__(self, place: slice) -> Commits: ...
    def __getitem__(self, place: int | slice) -> CommitRecord | Commits:
        """Return the commit at a place, or those between two. Raises: CorruptLog, IndexError."""
        if isinstance(place, int):
            return _decoded(self.game_id, self._rows[place], _COMMIT)
        some = object.__new__(Commits)
        some.game_id, some._rows = self.game_id, self._rows[place]
        return some

    def followed_by(self, rows: Sequence[bytes]) -> Commits:
        """Return these commits and the next ones, which are as they are stored. Raises: CorruptLog."""
        return Commits(self.game_id, [*self._rows, *rows])

    def at(self, place: int) -> int:
        """Return when the commit at a place was made (ms since the epoch). Raises: ValueError, IndexError."""
        _, made, _ = self._rows[place].split(b",", 2)
        return int(made.removeprefix(b'"at":'))

    def lines(self, places: Iterable[int]) -> list[bytes]:
        """Return the events of the commits at some places, undecoded: a line each. Raises: IndexError."""
        rows = self._rows
        return [rows[place].partition(b"\n")[2] for place in places]

    def places_with(self, text: bytes) -> list[int]:
        """Return the places of the commits that hold a text, in order. Raises: CorruptLog."""
        places: list[int] = []
        found = self._text.find(text)
        ends = [*accumulate(map(len, self._rows))] if found >= 0 else []
        while found >= 0:
            place = bisect_right(ends, found)
            if found + len(text) > ends[place]:
                raise CorruptLog(self.game_id)
            places.append(place)
            found = self._text.find(text, ends[place])
        return places

    def with_key(self, key: str) -> Iterator[Head]:
        """Yield the heads of the commits that requests with a key have made. Raises: CorruptLog."""
        for place in self.places_with(b'"key":%b,' % orjson.dumps(key)):
            head, _, _ = self._rows[place].partition(b"\n")
            decoded = _decoded(self.game_id, head + b"}", _HEAD)
            if decoded["key"] == key:
                yield decoded


def records_in(lines: Sequence[bytes]) -> list[list[dict[str, Any]]]:
    """Return the records of the events on some lines, decoded together. Raises: ValueError."""
    lists = [line.removeprefix(_EVENTS)[:-1] for line in lines]
    records: list[list[dict[str, Any]]] = orjson.loads(b"[%b]" % b",".join(lists))
    if len(records) != len(lists):
        raise ValueError("a line holds more than its events")
    return records


def time_of(commit: bytes) -> int:
    """Return when a commit was made (ms since the epoch), 0 where it does not say so.

    >>> time_of(written({"seq": 7, "at": 1_795_000_000_000, "events": []})), time_of(b"")
    (1795000000000, 0)
    """
    found = _MADE.match(commit)
    return int(found[1]) if found else 0


def _decoded(game_id: str, text: bytes, members: frozenset[str]) -> dict[str, Any]:
    """Return a commit or its head, which has these members. Raises: CorruptLog, UnknownFormat."""
    try:
        decoded: dict[str, Any] = orjson.loads(text)
        complete = members <= decoded.keys()
    except (orjson.JSONDecodeError, AttributeError) as error:
        raise CorruptLog(game_id) from error
    _format(game_id, decoded)
    if not complete:
        raise CorruptLog(game_id)
    return decoded


def _in_todays_format(game_id: str, row: bytes) -> bytes:
    """Return a commit in today's format, on two lines.

    One whose head is damaged stays as it is, for whoever reads it to find. Raises: CorruptLog where it is no commit, or
    is in an older format and cannot be read; UnknownFormat.
    """
    head, _, line = row.partition(b"\n")
    try:
        number = _format(game_id, orjson.loads(head + b"}" if line else row))
    except (orjson.JSONDecodeError, AttributeError) as error:
        if line:
            return row
        raise CorruptLog(game_id) from error
    if line and number == formats.FORMAT:
        return row
    commit = _decoded(game_id, row, _COMMIT)
    try:
        events = [formats.upcast(record, number) for record in commit["events"]]
    except (LookupError, TypeError, ValueError) as error:
        raise CorruptLog(game_id) from error
    return written({**commit, "revision": formats.FORMAT, "events": events})


def _format(game_id: str, head: dict[str, Any]) -> int:
    """Return the number of the format of a commit, today's where it says none. Raises: UnknownFormat."""
    number = head.get("revision", formats.FORMAT)
    if type(number) is not int or not 1 <= number <= formats.FORMAT:
        raise UnknownFormat(game_id)
    return number
