"""Commits as they are stored: each commit is one JSON document on two lines. The first line is the head, and the second
line contains the events.

    {"seq":7,"at":1795000000000,"by":"p07k3v9xq2mza","key":"...","fingerprint":"...","hash":"...","revision":1
    ,"events":[{"type":"hand-kept","seat":2},{"type":"turn-started","seat":0,"phase":"choose-region"}]}

Events can therefore be separated from heads without decoding, and a replay can cache decoded lines. Earlier releases
wrote commits on a single line, and in older formats. The service can still read these commits: it converts them to the
current form.

`hash` is the hash of the log's chain after the commit (`chain`). Commits written by earlier releases have no hash, so
the service computes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import chain, count, repeat
from typing import Any, overload

import orjson

from . import formats
from .chain import START, hash_in, line_in, next_hash
from .errors import CorruptLog, UnknownFormat

Head = dict[str, Any]
"""The head of a commit as a plain dict: seq, at, by, key, fingerprint, hash (if one is stored), and revision."""
CommitRecord = dict[str, Any]
"""One append to a log as a plain dict: the members of the head, and `events`, a list of records."""

_HEAD = frozenset({"seq", "at", "by", "key", "fingerprint", "revision"})
_COMMIT = _HEAD | {"events"}
_EVENTS = b',"events":'
_BEGINNINGS = [b'{"seq":%d,' % seq for seq in range(1, 1025)]
"""The first bytes of a stored commit, by the commit's index in its log. Few logs are longer than this list."""
_head_end = cache(b',"revision":%d'.__mod__)
"""A function that returns the last bytes of a commit's head, given the number of the commit's format."""
_TIME = re.compile(rb'\{"seq":\d+,"at":(\d{1,15})\b')


def encode_commit(commit: CommitRecord) -> bytes:
    """Return the stored form of a commit.

    >>> encode_commit({"seq": 7, "revision": 1, "events": [{"type": "rows-discarded"}]}).splitlines()
    [b'{"seq":7,"revision":1', b',"events":[{"type":"rows-discarded"}]}']
    """
    head = orjson.dumps({name: value for name, value in commit.items() if name != "events"})
    return b"%b\n%b%b}" % (head[:-1], _EVENTS, orjson.dumps(commit["events"]))


class Commits(Sequence[CommitRecord]):
    """Consecutive commits of a game. Each commit is decoded when it is accessed. The `repr` hides the commits."""

    def __init__(self, game_id: str, rows: Sequence[bytes]) -> None:
        """Wrap the stored rows of a game's log, starting with the first commit.

        Raises: CorruptLog if a row is not a commit or does not have the expected number; UnknownFormat if a commit is
        in a format that this version cannot read.
        """
        self.game_id = game_id
        self._stored = rows
        self._heads, self._lines = _split(rows)
        if not all(map(bytes.endswith, self._heads, repeat(_head_end(formats.FORMAT)))):
            self._heads, self._lines = _split([_upgrade(game_id, row) for row in rows])
        later_beginnings = map(b'{"seq":%d,'.__mod__, count(len(_BEGINNINGS) + 1))
        if not all(map(bytes.startswith, self._heads, chain(_BEGINNINGS, later_beginnings))):
            raise CorruptLog(game_id)

    @classmethod
    def of(cls, game_id: str, commits: Iterable[CommitRecord]) -> Commits:
        """Return a log that consists of these commits."""
        return cls(game_id, [encode_commit(commit) for commit in commits])

    def __len__(self) -> int:
        """Return the number of commits."""
        return len(self._heads)

    @overload
    def __getitem__(self, place: int) -> CommitRecord: ...
    @overload
    def __getitem__(self, place: slice) -> Commits: ...
    def __getitem__(self, place: int | slice) -> CommitRecord | Commits:
        """Return the commit at an index, or the commits of a slice. Raises: CorruptLog, IndexError."""
        if isinstance(place, int):
            return _decode(self.game_id, self._heads[place] + self._lines[place], _COMMIT)
        part = object.__new__(Commits)
        part.game_id, part._stored = self.game_id, self._stored[place]
        part._heads, part._lines = self._heads[place], self._lines[place]
        return part

    @property
    def hash(self) -> str:
        """The chain's hash after the last commit. The sequence must begin with the first commit of a log.

        Earlier releases wrote commits without a hash. The result is therefore computed from the last stored hash and
        from the commits that follow it. The stored hash itself is not checked. Raises: KeyError, TypeError or
        ValueError if a commit cannot be read.
        """
        lines: list[bytes] = []
        for row in reversed(self._stored):
            found = hash_in(row)
            if found is not None:
                break
            lines.append(line_in(row))
        else:
            found = START
        return reduce(next_hash, reversed(lines), found)

    def stored_lines(self) -> Iterator[bytes]:
        """Yield the line of each commit, in the format in which it is stored (`chain`). Raises: CorruptLog."""
        for row in self._stored:
            try:
                yield line_in(row)
            except (LookupError, TypeError, ValueError) as error:
                raise CorruptLog(self.game_id) from error

    def stored_hashes(self) -> Iterator[str | None]:
        """Yield the hash that is stored in each commit, or None. Raises: CorruptLog."""
        for row in self._stored:
            try:
                yield hash_in(row)
            except (TypeError, ValueError) as error:
                raise CorruptLog(self.game_id) from error

    def followed_by(self, rows: Sequence[bytes]) -> Commits:
        """Return these commits followed by the commits in the stored `rows`. Raises: CorruptLog."""
        return Commits(self.game_id, [*self._stored, *rows])

    def at(self, place: int) -> int:
        """Return the time of the commit at an index (ms since the epoch). Raises: ValueError, IndexError."""
        _, time, _ = self._heads[place].split(b",", 2)
        return int(time.removeprefix(b'"at":'))

    @property
    def lines(self) -> Sequence[bytes]:
        """The undecoded events of each commit, one line for each commit."""
        return self._lines

    def heads_with_key(self, key: str) -> Iterator[Head]:
        """Yield the heads of the commits made by requests with this key. Raises: CorruptLog."""
        text = b'"key":%b,' % orjson.dumps(key)
        # Most keys are new. Searching the joined heads is faster than searching each head.
        if text not in b"".join(self._heads):
            return
        for head in self._heads:
            if text in head:
                decoded = _decode(self.game_id, head + b"}", _HEAD)
                if decoded["key"] == key:
                    yield decoded


