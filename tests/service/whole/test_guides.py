"""The guides for client authors and players work as shown, all of them against one service."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ...guides import ADDRESS, ROOT, follow
from ..servers import folder_for_data
from .product import running

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return the address of a service that runs as long as these tests."""
    with folder_for_data("whole-") as folder, running(Path(folder), CONDOTTIERE_LIMITS="on") as service:
        yield service.url


GUIDES = ("api.md", "accounts.md", "orders.md", "tables.md", "talk.md", "correspondence.md", "records.md")


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_does_what_it_shows(guide: str, url: str, tmp_path: Path) -> None:
    if guide == "records.md" and shutil.which("node") is None:
        pytest.skip("there is no node to run the verifier")
    follow(ROOT / "docs" / guide, tmp_path, {ADDRESS: url, "examples/": f"{ROOT}/examples/"})
