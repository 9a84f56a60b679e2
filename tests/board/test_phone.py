"""The game on a phone: a swipe switches between the map and the battle, and the battle shows its region."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Locator, Page, Route, expect

from ..service.whole.product import Service
from .conftest import PHONE
from .layout import too_wide
from .players import Json, Player
from .scenes import SEED, in_battle, play_until, reach, with_regions

pytestmark = pytest.mark.browser

SWIPING = "document.getAnimations().map(({ animationName }) => animationName)"
RING = """() => {
    const rows = document.querySelector("article").parentElement;
    const { height } = getComputedStyle(rows, "::before"), { top } = getComputedStyle(rows, "::after");
    return [rows.offsetHeight, parseFloat(height), parseFloat(top)];
}"""
"""Returns the height of the seats, that of the line beside them, and how far from the top its arrowhead is."""
CLEAR = """() => {
    const rows = [...document.querySelectorAll("article")].map((row) => row.getBoundingClientRect());
    const [bar, actions] = ["main [role=status]", "[aria-label='Your move']"]
        .map((name) => document.querySelector(name).getBoundingClientRect());
    return rows[0].top >= bar.bottom && rows.at(-1).bottom <= actions.top;
}"""
"""Returns whether all seats are between the bar and the panel of the hand."""
NOTE_ANIMATIONS = """() => {
    window.animations = [];
    addEventListener("animationstart", ({ animationName }) => animations.push(animationName), true);
}"""


def with_own_region(view: Json) -> bool:
    """Return whether the player must act and owns a region."""
    return bool(view["moves"] and view["position"]["seats"][view["you"]]["regions"])


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with a game."""
    return Player(service)


@pytest.fixture(scope="module")
def game(player: Player) -> str:
    """A four-seat game, in a battle."""
    game = str(player.open("zman-2018", 4, 3, seed=SEED)["id"])
    play_until(player, game, with_regions)
    return game


def finger(page: Page, *way: tuple[int, int]) -> None:
    """Move a finger over the screen."""
    client: CDPSession = page.context.new_cdp_session(page)
    points = [[{"x": x, "y": y}] for x, y in way]
    for kind, point in [("touchStart", points[0]), *(("touchMove", point) for point in points[1:]), ("touchEnd", [])]:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})
    client.detach()


def shown(page: Page) -> tuple[Locator, Locator]:
    """Return the map and the battle."""
    return page.get_by_role("group", name="Map", exact=True), page.get_by_role("region", name="Seats")


def opened(new_context: Callable[..., BrowserContext], player: Player, game: str, **options: str) -> Page:
    """Open the game on a phone."""
    context = new_context(PHONE, has_touch=True, is_mobile=True, **options)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    # The log is loaded after the script that detects swipes.
    expect(page.get_by_role("log")).to_be_attached()
    return page


