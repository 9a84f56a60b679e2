"""Check commit subjects: `area: what changes`, at most 72 characters.

`subjects.py` checks every commit after `SINCE`. `subjects.py FILE` checks the message in a file, for use as a
commit-msg hook.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SINCE = "df8f4b2358b0da73a7f49e6e20de31bd3c319b54"
"""The last commit whose subject need not conform.

If a shallow clone does not contain it, all its commits are checked.
"""
LONGEST = 72
AREA = r"[a-z][a-z0-9_./-]*"
SHAPE = re.compile(rf"{AREA}(, {AREA})*: \S")
TO_BE_SQUASHED = ("fixup! ", "squash! ", "amend! ")
"""Prefixes that the hook accepts, because `git rebase --autosquash` removes such commits.

The history check rejects them.
"""


class Commit(NamedTuple):
    """A commit: its hash, its number of parents, and its subject."""

    hash: str
    parents: int
    subject: str


def faults(subject: str) -> list[str]:
    """Return what is wrong with a subject."""
    problems = []
    if not SHAPE.match(subject):
        problems.append("does not start with `area: ` (lower case; several areas: `store, worker: `)")
    if len(subject) > LONGEST:
        problems.append(f"has {len(subject)} characters; at most {LONGEST} are allowed")
    if subject.endswith("."):
        problems.append("ends with a full stop")
    return problems


def git(*arguments: str) -> str:
    """Return the output of a git command. Raises: CalledProcessError if the command fails."""
    command = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", *arguments]
    run = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=True)
    return run.stdout.strip()


def has(revision: str) -> bool:
    """Return whether this repository contains a commit."""
    command = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "cat-file", "-e", f"{revision}^{{commit}}"]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def commits(*revisions: str) -> Iterator[Commit]:
    """Yield commits, newest first.

    At the boundary of a shallow clone, only git's raw format shows a commit's parents. In other formats, a merge there
    looks like an ordinary commit.
    """
    log = git("log", "--format=raw", "--no-color", *revisions)
    for text in re.split(r"^(?=commit [0-9a-f]{40,64}$)", log, flags=re.MULTILINE)[1:]:
        head, _, message = text.partition("\n\n")
        yield Commit(head.split()[1], len(re.findall(r"^parent ", head, re.MULTILINE)), subject_of(message))


def subject_of(message: str) -> str:
    """Return a message's subject: its first paragraph as one line, without comments, as git defines it."""
    lines = [line.strip() for line in message.splitlines() if not line.startswith("#")]
    return " ".join("\n".join(lines).strip("\n").partition("\n\n")[0].split("\n"))


def new_commits() -> list[str] | str:
    """Return the commits to check, as arguments for `git log`, or the reason why there are none."""
    if not (ROOT / ".git").exists():
        return "this folder is not a git repository"
    if shutil.which("git") is None:
        return "git is not installed"
    if not has("HEAD"):
        return "this repository has no commits"
    if has(SINCE):
        return [f"{SINCE}..HEAD"]
    if git("rev-parse", "--is-shallow-repository") == "true":
        return ["HEAD"]
    return f"this history does not contain {SINCE[:7]}, after which subjects are checked"


def check_history() -> int:
    """Check the new commits, and return the exit code."""
    new = new_commits()
    if isinstance(new, str):
        print(f"No commit subjects to check: {new}.")
        return 0
    checked = [commit for commit in commits(*new) if commit.parents < 2]
    wrong = [commit for commit in checked if faults(commit.subject)]
    if not wrong:
        print(f"Commit subjects: {len(checked)} checked, all in the form that CONTRIBUTING.md requires.")
        return 0
    for commit in wrong:
        report(f"{commit.hash[:7]} {commit.subject}", faults(commit.subject))
    print(
        f"{len(wrong)} of {len(checked)} subjects are not `area: what changes`, with at most {LONGEST} characters.\n"
        f"Reword the last commit with `git commit --amend`, older ones with `git rebase --interactive "
        f"{wrong[-1].hash[:7]}^` and `reword`.",
        file=sys.stderr,
    )
    return 1


def check_message(file: Path) -> int:
    """Check the message of a commit that is about to be made, and return the exit code."""
    subject = subject_of(file.read_text(encoding="utf-8", errors="replace"))
    if has("MERGE_HEAD") or subject.startswith(TO_BE_SQUASHED) or not faults(subject):
        return 0
    report(subject, faults(subject))
    print(f"Write `area: what changes`, at most {LONGEST} characters; the body says why.", file=sys.stderr)
    return 1


def report(subject: str, problems: Sequence[str]) -> None:
    """Print a subject and the problems with it."""
    print("\n".join([subject, *(f"  {fault}" for fault in problems)]), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(check_message(Path(sys.argv[1])) if len(sys.argv) > 1 else check_history())
