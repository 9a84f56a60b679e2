"""Every problem that a click can bring about is shown in words, beside what was clicked.

The codes of each operation are those of its description. Left out are those of requests that the board never sends (not
JSON, too large), and those of a token that is not accepted, which lead to signing in: see `test_live`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from service.problems import PROBLEMS

from ..service.whole.product import Service
from .players import Json, Player

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
NEVER = {400, 401, 413, 415}
"""Statuses of problems that no click brings about, or that lead to signing in."""
FAULTS = ("internal-error", "read-only")
"""Codes that any operation may answer with."""
CLICKS = """async ([clicks, expected]) => {
    const shown = () => document.getElementById("content").innerText;
    const until = async (what, is) => {
        for (const start = performance.now(); performance.now() - start < 8000; ) {
            const found = is();
            if (found) return found;
            await new Promise(requestAnimationFrame);
        }
        throw new Error(`not shown: ${what}\n${shown()}`);
    };
    const texts = [];
    for (const text of expected) {
        for (const [selector, name, value] of clicks) {
            const all = () => [...document.querySelectorAll(selector)].filter(
                (one) => one.checkVisibility() && one.ariaDisabled !== "true" && !one.disabled,
            );
            const named = (one) => (one.ariaLabel ?? one.textContent).trim().startsWith(name);
            const target = await until(name || selector, () => all().filter(named).at(-1));
            if (value === null) target.click();
            else {
                target.value = value;
                target.dispatchEvent(new InputEvent("input", { bubbles: true }));
            }
        }
        await until(text, () => shown().includes(text));
        texts.push(shown());
    }
    return texts;
}"""
"""Clicks as often as there are texts, and returns what the page shows each time."""


class Click(NamedTuple):
    """What is clicked, and the operation of the API that this calls."""

    operation: str
    method: str
    path: str
    clicks: Sequence[tuple[str, str, str | None]]
    left_out: Sequence[str] = ()
    special: dict[str, str] = {}
    has_title: bool = True


def button(name: str, within: str = "main") -> tuple[str, str, None]:
    """Return a click on the last button with a name."""
    return (f"{within} button", name, None)


DESCRIPTION: Json = json.loads(OPENAPI.read_text())


def resolved(part: Json) -> Json:
    """Follow the references of a part of the description."""
    while "$ref" in part:
        found: Any = DESCRIPTION
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def codes_of(operation: str) -> list[str]:
    """Return the codes of the problems of an operation."""
    operations = (one for path in DESCRIPTION["paths"].values() for one in path.values() if isinstance(one, dict))
    found = next(one for one in operations if one.get("operationId") == operation)
    texts = (resolved(response).get("description", "") for response in found["responses"].values())
    codes = [code for text in texts for code in re.findall(r"^\* `([a-z-]+)`:", text, re.MULTILINE)]
    assert len(codes) > 3, operation
    return [code for code in codes if PROBLEMS[code].status not in NEVER] + list(FAULTS)


def detail(click: Click, code: str) -> str:
    """Return a text that nothing else on a page has."""
    return f"<b>{code}</b> of {click.operation}."


class Screen:
    """A page of a player, whose requests are refused one after the other."""

    def __init__(self, player: Player, context: BrowserContext, address: str) -> None:
        """Show an address."""
        player.sign_in(context)
        self.page: Page = context.new_page()
        self.player = player
        self.edition = "zman-2018-duel"
        rules = player.ask("GET", f"/editions/{self.edition}")["rules"]
        self.clause = rules[3]["number"]
        self._click: Click | None = None
        self._left: list[str] = []
        self.page.route(re.compile("/v1/"), self._answer)
        self.page.goto(address)

    def _answer(self, route: Route) -> None:
        request, click = route.request, self._click
        if click is None or request.method != click.method or not re.search(click.path, request.url):
            route.fallback()
            return
        code = self._left.pop(0)
        kind = PROBLEMS[code]
        problem = {
            "type": f"/problems/{code}",
            "title": kind.title,
            "status": kind.status,
            "code": code,
            "detail": detail(click, code),
            "request": "r",
            "clause": self.clause,
            "edition": self.edition,
        }
        # A minute is too long to try again by itself.
        route.fulfill(status=kind.status, json=problem, headers={"Retry-After": "100"})

    def check(self, click: Click) -> None:
        """Click once for each code, and compare what is shown."""
        codes = [code for code in codes_of(click.operation) if code not in click.left_out]
        self._click, self._left = click, [*codes]
        expected = [click.special.get(code, detail(click, code)) for code in codes]
        texts = self.page.evaluate(CLICKS, [click.clicks, expected])
        for code, text in zip(codes, texts, strict=True):
            if click.has_title and code not in click.special:
                assert PROBLEMS[code].title in text, code
                assert f"Rule {self.clause}" in text, code
        assert self._left == []


@pytest.fixture
def show(new_context: NewContext) -> Callable[..., Screen]:
    """Show a screen as a player."""
    return lambda player, address: Screen(player, new_context(), address)


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """Somebody who is refused everything."""
    return Player(service)


def running(player: Player) -> str:
    """Open a game in which it is the player's turn, with orders for later."""
    game = str(player.open("zman-2018-duel", 2, 1, clock={"kind": "per-move", "seconds": 3600})["id"])
    while not player.ask("GET", f"/games/{game}")["moves"]:
        player.ask("GET", f"/games/{game}/events?wait=5")
    orders = f"/games/{game}/orders"
    version = player.ask("GET", orders)["version"]
    player.ask("PUT", orders, {"after_battle": "keep", "battle": None}, **{"If-Match": f'"{version}"'})
    return game


