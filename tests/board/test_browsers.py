"""Which browser the tests choose, and what they do on a machine without one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import browsers
from .browsers import ADVICE, NAMED, NAMES, PATHS, REQUIRED, SHELL, WHILE_TESTING, found_browser, is_required

ANY = "tests/board/test_frame.py::test_every_screen_is_drawn"
"""Tests that need a browser."""


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any browser; the value is the folder that it searches for programs."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for variable in (NAMED, WHILE_TESTING):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setattr(browsers, "PATHS", (str(tmp_path / "usual" / "chrome"),))
    return folder


def install(path: Path) -> str:
    """Create a program, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return str(path)


def test_there_may_be_none() -> None:
    assert found_browser() is None
    assert not is_required()


@pytest.mark.parametrize("name", NAMES)
def test_one_with_a_usual_name_is_found(programs: Path, name: str) -> None:
    expected = install(programs / name)
    assert found_browser() == expected


def test_each_place_is_preferred_to_the_next_one(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is: the variable, the usual names, the usual paths, and Playwright's downloads, newest first."""
    places = [tmp_path / "playwright" / f"chromium-{number}" / "chrome-linux" / "chrome" for number in (1100, 1200)]
    places += [tmp_path / "usual" / "chrome", *(programs / name for name in reversed(NAMES))]
    for place in places:
        expected = install(place)
        install(place.with_name("chrome_sandbox"))
        assert found_browser() == expected
    monkeypatch.setenv(NAMED, "/opt/browser")
    assert found_browser() == "/opt/browser"
    assert not is_required()
    monkeypatch.setenv(NAMED, REQUIRED)
    assert found_browser() == expected
    assert is_required()


def test_one_that_shows_notifications_has_windows(programs: Path) -> None:
    shell = install(programs / SHELL)
    assert found_browser() == shell
    assert found_browser(with_notifications=True) is None
    expected = install(programs / "chromium")
    assert found_browser() == shell
    assert found_browser(with_notifications=True) == expected


@pytest.mark.browser
@pytest.mark.skipif(any(Path(path).exists() for path in PATHS), reason="a browser is at a path that cannot be hidden")
@pytest.mark.parametrize(("required", "fails"), [("", False), (REQUIRED, True)])
def test_a_run_without_a_browser_skips_loudly_or_fails(required: str, fails: bool) -> None:
    """Either message explains how to get a browser."""
    env = {**os.environ, NAMED: required, WHILE_TESTING: required}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-rsE", ANY]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert run.returncode == (1 if fails else 0), run.stdout
    assert ADVICE in " ".join(run.stdout.split())
    assert ("error" if fails else "skipped") in run.stdout.splitlines()[-1]
    assert "passed" not in run.stdout.splitlines()[-1]
