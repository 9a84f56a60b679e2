"""Commit subjects are `area: what changes`, at most 72 characters."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .repository import CI, Repository, load

GOOD = [
    "tests: fewer examples in the plain run",
    "store, worker: take nothing that is stored for more than it can be",
    "api/http: split answers from callers",
    "web: refuse malformed chunks, and read no `X-Forwarded-*` headers",
    "docs: " + "x" * 66,
]
BAD = [
    "",
    "fewer examples in the plain run",
    "Tests: fewer examples in the plain run",
    "tests:fewer examples in the plain run",
    "tests: ",
    "tests, : fewer examples",
    "the tests: fewer examples in the plain run",
    "tests: fewer examples in the plain run.",
    "docs: " + "x" * 67,
]


@pytest.fixture
def subjects(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, in a repository with one commit from before subjects were checked."""
    script = load("subjects")
    monkeypatch.setattr(script, "ROOT", repository.root)
    monkeypatch.setattr(script, "SINCE", repository.commit("Before there were rules."))
    return script


@pytest.mark.parametrize("subject", GOOD)
def test_good_subjects_pass(subject: str) -> None:
    assert load("subjects").faults(subject) == []


@pytest.mark.parametrize("subject", BAD)
def test_bad_subjects_are_found(subject: str) -> None:
    assert len(load("subjects").faults(subject)) == 1


def test_every_fault_is_named() -> None:
    assert len(load("subjects").faults("Fewer examples in the plain run, " * 3 + ".")) == 3


def test_new_commits_are_checked(
    subjects: ModuleType, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message lists the invalid subjects, and says what to do about them."""
    repository.commit("docs: say how\n\nThe body is free. Anything goes here: " + "x" * 100)
    assert subjects.check_history() == 0
    assert "1 checked" in capsys.readouterr().out
    wrong = repository.commit("Say how\n\nWhy.")
    repository.commit("docs: say why")
    assert subjects.check_history() == 1
    complaint = capsys.readouterr().err
    assert f"{wrong[:7]} Say how\n" in complaint
    assert "1 of 3 " in complaint
    assert "git commit --amend" in complaint
    assert f"git rebase --interactive {wrong[:7]}^" in complaint


def test_a_subject_of_two_lines_is_one(subjects: ModuleType, repository: Repository) -> None:
    """Git treats it in the same way."""
    repository.commit("docs: say how it is done\nif the first line has room for no more than half of it")
    assert subjects.check_history() == 1


def test_merges_are_not_checked(subjects: ModuleType, repository: Repository, tmp_path: Path) -> None:
    """They are skipped even at the edge of a shallow clone, where git hides their parents."""
    repository.git("checkout", "--quiet", "-b", "branch")
    repository.commit("docs: say how")
    repository.git("checkout", "--quiet", "main")
    repository.commit("docs: say why")
    repository.git("merge", "--quiet", "branch")
    assert repository.git("log", "-1", "--format=%s") == "Merge branch 'branch'"
    assert subjects.check_history() == 0
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.root}", str(tmp_path / "shallow"))
    subjects.ROOT = tmp_path / "shallow"
    assert subjects.new_commits() == ["HEAD"]
    assert subjects.check_history() == 0


def test_in_a_shallow_clone_everything_there_is_checked(
    subjects: ModuleType, repository: Repository, tmp_path: Path
) -> None:
    repository.commit("Say how")
    repository.commit("docs: say why")
    for depth, status in (("1", 0), ("2", 1)):
        subjects.ROOT = tmp_path / depth
        repository.git("clone", "--quiet", f"--depth={depth}", f"file://{repository.root}", str(subjects.ROOT))
        assert subjects.check_history() == status


@pytest.mark.parametrize("why", ["no repository", "in another repository", "no git", "no commit", "another history"])
def test_where_nothing_is_new_nothing_is_checked(
    why: str,
    subjects: ModuleType,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The script reports that there is nothing to check."""
    repository.commit("Say how")
    assert subjects.check_history() == 1
    match why:
        case "no repository":
            shutil.rmtree(repository.root / ".git")
        case "in another repository":
            subjects.ROOT = repository.root / "exported"
        case "no git":
            monkeypatch.setenv("PATH", str(repository.root))
        case "no commit":
            repository.git("checkout", "--quiet", "--orphan", "empty")
        case "another history":
            subjects.SINCE = "0" * 40
    assert subjects.check_history() == 0
    assert "No commit subjects to check: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("docs: say how\n\nWhy.\n", 0),
        ("\n# A comment of git's.\ndocs: say how\n# On branch main\n", 0),
        ("Say how\n", 1),
        ("# Nothing but a comment: docs\n", 1),
        ("fixup! Say how\n", 0),
    ],
)
def test_a_message_is_checked_before_it_is_committed(message: str, status: int, tmp_path: Path) -> None:
    """As a commit-msg hook, the script gets the file with the message."""
    (tmp_path / "message").write_text(message)
    command = [sys.executable, str(CI / "subjects.py"), str(tmp_path / "message")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == status, run.stderr
    assert ("area: what changes" in run.stderr) == bool(status)


def test_the_message_of_a_merge_may_be_gits(subjects: ModuleType, repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "message").write_text("Merge branch 'branch'\n")
    assert subjects.check_message(tmp_path / "message") == 1
    repository.git("update-ref", "MERGE_HEAD", "HEAD")
    assert subjects.check_message(tmp_path / "message") == 0
