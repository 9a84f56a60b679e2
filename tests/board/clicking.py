"""A player who uses only what the page shows, either by clicking or with the keyboard."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

TURN = "Your turn: "
ASKED = """turn => {
    const text = document.querySelector("main [role=status]")?.textContent.trim() ?? "";
    return text.startsWith(turn) || /(won|cancelled the game|was cancelled)$/.test(text) ? { text } : null;
}"""
"""Returns the text of the bar as soon as it is the player's turn or the game is over."""
MADE = """() => {
    const buttons = [...document.querySelectorAll("[aria-label='Your move'] button")];
    const selected = buttons.some(({ textContent }) => textContent.trim() === "Back");
    return !selected && !document.querySelector("main [role=alert]")?.checkVisibility();
}"""
"""Returns whether no move is selected and no refusal is shown."""
KEEP = re.compile("^(Keep the hand|Continue)")
ANOTHER = "version => document.querySelector('[data-version]')?.dataset.version !== version"
CHOICE = """() => {
    const part = document.querySelector("[aria-label='Your move']");
    return part.querySelector("[role=group]") ? { asks: true } : part.querySelector("#confirm") && { asks: false };
}"""
"""Waits until the page either asks for a second choice or offers to confirm the move; returns which of the two."""
MOST = 60_000
"""Milliseconds within which bots must have made their moves."""
INSIDE = """region => {
    region.scrollIntoView({block: "start"});
    const box = region.getBoundingClientRect();
    for (let row = 1; row < 12; row++) for (let column = 1; column < 12; column++) {
        const x = box.left + box.width * column / 12, y = box.top + box.height * row / 12;
        if (region.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}"""
"""Finds a point at which a click hits a region: the middle of its bounding box may be in another region.

The region is scrolled to the top, because on a phone, the hand covers the lower part of the window.
"""


