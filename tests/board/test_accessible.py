"""Every screen is accessible: axe finds nothing, and nothing is too small or too wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext

from ..service.whole.product import Service
from .axe import COLOURS, EVERYTHING, show, violations
from .conftest import DESKTOP, PHONE, TABLET
from .players import Player
from .scenes import SEED, is_finished, play_until, with_regions

pytestmark = pytest.mark.browser

SCREENS = ("/", "/lobby", "/new", "/settings", "/signin", "/rules/zman-2018", "/player/me", "/game/on", "/game/over")
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}
THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": EVERYTHING, "dark": COLOURS}
"""What axe looks for in each theme."""
NARROW = (320, 640)
"""A desktop of 1280 pixels at 400 % has as much room (WCAG 2.2, 1.4.10)."""
SMALLEST = 44
"""CSS pixels that a target has at least, in width and height, unless it is part of a sentence."""
TOO_SMALL = """smallest => [...document.querySelectorAll("button, a[href], input, select, summary, [role=button]")]
    .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        const inText = target.tagName === "A" && getComputedStyle(target).display === "inline";
        const box = target.labels?.[0]?.getBoundingClientRect();
        const high = Math.max(height, box?.height ?? 0), wide = Math.max(width, box?.width ?? 0);
        return width && !inText && !target.closest(".skip") && (wide < smallest || high < smallest);
    })
    .map((target) => target.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with a game in a battle, and one that is over."""
    return Player(service)


@pytest.fixture(scope="module")
def addresses(player: Player) -> dict[str, str]:
    """The address of each screen."""
    on = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, on, with_regions)
    over = player.open("zman-2018-duel", 2, 1, options={"battle_limit": 9})["id"]
    play_until(player, over, is_finished)
    mine = f"/player/{player.account['id']}"
    special = {"/game/on": f"/game/{on}", "/game/over": f"/game/{over}", "/player/me": mine}
    return {screen: special.get(screen, screen) for screen in SCREENS}


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_too_small(
    new_context: Callable[..., BrowserContext], player: Player, addresses: dict[str, str], screen: str
) -> None:
    """Every screen is loaded once, and then shown in each size and theme.

    Without motion, as colours that are changing have no certain contrast.
    """
    context = new_context(reduced_motion="reduce")
    if screen != "/signin":
        player.sign_in(context)
    page = context.new_page()
    show(page, addresses[screen])
    found = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            found += [f"{size}, {theme}: {violation}" for violation in violations(page, rules)]
    assert found == []
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    assert page.evaluate(TOO_SMALL, SMALLEST) == []


def test_axe_finds_nothing_on_the_start_page_without_an_account(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(PHONE).new_page()
    show(page, "/")
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        assert violations(page, rules) == []