def test_a_swipe_turns_from_the_battle_to_the_map_and_back(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    page = opened(new_context, player, game)
    page.evaluate(NOTE_ANIMATIONS)
    board, battle = shown(page)
    expect(battle).to_be_visible()
    finger(page, (300, 330), (200, 335), (90, 330))
    expect(battle).to_be_visible()
    finger(page, (60, 330), (160, 335), (270, 330))
    expect(board).to_be_visible()
    expect(battle).to_be_hidden()
    page.wait_for_function("() => animations.includes('game-swiped')")
    box = board.bounding_box() or pytest.fail("the map is not shown")
    assert (round(box["width"]), round(box["height"])) == (360, 402)
    finger(page, (300, 330), (200, 335), (90, 330))
    expect(battle).to_be_visible()
    expect(board).to_be_hidden()
    finger(page, (60, 330), (90, 260), (150, 180))
    expect(battle).to_be_visible()


def test_a_swipe_without_motion_turns_at_once(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    page = opened(new_context, player, game, reduced_motion="reduce")
    board, _ = shown(page)
    finger(page, (60, 330), (160, 335), (270, 330))
    expect(board).to_be_visible()
    assert page.evaluate(SWIPING) == []


def test_the_battle_shows_its_region_which_leads_to_the_map(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    page = opened(new_context, player, game)
    board, battle = shown(page)
    region = battle.get_by_role("button", name=re.compile("on the map$"))
    box = region.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (64, 64)
    contested = page.get_by_role("heading", name=re.compile("^Battle for ")).inner_text().removeprefix("Battle for ")
    expect(region).to_have_accessible_name(f"{contested} on the map")
    region.click()
    expect(board).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(battle).to_be_visible()
    expect(region).to_have_count(0)


def test_a_seat_is_low_and_a_selected_card_leaves_the_rows_in_sight(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    """The buttons share a line over the hand, which stays at the bottom of the window, wherever the page is scrolled.

    The page scrolls until no row is under them.
    """
    page = opened(new_context, player, game)
    _, battle = shown(page)
    # A line leads from the last seat back to the first; its arrowhead is at the first.
    rows, line, arrowhead = page.evaluate(RING)
    assert rows - 48 < line < rows
    assert 0 < arrowhead < 24
    for seat in battle.get_by_role("article").all():
        box = seat.bounding_box()
        assert box is not None
        # A label as long as "one short of winning" can take a second line.
        longest = 61 if seat.get_by_text("one short of winning").is_visible() else 48
        assert box["height"] <= (longest if seat.get_by_role("list").count() == 0 else longest + 42)
    hand = page.get_by_role("toolbar")
    for where in ("document.body.scrollHeight", "0"):
        page.evaluate(f"scrollTo(0, {where})")
        expect(hand).to_be_in_viewport(ratio=1)
    hand.locator("[aria-disabled=false]").first.click()
    actions = page.get_by_role("region", name="Your move")
    play = actions.get_by_role("button", name=re.compile("^Play ")).bounding_box()
    back = actions.get_by_role("button", name="Back").bounding_box()
    assert play is not None
    assert back is not None
    assert play["y"] == back["y"]
    assert play["width"] > 2 * back["width"]
    cards = hand.bounding_box()
    assert cards is not None
    assert play["y"] + play["height"] <= cards["y"]
    expect(actions.get_by_role("status")).to_contain_text("Your row")
    page.wait_for_function(CLEAR)


def test_the_page_scrolls_back_when_no_card_is_selected_anymore(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    page = opened(new_context, player, game)
    # So low that a selected card hides rows.
    page.set_viewport_size({"width": PHONE[0], "height": 600})
    card = page.get_by_role("toolbar").locator("[aria-disabled=false]").first
    back = page.get_by_role("region", name="Your move").get_by_role("button", name="Back")
    # A click of Playwright's might scroll the page.
    click = "button => button.click()"
    for start in (0, 10):
        page.evaluate(f"scrollTo(0, {start})")
        card.evaluate(click)
        page.wait_for_function("start => scrollY > start", arg=start)
        back.evaluate(click)
        page.wait_for_function("start => scrollY === start", arg=start)
    card.evaluate(click)
    page.wait_for_function("() => scrollY > 10")
    # Whoever has scrolled meanwhile stays there.
    page.evaluate("scrollTo(0, 5)")
    back.evaluate(click)
    expect(back).to_have_count(0)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("scrollY") == 5


def test_a_tap_anywhere_on_the_line_of_a_seat_opens_it(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    """The seat then explains its strength and says what it needs to win.

    Tapping a card in its row still explains the card, also while a card of the hand is selected.
    """
    page = opened(new_context, player, game)
    _, battle = shown(page)
    seat = battle.get_by_role("article").filter(has=page.get_by_role("list", name=re.compile("^Row of "))).first
    lacks = seat.get_by_text(re.compile(r"of 5 in total$"))
    expect(lacks).to_be_hidden()
    seat.click(position={"x": 60, "y": 12})
    expect(seat.get_by_role("list", name="Steps of the strength")).to_be_visible()
    expect(lacks).to_be_visible()
    seat.get_by_role("list", name=re.compile("^Row of ")).get_by_role("listitem").first.click()
    explained = page.get_by_role("region", name="Your move").locator("strong")
    expect(explained).to_be_visible()
    text = explained.inner_text()
    expect(lacks).to_be_visible()
    card = page.get_by_role("toolbar").locator(f"[aria-disabled=false]:not([aria-label^='{text}'])").first
    card.click()
    expect(explained).not_to_have_text(text)
    seat.get_by_role("list", name=re.compile("^Row of ")).get_by_role("listitem").first.click()
    expect(explained).to_have_text(text)
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(card).to_have_css("transform", "matrix(1, 0, 0, 1, 0, -4)")
    seat.click(position={"x": 60, "y": 12})
    expect(lacks).to_be_hidden()


def test_the_hand_says_what_the_next_deal_brings(new_context: Callable[..., BrowserContext], service: Service) -> None:
    """The edition of this test deals more cards for each region."""
    player = Player(service)
    game = str(player.open("eurogames-1995", 3, 2, seed=SEED)["id"])
    view = play_until(player, game, with_own_region)
    regions = len(view["position"]["seats"][0]["regions"])
    page = opened(new_context, player, game)
    text = f"Next deal: 10 + {regions} region{'s' if regions > 1 else ''} × 2 = {10 + 2 * regions}"
    expect(page.get_by_role("region", name=re.compile("^Your hand")).get_by_text(text, exact=True)).to_be_visible()


TEN_KINDS = [*(f"mercenary-{number}" for number in (1, 2, 3, 4, 5, 6, 10)), "winter", "spring", "drummer"]
BROKEN = """() => [...document.querySelectorAll(".table-state > span")]
    .filter((label) => label.getBoundingClientRect().height > 1.7 * parseFloat(getComputedStyle(label).lineHeight))
    .map((label) => label.textContent.trim())"""
"""Returns the labels of seats that take more than one line."""


@pytest.mark.parametrize("width", [320, 390])
def test_a_label_of_a_seat_is_not_broken_and_a_hand_is_not_scrolled(
    new_context: Callable[..., BrowserContext], player: Player, game: str, width: int
) -> None:
    """Not even a long label beside a name, which gives way. Ten kinds of cards take two lines; in 320 pixels, three."""

    def leads(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view: Json = answer.json()
        view["position"]["seats"][0]["hand"] = {"count": len(TEN_KINDS), "cards": TEN_KINDS}
        view["position"]["seats"][1] |= {"regions": ["torino", "venezia", "ancona", "napoli"], "passed": False}
        route.fulfill(response=answer, body=json.dumps(view))

    context = new_context(PHONE)
    player.sign_in(context)
    page = context.new_page()
    page.route(re.compile(rf"/v1/games/{game}$"), leads)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"/game/{game}")
    expect(page.get_by_text("one short of winning")).to_be_visible()
    assert page.evaluate(BROKEN) == []
    hand = page.get_by_role("toolbar")
    tops = {(card.bounding_box() or {"y": None})["y"] for card in hand.get_by_role("button").all()}
    assert len(tops) == (3 if width == 320 else 2)
    assert hand.evaluate("hand => hand.scrollWidth <= hand.clientWidth")
    assert too_wide(page) == 0


BETWEEN = """element => {
    const [bar, actions] = ["main [role=status]", "[aria-label='Your move']"]
        .map((name) => document.querySelector(name).getBoundingClientRect());
    const { bottom, top } = element.getBoundingClientRect();
    return top >= bar.bottom && bottom <= actions.top;
}"""
"""Returns whether an element is between the bar and the panel of the hand."""
SMALL = {"width": 360, "height": 640}


def test_in_a_low_window_the_row_of_the_player_and_the_next_one_are_in_view(
    new_context: Callable[..., BrowserContext], player: Player, game: str
) -> None:
    """What passing does is beside the button, and the heading of the hand is only spoken."""
    page = opened(new_context, player, game)
    page.set_viewport_size(SMALL)
    actions = page.get_by_role("region", name="Your move")
    text = actions.get_by_text(re.compile("^If you pass, ")).bounding_box() or pytest.fail("the text is not shown")
    button = actions.get_by_role("button", name="Pass").bounding_box() or pytest.fail("the button is not shown")
    assert text["x"] >= button["x"] + button["width"]
    assert text["y"] < button["y"] + button["height"]
    hand = page.get_by_role("toolbar", name=re.compile("^Your hand: ")).bounding_box()
    assert hand is not None
    assert hand["y"] - (text["y"] + text["height"]) < 32


def test_a_region_is_chosen_for_the_bishop_on_most_of_the_map(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """The cards are hidden until the question is answered."""
    player = Player(service)
    view = reach(
        player,
        "zman-2018",
        4,
        "00",
        lambda view: in_battle(view) and any(move.get("card") == "bishop" for move in view["moves"]),
    )
    page = opened(new_context, player, view["id"])
    page.set_viewport_size(SMALL)
    hand = page.get_by_role("toolbar")
    hand.get_by_role("button", name="Bishop").click()
    actions = page.get_by_role("region", name="Your move")
    expect(actions.get_by_role("group", name="Where does the favor marker move?")).to_be_visible()
    expect(hand).to_be_hidden()
    box = shown(page)[0].bounding_box()
    panel = actions.bounding_box()
    assert box is not None
    assert panel is not None
    assert panel["y"] - box["y"] > 340
    actions.get_by_role("button", name="Back").click()
    expect(hand).to_be_visible()


def test_why_a_region_cannot_be_chosen_is_not_hidden_by_the_hand(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """Even if the region is at the edge of the panel."""
    player = Player(service)
    game = str(player.open("zman-2018", 3, 2, bot="random", seed="04" * 32)["id"])

    def chooses(view: Json) -> bool:
        owned = [region for seat in view["position"]["seats"] for region in seat["regions"]]
        return bool(owned) and any(move["type"] == "choose-region" for move in view["moves"])

    view = play_until(player, game, chooses)
    page = opened(new_context, player, game)
    owned = next(region for seat in view["position"]["seats"] for region in seat["regions"])
    region = page.locator(f"[data-region={owned}]")
    page.evaluate("scrollTo(0, 0)")
    page.set_viewport_size({"width": 360, "height": 520})
    region.dispatch_event("click")
    why = page.get_by_role("alert").filter(has_text="A region with a control marker may not be contested.")
    expect(why).to_be_visible()
    page.wait_for_function(f"() => ({BETWEEN})(document.querySelector('[role=alert]'))")
    page.get_by_role("button", name="Close").click()
    expect(why).to_have_count(0)


def test_a_new_battle_is_in_view_wherever_the_map_was_scrolled_to(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    game = str(player.open("zman-2018", 3, 2, bot="random", seed="04" * 32)["id"])
    view = play_until(player, game, lambda view: any(move["type"] == "choose-region" for move in view["moves"]))
    page = opened(new_context, player, game)
    page.set_viewport_size(SMALL)
    board, battle = shown(page)
    expect(board).to_be_visible()
    page.evaluate("scrollTo(0, 150)")
    page.wait_for_function("() => scrollY === 150")
    player.move(view, next(move for move in view["moves"] if move["type"] == "choose-region"))
    expect(battle).to_be_visible()
    page.wait_for_function(f"() => ({BETWEEN})(document.querySelector('[aria-label=\"What is shown\"]'))")
