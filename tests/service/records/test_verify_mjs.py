"""`examples/verify.mjs`: a verifier in another language, written only from the documents, agrees with the service."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import EDITIONS
from service.store.chain import head

from ...games.files import FOLDER, REVISIONS, read
from .making import STORED, of_bots, of_recorded, sign, stored_record, text_of

Json = dict[str, Any]
PROGRAM = Path(__file__).parents[3] / "examples" / "verify.mjs"
SIZE = 150
"""Maximum number of lines of the program."""
NODE = shutil.which("node") or ""
pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")


def node(*words: str | Path, standard_input: bytes = b"") -> tuple[int, list[str]]:
    """Run the program; return its exit code and its output lines."""
    ended = subprocess.run([NODE, PROGRAM, *words], input=standard_input, capture_output=True, check=False, timeout=60)
    assert ended.stderr == b""
    return ended.returncode, ended.stdout.decode().splitlines()


def verify(record: Json, *heads: str) -> tuple[int, list[str]]:
    """Verify a record; return the exit code and the errors."""
    status, lines = node("-", *heads, standard_input=text_of(record))
    return status, [line.removeprefix("-: ") for line in lines]


def agree(records: dict[str, Json], folder: Path) -> None:
    """Fail unless the program finds no errors in any of these records."""
    for name, record in records.items():
        (folder / name).write_bytes(text_of(record))
    files = [folder / name for name in records]
    right = [f"{folder / name}: {record['version']} commits are right" for name, record in records.items()]
    assert node(*files) == (0, right)


def recorded(revision: str, step: int = 1) -> dict[str, Json]:
    """Return the records of the recorded games of an edition's revision."""
    return {path.name: of_recorded(read(path)) for path in sorted((FOLDER / revision).glob("*.jsonl"))[::step]}


def test_it_is_short_and_needs_nothing() -> None:
    program = PROGRAM.read_text()
    assert program.count("\n") <= SIZE
    assert set(re.findall(r'^import .* from "(.*)";$', program, re.MULTILINE)) == {"node:crypto", "node:fs"}


