"""The wheels of the service and of the engine: each contains every package, and every file that a package needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETTINGS = PROJECT["tool"]["setuptools"]
ENGINE = tomllib.loads((ROOT / "engine" / "pyproject.toml").read_text())
FOLDERS = ("engine", "service")
OF_THE_LIBRARY = {ROOT / "engine" / name for name in ("LICENSE", "README.md", "pyproject.toml")}
"""Files that make the engine a library; the service does not use them."""


def files(folder: str) -> Iterator[Path]:
    """Yield all files in a folder that belong to the project, including those behind symbolic links."""
    for place, _, names in os.walk(ROOT / folder, followlinks=True):
        if not {"__pycache__", "build"} & set(Path(place).parts) and not place.endswith(".egg-info"):
            yield from {Path(place) / name for name in names} - OF_THE_LIBRARY


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_package_is_in_the_wheel(folder: str) -> None:
    packages = {".".join(file.parent.relative_to(ROOT).parts) for file in files(folder) if file.name == "__init__.py"}
    assert packages == {name for name in SETTINGS["packages"] if name.partition(".")[0] == folder}


def test_nothing_else_is_in_the_wheel() -> None:
    """The libraries in `clients` have separate wheels."""
    assert {name.partition(".")[0] for name in SETTINGS["packages"]} == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_that_is_not_code_is_in_the_wheel(folder: str) -> None:
    packed = {
        file
        for package, patterns in SETTINGS["package-data"].items()
        for pattern in patterns
        for file in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    assert [file for file in files(folder) if file.suffix != ".py" and file not in packed] == []


def test_the_library_of_the_engine_has_the_packages_the_files_and_the_version_of_the_service() -> None:
    settings = ENGINE["tool"]["setuptools"]
    packages = {name for name in SETTINGS["packages"] if name.partition(".")[0] == "engine"}
    assert {name.removeprefix("condottiere_") for name in settings["packages"]} == packages
    assert settings["package-dir"] == {"condottiere_engine": "."}
    assert settings["package-data"]["condottiere_engine"] == SETTINGS["package-data"]["engine"]
    assert ENGINE["build-system"] == PROJECT["build-system"]
    for name in ("version", "requires-python", "license"):
        assert ENGINE["project"][name] == PROJECT["project"][name]


GAME = """
import sys
from random import Random
from condottiere_engine import NEWEST, RandomChance, advance, replay, start
from condottiere_engine.bots import BOTS
for key, edition in NEWEST.items():
    chance = RandomChance(Random(7))
    events = start(key, edition.fewest_seats, chance)
    state = replay(events)
    while state.result is None:
        events += advance(state, BOTS["steady"].play(state, events, Random(7)), chance)
assert "engine" not in sys.modules
print(*NEWEST)
"""


def test_the_engine_plays_every_edition_under_the_name_of_its_library(tmp_path: Path) -> None:
    """No import inside the folder uses the folder's name. `clients/engine/check` builds and installs the library."""
    (tmp_path / "condottiere_engine").symlink_to(ROOT / "engine")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}){GAME}"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert len(run.stdout.split()) == len(list((ROOT / "docs" / "rules").glob("*-*.md")))
