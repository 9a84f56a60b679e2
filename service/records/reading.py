"""Reading: parses records from JSON or NDJSON, and checks their shape but not their contents.

JSON is read strictly, so that programs in all languages read the same record. No object may repeat a member, and all
numbers must be integers up to 2^53 - 1.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

import orjson

from engine import CONSTRUCTION, EDITIONS, NEWEST, bots

from ..problems import Problem, shown
from ..store import formats
from ..store.chain import line_of
from .document import RECORD

Json = dict[str, Any]
LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader represents exactly."""
MEGABYTE = 1_000_000
LONGEST_ID = 100
"""The maximum number of characters in a game's id. The limit exists because reports repeat the id."""


class Size(NamedTuple):
    """The maximum number of bytes, and the maximum number of commits, in a record."""

    bytes: int
    commits: int


OVER_HTTP = Size(4 * MEGABYTE, 10_000)
AT_HOME = Size(64 * MEGABYTE, 100_000)
"""The maximum sizes for records on the command line. For requests, `OVER_HTTP` applies."""


class Record(NamedTuple):
    """A parsed record: its header (everything except the commits), its commits, and their lines."""

    header: Json
    commits: Sequence[Json]
    lines: Sequence[bytes]


def read_record(text: bytes, size: Size = OVER_HTTP) -> Record:
    """Return the record in a string. The string must contain exactly one record.

    Raises: Problem, whose code is unknown-record-format or begins with `record-`.
    """
    records = read_records(BytesIO(text), size)
    record = next(records)
    if isinstance(record, Problem):
        raise record
    if next(records, None) is not None:
        raise Problem("record-unreadable", "the text contains more than one record: send only one")
    return record


def read_records(file: BinaryIO, size: Size = AT_HOME, *, redacted: bool = False) -> Iterator[Record | Problem]:
    """Yield each record in a file, or a problem if a record cannot be read. An empty file yields a problem.

    The file contains one JSON document, or one or more records as NDJSON. The problem codes are those of `read_record`.
    If `redacted` is false, only open records are accepted. Raises: OSError.
    """
    for lines, length in _texts(file, size.bytes):
        try:
            _check_length(length, size)
            yield _record(_document(lines), size, redacted)
        except Problem as problem:
            yield problem


def _texts(file: BinaryIO, most: int) -> Iterator[tuple[list[bytes], int]]:
    """Yield the lines of each record in a file, without blank lines, and the record's length in bytes.

    A record begins with a header, or with a line that is longer than `most` bytes. Lines after a record's first `most`
    bytes are counted but left out.
    """
    lines: list[bytes] = []
    length = 0
    # A longer line is read in parts.
    while line := file.readline(most + 1):
        if (lines or length > most) and (len(line) > most >= length or _is_header(line)):
            yield lines, length
            lines, length = [], 0
        length += len(line)
        if length <= most and line.strip():
            lines.append(line)
    yield lines, length


def _check_length(length: int, size: Size) -> None:
    """Check the length of a record, in bytes. Raises: Problem (record-too-large)."""
    if length > size.bytes:
        raise Problem(
            "record-too-large", f"a record may have at most {size.bytes:,} bytes, but this one has {length:,}"
        )


def _document(lines: Sequence[bytes]) -> Json:
    """Return a record's lines as one JSON object that includes the `commits`. Raises: Problem."""
    if len(lines) < 2 or not _is_complete(lines[0]):
        return _object(_parse(b"".join(lines)))
    document = _object(_parse(lines[0]))
    # In NDJSON, the header has no commits, because the commits are the lines that follow.
    commits = document.setdefault("commits", [])
    if "record" not in document or not isinstance(commits, list):
        raise Problem("record-unreadable", 'the first line is not the header of a record: it has no "record" member')
    commits.extend(_object(_parse(line)) for line in lines[1:])
    return document


