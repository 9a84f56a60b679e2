"""What was released is fixed: the changelog, and the recorded games of the editions' revisions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.games.__main__ import main as record
from tests.games.files import FOLDER, REVISIONS
from tests.positions.__main__ import main as pick
from tests.releases import RELEASES, unreleased

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
FIXED = [f"{key}@{revision}" for release in RELEASES for key, revision in release.revisions.items()]


def test_every_release_has_its_place_in_the_changelog() -> None:
    """Releases are listed newest first. `Unreleased` comes before them, and so may the next release.

    A release's commit cannot contain its own hash, so the next commit does.
    """
    headings = re.findall(r"^## (\S+)", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    released = [release.version for release in reversed(RELEASES)]
    version = tomllib.loads((CHANGELOG.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert headings == ["Unreleased", *([] if version == released[0] else [version]), *released]


def test_every_revision_that_was_released_is_still_there() -> None:
    """Games that began under them can therefore continue."""
    assert set(FIXED) <= REVISIONS.keys()


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("command", [record, pick])
def test_what_was_recorded_of_a_released_revision_is_not_recorded_again(
    command: Callable[[Sequence[str]], object], name: str
) -> None:
    """The command refuses, says what to do instead, and writes nothing."""
    before = {path: path.stat().st_mtime_ns for path in FOLDER.parent.rglob(f"*{name}*")}
    assert before
    with pytest.raises(SystemExit, match=f"{name}: released, so not recorded again"):
        command([name])
    assert {path: path.stat().st_mtime_ns for path in FOLDER.parent.rglob(f"*{name}*")} == before


def test_without_a_name_only_what_was_not_released_is_recorded() -> None:
    """A revision that does not exist is reported."""
    assert set(unreleased([])) == REVISIONS.keys() - set(FIXED)
    with pytest.raises(SystemExit, match="there is no revision zman-2018@99"):
        unreleased(["zman-2018@99"])
