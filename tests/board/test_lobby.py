"""The lobby: finding a game, joining it, and the message if it is no longer available."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from ..service.servers import until
from ..service.whole.product import Service
from .players import Player

pytestmark = pytest.mark.browser

PAGE = 20
SUBSTITUTES = "/games?status=substitute&free_seat=true"


@pytest.fixture(scope="module")
def editions(service: Service) -> list[str]:
    """The keys of all editions, newest first."""
    return [edition["key"] for edition in requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]]


@pytest.fixture
def owner(service: Service) -> Player:
    return Player(service, "Owner")


@pytest.fixture
def guest(service: Service) -> Player:
    return Player(service, "Guest")


@pytest.fixture
def lobby(new_context: Callable[..., BrowserContext], guest: Player) -> Page:
    """A browser page in which the guest is signed in."""
    context = new_context()
    guest.sign_in(context)
    return context.new_page()


def test_a_player_joins_a_game(lobby: Page, owner: Player, guest: Player, editions: list[str]) -> None:
    game = owner.open(editions[3], 3, 0, clock={"kind": "per-move", "seconds": 300}, hints="allowed")["id"]
    lobby.goto("/lobby")
    row = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    expect(row.get_by_role("heading")).to_contain_text(owner.ask("GET", f"/editions/{editions[3]}")["title"])
    expect(row).to_contain_text("1 of 3 seats taken")
    expect(row).to_contain_text("5 min for each move · Hints allowed")
    expect(row).to_contain_text(f"{owner.name}: no move yet")
    row.get_by_role("button", name="Join").click()
    lobby.wait_for_url(f"**/game/{game}")
    expect(lobby.get_by_text("Hints allowed: On your turn, you can ask")).to_be_visible()
    assert guest.ask("GET", f"/games/{game}")["you"] == 1
    owner.ask("POST", f"/games/{game}/leave", {})


TALK = {"none": "No talk", "public-only": "Public talk only", "all": ""}
"""What the page says about a game, by who may talk in it."""


@pytest.mark.parametrize("rule", TALK)
def test_who_may_talk_is_shown_before_one_joins(lobby: Page, owner: Player, editions: list[str], rule: str) -> None:
    """The lobby, the game's page and, once the game has started, its options show this."""
    game = owner.open(editions[0], 3, 1, talk=rule)["id"]
    lobby.goto("/lobby")
    row = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    expect(row).to_contain_text("no clock")
    said = lobby.get_by_text(re.compile("^(No talk|Public talk only)"))
    if rule == "all":
        expect(row).not_to_contain_text("talk")
    else:
        expect(row).to_contain_text(f"no clock · {TALK[rule]}")
    row.get_by_role("link", name="Look").click()
    join = lobby.get_by_role("button", name="Join", exact=True)
    expect(join).to_be_visible()
    expect(said).to_have_count(0 if rule == "all" else 1)
    join.click()
    lobby.get_by_text("Options and more").click()
    expect(lobby.get_by_role("button", name="Resign")).to_be_visible()
    expect(said).to_have_text([] if rule == "all" else [TALK[rule]])
    owner.ask("POST", f"/games/{game}/resign")


def test_a_game_that_filled_up_meanwhile(lobby: Page, owner: Player, service: Service, editions: list[str]) -> None:
    game = owner.open(editions[3], 2, 0)["id"]
    lobby.goto("/lobby")
    row = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    expect(row.get_by_role("button", name="Join")).to_be_visible()
    Player(service, "Faster").ask("POST", f"/games/{game}/join", {})
    row.get_by_role("button", name="Join").click()
    expect(row.get_by_role("alert")).to_contain_text("The game started without you.")
    expect(row.get_by_role("button", name="Join")).to_have_count(0)
    expect(row.get_by_role("link", name="Watch")).to_have_attribute("href", f"/game/{game}")


def test_a_game_that_was_cancelled_meanwhile(lobby: Page, owner: Player, editions: list[str]) -> None:
    game = owner.open(editions[3], 2, 0)["id"]
    lobby.goto("/lobby")
    row = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    expect(row.get_by_role("button", name="Join")).to_be_visible()
    owner.ask("POST", f"/games/{game}/leave", {})
    row.get_by_role("button", name="Join").click()
    expect(row.get_by_role("alert")).to_contain_text("cancelled the game")
    lobby.get_by_role("button", name="Refresh").click()
    expect(row).to_have_count(0)


