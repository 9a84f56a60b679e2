"""Seats that change hands: a bot plays for an absent player, a substitute takes over, the host gives a seat away."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import BrowserContext, Locator, Page, expect

from ..service.whole.product import Service
from .players import Json, Player, host

pytestmark = pytest.mark.browser

HOUR = 3_600


class Seated:
    """The two players of a duel, and their pages."""

    def __init__(self, service: Service, new_context: Callable[..., BrowserContext], **clock: object) -> None:
        """Open a two-player game whose clock allows an hour for each move."""
        self.new_context = new_context
        self.players = [Player(service, name) for name in ("Caterina", "Lodovico")]
        settings = {"kind": "per-move", "seconds": HOUR, "misses": 1, **clock}
        self.game = str(self.players[0].open("zman-2018-duel", 2, 0, clock=settings)["id"])
        view = self.players[1].ask("POST", f"/games/{self.game}/join", {})
        self.turn = int(view["position"]["turn"])

    def view(self) -> Json:
        """Return the game as its owner sees it."""
        return self.players[0].ask("GET", f"/games/{self.game}")

    def page_of(self, player: Player) -> Page:
        """Open the game's page for a player."""
        context = self.new_context()
        player.sign_in(context)
        page = context.new_page()
        page.goto(f"/game/{self.game}")
        page.get_by_text("Options and more").click()
        return page

    def run_out(self) -> None:
        """Let the turn's time run out."""
        self.players[0].ask("POST", f"/games/{self.game}/clock/advance", {"seconds": HOUR})


def seat_of(page: Page, name: str) -> Locator:
    """Return the seat of a player."""
    return page.get_by_role("article", name=name)


