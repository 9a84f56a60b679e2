"""The settings: how the board looks in this browser, and what belongs to the account."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import APIResponse, BrowserContext, Locator, Page, Route, expect

from ..service.whole.product import Service
from .conftest import REFUSE_TO_COPY, Faults, OpenPage
from .holding import SIGN_IN, SIGN_OUT, TWO_FRAMES, Held
from .players import Player

pytestmark = pytest.mark.browser


@pytest.fixture
def player(service: Service) -> Player:
    """A player who is signed in on `mine`."""
    return Player(service)


@pytest.fixture
def mine(new_page: OpenPage, player: Player) -> Page:
    """The player's settings page."""
    page = new_page()
    player.sign_in(page.context)
    page.goto("/settings")
    expect(page.get_by_role("heading", name="Hours")).to_be_visible()
    return page


def part(page: Page, name: str) -> Locator:
    """Return a section of the settings."""
    return page.get_by_role("region", name=name, exact=True)


def background(page: Page) -> str:
    """Return the background colour of the page."""
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_colours_are_kept_and_there_before_anything_is_drawn(page: Page) -> None:
    page.goto("/settings")
    light = background(page)
    page.get_by_role("radio", name="Dark").check()
    dark = background(page)
    assert dark != light
    page.reload()
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    assert background(page) == dark
    page.get_by_role("group", name="Colours").get_by_role("radio", name="As the system").check()
    assert background(page) == light
    page.emulate_media(color_scheme="dark")
    assert background(page) == dark


def test_colours_reach_the_other_tabs(new_context: Callable[..., BrowserContext]) -> None:
    context = new_context()
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto("/settings")
        expect(page.get_by_role("radio", name="Dark")).to_be_visible()
    one.get_by_role("radio", name="Dark").check()
    other.wait_for_function("() => document.documentElement.dataset.colours === 'dark'")


def test_the_rest_of_the_look(page: Page, module: Callable[[str], str]) -> None:
    page.goto("/settings")
    page.get_by_role("group", name="Motion").get_by_role("radio", name="Off").check()
    page.get_by_role("checkbox", name="Quick moves").check()
    page.get_by_role("checkbox", name="Keys").uncheck()
    page.get_by_role("checkbox", name="Sound").check()
    read = "async (address) => (await import(address)).look()"
    chosen = {"colours": "auto", "motion": "off", "quickMoves": True, "keys": False, "sound": True}
    assert page.evaluate(read, module("app.js")) == chosen
    page.reload()
    expect(page.get_by_role("checkbox", name="Keys")).not_to_be_checked()
    assert page.evaluate("document.documentElement.dataset.motion") == "off"
    page.evaluate("localStorage.setItem('condottiere.look', '{broken')")
    assert page.evaluate(read, module("app.js"))["keys"] is True


LISTEN = """() => {
    const node = { connect: (next) => next, start: () => notes++, stop: () => {} };
    const gain = { linearRampToValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
    Object.assign(window, { notes: 0, ended: 0, isMute: false });
    window.OscillatorNode = function () { return node; };
    window.GainNode = function () { return { ...node, gain }; };
    window.AudioContext = class {
        state = "suspended";
        currentTime = 0;
        resume = () => isMute ? new Promise(() => {}) : Promise.resolve().then(() => (this.state = "running"));
        close = async () => ended++;
    };
}"""
"""Counts the notes that a page plays. The browser allows them a moment after the page has asked, or not at all."""

COUNT = """async (address) => {
    const { App } = await import(address), one = new App();
    for (const turns of [1, 2, 1]) one.takeTurns(Array(turns).fill({ game: "a game" }));
}"""
"""Lets a page count the player's turns, of which the second is new."""


def test_a_new_turn_is_heard_only_by_those_who_want_it(page: Page, module: Callable[[str], str]) -> None:
    """Two notes are played for a turn. In a browser that plays nothing before the page was used, there are none."""
    page.goto("/settings")
    page.evaluate(LISTEN)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(COUNT, module("app.js"))
    assert not any(url.endswith("/sound.js") for url in asked)
    page.get_by_role("checkbox", name="Sound").check()
    with page.expect_request("**/sound.js"):
        page.evaluate(COUNT, module("app.js"))
    page.wait_for_function("() => notes === 2")
    page.evaluate("isMute = true")
    page.evaluate("async (address) => (await import(address)).ring()", module("sound.js"))
    assert page.evaluate("[notes, ended]") == [2, 1]


