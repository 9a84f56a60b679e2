"""The pictures of the board: each screen at two widths; all are in the guide, and some in the README."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

from .screenshots import FOLDER, SIZES, START, screens_of

ROOT = Path(__file__).parents[2]
PICTURE = re.compile(r"!\[([^]]+)\]\(((?:docs/)?board/[\w-]+\.webp)\)")


def shown(document: str) -> list[str]:
    """Return the names of the pictures of the board that a document shows, each with a text alternative."""
    found = PICTURE.findall((ROOT / document).read_text(encoding="utf-8"))
    assert all(len(words) > 20 for words, _ in found)
    return [Path(path).name for _, path in found]


def test_there_is_a_picture_of_every_screen_at_both_widths() -> None:
    names = [START, *screens_of("some", "other")]
    assert len(names) == 8
    files = {f"{name}-{size}.webp" for name, size in product(names, SIZES)}
    assert {file.name for file in FOLDER.iterdir()} == files
    for file in files:
        assert (FOLDER / file).read_bytes()[8:12] == b"WEBP"


def test_the_guide_shows_every_picture_and_the_readme_some() -> None:
    assert sorted(shown("docs/board.md")) == sorted(file.name for file in FOLDER.iterdir())
    assert set(shown("README.md")) <= {file.name for file in FOLDER.iterdir()}
    assert len(shown("README.md")) >= 3
