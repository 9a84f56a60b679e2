"""Parsing: each kind of invalid input has its own code, and no possible record raises any other error."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from io import BytesIO
from time import process_time
from typing import Any

import orjson
import pytest

from engine import CONSTRUCTION, NEWEST, bots
from service.clocks.nights import WEEKDAYS
from service.problems import Problem
from service.records.document import RECORD, as_lines
from service.records.reading import AT_HOME, OVER_HTTP, Size, read_record, read_records
from service.records.verifying import verify
from service.store import formats

from ..games.logs import PLAYERS
from .making import Json, check, of_bots, of_people, sign, text_of
from .test_document import at

DEEP = json.loads("[" * 300 + "]" * 300)
WHOLE = text_of(of_people("zman-2018", 3))
SEED = b'"seed":"' + bytes(range(32)).hex().encode()


def code_of(text: bytes, size: Size = OVER_HTTP) -> str:
    """Return the code of the problem with a text."""
    with pytest.raises(Problem) as caught:
        read_record(text, size)
    assert caught.value.detail
    return caught.value.code


def having(**members: Any) -> bytes:
    """Return a record with different members in its header."""
    return text_of({**json.loads(WHOLE), **members})


def with_event(kind: str, **members: Any) -> bytes:
    """Return a record with different members in an event."""
    record = json.loads(WHOLE)
    for commit in record["commits"]:
        for event in commit["events"]:
            if event["type"] == kind:
                event.update(members)
    return text_of(record)


TEXTS = [
    ("nothing", b"", "record-cut"),
    ("a cut file", WHOLE[:-1000], "record-cut"),
    ("a file cut in a string", WHOLE[: WHOLE.index(b"zman")], "record-cut"),
    ("not UTF-8", WHOLE.replace(b"zman-2018", b"zman\xff2018"), "record-not-utf-8"),
    ("UTF-16", WHOLE.decode().encode("utf-16"), "record-not-utf-8"),
    ("words", b"a record", "record-not-json"),
    ("two documents", WHOLE + b"," + WHOLE, "record-not-json"),
    ("NaN", WHOLE.replace(b'"version":', b'"version":NaN,"v":'), "record-not-json"),
    (
        "half a pair of surrogates",
        WHOLE.replace(b'"names"', b"").replace(b'"game":"', b'"game":"\\ud800'),
        "record-not-json",
    ),
    ("10 MB", WHOLE + b" " * 10_000_000, "record-too-large"),
    ("deep nesting", b"[" * 900 + b"]" * 900, "record-unreadable"),
    ("deeper nesting", b"[" * 100_000 + b"]" * 100_000, "record-too-deep"),
    ("deep nesting in an event", with_event("rows-discarded", x=DEEP), "record-too-deep"),
    ("deep nesting in the options", having(options={"x": DEEP}), "record-too-deep"),
    ("deep nesting in the seats", having(seats=DEEP), "record-too-deep"),
    ("deep nesting in the result", having(result={"x": DEEP}), "record-too-deep"),
    ("deep nesting in an unknown member", having(x=DEEP), "record-too-deep"),
    ("a huge number", WHOLE.replace(b'"seq":2,', b'"seq":' + b"9" * 5000 + b","), "record-bad-number"),
    ("a number beyond 2^53", WHOLE.replace(b'"seq":2,', b'"seq":9007199254740992,'), "record-bad-number"),
    ("a fraction", WHOLE.replace(b'"seq":2,', b'"seq":2.0,'), "record-bad-number"),
    ("an exponent", WHOLE.replace(b'"seq":2,', b'"seq":2e0,'), "record-bad-number"),
    ("a member twice", WHOLE.replace(b'"seq":2,', b'"seq":2,"seq":2,'), "record-duplicate-member"),
    ("a list", b"[]", "record-unreadable"),
    ("another object", b'{"id":"17h8q2v5c0mzk4r9td"}', "record-unreadable"),
    ("two records", WHOLE + b"\n" + WHOLE, "record-unreadable"),
    ("lines without a header", b'{"seq":1}\n{"seq":2}', "record-unreadable"),
    ("no format", having(record=0), "record-unreadable"),
    ("a format as text", having(record="1"), "record-unreadable"),
    ("a commit that is a list", having(commits=[[]]), "record-unreadable"),
    ("a commit without events", having(commits=[{"seq": 1}]), "record-unreadable"),
    ("commits that are none", having(commits=None), "record-unreadable"),
    ("no seed", WHOLE.replace(SEED + b'"', b'"seed":null'), "record-unreadable"),
    ("half a seed", WHOLE.replace(SEED, SEED[:-32]), "record-unreadable"),
    ("an id of 3 MB", having(game="x" * 3_000_000), "record-unreadable"),
    ("an id of 101 characters", having(game="x" * 101), "record-unreadable"),
    ("a head that is not a hash", having(head="x"), "record-unreadable"),
    ("a head with capital letters", having(head="A" * 64), "record-unreadable"),
    ("a list of names", having(names=["Anna"]), "record-unreadable"),
    ("a name that is a number", having(names={"p07k3v9xq2mza": 7}), "record-unreadable"),
    ("a format to come", having(record=RECORD + 1), "unknown-record-format"),
    ("a format of commits to come", WHOLE.replace(b'"revision":1', b'"revision":2'), "unknown-record-format"),
    ("a revision to come", having(revision=99), "unknown-record-format"),
    ("a revision to come in an event", with_event("game-started", revision=99), "unknown-record-format"),
    ("an edition to come", having(edition="zman-2030"), "unknown-record-format"),
    ("a construction to come", with_event("table-opened", construction=CONSTRUCTION + 1), "unknown-record-format"),
    ("a redacted record", having(open=False), "record-redacted"),
]


@pytest.mark.parametrize(("text", "code"), [pytest.param(text, code, id=name) for name, text, code in TEXTS])
def test_each_kind_of_bad_input_has_its_code(text: bytes, code: str) -> None:
    assert code_of(text) == code


def test_many_members_are_read_at_once() -> None:
    text = b"{%b}" % b",".join(b'"%d":0' % (number % 300_000) for number in range(300_001))
    begun = process_time()
    assert code_of(text) == "record-duplicate-member"
    assert process_time() - begun < 2


def test_a_finding_quotes_only_so_much() -> None:
    record = json.loads(WHOLE)
    record["commits"][0]["by"] = "x" * 100_000
    finding = check(sign(record)).finding
    assert finding is not None
    assert finding.code == "author"
    assert len(finding.detail) <= 1000


def test_a_bot_to_come_has_its_code() -> None:
    record = of_bots("zman-2018", 3)
    record["commits"][0]["events"][1]["revision"] = 2
    assert code_of(text_of(record)) == "unknown-record-format"


@pytest.mark.parametrize("bot", ["random", "house"])
@pytest.mark.parametrize("revision", [0, -1, -(2**53) + 1])
def test_no_bot_has_a_revision_below_1(bot: str, revision: int) -> None:
    record = of_bots("zman-2018", 3)
    record["commits"][0]["events"][1].update(bot=bot, revision=revision)
    assert code_of(text_of(record)) == "record-unreadable"


def test_a_missing_revision_of_a_bot_must_be_a_retired_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(of_bots("zman-2018", 3))
    monkeypatch.setattr(bots, "REVISIONS", {key: bot for key, bot in bots.REVISIONS.items() if key[0] != "random"})
    assert code_of(text) == "record-unreadable"
    monkeypatch.setattr(bots, "RETIRED", {("random", 1)})
    assert read_record(text)


def test_an_id_may_have_a_hundred_characters() -> None:
    assert read_record(having(game="x" * 100)).header["game"] == "x" * 100


def test_every_code_is_seen_here() -> None:
    codes = {code for _, _, code in TEXTS}
    assert len(codes) == 10


def test_the_record_of_a_running_game_is_redacted() -> None:
    for player in (PLAYERS[0], None):
        assert code_of(b"".join(as_lines(at("zman-2018", 5), player))) == "record-redacted"


def test_a_record_as_lines_is_the_same() -> None:
    record = json.loads(WHOLE)
    header = {name: value for name, value in record.items() if name != "commits"}
    lines = b"\n".join(map(text_of, [header, *record["commits"]]))
    for text in (
        lines,
        lines + b"\n\n",
        lines.replace(b"\n", b"\r\n"),
        orjson.dumps(record, option=orjson.OPT_INDENT_2),
    ):
        assert read_record(text) == read_record(WHOLE)
    several = [*read_records(BytesIO(lines + b"\n" + WHOLE + b"\n" + lines))]
    assert several == [read_record(WHOLE)] * 3
    assert code_of(lines[:-50]) == "record-cut"


def results(text: bytes, size: Size = AT_HOME) -> list[str]:
    """Return the game of each record in a text, or the code of the problem with it."""
    records = read_records(BytesIO(text), size)
    return [one.code if isinstance(one, Problem) else one.header["game"] for one in records]


def test_each_record_is_read_whatever_the_others_are() -> None:
    record = json.loads(WHOLE)
    header = text_of({name: value for name, value in record.items() if name != "commits"})
    commits = [text_of(commit) for commit in record["commits"]]
    lines = b"".join(line + b"\n" for line in (header, *commits))
    game = record["game"]
    assert results(lines + having(open=False) + b"\n" + lines) == [game, "record-redacted", game]
    assert results(lines + b"{\n" + lines) == ["record-cut", game]
    assert results(b"\n \n" + lines[1:] + lines) == ["record-not-json", game]
    assert results(b"\n".join(commits) + b"\n" + lines) == ["record-unreadable", game]
    assert results(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n" + lines) == [game, game]


def test_the_size_is_that_of_each_record() -> None:
    size, game = Size(len(WHOLE) + 1, 1000), json.loads(WHOLE)["game"]
    larger = WHOLE.replace(b'"record"', b'"notes":"xx","record"', 1)
    for texts, found in (
        ([WHOLE] * 3, [game] * 3),
        ([WHOLE, larger, WHOLE], [game, "record-too-large", game]),
        ([larger, WHOLE], ["record-too-large", game]),
        ([WHOLE, b"x" * 3 * len(WHOLE), WHOLE], [game, "record-too-large", game]),
        ([b" " * 3 * len(WHOLE), WHOLE], ["record-too-large", game]),
    ):
        assert results(b"\n".join(texts), size) == found


def test_there_may_be_only_so_many_commits() -> None:
    record = json.loads(WHOLE)
    size = Size(10**6, len(record["commits"]))
    assert read_record(WHOLE, size)
    record["commits"].append(record["commits"][-1])
    assert code_of(text_of(record), size) == "record-too-large"
    assert AT_HOME.commits > OVER_HTTP.commits > 4000


# Nothing raises

RUBBISH: list[Any] = [None, True, 0, -1, 2**53 - 1, "", "x", [], [0], {}, {"a": 1}, [{"count": 1}]]


def replaced(record: Json, path: tuple[str | int, ...], value: Any) -> Json:
    """Return a copy of a record with a value at a path, signed again."""
    other = copy.deepcopy(record)
    part: Any = other
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return sign(other)


def is_verified_or_refused(text: bytes) -> bool:
    """Return whether a text is verified or refused, and not valid."""
    try:
        return not verify(read_record(text)).valid
    except Problem:
        return True


def places(record: Json) -> list[tuple[str | int, ...]]:
    """Return the paths of one event of each type, of its members, and of a commit's members."""
    found: dict[str, tuple[str | int, ...]] = {}
    for number, commit in enumerate(record["commits"]):
        for index, event in enumerate(commit["events"]):
            found.setdefault(event["type"], ("commits", number, "events", index))
    events = [*found.values()]
    members = [
        (*path, name) for path in events for name in record["commits"][path[1]]["events"][path[3]] if name != "type"
    ]
    return [*events, *members, *(("commits", 3, name) for name in record["commits"][3])]


