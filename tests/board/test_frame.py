"""The frame of the board's pages, and how its files are served."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import Page, expect

from ..service.whole.product import Service

pytestmark = pytest.mark.browser

SCREENS = ("/", "/lobby", "/new", "/settings", "/signin")


def test_every_file_has_an_address_of_this_release_and_is_kept_forever(service: Service) -> None:
    frame = requests.get(f"{service.url}/", timeout=30)
    assert frame.headers["Cache-Control"] == "public, no-cache"
    assert "trusted-types lit-html" in frame.headers["Content-Security-Policy"]
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', frame.text)
    assert len(files) > 5
    for path in files:
        answer = requests.get(service.url + path, timeout=30)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
        assert requests.get(service.url + re.sub("/static/[^/]+/", "/static/0/", path), timeout=30).status_code == 404


@pytest.mark.parametrize("path", SCREENS)
def test_every_screen_is_drawn(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Lobby")).to_be_visible()


def test_an_address_that_leads_nowhere_says_so(page: Page) -> None:
    """A service answers its own page for an unknown address."""
    answer = page.goto("/nowhere")
    assert answer is not None
    assert answer.status == 404
