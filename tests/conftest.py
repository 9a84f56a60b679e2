"""Configuration of all tests: the option `--seconds` for short runs, no limits for clients, and git repositories."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import cast

import pytest
from hypothesis import is_hypothesis_test

from engine.bots import BOTS, REVISIONS, Bot
from service.config import Config

from .board import browsers
from .repository import Repository

collect_ignore = ["hostile"]
"""`make hostile` runs these tests, which need an additional tool."""
BEGUN = pytest.StashKey[float]()
"""The time at which the first test of this process began."""
SMALL_BUDGET = 4
"""The number of iterations for bots that search, in tests that are not about their strength."""
TIME_IS_UP = "the time of this run is up"
ROOT = Path(__file__).resolve().parents[1]
DIRECTED = (ROOT / "engine", ROOT / "tests" / "engine")
"""The folders with the engine's directed tests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--seconds`."""
    explained = "skip the tests that have not begun N seconds after the first"
    parser.getgroup("condottiere").addoption("--seconds", type=float, default=float("inf"), metavar="N", help=explained)


def pytest_configure() -> None:
    """Disable the limits in this process and in those that tests start.

    Tests register more players and open more games than a person does. Tests of limits and caps turn the limits on
    again. In this process, bots that search also get a small budget.
    """
    _shrink_budgets()
    os.environ["CONDOTTIERE_LIMITS"] = "off"
    os.environ[browsers.WHILE_TESTING] = os.environ.pop(browsers.NAMED, os.environ.get(browsers.WHILE_TESTING, ""))
    Config.__init__.__kwdefaults__["limits"] = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the engine's directed tests, which neither play whole games nor generate their cases."""
    for item in items:
        is_of_engine = any(item.path.is_relative_to(folder) for folder in DIRECTED)
        is_generated = is_hypothesis_test(getattr(item, "obj", None))
        if is_of_engine and not is_generated and item.get_closest_marker("whole_games") is None:
            item.add_marker("directed")


def _shrink_budgets() -> None:
    """Give bots that search a small budget in tests in which any bot may play; a bot's own tests set its budget."""
    for bots in (BOTS, REVISIONS):
        for name, bot in bots.items():
            cast("dict[object, Bot]", bots)[name] = bot._replace(iterations=min(bot.iterations, SMALL_BUDGET))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the test if the run has no time left for it."""
    begun = item.session.stash.setdefault(BEGUN, time.monotonic())
    if time.monotonic() - begun >= item.config.getoption("seconds"):
        pytest.skip(TIME_IS_UP)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Count the tests that were skipped for lack of time, but do not print a line for each."""
    return ("skipped", "", "SKIPPED") if report.skipped and TIME_IS_UP in str(report.longrepr) else None


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A git repository without a commit, which ignores all users' git settings."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return Repository(tmp_path / "repository")
