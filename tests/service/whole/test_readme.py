"""The README's sessions work as shown."""

from __future__ import annotations

import doctest
from pathlib import Path

from ...guides import ADDRESS, ROOT, follow
from .product import running

README = ROOT / "README.md"


def test_the_session_with_curl(folder: Path) -> None:
    """The service has the default limits of a host."""
    with running(folder, CONDOTTIERE_LIMITS="on") as service:
        follow(README, folder, {ADDRESS: service.url})


def test_the_session_with_the_engine() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 5) == (0, True)
