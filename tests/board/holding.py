"""Requests of a page that are held back, while somebody signs in or out in another tab, or while time passes."""

from __future__ import annotations

import re
from collections.abc import Callable

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


def advance_until(page: Page, is_there: Callable[[], bool], step: int = 250) -> None:
    """Advance the clock of a page, by a number of milliseconds at a time, until something is there.

    The test must have installed the clock.
    """
    while not is_there():
        page.clock.run_for(step)


class Held:
    """Holds back the requests of a page that have a certain address and method."""

    def __init__(
        self,
        page: Page,
        address: str | re.Pattern[str],
        method: str = "GET",
        which: Callable[[Request], bool] = lambda _: True,
    ) -> None:
        """Hold back such requests from now on, if `which` accepts them."""
        self._page = page
        self._method = method
        self._which = which
        self._holds = True
        self._routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        if self._holds and route.request.method == self._method and self._which(route.request):
            self._routes.append(route)
        else:
            route.fallback()

    @property
    def holds_one(self) -> bool:
        """Whether such a request is held back now."""
        return bool(self._routes)

    def wait(self) -> None:
        """Wait until such a request is held back."""
        while not self._routes:
            self._page.wait_for_event("request")

    def let_all_go(self) -> None:
        """Let all of these requests go, and hold back no more."""
        self._holds = False
        while self._routes:
            self._routes.pop(0).continue_()

    def let_go(self) -> None:
        """Let the first of these requests go, and wait until the page has acted on the response."""
        held = self._routes.pop(0)

        def is_held(request: Request) -> bool:
            return (request.url, request.method) == (held.request.url, self._method)

        with self._page.expect_event("requestfinished", is_held):
            held.continue_()
        self._page.evaluate(TWO_FRAMES)
