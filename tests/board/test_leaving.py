"""Requests that are answered after the player has opened another screen: the player stays where they are."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .holding import SIGN_IN, Held
from .players import Player

pytestmark = pytest.mark.browser

OPENS_A_GAME = re.compile(r"/v1/games(/[0-9a-z]+/rematch)?$")


def press(page: Page, button: str) -> None:
    """Press a button that opens a game, and return once the request is on its way."""
    with page.expect_request(lambda request: request.method == "POST" and bool(OPENS_A_GAME.search(request.url))):
        page.get_by_role("button", name=button, exact=True).click()


def leave(page: Page) -> None:
    """Open the lobby."""
    page.get_by_role("banner").get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="Lobby", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("address", "button"),
    [
        ("/", "Play"),
        ("/new", "Start the game"),
        ("/game/{}", "New game with these settings"),
        ("/game/{}", "Ask for a rematch"),
    ],
)
def test_a_game_that_is_opened_late(
    new_context: Callable[..., BrowserContext], service: Service, address: str, button: str
) -> None:
    player, other = Player(service), Player(service, "Lodovico")
    game = player.open("zman-2018-duel", 2, 0)["id"]
    other.ask("POST", f"/games/{game}/join", {})
    other.ask("POST", f"/games/{game}/resign")
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    held = Held(page, OPENS_A_GAME, "POST")
    page.goto(address.format(game))
    press(page, button)
    leave(page)
    held.let_go()
    assert page.url.endswith("/lobby")


def newcomer(page: Page) -> Held:
    """Register on the start page, and hold back the request that opens the first game."""
    held = Held(page, OPENS_A_GAME, "POST")
    page.goto("/")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    press(page, "Play")
    return held


def test_the_first_game_of_a_newcomer_that_is_opened_late(page: Page) -> None:
    held = newcomer(page)
    leave(page)
    held.let_go()
    assert page.url.endswith("/lobby")
    page.get_by_role("banner").get_by_role("link", name="Your games").click()
    expect(page.locator("[data-kind=turns] li, [data-kind=running] li")).to_have_count(1)


def test_the_first_game_of_a_newcomer_after_whom_another_player_has_signed_in(page: Page, service: Service) -> None:
    held = newcomer(page)
    other = Player(service)
    page.evaluate(SIGN_IN, other.account)
    expect(page.get_by_role("banner").get_by_role("link", name=other.name)).to_be_visible()
    held.let_go()
    expect(page.get_by_role("heading", name="Play against bots")).to_be_visible()
    assert page.evaluate("location.pathname") == "/"


def test_cards_that_are_shown_late(new_context: Callable[..., BrowserContext], service: Service) -> None:
    """Which cards a player has shown is not said on other screens."""
    player, other = Player(service), Player(service, "Lodovico")
    game = player.open("ffg-2007", 2, 0)["id"]
    other.ask("POST", f"/games/{game}/join", {})
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    held = Held(page, re.compile(r"/shown$"), "POST")
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Show cards").click()
    dialog = page.get_by_role("dialog", name="Show cards")
    dialog.get_by_role("checkbox").first.check()
    dialog.get_by_role("button", name=re.compile("^Show")).click()
    held.wait()
    page.keyboard.press("Escape")
    leave(page)
    held.let_go()
    expect(page.locator("#spoken")).to_be_empty()
