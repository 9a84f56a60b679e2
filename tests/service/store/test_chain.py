"""The chain of hashes: what is hashed, where hashes are stored, and how it continues after commits without a hash."""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import accumulate, product
from typing import Any

import orjson
import pytest

from service.store.chain import START, hash_in, hashes_of, head, line_in, line_of, next_hash
from service.store.commits import Commits, encode_commit
from service.store.errors import CorruptLog

from .games import GAME, commit

COMMITS = [commit(seq, f"bot:{seq % 3}") for seq in range(1, 8)]
LINES = [line_of(one) for one in COMMITS]
HASHES = hashes_of(LINES)


def with_hash(one: dict[str, Any], hash_: str) -> dict[str, Any]:
    """Return a commit as this release stores it."""
    return {**{name: one[name] for name in list(one)[:5]}, "hash": hash_, **{n: one[n] for n in ("revision", "events")}}


HASHED = [encode_commit(with_hash(one, hash_)) for one, hash_ in zip(COMMITS, HASHES, strict=True)]
UNHASHED = [encode_commit(one) for one in COMMITS]


def test_a_hash_is_the_sha256_of_the_hash_before_and_of_the_line() -> None:
    hash_ = "0" * 64
    for one, expected in zip(COMMITS, HASHES, strict=True):
        members = {name: one[name] for name in ("seq", "at", "by", "revision", "events")}
        line = json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
        hash_ = hashlib.sha256(hash_.encode("ascii") + line).hexdigest()
        assert hash_ == expected


def test_a_head_is_an_hmac_of_the_hash_with_a_key_from_the_seed() -> None:
    seed = bytes(range(32))
    key = hmac.new(seed, b"head", "sha256").digest()
    assert head(seed, HASHES[-1]) == hmac.new(key, HASHES[-1].encode("ascii"), "sha256").hexdigest()
    assert len({head(seed, hash_) for hash_ in HASHES}) == len(HASHES)


def test_key_fingerprint_and_stored_hash_are_not_hashed() -> None:
    one = {**COMMITS[0], "key": "another", "fingerprint": "ab" * 32, "hash": "cd" * 32}
    assert line_of(one) == LINES[0]
    assert b"another" not in line_of(one)


def rows_of(one: dict[str, Any]) -> list[bytes]:
    """Return a commit in every form in which a release has stored it."""
    return [encode_commit(one), encode_commit(with_hash(one, HASHES[0])), orjson.dumps(one), json.dumps(one).encode()]


@pytest.mark.parametrize("key", ["a-key", '"', "\\", '","key":"', '\\"', "é\u2028", '","hash":"' + "0" * 64 + '"'])
def test_the_line_of_a_stored_commit_is_the_line_of_the_commit(key: str) -> None:
    reason = {"type": "game-cancelled", "by": "host", "reason": 'The café\'s "host"\n\u2028\x7f\x1f'}
    one = {**COMMITS[0], "key": key, "events": [reason]}
    for number, row in enumerate(rows_of(one)):
        assert line_in(row) == line_of(one)
        assert hash_in(row) == (HASHES[0] if number == 1 else None)


@pytest.mark.parametrize("row", [b"", b"?", b"[3]", b'{"seq":4', b'{"seq":4}\n'])
def test_rows_that_are_no_commits_have_no_line(row: bytes) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        line_in(row)


@pytest.mark.parametrize("hash_", [7, None, "", "0" * 63, "A" * 64, "0" * 65])
def test_a_stored_hash_of_another_form_is_none(hash_: object) -> None:
    assert hash_in(encode_commit(with_hash(COMMITS[0], hash_))) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("written", [*product([False, True], repeat=4)])
def test_the_chain_continues_whichever_release_wrote_the_commits(written: tuple[bool, ...]) -> None:
    """Releases with and without hashes take turns to write the log; an older release leaves hashes unchanged."""
    rows = [(HASHED if hashed else UNHASHED)[place] for place, hashed in enumerate(written)]
    for length in range(1, 5):
        log = Commits(GAME, rows[:length])
        assert log.hash == HASHES[length - 1]
        assert Commits(GAME, rows)[:length].hash == HASHES[length - 1]
        assert list(log.stored_lines()) == LINES[:length]
    assert list(Commits(GAME, rows).stored_hashes()) == [
        hash_ if hashed else None for hash_, hashed in zip(HASHES, written, strict=False)
    ]


def test_a_log_on_single_lines_has_the_same_chain() -> None:
    for rows in ([orjson.dumps(one) for one in COMMITS], [*map(orjson.dumps, COMMITS[:3]), *HASHED[3:]]):
        log = Commits(GAME, rows)
        assert log.hash == HASHES[-1]
        assert log.followed_by([encode_commit(commit(8))]).hash == next_hash(HASHES[-1], line_of(commit(8)))
        assert list(accumulate(log.stored_lines(), next_hash, initial=START))[1:] == HASHES


def test_commits_are_found_whether_or_not_they_have_hashes() -> None:
    for rows in (HASHED, UNHASHED):
        for one in COMMITS:
            (found,) = Commits(GAME, rows).heads_with_key(one["key"])
            assert found["seq"] == one["seq"]


def test_a_damaged_commit_has_no_line() -> None:
    damaged = UNHASHED[3].replace(b'"by"', b'"no"')
    log = Commits(GAME, [*UNHASHED[:3], damaged])
    with pytest.raises(CorruptLog):
        list(log.stored_lines())
    torn = Commits(GAME, [*UNHASHED[:3], damaged[:30] + damaged[damaged.index(b"\n") :]])
    with pytest.raises(CorruptLog):
        list(torn.stored_hashes())
