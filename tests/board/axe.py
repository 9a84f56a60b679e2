"""What axe, which knows the rules of accessibility, finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
"""All rules. Without `preload`: no rule that runs needs the style sheets, and there is no sound or film to load."""
COLOURS: dict[str, Any] = EVERYTHING | {"runOnly": {"type": "tag", "values": ["cat.color"]}}
"""The rules that another theme can break."""
ALIKE = ["main section > article:nth-of-type(n + 4)", "main .rules-pair > div > article:nth-of-type(n + 4)"]
"""Clauses of rules beyond the third of a section: there are hundreds, drawn alike, and axe looks at each for long."""
FOUND = """async ([options, alike]) => {
    const { violations } = await axe.run({ exclude: alike }, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}"""


def show(page: Page, address: str) -> None:
    """Show a screen, and wait until it has all that it needs."""
    page.goto(address)
    page.locator("[data-drawn]:not(:has([aria-busy=true])) h1").first.wait_for(state="attached")


def violations(page: Page, options: dict[str, Any] = EVERYTHING) -> list[str]:
    """Return what axe finds, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FOUND, [options, ALIKE])
    return found
