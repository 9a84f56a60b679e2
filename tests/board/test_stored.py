"""What the board stores on a device, and that the token is sent only in a header of API requests."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.sync_api import Page, Request, expect

from .clicking import Clicker

pytestmark = pytest.mark.browser

KEPT = """async () => ({
    local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie,
    databases: (await indexedDB.databases()).length, caches: await caches.keys(),
})"""
"""Returns everything that a page can store."""
GUIDE = {"condottiere.account", "condottiere.recovery", "condottiere.visit", "condottiere.look"}
"""What the guide says is stored: the account, a new recovery code, the time of the last visit, and the settings."""
SCREENS = ("/", "/lobby", "/new", "/rules/zman-2018", "/settings")


def test_a_device_keeps_what_the_guide_says_and_addresses_hold_no_token(page: Page) -> None:
    """The test registers, plays a game, visits all screens, and signs out."""
    sent: list[Request] = []

    def note(request: Request) -> None:
        sent.append(request)

    page.on("request", note)
    page.goto("/")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/game/[0-9a-z]+$"))
    clicker = Clicker(page, eagerness=1)
    clicker.make_a_move(clicker.awaited())
    game = page.url
    token = page.evaluate("JSON.parse(localStorage.getItem('condottiere.account')).token")
    for path in SCREENS:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_label("Light").check()
    page.goto(game)
    clicker.awaited()
    kept = page.evaluate(KEPT)
    assert {re.sub(r"(?<=visit)\..*", "", key) for key in kept["local"]} == GUIDE
    assert not re.search("mercenary|courtesan|winter|spring|scarecrow|bishop", str(kept["local"]))
    assert (kept["session"], kept["cookie"], kept["databases"], kept["caches"]) == ({}, "", 0, [])
    assert page.context.cookies() == []
    assert len(sent) > 50
    for request in sent:
        headers = request.headers
        assert token not in request.url
        assert token not in str({**headers, "authorization": ""})
        assert "/v1/" in request.url or "authorization" not in headers, request.url
        assert "cookie" not in headers
        assert not headers.get("referer"), request.url
    assert [request for request in sent if request.headers.get("authorization") == f"Bearer {token}"]
    page.goto("/settings")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()
    assert token not in str(page.evaluate(KEPT))
