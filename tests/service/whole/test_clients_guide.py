"""The guide for client authors works as shown, section by section."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ...guides import ADDRESS, ROOT, follow
from ..servers import free_port
from .product import running

GUIDE = ROOT / "docs" / "clients.md"
PACKAGE = ROOT / "clients" / "python"


@pytest.mark.slow
def test_the_sessions(folder: Path) -> None:
    """All sessions use the same service. `clients/python/check` tests the installation of the package."""
    port = free_port()
    python_path = os.pathsep.join([str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])])
    with running(folder, WEB_WORKERS="1", WEBHOOK_NETWORKS="127.0.0.0/8") as service:
        replaced = {ADDRESS: service.url, "127.0.0.1:9000": f"127.0.0.1:{port}", "--port 9000": f"--port {port}"}
        replaced |= {"clients/python/": f"{PACKAGE}/"}
        for section in ("Python", "Plain HTTP"):
            place = folder / section
            place.mkdir()
            follow(GUIDE, place, replaced, section, PYTHONPATH=python_path)


def test_the_bot_that_is_shown_is_the_example() -> None:
    bot = (PACKAGE / "examples" / "bot.py").read_text()
    for guide in (GUIDE, PACKAGE / "README.md"):
        assert f"```python\n{bot}```" in guide.read_text(), guide
    assert len([line for line in bot.splitlines() if line]) == 8
