"""Showing cards: a player chooses them in a dialog; those who see them read their names, and others only the number."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from service.games.showing import MOST_SHOWINGS

from ..service.whole.product import Service
from .axe import violations
from .conftest import DESKTOP, PHONE
from .players import Json, Player

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
FFG = "ffg-2007"
"""An edition whose rulebook lets players show cards."""
NAMES = ("Caterina", "Lodovico", "Isabella")


class Table:
    """A running game, with a page for each player."""

    def __init__(self, service: Service, new_context: NewContext, seats: int = 3, **asked: object) -> None:
        """Open the game, and show it to all players."""
        self.players = [Player(service, name) for name in NAMES[:seats]]
        self.id: str = self.players[0].open(FFG, seats, 0, **asked)["id"]
        for player in self.players[1:]:
            player.ask("POST", f"/games/{self.id}/join", {})
        self.labels = {card["card"]: card["label"] for card in self.players[0].ask("GET", f"/editions/{FFG}")["deck"]}
        self.pages: list[Page] = []
        for player in self.players:
            context = new_context()
            player.sign_in(context)
            self.pages.append(context.new_page())
            self.pages[-1].goto(f"/game/{self.id}")

    def view(self, seat: int) -> Json:
        """Return the game as a seat sees it."""
        return self.players[seat].ask("GET", f"/games/{self.id}")

    def hand(self, seat: int) -> list[str]:
        """Return the hand of a seat."""
        cards: list[str] = self.view(seat)["position"]["seats"][seat]["hand"]["cards"]
        return cards

    def show(self, seat: int, to: int, cards: list[str]) -> Json:
        """Let a seat show cards over the API."""
        return self.players[seat].ask("POST", f"/games/{self.id}/shown", {"to": [to], "cards": cards})

    def single(self, seat: int) -> str:
        """Return a card of which a seat holds exactly one copy."""
        hand = self.hand(seat)
        return next(card for card in hand if hand.count(card) == 1)


def ask(page: Page) -> Locator:
    """Open the dialog for showing cards, and return it."""
    page.get_by_role("button", name="Show cards").click()
    dialog = page.get_by_role("dialog", name="Show cards")
    expect(dialog).to_be_visible()
    return dialog


def test_a_player_shows_cards_to_another(service: Service, new_context: NewContext) -> None:
    """Both players can read which cards were shown; the third player can read only how many."""
    table = Table(service, new_context)
    shower, seer, other = table.pages
    card, name = table.single(0), table.players[1].name
    label = table.labels[card]
    expect(other.get_by_role("log")).to_be_visible()
    dialog = ask(shower)
    show = dialog.get_by_role("button", name=re.compile("^Show"))
    expect(show).to_have_attribute("aria-disabled", "true")
    dialog.get_by_label(label, exact=True).check()
    dialog.get_by_label(name).check()
    expect(dialog.get_by_role("status")).to_have_text(f"You show {label} to {name}.")
    expect(dialog.get_by_text("the game does not enforce promises")).to_be_visible()
    expect(dialog.get_by_role("link", name="Rule 11.6")).to_have_attribute("href", f"/rules/{FFG}#11.6")
    show.click()
    expect(dialog).to_have_count(0)
    expect(shower.get_by_role("button", name="Show cards")).to_be_focused()
    said = f"{table.players[0].name} shows 1 card"
    for page in (shower, seer):
        expect(page.get_by_role("log").get_by_text(f"{said} ({label}) to {name}.")).to_be_visible()
    expect(other.get_by_role("log").get_by_text(f"{said} to {name}.")).to_be_visible()
    shown = seer.get_by_role("region", name="Shown cards")
    expect(shown.get_by_text(f"{table.players[0].name} showed you {label}").first).to_be_visible()
    shown.get_by_text("Shown to you: 1").click()
    expect(shown.get_by_text("The players may have played these cards since.")).to_be_visible()
    for page in (shower, other):
        expect(page.get_by_text("Shown to you")).to_have_count(0)
    assert table.view(1)["shown"][0]["cards"] == [card]


def test_several_cards_are_shown_with_the_keyboard_only(service: Service, new_context: NewContext) -> None:
    """With only one other player, that player is already selected."""
    table = Table(service, new_context, seats=2)
    page = table.pages[0]
    button = page.get_by_role("button", name="Show cards")
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Show cards")
    boxes = dialog.get_by_role("group", name="Cards of your hand").get_by_role("checkbox")
    expect(boxes).to_have_count(10)
    expect(dialog.get_by_label(table.players[1].name)).to_be_checked()
    for box in (boxes.nth(0), boxes.nth(9)):
        box.focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Show 2 cards").focus()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    assert len(table.view(1)["shown"][0]["cards"]) == 2


def test_showing_is_cancelled(service: Service, new_context: NewContext) -> None:
    table = Table(service, new_context, seats=2)
    page = table.pages[0]
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.get_by_role("button", name="Cancel").click()):
        dialog = ask(page)
        dialog.get_by_role("checkbox").first.check()
        leave()
        expect(dialog).to_have_count(0)
    cards = ask(page).get_by_role("group", name="Cards of your hand")
    expect(cards.get_by_role("checkbox", checked=True)).to_have_count(0)
    assert table.view(1)["shown"] == []


def test_what_is_selected_stays_and_a_move_is_accepted(service: Service, new_context: NewContext) -> None:
    """Another player shows cards while this player is choosing a move."""
    table = Table(service, new_context, seats=2)
    mover = table.view(0)["position"]["turn"]
    page, before = table.pages[mover], table.view(mover)
    page.get_by_role("group", name="Map").get_by_role("button").first.wait_for()
    page.evaluate("document.querySelector('[data-region][tabindex=\"0\"]').focus()")
    page.keyboard.press("Enter")
    confirm = page.get_by_role("button", name=re.compile("^Choose "))
    expect(confirm).to_be_visible()
    table.show(1 - mover, mover, table.hand(1 - mover)[:1])
    expect(page.get_by_text("Shown to you")).to_be_visible()
    expect(page.get_by_text("Look again")).to_have_count(0)
    confirm.click()
    expect(page.locator(f"[data-version='{before['version'] + 2}']")).to_be_attached()
    assert table.view(mover)["version"] == before["version"] + 2
    expect(page.get_by_role("log").get_by_text("Since your last move")).to_have_count(0)


def test_a_refusal_is_shown_in_the_dialog(service: Service, new_context: NewContext) -> None:
    table = Table(service, new_context, seats=2)
    for _ in range(MOST_SHOWINGS):
        table.show(0, 1, table.hand(0)[:1])
    dialog = ask(table.pages[0])
    dialog.get_by_role("checkbox").first.check()
    dialog.get_by_role("button", name="Show 1 card").click()
    expect(dialog.get_by_role("alert")).to_contain_text("You cannot show cards again in this battle.")
    expect(dialog).to_be_visible()
    shown = table.pages[1].get_by_role("region", name="Shown cards")
    shown.get_by_text(f"Shown to you: {MOST_SHOWINGS}").click()
    expect(shown.get_by_role("listitem")).to_have_count(MOST_SHOWINGS)


@pytest.mark.parametrize("allowed", [False, True])
def test_nothing_is_offered_where_there_is_nobody_to_show_cards_to(
    service: Service, new_context: NewContext, allowed: bool
) -> None:
    """Either the table does not allow showing cards, or all others are bots."""
    if allowed:
        player = Player(service)
        game = player.open(FFG, 3, 2)["id"]
        context = new_context()
        player.sign_in(context)
        page = context.new_page()
        page.goto(f"/game/{game}")
    else:
        page = Table(service, new_context, seats=2, showing="none").pages[0]
    expect(page.get_by_text("Standing orders")).to_be_visible()
    expect(page.get_by_role("button", name="Show cards")).to_have_count(0)
    page.get_by_text("Options and more").click()
    expect(page.get_by_text("Cards may be shown")).to_have_count(1 if allowed else 0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_dialog_is_accessible(service: Service, new_context: NewContext, size: tuple[int, int]) -> None:
    table = Table(service, new_context)
    page = table.pages[0]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.show(1, 0, table.hand(1)[:2])
    expect(page.get_by_text("Shown to you")).to_be_visible()
    assert violations(page) == []
    dialog = ask(page)
    assert violations(page) == []
    inside = "dialog => dialog.scrollWidth <= dialog.clientWidth && dialog.getBoundingClientRect().width <= innerWidth"
    assert dialog.evaluate(inside)


def test_a_new_game_allows_it_if_the_rulebook_does(service: Service, new_context: NewContext) -> None:
    """The owner can change the setting."""
    player = Player(service)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    box = page.get_by_label("Players may show each other cards")
    for edition, chosen, expected in (
        (FFG, None, "allowed"),
        ("zman-2018", None, "none"),
        (FFG, False, "none"),
        ("zman-2018", True, "allowed"),
    ):
        page.goto(f"/new?edition={edition}")
        expect(box).to_be_checked(checked=edition == FFG)
        if chosen is not None:
            page.get_by_text("More settings").click()
            box.set_checked(chosen)
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/game/*")
        game = page.url.rpartition("/")[2]
        assert player.ask("GET", f"/games/{game}")["showing"] == expected
