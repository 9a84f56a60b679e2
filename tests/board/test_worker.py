"""The service worker: it caches the page and files of a release, and no API responses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from service.board import assets

from ..service.whole.product import Service
from .conftest import Faults
from .players import Player

pytestmark = pytest.mark.browser

KEPT = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    }
    return found;
}"""


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A browser context in which service workers run."""
    return new_context(service_workers="allow")


def installed(page: Page) -> None:
    """Open the board, and wait until its service worker is ready."""
    page.goto("/settings")
    page.evaluate("navigator.serviceWorker.ready")


def test_all_files_of_the_release_are_kept_and_nothing_else(context: BrowserContext, service: Service) -> None:
    page, player = context.new_page(), Player(service)
    player.sign_in(context)
    installed(page)
    page.goto(f"/player/{player.account['id']}")
    expect(page.get_by_role("heading", level=1, name=player.name)).to_be_visible()
    (kept,) = page.evaluate(KEPT).items()
    assert kept[0].startswith("condottiere /static/")
    files = {re.sub("^/static/[^/]+/[^/]+/", "", path) for path in kept[1] if path != "/"}
    assert len(kept[1]) == len(files) + 1
    assert files == set(assets())
    assert not any("/v1" in path for path in kept[1])


def test_the_board_starts_without_a_network(context: BrowserContext) -> None:
    page = context.new_page()
    installed(page)
    page.reload()
    page.evaluate("navigator.serviceWorker.controller.state")
    context.set_offline(True)
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    page.get_by_role("radio", name="Dark").check()
    context.set_offline(False)


def test_pages_come_from_the_network_while_there_is_one(context: BrowserContext) -> None:
    page = context.new_page()
    installed(page)
    page.reload()
    page.evaluate(
        """async () => {
            const [name] = await caches.keys(), cache = await caches.open(name);
            await cache.put("/", new Response("an old page"));
        }"""
    )
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    answer = page.goto("/docs")
    assert answer is not None
    assert not answer.from_service_worker


def test_the_api_is_never_answered_by_the_worker(context: BrowserContext, service: Service, faults: Faults) -> None:
    page, player = context.new_page(), Player(service)
    player.sign_in(context)
    installed(page)
    with page.expect_response("**/v1/me") as found:
        page.reload()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    assert not found.value.from_service_worker
    context.set_offline(True)
    assert page.evaluate("fetch('/v1/editions').then(() => 'an answer', () => 'no answer')") == "no answer"
    context.set_offline(False)
    assert faults.found
    assert all("ERR_INTERNET_DISCONNECTED" in fault for fault in faults.found)
    faults.found.clear()


def test_a_new_release_deletes_what_earlier_ones_have_kept(context: BrowserContext) -> None:
    page = context.new_page()
    page.route("**/worker.js", lambda route: route.abort())
    page.goto("/settings")
    page.evaluate("Promise.all([caches.open('condottiere /static/0'), caches.open('something else')])")
    page.unroute("**/worker.js")
    page.reload()
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("caches.has('condottiere /static/0').then((has) => !has)")
    names = page.evaluate("caches.keys()")
    assert len(names) == 2
    assert "something else" in names


def test_a_worker_of_another_address_is_refused(context: BrowserContext, faults: Faults) -> None:
    """Trusted Types allow the board's script to register only the board's own worker."""
    page = context.new_page()
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    register = "navigator.serviceWorker.register('/static/other.js').then(() => '', (error) => error.name)"
    assert page.evaluate(register) == "TypeError"
    again = (
        "(() => { try { trustedTypes.createPolicy('other', {}); return ''; } catch (error) { return error.name; } })()"
    )
    assert page.evaluate(again) == "TypeError"
    assert len(faults.found) == 2
    faults.found.clear()


def test_the_manifest_has_icons_of_the_sizes_that_it_says(service: Service) -> None:
    frame = requests.get(f"{service.url}/", timeout=30).text
    found = re.search(r'rel="manifest" href="([^"]+)"', frame)
    assert found is not None
    manifest = requests.get(service.url + found[1], timeout=30)
    assert manifest.headers["Content-Type"].startswith("application/manifest+json")
    content = json.loads(manifest.text)
    assert (content["start_url"], content["scope"], content["display"]) == ("/", "/", "standalone")
    icons = {(icon["sizes"], icon["purpose"]): icon for icon in content["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= set(icons)
    total = 0
    for icon in content["icons"]:
        answer = requests.get(f"{service.url}{Path(found[1]).parent}/{icon['src']}", timeout=30)
        assert answer.headers["Content-Type"].split(";")[0] == icon["type"]
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(answer.content[start : start + 4], "big") for start in (16, 20))
            assert f"{width}x{height}" == icon["sizes"]
            total += len(answer.content)
    assert total <= 20_000