def test_what_a_player_does_in_a_game(player: Player, show: Callable[..., Screen]) -> None:
    screen = show(player, f"/game/{running(player)}")
    page = screen.page
    for heading in ("Clock, options and more", "Standing orders"):
        page.get_by_text(heading).click()
    page.get_by_role("toolbar").locator("[aria-disabled=false]").first.click()
    page.locator("#confirm").wait_for()
    stale = {"stale-version": "Look again."}
    screen.check(Click("makeMove", "POST", "/moves$", [("#confirm", "", None)], special=stale))
    page.keyboard.press("Escape")
    screen.check(Click("pauseGame", "POST", "/pause$", [button("Ask for a pause")]))
    screen.check(Click("askForExtension", "POST", "/extension$", [button("Ask for 30 min")]))
    resign = [button("Resign"), ("#typed", "", "resign"), button("Resign", "dialog")]
    screen.check(Click("resign", "POST", "/resign$", resign))
    screen.check(Click("putOrders", "PUT", "/orders$", [button("Give these orders")]))
    screen.check(Click("deleteOrders", "DELETE", "/orders$", [button("Withdraw all orders")]))


def test_what_a_player_does_about_the_clock_and_the_seat(player: Player, show: Callable[..., Screen]) -> None:
    """The page is shown a game that is paused, and then one in which another player asks for time."""
    game = running(player)
    screen = show(player, f"/game/{game}")
    page = screen.page
    changes: list[Callable[[Json], None]] = []

    def changed(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view = answer.json()
        changes[-1](view)
        route.fulfill(response=answer, json=view)

    def paused(view: Json) -> None:
        view["clock"]["paused_since"] = view["clock"]["turn"]["since"]
        view["seated"][view["you"]]["bot"] = "steady"

    def asked(view: Json) -> None:
        view["clock"]["turn"]["seat"] = 1 - view["you"]
        view["clock"]["extension"] = {"extra": 600_000, "agreed": []}

    changes.append(paused)
    page.get_by_text("Clock, options and more").click()
    page.route(re.compile(f"/v1/games/{game}$"), changed)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    screen.check(Click("resumeGame", "POST", "/resume$", [button("End the pause")]))
    screen.check(Click("takeSeatBack", "POST", "/return$", [button("Take my seat back")]))
    changes.append(asked)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    screen.check(Click("grantExtension", "POST", "/extension/grant$", [button("Grant 10 min")]))


def test_what_is_done_before_the_start_and_after_the_end(
    service: Service, player: Player, show: Callable[..., Screen]
) -> None:
    guest = Player(service, "Lodovico")
    full = player.open("zman-2018", 3, 2, start="owner")["id"]
    screen = show(player, f"/game/{full}")
    screen.check(Click("startGame", "POST", "/start$", [button("Start the game")]))
    screen.check(Click("leaveGame", "POST", "/leave$", [button("Cancel the game")]))
    free = player.open("zman-2018", 3, 1)["id"]
    screen = show(guest, f"/game/{free}")
    screen.check(Click("joinGame", "POST", "/join$", [button("Join")]))
    over = player.open("zman-2018-duel", 2, 1)["id"]
    player.ask("POST", f"/games/{over}/resign")
    screen = show(player, f"/game/{over}")
    screen.check(Click("openGame", "POST", "/v1/games$", [button("New game with these settings")]))


def test_what_is_done_to_find_a_game(service: Service, player: Player, show: Callable[..., Screen]) -> None:
    """Codes that say that a game is gone have words of their own: see `test_lobby`."""
    player.open("zman-2018", 3, 0)
    gone = ("no-free-seat", "seat-taken", "game-started", "game-cancelled", "unknown-game", "already-seated")
    screen = show(Player(service, "Lodovico"), "/lobby")
    screen.check(Click("joinGame", "POST", "/join$", [("main button", "Join", None)], left_out=gone))
    screen = show(player, "/new")
    screen.check(Click("openGame", "POST", "/v1/games$", [button("Open the game")], has_title=False))


def test_what_is_done_in_the_settings(player: Player, show: Callable[..., Screen]) -> None:
    other = player.ask("POST", "/me/tokens", {"name": "Old laptop", "scopes": ["play"]})
    assert other["token"]
    screen = show(player, "/settings")
    confirm = ("dialog .primary", "", None)
    for click in (
        Click("changeMe", "PATCH", "/v1/me$", [button("Save")]),
        Click("goOnVacation", "POST", "/me/vacation$", [button("Begin vacation")]),
        Click("replaceToken", "POST", "/me/token$", [button("Replace token"), confirm]),
        Click("addDevice", "POST", "/me/devices$", [button("Get a code for another device")]),
        Click("revokeToken", "DELETE", "/me/tokens/", [("main button", "Revoke", None), confirm]),
        Click("replaceRecoveryCode", "POST", "/me/recovery-code$", [button("Get a new recovery code"), confirm]),
        Click("exportMe", "GET", "/me/export$", [button("Download your data")]),
        Click(
            "deleteMe",
            "DELETE",
            "/v1/me$",
            [button("Delete the account"), ("dialog input", "", player.name), confirm],
        ),
    ):
        screen.check(click)
    # What the page still asks for must not be answered by `_away`, which reads answers.
    screen.page.goto("about:blank")
    screen.page.route(re.compile("/v1/me$"), _away)
    screen.page.goto("/settings")
    screen.check(Click("comeBack", "DELETE", "/me/vacation$", [button("End vacation")]))


def _away(route: Route) -> None:
    """Answer as if the player were on vacation."""
    answer = route.fetch()
    me = answer.json()
    me["hours"]["vacation"]["away"] = True
    route.fulfill(response=answer, json=me)


def test_what_is_done_to_sign_in(service: Service, show: Callable[..., Screen]) -> None:
    screen = show(Player(service), "/settings")
    screen.page.get_by_role("button", name="Sign out").click()
    screen.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    screen.page.goto("/signin")
    # Of these, the last one is not tried again.
    codes = codes_of("registerPlayer")
    last = "registration-closed"
    assert last in codes
    ways = {"device": ("exchangeDevice", "/v1/devices$"), "recovery": ("recoverAccount", "/v1/recovery$")}
    for way, (operation, path) in ways.items():
        click = (f"section[aria-labelledby=signin-{way}] button", "", None)
        screen.check(Click(operation, "POST", path, [click]))
    register = Click("registerPlayer", "POST", "/v1/players$", [(".naming button.primary", "", None)])
    screen.check(register._replace(left_out=[last]))
    screen.check(register._replace(left_out=[code for code in codes if code != last]))
