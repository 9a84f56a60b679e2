"""The wheel: it holds every package, and every file that a package reads."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
FOLDERS = ("engine", "service")


def files(folder: str) -> Iterator[Path]:
    """Yield every file of a folder that belongs to the project, also behind symbolic links."""
    for place, _, names in os.walk(ROOT / folder, followlinks=True):
        if Path(place).name != "__pycache__":
            yield from (Path(place) / name for name in names)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_package_is_in_the_wheel(folder: str) -> None:
    packages = {".".join(file.parent.relative_to(ROOT).parts) for file in files(folder) if file.name == "__init__.py"}
    assert packages == {name for name in SETTINGS["packages"] if name.partition(".")[0] == folder}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_that_is_not_code_is_in_the_wheel(folder: str) -> None:
    packed = {
        file
        for package, patterns in SETTINGS["package-data"].items()
        for pattern in patterns
        for file in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    assert [file for file in files(folder) if file.suffix != ".py" and file not in packed] == []
