"""`make nightly` runs the long tests on every Python version that it finds, and reports the result of each part."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .repository import load

TESTS = Path(__file__).parent
REPORT = """<testsuites>
<testsuite name="one" tests="7" failures="1" errors="1" skipped="2"/><testsuite name="two" tests="3" failures="0"/>
</testsuites>"""


def test_every_property_takes_more_examples_when_asked() -> None:
    """The only exceptions are properties whose examples are not random."""
    files = {file: file.read_text().splitlines() for file in TESTS.rglob("*.py") if file != Path(__file__)}
    stated = [(file, line.strip()) for file, lines in files.items() for line in lines if "max_examples=" in line]
    fixed = [one for one in stated if not re.search(r"max_examples=examples\(\d+\)|derandomize=True", one[1])]
    assert stated
    assert fixed == []


def test_the_environment_asks_for_more_examples_and_rounds() -> None:
    program = "from tests.examples import examples; print(examples(60))"
    command = [sys.executable, "-c", program]
    asked = os.environ | {"EXAMPLES": "20", "ROUNDS": "2"}
    assert subprocess.check_output(command, cwd=TESTS.parent, env=asked, text=True) == "1200\n"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "chance", "tests/service/whole"]
    collected = subprocess.check_output(command, cwd=TESTS.parent, env=asked, text=True)
    first, second = (re.findall(rf"(test_\w+)\[round-{number}\]", collected) for number in (1, 2))
    assert first == second
    assert "test_one_move_is_made_for_every_turn_however_often_the_worker_is_killed" in first


def fake(folder: Path, version: str, script: str) -> Path:
    """Create a fake Python interpreter."""
    folder.mkdir(parents=True)
    python = folder / f"python{version}"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return python


def test_a_python_that_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It searches PATH first, then pyenv, and skips a Python that does not run or has another version."""
    find_python = load("nightly").find_python
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{tmp_path / 'bin'}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert find_python("3.12") is None
    fake(tmp_path / "shims", "3.12", "exit 127")
    assert find_python("3.12") is None
    fake(tmp_path / "pyenv/versions/3.12.1/bin", "3.12", "echo 3.13")
    assert find_python("3.12") is None
    installed = fake(tmp_path / "pyenv/versions/3.12.3/bin", "3.12", "echo 3.12")
    assert find_python("3.12") == installed
    first = fake(tmp_path / "bin", "3.12", "echo 3.12")
    assert find_python("3.12") == first


def test_the_report_is_counted(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    assert load("nightly").counts(tmp_path / "report.xml") == "6 passed, 2 failed, 2 skipped"


@pytest.mark.parametrize(("ok", "word", "status"), [(True, "ok", 0), (False, "FAILED", 1), (None, "-", 0)])
def test_the_table_says_how_each_part_went(
    ok: bool | None, word: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    nightly = load("nightly")
    parts = {"one": lambda: nightly.Outcome(ok, "so and so"), "two": lambda: nightly.Outcome(True, "as recorded")}
    assert nightly.run_parts(parts) == status
    table = capsys.readouterr().out.splitlines()[-2:]
    assert [row.split()[:2] for row in table] == [["one", word], ["two", "ok"]]
    assert table[0].endswith("  so and so")


def test_a_version_that_is_not_there_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    nightly = load("nightly")
    monkeypatch.setattr(nightly, "find_python", lambda _: None)
    assert nightly.suite("3.14") == (None, "not on this machine")
