"""The frame of the board's pages, and how the service serves its files."""

from __future__ import annotations

import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import Literal

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from service import board

from ..service.whole.product import Service
from .conftest import Faults, OpenPage
from .players import Player

pytestmark = pytest.mark.browser

SCREENS = ("/", "/lobby", "/new", "/settings", "/signin")


def test_every_file_has_an_address_of_this_release_and_is_kept_forever(service: Service) -> None:
    frame = requests.get(f"{service.url}/", timeout=30)
    assert frame.headers["Cache-Control"] == "public, no-cache"
    assert "trusted-types lit-html" in frame.headers["Content-Security-Policy"]
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', frame.text)
    assert len(files) > 5
    for path in files:
        answer = requests.get(service.url + path, timeout=30)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
        assert requests.get(service.url + re.sub("/static/[^/]+/", "/static/0/", path), timeout=30).status_code == 404


CHANGED = ("art.svg", "languages/en/texts.js", "vendor/lit-html.js", "icon-192.png", "worker.js")


def test_a_change_in_any_file_gives_all_of_them_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Browsers keep files forever, and a page never mixes the files of two releases."""
    monkeypatch.syspath_prepend(tmp_path)
    found = []
    for number, name in enumerate(("", *CHANGED)):
        copy = tmp_path / f"board_{number}"
        shutil.copytree(Path(board.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if name:
            file = copy / "files" / name
            file.write_bytes(file.read_bytes() + b" ")
        found.append(import_module(copy.name).base())
    assert found[0] == board.base()
    assert len(set(found)) == len(found)


POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "lit-html service-worker",
}
"""Everything that a page may load and do: no inline code, and nothing from another origin."""


@pytest.mark.parametrize("path", [*SCREENS, "/game/g1", "/rules/zman-2018", "/player/p1"])
def test_every_page_is_shut_off_from_other_sites(service: Service, path: str) -> None:
    headers = requests.get(service.url + path, timeout=30).headers
    directives = (directive.strip().partition(" ") for directive in headers["Content-Security-Policy"].split(";"))
    assert {name: value for name, _, value in directives} == POLICY
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Set-Cookie" not in headers


@pytest.mark.parametrize("path", SCREENS)
def test_every_screen_is_drawn(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Lobby")).to_be_visible()


@pytest.mark.parametrize("path", ["/rules/zman-2018", "/player/me", "/lobby", "/new"])
def test_a_screen_says_that_it_loads_once_that_takes_long(page: Page, path: str) -> None:
    page.route("**/v1/**", lambda _: None)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(path)
    while not page.locator("#app[data-drawn] > main > *").count():
        page.clock.run_for(16)
    page.clock.run_for(350)
    assert "Loading" not in page.inner_text("body")
    page.clock.run_for(100)
    expect(page.get_by_text("Loading …")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_game_says_that_it_loads_once_that_takes_long(
    new_page: OpenPage, motion: Literal["no-preference", "reduce"]
) -> None:
    page = new_page(reduced_motion=motion)
    page.route("**/v1/**", lambda _: None)
    page.goto("/game/some")
    loading = page.get_by_text("Loading", exact=True)
    expect(loading).to_have_css("animation-name", "game-late")
    expect(loading).to_have_css("animation-duration", "0.4s")
    expect(loading).to_have_css("opacity", "1")


def test_an_address_that_leads_nowhere_says_so(page: Page) -> None:
    """The service sends its own page for an unknown address."""
    answer = page.goto("/nowhere")
    assert answer is not None
    assert answer.status == 404


def test_a_step_back_to_an_address_that_leads_nowhere_leads_home(page: Page) -> None:
    page.goto("/lobby")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("main")).to_contain_text("There is nothing at this address.")
    page.get_by_role("link", name="Go to the start page").click()
    expect(page.get_by_role("heading", level=1, name="Condottiere")).to_be_visible()
    expect(page).to_have_url(re.compile("/$"))


def test_a_page_of_an_earlier_release_asks_to_be_reloaded(page: Page) -> None:
    """Files of another release have other addresses, so the old page cannot load a screen that was not open yet."""
    page.goto("/lobby")
    screen = re.compile("/new.js$")
    page.route(screen, lambda route: route.fulfill(status=404))
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("main")).to_contain_text("The service has been updated.")
    page.unroute(screen)
    page.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("heading", level=1, name="New game")).to_be_visible()


SENT = """(address) => performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.endsWith(address))
    .map(({ transferSize }) => transferSize > 0)"""
"""Whether each request for a document went over the network."""


def test_the_browser_keeps_editions_and_no_games(page: Page, service: Service) -> None:
    """An edition is the same for everybody, and changes only in a new release.

    A page that asks for its game again is not sent what it has already.
    """
    game = Player(service).open("zman-2018", 3, 2)["id"]
    edition, sentences = "/v1/editions/zman-2018", "/v1/editions/zman-2018/sentences"
    for visit in range(2):
        page.goto(f"/game/{game}")
        expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
        for address in (edition, sentences):
            assert page.evaluate(SENT, address) == [visit == 0], address
        assert set(page.evaluate(SENT, f"/v1/games/{game}")) == {True}
    with page.expect_request(f"**/v1/games/{game}") as again:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert again.value.headers["if-none-match"]


def test_a_browser_without_scripts_is_told_of_the_api(service: Service) -> None:
    frame = requests.get(f"{service.url}/", timeout=30).text
    told = re.search(r"<noscript>(.*?)</noscript>", frame, re.DOTALL)
    assert told is not None
    assert "needs JavaScript" in told[1]
    link = re.search('href="([^"]+)"', told[1])
    assert link is not None
    assert requests.get(service.url + link[1], timeout=30).ok


def test_a_browser_that_cannot_run_the_board_is_told_after_a_while(page: Page, faults: Faults) -> None:
    """The browser supports modules, but not the features that they use."""

    def unknown(route: Route) -> None:
        route.fulfill(body="import a from b c;", content_type="text/javascript")

    page.route(re.compile("/app.js$"), unknown)
    with page.expect_event("pageerror"):
        page.goto("/lobby")
    late = page.get_by_text("The board has not started.")
    expect(late).to_be_hidden()
    page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
    expect(late).to_be_visible()
    faults.found.clear()


def test_a_browser_that_knows_no_modules_is_told_at_once(page: Page, service: Service) -> None:
    """Such a browser runs the script that all others skip."""
    frame = requests.get(f"{service.url}/", timeout=30)
    old = re.sub(r'<script type="module"[^>]*></script>', "", frame.text).replace("script nomodule", "script")
    assert old.count("<script ") == 1

    def without_modules(route: Route) -> None:
        policy = frame.headers["Content-Security-Policy"]
        route.fulfill(body=old, content_type="text/html", headers={"Content-Security-Policy": policy})

    page.route(re.compile("/lobby$"), without_modules)
    page.goto("/lobby")
    expect(page.get_by_text("The board has not started.")).to_be_visible()
