"""Somebody who plays a game in a browser with what the page shows: by clicking, or with the keyboard only."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator, Page, expect

TURN = re.compile(r"^Your turn")
OVER = re.compile(r"(won|cancelled the game|was cancelled)$")
INSIDE = """region => {
    region.scrollIntoView({block: "center"});
    const box = region.getBoundingClientRect();
    for (let row = 1; row < 12; row++) for (let column = 1; column < 12; column++) {
        const x = box.left + box.width * column / 12, y = box.top + box.height * row / 12;
        if (region.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}"""
"""Finds a point at which a click meets a region: the middle of the box around it may lie in another region."""


class Clicker:
    """A player who looks at a page, and clicks."""

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
        """Return a button of the actions."""
        return self.actions.get_by_role("button", name=name)

    def awaited(self) -> str:
        """Wait until it is this player's turn, or the game is over, and return the duty; "" after the end."""
        expect(self.bar).to_have_text(re.compile(f"{TURN.pattern}|{OVER.pattern}"), timeout=60_000)
        text = self.bar.inner_text()
        return text.partition(": ")[2] if TURN.match(text) else ""

    def play_to_the_end(self, most: int = 1000) -> None:
        """Make moves until the game is over."""
        while (duty := self.awaited()) and self.moves < most:
            self.make_a_move(duty)

    def make_a_move(self, duty: str) -> None:
        """Make one move of those that the page offers."""
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
                self.button("Keep the hand").click()
                self.confirm("Keep the hand")

    def choose_region(self) -> None:
        """Choose a region at random."""
        self.click_region(self.chance.choice(self.regions()))
        self.confirm(re.compile("^Choose "))

    def regions(self) -> list[Locator]:
        """Return the regions of the map that a move may name."""
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
            self.page.get_by_role("dialog").get_by_role("button", name="Pass").last.click()
            self.settle()
            return
        self.chance.choice(cards).click()
        asked, play = self.actions.get_by_role("group"), self.button(re.compile("^Play "))
        expect(asked.or_(play)).to_be_visible()
        if asked.count():
            answers = asked.get_by_role("button").all()
            if answers:
                self.chance.choice(answers).click()
            else:
                self.click_region(self.chance.choice(self.regions()))
        self.confirm(re.compile("^Play "))

    def confirm(self, name: str | re.Pattern[str]) -> None:
        """Confirm what is selected."""
        self.button(name).click()
        self.settle()

    def settle(self) -> None:
        """Wait until the move is made."""
        expect(self.actions.get_by_role("button", name="Back")).to_have_count(0)
        expect(self.page.get_by_role("main").get_by_role("alert")).to_have_count(0)
