"""What the board stores on a device, and that the token is sent only in a header of API requests."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.sync_api import Page, Request, expect

from ..service.whole.product import Service
from .clicking import Clicker
from .holding import SIGN_IN
from .players import Player

pytestmark = pytest.mark.browser

KEPT = """async () => ({
    local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie,
    databases: (await indexedDB.databases()).length, caches: await caches.keys(),
})"""
"""Returns everything that a page can store."""
GUIDE = {"condottiere.account", "condottiere.recovery", "condottiere.visit", "condottiere.look"}
"""What the guide says is stored: the account, a new recovery code, the time of the last visit, and the settings."""
FULL = """const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (...item) {
    if (!window.roomy) throw new DOMException("full", "QuotaExceededError");
    setItem.apply(this, item);
};"""
BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}
navigator.locks.request = async () => { throw new DOMException("denied", "SecurityError"); };"""
WARNING = "When you close or reload this page, you will have to sign in again."
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


@pytest.mark.parametrize("script", [FULL, BLOCKED], ids=["full", "blocked"])
def test_without_storage_a_page_keeps_everything_until_it_is_closed(page: Page, script: str) -> None:
    """The player registers, plays, chooses a setting, replaces the token, and signs out."""
    page.add_init_script(script)
    page.goto("/")
    name = f"New-{secrets.token_hex(3)}"
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/game/[0-9a-z]+$"))
    Clicker(page, eagerness=1).awaited()
    banner, main = page.get_by_role("banner"), page.get_by_role("main")
    banner.get_by_role("link", name="Your games").click()
    expect(main.get_by_role("link", name=re.compile("Condottiere"))).to_be_visible()
    expect(main).to_contain_text(WARNING)
    recovery = page.get_by_role("region", name="Keep your recovery code")
    expect(recovery).to_be_visible()
    recovery.get_by_role("button", name="I have saved it").click()
    expect(recovery).to_have_count(0)
    banner.get_by_role("link", name=name).click()
    expect(page.get_by_role("region", name="Account", exact=True)).to_contain_text(WARNING)
    page.get_by_label("Dark").check()
    page.wait_for_function("() => document.documentElement.dataset.colours === 'dark'")
    page.get_by_text("Technical settings").click()
    page.get_by_role("button", name="Replace token").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace token").click()
    expect(main).to_contain_text("The token is replaced.")
    expect(page.get_by_label("Dark")).to_be_checked()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(banner.get_by_role("link", name="Sign in")).to_be_visible()
    page.reload()
    expect(banner.get_by_role("link", name="Sign in")).to_be_visible()


def test_what_a_page_keeps_for_want_of_storage_is_not_shown_to_the_next_player(page: Page, service: Service) -> None:
    """The next player signs in in another tab, once there is room."""
    page.add_init_script(FULL)
    page.goto("/signin")
    page.get_by_label("Your name").first.fill(f"New-{secrets.token_hex(3)}")
    page.get_by_role("button", name="Create an account").click()
    recovery = page.get_by_role("region", name="Keep your recovery code")
    expect(recovery).to_be_visible()
    other = Player(service)
    page.evaluate("window.roomy = true")
    page.evaluate(SIGN_IN, other.account)
    expect(page.get_by_role("banner").get_by_role("link", name=other.name)).to_be_visible()
    expect(page.get_by_role("heading", name="Play against bots")).to_be_visible()
    expect(recovery).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text(WARNING)
