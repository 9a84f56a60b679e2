"""Every problem of reading that a click can cause is shown as text; the content stays, and the user can try again.

`test_problems` covers problems of writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from service.problems import PROBLEMS

from ..service.whole.product import Service
from .players import Player
from .refusing import Click, Screen, button
from .scenes import play_until
from .test_problems import running

pytestmark = pytest.mark.browser

Show = Callable[..., Screen]
CLOCK = {"kind": "per-move", "seconds": 3600}
LOBBY = "/lobby?edition=zman-2018-classic&seats=6&pace=live"
SUBSTITUTES = "/lobby?status=substitute"
RULES = "/rules/zman-2018"
VERSION = r"\?version="
EDITION = r"/editions/[\w-]+(\?|$)"
COMPARISON = "/compare/"
OLDER = "cursor=older"
FIRST = "[data-version='1']"
"""A game whose first version is drawn."""
AGAIN = "Try again"
TO_SUBSTITUTES = ("main a", "Seats to take over", None)
VERIFY = button(f"Verify the deal|{AGAIN}")
GONE = "Somebody took the last seat. You can watch the game, or join another one."
WORDS = {
    "no-free-seat": GONE,
    "seat-taken": GONE,
    "game-started": "The game started without you. You can watch it, or join another one.",
    "game-cancelled": "Its owner cancelled the game. Join another one.",
    "unknown-game": "This game no longer exists. Join another one.",
}
"""What the lobby says about a game whose state has changed since the list was loaded."""


class Reading(NamedTuple):
    """The screen and the operation that reads, what a test clicks, and what the page continues to show."""

    address: str
    operation: str
    path: str
    clicks: tuple[tuple[str, str, str | None], ...]
    kept: str = ""

    @property
    def click(self) -> Click:
        """The same reading as a click."""
        return Click(self.operation, "GET", self.path, self.clicks, kept=self.kept)

    def __str__(self) -> str:
        return f"{self.operation} at {self.address}"


def inside(details: str) -> tuple[str, str, None]:
    """Return a click that opens this part of the page or, if it is open, presses the last button in it."""
    return (f"main {details}:not([open]) > summary, main {details}[open] button", "", None)


AT_FIRST = [
    Reading(address, operation, path, (button(AGAIN),), kept)
    for address, operation, path, kept in (
        ("/", "getMyTurns", "/me/turns$", "Your games"),
        ("/", "listGames", "status=mine", "Your games"),
        ("/new", "listBots", "/bots$", "New game"),
        ("/settings", "getMe", "/me$", "Look and feel"),
        ("/settings", "listTokens", "/me/tokens$", "Recovery code"),
        ("/settings", "listMyOrders", "/me/orders$", "Recovery code"),
        ("/settings", "listBlocks", "/me/blocks$", "Recovery code"),
        ("/settings", "listWebhooks", "/webhooks$", "Recovery code"),
        ("/settings", "getNotices", "/me/notices$", "Recovery code"),
        (RULES, "listEditions", "/editions$", "Rules"),
        (RULES, "getEdition", f"{RULES.removeprefix('/rules')}$", "Rules"),
        (f"{RULES}?with=ffg-2007", "compareEditions", COMPARISON, "Rules"),
        ("/player/{player}", "getPlayer", "/players/", "Player"),
        ("/player/{player}", "listGames", "status=running", "Finished games"),
        ("/game/{running}", "getGame", r"/games/\w+$", ""),
        ("/game/{running}", "getEdition", EDITION, ""),
        ("/game/{running}", "getEvents", r"/games/\w+/events\?after=", "Your hand"),
        ("/game/{running}", "getSentences", "/sentences", "Your hand"),
    )
]
"""The requests with which a screen starts: the first one is refused, and a button tries again."""
LATER = [
    Reading("/lobby", "listGames", "/games.status=open", (button("Refresh"),), "seats taken"),
    Reading("/lobby", "listGames", OLDER, (button("More games"),), "seats taken"),
    Reading(SUBSTITUTES, "listGames", "/games.status=substitute", (TO_SUBSTITUTES,), "These games are running."),
    Reading(LOBBY, "getEdition", "/editions/zman-2018-classic$", (inside(".lobby-options"),), "1 of 6 seats taken"),
    Reading("/", "listGames", OLDER, (button("Show older games"),), "It is not your turn in any game."),
    Reading("/new", "getEdition", "/ffg-2007$", (("#new-edition", "", "ffg-2007"),), "You are dealt"),
    Reading(RULES, "compareEditions", COMPARISON, (("#rules-with", "", "ffg-2007"), button("Compare")), "In short"),
    Reading("/game/{over}", "getRecord", "/record$", (VERIFY,), "New game with these settings"),
    Reading("/game/{over}", "getEdition", EDITION, (VERIFY,), "New game with these settings"),
]
"""The requests that a click sends on a screen that is already loaded."""


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player whose requests are refused."""
    return Player(service)


@pytest.fixture(scope="module")
def places(service: Service, player: Player) -> dict[str, str]:
    """Values for the variable parts of addresses: a player, a game on the player's turn, and a finished game."""
    over = str(player.open("zman-2018-duel", 2, 1)["id"])
    player.ask("POST", f"/games/{over}/resign")
    Player(service, "Owner").open("zman-2018-classic", 6, 0, clock=CLOCK, options={"battle_limit": 50})
    ours = running(player)
    play_until(player, ours, lambda view: bool(view["moves"]) and view["version"] > 1)
    return {"player": player.account["id"], "running": ours, "over": over}


