"""What a browser loads until the board is usable: the number of bytes, requests and hosts."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import BrowserContext, expect

from service import board
from service.api.board import SCREENS

from ..service.whole.product import Service
from .players import Player
from .scenes import SEED, in_battle, play_until

pytestmark = pytest.mark.browser

MOST_BYTES, MOST_REQUESTS, MOST_OF_API = 60_000, 12, 3


LOADED = "performance.getEntriesByType('resource').map(({ name }) => name)"
NOTED = """() => new MutationObserver((_, observer) => {
    if (!document.querySelector("[role=toolbar] button")) return;
    observer.disconnect();
    window.loaded = performance.getEntriesByType("resource").map(({ name }) => name);
}).observe(document, { childList: true, subtree: true })"""
"""Records what has been loaded when the first card of the hand appears."""


def test_a_usable_board_is_small(new_context: Callable[..., BrowserContext], service: Service) -> None:
    """Loading is measured from an empty cache to the first card of the hand. It includes the edition's map."""
    player = Player(service)
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, game, in_battle)
    context = new_context()
    context.add_init_script(f"({NOTED})()")
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    expect(page.get_by_role("toolbar")).to_be_visible()
    loaded: list[str] = [page.url, *page.evaluate("loaded")]
    # The tab's icon is not part of the page.
    loaded = [address for address in loaded if not address.endswith("/icon.svg")]
    assert {urlsplit(address).netloc for address in loaded} == {urlsplit(service.url).netloc}
    api = [address for address in loaded if urlsplit(address).path.startswith("/v1/")]
    assert len(loaded) <= MOST_REQUESTS, " ".join(loaded)
    named = set(re.findall(r'(?:src|href)="([^"]+)"', requests.get(page.url, timeout=30).text))
    late = [path for path in map(_path, loaded) if path.startswith("/static/") and path not in named]
    assert late == []
    assert len(api) <= MOST_OF_API, api
    sizes = {urlsplit(address).path: bytes_sent(address) for address in loaded if address not in api}
    sizes["map"] = len(gzip.compress(json.dumps(player.ask("GET", "/editions/zman-2018")["board"]).encode()))
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def bytes_sent(address: str) -> int:
    """Return the number of bytes in the body of a response, as the service sends it to a browser."""
    answer = requests.get(address, headers={"Accept-Encoding": "gzip"}, stream=True, timeout=30)
    body = answer.raw.read(decode_content=False)
    assert answer.headers.get("Content-Encoding") == "gzip" or len(body) < 1024
    return len(body)


def _path(address: str) -> str:
    return urlsplit(address).path


@pytest.mark.parametrize(("address", "script"), SCREENS.items(), ids=list(SCREENS))
def test_a_page_names_every_script_of_its_screen(
    service: Service, new_context: Callable[..., BrowserContext], address: str, script: str
) -> None:
    """A browser can therefore load all of them at the same time.

    Scripts that the screen imports later are not included.
    """
    page = new_context().new_page()
    page.route("**/v1/**", lambda _: None)
    path = address.replace("<edition>", "zman-2018").replace("<game>", "some").replace("<player>", "some")
    page.goto(path)
    expect(page.locator("#app[data-drawn] > main > *").first).to_be_attached()
    loaded = {_path(name) for name in page.evaluate(LOADED) if _path(name).endswith(".js")}
    named = set(re.findall(r'(?:src|href)="([^"]+\.js)"', requests.get(service.url + path, timeout=30).text))
    assert f"{board.base()}/{script}" in loaded
    # `old.js` is for browsers without support for modules.
    assert loaded - {f"{board.base()}/stream.js"} == named - {f"{board.base()}/old.js"}


def test_no_file_names_another_host() -> None:
    """The only exceptions are the names of XML vocabularies."""
    for name, content in board.assets().items():
        text = content.decode("latin-1").replace("http://www.w3.org/", "")
        assert "http://" not in text, name
        assert "https://" not in text or name.endswith(".txt"), name
