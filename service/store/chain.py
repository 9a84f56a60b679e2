"""The hash chain over a log's commits, and the chain's head, which also depends on the seed.

The line of a commit is the compact JSON of its `seq`, `at`, `by`, `revision` and `events` members, in this order. The
line leaves out the key and the fingerprint of the request, because they belong to the client. There is a second reason
to leave out the key: anybody with the seed could tell from the keys which moves standing orders made.

    hash 0 = 64 zeros
    hash n = SHA-256(hash n-1 as 64 hexadecimal digits, followed by the line of commit n)
    head n = HMAC-SHA256(key = HMAC-SHA256(key = seed, message = "head"), message = hash n as 64 hexadecimal digits)

Hashes are stored with the commits. Hashes are not shown while a game is running, because a hash could reveal a hidden
card: somebody who knows the rest of the commit could try all cards until the hash matches. Heads are shown, because
they reveal nothing without the seed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

import orjson

START = "0" * 64
"""The hash of a log without commits."""
_FIRST_FORMAT = 1
"""The format of a commit that does not name its format."""
_HEAD = re.compile(
    rb'(\{"seq":\d+,"at":\d+,"by":"[^"\\]*"),"key":"[^"\\]*","fingerprint":"[^"\\]*"'
    rb'(?:,"hash":"([0-9a-f]{64})")?(,"revision":\d+)\n'
)
"""A pattern for the first line of a stored commit, with its members in the usual order.

The pattern does not match if the request's key has a character that JSON escapes.
"""
_HASH = re.compile("[0-9a-f]{64}")


def line_of(commit: Mapping[str, Any]) -> bytes:
    """Return a commit's line, from which its hash is computed. Raises: KeyError if a member is missing.

    >>> line_of({"seq": 2, "at": 7, "by": "bot:1", "key": "k", "fingerprint": "", "revision": 1, "events": []})
    b'{"seq":2,"at":7,"by":"bot:1","revision":1,"events":[]}'
    """
    seq, at, by, events = commit["seq"], commit["at"], commit["by"], commit["events"]
    revision = commit.get("revision", _FIRST_FORMAT)
    return orjson.dumps({"seq": seq, "at": at, "by": by, "revision": revision, "events": events})


def line_in(row: bytes) -> bytes:
    """Return a stored commit's line. Raises: KeyError, TypeError or ValueError if the row is not a commit."""
    match = _HEAD.match(row)
    return b"%b%b%b" % (match[1], match[3], row[match.end() :]) if match else line_of(_decoded(row))


def hash_in(row: bytes) -> str | None:
    """Return the hash stored in a commit, or None if the commit has none. Raises: TypeError or ValueError."""
    match = _HEAD.match(row)
    if match:
        return match[2].decode() if match[2] else None
    stored = _decoded(row).get("hash")
    return stored if isinstance(stored, str) and _HASH.fullmatch(stored) else None


def next_hash(before: str, line: bytes) -> str:
    """Return the hash after a commit, given the hash before it and the commit's line.

    >>> next_hash(START, b'{"seq":1}')[:16]
    '0a00898550374c41'
    """
    return hashlib.sha256(before.encode() + line).hexdigest()


def hashes_of(lines: Iterable[bytes], start: str = START) -> list[str]:
    """Return the chain's hash after each of these lines."""
    return [*accumulate(lines, next_hash, initial=start)][1:]


def head(seed: bytes, hash_: str) -> str:
    """Return the head of a chain, given the seed of its game and the last hash.

    >>> head(bytes(32), START)[:16]
    'ac39407d8638c151'
    """
    return hmac.digest(hmac.digest(seed, b"head", "sha256"), hash_.encode(), "sha256").hex()


def _decoded(row: bytes) -> dict[str, Any]:
    """Return the members of a stored commit. Raises: TypeError or ValueError if the commit is not a JSON object."""
    decoded = orjson.loads(row)
    if not isinstance(decoded, dict):
        raise TypeError("a commit is a JSON object")
    return decoded
