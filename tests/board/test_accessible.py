"""Every screen is accessible: axe finds no violations, and nothing is too small or too wide."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .axe import COLOURS, EVERYTHING, show, violations
from .conftest import DESKTOP, PHONE, TABLET
from .layout import too_small, too_wide
from .players import Player
from .scenes import REGION_FIRST, SEED, is_finished, play_until, with_regions

pytestmark = pytest.mark.browser

GAMES = ("/game/on", "/game/hint", "/game/over")
SCREENS = ("/", "/lobby", "/new", "/settings", "/signin", "/rules/zman-2018", "/player/me", *GAMES)
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}
THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": EVERYTHING, "dark": COLOURS}
"""The rules that axe checks in each theme."""
NARROW = (320, 640)
"""The window size of a 1280-pixel desktop at 400 % zoom (WCAG 2.2, 1.4.10)."""


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with three games: one in a battle, one with hints, and one that is over."""
    return Player(service)


@pytest.fixture(scope="module")
def addresses(player: Player) -> dict[str, str]:
    """The address of each screen."""
    on = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, on, with_regions)
    hint = player.open("zman-2018", 3, 2, seed=REGION_FIRST, hints="allowed")["id"]
    over = player.open("zman-2018-duel", 2, 1, options={"battle_limit": 9})["id"]
    play_until(player, over, is_finished)
    mine = f"/player/{player.account['id']}"
    cancelled = player.open("zman-2018", 3, 1)["id"]
    player.ask("POST", f"/games/{cancelled}/leave", {})
    games = {"on": on, "hint": hint, "over": over, "cancelled": cancelled, "open": player.open("zman-2018", 3, 1)["id"]}
    special = {"/player/me": mine} | {f"/game/{state}": f"/game/{game}" for state, game in games.items()}
    return {screen: special.get(screen, screen) for screen in (*SCREENS, *special)}


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_too_small(
    new_context: Callable[..., BrowserContext], player: Player, addresses: dict[str, str], screen: str
) -> None:
    """Each screen is loaded once, and then shown in each size and theme.

    Motion is off, because colours that are changing have no definite contrast.
    """
    context = new_context(reduced_motion="reduce")
    if screen != "/signin":
        player.sign_in(context)
    page = context.new_page()
    show(page, addresses[screen])
    if screen == "/game/hint":
        page.get_by_role("button", name="Ask for a hint").click()
        page.get_by_role("button", name="Select this move").wait_for()
    found = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            found += [f"{size}, {theme}: {violation}" for violation in violations(page, rules)]
    assert found == []
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert too_wide(page) == 0
    assert too_small(page) == []


OPENED: dict[str, tuple[str, Callable[[Page], None]]] = {
    "replay": ("/game/over?at=9", lambda page: page.get_by_role("slider").wait_for()),
    "before the start": ("/game/open", lambda page: page.get_by_label("Link to this game").wait_for()),
    "cancelled": ("/game/cancelled", lambda page: page.get_by_text("cancelled the game").first.wait_for()),
    "two editions": (
        "/rules/zman-2018?with=zman-2018-duel",
        lambda page: page.get_by_role("heading", name="differences").wait_for(),
    ),
    "pass": ("/game/on", lambda page: page.get_by_role("button", name="Pass", exact=True).click()),
    "keys": ("/game/on", lambda page: page.keyboard.press("?")),
    "resign": ("/game/on", lambda page: resigning(page)),
    "all of a game": ("/game/on", lambda page: unfold(page, "Standing orders", "Clock, options and more", "Discard")),
    "verification": ("/game/over", lambda page: verify(page)),
    "options": ("/new", lambda page: unfold(page, "Options")),
    "sign out": ("/settings", lambda page: ask_in_settings(page, "Sign out")),
    "delete the account": ("/settings", lambda page: ask_in_settings(page, "Delete the account")),
}
"""The address of a screen, and a function that opens a part of it or waits for that part."""
DIALOGS = ("pass", "keys", "resign", "sign out", "delete the account")


def ask_in_settings(page: Page, name: str) -> None:
    """Press a button of the settings after all settings have loaded, so that nothing moves afterwards."""
    expect(page.get_by_text("You have not blocked anybody.")).to_be_visible()
    expect(page.get_by_text("You have no active orders.")).to_be_visible()
    page.get_by_role("button", name=name).click()


def verify(page: Page) -> None:
    """Run the verification of the deal until it is complete."""
    page.get_by_role("button", name="Verify the deal").click()
    page.get_by_role("main").get_by_text("The deal is correct.").wait_for()


def resigning(page: Page) -> None:
    """Press the button to resign."""
    page.get_by_text("Clock, options and more").click()
    page.get_by_role("button", name="Resign").click()


def unfold(page: Page, *headings: str) -> None:
    """Open everything that is folded, and the explanations of all strengths, once all these headings are present."""
    for heading in headings:
        page.locator("summary").filter(has_text=heading).wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    for strength in page.get_by_role("button", name=re.compile("^Strength of ")).all():
        strength.click()
    expect(page.locator("main details:not([open])")).to_have_count(0)


@pytest.mark.parametrize("part", OPENED)
def test_axe_finds_nothing_in_what_is_opened_on_a_screen(
    new_context: Callable[..., BrowserContext], player: Player, addresses: dict[str, str], part: str
) -> None:
    """The screen is shown on a phone, which has the least room, in each theme."""
    screen, opens = OPENED[part]
    path, _, query = screen.partition("?")
    context = new_context(PHONE, reduced_motion="reduce")
    player.sign_in(context)
    page = context.new_page()
    show(page, addresses.get(path, path) + (query and f"?{query}"))
    opens(page)
    expect(page.get_by_role("dialog")).to_have_count(1 if part in DIALOGS else 0)
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        assert violations(page, rules) == [], theme
    assert too_wide(page) == 0
    assert too_small(page) == []


def test_axe_finds_nothing_on_the_start_page_without_an_account(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(PHONE).new_page()
    show(page, "/")
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        assert violations(page, rules) == []
