"""Guides as sessions: run the ```console blocks of a Markdown file, and compare each output with the one shown.

A step is a command after `$ `, continued on lines that begin with `>`, and the output shown below it. In that output
`...`, with the white space around it, stands for any text, which may be empty or have several lines. A long output may
be shown in several lines that begin or end with `...`. All steps of a guide run in one bash, in order, so variables and
functions persist. A command reads nothing from standard input, and its errors are part of its output. A step fails if
its output differs from what is shown, or if the guide shows no output and the command fails.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

ROOT = Path(__file__).parents[1]
ADDRESS = "http://127.0.0.1:8000"
"""The address of the service in the guides."""
SECONDS = 120
"""The maximum time for a step. Steps wait for events and never sleep, so only a step that hangs takes as long."""

SHELL = r"""
status=0
while IFS= read -r -d "" step; do
  eval "(exit $status)"$'\n'"$step" < /dev/null
  status=$?
  printf '%s %s\n' "$END" "$status"
done
"""
"""Runs each step that it reads, with `$?` set to the previous step's status, and prints END and the new status."""
END = "--- end of answer ---"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A fenced block."""


class Step(NamedTuple):
    """A command in a guide, the output shown below it, and its line number."""

    command: str
    shown: str
    line: int


class Block(NamedTuple):
    """A fenced block: its language ("" without one), its text, and the number of its first line."""

    language: str
    text: str
    line: int


def blocks(guide: Path) -> Iterator[Block]:
    """Yield every fenced block of a Markdown file."""
    text = guide.read_text()
    for found in FENCED.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)


def sections(guide: Path) -> dict[str, range]:
    """Return the lines of each section of a Markdown file by the section's title; a section begins with `## `."""
    lines = [*enumerate(FENCED.sub(lambda found: "\n" * found[0].count("\n"), guide.read_text()).split("\n"), 1)]
    starts = [(number, line.removeprefix("## ")) for number, line in lines if line.startswith("## ")]
    ends = [*(number for number, _ in starts[1:]), len(lines) + 1]
    return {title: range(start, end) for (start, title), end in zip(starts, ends, strict=True)}


def steps(guide: Path, section: str | None = None) -> list[Step]:
    """Return every step of the sessions of a guide, or of one of its sections, in order.

    Fail if a session does not begin with a command.
    """
    found = []
    lines = range(sys.maxsize) if section is None else sections(guide)[section]
    for block in blocks(guide):
        if block.language == "console" and block.line in lines:
            before, *session = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
            assert before == "", f"{guide.name}:{block.line}: this is not a command: {before}"
            line = block.line
            for step in session:
                found.append(_step(step, line))
                line += step.count("\n")
    return found


def _step(text: str, line: int) -> Step:
    """Parse a step without its `$ `."""
    lines = text.splitlines()
    more = next((at for at, line in enumerate(lines[1:], 1) if not line.startswith(">")), len(lines))
    return Step("\n".join([lines[0], *(line[2:] for line in lines[1:more])]), "\n".join(lines[more:]), line)


def missing(shown: str, answer: str) -> str | None:
    """Return the first part of the shown output, between two `...`, that an output does not contain, or None.

    >>> missing('{"id":...,"you":0,...', '{"id":"a","version":1,"you":0,"seats":3}')
    >>> missing('{"id":...,"you":1,...', '{"id":"a","version":1,"you":0,"seats":3}')
    ',"you":1,'
    >>> missing('{"id":...\\n..."you":0,...\\n"seats":3}', '{"id":"a","version":1,"you":0,"seats":3}')
    >>> missing("one\\ntwo", "one\\ntwo\\nthree")
    'one\\ntwo'
    """
    first, *parts = re.split(r"\s*\.\.\.\s*", shown.strip())
    answer = answer.strip()
    if not parts:
        return None if answer == first else first
    if not answer.startswith(first):
        return first
    at = len(first)
    *inner, last = parts
    for part in inner:
        found = answer.find(part, at)
        if found < 0:
            return part
        at = found + len(part)
    return None if answer[at:].endswith(last) else last


def follow(guide: Path, folder: Path, replaced: Mapping[str, str], section: str | None = None, **settings: str) -> None:
    """Run the sessions of a guide, or of one of its sections, in a folder; fail at the first wrong output.

    `replaced` maps texts in the guide, such as ADDRESS, to their values in this test run. Commands get the value
    instead of the text, and in outputs the text replaces the value. `settings` are added to the environment. PATH
    begins with the folder of the Python that runs the tests, so that `condottiere` and `python` are found.
    """
    with _shell(folder, settings) as shell:
        for step in steps(guide, section):
            where = f"{guide.name}:{step.line}"
            answer, status = shell.answer(_replace(step.command, replaced), f"{where}\n$ {step.command}")
            answer = _replace(answer, {here: there for there, here in replaced.items()})
            part = missing(step.shown, answer)
            assert part is None, f"{where}\n$ {step.command}\n{answer}\n{where}: the answer differs at {part!r}"
            assert step.shown or status == 0, f"{where}\n$ {step.command}\n{where}: the status is {status}"


def _replace(text: str, replaced: Mapping[str, str]) -> str:
    for old, new in replaced.items():
        text = text.replace(old, new)
    return text


class _Shell:
    """A bash that runs the steps in order."""

    def __init__(self, commands: IO[bytes], output: IO[bytes]) -> None:
        self._commands = commands
        self._output = output.fileno()

    def answer(self, command: str, where: str) -> tuple[str, int]:
        """Run a command; return its output, with lines that end in \\n, and its exit status.

        Fail if the command ends the shell or does not terminate.
        """
        self._commands.write(command.encode() + b"\0")
        self._commands.flush()
        read = b""
        deadline = time.monotonic() + SECONDS
        while (end := re.search(rb"%b (\d+)\n\Z" % END.encode(), read)) is None:
            ready, _, _ = select.select([self._output], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{where}\n{read.decode()}\nThis did not end within {SECONDS} seconds."
            more = os.read(self._output, 65_536)
            assert more, f"{where}\n{read.decode()}\nThis has ended the shell."
            read += more
        return read[: end.start()].decode().replace("\r\n", "\n"), int(end[1])


@contextmanager
def _shell(folder: Path, settings: Mapping[str, str]) -> Iterator[_Shell]:
    """Run a bash within the block. Processes that it started and that are still running are ended afterwards."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        ["bash", "-uo", "pipefail", "-c", SHELL],
        cwd=folder,
        env={**os.environ, "PATH": path, "END": END, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            yield _Shell(process.stdin, process.stdout)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
