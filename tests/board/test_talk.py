"""Table talk: a message arrives, is shown as plain text, and can be read only by the people for whom it is meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from ..service.whole.product import Service
from .conftest import PHONE
from .players import Json, Player
from .scenes import REGION_FIRST

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
MARKUP = "<b>Roma</b> <img src=x onerror=alert(1)> & \u05e9\u05dc\u05d5\u05dd"
"""A text that looks like HTML and contains a word in a right-to-left script."""


IS_UNCOVERED = """part => {
    const { bottom, left, top, width } = part.getBoundingClientRect();
    return [top + 4, bottom - 4].every((y) => part.contains(document.elementFromPoint(left + width / 2, y)));
}"""
"""Returns whether something can be clicked at its upper and at its lower edge."""


class Table(NamedTuple):
    """A game of two people and a bot; the first player has a page that shows it."""

    game: str
    player: Player
    other: Player
    page: Page

    @property
    def talk(self) -> Locator:
        return self.page.locator("#talk")

    def open(self) -> None:
        """Open the talk panel."""
        self.talk.locator("summary").click()
        expect(self.talk.get_by_label("Your message")).to_be_visible()

    def say(self, player: Player, text: str, **where: object) -> Json:
        """Write a message over the API."""
        return player.ask("POST", f"/games/{self.game}/talk", {"text": text, **where})

    def heard(self, player: Player) -> list[Json]:
        """Return the messages that somebody can read."""
        found: list[Json] = player.ask("GET", f"/games/{self.game}/talk")["messages"]
        return found


@pytest.fixture
def table(service: Service, new_context: NewContext) -> Table:
    player, other = Player(service), Player(service, "Ginevra")
    game = player.open("zman-2018", 3, 1)["id"]
    other.ask("POST", f"/games/{game}/join")
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    expect(page.locator("#talk")).to_be_attached()
    return Table(game, player, other, page)


def test_a_message_is_written_and_read(table: Table) -> None:
    table.open()
    table.talk.get_by_label("Your message").fill("Good evening")
    table.talk.get_by_role("button", name="Send").click()
    expect(table.talk.get_by_text("Good evening")).to_be_visible()
    expect(table.talk.get_by_label("Your message")).to_have_value("")
    assert [(one["text"], one["room"]) for one in table.heard(table.other)] == [("Good evening", "table")]


@pytest.mark.parametrize("size", [(1024, 768), PHONE])
def test_the_newest_message_and_the_form_are_in_sight(table: Table, size: tuple[int, int]) -> None:
    """They are in sight at once, and the hand does not cover them. The list follows new messages."""
    for number in range(8):
        table.say(table.other, f"Message number {number}")
    width, height = size
    table.page.set_viewport_size({"width": width, "height": height})
    table.open()
    messages, form = table.talk.get_by_role("list", name="Messages"), table.talk.locator("form")
    expect(messages.get_by_text("Message number 7")).to_be_in_viewport(ratio=1)
    for part in (form.get_by_label("Your message"), form.get_by_role("button", name="Send")):
        expect(part).to_be_in_viewport(ratio=1)
        table.page.wait_for_function(IS_UNCOVERED, arg=part.element_handle())
    table.say(table.other, "And another one")
    expect(messages.get_by_text("And another one")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("key", ["Control+Enter", "Meta+Enter"])
def test_a_key_sends_the_message(table: Table, key: str) -> None:
    table.open()
    field = table.talk.get_by_label("Your message")
    field.fill("Good evening")
    field.press("Enter")
    expect(field).to_have_value("Good evening\n")
    field.press(key)
    expect(table.talk.get_by_role("listitem")).to_contain_text("Good evening")
    expect(field).to_have_value("")
    assert [one["text"] for one in table.heard(table.other)] == ["Good evening"]
    fonts = field.evaluate("field => [field, document.body].map((part) => getComputedStyle(part).fontFamily)")
    assert fonts[0] == fonts[1]


def test_what_others_write_arrives_and_is_counted_until_it_is_seen(table: Table) -> None:
    table.say(table.other, "Hello")
    expect(table.talk.locator("summary")).to_have_text(re.compile("1 new"))
    table.open()
    expect(table.talk.get_by_text("Hello")).to_be_visible()
    expect(table.talk.locator("summary")).not_to_have_text(re.compile("new"))
    table.say(table.other, "Are you there?")
    expect(table.talk.get_by_text("Are you there?")).to_be_visible()
    expect(table.talk.get_by_role("listitem")).to_have_count(2)


def test_a_message_is_text_and_nothing_else(table: Table) -> None:
    table.say(table.other, MARKUP)
    table.open()
    text = table.talk.get_by_role("listitem").locator("[dir=auto]")
    expect(text).to_have_text(MARKUP)
    expect(text).to_have_attribute("dir", "auto")
    expect(text.locator("*")).to_have_count(0)


def test_a_private_message_goes_to_those_who_are_ticked(table: Table) -> None:
    table.open()
    table.talk.get_by_label("Write to").select_option(label="some players only")
    expect(table.talk.get_by_role("checkbox")).to_have_count(1)
    table.talk.get_by_role("checkbox", name=table.other.name).check()
    table.talk.get_by_label("Your message").fill("Leave Roma to me")
    table.talk.get_by_role("button", name="Send").click()
    expect(table.talk.get_by_text(f"privately to {table.other.name}")).to_be_visible()
    assert [one["seats"] for one in table.heard(table.other)] == [[0, 1]]


def test_who_is_blocked_is_not_read_any_more(table: Table) -> None:
    table.say(table.other, "An insult")
    table.open()
    table.talk.get_by_role("button", name=f"Block {table.other.name}").click()
    expect(table.talk.get_by_text("An insult")).to_have_count(0)
    assert [one["player"] for one in table.player.ask("GET", "/me/blocks")["blocks"]] == [table.other.account["id"]]


def test_a_block_is_ended_in_the_settings(table: Table) -> None:
    name = table.other.name
    table.player.ask("PUT", f"/me/blocks/{table.other.account['id']}")
    table.page.goto("/settings")
    blocked = table.page.get_by_role("region", name="Blocked players", exact=True)
    blocked.get_by_role("button", name=f"Unblock {name}").click()
    expect(blocked.get_by_text("You have not blocked anybody.")).to_be_visible()
    assert table.player.ask("GET", "/me/blocks")["blocks"] == []


def test_the_start_page_counts_what_is_unread(table: Table) -> None:
    table.page.goto("/")
    expect(table.page.get_by_role("heading", name="Your games")).to_be_visible()
    table.say(table.other, "Hello")
    table.say(table.other, "Only you", room="seats", seats=[0])
    unread = table.page.get_by_role("region", name="Messages to you", exact=True)
    expect(unread.get_by_text("2 new")).to_be_visible()
    unread.get_by_role("link").click()
    table.open()
    expect(table.talk.get_by_text("Only you", exact=True)).to_be_visible()
    expect(table.talk.locator("summary")).not_to_have_text(re.compile("new"))
    table.page.goto("/")
    expect(table.page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(unread).to_have_count(0)


def test_a_message_is_reported(table: Table) -> None:
    table.say(table.other, "An insult")
    table.open()
    table.talk.get_by_role("button", name="Report").click()
    table.talk.get_by_label("What is wrong with this message?").fill("It is rude")
    table.talk.get_by_role("button", name="Send the report").click()
    expect(table.talk.get_by_label("What is wrong with this message?")).to_have_count(0)


def test_spectators_have_a_room_and_can_be_muted(table: Table, service: Service, new_context: NewContext) -> None:
    watcher = Player(service, "Watcher")
    context = new_context()
    watcher.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{table.game}")
    panel = page.locator("#talk")
    panel.locator("summary").click()
    expect(panel.get_by_label("Write to").locator("option")).to_have_text(["the spectators"])
    panel.get_by_label("Your message").fill("What a game")
    panel.get_by_role("button", name="Send").click()
    expect(panel.get_by_text("What a game")).to_be_visible()
    assert table.heard(table.player) == []
    table.open()
    table.talk.get_by_role("button", name="Mute all spectators").click()
    expect(table.talk.get_by_role("button", name="Let spectators write again")).to_be_visible()
    panel.get_by_label("Your message").fill("And now?")
    panel.get_by_role("button", name="Send").click()
    expect(panel.get_by_role("alert")).to_contain_text("muted")
    expect(panel.get_by_label("Your message")).to_have_value("And now?")


def test_the_rooms_follow_the_seat(service: Service, new_context: NewContext) -> None:
    """A guest joins a game whose page is already open, writes to the table, and leaves again."""
    owner, guest = Player(service), Player(service, "Ginevra")
    game = owner.open("zman-2018", 3, 0)["id"]
    context = new_context()
    guest.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    panel = page.locator("#talk")
    panel.locator("summary").click()
    rooms = panel.get_by_label("Write to").locator("option")
    expect(rooms).to_have_text(["the spectators"])
    page.get_by_role("button", name="Join", exact=True).click()
    expect(rooms).to_have_text(["everybody at the table", "some players only"])
    panel.get_by_label("Your message").fill("Good evening")
    panel.get_by_role("button", name="Send").click()
    expect(panel.get_by_role("listitem")).to_have_text(re.compile("Good evening"))
    assert [one["text"] for one in owner.ask("GET", f"/games/{game}/talk")["messages"]] == ["Good evening"]
    page.get_by_role("button", name="Leave").click()
    expect(rooms).to_have_text(["the spectators"])


def test_one_spectator_is_muted_and_may_write_again(table: Table, service: Service, new_context: NewContext) -> None:
    """The owner mutes the spectator, and can read the spectators' room when the game is over."""
    muted, other = Player(service, "Muted"), Player(service, "Watcher")
    for player in (table.player, table.other):
        table.player.ask("GET", f"/games/{table.game}")
        player.ask("POST", f"/games/{table.game}/resign")
    for player in (muted, other):
        table.say(player, f"I am {player.name}", room="spectators")
    table.page.reload()
    table.open()
    panel = table.talk
    expect(panel.get_by_role("button", name=f"Mute {other.name}")).to_be_visible()
    panel.get_by_role("button", name=f"Mute {muted.name}").click()
    again = panel.get_by_role("button", name=f"Let {muted.name} write again")
    expect(again).to_be_visible()
    mutes = {"everyone": False, "players": [muted.account["id"]]}
    assert table.player.ask("GET", f"/games/{table.game}/talk/mutes") == mutes
    context = new_context()
    muted.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{table.game}")
    page.locator("#talk summary").click()
    expect(page.get_by_text("You cannot write here now.")).to_be_visible()
    expect(page.locator("#talk").get_by_role("button", name=re.compile("^(Mute|Let)"))).to_have_count(0)
    table.say(other, "I may still write", room="spectators")
    table.page.reload()
    table.open()
    expect(panel.get_by_text("I may still write")).to_be_visible()
    again.click()
    expect(panel.get_by_role("button", name=f"Mute {muted.name}")).to_be_visible()
    table.say(muted, "So may I", room="spectators")


def test_promises_are_not_enforced_and_the_panel_says_so(table: Table) -> None:
    table.open()
    expect(table.talk.get_by_text("the game does not enforce promises")).to_be_visible()
    expect(table.talk.get_by_role("link", name="Rule 11.6")).to_have_attribute("href", "/rules/zman-2018#11.6")


def test_a_table_without_talk_has_no_panel(service: Service, new_context: NewContext) -> None:
    player = Player(service)
    game = player.open("zman-2018", 3, 2, seed=REGION_FIRST, talk="none")["id"]
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    expect(page.get_by_text("Options and more")).to_be_attached()
    expect(page.locator("#talk")).to_have_count(0)
