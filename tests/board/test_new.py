"""Opening a game: the settings that the form sends, errors next to their fields, and settings copied from a game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .players import Json, Player

pytestmark = pytest.mark.browser

OPEN = re.compile("^(Open|Start) the game$")


@pytest.fixture(scope="module")
def editions(service: Service) -> list[Json]:
    """All editions, newest first."""
    found: list[Json] = requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]
    return found


@pytest.fixture
def player(service: Service) -> Player:
    return Player(service)


@pytest.fixture
def form(new_context: Callable[..., BrowserContext], player: Player) -> Page:
    """A browser page in which the player is signed in."""
    context = new_context()
    player.sign_in(context)
    return context.new_page()


def opened(form: Page, player: Player) -> Json:
    """Submit the form and return the game that was opened."""
    form.get_by_role("button", name=OPEN).click()
    form.wait_for_url("**/game/*")
    return player.ask("GET", f"/games/{form.url.rpartition('/')[2]}")


def test_without_a_choice_a_game_against_bots_starts_at_once(form: Page, player: Player, editions: list[Json]) -> None:
    form.goto("/new")
    expect(form.get_by_text("The game starts at once.")).to_be_visible()
    expect(form.get_by_role("button", name="Start the game")).to_be_visible()
    game = opened(form, player)
    assert (game["status"], game["edition"], game["clock"]) == ("running", editions[0]["key"], None)
    assert game["hints"] == "none"


def test_every_bot_is_offered_for_a_seat_and_for_an_absent_player(form: Page, player: Player, service: Service) -> None:
    """The bots are in the order of the API, weakest first."""
    bots = requests.get(f"{service.url}/v1/bots", timeout=30).json()["bots"]
    form.goto("/new")
    form.get_by_text("How well each bot plays").click()
    for bot in bots:
        expect(form.get_by_text(bot["summary"])).to_be_visible()
    expect(form.get_by_label("Seat 2").get_by_role("option")).to_have_text(
        ["A player", *(f"Bot: {bot['label']}" for bot in bots)]
    )
    for seat in ("Seat 2", "Seat 3"):
        form.get_by_label(seat).select_option(bots[-1]["key"])
    form.get_by_label("A day", exact=True).check()
    stands_in = form.get_by_label("Which bot plays")
    expect(stands_in).to_have_count(0)
    form.get_by_label("When time runs out").select_option("bot")
    expect(stands_in.get_by_role("option")).to_have_text([bot["label"] for bot in bots])
    stands_in.select_option(bots[0]["key"])
    game = opened(form, player)
    assert [seat["bot"] for seat in game["seated"]] == [None, bots[-1]["key"], bots[-1]["key"]]
    assert game["clock"]["settings"]["bot"] == bots[0]["key"]


def test_every_choice_is_sent(form: Page, player: Player, editions: list[Json]) -> None:
    edition = editions[3]
    form.goto("/new")
    form.get_by_label("Edition").select_option(edition["key"])
    expect(form.get_by_text(f"{edition['publisher']}, {edition['year']}.")).to_be_visible()
    form.get_by_label("Seats", exact=True).select_option("4")
    form.get_by_label("Seat 2").select_option("")
    form.get_by_label("Seat 3").select_option("random")
    form.get_by_label("A day", exact=True).check()
    form.get_by_label("Nights do not count").uncheck()
    form.get_by_label("When time runs out").select_option("bot")
    form.get_by_label("Only after this many timeouts in a row").fill("2")
    form.get_by_text("Options", exact=True).click()
    form.get_by_label("Hidden Cards").check()
    form.get_by_label("Battle Limit").fill("50")
    expect(form.get_by_label("Allow hints")).to_be_hidden()
    form.get_by_text("More settings").click()
    form.get_by_label("Allow hints").check()
    form.get_by_label("When I start it").check()
    expect(form.get_by_text("More settings (2 changed)")).to_be_visible()
    expect(form.get_by_text("Options (2 changed)")).to_be_visible()
    expect(form.get_by_role("button", name="Open the game")).to_be_visible()
    game = opened(form, player)
    assert (game["status"], game["edition"], game["start"]) == ("open", edition["key"], "owner")
    assert game["hints"] == "allowed"
    assert [seat["bot"] for seat in game["seated"]] == [None, None, "random", "steady"]
    clock = game["clock"]["settings"]
    assert (clock["kind"], clock["seconds"], clock["at_timeout"], clock["misses"]) == ("per-move", 86400, "bot", 2)
    assert (clock["sleep_hours"], clock["vacation"]) == (False, True)
    assert (game["options"]["hidden_cards"], game["options"]["battle_limit"]) == (True, 50)


PRESETS: dict[str, Json | None] = {
    "No limit": None,
    "5 minutes: play live": {"seconds": 300, "sleep_hours": False, "vacation": False},
    "A day": {"seconds": 86_400, "sleep_hours": True, "vacation": True},
    "Three days": {"seconds": 259_200, "sleep_hours": True, "vacation": True},
}
"""The clocks that can be chosen. With five minutes for a move, the clock also runs at night and during vacations."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_clock_is_chosen_by_its_name(form: Page, player: Player, preset: str) -> None:
    expected = PRESETS[preset]
    form.goto("/new")
    expect(form.get_by_label("No limit")).to_be_checked()
    form.get_by_label(preset, exact=True).check()
    clock = opened(form, player)["clock"]
    if expected is None:
        assert clock is None
    else:
        settings = {"kind": "per-move", "at_timeout": "pass", "misses": 1, **expected}
        assert clock["settings"] == clock["settings"] | settings


