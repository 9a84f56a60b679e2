"""The demo command that `serve` prints: it must work in another terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.processes.local_url import demo_command

from ..programs import write_program

USUAL = "http://127.0.0.1:8000"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command of an installation in `project/.venv`, which is running and is not on the PATH."""
    path = write_program(tmp_path / "project" / ".venv" / "bin" / "condottiere", "true")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(sys, "argv", [".venv/bin/condottiere", "serve"])
    monkeypatch.setattr(sys, "executable", str(path.with_name("python")))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    return path


@pytest.mark.usefixtures("script")
def test_the_address_is_named_where_it_is_not_the_usual_one() -> None:
    """The other terminal has a different environment."""
    assert demo_command(USUAL) == ".venv/bin/condottiere demo"
    assert demo_command("http://127.0.0.1:8123") == ".venv/bin/condottiere demo --url http://127.0.0.1:8123"


def test_python_names_the_script_beside_it(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make serve` runs `python -m service`. If there is no script, the printed command does so too."""
    monkeypatch.setattr(sys, "argv", ["/elsewhere/service/__main__.py", "serve"])
    assert demo_command(USUAL) == ".venv/bin/condottiere demo"
    script.unlink()
    assert demo_command(USUAL) == f"{script.with_name('python')} -m service demo"


def test_a_script_in_another_folder_is_named_in_full(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is quoted if a shell needs it."""
    spaced = script.rename(write_program(script.parents[3] / "a b" / "condottiere", ""))
    monkeypatch.setattr(sys, "argv", [str(spaced), "serve"])
    assert demo_command(USUAL) == f"'{spaced}' demo"


def test_a_script_on_the_path_goes_by_its_name(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception is a script that is on the path only because a virtual environment is active."""
    monkeypatch.setattr(sys, "argv", [str(script), "serve"])
    monkeypatch.setenv("PATH", str(script.parent))
    assert demo_command(USUAL) == "condottiere demo"
    monkeypatch.setenv("VIRTUAL_ENV", str(script.parents[1]))
    assert demo_command(USUAL) == ".venv/bin/condottiere demo"