def _is_header(line: bytes) -> bool:
    """Return whether a line is a JSON object with the `record` member."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, dict) and "record" in value


def _is_complete(line: bytes) -> bool:
    """Return whether a line is a complete JSON document.

    If more lines follow a complete document, the text is NDJSON.
    """
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _parse(text: bytes) -> Any:
    """Return the value of a JSON text. Raises: Problem."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        raise Problem("record-not-utf-8", f"byte {error.start} of the text is not UTF-8") from None
    try:
        orjson.loads(text)
        return json.loads(
            decoded, object_pairs_hook=_members, parse_int=_whole, parse_float=_whole, parse_constant=_whole
        )
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        if "depth limit" in str(error):
            raise _too_deep() from None
        place = getattr(error, "pos", 0)
        if "infinity" in str(error):
            raise _bad_number(f"the number at character {place}") from None
        if place >= len(decoded.rstrip()):
            raise Problem("record-cut", "the JSON ends too early: the file was truncated") from None
        raise Problem("record-not-json", f"not valid JSON at character {place}: {error}") from None


def _too_deep() -> Problem:
    return Problem("record-too-deep", "the record's JSON is nested too deeply")


def _members(pairs: list[tuple[str, Any]]) -> Json:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise Problem("record-duplicate-member", f"an object has the member {shown(twice)} twice")
    return members


def _whole(text: str) -> int:
    """Return the number in a JSON text. The number must be whole and not too large. Raises: Problem."""
    if len(text) <= 17 and text.lstrip("-").isdigit() and abs(int(text)) <= LARGEST_NUMBER:
        return int(text)
    raise _bad_number(shown(text))


def _bad_number(what: str) -> Problem:
    return Problem(
        "record-bad-number", f"{what} is not allowed: a record's numbers must be integers up to {LARGEST_NUMBER}"
    )


def _object(value: Any) -> Json:
    if isinstance(value, dict):
        return value
    raise Problem("record-unreadable", "a record must be a JSON object")


# The shape of a record


def _is_optional(kind: type) -> Callable[[Any], bool]:
    return lambda value: value is None or type(value) is kind


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


def _is_id(value: Any) -> bool:
    return type(value) is str and len(value) <= LONGEST_ID


def _is_hash(value: Any) -> bool:
    return type(value) is str and len(value) == 64 and not set(value) - set("0123456789abcdef")


def _are_names(value: Any) -> bool:
    return type(value) is dict and all(map(_is_optional(str), value.values()))


HEADER: Mapping[str, Callable[[Any], bool]] = {
    "record": _is(int),
    "game": _is_id,
    "edition": _is(str),
    "revision": _is_optional(int),
    "options": _is(dict),
    "seats": _is(list),
    "status": _is(str),
    "version": _is(int),
    "open": _is(bool),
    "seat": _is_optional(int),
    "clock": _is_optional(dict),
    "result": _is_optional(dict),
    "fairness": _is(dict),
    "head": lambda value: value is None or _is_hash(value),
    "commits": _is(list),
}
"""The members of every record, and a check of each member's value."""
NAMES: Mapping[str, Callable[[Any], bool]] = {"names": _are_names}
"""The additional member of a record whose caller requested names."""
COMMIT: Mapping[str, Callable[[Any], bool]] = {
    "seq": _is(int),
    "at": _is(int),
    "by": _is(str),
    "revision": _is(int),
    "events": _is(list),
    "hash": _is(str),
    "position": _is_optional(str),
}
"""The members of a commit in an open record."""
REDACTED_COMMIT = {name: COMMIT[name] for name in ("seq", "at", "by", "revision", "events")}
"""The members of a commit in a record that is not open."""


