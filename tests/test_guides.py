"""The guides are sessions, and `tests.guides` fails if one of them differs from its text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .guides import ROOT, Step, blocks, follow, sections, steps

STEPS = {
    "README.md": 13,
    "docs/api.md": 110,
    "docs/clients.md": 46,
    "docs/accounts.md": 26,
    "docs/orders.md": 40,
    "docs/tables.md": 41,
    "docs/correspondence.md": 55,
    "docs/hosting.md": 42,
    "docs/admin.md": 51,
    "docs/talk.md": 33,
    "docs/webhooks.md": 38,
    "docs/notices.md": 30,
    "docs/records.md": 31,
    "docs/bots.md": 7,
}
"""The minimum number of steps in each guide: fewer mean that a part of its session is missing."""
OTHERS = {
    "docs/bots.md": {"sh"},
    "README.md": {"", "python"},
    "docs/clients.md": {"", "js", "json", "python", "sh", "ts"},
    "docs/hosting.md": {"", "nginx", "sh"},
    "docs/notices.md": {"sh"},
    "docs/records.md": {"json"},
    "docs/webhooks.md": {"json", "python", "sh"},
}
"""Languages of blocks in a guide that are not part of its session."""


@pytest.mark.parametrize("guide", STEPS)
def test_a_guide_has_all_of_its_session(guide: str) -> None:
    """It has no other blocks, except those known to be something else."""
    assert len(steps(ROOT / guide)) >= STEPS[guide]
    assert {block.language for block in blocks(ROOT / guide)} == {"console"} | OTHERS.get(guide, set())


def write(folder: Path, session: str) -> Path:
    """Write a guide with one session."""
    guide = folder / "guide.md"
    guide.write_text(f"# A guide\n\n```console\n{session}```\n\n```json\n{{}}\n```\n")
    return guide


def test_the_steps_of_a_guide_are_its_commands_with_what_is_shown(tmp_path: Path) -> None:
    guide = write(tmp_path, "$ for name in a b; do\n>   echo $name\n> done\na\n\nb\n$ true\n")
    assert steps(guide) == [Step("for name in a b; do\n  echo $name\ndone", "a\n\nb", 4), Step("true", "", 10)]
    assert [(block.language, block.line) for block in blocks(guide)] == [("console", 4), ("json", 14)]


def test_a_section_of_a_guide_may_be_a_session(tmp_path: Path) -> None:
    guide = tmp_path / "guide.md"
    session = "\n```console\n$ {}\n## not a title\n```\n\n"
    guide.write_text(f"# A guide\n{session}## One\n{session}## Two\n{session}".format("a", "b", "c"))
    assert list(sections(guide)) == ["One", "Two"]
    assert [step.command for step in steps(guide)] == ["a", "b", "c"]
    assert [step.command for step in steps(guide, "One")] == ["b"]
    assert [step.command for step in steps(guide, "Two")] == ["c"]


def test_a_session_runs_in_one_shell(tmp_path: Path) -> None:
    """The session gets settings and runs in a given folder.

    Replaced values are restored in the output, and errors are shown.
    """
    guide = write(
        tmp_path,
        "$ NAME=Caterina\n"
        '$ hello() { echo "$NAME of $CITY $1"; }\n'
        "$ hello 'at http://there'\nCaterina of ... at http://there\n"
        '$ printf "HTTP/1.1 200 OK\\r\\nETag: 1\\r\\n"\nHTTP/1.1 200 OK\nETag: 1\n'
        "$ cat; echo written > here; cat here missing\nwritten\ncat: missing: ...\n"
        "$ echo $?\n1\n"
        "$ python -c 'print(1); import sys; sys.exit(7)'\n1\n",
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    follow(guide, folder, {"http://there": "http://127.0.0.1:8123"}, CITY="Forli", LC_ALL="C")
    assert (folder / "here").read_text() == "written\n"


@pytest.mark.parametrize(
    ("session", "said"),
    [
        ("$ echo one two\none ... three\n", "guide.md:4: the answer differs at 'three'"),
        ("$ echo one\n", "guide.md:4: the answer differs at ''"),
        ("$ true\n$ false\n", "guide.md:5: the status is 1"),
        ("$ echo $UNSET\n\n", "This has ended the shell."),
        ("$ echo begun; read < <(tail -f /dev/null)\n", "This did not end within 0.5 seconds."),
        ("echo one\n", "guide.md:4: this is not a command: echo one"),
    ],
)
def test_a_step_that_differs_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: str, said: str) -> None:
    monkeypatch.setattr("tests.guides.SECONDS", 0.5)
    with pytest.raises(AssertionError, match=re.escape(said)):
        follow(write(tmp_path, session), tmp_path, {})
