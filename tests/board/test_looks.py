"""How the board adapts to forced colours, zoom and reduced motion, and that nothing jumps while it loads."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.whole.product import Service
from .clicking import Clicker
from .conftest import DESKTOP, PHONE, TABLET
from .players import Json, Player
from .scenes import SEED, chosen, fights, is_finished, play_until, reach, with_regions

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
MOST_SHIFT = 0.1
"""The highest sum of layout shifts that still counts as good (web.dev/cls)."""
SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            const names = sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? "");
            if (!hadRecentInput) shifts.push([value, ...names]);
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
ZOOMED = {"200%": (640, 400, 2), "400%": (320, 200, 4)}
"""The space that zoom leaves of a 1280 x 800 window: width and height in CSS pixels, and device pixels per CSS
pixel."""
COVERED = """() => [...document.querySelectorAll("main *")]
    .filter((part) => getComputedStyle(part).position === "sticky" && part.checkVisibility())
    .map((part) => part.getBoundingClientRect().height)
    .reduce((sum, height) => sum + height, 0)"""
"""The height of the window that is covered by elements that do not scroll away."""
MOVING = """() => [
    document.getAnimations().map(({ animationName }) => animationName),
    [...document.querySelectorAll("[role=toolbar] button, article button")]
        .map((part) => getComputedStyle(part).transitionDuration),
]"""


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player with games in the inbox."""
    return Player(service)


@pytest.fixture(scope="module")
def game(player: Player) -> str:
    """A four-seat game, in a battle in which it is the player's turn."""
    game = str(player.open("zman-2018", 4, 3, seed=SEED)["id"])
    play_until(player, game, with_regions)
    player.open("ffg-2007", 4, 1)
    return game


@pytest.fixture
def opened(new_context: NewContext, player: Player, game: str) -> Callable[..., Page]:
    """Open a screen as the player: the game, unless an address is given."""

    def open_page(size: tuple[int, int] = DESKTOP, address: str = f"/game/{game}", **options: object) -> Page:
        context = new_context(size, **options)
        context.add_init_script(f"({SHIFTS})()")
        player.sign_in(context)
        page = context.new_page()
        page.goto(address)
        return page

    return open_page


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_jumps_while_a_screen_loads(opened: Callable[..., Page], size: tuple[int, int], game: str) -> None:
    for address, last in (
        (f"/game/{game}", "[role=log] li"),
        ("/", "main li p"),
        ("/lobby", "main li h2"),
    ):
        page = opened(size, address)
        expect(page.locator(last).first).to_be_attached()
        shifts = page.evaluate("new Promise(requestAnimationFrame).then(() => shifts)")
        assert sum(value for value, *_ in shifts) < MOST_SHIFT, (address, shifts)


@pytest.mark.parametrize("zoom", ZOOMED)
def test_a_zoomed_game_is_played_without_sideways_scroll(opened: Callable[..., Page], zoom: str) -> None:
    """Elements that do not scroll cover only a small part of the window."""
    width, height, scale = ZOOMED[zoom]
    page = opened((width, height), device_scale_factor=scale)
    clicker = Clicker(page)
    clicker.awaited()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(COVERED) < height / 2
    card = clicker.hand.get_by_role("button").first
    card.click(force=True)
    expect(card).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_forced_colours_leave_shapes_and_words(opened: Callable[..., Page]) -> None:
    """The selection and the turn are drawn as lines, and each seat keeps its shape and its colour."""
    page = opened(forced_colors="active")
    clicker = Clicker(page)
    clicker.awaited()
    card = clicker.hand.locator("[aria-disabled=false]").first
    card.click()
    expect(card).to_have_css("outline-style", "solid")
    expect(page.locator("[data-mine=true]")).to_have_css("border-top-style", "solid")
    seats = page.get_by_role("article")
    for seat in seats.all():
        chip = seat.get_by_role("heading").locator("[data-seat]")
        colours = chip.evaluate("chip => [getComputedStyle(chip).backgroundColor, getComputedStyle(chip).fill]")
        assert colours[0] != colours[1]
    expect(seats.filter(has_text="to move")).to_have_count(1)
    land = page.locator(".map-land[data-seat]").first
    assert land.evaluate("land => getComputedStyle(land).fill") != "rgb(0, 0, 0)"