def _split(rows: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return the heads and the event lines of commits that are stored on two lines."""
    parts = [row.partition(b"\n") for row in rows]
    return [head for head, _, _ in parts], [line for _, _, line in parts]


def records_in(lines: Sequence[bytes]) -> list[list[dict[str, Any]]]:
    """Decode several event lines in one call, and return each line's event records. Raises: ValueError."""
    lists = [line.removeprefix(_EVENTS)[:-1] for line in lines]
    records: list[list[dict[str, Any]]] = orjson.loads(b"[%b]" % b",".join(lists))
    if len(records) != len(lists):
        raise ValueError("a line contains more than its events")
    return records


def time_of(commit: bytes) -> int:
    """Return the time at which a commit was made (ms since the epoch), or 0 if its time cannot be read.

    >>> time_of(encode_commit({"seq": 7, "at": 1_795_000_000_000, "events": []})), time_of(b"")
    (1795000000000, 0)
    """
    match = _TIME.match(commit)
    return int(match[1]) if match else 0


def _decode(game_id: str, text: bytes, members: frozenset[str]) -> dict[str, Any]:
    """Decode a commit, or a commit's head, and check that it has these members. Raises: CorruptLog, UnknownFormat."""
    try:
        decoded: dict[str, Any] = orjson.loads(text)
        complete = members <= decoded.keys()
    except (orjson.JSONDecodeError, AttributeError) as error:
        raise CorruptLog(game_id) from error
    _format(game_id, decoded)
    if not complete:
        raise CorruptLog(game_id)
    return decoded


def _upgrade(game_id: str, row: bytes) -> bytes:
    """Return a commit in the current format, on two lines.

    A commit that spans two lines is returned unchanged if its head is damaged. The error is raised later, when the head
    is read. Raises: CorruptLog if the row is not a commit, or is in an older format and cannot be read; UnknownFormat.
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
    commit = _decode(game_id, row, _COMMIT)
    try:
        events = [formats.upcast(record, number) for record in commit["events"]]
    except (LookupError, TypeError, ValueError) as error:
        raise CorruptLog(game_id) from error
    return encode_commit({**commit, "revision": formats.FORMAT, "events": events})


def _format(game_id: str, head: dict[str, Any]) -> int:
    """Return the number of a commit's format. If the head names no format, the format is the current one.

    Raises: UnknownFormat.
    """
    number = head.get("revision", formats.FORMAT)
    if type(number) is not int or not 1 <= number <= formats.FORMAT:
        raise UnknownFormat(game_id)
    return number
