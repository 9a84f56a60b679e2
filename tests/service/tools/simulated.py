"""The command `condottiere simulate`, as tests run it."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from service.cli import main

NO_WISHES = dict.fromkeys(("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "NO_COLOR", "COLUMNS"))
"""An environment without preferences for terminals."""


def asked(*words: str) -> Result:
    """Run the command and return its result."""
    return CliRunner(env=NO_WISHES).invoke(main, ["simulate", *words])


def simulated(*words: str, jobs: int = 1) -> str:
    """Return what the command writes to standard output."""
    result = asked("--jobs", str(jobs), *words)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def games_of(*words: str) -> list[dict[str, Any]]:
    """Return the games that the command writes as JSON."""
    return [json.loads(line) for line in simulated("--format", "jsonl", *words).splitlines()]