def _record(document: Json, size: Size, redacted: bool) -> Record:
    """Return a record after checking its shape. Raises: Problem."""
    number = document.get("record")
    if type(number) is int and number > RECORD:
        raise _to_come("record", number, RECORD)
    _check_members(document, {**HEADER, **NAMES} if "names" in document else HEADER, "the record")
    if number != RECORD:
        raise Problem("record-unreadable", f"record: there is no record format {number}")
    commits = document.pop("commits")
    _check_depth(document)
    if len(commits) > size.commits:
        detail = f"a record may have at most {size.commits:,} commits, but this one has {len(commits):,}"
        raise Problem("record-too-large", detail)
    is_open = document["open"]
    if not is_open and not redacted:
        raise Problem(
            "record-redacted",
            "this record was created before the game ended and hides some cards: fetch it again once the game is over",
        )
    if is_open and not _is_hash(document["fairness"].get("seed")):
        raise Problem("record-unreadable", "fairness.seed: must be 64 lower-case hexadecimal digits")
    _check_revision(document["edition"], document["revision"])
    for place, commit in enumerate(commits):
        _check_commit(commit, COMMIT if is_open else REDACTED_COMMIT, f"commit {place + 1}")
    return Record(document, commits, [_line(commit, place + 1) for place, commit in enumerate(commits)])


def _check_depth(header: Json) -> None:
    """Check that the header can be converted back to JSON, because `verifying` compares its members as JSON. Raises:
    Problem (record-too-deep).
    """
    try:
        orjson.dumps(header)
    except TypeError:
        raise _too_deep() from None


def _check_members(value: Json, members: Mapping[str, Callable[[Any], bool]], what: str) -> None:
    for name, is_right in members.items():
        if name not in value:
            raise Problem("record-unreadable", f"{what} has no `{name}` member")
        if not is_right(value[name]):
            raise Problem("record-unreadable", f"the `{name}` member of {what} has the wrong type or an invalid value")


def _check_commit(commit: Any, members: Mapping[str, Callable[[Any], bool]], what: str) -> None:
    if not isinstance(commit, dict):
        raise Problem("record-unreadable", f"{what} is not an object")
    _check_members(commit, members, what)
    if commit["revision"] > formats.FORMAT:
        raise _to_come(f"the format of {what}", commit["revision"], formats.FORMAT)
    if commit["revision"] < 1:
        raise Problem("record-unreadable", f"{what} has format {commit['revision']}, but formats start at 1")
    for event in commit["events"]:
        if not isinstance(event, dict) or type(event.get("type")) is not str:
            raise Problem("record-unreadable", f"{what} has an event without a type")
        if event["type"] == "game-started":
            _check_revision(event.get("edition"), event.get("revision"))
        construction = event.get("construction")
        if event["type"] == "table-opened" and type(construction) is int and construction > CONSTRUCTION:
            raise _to_come("the construction of the draws", construction, CONSTRUCTION)
        if type(event.get("bot")) is str and type(event.get("revision")) is int:
            _check_bot(event["bot"], event["revision"], what)


def _check_bot(bot: str, revision: int, what: str) -> None:
    """Check that the bot's revision exists in this release or existed in an earlier one.

    Bots that this release does not have are accepted.

    Raises: Problem.
    """
    newest = bots.BOTS.get(bot)
    if newest is not None and revision > newest.revision:
        raise _to_come(f"the revision of the bot {bot}", revision, newest.revision)
    known = newest is None or bots.bot_of(bot, revision) is not None or (bot, revision) in bots.RETIRED
    if revision < 1 or not known:
        raise Problem("record-unreadable", f"{what}: there is no revision {revision} of the bot {shown(bot)}")


def _check_revision(edition: Any, revision: Any) -> None:
    """Check that this version knows the edition and its revision. Raises: Problem (unknown-record-format)."""
    if type(edition) is not str or edition not in EDITIONS:
        which = f"the edition {shown(edition)}" if type(edition) is str else "that edition"
        raise Problem("unknown-record-format", f"this version does not support {which}")
    if type(revision) is int and revision > NEWEST[edition].revision:
        raise _to_come(f"the revision of {edition}", revision, NEWEST[edition].revision)


def _to_come(what: str, number: int, newest: int) -> Problem:
    detail = f"{what} is {number}, but this version knows only 1 to {newest}: verify the record with a later release"
    return Problem("unknown-record-format", detail)


def _line(commit: Json, seq: int) -> bytes:
    try:
        return line_of(commit)
    except TypeError:
        raise Problem("record-too-deep", f"commit {seq} is nested too deeply") from None