SEATS = """() => {
    const seats = {};
    const note = (seat, where, colour, shape, part) =>
        ((seats[seat] ??= {})[where] = [colour, getComputedStyle(shape).fill, part.querySelector("use").href.baseVal]);
    for (const chip of document.querySelectorAll(".chip[data-seat]")) {
        const where = chip.closest("#log, #map, article")?.id || "seat";
        note(chip.dataset.seat, where, getComputedStyle(chip).backgroundColor, chip.querySelector("svg"), chip);
    }
    for (const token of document.querySelectorAll(".map-token[data-kind=owner]"))
        note(token.dataset.seat, "region", getComputedStyle(token.querySelector("circle")).fill, token, token);
    return seats;
}"""
"""Returns the colour, the colour of the shape, and the shape of each seat, by where they are."""
WITHOUT_RING = """() => [...document.querySelectorAll(".chip")].filter((chip) => {
    const { borderTopColor: ring, borderTopWidth: width } = getComputedStyle(chip);
    return parseFloat(width) < 2 || ring !== getComputedStyle(document.documentElement).color;
}).length"""
"""Returns how many seats' colours have no ring of 2 pixels in the colour of the page's text."""
LETTERS_OF_A_SEAT = """seat => {
    const size = (part) => parseFloat(getComputedStyle(part).fontSize);
    const [figure] = seat.querySelectorAll("[aria-label^='Strength of']");
    return [size(figure), ...[...seat.querySelectorAll("*")].filter((part) => !figure.contains(part)).map(size)];
}"""
"""Returns the size of the letters of a seat's strength, and those of the rest of the seat."""


