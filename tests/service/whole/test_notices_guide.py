"""The guide to notices works as shown, with a mail server on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...guides import ADDRESS, ROOT, blocks, follow
from ..servers import free_port
from .product import running

GUIDE = ROOT / "docs" / "notices.md"


@pytest.mark.slow
def test_the_session(folder: Path) -> None:
    """The service has the settings that the guide shows, on free ports."""
    (start,) = (block.text for block in blocks(GUIDE) if block.language == "sh")
    *settings, make, serve = start.split()
    assert (make, serve) == ("make", "serve")
    web, mail, chat = (str(free_port()) for _ in range(3))
    given = dict(setting.split("=") for setting in settings)
    given |= {"SMTP_PORT": mail, "PUBLIC_URL": f"http://127.0.0.1:{web}", "PORT": web, "WEB_WORKERS": "1"}
    with running(folder, **given) as service:
        assert service.url == given["PUBLIC_URL"]
        follow(GUIDE, folder, {ADDRESS: service.url, "9025": mail, "9026": chat})
