"""Requests that are answered after the player has opened another screen: the player stays where they are."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .holding import SIGN_IN, TWO_FRAMES, Held
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


def test_signing_in_that_takes_long(page: Page, service: Service) -> None:
    """The player is signed in on the screen that was opened meanwhile."""
    player = Player(service)
    held = Held(page, re.compile(r"/v1/me$"))
    page.goto("/signin?next=/settings")
    page.get_by_label("Token", exact=True).fill(player.account["token"])
    page.get_by_label("Token", exact=True).press("Enter")
    held.wait()
    leave(page)
    held.let_go()
    expect(page.get_by_role("banner").get_by_role("link", name=player.name)).to_be_visible()
    assert page.url.endswith("/lobby")


KEPT_ANSWERS = """async (address) => {
    const { Api } = await import(address);
    const api = new Api(), answer = api.get("/v1/bots");
    api.change(null);
    await answer;
    const late = api.seen.size;
    await api.get("/v1/bots");
    return [late, api.seen.size];
}"""
"""Returns how many answers are kept after one to a player who has signed out before, and after another one."""


def test_an_answer_to_the_player_before_is_not_kept(quiet_page: Page, module: Callable[[str], str]) -> None:
    assert quiet_page.evaluate(KEPT_ANSWERS, module("api.js")) == [0, 1]


def test_a_page_that_was_kept_aside_signs_out_when_it_comes_back(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """No other tab can tell it: browsers give events to the pages that they show, and to no others."""
    player = Player(service)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto("/lobby")
    name = page.get_by_role("banner").get_by_role("link", name=player.name)
    expect(name).to_be_visible()
    page.evaluate("localStorage.removeItem('condottiere.account')")
    page.evaluate(TWO_FRAMES)
    expect(name).to_be_visible()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(name).to_have_count(0)