def test_a_game_is_read_at_a_glance(opened: Callable[..., Page], game: str) -> None:
    """A seat has its colour and shape everywhere, strengths are large, and cards that cannot be played are dimmed."""
    barred: list[str] = []

    def without_a_card(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view: Json = answer.json()
        barred.append(next(move["card"] for move in view["moves"] if move["type"] == "play-card"))
        view["moves"] = [move for move in view["moves"] if move.get("card") != barred[0]]
        route.fulfill(response=answer, json=view)

    page = opened(address="/signin")
    page.route(re.compile(f"/v1/games/{game}$"), without_a_card)
    page.goto(f"/game/{game}")
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    seats = page.evaluate(SEATS)
    assert len(seats) == 4
    assert [seat for seat, looks in seats.items() if not {"log", "map", "seat"} <= looks.keys()] == []
    assert sum("region" in looks for looks in seats.values()) > 1
    for number, looks in seats.items():
        assert {look[2] for look in looks.values()} == {f"#seat-{number}"}
        assert len({tuple(look) for look in looks.values()}) == 1, looks
    assert len({look["seat"][0] for look in seats.values()}) == 4
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(WITHOUT_RING) == 0, scheme
    for seat in page.get_by_role("article").all():
        strength, *rest = seat.evaluate(LETTERS_OF_A_SEAT)
        assert strength >= 1.5 * max(rest)
    cards = page.get_by_role("toolbar").get_by_role("button")
    expect(page.get_by_role("toolbar").locator("[aria-disabled=true]")).to_have_count(1)
    for card in cards.all():
        is_barred = card.get_attribute("data-card") == barred[0]
        expect(card).to_have_css("opacity", "0.55" if is_barred else "1")


def test_reduced_motion_moves_nothing_and_a_setting_overrides_it(opened: Callable[..., Page]) -> None:
    """A selected card has a ring and is higher than the others in any case."""
    page = opened(reduced_motion="reduce")
    clicker = Clicker(page)
    clicker.awaited()
    clicker.hand.locator("[aria-disabled=false]").first.click()
    expect(clicker.button(re.compile("^Play|^Back"))).not_to_have_count(0)
    selected = clicker.hand.locator("[aria-pressed=true]")
    expect(selected).to_have_css("box-shadow", re.compile("^rgb.* 0px 0px 0px 3px$"))
    expect(selected).to_have_css("transform", "matrix(1, 0, 0, 1, 0, -4)")
    animations, durations = page.evaluate(MOVING)
    assert animations == []
    assert set(durations) == {"0s"}
    page.evaluate("document.documentElement.dataset.motion = 'on'")
    assert "0.16s" in page.evaluate(MOVING)[1]
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("document.documentElement.dataset.motion = 'off'")
    assert set(page.evaluate(MOVING)[1]) == {"0s"}


def test_a_very_wide_window_shows_the_whole_game(opened: Callable[..., Page]) -> None:
    """The map, the seats and the hand are all visible at the same time, and only the log scrolls."""
    page = opened((1920, 1080))
    expect(page.get_by_role("log")).to_be_attached()
    expect(page.get_by_role("group", name="Map", exact=True)).to_be_in_viewport(ratio=1)
    for name in ("Seats", re.compile("^Your hand"), "Your move"):
        expect(page.get_by_role("region", name=name)).to_be_in_viewport(ratio=1)
    assert page.evaluate("[document.body.scrollWidth, document.documentElement.scrollHeight]") == [1920, 1080]


@pytest.mark.parametrize("size", [(1366, 768), (1536, 730), (1280, 720), (1920, 940)])
def test_the_map_is_no_higher_than_the_window(opened: Callable[..., Page], size: tuple[int, int]) -> None:
    """These are the sizes that laptops have; the page does not scroll, and the log has room for some lines."""
    page = opened(size)
    expect(page.get_by_role("group", name="Map", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("log")).to_be_in_viewport(ratio=1)
    page.wait_for_function("() => document.documentElement.scrollHeight === innerHeight")


LETTERS = """() => [...document.querySelectorAll(".map-picture :is(.map-name, .map-sea-name)")]
    .filter((name) => name.checkVisibility())
    .map((name) => [parseFloat(getComputedStyle(name).fontSize), name.getScreenCTM()])
    .map(([size, { a, b }]) => size * Math.hypot(a, b))"""
"""The heights of the letters on the map, in CSS pixels."""
MEETING = """() => {
    const names = [...document.querySelectorAll(".map-picture .map-name")]
        .map((name) => [name.textContent, name.getBoundingClientRect()]);
    const map = document.querySelector(".map-picture").getBoundingClientRect();
    const meets = ([, one], [, other]) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    return names.flatMap((one, n) => [
        ...(one[1].left < map.left || one[1].right > map.right ? [one[0]] : []),
        ...names.slice(n + 1).filter((other) => meets(one, other)).map((other) => `${one[0]} ${other[0]}`),
    ]);
}"""
"""Returns the names on the map that overlap another name or leave the map."""
WIDTHS = (320, 359, 360, 390, 719, 720, 768, 796, 959, 960, 1280, 1920)


def test_the_names_on_the_map_have_letters_of_12_pixels(opened: Callable[..., Page]) -> None:
    """Both regions and seas have such letters at every width. No name leaves the map or overlaps another one."""
    page = opened()
    expect(page.get_by_role("group", name="Map", exact=True)).to_be_attached()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if width < 720:
            page.get_by_role("button", name="Map", exact=True).click()
        expect(page.get_by_role("group", name="Map", exact=True)).to_be_visible()
        heights = page.evaluate(LETTERS)
        assert len(heights) == 20, width
        assert min(heights) >= 12, (width, min(heights))
        assert page.evaluate(MEETING) == [], width


SCROLLS = """() => [document.documentElement, ...document.querySelectorAll("#app *")]
    .filter((part) => part.checkVisibility())
    .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY) || part === document.documentElement)
    .filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.closest("#log") ? "log" : part.outerHTML.slice(0, 80))"""
"""Returns the elements that must be scrolled to see all of their content."""


LARGE_HAND = [f"mercenary-{number}" for number in (1, 2, 3, 4, 5, 6, 10)] + ["winter", "spring", "drummer", "scarecrow"]
LARGEST_HAND = [*LARGE_HAND, "courtesan", "heroine", "bishop"]


def with_hands(view: Json, cards: list[str]) -> Json:
    """Return a view in which every hand that can be seen holds these cards."""
    for seat in view["position"]["seats"]:
        seat["hand"] = {"count": len(cards), **({"cards": cards} if seat["hand"].get("cards") else {})}
    return view


def all_fight(view: Json) -> bool:
    """Return whether the player must act in a battle and every seat has a card in its row."""
    return fights(view) and all(seat["row"] for seat in view["position"]["seats"])


@pytest.mark.parametrize("seats", [4, 6])
def test_nothing_but_the_log_scrolls_in_a_desktop_window(
    new_context: NewContext, player: Player, game: str, seats: int
) -> None:
    """The map, the seats with their rows, a large hand and the actions fit into 1280 x 800 pixels.

    The map is on the left and takes 46% of the width. Everything else is on the right, with the seats in two lines.
    """
    context = new_context(DESKTOP)
    player.sign_in(context)
    page = context.new_page()
    if seats == 6:
        view = with_hands(reach(player, "zman-2018", 6, "00", all_fight), LARGEST_HAND)
        game = view["id"]
        page.route(f"**/v1/games/{game}", lambda route: route.fulfill(json=view))
    page.goto(f"/game/{game}")
    Clicker(page).awaited()
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    expect(page.get_by_role("group", name="Map", exact=True)).to_be_in_viewport(ratio=1)
    for name in (re.compile("^Your hand"), "Your move"):
        expect(page.get_by_role("region", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("article")).to_have_count(seats)
    for seat in page.get_by_role("article").all():
        expect(seat).to_be_in_viewport(ratio=1)
    assert set(page.evaluate(SCROLLS)) <= {"log"}
    board, side, dock, *places = (
        part.bounding_box() or pytest.fail("a part is not shown")
        for part in (
            page.locator("#map"),
            page.get_by_role("region", name="Seats"),
            page.get_by_role("toolbar"),
            *page.get_by_role("article").all(),
        )
    )
    assert board["x"] + board["width"] < side["x"] == dock["x"]
    assert round(board["width"] / (board["width"] + side["width"]), 2) == 0.46
    assert side["y"] + side["height"] <= dock["y"]
    assert (len({box["x"] for box in places}), len({box["y"] for box in places})) == (seats // 2, 2)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_buttons_and_the_hand_stay_in_place_when_texts_change(
    opened: Callable[..., Page], size: tuple[int, int]
) -> None:
    """Whatever a card does: its text grows upwards, over them."""
    page = opened(size, reduced_motion="reduce")
    clicker = Clicker(page)
    clicker.awaited()
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    ends: dict[str, set[int]] = {"Back": set(), "Pass": set(), "hand": set()}

    def note(name: str) -> None:
        for key, part in ((name, clicker.button(re.compile(f"^{name}$"))), ("hand", clicker.hand)):
            box = part.bounding_box() or pytest.fail("a part is not shown")
            ends[key].add(round(box["y"] + box["height"]))

    for index in range(clicker.hand.get_by_role("button").count()):
        card = clicker.hand.get_by_role("button").nth(index)
        card.click()
        back = clicker.button(re.compile("^Back$"))
        expect(back).to_be_visible()
        note("Back")
        back.click()
        note("Pass")
    assert [len(places) for places in ends.values()] == [1, 1, 1], ends


def test_the_log_of_a_desktop_window_shows_some_lines(opened: Callable[..., Page]) -> None:
    """Three at least: its heading takes one line, though there are buttons in it."""
    page = opened()
    lines = page.get_by_role("log").get_by_role("listitem")
    expect(lines.last).to_be_attached()
    expect(page.get_by_role("button", name="Show what happened")).to_be_visible()
    log = page.locator("#log").evaluate("log => log.getBoundingClientRect().height")
    heading = (
        page.get_by_role("heading", name="Log").locator("..").evaluate("tools => tools.getBoundingClientRect().height")
    )
    assert log - heading > 3 * lines.last.evaluate("line => line.getBoundingClientRect().height")


def test_the_log_of_a_desktop_window_shows_a_line_in_a_season(new_context: NewContext, player: Player) -> None:
    """The season and cards in the rows take two lines, and rows have lines that explain them."""
    view = reach(player, "zman-2018", 4, "0a", lambda view: all_fight(view) and view["position"]["season"])
    context = new_context(DESKTOP)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_text("If you pass")).to_be_visible()
    log = page.get_by_role("log")
    expect(log).to_be_visible()
    expect(page.get_by_role("heading", name="Log")).to_be_hidden()
    expect(log).to_be_in_viewport(ratio=1)
    line = log.get_by_role("listitem").last.evaluate("line => line.getBoundingClientRect().height")
    assert log.evaluate("log => log.clientHeight") > line


LONGEST_NAMES = tuple(name.ljust(40, "-") for name in ("Caterina", "Lodovico Maria", "Beatrice", "Isabella"))


def four_people(service: Service, player: Player, until: Callable[[Json], bool]) -> Json:
    """Play a game of four people until `is_there` accepts the player's view, and return the view."""
    people = [player, *(Player(service, name) for name in ("Lodovico", "Beatrice", "Isabella"))]
    game = player.open("ffg-2007", 4, 0)["id"]
    for other in people[1:]:
        other.ask("POST", f"/games/{game}/join", {})
    while not until(view := player.ask("GET", f"/games/{game}")):
        mover = people[view["position"]["turn"]]
        view = mover.ask("GET", f"/games/{game}")
        mover.move(view, chosen(view))
    return view


def test_nothing_but_the_log_scrolls_where_cards_may_be_shown(
    new_context: NewContext, player: Player, service: Service
) -> None:
    """The button for showing cards is next to the other buttons."""
    game = four_people(service, player, all_fight)["id"]
    context = new_context(DESKTOP)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    expect(page.get_by_role("button", name="Show cards")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    assert set(page.evaluate(SCROLLS)) <= {"log"}


@pytest.mark.parametrize(
    ("seats", "people"),
    [(4, False), (6, False), (4, True)],
    ids=["against bots", "against five bots", "against people"],
)
def test_nothing_but_the_log_scrolls_at_the_end_of_a_game(
    new_context: NewContext, player: Player, service: Service, seats: int, people: bool
) -> None:
    """In a desktop window there is room for large open hands and the result, and the map is still readable."""
    view = four_people(service, player, is_finished) if people else reach(player, "ffg-2007", seats, "44", is_finished)
    context = new_context(DESKTOP)
    player.sign_in(context)
    page = context.new_page()
    with_hands(view, LARGEST_HAND)
    page.route(f"**/v1/games/{view['id']}", lambda route: route.fulfill(json=view))
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("list", name=re.compile("^Hand of "))).to_have_count(seats)
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    for name in ("New game with these settings", "Verify the deal", *(["Ask for a rematch"] if people else [])):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    for seat in page.get_by_role("article").all():
        expect(seat).to_be_in_viewport(ratio=1)
    assert set(page.evaluate(SCROLLS)) <= {"log"}
    assert min(page.evaluate(LETTERS)) >= 12
    assert page.evaluate(MEETING) == []


def with_long_texts(view: Json) -> Json:
    """Return a finished game with the longest names, every seat as a winner, several reasons and larger hands."""
    for seat, name in zip(view["seated"], LONGEST_NAMES, strict=True):
        seat["name"] = name
    result, seats = view["result"], view["position"]["seats"]
    result["winners"] = [seat["seat"] for seat in seats]
    result["reasons"] = ["adjacent-regions", "total-regions", "no-region-left", "battle-limit"]
    return with_hands(view, LARGE_HAND)


def test_the_end_of_a_game_fits_into_a_desktop_window_whatever_its_texts(
    new_context: NewContext, player: Player, service: Service
) -> None:
    """The map and the log leave the room to texts that take more lines than usual."""
    view = with_long_texts(four_people(service, player, is_finished))
    context = new_context(DESKTOP)
    player.sign_in(context)
    page = context.new_page()
    page.route(f"**/v1/games/{view['id']}", lambda route: route.fulfill(json=view))
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    page.get_by_label("Bots play for those who do not agree").check()
    for part in (page.get_by_role("button", name="Verify the deal"), page.get_by_label("Level of these bots")):
        expect(part).to_be_in_viewport(ratio=1)
    for seat in page.get_by_role("article").all():
        expect(seat).to_be_in_viewport(ratio=1)
    assert set(page.evaluate(SCROLLS)) <= {"log"}
    assert min(page.evaluate(LETTERS)) >= 12
    assert page.evaluate(MEETING) == []


def test_a_tablet_shows_map_and_log_beside_the_seats(opened: Callable[..., Page]) -> None:
    """A map above the seats would leave no room for the rows."""
    page = opened(TABLET)
    picture, seats = page.get_by_role("group", name="Map"), page.get_by_role("region", name="Seats")
    log = page.get_by_role("log")
    expect(log).to_be_visible()
    boxes = [part.bounding_box() for part in (picture, log, seats)]
    left, below, right = (box or pytest.fail("a part is not shown") for box in boxes)
    assert left["x"] == below["x"]
    assert left["y"] + left["height"] <= below["y"]
    assert left["x"] + left["width"] <= right["x"]
    for seat in page.get_by_role("article").all():
        expect(seat).to_be_in_viewport()