@pytest.mark.parametrize("revision", REVISIONS)
def test_some_recorded_games_are_right(revision: str, tmp_path: Path) -> None:
    """Games with resignations, matches and options are in the next test, which takes longer."""
    agree(recorded(revision, step=25), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_all_recorded_games_are_right(revision: str, tmp_path: Path) -> None:
    """The games cover every number of seats, every option, and every way to end."""
    agree(recorded(revision), tmp_path)


def test_stored_games_of_earlier_releases_are_right(tmp_path: Path) -> None:
    """The games have clocks, substitutes and resignations, and their hashes were never stored."""
    records = {path.name: record for path in STORED if (record := stored_record(path)) is not None}
    assert len(records) > 2
    agree(records, tmp_path)


@pytest.mark.parametrize("key", EDITIONS)
def test_ndjson_is_read_too(key: str) -> None:
    record = of_bots(key, EDITIONS[key][1].most_seats)
    header = {name: value for name, value in record.items() if name != "commits"}
    lines = [*map(text_of, [header, *record["commits"]])]
    for end in (b"\n", b"\r\n", b"\n\n"):
        content = b"".join(line + end for line in lines)
        assert node("-", standard_input=content) == (0, [f"-: {record['version']} commits are right"])


@cache
def _played() -> Json:
    return of_bots("zman-2018", 4)


def events(record: Json, kind: str) -> Iterator[Json]:
    """Yield the events of a type."""
    return (event for commit in record["commits"] for event in commit["events"] if event["type"] == kind)


def swap_hands(record: Json) -> None:
    """Swap the hands of the first and the second seat."""
    dealt = next(events(record, "hands-dealt"))
    dealt["hands"][:2] = dealt["hands"][1::-1]


def change_card(record: Json) -> None:
    """Change a card that was dealt."""
    cards = next(events(record, "hands-dealt"))["hands"][0]["cards"]
    cards[-1] = "surrender" if cards[-1] != "surrender" else "scarecrow"


def change_later_deal(record: Json) -> None:
    """Swap hands in the second deal, which depends on every card that was discarded before it."""
    _, dealt, *_ = events(record, "hands-dealt")
    dealt["hands"][:2] = dealt["hands"][1::-1]


def change_lot(record: Json) -> None:
    """Give the battle marker to another seat."""
    lot = next(events(record, "marker-taken"))
    lot["seat"] = (lot["seat"] + 1) % 4


def skip_draw(record: Json) -> None:
    """Give the first deal the number of the next one."""
    next(events(record, "hands-dealt"))["draw"] += 1


def change_seed(record: Json) -> None:
    """Show a different seed."""
    record["fairness"]["seed"] = "ab" * 32


def change_commitment(record: Json) -> None:
    """Show a different commitment in the header."""
    record["fairness"]["commitment"] = "ab" * 32


def add_entropy(record: Json) -> None:
    """Declare that a seat added entropy."""
    record["fairness"]["entropies"][1] = "c0ffee"


def change_time(record: Json) -> None:
    """Make a commit a millisecond later."""
    record["commits"][7]["at"] += 1


def drop_pass(record: Json) -> None:
    """Leave out an event."""
    commit = next(one for one in record["commits"] if one["events"][0]["type"] == "seat-passed")
    del commit["events"][0]


def repeat_commit(record: Json) -> None:
    """Repeat a commit."""
    record["commits"].insert(5, copy.deepcopy(record["commits"][4]))


def cut(record: Json) -> None:
    """Leave out the last commits."""
    del record["commits"][-3:]


def change_head(record: Json) -> None:
    """Show a different head."""
    record["head"] = "ab" * 32


def lose_events(record: Json) -> None:
    """Remove all events of a commit."""
    record["commits"][3]["events"] = []


TAMPERED: list[tuple[Callable[[Json], None], str, str | None]] = [
    (swap_hands, r"commit 1: the hash is \w+, not \w+", "commit 1: draw 1: hand 0 is .*, not .*"),
    (change_card, r"commit 1: the hash is \w+, not \w+", "commit 1: draw 1: hand 0 is .*, not .*"),
    (change_later_deal, r"commit \d+: the hash is \w+, not \w+", r"commit \d+: draw \d+: hand 0 is .*, not .*"),
    (change_lot, r"commit 1: the hash is \w+, not \w+", r"commit 1: draw 0: the lot falls on seat \d, not \d"),
    (skip_draw, r"commit 1: the hash is \w+, not \w+", "commit 1: hands-dealt: the next draw is 1, not 2"),
    (change_seed, r"the commitment \w+ is not that of the seed", r"the commitment \w+ is not that of the seed"),
    (change_commitment, "the commitment [ab]+ is not that of the seed", "the commitment [ab]+ .*"),
    (add_entropy, "the entropies are ,,,, not ,c0ffee,,", "the entropies are ,,,, not ,c0ffee,,"),
    (change_time, r"commit 8: the hash is \w+, not \w+", None),
    (drop_pass, r"commit \d+: the hash is \w+, not \w+", None),
    (repeat_commit, r"there are \d+ commits, not \d+", "commit 6 has the number 5"),
    (cut, r"there are \d+ commits, not \d+", None),
    (change_head, r"the head at version \d+ is not [ab]+", None),
    (lose_events, r"commit 4: the hash is \w+, not \w+", r"commit \d+: draw \d+: hand \d is .*, not .*"),
]
"""A change of a record, the first error found, and the first error found if hashes and head are computed again.

None means that the draws are correct, so that only a head that somebody kept reveals the change."""


@pytest.mark.parametrize(("tamper", "finding"), [(tamper, finding) for tamper, finding, _ in TAMPERED])
def test_a_tampered_record_is_found(tamper: Callable[[Json], None], finding: str) -> None:
    record = copy.deepcopy(_played())
    tamper(record)
    status, (first, *_) = verify(record)
    assert status == 1
    assert re.fullmatch(finding, first), first


@pytest.mark.parametrize(("tamper", "finding"), [(tamper, finding) for tamper, _, finding in TAMPERED])
def test_a_record_that_was_signed_again_is_found_by_its_draws_or_by_a_kept_head(
    tamper: Callable[[Json], None], finding: str | None
) -> None:
    """Anybody who has the seed can compute all hashes and the head again."""
    honest, record = _played(), copy.deepcopy(_played())
    tamper(record)
    record = sign(record)
    status, found = verify(record)
    if finding is not None:
        assert status == 1
        assert re.fullmatch(finding, found[0]), found
        return
    assert status == 0
    if tamper is not change_head:
        kept = f"{honest['version']}:{honest['head']}"
        assert verify(record, kept) == (1, [f"the head at version {honest['version']} is not {honest['head']}"])


def resign_all(record: Json) -> None:
    """Draw a lot among seats that have all resigned."""
    draw = sum("draw" in event for event in record["commits"][0]["events"])
    resigned = [{"type": "seat-resigned", "seat": seat} for seat in range(4)]
    record["commits"][1]["events"] = [*resigned, {"type": "marker-taken", "seat": 0, "reason": "lot", "draw": draw}]


def open_for(seats: Any) -> Callable[[Json], None]:
    """Return a change of the table's number of seats."""

    def change(record: Json) -> None:
        next(events(record, "table-opened"))["seats"] = seats

    return change


def give_entropy(record: Json) -> None:
    """Let a bot add entropy that is not a string but has a length."""
    record["commits"][0]["events"][4]["entropy"] = {"length": 2**40}


def seat(where: Any, entropy: Any = "") -> Callable[[Json], None]:
    """Return a change that gives a player a seat number."""

    def change(record: Json) -> None:
        record["commits"][0]["events"].insert(1, {"type": "seat-taken", "seat": where, "entropy": entropy})

    return change


@pytest.mark.parametrize(
    ("forge", "finding"),
    [
        (resign_all, "commit 2: there is nothing to draw from"),
        (open_for(2**32 - 1), "commit 1: a table has 2 to 6 seats"),
        (open_for(1), "commit 1: a table has 2 to 6 seats"),
        (open_for([3]), "commit 1: a table has 2 to 6 seats"),
        (seat(2**32 - 2), "commit 1: there is no seat 4294967294"),
        (seat("length", 2**32 - 1), 'commit 1: there is no seat "length"'),
        (seat(-1), "commit 1: there is no seat -1"),
        (give_entropy, r"the entropies are ,,,\[object Object\], not ,,,"),
    ],
)
def test_verifying_a_forged_record_ends(forge: Callable[[Json], None], finding: str) -> None:
    """No number in a record makes the program loop endlessly or fill the memory."""
    record = copy.deepcopy(_played())
    forge(record)
    status, (found, *_) = verify(sign(record))
    assert status == 1
    assert re.fullmatch(finding, found), found


def test_nothing_in_a_record_reaches_the_terminal_as_a_control_character() -> None:
    """Other characters, such as letters of any script, are printed."""
    record = copy.deepcopy(_played())
    record["commits"][0]["hash"] = "\x1b[2J\u009b\n\u202eè"
    status, found = verify(record)
    assert status == 1
    assert found[0].endswith(r", not \u{1b}[2J\u{9b}\u{a}\u{202e}è")
    status, (said,) = node("-", standard_input=b'{"a": \x1b]0;title')
    assert status == 2
    assert "\x1b" not in said


def test_heads_of_earlier_versions_are_checked() -> None:
    """The version of a head is given explicitly; without it, the last version is meant."""
    record = _played()
    seed = bytes.fromhex(record["fairness"]["seed"])
    early = f"9:{head(seed, record['commits'][8]['hash'])}"
    assert verify(record, early, record["head"])[0] == 0
    assert verify(record, f"1{early}") == (1, [f"the head at version 19 is not {early[2:]}"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "-: .*JSON.*"),
        (b'{"record": 2}', "-: this is not an open record of format 1"),
        (b'{"record": 1, "open": false}', "-: this is not an open record of format 1"),
    ],
)
def test_what_is_not_an_open_record_cannot_be_checked(content: bytes, said: str) -> None:
    status, (line,) = node("-", standard_input=content)
    assert status == 2
    assert re.fullmatch(said, line)