def test_house_rules_are_marked(form: Page, editions: list[Json]) -> None:
    form.goto(f"/new?edition={editions[3]['key']}")
    form.get_by_text("Options", exact=True).click()
    expect(form.get_by_label("Battle Limit House rule")).to_be_visible()
    expect(form.get_by_label("Hidden Cards House rule")).to_have_count(0)
    expect(form.get_by_label("Hidden Cards")).to_be_visible()


def test_an_error_stands_at_its_field(form: Page, player: Player) -> None:
    form.goto("/new")
    form.get_by_text("Options", exact=True).click()
    limit = form.get_by_label("Battle Limit")
    limit.fill("5000")
    form.get_by_text("Options (1 changed)").click()
    form.get_by_role("button", name="Start the game").click()
    expect(limit).to_be_focused()
    expect(limit).to_have_attribute("aria-invalid", "true")
    expect(form.locator("#new-option-battle_limit-error")).not_to_be_empty()
    limit.fill("60")
    form.get_by_label("A day", exact=True).check()
    misses = form.get_by_label("Only after this many timeouts in a row")
    misses.fill("11")
    form.get_by_role("button", name="Start the game").click()
    expect(misses).to_be_focused()
    expect(form.get_by_role("group", name="Time for a move").get_by_role("alert").first).not_to_be_empty()
    misses.fill("3")
    form.get_by_label("Seats", exact=True).select_option("2")
    form.get_by_role("button", name="Start the game").click()
    expect(form.locator("#new-seats-error")).not_to_be_empty()
    form.get_by_label("Two on the Board").check()
    game = opened(form, player)
    assert (len(game["seated"]), game["options"]["battle_limit"]) == (2, 60)


def test_the_settings_of_a_game_are_copied(form: Page, player: Player, editions: list[Json]) -> None:
    clock = {"kind": "bank", "seconds": 86400, "increment": 14400, "cap": 259200, "at_timeout": "bot", "misses": 2}
    clock |= {"days_off": ["sunday"]}
    like = player.open(
        editions[3]["key"],
        4,
        2,
        clock=clock,
        start="owner",
        options={"capturing_regions": True},
        hints="allowed",
        talk="public-only",
        names="hidden",
        private=True,
        title="For friends",
    )
    form.goto(f"/new?like={like['id']}")
    expect(form.get_by_text("More settings (6 changed)")).to_be_visible()
    expect(form.get_by_label("Private game")).to_be_checked()
    expect(form.get_by_label("Title")).to_be_visible()
    expect(form.get_by_label("Title")).to_have_value("For friends")
    expect(form.get_by_label("As in the other game: 1 d in the bank")).to_be_checked()
    game = opened(form, player)
    assert game["id"] != like["id"]
    for member in ("edition", "options", "start", "hints", "talk", "names"):
        assert game[member] == like[member]
    table = player.ask("GET", f"/games/{game['id']}/table")
    assert (table["private"], table["title"]) == (True, "For friends")
    assert game["clock"]["settings"] == like["clock"]["settings"]
    assert [seat["bot"] for seat in game["seated"]] == [seat["bot"] for seat in like["seated"]]