def test_a_sound_that_cannot_be_loaded_is_no_failure(page: Page, module: Callable[[str], str], faults: Faults) -> None:
    faults.expects("net::ERR_FAILED")
    page.route("**/sound.js", lambda route: route.abort())
    page.goto("/settings")
    page.get_by_role("checkbox", name="Sound").check()
    with page.expect_event("requestfailed"):
        page.evaluate(COUNT, module("app.js"))
    page.evaluate(TWO_FRAMES)
    expect(page.get_by_role("alert").filter(has_text="This page failed")).to_have_count(0)


def test_signed_out_only_the_look_is_shown(page: Page) -> None:
    page.goto("/settings")
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_text(["Look and feel", "Notifications"])


def test_hours(mine: Page, player: Player) -> None:
    hours = part(mine, "Hours")
    hours.get_by_label("Time zone").fill("Europe/Rome")
    hours.get_by_label("Night from").fill("23:00")
    hours.get_by_label("Night until").fill("07:00")
    hours.get_by_role("checkbox").check()
    hours.get_by_role("button", name="Save").click()
    expect(hours).to_contain_text("Saved.")
    saved = player.ask("GET", "/me")["hours"]
    assert (saved["time_zone"], saved["auto_vacation"]) == ("Europe/Rome", True)
    assert saved["sleep"] == {"from": "23:00", "until": "07:00"}
    hours.get_by_label("Time zone").fill("Rome")
    hours.get_by_role("button", name="Save").click()
    expect(hours.get_by_role("alert")).to_be_visible()
    expect(hours.get_by_label("Time zone")).to_have_value("Rome")
    hours.get_by_role("button", name=re.compile("^Use ")).click()
    hours.get_by_label("Night from").fill("")
    hours.get_by_label("Night until").fill("")
    hours.get_by_role("button", name="Save").click()
    expect(hours).to_contain_text("Saved.")
    assert player.ask("GET", "/me")["hours"]["sleep"] is None


