"""The other screens at a zoom of 200% and 400%: everything on them is visible and can be tapped."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext

from ..service.whole.product import Service
from .axe import show
from .layout import covered, cut_off, too_small, too_wide
from .players import Player

pytestmark = pytest.mark.browser

ZOOMED = ((640, 512), (320, 256))
"""The size of a 1280 x 1024 window at 200% and 400%, in CSS pixels (WCAG 2.2, 1.4.4 and 1.4.10)."""


class Place(NamedTuple):
    """A screen: its address, what a test clicks, the text that then appears, and whether a player is signed in."""

    address: str
    clicks: tuple[str, ...] = ()
    shows: str = ""
    signed_in: bool = True

    def __str__(self) -> str:
        return " ".join((self.address, *self.clicks, "" if self.signed_in else "signed out")).strip()


PLACES = (
    Place("/", signed_in=False),
    Place("/"),
    Place("/signin", signed_in=False),
    Place("/lobby"),
    Place("/lobby?pace=live&seats=6", signed_in=False),
    Place("/new", ("text=More settings", "text=Options"), "House rule"),
    Place("/rules/zman-2018"),
    Place("/rules/zman-2018?with=ffg-2007"),
    Place("/player/{player}"),
    Place(
        "/settings",
        ("text=Technical settings", "text=Show token", "text=Get a code for another device"),
        "On the other device",
    ),
    Place("/settings", ("text=Delete the account",), "You leave your games"),
    Place("/game/{over}", ("text=Verify the deal",), "The cards were dealt fairly"),
    Place("/game/{over}?at=1"),
)


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with a long name."""
    return Player(service, "Bartolomeo-Al")


@pytest.fixture(scope="module")
def parts(player: Player) -> dict[str, str]:
    """Values for the variable parts of addresses: a player and a finished game."""
    over = str(player.open("zman-2018", 4, 3)["id"])
    player.ask("POST", f"/games/{over}/resign")
    while (view := player.ask("GET", f"/games/{over}"))["status"] != "finished":
        player.ask("GET", f"/games/{over}/events?after={view['version']}&wait=20")
    player.open("zman-2018-classic", 6, 0, clock={"kind": "per-move", "seconds": 3600}, options={"battle_limit": 50})
    return {"player": player.account["id"], "over": over}


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_all_of_a_screen_is_shown_at_a_large_zoom(
    new_context: Callable[..., BrowserContext], player: Player, parts: dict[str, str], place: Place
) -> None:
    context = new_context(reduced_motion="reduce")
    if place.signed_in:
        player.sign_in(context)
    page = context.new_page()
    show(page, place.address.format(**parts))
    for click in place.clicks:
        page.locator(click).last.click()
    if place.shows:
        page.get_by_text(place.shows).first.wait_for()
    found = []
    for width, height in ZOOMED:
        page.set_viewport_size({"width": width, "height": height})
        wrong = {"wide": too_wide(page), "small": too_small(page), "cut off": cut_off(page), "covered": covered(page)}
        found += [f"{width}: {what}: {found}" for what, found in wrong.items() if found]
    assert found == []