@pytest.mark.parametrize(
    "key", ["zman-2018-duel", *(pytest.param(key, marks=pytest.mark.slow) for key in ("zman-2018", "ffg-2007"))]
)
def test_rubbish_anywhere_is_found(key: str) -> None:
    record = of_people(key, NEWEST[key].fewest_seats)
    for path in places(record):
        part: Any = record
        for name in path:
            part = part[name]
        for value in RUBBISH:
            if value != part and path[-1] not in ("hash", "position", "at"):
                assert is_verified_or_refused(text_of(replaced(record, path, value))), (path, value)


# Records whose verification would take long

DAY = 86_400_000


def clocked() -> Json:
    """Return a record with clocks that have only one working day per week."""
    record = of_people("zman-2018", 3)
    clock = {
        **{"kind": "per-move", "seconds": 1_209_600, "increment": 0, "cap": 0, "days_off": list(WEEKDAYS[:6])},
        **{"sleep_hours": True, "vacation": True, "at_timeout": "pass", "misses": 1, "bot": "steady"},
    }
    record["clock"] = record["commits"][0]["events"][0]["clock"] = clock
    return record


def started(at: int, stops: list[Json], zone: str = "Europe/Rome") -> Json:
    """Return the start of a clock."""
    members = {"seat": 0, "deadline": at + 10, "allowance": 1_209_600_000, "stops": stops, "zone": zone}
    return {"type": "clock-started", **members, "sleep": ["20:00", "08:00"]}