def test_what_was_said_is_gone_on_the_next_screen_and_for_the_next_player(mine: Page) -> None:
    """Screen readers find it as long as it is in the page, and it may be a card that was shown in secret."""
    save, said = part(mine, "Hours").get_by_role("button", name="Save"), mine.locator("#spoken")
    save.click()
    expect(said).to_have_text("Saved.")
    mine.get_by_role("banner").get_by_role("link", name="Lobby").click()
    expect(mine.get_by_role("heading", name="Lobby")).to_be_visible()
    expect(said).to_have_text("")
    mine.go_back()
    save.click()
    expect(said).to_have_text("Saved.")
    mine.locator("#urgent").evaluate("place => { place.textContent = 'It is your turn.'; }")
    mine.evaluate(SIGN_OUT)
    expect(mine.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(said).to_have_text("")
    expect(mine.locator("#urgent")).to_have_text("")


def test_a_vacation_that_nobody_has_earned_yet(mine: Page) -> None:
    vacation = part(mine, "Vacation")
    button = vacation.get_by_role("button", name="Begin vacation")
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description(re.compile("at least an hour left"))


def test_a_vacation_begins_and_ends(mine: Page) -> None:
    """No player can earn an hour of vacation during a test, so the test replaces the service's responses."""
    hours = {"time_zone": "UTC", "sleep": None, "auto_vacation": False}
    away = {"left": 32_400_000, "away": True, "until": 1_795_028_800_000}
    sent: list[Any] = []

    def answer(route: Any) -> None:
        sent.append((route.request.method, route.request.post_data_json))
        vacation = away if route.request.method == "POST" else {**away, "away": False, "until": None}
        route.fulfill(json={**hours, "vacation": vacation})

    def earned(route: Any) -> None:
        real = route.fetch()
        me = real.json()
        me["hours"]["vacation"]["left"] = away["left"]
        route.fulfill(response=real, json=me)

    mine.route("**/v1/me/vacation", answer)
    mine.route("**/v1/me", earned)
    mine.reload()
    vacation = part(mine, "Vacation")
    vacation.get_by_label("Until").fill("2026-11-29T08:00")
    vacation.get_by_role("button", name="Begin vacation").click()
    expect(vacation).to_contain_text("You are on vacation until")
    expect(vacation).to_contain_text("9 h 0 min")
    vacation.get_by_role("button", name="End vacation").click()
    expect(vacation.get_by_role("button", name="Begin vacation")).to_be_visible()
    until = mine.evaluate("new Date('2026-11-29T08:00').getTime()")
    assert sent == [("POST", {"until": until}), ("DELETE", None)]


def test_standing_orders_of_all_games_are_listed_and_withdrawn(mine: Page, player: Player) -> None:
    shown = part(mine, "Standing orders")
    expect(shown).to_contain_text("You have no active orders.")
    first, second = (player.open("zman-2018", 3, 2)["id"] for _ in range(2))
    for game in (first, second):
        player.ask("PUT", f"/games/{game}/orders", {"after_battle": "keep"})
    mine.reload()
    expect(shown.get_by_role("listitem")).to_have_count(2)
    expect(shown.get_by_role("listitem").first).to_contain_text("After each battle, you keep your hand.")
    shown.get_by_role("button", name=f"Withdraw all orders in game {first}").click()
    expect(shown.get_by_role("listitem")).to_have_count(1)
    assert player.ask("GET", f"/games/{first}/orders")["after_battle"] is None
    player.ask("PUT", f"/games/{second}/orders", {"after_battle": "discard"})
    shown.get_by_role("button", name=f"Withdraw all orders in game {second}").click()
    expect(shown.get_by_role("alert")).to_be_visible()
    expect(shown.get_by_role("listitem")).to_contain_text("After each battle, you discard your hand")
    assert player.ask("GET", f"/games/{second}/orders")["after_battle"] == "discard"
    shown.get_by_role("link", name=f"Game {second}").click()
    expect(mine).to_have_url(re.compile(f"/game/{second}$"))


def test_the_token_is_shown_and_replaced(mine: Page, player: Player) -> None:
    token = part(mine, "Sign-in of this browser")
    expect(token).to_have_count(0)
    # A browser says only after a while that the settings are open. They stay open if the page is drawn before that.
    mine.evaluate("addEventListener('toggle', (event) => event.stopPropagation(), { capture: true, once: true })")
    mine.get_by_text("Technical settings").click()
    expect(token).not_to_contain_text(player.account["token"])
    token.get_by_role("button", name="Show token").click()
    expect(token.get_by_text(player.account["token"])).to_be_visible()
    token.get_by_role("button", name="Hide token").click()
    expect(token.get_by_text(player.account["token"])).to_have_count(0)
    token.get_by_role("button", name="Replace token").click()
    mine.get_by_role("dialog").get_by_role("button", name="Replace token").click()
    expect(token).to_contain_text("The token is replaced.")
    expect(mine.get_by_role("status").filter(has_text="The token is replaced.")).to_have_count(1)
    expect(mine.get_by_role("heading", name="Hours")).to_be_visible()
    account = json.loads(mine.evaluate("localStorage.getItem('condottiere.account')"))
    assert account["player"] == player.account["id"]
    assert account["token"] != player.account["token"]
    answer = requests.get(f"{player.url}/me", headers=player.headers, timeout=30)
    assert answer.status_code == 401


def test_a_token_that_is_replaced_late_signs_nobody_in_again(mine: Page) -> None:
    """The player has signed out in another tab before the response comes."""
    held = Held(mine, "**/v1/me/token", "POST")
    replace_token(mine)
    mine.evaluate(SIGN_OUT)
    signed_out = mine.get_by_role("banner").get_by_role("link", name="Sign in")
    expect(signed_out).to_be_visible()
    held.let_go()
    expect(signed_out).to_be_visible()
    assert mine.evaluate("localStorage.getItem('condottiere.account')") is None


def test_a_token_that_is_replaced_after_leaving_the_settings(mine: Page, player: Player, service: Service) -> None:
    """The player stays signed in, and the next player does not read that their token was replaced."""
    held = Held(mine, "**/v1/me/token", "POST")
    replace_token(mine)
    banner = mine.get_by_role("banner")
    banner.get_by_role("link", name="Lobby").click()
    expect(mine.get_by_role("heading", name="Lobby")).to_be_visible()
    held.let_go()
    account = json.loads(mine.evaluate("localStorage.getItem('condottiere.account')"))
    assert account["player"] == player.account["id"]
    assert account["token"] != player.account["token"]
    other = Player(service)
    mine.evaluate(SIGN_IN, other.account)
    banner.get_by_role("link", name=other.name).click()
    expect(mine.get_by_role("heading", name="Hours")).to_be_visible()
    expect(mine.get_by_text("The token is replaced.")).to_have_count(0)


def test_a_request_with_the_token_that_is_being_replaced_signs_nobody_out(mine: Page, player: Player) -> None:
    """Whichever tab sent it: the browser does not know the new token yet."""
    answers: list[tuple[Route, APIResponse]] = []
    mine.route("**/v1/me/token", lambda route: answers.append((route, route.fetch())))
    tab = mine.context.new_page()
    tab.goto("/settings")
    tab.get_by_role("heading", name="Hours").wait_for()
    replace_token(mine)
    while not answers:
        mine.evaluate("0")
    for page in (mine, tab):
        with page.expect_response(lambda response: response.status == 401):
            page.get_by_role("banner").get_by_role("link", name="Your games").click()
        page.evaluate(TWO_FRAMES)
    [(route, answer)] = answers
    route.fulfill(response=answer)
    for page in (mine, tab):
        expect(page.get_by_role("banner").get_by_role("link", name=player.name)).to_be_visible()
        expect(page.get_by_text("It is not your turn in any game.")).to_be_visible()
        assert not any(page.get_by_role("alert").all_inner_texts())
    account = json.loads(mine.evaluate("localStorage.getItem('condottiere.account')"))
    assert account["token"] == answer.json()["token"]


def replace_token(page: Page) -> None:
    """Ask for another token in the settings."""
    page.get_by_text("Technical settings").click()
    page.get_by_role("button", name="Replace token").click()
    with page.expect_request("**/v1/me/token"):
        page.get_by_role("dialog").get_by_role("button", name="Replace token").click()


def test_a_code_for_another_device(mine: Page, player: Player) -> None:
    devices = part(mine, "Devices and programs")
    devices.get_by_role("checkbox").uncheck()
    devices.get_by_role("button", name="Get a code for another device").click()
    code = devices.locator("code").inner_text()
    answer = requests.post(f"{player.url}/devices", json={"code": code, "name": "phone"}, timeout=30)
    assert answer.json()["scopes"] == ["read", "play"]
    mine.reload()
    phone = devices.get_by_role("listitem").filter(has_text="phone")
    expect(phone).to_contain_text("May use: read, play.")
    phone.get_by_role("button", name="Sign out phone").click()
    mine.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(phone).to_be_visible()
    phone.get_by_role("button", name="Sign out phone").click()
    mine.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(phone).to_have_count(0)
    own = devices.get_by_role("listitem").filter(has_text="This device")
    expect(devices.get_by_text("registration")).to_have_count(0)
    expect(own.get_by_role("button")).to_have_count(0)
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert requests.get(f"{player.url}/me", headers=headers, timeout=30).status_code == 401


def test_a_new_recovery_code(mine: Page, player: Player) -> None:
    recovery = part(mine, "Recovery code")
    recovery.get_by_role("button", name="Get a new recovery code").click()
    mine.get_by_role("dialog").get_by_role("button", name="Get a new code").click()
    code = recovery.locator("code").inner_text()
    mine.evaluate(REFUSE_TO_COPY)
    recovery.get_by_role("button", name="Copy").click()
    expect(recovery.get_by_text("Press Ctrl+C to copy it")).to_be_visible()
    assert mine.evaluate("getSelection().toString()") == code
    answer = requests.post(f"{player.url}/recovery", json={"name": player.name, "code": code}, timeout=30)
    assert answer.status_code == 201


def test_the_export_is_a_file(mine: Page, player: Player, tmp_path: Path) -> None:
    mine.get_by_text("Technical settings").click()
    with mine.expect_download() as loading:
        part(mine, "Your data").get_by_role("button", name="Download your data").click()
    path = tmp_path / "export.json"
    loading.value.save_as(path)
    assert loading.value.suggested_filename == "condottiere.json"
    assert json.loads(path.read_text())["player"]["name"] == player.name


def test_signing_out(mine: Page, player: Player) -> None:
    part(mine, "Leave").get_by_role("button", name="Sign out").click()
    mine.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(mine).to_have_url(re.compile("/$"))
    expect(mine.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    assert mine.evaluate("localStorage.getItem('condottiere.account')") is None
    assert player.ask("GET", "/me")["name"] == player.name


def test_the_account_is_deleted_only_if_the_name_is_typed(mine: Page, player: Player) -> None:
    part(mine, "Leave").get_by_role("button", name="Delete the account").click()
    dialog = mine.get_by_role("dialog")
    field = dialog.get_by_label(f"Type {player.name} to confirm")
    expect(field).to_be_focused()
    field.fill(f"{player.name}x")
    dialog.get_by_role("button", name="Delete the account").click()
    expect(dialog).to_be_visible()
    assert player.ask("GET", "/me")["name"] == player.name
    field.fill(player.name)
    dialog.get_by_role("button", name="Delete the account").click()
    expect(mine).to_have_url(re.compile("/$"))
    assert requests.get(f"{player.url}/me", headers=player.headers, timeout=30).status_code == 401


def test_an_account_that_is_deleted_late_signs_no_other_player_out(
    mine: Page, player: Player, service: Service
) -> None:
    held = Held(mine, "**/v1/me", "DELETE")
    part(mine, "Leave").get_by_role("button", name="Delete the account").click()
    mine.get_by_label(f"Type {player.name} to confirm").fill(player.name)
    with mine.expect_request(lambda request: request.method == "DELETE"):
        mine.get_by_role("dialog").get_by_role("button", name="Delete the account").click()
    other = Player(service)
    mine.evaluate(SIGN_IN, other.account)
    name = mine.get_by_role("banner").get_by_role("link", name=other.name)
    expect(name).to_be_visible()
    held.let_go()
    expect(name).to_be_visible()
    expect(mine).to_have_url(re.compile("/settings$"))
    assert requests.get(f"{player.url}/me", headers=player.headers, timeout=30).status_code == 401


def test_escape_closes_a_question_and_focus_returns(mine: Page) -> None:
    button = part(mine, "Leave").get_by_role("button", name="Sign out")
    button.click()
    expect(mine.get_by_role("dialog")).to_be_visible()
    mine.keyboard.press("Escape")
    expect(mine.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_a_device_keeps_the_name_that_the_player_has_given(new_page: OpenPage, player: Player) -> None:
    """From it, the token of the registration is another device's."""
    token = player.ask("POST", "/me/tokens", {"name": "phone", "scopes": ["read", "account"]})["token"]
    player.account = {**player.account, "token": token}
    page = new_page()
    player.sign_in(page.context)
    page.goto("/settings")
    shown = part(page, "Devices and programs").get_by_role("listitem")
    expect(shown).to_contain_text(["First device", "phone (this browser)"])
    expect(shown.get_by_role("button", name="Sign out First device")).to_be_visible()


def test_a_token_that_may_only_play(new_page: OpenPage, player: Player) -> None:
    """A refused action is reported next to its control."""
    limited = player.ask("POST", "/me/tokens", {"name": "phone", "scopes": ["read", "play"]})["token"]
    player.account = {**player.account, "token": limited}
    page = new_page()
    player.sign_in(page.context)
    page.goto("/settings")
    expect(part(page, "Devices and programs").get_by_role("alert")).to_be_visible()
    hours = part(page, "Hours")
    hours.get_by_role("button", name="Save").click()
    expect(hours.get_by_role("alert")).to_be_visible()
