"""What axe, which knows the rules of accessibility, finds on a page."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def show(page: Page, address: str) -> None:
    """Show a screen, and wait until it has all that it needs."""
    page.goto(address)
    page.locator("[data-drawn]:not(:has([aria-busy=true])) h1").first.wait_for(state="attached")


def violations(page: Page) -> list[str]:
    """Return what axe finds, a line each."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [f"{item['id']}: {node['html'][:150]}" for item in found for node in item["nodes"]]
