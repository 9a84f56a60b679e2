"""Hints: players ask for them and follow them, if the table allows it.

Nobody else sees a hint, and it disappears when the position changes.

`test_accessible` checks the accessibility of hints, and `test_problems` their refusals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Response, Route, expect

from engine.bots import BOTS

from ..service.whole.product import Service
from .clicking import Typist
from .players import Json, Player
from .scenes import REGION_FIRST

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
STRONGEST = list(BOTS.values())[-1]
ASK, SELECT, THINKING = "Ask for a hint", "Select this move", "The bot is thinking …"
RECOMMENDS = f"The bot {STRONGEST.label} recommends: "
ASKS_FIRST = ("Pass", "Discard the hand")
"""The moves that the board asks the player to confirm in a dialog."""
A_MINUTE = 61_000
"""Milliseconds after which the page gives up waiting for a hint."""
LATER = "before => document.querySelector('[data-version]').dataset.version > before"


class Seat:
    """A player at a table, with a page that shows it."""

    def __init__(self, player: Player, new_context: NewContext, game: str) -> None:
        """Show the game in a separate browser context of the player."""
        self.player = player
        self.game = game
        context = new_context()
        player.sign_in(context)
        self.page: Page = context.new_page()
        self.typist = Typist(self.page)
        self.page.goto(f"/game/{game}")

    def view(self) -> Json:
        """Return the game as the API shows it to the player."""
        return self.player.ask("GET", f"/games/{self.game}")

    @property
    def ask(self) -> Locator:
        """The control that asks for a hint."""
        return self.typist.button(ASK)

    @property
    def hint(self) -> Locator:
        """The hint in words."""
        return self.typist.actions.get_by_text(RECOMMENDS)

    def recommended(self) -> str:
        """Wait for the hint, and return the text of the button that makes the recommended move."""
        expect(self.hint).to_be_visible()
        move = self.hint.inner_text().removeprefix(RECOMMENDS).removesuffix(".")
        # The button does not say which cards are kept or taken back.
        return re.sub(r"\. .*|(?<=cards): .*|(?<=1 card): .*", "", move)


def alone(service: Service, new_context: NewContext, hints: str = "allowed") -> Seat:
    """Open a game against bots in which the player chooses the first region."""
    player = Player(service)
    return Seat(player, new_context, player.open("zman-2018", 3, 2, seed=REGION_FIRST, hints=hints)["id"])


def test_hints_are_followed_with_the_keyboard_only(service: Service, new_context: NewContext) -> None:
    """The button keeps the focus while its text changes: it asks for a hint, waits, and then selects the move."""
    seat = alone(service, new_context)
    typist = seat.typist
    moves: list[str] = []
    while len(moves) < 4 and typist.awaited():
        before = seat.view()["version"]
        expect(seat.ask).to_be_visible()
        typist.tab_to(ASK)
        typist.press("Enter")
        moves.append(seat.recommended())
        expect(typist.button(SELECT)).to_be_focused()
        expect_marked(typist, moves[-1])
        # Asking for a hint does not count as a move.
        since = seat.page.get_by_role("log").get_by_text("Since your last move")
        expect(since).to_have_count(1)
        typist.press("Enter")
        if moves[-1] in ASKS_FIRST:
            expect(seat.page.get_by_role("dialog")).to_be_visible()
            typist.tab_to(f"^{moves[-1]}(:|$)")
        else:
            typist.expect_focus(f"^{re.escape(moves[-1])}$")
            expect(typist.button(SELECT)).to_have_count(0)
        typist.press("Enter")
        seat.page.wait_for_function(LATER, arg=before + 1)
        expect(seat.hint).to_have_count(0)
    assert moves[0].startswith("Choose ")
    commits = seat.player.ask("GET", f"/games/{seat.game}/events")["commits"]
    own = [commit["seq"] for commit in commits if commit["by"] == seat.player.account["id"]]
    asked = [commit["seq"] for commit in commits if commit["events"][0]["type"] == "hint-asked"]
    assert len(asked) == len(moves)
    assert {seq + 1 for seq in asked} <= {*own}


def expect_marked(typist: Typist, move: str) -> None:
    """Wait until a move's card, region or button is marked, including in the text for screen readers."""
    what, _, rest = move.partition(" ")
    if what == "Choose":
        region = typist.map.get_by_role("button", name=re.compile("recommended$"))
        expect(region).to_have_accessible_name(re.compile(f"^{rest}, "))
        expect(typist.map.locator(".map-hinted")).to_have_count(2)
    elif what == "Play":
        card = typist.hand.get_by_role("button", name=re.compile("recommended$"))
        expect(card).to_have_accessible_name(re.compile(f"^{rest.partition(':')[0]}\\b"))
    else:
        expect(typist.actions.locator("[data-hinted]")).to_have_accessible_description(re.compile(f"^{RECOMMENDS}"))