class Clicker:
    """A player who looks at a page and clicks."""

    def __init__(self, page: Page, eagerness: float = 0.5, seed: int = 1) -> None:
        """Play a card with a chance of `eagerness`, and pass otherwise."""
        self.page = page
        self.eagerness = eagerness
        self.chance = random.Random(seed)
        self.moves = 0
        self.bar = page.get_by_role("main").get_by_role("status").first
        self.hand = page.get_by_role("toolbar")
        self.map = page.get_by_role("group", name="Map")
        self.actions = page.get_by_role("region", name="Your move")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return the button with this name among the actions."""
        return self.actions.get_by_role("button", name=name)

    def awaited(self) -> str:
        """Wait until it is this player's turn or the game is over, and return the duty, or "" after the end.

        The check runs in each frame of the page, because `expect` polls at growing intervals, which is too slow for
        whole games.
        """
        text: str = self.page.wait_for_function(ASKED, arg=TURN, timeout=MOST).json_value()["text"]
        return text.removeprefix(TURN) if text.startswith(TURN) else ""

    def play_to_the_end(self, most: int = 1000) -> None:
        """Make moves until the game is over."""
        while (duty := self.awaited()) and self.moves < most:
            self.make_a_move(duty)

    def make_a_move(self, duty: str) -> None:
        """Make one of the moves that the page offers."""
        self.moves += 1
        match duty:
            case "choose a region":
                self.choose_region()
            case "play a card or pass":
                self.fight()
            case "choose the cards to keep":
                self.button("Choose cards to keep").click()
                self.hand.get_by_role("button").first.click()
                self.confirm("Keep 1 card")
            case "draw cards":
                self.button("Draw cards").click()
                self.confirm(re.compile("^Draw"))
            case _:
                self.keep_the_hand(lambda: self.button(KEEP).click())

    def keep_the_hand(self, act: Callable[[], None]) -> None:
        """Keep the hand, which takes one tap, and wait until the page shows the next version of the game."""
        before = self.page.locator("[data-version]").get_attribute("data-version")
        act()
        self.page.wait_for_function(ANOTHER, arg=before)

    def choose_region(self) -> None:
        """Choose a region at random."""
        self.click_region(self.chance.choice(self.regions()))
        self.confirm(re.compile("^Choose "))

    def regions(self) -> list[Locator]:
        """Return the regions on the map that a move can name."""
        return self.map.get_by_role("button", name=re.compile("may begin here|may move here")).all()

    def click_region(self, region: Locator) -> None:
        """Click a region."""
        x, y = region.evaluate(INSIDE)
        self.page.mouse.click(x, y)

    def fight(self) -> None:
        """Play a card, or pass."""
        cards = self.hand.locator("[aria-disabled=false]").all()
        if not cards or self.chance.random() > self.eagerness:
            self.button("Pass").click()
            dialog = self.dialog()
            answers = dialog.get_by_role("group").get_by_role("button").all()
            if answers:
                self.chance.choice(answers).click()
            dialog.get_by_role("button", name="Pass", exact=True).click()
            self.settle()
            return
        self.chance.choice(cards).click()
        if self.asks():
            answers = self.actions.get_by_role("group").get_by_role("button").all()
            if answers:
                self.chance.choice(answers).click()
            else:
                self.click_region(self.chance.choice(self.regions()))
        self.confirm(re.compile("^Play "))

    def dialog(self) -> Locator:
        """Wait for the dialog that asks whether to pass, and return the dialog."""
        dialog = self.page.get_by_role("dialog", name="Pass?")
        dialog.wait_for()
        return dialog

    def asks(self) -> bool:
        """Return whether the page asks a question about the selected card."""
        asks: bool = self.page.wait_for_function(CHOICE).json_value()["asks"]
        return asks

    def confirm(self, name: str | re.Pattern[str]) -> None:
        """Confirm the selected move."""
        self.button(name).click()
        self.settle()

    def settle(self) -> None:
        """Wait until the move has been made."""
        self.page.wait_for_function(MADE)


FOCUSED = """() => {
    const found = document.activeElement;
    return found.getAttribute("aria-label") ?? found.textContent.trim();
}"""
"""What a screen reader says about the element that has the focus."""
MOST_TABS = 60
"""After this number of presses of Tab, everything on a page has had the focus."""


class Typist(Clicker):
    """A player who uses only the keyboard: no mouse, and the focus moves only by keys."""

    def focused(self) -> str:
        """Return the words of the element that has the focus."""
        words: str = self.page.evaluate(FOCUSED)
        return words

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    def go_to_the_hand(self) -> None:
        """Go to the hand; the focus moves there when the page is next drawn."""
        self.press("h")
        expect(self.hand.locator(":focus")).to_have_count(1)

    def go_to_the_map(self) -> None:
        """Go to the map; the focus moves there when the page is next drawn."""
        self.press("m")
        expect(self.map.locator(":focus")).to_have_count(1)

    def tab_to(self, words: str | re.Pattern[str]) -> None:
        """Press Tab until the focus is on an element with these words."""
        for _ in range(MOST_TABS):
            if re.match(words, self.focused()):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {words}")

    def expect_focus(self, words: str) -> None:
        """Wait until the focus is on an element with these words."""
        self.page.wait_for_function(f"words => new RegExp(words).test(({FOCUSED})())", arg=words)

    def make_a_move(self, duty: str) -> None:
        """Make one of the moves that the page offers."""
        self.moves += 1
        match duty:
            case "choose a region":
                self.go_to_the_map()
                self.select_region()
                self.expect_focus("^Choose ")
                self.press("Enter")
            case "play a card or pass":
                self.fight()
                return
            case _:
                self.go_to_the_hand()
                self.tab_to(KEEP)
                self.keep_the_hand(lambda: self.press("Enter"))
        self.settle()

    def select_region(self) -> None:
        """Go to a region that a move can name, and select it."""
        name = self.chance.choice(self.regions()).get_attribute("aria-label") or ""
        self.press("Home")
        for _ in range(MOST_TABS):
            if self.focused() == name:
                break
            self.press(name[0].lower())
        assert self.focused() == name
        self.press("Enter")

    def fight(self) -> None:
        """Play a card, or pass."""
        cards = self.hand.locator("[aria-disabled=false]").all()
        if not cards or self.chance.random() > self.eagerness:
            self.press("p")
            answers = self.dialog().get_by_role("group").get_by_role("button").all_inner_texts()
            if answers:
                self.tab_to(f"^{re.escape(self.chance.choice(answers))}$")
                self.press("Enter")
            self.tab_to("^Pass$")
            self.press("Enter")
            self.settle()
            return
        wanted = self.chance.choice(cards).get_attribute("aria-label") or ""
        self.go_to_the_hand()
        self.press("Home")
        for _ in range(MOST_TABS):
            if self.focused() == wanted:
                break
            self.press("ArrowRight")
        self.press("Enter")
        if self.asks():
            if self.actions.get_by_role("group").get_by_role("button").count():
                self.tab_to("^(Take|Turn|No)")
                self.press("Enter")
            else:
                self.go_to_the_map()
                self.select_region()
        self.expect_focus("^Play ")
        self.press("Enter")
        self.settle()
