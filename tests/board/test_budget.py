"""What a browser loads until the board is usable: bytes, requests, hosts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
import requests
from playwright.sync_api import BrowserContext, expect

from service import board

from ..service.whole.product import Service
from .players import Player
from .scenes import SEED, in_battle, play_until

pytestmark = pytest.mark.browser

MOST_BYTES, MOST_REQUESTS, MOST_OF_API = 60_000, 12, 3


NOTED = """() => new MutationObserver((_, observer) => {
    if (!document.querySelector("[role=toolbar] button")) return;
    observer.disconnect();
    window.loaded = performance.getEntriesByType("resource").map(({ name }) => name);
}).observe(document, { childList: true, subtree: true })"""
"""Notes what was loaded when the first card of the hand is there."""


def test_a_usable_board_is_small(new_context: Callable[..., BrowserContext], service: Service) -> None:
    """From an empty cache to the first card of the hand; the map counts, which the edition brings."""
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
    assert len(api) <= MOST_OF_API, api
    files = {address: requests.get(address, timeout=30) for address in loaded if address not in api}
    for answer in files.values():
        assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.content) < 1024
    sizes = {urlsplit(address).path: len(gzip.compress(answer.content)) for address, answer in files.items()}
    sizes["map"] = len(gzip.compress(json.dumps(player.ask("GET", "/editions/zman-2018")["board"]).encode()))
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_no_file_names_another_host() -> None:
    """Apart from the names of XML's vocabularies."""
    for name, content in board.assets().items():
        text = content.decode("latin-1").replace("http://www.w3.org/", "")
        assert "http://" not in text, name
        assert "https://" not in text or name.endswith(".txt"), name
