"""Signing in with a name, a token, a one-time code or a recovery code, and the page that follows."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from ..service.whole.product import Service
from .players import Player

pytestmark = pytest.mark.browser

KEY = "condottiere.account"
ELSEWHERE = (
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "\\\\evil.example",
)


@pytest.fixture
def player(service: Service) -> Player:
    return Player(service)


def way(page: Page, heading: str) -> Locator:
    return page.get_by_role("region", name=heading)


def use_token(page: Page, token: str) -> None:
    part = way(page, "You have a token")
    part.get_by_label("Token").fill(token)
    part.get_by_role("button").click()


def kept(page: Page, storage: str = "localStorage") -> Any:
    return page.evaluate(f"JSON.parse({storage}.getItem('{KEY}'))")


def test_a_token_signs_in(page: Page, player: Player) -> None:
    page.goto("/signin")
    use_token(page, f" {player.account['token']} ")
    page.wait_for_url("**/")
    expect(page.get_by_role("link", name=player.name)).to_be_visible()
    assert kept(page) == {"token": player.account["token"], "player": player.account["id"], "name": player.name}


def test_a_wrong_token_is_explained(page: Page) -> None:
    page.goto("/signin")
    use_token(page, "p0000000000000.wrong")
    expect(way(page, "You have a token").get_by_role("alert").first).to_contain_text("This token is not valid.")
    assert kept(page) is None


def test_a_code_of_another_device_signs_in_once(page: Page, player: Player) -> None:
    code = player.ask("POST", "/me/devices", {})["code"]
    page.goto(f"/signin#code={code}")
    part = way(page, "You are signed in on another device")
    expect(part.get_by_label("One-time code")).to_have_value(code)
    part.get_by_label("Name of this device").fill("phone")
    part.get_by_role("button").click()
    page.wait_for_url("**/")
    assert "phone" in [token["name"] for token in player.ask("GET", "/me/tokens")["tokens"]]
    page.evaluate("localStorage.clear()")
    page.goto("/signin")
    part.get_by_label("One-time code").fill(code)
    part.get_by_role("button").click()
    expect(part.get_by_role("alert").filter(has_text="This code is not valid.").first).to_be_visible()


def test_a_recovery_code_signs_in_and_gives_the_next_one(page: Page, player: Player) -> None:
    page.goto("/signin")
    part = way(page, "You have a recovery code")
    part.get_by_label("Your name").fill(player.name)
    part.get_by_label("Recovery code").fill(player.account["recovery_code"].lower())
    part.get_by_role("button").click()
    page.wait_for_url("**/")
    assert kept(page)["token"] != player.account["token"]
    shown = page.get_by_role("region", name="Keep your recovery code").locator("code")
    expect(shown).to_have_text(page.evaluate("localStorage.getItem('condottiere.recovery')"))
    expect(shown).not_to_have_text(player.account["recovery_code"])


def test_a_new_name_registers(page: Page) -> None:
    name = f"New-{secrets.token_hex(3)}"
    page.goto("/signin?next=/lobby")
    part = way(page, "You are new here")
    part.get_by_label("Your name").fill(name)
    part.get_by_role("button", name="Create an account").click()
    page.wait_for_url("**/lobby")
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_on_a_shared_device_nothing_stays(page: Page, player: Player) -> None:
    page.goto("/signin")
    page.get_by_label("Stay signed in on this device").uncheck()
    part = way(page, "You have a recovery code")
    part.get_by_label("Your name").fill(player.name)
    part.get_by_label("Recovery code").fill(player.account["recovery_code"])
    part.get_by_role("button").click()
    page.wait_for_url("**/")
    expect(page.get_by_role("region", name="Keep your recovery code")).to_be_visible()
    assert kept(page) is None
    assert kept(page, "sessionStorage")["player"] == player.account["id"]
    assert page.evaluate("localStorage.getItem('condottiere.recovery')") is None


@pytest.mark.parametrize("address", ELSEWHERE)
def test_signing_in_leads_to_no_other_site(page: Page, service: Service, player: Player, address: str) -> None:
    page.goto(f"/signin?next={quote(address, safe='')}")
    use_token(page, player.account["token"])
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    assert page.url == f"{service.url}/"


def test_signing_out_removes_the_token_and_the_code(page: Page, player: Player) -> None:
    page.goto("/signin")
    part = way(page, "You have a recovery code")
    part.get_by_label("Your name").fill(player.name)
    part.get_by_label("Recovery code").fill(player.account["recovery_code"])
    part.get_by_role("button").click()
    page.wait_for_url("**/")
    page.goto("/signin")
    page.get_by_role("button", name="Sign out").click()
    expect(way(page, "You are new here")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => !key.includes('visit'))") == []
