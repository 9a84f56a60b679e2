"""The replay: every version as the service shows it, by slider, step by step or playing, at an address to share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .conftest import PHONE, OpenPage
from .players import Player
from .scenes import SEED, is_finished, reach
from .test_log import play

pytestmark = pytest.mark.browser

Json = dict[str, Any]

IS_ON_TOP = """button => {
  const { x, y } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(x + 9, y + 9));
}"""

STEP_IN_LOG = """version => {
  const log = document.querySelector("[role=log]");
  const [step] = log.querySelectorAll(`a[href$='?at=${version}']`);
  const [box, at] = [log, step].map((element) => element.getBoundingClientRect());
  return at.top + at.height / 2 > box.top && at.top + at.height / 2 < box.bottom;
}"""
"""Whether a step is in the visible part of the log, which may be outside the window."""

SHOWN = """() => {
    const text = (selector, from = document) => from.querySelector(selector)?.textContent.trim() ?? "";
    const signs = (list) => [...list.querySelectorAll("use")].map((sign) => sign.getAttribute("href").slice(6));
    // They are in a column beside the row, once, with their number.
    const courtesans = (seat) => Array(Number(/×(\\d+)/.exec(seat.innerText)?.[1] ?? 0)).fill("courtesan");
    const seats = [...document.querySelectorAll("article[data-seat]")];
    const value = document.querySelector("[type=range]").ariaValueText;
    const counts = Object.fromEntries([...document.querySelectorAll("[aria-label=Seats] dl > div")]
        .map((count) => [text("dt", count), text("dd", count)]));
    return {
        address: location.search,
        bar: text("main [role=status]"),
        slider: value.replace(/: \\w.*/s, ": ..."),
        season: document.querySelector("[data-season]")?.dataset.season ?? null,
        round: counts["Round"],
        battle: counts["Battle"],
        deck: counts["Deck"],
        discard: text("[aria-label=Seats] summary b"),
        marker: counts["Battle marker"],
        favor: counts["Favor marker"] ?? null,
        regions: [...document.querySelectorAll("[aria-label=Map] [role=button]")]
            .map((region) => region.getAttribute("aria-label").split(", ").slice(0, 2).join(", ")),
        fought: [...document.querySelectorAll("[aria-label=Map] [role=button][aria-label*='battle in progress']")]
            .map((region) => region.dataset.region),
        seats: seats.map((seat) => ({
            seat: Number(seat.dataset.seat),
            strength: Number(text("[aria-expanded]", seat)),
            cards: Number(/(\\d+) cards?/.exec(text("p", seat))[1]),
            row: [...[...seat.querySelectorAll("[aria-label^='Row of']")].flatMap(signs), ...courtesans(seat)].sort(),
            passed: /passed/.test(text("p", seat)),
            marker: seat.querySelector("p").querySelector("use[href='#marker']") !== null,
        })),
    };
}"""
DRAWN = f"expected => JSON.stringify(({SHOWN})()) === JSON.stringify(expected)"
"""Whether the page shows a version correctly."""


@pytest.fixture(scope="module")
def finished(service: Service) -> str:
    """The id of a finished game."""
    player = Player(service)
    game: str = player.open("zman-2018", 3, 2, seed=SEED, options={"battle_limit": 5})["id"]
    assert play(player, game, 1000)["status"] == "finished"
    return game


def ask(service: Service, path: str) -> Json:
    answer = requests.get(f"{service.url}/v1{path}", timeout=30)
    answer.raise_for_status()
    found: Json = answer.json()
    return found


def expected_of(view: Json, newest: int, regions: list[Json]) -> Json:
    """Return what the page must show for a version."""
    position, version = view["position"], view["version"]
    names = [seat["name"] or f"{seat['label']} {seat['seat']}" for seat in view["seated"]]
    owners = {region: f"held by {names[seat['seat']]}" for seat in position["seats"] for region in seat["regions"]}
    fights = position["phase"] == "battle"
    return {
        "address": f"?at={version}",
        "bar": f"Step {version} of {newest}",
        "slider": f"{version} of {newest}: ...",
        "season": position["season"],
        "round": str(position["round"]),
        "battle": str(position["battle"]),
        "deck": str(position["deck"]),
        "discard": str(position["discard"]),
        "marker": names[position["marker"]],
        "favor": next((region["name"] for region in regions if region["key"] == position["favor"]), None),
        "regions": [f"{region['name']}, {owners.get(region['key'], 'held by nobody')}" for region in regions],
        "fought": [] if position["contested"] is None else [position["contested"]],
        "seats": [
            {
                "seat": seat["seat"],
                "strength": seat["strength"],
                "cards": seat["hand"]["count"],
                "row": sorted(seat["row"]),
                "passed": fights and seat["passed"],
                "marker": seat["seat"] == position["marker"],
            }
            for seat in position["seats"]
        ],
    }


def test_each_version_is_drawn_as_the_service_shows_it(page: Page, service: Service, finished: str) -> None:
    """The test compares owners, rows, strengths, passes, hands, the season, the battle, markers and counts."""
    newest = ask(service, f"/games/{finished}")["version"]
    regions = ask(service, "/editions/zman-2018")["board"]["regions"]
    page.goto(f"/game/{finished}?at=1")
    slider = page.get_by_role("slider")
    slider.wait_for()
    for version in range(newest, 0, -1):
        slider.fill(str(version))
        expected = expected_of(ask(service, f"/games/{finished}?version={version}"), newest, regions)
        page.wait_for_function(DRAWN, arg=expected)


def test_a_replay_of_a_finished_game_shows_all_hands(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """The players of the game see them too. The hands are shown as they were at each version."""
    player = Player(service)
    end = reach(player, "zman-2018", 3, "12", is_finished, battle_limit=2)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    version = end["version"] // 2
    page.goto(f"/game/{end['id']}?at={version}")
    then = player.ask("GET", f"/games/{end['id']}?version={version}")["position"]["seats"]
    assert [seat["hand"]["count"] for seat in then] != [seat["hand"]["count"] for seat in end["position"]["seats"]]
    for seat in then:
        hand = page.locator(f'article[data-seat="{seat["seat"]}"]').get_by_role("list", name=re.compile("^Hand of "))
        expect(hand.get_by_role("listitem")).to_have_count(seat["hand"]["count"])
    expect(page.get_by_role("slider")).to_have_value(str(version))
    expect(page.get_by_role("toolbar")).to_have_count(0)
    expect(page.get_by_text("Standing orders")).to_have_count(0)


def test_buttons_lead_to_steps_battles_and_rounds(page: Page, service: Service, finished: str) -> None:
    """A battle begins when its region is chosen. From a later step, the button back leads there first."""
    commits = ask(service, f"/games/{finished}/events")["commits"]
    begun = [c["seq"] for c in commits if any(event["type"] == "region-chosen" for event in c["events"])]
    over = {"round-ended", "game-ended"}
    rounds = [c["seq"] for c in commits if any(event["type"] in over for event in c["events"])]
    page.goto(f"/game/{finished}?at={begun[1] - 1}")
    slider = page.get_by_role("slider")
    seats = page.get_by_role("region", name="Seats")
    expect(seats).to_be_visible()
    before = seats.bounding_box()
    for button, version in (
        ("Previous battle", begun[0]),
        ("Next battle", begun[1]),
        ("Next step", begun[1] + 1),
        ("Next battle", begun[2]),
        ("Previous step", begun[2] - 1),
        ("Previous battle", begun[1]),
        ("Next round", rounds[0]),
        ("Previous round", 1),
    ):
        page.get_by_role("button", name=button).click()
        expect(slider).to_have_value(str(version))
        expect(page).to_have_url(re.compile(rf"\?at={version}$"))
        after = seats.bounding_box()
        assert before
        assert after
        assert after["y"] == before["y"]
    expect(page.get_by_role("button", name="Previous step")).to_have_attribute("aria-disabled", "true")


def test_a_battle_without_a_map_begins_when_the_rows_are_discarded(page: Page, service: Service) -> None:
    player = Player(service)
    game = player.open("zman-2018-duel", 2, 1, seed=SEED)["id"]
    play(player, game, 1000)
    commits = ask(service, f"/games/{game}/events")["commits"]
    begun = next(c["seq"] for c in commits if any(event["type"] == "rows-discarded" for event in c["events"]))
    page.goto(f"/game/{game}?at=2")
    for button, version in (("Next battle", begun), ("Previous battle", 1)):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("slider")).to_have_value(str(version))


def test_the_keyboard_moves_the_slider(page: Page, finished: str) -> None:
    page.goto(f"/game/{finished}?at=5")
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("5")
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?at=6$"))
    slider.press("Home")
    expect(page).to_have_url(re.compile(r"\?at=1$"))


def test_it_plays_and_pauses(page: Page, finished: str) -> None:
    page.goto(f"/game/{finished}?at=5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?at=7$"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    paused = page.get_by_role("slider").input_value()
    page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("slider")).to_have_value(str(int(paused) + 1))


def test_an_address_can_be_shared_and_leads_back_to_now(new_page: OpenPage, finished: str) -> None:
    page = new_page(PHONE)
    page.goto(f"/game/{finished}?at=9")
    expect(page.get_by_role("slider")).to_have_value("9")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile(r"^9 of \d+: \w"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.get_by_role("button", name="Now").click()
    expect(page).to_have_url(re.compile(rf"/game/{finished}$"))
    expect(page.get_by_role("slider")).to_have_count(0)
    # Opening a game needs an account.
    page.get_by_role("button", name="New game with these settings").click()
    expect(page.get_by_text("To open a game with these settings, sign in")).to_be_visible()


@pytest.mark.parametrize("width", [320, 360])
def test_the_controls_stay_where_they_are_on_a_phone(
    new_page: OpenPage, service: Service, finished: str, width: int
) -> None:
    """The bar has one line at every step."""
    newest = ask(service, f"/games/{finished}")["version"]
    assert newest > 9
    page = new_page((width, 640))
    page.goto(f"/game/{finished}?at=1")
    slider = page.get_by_role("slider")
    slider.wait_for()
    places = []
    for version in (1, 9, 10, newest):
        slider.fill(str(version))
        expect(page.get_by_text(f"Step {version} of {newest}", exact=True)).to_be_visible()
        places.append(slider.bounding_box())
    assert places == [places[0]] * 4


def test_on_a_phone_each_step_shows_the_map_or_the_battle(new_page: OpenPage, service: Service, finished: str) -> None:
    """The phase decides, as in play, until a tab is chosen by hand."""
    commits = ask(service, f"/games/{finished}/events")["commits"]
    chosen = [c["seq"] for c in commits if any(event["type"] == "region-chosen" for event in c["events"])]
    page = new_page(PHONE)
    page.goto(f"/game/{finished}")
    tabs = page.get_by_role("group", name="What is shown")
    map_tab, battle_tab = tabs.get_by_role("button").first, tabs.get_by_role("button").last
    map_tab.click()
    page.get_by_role("link", name="Replay").click()
    slider = page.get_by_role("slider")
    for version, tab in ((chosen[0], battle_tab), (chosen[1] - 1, map_tab), (chosen[1], battle_tab)):
        slider.fill(str(version))
        expect(tab).to_have_attribute("aria-pressed", "true")
    map_tab.click()
    page.get_by_role("button", name="Next step").click()
    expect(slider).to_have_value(str(chosen[1] + 1))
    expect(map_tab).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Now").click()
    expect(battle_tab).to_have_attribute("aria-pressed", "true")


def test_a_long_text_shows_that_there_is_more(new_page: OpenPage, finished: str) -> None:
    """Its last line fades until the end is in view. The text of the next step begins at its top."""
    page = new_page(PHONE)
    page.goto(f"/game/{finished}?at=1")
    text = page.get_by_role("region", name="Replay").get_by_role("paragraph")
    expect(text).to_contain_text("Cards are dealt")
    expect(text).to_have_css("mask-image", re.compile("gradient"))
    text.evaluate("text => text.scrollTo(0, text.scrollHeight)")
    expect(text).to_have_css("mask-image", "none")
    page.get_by_role("button", name="Next step").click()
    expect(text).to_have_css("mask-image", "none")
    page.get_by_role("button", name="Previous step").click()
    expect(text).to_have_css("mask-image", re.compile("gradient"))
    expect(text).to_have_js_property("scrollTop", 0)


def test_the_hand_does_not_cover_the_replay_on_a_phone(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    game = player.open("zman-2018", 3, 2)["id"]
    version = play(player, game, 2)["version"]
    context = new_context(PHONE)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}?at={version}")
    now = page.get_by_role("button", name="Now")
    now.wait_for()
    now.evaluate("button => button.scrollIntoView({ block: 'end' })")
    assert now.evaluate(IS_ON_TOP)


def test_a_replay_begins_with_its_controls_in_view(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """The end of the game was scrolled on a phone. Standing orders, which the page has loaded before, are not shown."""
    player = Player(service)
    game = player.open("zman-2018", 3, 2, seed=SEED, options={"battle_limit": 5})["id"]
    context = new_context(PHONE)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    orders = page.get_by_text("Standing orders")
    expect(orders).to_have_count(1)
    end = play(player, game, 1000)["version"]
    link = page.get_by_role("link", name="Replay")
    expect(link).to_be_visible()
    link.focus()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("() => scrollY > 300")
    page.keyboard.press("Enter")
    for name in ("Next step", "Now"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    assert page.get_by_role("button", name="Next step").evaluate(IS_ON_TOP)
    expect(orders).to_have_count(0)
    for version in (1, end, end - 1, 2):
        page.get_by_role("slider").fill(str(version))
        expect(page).to_have_url(re.compile(rf"\?at={version}$"))
        page.wait_for_function(STEP_IN_LOG, arg=version)


def test_the_replay_stays_in_view_beside_a_long_log(page: Page, service: Service, finished: str) -> None:
    """The lines of the version's log entry are visible. An unknown version in the address shows the newest one."""
    newest = ask(service, f"/games/{finished}")["version"]
    page.goto(f"/game/{finished}?at={newest + 9}")
    expect(page.get_by_text(f"Step {newest} of {newest}")).to_be_visible()
    now = page.get_by_role("button", name="Now")
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=f"Show step {newest}", exact=True))
    for shown in (entry, now):
        expect(shown).to_be_in_viewport()
    assert now.evaluate(IS_ON_TOP)
    assert any(line.evaluate(IS_ON_TOP) for line in entry.get_by_role("paragraph").all())