HOSTILE: list[tuple[str, Callable[[int], Json]]] = [
    ("a vacation of 3,000 years", lambda at: started(at, [{"begin": at, "until": 10**14 - 1, "reason": "vacation"}])),
    ("thousands of stops", lambda at: started(at, [{"begin": at, "until": at + 1, "reason": "vacation"}] * 30_000)),
    ("no zone", lambda at: started(at, [], "../../etc/passwd")),
    ("no stops", lambda at: started(at, [])),
]


@pytest.mark.parametrize("event", [pytest.param(event, id=name) for name, event in HOSTILE])
def test_a_hostile_clock_is_refused_at_once(event: Callable[[int], Json]) -> None:
    record = clocked()
    commit = record["commits"][2]
    commit["events"].append(event(commit["at"]))
    text, begun = text_of(sign(record)), process_time()
    assert is_verified_or_refused(text)
    assert process_time() - begun < 2


def test_all_days_off_are_no_clock() -> None:
    record = clocked()
    record["clock"]["days_off"] = list(WEEKDAYS)
    finding = check(sign(record)).finding
    assert finding is not None
    assert (finding.code, finding.seq) == ("clock", 1)


def test_today_there_is_one_format() -> None:
    """As soon as there is a second format, a record in the first one must be verified here."""
    assert formats.FORMAT == RECORD == 1