def test_the_form_keeps_naming_the_edition_of_the_other_game(form: Page, player: Player) -> None:
    like = player.open("zman-2018", 3, 2)["id"]
    form.goto(f"/new?like={like}")
    text = form.get_by_text("The settings are those of another game (Condottiere (2018)).")
    expect(text).to_be_visible()
    form.get_by_label("Edition").select_option("eurogames-1995")
    expect(form.get_by_text("Jeux Descartes, 1995")).to_be_visible()
    expect(text).to_be_visible()


def test_the_form_has_room_for_its_texts_on_a_phone(form: Page) -> None:
    """The names of all editions fit, and the text of *More settings* does not touch its border."""
    form.set_viewport_size({"width": 360, "height": 640})
    form.goto("/new")
    widths = """select => {
        const wide = select.cloneNode(true);
        Object.assign(wide.style, { width: "max-content", maxWidth: "none" });
        select.after(wide);
        const widths = [select.offsetWidth, wide.offsetWidth];
        wide.remove();
        return widths;
    }"""
    width, needed = form.get_by_label("Edition").evaluate(widths)
    assert needed <= width
    more = form.locator("summary", has_text="More settings")
    room = "summary => summary.querySelector('span').getBoundingClientRect().top - summary.getBoundingClientRect().top"
    assert more.evaluate(room) >= 8


def test_the_form_tells_optional_rules_from_house_rules(form: Page) -> None:
    form.goto("/new?edition=zman-2018")
    expect(form.get_by_text("The only options are house rules.")).to_be_visible()
    form.goto("/new?edition=ffg-2007")
    expect(form.get_by_text("Optional rules: ")).to_be_visible()


def test_settings_that_cannot_be_read_are_not_left_out(form: Page, player: Player) -> None:
    """Without these settings, the copy of a private game would be public."""
    like = player.open("zman-2018", 3, 2, private=True)["id"]
    refused = {"title": "Forbidden", "status": 403, "code": "scope-missing", "detail": "No settings for you."}
    form.route("**/settings", lambda route: route.fulfill(status=403, json=refused))
    form.goto(f"/new?like={like}")
    said = form.get_by_role("alert").filter(has_text="No settings for you.")
    expect(said).to_be_visible()
    expect(form.get_by_role("button", name=OPEN)).to_have_count(0)
    form.unroute("**/settings")
    form.get_by_role("button", name="Try again").click()
    expect(form.get_by_label("Private game")).to_be_checked()
    expect(said).to_have_count(0)
    game = opened(form, player)["id"]
    assert player.ask("GET", f"/games/{game}/table")["private"]


@pytest.mark.parametrize(
    ("choice", "rule"),
    [("Everything is allowed", "all"), ("Public messages only", "public-only"), ("Nobody can write anything", "none")],
)
def test_who_may_talk_is_chosen(form: Page, player: Player, choice: str, rule: str) -> None:
    form.goto("/new")
    form.get_by_text("More settings").click()
    talk = form.get_by_role("group", name="Talk")
    expect(talk.get_by_label("Everything is allowed")).to_be_checked()
    talk.get_by_label(choice).check()
    expect(talk.get_by_role("radio", checked=True)).to_have_count(1)
    assert opened(form, player)["talk"] == rule


def test_whoever_is_signed_out_signs_in_first(page: Page) -> None:
    page.goto("/new?with=players")
    expect(page.get_by_text("The game starts when 2 players have joined.")).to_be_visible()
    page.get_by_role("link", name="Sign in to open the game").click()
    page.wait_for_url("**/signin?next=%2Fnew%3Fwith%3Dplayers")
