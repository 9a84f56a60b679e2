"""A page of the board whose requests the service refuses, once with each code of the operation.

The codes of an operation come from its OpenAPI description. Two groups are left out: codes for requests that the board
never sends (not JSON, too large), and codes for a token that is not accepted. The latter lead to the sign-in page: see
`test_live`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Page, Route

from service import board
from service.problems import PROBLEMS

from .players import Json, Player

OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
NEVER = {400, 401, 413, 415}
"""Problem statuses that no click can cause, or that lead to signing in."""
FAULTS = ["internal-error", "read-only"]
"""Codes with which any operation may respond."""
SHOWN = "text => document.getElementById('content').innerText.includes(text)"
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
            const names = name.split("|");
            const named = (one) => names.some((each) => (one.ariaLabel ?? one.textContent).trim().startsWith(each));
            const target = await until(name || selector, () => all().filter(named).at(-1));
            if (value === null) target.click();
            else {
                target.value = value;
                for (const type of ["input", "change"]) target.dispatchEvent(new InputEvent(type, { bubbles: true }));
            }
        }
        await until(text, () => shown().includes(text));
        texts.push(shown());
    }
    return texts;
}"""
"""Clicks once for each expected text, and returns what the page shows each time. One "click" may be a sequence of
clicks."""


class Click(NamedTuple):
    """What a test clicks, the API operation that the click calls, and what the page continues to show."""

    operation: str
    method: str
    path: str
    clicks: Sequence[tuple[str, str, str | None]]
    left_out: Sequence[str] = ()
    special: dict[str, str] = {}
    has_title: bool = True
    kept: str = ""


def button(name: str, within: str = "main") -> tuple[str, str, None]:
    """Return a click on the last button with this name."""
    return (f"{within} button", name, None)


DESCRIPTION: Json = json.loads(OPENAPI.read_text())


def resolved(part: Json) -> Json:
    """Follow the references in a part of the description."""
    while "$ref" in part:
        found: Any = DESCRIPTION
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def codes_of(operation: str) -> list[str]:
    """Return the problem codes of an operation."""
    operations = (one for path in DESCRIPTION["paths"].values() for one in path.values() if isinstance(one, dict))
    found = next(one for one in operations if one.get("operationId") == operation)
    texts = (resolved(response).get("description", "") for response in found["responses"].values())
    codes = [code for text in texts for code in re.findall(r"^\* `([a-z-]+)`:", text, re.MULTILINE)]
    assert codes, operation
    return [code for code in codes if PROBLEMS[code].status not in NEVER] + FAULTS


_, _, _TEXTS = board.assets()["texts.screens.js"].decode().partition("\n  advice: {\n")
ADVICE = dict(re.findall(r'"([a-z-]+)": "(.+)",', _TEXTS.partition("\n  },\n")[0]))
"""What the board says in place of the details of some codes, because these details are about the API."""


def detail(click: Click, code: str) -> str:
    """Return a text that occurs nowhere else on a page."""
    return f"<b>{code}</b> of {click.operation}."


class Screen:
    """A player's page. Each of its requests is refused in turn."""

    def __init__(self, player: Player, context: BrowserContext) -> None:
        """Open an empty page."""
        player.sign_in(context)
        self.page: Page = context.new_page()
        self.player = player
        self.edition = "zman-2018-duel"
        rules = player.ask("GET", f"/editions/{self.edition}")["rules"]
        self.clause = rules[3]["number"]
        self._click: Click | None = None
        self._left: list[str] = []
        self._written: list[str] = []
        self.page.route(re.compile("/v1/"), self._answer)

    def open(self, address: str, first: Click | None = None) -> Screen:
        """Open an address; if `first` is given, its request is refused once."""
        self._click, self._left = first, FAULTS[:1]
        self.page.goto(address)
        if first is not None:
            self.page.get_by_text(detail(first, FAULTS[0])).wait_for(state="attached")
        self._click = None
        return self

    def hold_streams(self) -> None:
        """Hold back all streams: once a stream is open, the board reloads what it shows."""
        self.page.route(re.compile("/stream"), lambda _: None)

    def _answer(self, route: Route) -> None:
        request, click = route.request, self._click
        if request.method != "GET":
            self._written.append(request.url)
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
        # The delay is longer than the page waits before an automatic retry.
        route.fulfill(status=kind.status, json=problem, headers={"Retry-After": "100"})

    def check(self, click: Click) -> None:
        """Click once for each code, and check that the page shows the problem and what it showed before."""
        self.page.wait_for_function(SHOWN, arg=click.kept)
        codes = [code for code in codes_of(click.operation) if code not in click.left_out]
        self._click, self._left = click, [*codes]
        expected = [click.special.get(code, ADVICE.get(code, detail(click, code))) for code in codes]
        self._written.clear()
        texts = self.page.evaluate(CLICKS, [click.clicks, expected])
        self._click = None
        for code, text in zip(codes, texts, strict=True):
            assert click.kept in text, code
            if click.has_title and code not in click.special:
                assert PROBLEMS[code].title in text, code
                assert f"Rule {self.clause}" in text, code
        assert self._left == []
        assert click.method != "GET" or self._written == []
