"""The README's sessions do what they show."""

from __future__ import annotations

import doctest
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .product import running

README = Path(__file__).parents[3] / "README.md"
ADDRESS = "http://127.0.0.1:8000"
END = "--- end of answer ---"


class Step(NamedTuple):
    """A command of a session and the output that is shown below it; `...` stands for anything."""

    command: str
    shown: str


def steps() -> Iterator[Step]:
    """Yield every step of the README's console sessions, in order."""
    for block in re.findall(r"```console\n(.*?)```", README.read_text(), re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = step.splitlines()
            more = next((at for at, line in enumerate(lines[1:], 1) if not line.startswith(">")), len(lines))
            command = "\n".join([lines[0], *(line[2:] for line in lines[1:more])])
            yield Step(command, "\n".join(lines[more:]))


def answers(commands: list[str]) -> list[str]:
    """Return what each command writes, run one after the other in one shell."""
    script = "".join(f"{command}\necho '{END}'\n" for command in commands)
    ran = subprocess.run(["bash", "-uo", "pipefail"], input=script, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout.split(f"{END}\n")[:-1]


def is_like(shown: str, answer: str) -> bool:
    """Tell whether an answer is what is shown, where `...` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    return re.fullmatch(pattern, answer.strip(), re.DOTALL) is not None


def test_the_session_with_curl(folder: Path) -> None:
    session = list(steps())
    assert len(session) > 8
    with running(folder) as service:
        commands = [step.command.replace(ADDRESS, service.url) for step in session]
        for step, answer in zip(session, answers(commands), strict=True):
            assert is_like(step.shown, answer), f"$ {step.command}\n{answer}"


def test_the_session_with_the_engine() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 5) == (0, True)