def test_six_open_hands_leave_room_for_the_log(page: Page, service: Service) -> None:
    """The controls are in view without scrolling, and stay where they are from step to step."""
    player = Player(service)
    game = player.open("zman-2018", 6, 5, seed=SEED, options={"battle_limit": 1})["id"]
    end = play(player, game, 1000)["version"]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/game/{game}?at=9")
    expect(page.get_by_role("list", name=re.compile("^Hand of "))).to_have_count(6)
    controls = [page.get_by_role("slider"), *(page.get_by_role("button", name=name) for name in ("Next step", "Now"))]
    boxes = []
    for version in (9, 10, end):
        page.get_by_role("slider").fill(str(version))
        expect(page).to_have_url(re.compile(rf"\?at={version}$"))
        for control in controls:
            expect(control).to_be_in_viewport(ratio=1)
        boxes.append([control.bounding_box() for control in controls])
    assert boxes[0] == boxes[1] == boxes[2]
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=f"Show step {end}", exact=True))
    entry.scroll_into_view_if_needed()
    assert any(line.evaluate(IS_ON_TOP) for line in entry.get_by_role("paragraph").all())
    assert page.get_by_role("log").evaluate("log => log.closest('#log').getBoundingClientRect().height") > 100


def test_a_replay_begins_with_the_first_position(page: Page, service: Service) -> None:
    """While seats are free, there is no position to draw."""
    owner, guest = Player(service, "Owner"), Player(service, "Guest")
    game = owner.open("zman-2018", 3, 1)["id"]
    started = guest.ask("POST", f"/games/{game}/join", {})["version"]
    page.goto(f"/game/{game}?at=1")
    expect(page).to_have_url(re.compile(rf"\?at={started}$"))
    expect(page.get_by_role("slider")).to_have_attribute("min", str(started))
