"""`constraints.txt` pins one version of everything that `pyproject.toml` requires."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LINES = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
PINNED = [Requirement(line.partition(" #")[0]) for line in LINES]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ASKED_FOR = [*PROJECT["dependencies"], *(one for extra in PROJECT["optional-dependencies"].values() for one in extra)]


@pytest.mark.parametrize("asked", ASKED_FOR)
def test_what_is_asked_for_is_pinned_within_its_range(asked: str) -> None:
    """`make constraints` writes the file again."""
    requirement = Requirement(asked)
    pinned = [one for one in PINNED if canonicalize_name(one.name) == canonicalize_name(requirement.name)]
    assert pinned, f"{requirement.name} is missing from constraints.txt: run `make constraints`"
    for one in pinned:
        (version,) = one.specifier
        assert version.version in requirement.specifier, f"{one} is not {asked}: run `make constraints`"


@pytest.mark.parametrize("pinned", PINNED, ids=str)
def test_every_line_pins_one_version_from_any_index(pinned: Requirement) -> None:
    """A line contains no address, path or range."""
    assert pinned.url is None
    assert [specifier.operator for specifier in pinned.specifier] == ["=="]
