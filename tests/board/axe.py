"""What axe, which knows the rules of accessibility, finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = EVERYTHING | {"runOnly": {"type": "tag", "values": ["cat.color"]}}
"""The rules that another theme can break."""


def show(page: Page, address: str) -> None:
    """Show a screen, and wait until it has all that it needs."""
    page.goto(address)
    page.locator("[data-drawn]:not(:has([aria-busy=true])) h1").first.wait_for(state="attached")


def violations(page: Page, options: dict[str, Any] = EVERYTHING) -> list[str]:
    """Return what axe finds, a line each."""
    found: list[dict[str, Any]] = Axe().run(page, options=options).response["violations"]
    return [f"{item['id']}: {node['html'][:150]}" for item in found for node in item["nodes"]]
