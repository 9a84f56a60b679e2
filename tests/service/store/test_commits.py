"""Commits as bytes: what is written can be loaded again in every form, and damage is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable

import orjson
import pytest

from service.store.commits import Commits, encode_commit, records_in
from service.store.errors import CorruptLog

from .games import GAME, commit

COMMITS = [commit(seq, f"bot:{seq % 3}") for seq in range(1, 8)]
ROWS = [encode_commit(one) for one in COMMITS]
ON_ONE_LINE = [orjson.dumps(one) for one in COMMITS]


def test_a_commit_is_one_document_on_two_lines() -> None:
    for one, row in zip(COMMITS, ROWS, strict=True):
        assert json.loads(row) == one
        head, line = row.split(b"\n")
        assert json.loads(head + b"}") == {name: value for name, value in one.items() if name != "events"}
        assert orjson.loads(line.removeprefix(b',"events":')[:-1]) == one["events"]


@pytest.mark.parametrize("rows", [ROWS, ON_ONE_LINE, [*ON_ONE_LINE[:3], *ROWS[3:]]], ids=["now", "once", "since"])
def test_a_log_is_read_however_it_was_written(rows: list[bytes]) -> None:
    commits = Commits(GAME, rows)
    assert len(commits) == len(COMMITS)
    assert list(commits) == COMMITS
    assert records_in(commits.lines) == [one["events"] for one in COMMITS]
    assert [commits.at(place) for place in range(-1, 7)] == [one["at"] for one in (COMMITS[-1], *COMMITS)]
    assert list(commits[2:5]) == COMMITS[2:5]
    assert list(commits[4:][1:]) == COMMITS[5:]
    assert records_in(commits[2:5].lines) == [one["events"] for one in COMMITS[2:5]]
    assert commits[4:].game_id == GAME


@pytest.mark.parametrize("rows", [ROWS, ON_ONE_LINE], ids=["now", "once"])
def test_commits_are_found_by_the_keys_of_their_requests(rows: list[bytes]) -> None:
    commits = Commits(GAME, rows)
    for one in COMMITS:
        (head,) = commits.heads_with_key(one["key"])
        assert {**head, "events": one["events"]} == one
    assert not list(commits.heads_with_key("seat-passed"))
    assert not list(commits.heads_with_key(COMMITS[0]["key"][:-1]))


@pytest.mark.parametrize(
    "part", [slice(None), slice(4), slice(0, 4), slice(2, 6), slice(3, None), slice(None, None, 2)]
)
def test_a_part_of_a_log_is_searched_like_a_log_of_its_own(part: slice) -> None:
    log = Commits(GAME, ROWS)
    for one in COMMITS:
        assert len([*log.heads_with_key(one["key"])]) == 1
        assert len([*log[part].heads_with_key(one["key"])]) == (one in COMMITS[part])


@pytest.mark.parametrize("key", ['"', "\\", '","key":"', '\\"', "é\u2028"])
def test_a_key_may_hold_what_json_escapes(key: str) -> None:
    made = [commit(1), {**commit(2), "key": key}, {**commit(3), "key": key, "by": "bot:7"}]
    for rows in ([encode_commit(one) for one in made], [json.dumps(one).encode() for one in made]):
        assert [head["seq"] for head in Commits(GAME, rows).heads_with_key(key)] == [2, 3]


def without(member: str) -> list[bytes]:
    return [*ROWS[:3], orjson.dumps({name: value for name, value in COMMITS[3].items() if name != member}), *ROWS[4:]]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS[1:],
        [*ROWS[:3], *ROWS[4:]],
        [*ROWS[:3], ROWS[2], *ROWS[3:]],
        [*ROWS[:2], ROWS[3], ROWS[2], *ROWS[4:]],
        [*ON_ONE_LINE[:3], *ON_ONE_LINE[4:]],
        *([*ROWS[:3], row, *ROWS[4:]] for row in (b"", b"?", b"\n", b"[3]", b"3", b'{"seq":4', b'"seq":4,\n')),
        *(without(member) for member in COMMITS[0]),
    ],
)
def test_rows_that_are_no_log_are_refused(rows: list[bytes]) -> None:
    with pytest.raises(CorruptLog) as raised:
        Commits(GAME, rows)
    assert raised.value.game_id == GAME


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut off in the head": lambda row: row[:20] + row[row.index(b"\n") :],
    "cut off at the end": lambda row: row[:-1],
    "a member of the head": lambda row: row.replace(b'"by"', b'"no"'),
    "something after it": lambda row: row + b"}",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_commit_is_noticed_by_who_reads_it(damage: Callable[[bytes], bytes]) -> None:
    commits = Commits(GAME, [*ROWS[:3], damage(ROWS[3]), *ROWS[4:]])
    assert commits[2] == COMMITS[2]
    with pytest.raises(CorruptLog) as raised:
        commits[3]
    assert raised.value.game_id == GAME


@pytest.mark.parametrize(
    "line", [b"", b"?", b"[]", b',"events":[]', b',"events":[}', b',"events":[],[]}', b',"events":[]}}']
)
def test_a_line_that_holds_no_events_is_refused(line: bytes) -> None:
    first, second, third = Commits(GAME, ROWS[:3]).lines
    assert records_in([first, second, third]) == [one["events"] for one in COMMITS[:3]]
    with pytest.raises(ValueError, match=r"a line contains more|JSON|unexpected"):
        records_in([first, line, third])


def test_no_commit_is_printed() -> None:
    assert "bot:" not in repr(Commits(GAME, ROWS))