def test_a_player_takes_a_seat_back_from_a_bot(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    """A bot plays after a timeout, while both players watch."""
    seated = Seated(service, new_context, at_timeout="bot")
    away = seated.players[seated.turn]
    page, other = (seated.page_of(player) for player in (away, seated.players[1 - seated.turn]))
    expect(page.get_by_role("button", name="Take my seat back")).to_have_count(0)
    seated.run_out()
    for each in (page, other):
        expect(seat_of(each, away.name)).to_contain_text("played by Steady")
        expect(each.get_by_role("log")).to_contain_text(f"The time of {away.name} ran out.")
    expect(other.get_by_role("button", name="Take my seat back")).to_have_count(0)
    expect(page.get_by_text("Steady plays your seat, because your time ran out.")).to_be_visible()
    page.get_by_role("button", name="Take my seat back").click()
    for each in (page, other):
        expect(seat_of(each, away.name)).not_to_contain_text("played by Steady")
    assert seated.view()["seated"][seated.turn]["bot"] is None


def test_a_substitute_takes_a_seat_that_was_opened(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    seated = Seated(service, new_context, at_timeout="open-seat")
    guest = Player(service, "Ginevra")
    watching, playing = seated.page_of(guest), seated.page_of(seated.players[1 - seated.turn])
    take = watching.get_by_role("button", name="Take the free seat")
    expect(take).to_have_count(0)
    watching.get_by_text("Options and more").click()
    watching.locator("#talk summary").click()
    rooms = watching.get_by_label("Write to").locator("option")
    expect(rooms).to_have_text(["the spectators"])
    watching.locator("#talk summary").click()
    watching.get_by_text("Options and more").click()
    seated.run_out()
    take.click()
    for each in (watching, playing):
        expect(seat_of(each, guest.name)).to_be_visible()
        expect(seat_of(each, seated.players[seated.turn].name)).to_have_count(0)
    expect(watching.get_by_role("toolbar")).to_have_accessible_name(re.compile("^Your hand"))
    expect(take).to_have_count(0)
    assert seated.view()["seated"][seated.turn]["player"] == guest.account["id"]
    watching.get_by_text("Options and more").click()
    watching.locator("#talk summary").click()
    expect(rooms).to_have_text(["everybody at the table", "some players only"])


def test_more_time_and_a_pause_are_agreed_to(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    """The player whose turn it is asks for both, and the other player agrees."""
    seated = Seated(service, new_context)
    asks = seated.players[seated.turn]
    page = seated.page_of(seated.players[1 - seated.turn])
    bar = page.get_by_role("main").get_by_role("status").first
    expect(page.get_by_text(re.compile(r"^(59 min \d+ s|1 h 0 min) left$"))).to_be_visible()
    asks.ask("POST", f"/games/{seated.game}/extension", {"seconds": 600})
    expect(page.get_by_text(f"{asks.name} asked for 10 min 0 s more.")).to_be_visible()
    grant = page.get_by_role("button", name="Grant 10 min 0 s more")
    grant.click()
    expect(page.get_by_text(re.compile(r"^1 h (9|10) min left$"))).to_be_visible()
    expect(grant).to_have_count(0)
    asks.ask("POST", f"/games/{seated.game}/pause")
    expect(page.get_by_text(f"{asks.name} asked for a pause.")).to_be_visible()
    expect(bar).to_have_text(re.compile("^Waiting for"))
    page.get_by_role("button", name="Agree to the pause").click()
    expect(bar).to_have_text("The game is paused")
    log = page.get_by_role("log")
    expect(log).to_contain_text(f"{asks.name} asks for a pause.")
    expect(log).to_contain_text(f"{seated.players[1 - seated.turn].name} agrees to the pause.")
    assert seated.view()["clock"]["paused_since"] is not None
    page.get_by_role("button", name="End the pause").click()
    expect(bar).to_have_text(re.compile("^Waiting for"))


def test_requests_are_beside_the_hand(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    """For both players, without opening anything: who asked for a pause or more time, and who must still agree."""
    seated = Seated(service, new_context)
    asks, agrees = seated.players[seated.turn], seated.players[1 - seated.turn]
    asking, other = seated.page_of(asks), seated.page_of(agrees)
    for page in (asking, other):
        page.get_by_text("Options and more").click()
        expect(page.get_by_role("button", name="Resign")).to_be_hidden()
    asks.ask("POST", f"/games/{seated.game}/extension", {"seconds": 600})
    expect(asking.get_by_text("You asked for 10 min 0 s more.")).to_be_visible()
    expect(asking.get_by_text(f"Still to agree: {agrees.name}.")).to_be_visible()
    other.get_by_role("button", name="Grant 10 min 0 s more").click()
    expect(asking.get_by_text(f"Still to agree: {agrees.name}.")).to_have_count(0)
    asking.get_by_text("Options and more").click()
    asking.get_by_role("button", name="Ask for a pause").click()
    asking.get_by_text("Options and more").click()
    expect(asking.get_by_text("You asked for a pause.")).to_be_visible()
    expect(asking.get_by_text(f"Still to agree: {agrees.name}. Your request ends with your next move.")).to_be_visible()
    expect(other.get_by_text(f"{asks.name} asked for a pause.")).to_be_visible()
    other.get_by_role("button", name="Agree to the pause").click()
    for page in (asking, other):
        expect(page.get_by_text("Nobody can move until a player ends the pause.")).to_be_visible()
    other.get_by_role("toolbar").get_by_role("button").first.click(force=True)
    alert = other.get_by_role("main").get_by_role("alert")
    expect(alert).to_have_text("The game is paused. End the pause, then go on.")
    asking.get_by_role("button", name="End the pause").click()
    expect(other.get_by_role("button", name="End the pause")).to_have_count(0)


def test_the_host_gives_a_seat_to_a_bot(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    seated = Seated(service, new_context)
    page = seated.page_of(seated.players[1])
    plays = page.get_by_text("Steady plays your seat.", exact=True)
    host(service, "games", "give-seat", seated.game, "1", "--reason", "no longer there")
    expect(seat_of(page, seated.players[1].name)).to_contain_text("played by Steady")
    expect(plays).to_be_visible()
    about = page.get_by_role("link", name="Who is away, and what happens then").get_attribute("href") or ""
    guide, _, heading = about.partition("#")
    assert f'id="{heading}"' in requests.get(service.url + guide, timeout=30).text
    page.get_by_role("button", name="Take my seat back").click()
    expect(seat_of(page, seated.players[1].name)).not_to_contain_text("played by Steady")


def agree(page: Page, outcome: str) -> None:
    """Agree to another player's proposal to end the game; the dialog has already selected the same ending."""
    page.get_by_role("button", name="Agree …").click()
    dialog = page.get_by_role("dialog", name="End this game for everybody?")
    expect(dialog.get_by_role("radio", name=re.compile(outcome))).to_be_checked()
    dialog.get_by_role("button", name="Ask for this end").click()


def ask_to_end(page: Page, outcome: str) -> None:
    """Propose to the others to end the game."""
    page.get_by_role("button", name="End the game …").click()
    dialog = page.get_by_role("dialog", name="End this game for everybody?")
    confirm = dialog.get_by_role("button", name="Ask for this end")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("radio", name=re.compile(outcome)).check()
    confirm.click()


def test_a_game_ends_as_it_stands_by_consent(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    seated = Seated(service, new_context)
    page, other = (seated.page_of(player) for player in seated.players)
    one, two = (player.name for player in seated.players)
    ask_to_end(page, "As it stands")
    expect(page.get_by_text(f"Still to agree: {two}.")).to_be_visible()
    expect(page.get_by_text("You want to end the game as it stands")).to_be_visible()
    wish = f"{one} wants to end the game as it stands, with {one} and {two} as the winners."
    expect(other.get_by_text(wish)).to_be_visible()
    agree(other, "As it stands")
    for each in (page, other):
        expect(each.get_by_role("button", name="Ask for a rematch")).to_be_visible()
        expect(each.get_by_text("Why the game ended: the players agreed to end it.")).to_be_visible()
    result = seated.view()["result"]
    assert (result["winners"], result["reasons"]) == ([0, 1], ["consent"])


def test_a_game_ends_without_a_result_by_consent(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    seated = Seated(service, new_context)
    page, other = (seated.page_of(player) for player in seated.players)
    ask_to_end(page, "Without a result")
    agree(other, "Without a result")
    for each in (page, other):
        expect(each.get_by_text("the players agreed to end the game")).to_be_visible()
    assert seated.view()["status"] == "cancelled"


def test_a_player_who_is_alone_with_bots_cannot_end_a_game(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    player = Player(service)
    game = player.open("zman-2018-duel", 2, 1)["id"]
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    with page.expect_response(re.compile(r"/ending\.js$")):
        page.goto(f"/game/{game}")
    page.get_by_text("Options and more").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(page.get_by_role("button", name="End the game …")).to_have_count(0)
