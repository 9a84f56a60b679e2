"""Requests of a page that are held back, while somebody signs in or out in another tab."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Request, Route

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SIGN_IN = """account => {
    const newValue = JSON.stringify({ token: account.token, player: account.id, name: account.name });
    localStorage.setItem("condottiere.account", newValue);
    dispatchEvent(new StorageEvent("storage", { key: "condottiere.account", newValue }));
}"""
"""Signs a player in as if in another tab."""
SIGN_OUT = """() => {
    localStorage.removeItem("condottiere.account");
    dispatchEvent(new StorageEvent("storage", { key: "condottiere.account", newValue: null }));
}"""
"""Signs the player out as if in another tab."""


class Held:
    """Holds back the requests of a page that have a certain address and method."""

    def __init__(self, page: Page, address: str | re.Pattern[str], method: str = "GET") -> None:
        """Hold back such requests from now on."""
        self._page = page
        self._method = method
        self._routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        if route.request.method == self._method:
            self._routes.append(route)
        else:
            route.fallback()

    def let_go(self) -> None:
        """Let the first of these requests go, and wait until the page has acted on the response."""
        held = self._routes.pop(0)

        def is_held(request: Request) -> bool:
            return (request.url, request.method) == (held.request.url, self._method)

        with self._page.expect_event("requestfinished", is_held):
            held.continue_()
        self._page.evaluate(TWO_FRAMES)
