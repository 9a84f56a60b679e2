"""`condottiere verify`: its output and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.records.reading import AT_HOME

from ..records.making import Json, of_bots, of_people, sign, text_of

RECORD = of_people("zman-2018-duel", 2)


def run(*args: str | Path, stdin: bytes | None = None) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["verify", *map(str, args)], input=stdin)


def write(folder: Path, name: str, content: bytes) -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A file with a valid record."""
    return write(tmp_path, "whole.json", text_of(RECORD))


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    """A file with a forged record."""
    record: Json = json.loads(text_of(RECORD))
    record["commits"][6]["events"][0]["seat"] ^= 1
    return write(tmp_path, "forged.json", text_of(record))


def lines(record: Json) -> bytes:
    """Return a record as NDJSON."""
    header = {name: value for name, value in record.items() if name != "commits"}
    return b"".join(text_of(part) + b"\n" for part in (header, *record["commits"]))


def test_a_valid_record_is_said_to_be_valid(whole: Path) -> None:
    result = run(whole)
    assert result.exit_code == 0
    heading, row = result.output.splitlines()[:2]
    assert heading.split() == ["file", "game", "result", "commits", "events", "moves", "draws", "bots", "clocks"]
    assert f" {RECORD['game']}  valid " in " ".join(line for line in result.output.splitlines())
    assert row


def test_the_first_thing_that_is_wrong_is_named_with_its_place(whole: Path, forged: Path) -> None:
    result = run(whole, forged)
    assert result.exit_code == 1
    assert f"{forged}: commit 7: the hash of the commit is" in result.output


def test_a_record_that_cannot_be_read_has_exit_code_2(whole: Path, forged: Path, tmp_path: Path) -> None:
    cut = write(tmp_path, "cut.json", text_of(RECORD)[:-5])
    result = run(whole, forged, cut, tmp_path / "missing.json")
    assert result.exit_code == 2
    assert "the file was truncated" in result.output
    assert "missing.json: the file cannot be read: No such file or directory" in result.output


def test_lines_of_json_have_all_of_the_report(whole: Path, forged: Path, tmp_path: Path) -> None:
    result = run("--json", whole, forged, write(tmp_path, "cut.json", b"{"))
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["valid"] for report in reports] == [True, False, None]
    assert [report["file"] for report in reports] == [str(whole), str(forged), str(tmp_path / "cut.json")]
    assert (reports[1]["finding"]["code"], reports[1]["finding"]["seq"]) == ("chain", 7)
    assert reports[2]["problem"]["code"] == "record-cut"


def test_several_records_are_read_from_standard_input(forged: Path) -> None:
    stdin = lines(RECORD) + lines(of_bots("zman-2018", 3)) + lines(json.loads(forged.read_bytes()))
    result = run("--json", "-", stdin=stdin)
    assert result.exit_code == 1
    assert [json.loads(line)["valid"] for line in result.output.splitlines()] == [True, True, False]


def test_a_record_that_cannot_be_read_does_not_hide_the_next(forged: Path) -> None:
    forgery = json.loads(forged.read_bytes())
    result = run("--json", "-", stdin=lines(RECORD) + lines({**RECORD, "open": False}) + lines(forgery) + lines(RECORD))
    assert result.exit_code == 2
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["valid"] for report in reports] == [True, None, False, True]
    assert reports[1]["problem"]["code"] == "record-redacted"


def test_what_a_record_says_does_not_reach_the_terminal(tmp_path: Path) -> None:
    record: Json = {**json.loads(text_of(RECORD)), "game": "[/red]\x1b[2J[bold]"}
    record["commits"][0]["by"] = "[/]\x1b]0;title\x07"
    for forged in (record, sign(json.loads(text_of(record)))):
        result = run(write(tmp_path, "a[b].json", text_of(forged)))
        assert result.exit_code == 1
        assert "\x1b" not in result.output
        assert "[/red]?[2J[bold]" in result.output


def test_a_kept_head_is_compared(whole: Path) -> None:
    assert run("--head", RECORD["head"], whole).exit_code == 0
    assert run("--head", f"{RECORD['version']}:{RECORD['head']}", "--head", RECORD["head"], whole).exit_code == 0
    result = run("--head", f"3:{RECORD['head']}", whole)
    assert result.exit_code == 1
    assert "commit 3: version 3 has the head" in result.output


def test_a_head_is_of_one_game(whole: Path) -> None:
    result = run("--head", RECORD["head"], whole, whole)
    assert result.exit_code == 2
    assert "a head belongs to one game" in result.output
    assert run("--head", "nonsense", whole).exit_code == 2


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(AT_HOME.bytes + 2)
    result = run("--json", path)
    assert result.exit_code == 2
    assert json.loads(result.output)["problem"]["code"] == "record-too-large"


def test_an_unchecked_bot_is_named(tmp_path: Path) -> None:
    record = of_bots("zman-2018", 3)
    for event in record["commits"][0]["events"]:
        if event.get("bot") == "random":
            event["bot"] = "house"
    record["seats"][1]["bot"] = "house"
    result = run(write(tmp_path, "record.json", text_of(sign(record))))
    assert result.exit_code == 0
    assert "moves of the bot house, revision 1, which this version does not have" in result.output
