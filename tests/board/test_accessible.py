"""Every screen is accessible: axe finds no violations, and nothing is too small or too wide."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .axe import COLOURS, EVERYTHING, show, violations
from .conftest import DESKTOP, PHONE, TABLET
from .layout import too_small, too_wide
from .players import Player
from .scenes import REGION_FIRST, SEED, is_finished, play_until, with_regions

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP}
THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": EVERYTHING, "dark": COLOURS}
"""The rules that axe checks in each theme."""
NARROW = (320, 640)
"""The window size of a 1280-pixel desktop at 400% zoom (WCAG 2.2, 1.4.10)."""


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with three games: one in a battle, one with hints, and one that is over."""
    return Player(service)


@pytest.fixture(scope="module")
def parts(player: Player) -> dict[str, str]:
    """Values for the variable parts of addresses: the player, and games in several states."""
    on = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, on, with_regions)
    hint = player.open("zman-2018", 3, 2, seed=REGION_FIRST, hints="allowed")["id"]
    over = player.open("zman-2018-duel", 2, 1, options={"battle_limit": 9})["id"]
    play_until(player, over, is_finished)
    cancelled, waiting = (player.open("zman-2018", 3, 1)["id"] for _ in range(2))
    player.ask("POST", f"/games/{cancelled}/leave", {})
    games = {"on": on, "hint": hint, "over": over, "cancelled": cancelled, "waiting": waiting}
    return games | {"player": player.account["id"]}


def turn_to_the_map(page: Page) -> None:
    """Show the map on a phone."""
    page.get_by_role("button", name="Map", exact=True).click()
    page.get_by_role("group", name="Map", exact=True).wait_for()


def ask_for_a_hint(page: Page) -> None:
    """Ask for a hint, and wait until it is there."""
    page.get_by_role("button", name="Ask for a hint").click()
    page.get_by_role("button", name="Select this move").wait_for()


def ask_in_settings(page: Page, name: str) -> None:
    """Press a button of the settings after all settings have loaded, so that nothing moves afterwards."""
    expect(page.get_by_text("You have not blocked anybody.")).to_be_visible()
    expect(page.get_by_text("You have no active orders.")).to_be_visible()
    page.get_by_role("button", name=name).click()


def all_settings(page: Page) -> None:
    """Show the technical settings as well."""
    page.get_by_text("You have not blocked anybody.").wait_for()
    unfold(page, "Technical settings")


def verify(page: Page) -> None:
    """Run the verification of the deal until it is complete."""
    page.get_by_role("button", name="Verify the deal").click()
    page.get_by_role("main").get_by_text("The cards were dealt fairly").wait_for()
    unfold(page, "How your browser checks it")


def resign(page: Page) -> None:
    """Press the button to resign."""
    page.get_by_text("Options and more").click()
    page.get_by_role("button", name="Resign").click()


def unfold(page: Page, *headings: str) -> None:
    """Open everything that is folded, and the explanations of all strengths, once all these headings are present."""
    for heading in headings:
        page.locator("summary").filter(has_text=heading).wait_for(state="attached")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    for strength in page.get_by_role("button", name=re.compile("^Strength of ")).all():
        strength.click()
    expect(page.locator("main details:not([open])")).to_have_count(0)


class State(NamedTuple):
    """What a screen shows: its address, and a function that opens a part of it or waits for that part."""

    address: str
    opens: Callable[[Page], None] = lambda _: None
    dialog: bool = False
    signed_in: bool = True


STATES = {
    "start page": State("/"),
    "start page, signed out": State("/", signed_in=False),
    "lobby": State("/lobby"),
    "lobby, signed out": State("/lobby", signed_in=False),
    "new game": State("/new", lambda page: unfold(page, "Options")),
    "new game, signed out": State("/new", signed_in=False),
    "settings": State("/settings", all_settings),
    "settings, signed out": State("/settings", signed_in=False),
    "sign out": State("/settings", lambda page: ask_in_settings(page, "Sign out"), dialog=True),
    "delete the account": State("/settings", lambda page: ask_in_settings(page, "Delete the account"), dialog=True),
    "signing in": State("/signin", signed_in=False),
    "rules": State("/rules/zman-2018"),
    "two editions": State(
        "/rules/zman-2018?with=zman-2018-duel",
        lambda page: page.get_by_role("heading", name="differences").wait_for(),
    ),
    "player": State("/player/{player}"),
    "game, map": State("/game/{on}", turn_to_the_map),
    "game, watched": State("/game/{on}", lambda page: page.get_by_role("log").wait_for(), signed_in=False),
    "game, all of it": State("/game/{on}", lambda page: unfold(page, "Standing orders", "Options and more", "Discard")),
    "pass": State("/game/{on}", lambda page: page.get_by_role("button", name="Pass", exact=True).click(), dialog=True),
    "keys": State("/game/{on}", lambda page: page.keyboard.press("?"), dialog=True),
    "resign": State("/game/{on}", resign, dialog=True),
    "hint": State("/game/{hint}", ask_for_a_hint),
    "before the start": State("/game/{waiting}", lambda page: page.get_by_label("Link to this game").wait_for()),
    "cancelled": State("/game/{cancelled}", lambda page: page.get_by_text("cancelled the game").first.wait_for()),
    "end": State("/game/{over}", lambda page: page.get_by_role("button", name="Verify the deal").wait_for()),
    "verification": State("/game/{over}", verify),
    "replay": State("/game/{over}?at=9", lambda page: page.get_by_role("slider").wait_for()),
}


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing_and_nothing_is_too_wide_or_too_small(
    new_context: Callable[..., BrowserContext], player: Player, parts: dict[str, str], name: str
) -> None:
    """Each screen is loaded once, on a phone, and then shown in each size and theme.

    Motion is off, because colours that are changing have no definite contrast.
    """
    state = STATES[name]
    context = new_context(PHONE, reduced_motion="reduce")
    if state.signed_in:
        player.sign_in(context)
    page = context.new_page()
    show(page, state.address.format(**parts))
    state.opens(page)
    expect(page.get_by_role("dialog")).to_have_count(int(state.dialog))
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
