"""`make nightly`: run the long tests in parts, and print a table with the result of each part.

positions  recount the recorded positions with a slow, independent method chance     run the randomised tests with more
examples, and repeat the tests that kill processes suite      run every test on each Python from 3.11 to 3.14 on this
machine
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("positions", "chance", "suite")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
MORE = {"EXAMPLES": "20", "ROUNDS": "10"}
"""The factors by which a nightly run multiplies the number of examples and of rounds."""
LONGEST = 4 * 3600
"""The time limit, in seconds, for each test that runs with more cases."""
WORDS = {True: "ok", False: "FAILED", None: "-"}
USABLE = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"


class Outcome(NamedTuple):
    """The outcome of a part: whether it succeeded (None if it did not run), and the summary that the table shows."""

    ok: bool | None
    summary: str


def run(*command: str | Path, **environment: str) -> int:
    """Run a command in the project's folder, show its output, and return its exit code."""
    print("$", *(f"{name}={value}" for name, value in environment.items()), shlex.join(map(str, command)), flush=True)
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False).returncode


def tests(python: Path, *arguments: str, **environment: str) -> Outcome:
    """Run tests on all cores, and return the outcome with the number of tests."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        pytest = (python, "-m", "pytest", "-n", "auto", "--dist", "worksteal", "-q", f"--junitxml={report}")
        status = run(*pytest, *arguments, **environment)
        summary = counts(report) if report.exists() else f"pytest did not finish: exit status {status}"
        return Outcome(status == 0, summary)


def counts(report: Path) -> str:
    """Return how many tests passed, failed and were skipped, according to pytest's report."""
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    total, failures, errors, skipped = (
        sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped"


def candidates(version: str) -> Iterator[Path]:
    """Yield the paths at which a Python of this version may be installed: on PATH, then in pyenv's folders."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    installed = sorted((pyenv / "versions").glob(f"{version}.*"), reverse=True)
    for folder in [*map(Path, os.get_exec_path()), *(one / "bin" for one in installed)]:
        yield folder / f"python{version}"


def find_python(version: str) -> Path | None:
    """Return the first Python of this version that runs and can create virtual environments."""
    for python in candidates(version):
        if python.exists():
            result = subprocess.run([python, "-c", USABLE], capture_output=True, text=True, check=False)
            if result.stdout.strip() == version:
                return python
    return None


def environment(version: str, python: Path) -> Path | None:
    """Create or update the virtual environment for a version.

    Return the environment's Python, or None after a failure.
    """
    folder = ROOT / f".venv-{version}"
    own = folder / "bin" / "python"
    if not own.exists() and run(python, "-m", "venv", folder) != 0:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    pip = (own, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--constraint", "constraints.txt")
    return own if run(*pip, "--editable", ".[test]") == 0 else None


def suite(version: str, *arguments: str) -> Outcome:
    """Run all tests with one version of Python."""
    python = find_python(version)
    if python is None:
        return Outcome(None, "not on this machine")
    own = environment(version, python)
    return tests(own, *arguments) if own else Outcome(False, "its virtual environment could not be created")


def positions() -> Outcome:
    """Check the counts of the recorded positions."""
    ok = run(sys.executable, "-m", "tests.positions", "--check") == 0
    return Outcome(ok, "as recorded" if ok else "not as recorded")


def chance(*arguments: str) -> Outcome:
    """Run the randomised tests with more cases."""
    more = ("-m", "chance or hypothesis", f"--timeout={LONGEST}")
    return tests(Path(sys.executable), *more, *arguments, **MORE)


def main() -> int:
    """Run the chosen parts, and return the exit code."""
    parser = ArgumentParser("make nightly", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="run only this part; may be repeated")
    parser.add_argument("--python", action="append", choices=VERSIONS, help="test only this version; may be repeated")
    parser.add_argument("--select", metavar="EXPRESSION", help="run only the tests that match, as with pytest -k")
    options = parser.parse_args()
    selected = options.part or PARTS
    select = ("-k", options.select) if options.select else ()
    parts: dict[str, Callable[[], Outcome]] = {}
    if "positions" in selected:
        parts["positions"] = positions
    if "chance" in selected:
        parts["chance"] = partial(chance, *select)
    if "suite" in selected:
        parts |= {f"Python {version}": partial(suite, version, *select) for version in options.python or VERSIONS}
    return run_parts(parts)


def run_parts(parts: dict[str, Callable[[], Outcome]]) -> int:
    """Run the parts in order, print the table, and return the exit code."""
    rows, failed = [], False
    for number, (name, part) in enumerate(parts.items(), 1):
        print(f"\n== {number} of {len(parts)}: {name}", flush=True)
        begun = time.monotonic()
        ok, summary = part()
        minutes, seconds = divmod(round(time.monotonic() - begun), 60)
        rows.append(f"{name:12} {WORDS[ok]:7} {minutes:4}:{seconds:02}  {summary}")
        failed |= ok is False
    print("", *rows, sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
