"""Nothing on a page moves while the page loads."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from ..service.whole.product import Service
from .conftest import DESKTOP, PHONE
from .players import Json, Player
from .scenes import SEED, is_finished, play_until, with_regions

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "desktop": DESKTOP}
UNSEEN = 0.001
"""A sum of layout shifts that nobody sees. A sum of up to 0.1 is good (web.dev/cls)."""
SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            const names = sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? node?.data ?? "");
            if (!hadRecentInput) shifts.push([value, ...names]);
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
LAST = {
    "signed out": ".home-live h2",
    "inbox": "main li p",
    "sign in": "main form",
    "lobby": ".lobby-record:not(:empty)",
    "new game": "main form",
    "before the start": ".guests",
    "running": ".game:has(.log-entry):has(.more):has(.orders summary):has([data-phase=pass])",
    "between battles": ".game:has(.log-entry):has(.more):has(.orders summary)",
    "over": ".game:has(.log-entry):has(.more)",
    "next game": ".table-next",
    "replay": ".log-entry",
    "rules": "main article, main section",
    "player": "main h1",
    "settings": "#settings-end",
}
"""An element of each screen that is drawn last."""
BUSY = ("inbox", "running", "between battles", "next game")
"""The screens of a player for whom games wait. The next game is offered on the page of a game of another player."""


@pytest.fixture(scope="module")
def busy(service: Service) -> Player:
    """A player whose turn it is in a game, with another game that has not started."""
    return Player(service)


@pytest.fixture(scope="module")
def idle(service: Service) -> Player:
    """A player for whom no game waits."""
    return Player(service)


@pytest.fixture(scope="module")
def addresses(busy: Player, idle: Player) -> dict[str, str]:
    """The address of each screen."""
    on = busy.open("zman-2018", 4, 3, seed=SEED, talk="all", showing="allowed")["id"]
    play_until(busy, on, with_regions)
    between = busy.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(busy, between, is_between)
    busy.open("ffg-2007", 4, 1)
    over = idle.open("zman-2018", 4, 3, seed=SEED, options={"battle_limit": 2})["id"]
    play_until(idle, over, is_finished)
    return {
        "signed out": "/",
        "inbox": "/",
        "sign in": "/signin",
        "lobby": "/lobby",
        "new game": "/new",
        "before the start": f"/game/{idle.open('ffg-2007', 4, 1)['id']}",
        "running": f"/game/{on}",
        "between battles": f"/game/{between}",
        "next game": f"/game/{over}",
        "over": f"/game/{over}",
        "replay": f"/game/{over}?at=9",
        "rules": "/rules/zman-2018",
        "player": f"/player/{idle.account['id']}",
        "settings": "/settings",
    }


def is_between(view: Json) -> bool:
    """Return whether the player chooses a region after some battles."""
    return bool(view["moves"]) and view["position"]["phase"] == "choose-region" and view["position"]["battle"] > 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", LAST)
def test_nothing_moves_while_a_page_loads(
    new_context: Callable[..., BrowserContext],
    busy: Player,
    idle: Player,
    addresses: dict[str, str],
    screen: str,
    size: str,
) -> None:
    """The space for what is drawn later is reserved, or the rest waits for it."""
    context = new_context(SIZES[size])
    context.add_init_script(f"({SHIFTS})()")
    if screen not in ("signed out", "sign in"):
        (busy if screen in BUSY else idle).sign_in(context)
    page = context.new_page()
    if screen == "next game":
        # The turns that wait are counted after a while.
        page.clock.install()
    page.goto(addresses[screen])
    if screen == "next game":
        expect(page.locator(LAST["over"])).to_be_attached()
        page.clock.fast_forward(3_000)
    expect(page.locator(LAST[screen]).first).to_be_attached()
    shifts = page.evaluate("new Promise(requestAnimationFrame).then(() => shifts)")
    assert sum(value for value, *_ in shifts) <= UNSEEN, shifts
