"""A player's page: the record and the games."""

from __future__ import annotations

import pytest
import requests
from playwright.sync_api import Page, expect

from ..service.whole.product import Service
from .conftest import OpenPage
from .players import Player

pytestmark = pytest.mark.browser


def duel(service: Service) -> str:
    """Return the key of an edition for two players."""
    found: list[dict[str, str]] = requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]
    return next(one["key"] for one in found if "duel" in one["key"])


def test_a_record_and_the_games(page: Page, service: Service) -> None:
    player = Player(service, "Lodovico")
    finished = player.open(duel(service), 2, 1)
    player.ask("POST", f"/games/{finished['id']}/resign")
    running = player.open(duel(service), 2, 1)
    record = requests.get(f"{service.url}/v1/players/{player.account['id']}", timeout=30).json()["record"]
    page.goto(f"/player/{player.account['id']}")
    expect(page).to_have_title(player.name)
    expect(page.get_by_role("heading", level=1, name=player.name)).to_be_visible()
    for term, number in (("Moves", record["moves"]), ("Timeouts", record["timeouts"])):
        expect(page.locator("dl > div").filter(has=page.get_by_text(term, exact=True))).to_contain_text(str(number))
    lists = page.get_by_role("list")
    expect(lists.first.get_by_role("link")).to_have_attribute("href", f"/game/{running['id']}")
    expect(lists.last.get_by_role("link")).to_have_attribute("href", f"/game/{finished['id']}")
    expect(lists.last).to_contain_text("against Steady")
    expect(lists.last).to_contain_text("Won by Steady.")


def test_more_games_than_a_page_has(page: Page, service: Service) -> None:
    player = Player(service, "Lodovico")
    opened = {player.open(duel(service), 2, 1)["id"] for _ in range(21)}
    page.goto(f"/player/{player.account['id']}")
    links = page.get_by_role("list").first.get_by_role("link")
    expect(links).to_have_count(20)
    page.get_by_role("button", name="Show more").click()
    expect(links).to_have_count(21)
    assert {str(link.get_attribute("href")).removeprefix("/game/") for link in links.all()} == opened
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)


def test_your_own_page_leads_to_the_settings(new_page: OpenPage, service: Service) -> None:
    player, page = Player(service), new_page()
    player.sign_in(page.context)
    page.goto(f"/player/{player.account['id']}")
    page.get_by_role("main").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()


def test_a_deleted_player_and_an_unknown_one(page: Page, service: Service) -> None:
    player = Player(service)
    player.ask("DELETE", "/me", {"name": player.name})
    page.goto(f"/player/{player.account['id']}")
    expect(page.get_by_role("heading", level=1, name="Deleted player")).to_be_visible()
    page.goto("/player/p00000000000x")
    expect(page.get_by_role("alert").filter(has_text="player")).to_be_visible()