def test_the_other_player_sees_that_a_hint_was_asked_for_and_nothing_else(
    service: Service, new_context: NewContext
) -> None:
    players = [Player(service, name) for name in ("Caterina", "Lodovico")]
    game = players[0].open("zman-2018-duel", 2, 0, hints="allowed")["id"]
    players[1].ask("POST", f"/games/{game}/join", {})
    seats = [Seat(player, new_context, game) for player in players]
    mover, other = seats if seats[0].view()["moves"] else seats[::-1]
    expect(other.page.get_by_text("Standing orders")).to_be_visible()
    expect(other.page.get_by_role("log").get_by_role("link").last).to_be_visible()
    answers: list[Response] = []
    other.page.on("response", lambda response: answers.append(response) if f"/games/{game}" in response.url else None)
    mover.ask.click()
    mover.recommended()
    said = f"{mover.player.name} asks for a hint."
    for seat in seats:
        expect(seat.page.get_by_role("log").get_by_text(said)).to_be_visible()
    expect(other.page.locator("#spoken")).to_contain_text(said)
    expect(other.ask).to_have_count(0)
    expect(other.page.get_by_text(re.compile("recommend"))).to_have_count(0)
    expect(other.page.locator("[data-hinted]")).to_have_count(0)
    other.page.wait_for_function(LATER, arg=seats[0].view()["version"] - 1)
    assert [answer.url for answer in answers if answer.url.endswith("/hint")] == []
    bodies = [answer.text() for answer in answers if answer.status == 200]
    assert bodies
    assert [body for body in bodies if STRONGEST.key in body] == []


def test_asking_keeps_what_is_selected_and_a_move_removes_the_hint(service: Service, new_context: NewContext) -> None:
    """The player makes the move on another device."""
    seat = alone(service, new_context)
    assert seat.typist.awaited() == "choose a region"
    seat.typist.click_region(seat.typist.regions()[0])
    confirm = seat.typist.button(re.compile("^Choose "))
    expect(confirm).to_be_visible()
    seat.ask.click()
    seat.recommended()
    expect(confirm).to_be_visible()
    expect(seat.typist.actions.get_by_text("Look again")).to_have_count(0)
    view = seat.view()
    seat.player.move(view, view["moves"][0])
    expect(seat.hint).to_have_count(0)
    expect(seat.page.locator("[data-hinted], .map-hinted")).to_have_count(0)


def test_no_hint_is_offered_where_the_table_has_none(service: Service, new_context: NewContext) -> None:
    seat = alone(service, new_context, hints="none")
    seat.typist.awaited()
    expect(seat.page.get_by_text("Standing orders")).to_be_visible()
    expect(seat.ask).to_have_count(0)
    seat.page.get_by_text("Options and more").click()
    expect(seat.page.get_by_text("Hints allowed")).to_have_count(0)


def test_a_hint_that_does_not_arrive_can_be_asked_for_again(service: Service, new_context: NewContext) -> None:
    """While waiting, the button says that the bot is thinking, and keeps its size."""
    seat = alone(service, new_context)
    seat.typist.awaited()
    expect(seat.ask).to_be_visible()
    thinking: Json = {"game": seat.game, "seat": 0, "version": 1, "state": "thinking"}
    thinking |= dict.fromkeys(("move", "bot", "label"))

    def think(route: Route) -> None:
        route.fulfill(status=202, json=thinking)

    seat.page.route("**/hint", think)
    seat.page.clock.install()
    before: Any = seat.ask.bounding_box()
    seat.ask.click()
    waits = seat.typist.button(THINKING)
    expect(waits).to_have_attribute("aria-busy", "true")
    expect(seat.page.locator("#spoken")).to_have_text(THINKING)
    after: Any = waits.bounding_box()
    assert (after["width"], after["height"]) == (before["width"], before["height"])
    seat.page.clock.fast_forward(A_MINUTE)
    expect(seat.typist.actions.get_by_text("The hint did not arrive.")).to_be_visible()
    seat.page.unroute("**/hint")
    seat.ask.click()
    seat.recommended()
    expect(seat.typist.actions.get_by_text("The hint did not arrive.")).to_have_count(0)
