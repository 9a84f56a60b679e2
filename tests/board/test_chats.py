"""Chats that receive news of games: added in the settings, confirmed with a code that the chat shows, and removed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from ..service.whole.product import Service
from .axe import violations
from .players import Player
from .test_settings import part

pytestmark = pytest.mark.browser

CODE = re.compile("[0-9A-Z]{4}-[0-9A-Z]{4}")
ADDED = "A code is on its way to the chat."


class Chat:
    """A server on this machine that receives plain text and shows each message, as a chat does."""

    def __init__(self) -> None:
        """Start listening."""
        self.texts: list[str] = []
        self._news = threading.Condition()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                chat._take(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _take(self, text: str) -> None:
        with self._news:
            self.texts.append(text)
            self._news.notify_all()

    def shown(self, pattern: str | re.Pattern[str], times: int = 1) -> str:
        """Return the matches of a pattern as soon as this number of messages matches it."""

        def found() -> list[str]:
            return [match[0] for text in self.texts if (match := re.search(pattern, text))]

        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= times, 30), self.texts
            return found()[-1]


@pytest.fixture
def chat() -> Iterator[Chat]:
    made = Chat()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def player(service: Service) -> Player:
    return Player(service)


@pytest.fixture
def mine(new_context: Callable[..., BrowserContext], player: Player) -> Page:
    """The player's settings, with the section for chats."""
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto("/settings#settings-chats")
    expect(part(page, "Chats").get_by_label("Kind of chat")).to_be_visible()
    return page


def add(page: Page, kind: str, url: str) -> Locator:
    """Add a chat, and return the section of the settings."""
    chats = part(page, "Chats")
    chats.get_by_label("Kind of chat").select_option(label=kind)
    chats.get_by_label("Address (URL)").fill(url)
    chats.get_by_role("button", name="Add the chat").click()
    return chats


def test_a_chat_is_added_confirmed_and_removed(mine: Page, player: Player, chat: Chat) -> None:
    """After the confirmation, the chat receives the turn that is waiting for the player."""
    player.open("zman-2018-duel", 2, 1)
    chats = add(mine, "Plain text", f"http://{chat.host}/hook")
    expect(chats).to_contain_text(ADDED)
    expect(chats.get_by_label("Address (URL)")).to_have_value("")
    name = f"Plain text at {chat.host}"
    code = chats.get_by_label(f"Code shown by {name}")
    expect(code).to_be_visible()
    expect(chats).not_to_contain_text("/hook")
    chat.shown(CODE)
    chats.get_by_role("button", name="Send the code again").click()
    shown = chat.shown(CODE, times=2)
    code.fill("0000-0000")
    chats.get_by_role("button", name="Confirm").click()
    expect(chats.get_by_role("alert")).to_be_visible()
    code.fill(shown.lower())
    chats.get_by_role("button", name="Confirm").click()
    expect(chats).to_contain_text("The chat is confirmed.")
    expect(chats.get_by_role("alert")).to_have_count(0)
    expect(code).to_have_count(0)
    chat.shown("it is your turn")
    (webhook,) = player.ask("GET", "/webhooks")["webhooks"]
    assert (webhook["format"], webhook["url"]) == ("text", f"http://{chat.host}/hook")
    assert webhook["verified_at"] is not None
    mine.reload()
    expect(chats.get_by_role("listitem")).to_contain_text("Confirmed.")
    chats.get_by_role("button", name=f"Remove {name}").click()
    expect(chats).to_contain_text("The chat gets no more messages.")
    expect(chats.get_by_role("listitem")).to_have_count(0)
    assert player.ask("GET", "/webhooks")["webhooks"] == []


KINDS = {
    "Discord": ("discord", r"^\{\"content\""),
    "Slack or Mattermost": ("slack", r"^\{\"text\""),
    "ntfy": ("ntfy", "^[^{]"),
}
"""The format for each kind of chat, and the beginning of its messages."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_chat_gets_what_it_can_read(mine: Page, player: Player, chat: Chat, kind: str) -> None:
    """The settings also explain where to find the address of each kind of chat."""
    chats = part(mine, "Chats")
    before = mine.locator("#chats-help").inner_text()
    chats.get_by_label("Kind of chat").select_option(label="Plain text")
    expect(mine.locator("#chats-help")).not_to_have_text(before)
    add(mine, kind, f"http://{chat.host}/hook")
    expect(chats).to_contain_text(ADDED)
    wanted, beginning = KINDS[kind]
    assert [one["format"] for one in player.ask("GET", "/webhooks")["webhooks"]] == [wanted]
    chat.shown(beginning)


def test_an_address_that_is_not_allowed_is_refused(mine: Page, player: Player) -> None:
    chats = add(mine, "Discord", "https://10.0.0.7/hook")
    expect(chats.get_by_role("alert")).to_contain_text("This URL is not allowed for a webhook.")
    expect(chats.get_by_label("Address (URL)")).to_have_value("https://10.0.0.7/hook")
    assert player.ask("GET", "/webhooks")["webhooks"] == []


def test_webhooks_of_programs_are_not_listed_as_chats(mine: Page, player: Player) -> None:
    """A chat that was switched off is marked as such, and can be switched on again."""
    player.ask("POST", "/webhooks", {"url": "https://bots.example.org/", "active": False})
    quiet = {"url": "https://chat.example.org/hook", "format": "slack", "active": False}
    webhook = player.ask("POST", "/webhooks", quiet)["id"]
    mine.reload()
    chats = part(mine, "Chats")
    expect(chats.get_by_role("listitem")).to_have_count(1)
    expect(chats.get_by_role("listitem")).to_contain_text("Slack or Mattermost at chat.example.org")
    expect(chats.get_by_role("listitem")).to_contain_text("Nothing is sent at present.")
    chats.get_by_role("button", name="Send messages again").click()
    expect(chats.get_by_label("Code shown by Slack or Mattermost at chat.example.org")).to_be_visible()
    assert player.ask("GET", f"/webhooks/{webhook}")["active"]
    assert violations(mine) == []