def test_filters_stay_in_the_address(lobby: Page, owner: Player, editions: list[str]) -> None:
    for edition, seats in ((editions[3], 5), (editions[5], 5), (editions[5], 6)):
        owner.open(edition, seats, 0, clock={"kind": "per-move", "seconds": 86400})
    lobby.goto("/lobby")
    mine = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    expect(mine).to_have_count(3)
    lobby.get_by_label("Edition").select_option(editions[5])
    expect(mine).to_have_count(2)
    lobby.get_by_label("Seats", exact=True).select_option("6")
    expect(mine).to_have_count(1)
    lobby.get_by_label("Pace").select_option("correspondence")
    expect(lobby).to_have_url(re.compile(rf"/lobby\?edition={editions[5]}&seats=6&pace=correspondence$"))
    expect(mine).to_have_count(1)
    lobby.reload()
    expect(mine).to_have_count(1)
    lobby.get_by_label("Pace").select_option("live")
    expect(lobby.get_by_text("No open game like that.")).to_be_visible()
    lobby.get_by_role("link", name="Show all").click()
    expect(mine).to_have_count(3)


def test_an_empty_lobby_offers_to_open_a_game(lobby: Page) -> None:
    lobby.route(re.compile(r"/v1/games\?"), lambda route: route.fulfill(json={"games": [], "next": None}))
    lobby.goto("/lobby")
    expect(lobby.get_by_text("No open game: open one.")).to_be_visible()
    lobby.get_by_role("link", name="Open a game").last.click()
    expect(lobby).to_have_url(re.compile(r"/new\?with=players$"))


def test_a_long_list_has_pages(lobby: Page, service: Service, editions: list[str]) -> None:
    opened = set()
    for _ in range(3):
        owner = Player(service, "Many")
        opened |= {owner.open(editions[4], 4, 0)["id"] for _ in range(8)}
    lobby.goto(f"/lobby?edition={editions[4]}&seats=4")
    links = lobby.get_by_role("link", name="Look")
    expect(links).to_have_count(PAGE)
    lobby.get_by_role("button", name="More games").click()
    expect(links).to_have_count(len(opened))
    found = {str(link.get_attribute("href")).rpartition("/")[2] for link in links.all()}
    assert found == opened
    expect(lobby.get_by_role("button", name="More games")).to_have_count(0)


def test_somebody_takes_over_a_seat(
    lobby: Page, owner: Player, guest: Player, service: Service, editions: list[str]
) -> None:
    lobby.goto("/lobby")
    lobby.get_by_role("link", name="Seats to take over").click()
    expect(lobby.get_by_text("No seat waits for a substitute.")).to_be_visible()
    clock = {"kind": "per-move", "seconds": 86400, "at_timeout": "open-seat"}
    game = owner.open(editions[0], 3, 1, clock=clock)["id"]
    # The game waits for this player; with bots only, it would immediately be played to the end.
    Player(service, "Lodovico").ask("POST", f"/games/{game}/join", {})
    owner.ask("DELETE", "/me", {"name": owner.name})
    # The worker opens the seats of a player whose account was deleted.
    while (view := guest.ask("GET", f"/games/{game}"))["seated"][0]["player"]:
        guest.ask("GET", f"/games/{game}/events?after={view['version']}&wait=20")
    # The list is updated a moment later.
    until(lambda: game in [found["id"] for found in guest.ask("GET", SUBSTITUTES)["games"]])
    lobby.get_by_role("button", name="Refresh").click()
    row = lobby.get_by_role("listitem").filter(has=lobby.locator(f'a[href="/game/{game}"]'))
    expect(row).to_contain_text("free")
    row.get_by_role("button", name="Join").click()
    lobby.wait_for_url(f"**/game/{game}")
    assert guest.ask("GET", f"/games/{game}")["you"] == 0


def test_a_game_shows_the_options_that_differ(lobby: Page, owner: Player, editions: list[str]) -> None:
    owner.open(editions[3], 5, 0, options={"battle_limit": 50})
    lobby.goto("/lobby")
    row = lobby.get_by_role("listitem").filter(has=lobby.get_by_role("link", name=owner.name))
    row.get_by_text("Options").click()
    expect(row).to_contain_text("Battle Limit: 50.")
    expect(row).not_to_contain_text("Hidden Cards")


def test_whoever_is_signed_out_signs_in_and_comes_back(
    page: Page, owner: Player, guest: Player, editions: list[str]
) -> None:
    owner.open(editions[3], 6, 0)
    page.goto("/lobby?seats=6")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=owner.name))
    row.get_by_role("link", name="Sign in to join").click()
    token = page.get_by_role("region", name="You have a token")
    token.get_by_label("Token").fill(guest.account["token"])
    token.get_by_role("button").click()
    page.wait_for_url("**/lobby?seats=6")
    expect(row.get_by_role("button", name="Join")).to_be_visible()
