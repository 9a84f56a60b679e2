"""Checks a page with axe, which knows the accessibility rules."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
"""All rules. `preload` is off: no rule that runs needs the style sheets, and there is no sound or film to load."""
COLOURS: dict[str, Any] = EVERYTHING | {"runOnly": {"type": "tag", "values": ["cat.color"]}}
"""The rules that a different theme can break."""
ALIKE = [
    "main section > article:nth-of-type(n + 3)",
    "main .rules-pair > div > article:nth-of-type(n + 3)",
    ".rules section:nth-of-type(n + 5):not(:last-of-type)",
    "[role=log] li.log-entry:nth-of-type(n + 12):not([data-shown], :has([data-major]), :last-of-type)",
]
"""The clauses after the second in each section, the sections of the rules between the fourth and the last, and the
steps of a log between the eleventh and the last that end nothing. There are hundreds of them, all drawn alike, and axe
takes long to check each one."""
FOUND = """async ([options, alike]) => {
    const { violations } = await axe.run({ exclude: alike }, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}"""


def show(page: Page, address: str) -> None:
    """Show a screen, and wait until everything on it has loaded."""
    page.goto(address)
    page.locator("[data-drawn]:not(:has([aria-busy=true])) h1").first.wait_for(state="attached")


def violations(page: Page, options: dict[str, Any] = EVERYTHING) -> list[str]:
    """Return the violations that axe finds, one per line."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FOUND, [options, ALIKE])
    return found