@pytest.fixture
def show(new_context: Callable[..., BrowserContext]) -> Show:
    """Show a screen as a player, without streams."""

    def show(player: Player) -> Screen:
        screen = Screen(player, new_context())
        screen.hold_streams()
        return screen

    return show


@pytest.fixture(scope="module")
def screen(kept_context: BrowserContext, player: Player) -> Screen:
    """A player's page for all requests that are refused while a screen loads; each test loads another screen."""
    screen = Screen(player, kept_context)
    screen.hold_streams()
    return screen


@pytest.mark.parametrize("reading", AT_FIRST, ids=str)
def test_a_screen_that_is_refused_what_it_shows(places: dict[str, str], screen: Screen, reading: Reading) -> None:
    screen.open(reading.address.format(**places), reading.click)
    screen.check(reading.click)


@pytest.mark.parametrize("reading", LATER, ids=str)
def test_a_click_that_is_refused_what_it_asks_for(
    service: Service, places: dict[str, str], player: Player, show: Show, reading: Reading
) -> None:
    screen = show(Player(service, "Lodovico") if reading.operation == "listGames" else player)
    if reading.path == OLDER:
        screen.page.route(re.compile("status=(mine.limit=100|open.free_seat=true)$"), _with_older)
    screen.open(reading.address.format(**places))
    screen.check(reading.click)


def _with_older(route: Route) -> None:
    """Respond as if the player had more games than one page of the list contains."""
    answer = route.fetch()
    route.fulfill(response=answer, json=answer.json() | {"next": "older"})


def test_standing_orders_that_are_refused(player: Player, places: dict[str, str], show: Show) -> None:
    """The orders are in a section of the page that is closed at first."""
    click = Click("getOrders", "GET", "/orders$", [button(AGAIN)], kept="Your hand")
    screen = show(player).open(f"/game/{places['running']}", click)
    screen.page.get_by_text("Standing orders").click()
    screen.check(click)


@pytest.mark.parametrize("game", ["running", "over"])
def test_a_step_that_is_refused(player: Player, places: dict[str, str], show: Show, game: str) -> None:
    screen = show(player).open(f"/game/{places[game]}?at=1")
    screen.page.locator(FIRST).wait_for()
    screen.check(Click("getGame", "GET", VERSION, [button("Next step")], kept="Step 1 of"))


def test_an_address_of_a_version_that_is_refused(player: Player, places: dict[str, str], show: Show) -> None:
    """The page shows the newest version instead, and says so."""
    for game in (places["over"], places["running"]):
        newest = player.ask("GET", f"/games/{game}")["version"]
        steps = f"Step {newest} of {newest}"
        click = Click("getGame", "GET", VERSION, [button("Previous step")], kept=steps)
        screen = show(player).open(f"/game/{game}?at=1", click)
        screen.check(click)
        expect(screen.page).to_have_url(re.compile(rf"\?at={newest}$"))
        screen.page.get_by_role("button", name="Now").click()
        expect(screen.page.get_by_role("main").get_by_role("alert")).to_have_count(0)
        expect(screen.page).to_have_url(re.compile(f"/game/{game}$"))


def test_steps_that_are_refused_while_they_are_played(player: Player, places: dict[str, str], show: Show) -> None:
    """The replay stops at the first step that is refused."""
    screen = show(player).open(f"/game/{places['running']}?at=1")
    page = screen.page
    page.locator(FIRST).wait_for()
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        kind = PROBLEMS["unknown-version"]
        problem = {"title": kind.title, "status": kind.status, "code": "unknown-version", "detail": "It is gone."}
        route.fulfill(status=kind.status, json=problem)

    page.route(re.compile(VERSION), refuse)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="It is gone.")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert len(asked) == 1


def test_a_seat_that_cannot_be_taken_over_in_its_game(service: Service, player: Player, show: Show) -> None:
    """The page shows the game as if a player had left it."""
    game = running(player)
    screen = show(Player(service, "Lodovico"))

    def vacant(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view = answer.json()
        view["seated"][0] |= {"player": None, "bot": None, "name": None}
        route.fulfill(response=answer, json=view)

    screen.page.route(re.compile(f"/v1/games/{game}$"), vacant)
    screen.open(f"/game/{game}")
    screen.page.get_by_text("Options and more").click()
    screen.check(Click("joinGame", "POST", "/join$", [button("Take the free seat")], kept="Waiting for"))


def test_a_seat_that_cannot_be_taken_over_in_the_lobby(service: Service, player: Player, show: Show) -> None:
    """The page shows the list as if a player had left a game. Reloading the list lets the user try again."""
    opened = running(player)
    screen = show(Player(service, "Lodovico"))

    def vacant(route: Route) -> None:
        url = route.request.url.replace("status=substitute&free_seat=true", "status=running")
        answer = route.fetch(url=f"{url}&player={player.account['id']}")
        game = next(game for game in answer.json()["games"] if game["id"] == opened)
        game["seated"][0] |= {"player": None, "bot": None, "name": None}
        route.fulfill(response=answer, json={"games": [game], "next": None})

    screen.page.route(re.compile("/games.status=substitute"), vacant)
    screen.open(SUBSTITUTES)
    again = [button("Refresh"), button("Join")]
    # `already-seated` is left out because it leads to the game.
    screen.check(Click("joinGame", "POST", "/join$", again, ["already-seated"], WORDS, kept="seats taken"))
