"""Features that only some editions have, or that only some games reach: each one is shown on the board."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from ..service.whole.product import Service
from .clicking import Clicker
from .conftest import PHONE
from .layout import too_wide
from .players import Json, Player
from .scenes import MOST_MOVES, chosen, fights, play_until

pytestmark = pytest.mark.browser

SPIES = "69" * 32
"""A seed with which seat 0 is dealt five courtesans in a three-seat game of zman-2018."""
DRUMMERS = "06" * 32
"""A seed with which seat 0 is dealt two drummers in a three-seat game of zman-2018."""
BISHOPS = "05" * 32
"""A seed with which seat 0 is dealt two bishops in a two-seat game of ffg-2007."""


@pytest.fixture
def player(service: Service) -> Player:
    """A player who plays against bots."""
    return Player(service)


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], player: Player) -> Page:
    """The player's page."""
    context = new_context()
    player.sign_in(context)
    return context.new_page()


class People:
    """People at a table; a test makes all their moves, and looks at the first person's page."""

    def __init__(self, service: Service, context: BrowserContext, edition: str, seats: int, **options: object) -> None:
        """Open a game, and let everybody join it."""
        self.players = [Player(service, name) for name in ("Caterina", "Lodovico", "Beatrice")[:seats]]
        self.game = self.players[0].open(edition, seats, 0, options=options)["id"]
        for player in self.players[1:]:
            player.ask("POST", f"/games/{self.game}/join", {})
        self.players[0].sign_in(context)
        self.page = context.new_page()

    def view(self, seat: int = 0) -> Json:
        """Return the game as a seat sees it."""
        return self.players[seat].ask("GET", f"/games/{self.game}")

    def move(self, choose: Callable[[Json], Json]) -> Json:
        """Make a move for the seat whose turn it is, and return the game as the first seat sees it."""
        turn = self.view()["position"]["turn"]
        view = self.view(turn)
        self.players[turn].move(view, choose(view))
        return self.view()

    def until(self, is_there: Callable[[Json], bool], choose: Callable[[Json], Json]) -> Json:
        """Make moves until `is_there` accepts the first seat's view, and return the view."""
        for _ in range(MOST_MOVES):
            view = self.view()
            if is_there(view):
                return view
            self.move(choose)
        raise AssertionError("the game did not come to the state that was asked for")

    def open_page(self) -> Page:
        """Open the first seat's page, with its log, which is hidden if a large hand leaves no room for it."""
        self.page.goto(f"/game/{self.game}")
        expect(self.page.get_by_role("log", include_hidden=True)).to_be_attached()
        return self.page


def of_type(view: Json, kind: str) -> list[Json]:
    """Return the legal moves of one type."""
    return [move for move in view["moves"] if move["type"] == kind]


def first_seat_wins(view: Json) -> Json:
    """Let the first seat win each battle with one mercenary and always choose regions that it owns."""
    moves: list[Json] = view["moves"]
    own = view["position"]["seats"][view["you"]]
    if view["position"]["phase"] == "choose-region":
        return next((move for move in moves if move.get("region") in own["regions"]), moves[0])
    cards = [move for move in of_type(view, "play-card") if move["card"].startswith("mercenary")]
    if view["you"] == 0 and cards and not own["row"]:
        return cards[0]
    return next(iter(of_type(view, "pass")), moves[0])


def test_the_owner_of_the_contested_region_may_pass_and_lay_later(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    """The dialog says whether a pass is final. After a pass that is not final, the seat is marked."""
    two = People(service, new_context(), "eurogames-1995", 2)

    def defends(view: Json) -> bool:
        contested = view["position"]["contested"]
        return bool(contested in view["position"]["seats"][0]["regions"] and view["moves"])

    two.until(defends, first_seat_wins)
    page = two.open_page()
    seat = page.locator('article[data-seat="0"]')
    expect(seat.get_by_text("defends")).to_be_visible()
    page.get_by_role("button", name="Pass", exact=True).click()
    dialog = page.get_by_role("dialog", name="Pass?")
    expect(dialog.get_by_text("You may still lay cards later in this battle.")).to_be_visible()
    dialog.get_by_role("button", name="Pass", exact=True).click()
    expect(seat.get_by_text("passed for now")).to_be_visible()
    two.move(lambda view: of_type(view, "play-card")[0])
    expect(seat.get_by_text("to move")).to_be_visible()
    expect(seat.get_by_text("passed for now")).to_be_visible()
    two.move(lambda view: of_type(view, "play-card")[0])
    expect(seat.get_by_text("passed for now")).to_have_count(0)
    if not two.view()["moves"]:
        two.move(lambda view: of_type(view, "play-card")[0])
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(dialog.get_by_text("You lay no more cards in this battle; your row still counts.")).to_be_visible()


def test_the_own_seat_comes_first_and_a_line_says_who_leads(
    service: Service, new_context: Callable[..., BrowserContext], quiet_page: Page, module: Callable[[str], str]
) -> None:
    """The other seats follow in playing order."""
    three = People(service, new_context(), "zman-2018", 3)
    three.until(lambda view: bool(view["position"]["phase"] == "battle"), lambda view: view["moves"][0])
    context = new_context()
    three.players[1].sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{three.game}")
    names = [player.name for player in three.players]
    expect(page.get_by_role("article")).to_have_count(3)
    assert [seat.get_attribute("aria-label") for seat in page.get_by_role("article").all()] == [*names[1:], names[0]]
    line = page.get_by_role("region", name="Seats").get_by_text(re.compile(" (leads by|are level with) "))
    leading = page.locator('article[data-leads="true"]')
    expect(line).to_have_count(0)
    expect(leading).to_have_count(0)
    for highest in (False, True):

        def lays(view: Json, highest: bool = highest) -> Json:
            """Choose a mercenary that does not make two rows level."""
            rows = {seat["strength"] for seat in view["position"]["seats"]}
            cards = [move for move in of_type(view, "play-card") if move["card"].startswith("mercenary")]
            numbers = {int(move["card"].rpartition("-")[2]): move for move in cards}
            return numbers[(max if highest else min)(numbers.keys() - rows)]

        view = three.move(lays)
        strengths = {seat["strength"]: seat["seat"] for seat in view["position"]["seats"]}
        most, second = sorted((seat["strength"] for seat in view["position"]["seats"]), reverse=True)[:2]
        assert most > second
        expect(line).to_have_text(f"{names[strengths[most]]} leads by {most - second} with a strength of {most}")
        expect(leading).to_have_count(1)
        expect(leading).to_have_attribute("aria-label", names[strengths[most]])
    level = [{"seat": seat, "strength": strength} for seat, strength in enumerate((4, 9, 9))]
    position = {"phase": "battle", "seats": level}
    assert quiet_page.evaluate(LEAD_LINE, [module("battle.js"), position]) == "Seat 1 and Seat 2 are level with 9"


def test_a_note_names_the_player_who_has_changed_the_game_meanwhile(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    """The move comes too late, and is kept but not made."""
    three = People(service, new_context(), "zman-2018", 3)
    view = three.until(fights, chosen)
    page = three.open_page()
    page.get_by_role("toolbar").get_by_role("button", name=re.compile("^Mercenary")).first.click()
    play = page.locator("#confirm")
    expect(play).to_be_visible()
    held: list[Route] = []
    page.route(f"**/v1/games/{three.game}", lambda route: held.append(route), times=1)
    with page.expect_request(f"**/v1/games/{three.game}"):
        three.players[2].ask("POST", f"/games/{three.game}/resign", {})
    with page.expect_response(re.compile("/moves$")) as answer:
        play.click()
    assert answer.value.status == 412
    held.pop().continue_()
    note = page.get_by_role("region", name="Your move").get_by_role("status").first
    expect(note).to_have_text(f"{three.players[2].name} moved while you were thinking. Look again.")
    expect(play).to_have_text(re.compile("Play Mercenary"))
    assert three.view()["version"] == view["version"] + 1


LEAD_LINE = """async ([address, position]) =>
    (await import(address)).leadLine({ name: (seat) => `Seat ${seat}` }, position)"""


def test_passing_shows_what_each_hidden_card_would_do(page: Page, player: Player) -> None:
    """The dialog asks which card to turn up, and the strengths on the page change with each choice."""
    game = player.open("ffg-2007", 2, 1, seed=BISHOPS, options={"hidden_cards": True})["id"]

    def may_turn_up(view: Json) -> bool:
        return any(move.get("turn_up") for move in of_type(view, "pass"))

    view = play_until(player, game, may_turn_up)
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Pass", exact=True).click()
    dialog = page.get_by_role("dialog", name="Pass?")
    answers = dialog.get_by_role("group").get_by_role("button")
    expect(answers).to_have_count(len(of_type(view, "pass")))
    confirm = dialog.get_by_role("button", name="Pass", exact=True)
    expect(confirm).to_have_attribute("aria-disabled", "true")
    for answer in answers.all():
        answer.click()
        expect(answer).to_have_attribute("aria-pressed", "true")
        expect(dialog.get_by_text("You cannot take this back.")).to_be_visible()
        known = re.compile("^(As it stands|Your row|The battle would end|What follows)")
        expect(dialog.get_by_text(known)).to_be_visible()
    confirm.click()
    expect(dialog).to_have_count(0)
    expect(page.locator(f"[data-version='{view['version']}']")).to_have_count(0)
    assert player.ask("GET", f"/games/{game}")["version"] > view["version"]


@pytest.mark.parametrize("width", [320, 1280])
def test_buttons_stay_in_place_when_a_preview_comes(page: Page, player: Player, width: int) -> None:
    """If the buttons moved, a second tap would miss them."""
    game = player.open("zman-2018", 3, 2, seed=SPIES)["id"]
    play_until(player, game, lambda view: bool(of_type(view, "pass")) and bool(of_type(view, "play-card")))
    page.set_viewport_size({"width": width, "height": 800})
    held: list[Route] = []
    page.route("**/moves?dry_run=true", lambda route: held.append(route))
    page.goto(f"/game/{game}")
    dialog = page.get_by_role("dialog", name="Pass?")
    choices = (
        (page.get_by_role("toolbar").locator("[aria-disabled=false]").first, page.locator("#confirm")),
        (page.get_by_role("button", name="Pass", exact=True), dialog.get_by_role("button", name="Pass", exact=True)),
    )
    for choose, confirm in choices:
        with page.expect_request("**/moves?dry_run=true"):
            choose.click()
        expect(confirm).to_be_visible()
        before = confirm.bounding_box()
        with page.expect_response("**/moves?dry_run=true"):
            held.pop().continue_()
        expect(page.get_by_text(re.compile("^(Your row|The battle would end|.* may still lay cards)"))).to_be_visible()
        assert confirm.bounding_box() == before
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("edition", "seats", "options", "lacks"),
    [
        ("zman-2018", 3, {}, "0 of 3 adjacent · 0 of 5 in total"),
        ("zman-2018", 2, {"two_on_the_board": True}, "0 of 3 adjacent · 0 of 5 in total"),
        ("eurogames-revised", 3, {"bigger_kingdoms": True}, "0 of 5 adjacent"),
        ("zman-2018-duel", 2, {}, "0 of 3 battles won"),
    ],
)
def test_every_seat_says_what_it_lacks_to_win(
    page: Page, player: Player, edition: str, seats: int, options: Json, lacks: str
) -> None:
    """The number comes from the service: the goal of this game with its options."""
    view = player.open(edition, seats, seats - 1, options=options)
    assert view["goal"]["seats"] == seats
    page.goto(f"/game/{view['id']}")
    for seat in range(seats):
        expect(page.locator(f'article[data-seat="{seat}"]').get_by_text(lacks, exact=True)).to_be_visible()


def leads_in_courtesans(view: Json) -> bool:
    """Return whether the first seat must act and has more courtesans than any other seat."""
    own, *others = [seat["row"].count("courtesan") for seat in view["position"]["seats"]]
    return bool(view["moves"] and own > max(others))


def lay_courtesans(player: Player, game: str, is_there: Callable[[Json], bool]) -> Json:
    """Lay a courtesan at each turn until `is_there` accepts the view, and return the view."""
    while not is_there(view := play_until(player, game, lambda view: bool(view["moves"]))):
        courtesans = [move for move in view["moves"] if move.get("card") == "courtesan"]
        player.move(view, courtesans[0] if courtesans else chosen(view))
    return view


def courtesans_of(seat: Locator) -> Locator:
    """Return the column that shows a seat's courtesans; zman-2018 calls them spies."""
    return seat.get_by_role("group", name=re.compile("^Spy cards of "))


def test_the_marker_is_drawn_at_the_seat_that_has_it_and_at_the_one_that_would_take_it(
    page: Page, player: Player
) -> None:
    """That seat is the one with more courtesans than any other."""
    game = player.open("zman-2018", 3, 2, seed=SPIES)["id"]
    view = lay_courtesans(player, game, leads_in_courtesans)
    page.goto(f"/game/{game}")
    label = courtesans_of(page.locator('article[data-seat="0"]')).get_by_text("would take the battle marker now")
    expect(label).to_be_visible()
    expect(label.locator("..").locator('use[href="#marker"]')).to_have_count(1)
    expect(page.get_by_text("would take the battle marker now")).to_have_count(1)
    held = page.locator(f'article[data-seat="{view["position"]["marker"]}"]').get_by_text("battle marker", exact=True)
    expect(held).to_be_visible()
    expect(held.locator("..").locator('use[href="#marker"]')).to_have_count(1)
    expect(label.locator("..")).to_contain_text("next")


def has_laid_both(view: Json) -> bool:
    """Return whether the first seat leads in courtesans, has at least two of them, and has a mercenary as well."""
    row = view["position"]["seats"][0]["row"]
    return leads_in_courtesans(view) and row.count("courtesan") > 1 and len(row) > row.count("courtesan")


def test_courtesans_are_in_a_column_beside_the_row(page: Page, player: Player) -> None:
    """The column shows their number, and the marker if they would win it.

    The seat is not taller because of it, at any width.
    """
    game = player.open("zman-2018", 3, 2, seed=SPIES)["id"]
    view = play_until(player, game, fights)
    player.move(view, next(move for move in view["moves"] if move.get("card", "").startswith("mercenary")))
    view = lay_courtesans(player, game, has_laid_both)
    row = view["position"]["seats"][0]["row"]
    number = row.count("courtesan")
    page.goto(f"/game/{game}")
    own = page.locator('article[data-seat="0"]')
    column, cards = courtesans_of(own), own.get_by_role("list", name=re.compile("^Row of "))
    expect(column).to_have_accessible_name(f"Spy cards of {player.name}: {number}")
    expect(column).to_contain_text(f"×{number}")
    expect(cards.get_by_role("listitem")).to_have_count(len(row) - number)
    expect(own.get_by_text("Spy", exact=True)).to_have_count(1)
    for width, highest in ((1280, 107), (768, 107), (360, 132), (320, 132)):
        page.set_viewport_size({"width": width, "height": 800})
        beside, left, seat = (part.bounding_box() for part in (column, cards, own))
        assert beside
        assert left
        assert seat
        assert beside["x"] >= left["x"] + left["width"], width
        assert beside["y"] == left["y"], width
        assert beside["x"] + beside["width"] <= seat["x"] + seat["width"], width
        assert beside["y"] + beside["height"] <= seat["y"] + seat["height"], width
        assert seat["height"] <= highest, width
        assert too_wide(page) == 0
    column.get_by_text("×").click()
    effect = page.get_by_role("region", name="Your move").locator("strong")
    expect(effect).to_contain_text("Spy")


def test_a_bishop_that_names_no_region_says_so(page: Page, player: Player) -> None:
    game = player.open("ffg-2007", 2, 1, seed=BISHOPS)["id"]
    play_until(player, game, lambda view: any(move.get("card") == "bishop" for move in view["moves"]))
    page.goto(f"/game/{game}")
    page.get_by_role("toolbar").get_by_role("button", name=re.compile("^Bishop")).click()
    actions = page.get_by_role("region", name="Your move")
    actions.get_by_role("button", name="No region").click()
    expect(actions.get_by_text("No region would have the favor marker.")).to_be_visible()
    actions.get_by_role("button", name="Back").click()
    page.get_by_role("group", name="Map").get_by_role("button", name=re.compile("may move here")).first.press("Enter")
    expect(actions.get_by_role("button", name=re.compile(r"^Play Bishop: \w"))).to_be_visible()
    expect(actions.get_by_text(re.compile("^Your row"))).to_be_visible()
    expect(actions.get_by_text("No region would have the favor marker.")).to_have_count(0)


def two_win_and_all_decline(view: Json) -> Json:
    """Let the first two seats win two regions each and the third seat one; then let everybody decline."""
    moves: list[Json] = view["moves"]
    seats = view["position"]["seats"]
    wins = next((seat for seat, most in enumerate((2, 2, 1)) if len(seats[seat]["regions"]) < most), None)
    if view["position"]["phase"] == "choose-region":
        return next(iter(of_type(view, "decline-region")), moves[0]) if wins is None else moves[0]
    cards = [move for move in of_type(view, "play-card") if move["card"].startswith("mercenary")]
    if view["you"] == wins and cards and not seats[wins]["row"]:
        return cards[0]
    return next(iter(of_type(view, "pass")), moves[0])


def test_a_final_battle_says_who_fights_and_why(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    """The other seats come last and say that they do not fight; the map shows their regions without colour.

    Cards that may not be laid in a final battle say so and are dimmed. The hand is in the order of the edition's deck.
    """
    people = People(service, new_context(), "eurogames-revised", 3)
    view = people.until(lambda view: bool(view["position"]["fighters"] and view["moves"]), two_win_and_all_decline)
    assert view["position"]["fighters"] == [0, 1]
    playable = {move["card"] for move in of_type(view, "play-card")}
    view["position"]["seats"][0]["hand"]["cards"] = ["surrender", "bishop", *playable]
    people.page.route(f"**/v1/games/{people.game}", lambda route: route.fulfill(json=view))
    page = people.open_page()
    barred = page.get_by_role("toolbar").get_by_text("barred", exact=True)
    expect(barred).to_have_count(2)
    expect(page.get_by_role("button", name=re.compile("^Surrender.*, barred$")).get_by_text("barred")).to_be_visible()
    assert barred.first.evaluate("({ clientWidth, scrollWidth }) => scrollWidth <= clientWidth")
    hand = page.get_by_role("toolbar").get_by_role("button")
    deck = [kind["card"] for kind in people.players[0].ask("GET", "/editions/eurogames-revised")["deck"]]
    cards = [str(card.get_attribute("data-card")) for card in hand.all()]
    assert cards == sorted(cards, key=deck.index)
    for card in hand.all():
        expect(card).to_have_css("opacity", "0.8" if card.get_attribute("aria-disabled") == "true" else "1")
    names = [player.name for player in people.players]
    line = page.get_by_text(
        f"{names[0]} and {names[1]} are tied in regions, and every seat declined to choose a region"
    )
    expect(line).to_contain_text("Final battle")
    expect(page.get_by_role("article")).to_have_count(3)
    last = page.get_by_role("article").last
    expect(last).to_have_accessible_name(names[2])
    expect(last.get_by_text("does not fight")).to_be_visible()
    expect(page.get_by_text("does not fight")).to_have_count(1)
    owned = [len(seat["regions"]) for seat in view["position"]["seats"]]
    assert owned == [2, 2, 1]
    for seat, regions in enumerate(owned):
        fights = seat in view["position"]["fighters"]
        expect(page.locator(f'.map-land[data-seat="{seat}"]')).to_have_count(regions if fights else 0)
        expect(page.locator(f'.map-token[data-kind="owner"][data-seat="{seat}"]')).to_have_count(regions)
    expect(page.locator(".map-token[data-aside]")).to_have_count(owned[2])


NOTE_OUTLINES = """() => {
    window.outlined = new Promise((resolve) => new MutationObserver(() => {
        const lines = document.querySelectorAll(".map-marked");
        if (lines.length) resolve([...lines].map((line) => line.getAttribute("d")));
    }).observe(document.body, { childList: true, subtree: true }));
}"""


def test_a_region_that_another_player_wins_is_outlined_for_a_moment(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    people = People(service, new_context(), "zman-2018", 3)

    def second_seat_wins(view: Json) -> Json:
        cards = [move for move in of_type(view, "play-card") if move["card"].startswith("mercenary")]
        if view["you"] == 1 and cards and not view["position"]["seats"][1]["row"]:
            return cards[0]
        moves: list[Json] = view["moves"]
        return next(iter(of_type(view, "pass")), moves[0])

    page = people.open_page()
    page.evaluate(NOTE_OUTLINES)
    view = people.until(lambda view: bool(view["position"]["seats"][1]["regions"]), second_seat_wins)
    [won] = view["position"]["seats"][1]["regions"]
    outline = page.locator(f'[data-region="{won}"] path').get_attribute("d")
    assert page.evaluate("() => outlined") == [outline, outline]
    expect(page.locator(".map-marked")).to_have_count(0)


def test_a_game_of_a_match_that_ends_opens_its_count(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    """The next game then begins on the same page."""
    people = People(service, new_context(), "ffg-2007", 2, points=100)
    view = people.until(lambda view: view["position"]["match"]["game"] == 2, first_seat_wins)
    commits = people.players[0].ask("GET", f"/games/{people.game}/events")["commits"]
    events = [event for commit in commits for event in commit["events"]]
    won = [event["winner"] for event in events if event["type"] == "battle-ended" and "winner" in event]
    gained = next(event["gained"] for event in events if event["type"] == "match-scored")
    assert gained[0] > won.count(0)
    page = people.open_page()
    seats = page.get_by_role("region", name="Seats")
    expect(seats.get_by_text("The points of game 1:")).to_be_visible()
    name = people.players[0].name
    more = f" + {gained[0] - won.count(0)} for the victory"
    expect(seats.get_by_text(f"{name}: {won.count(0)} regions{more} = {gained[0]}", exact=True)).to_be_visible()
    other = people.players[1].name
    expect(seats.get_by_text(f"{other}: 0 regions = 0", exact=True)).to_be_visible()
    expect(seats.get_by_role("term").filter(has_text="Game 2")).to_be_visible()
    assert view["status"] == "running"


def test_a_limit_of_battles_is_said_from_the_last_tenth_on(
    service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    people = People(service, new_context(), "zman-2018-duel", 2, battle_limit=2)
    page = people.open_page()
    line = page.get_by_text(re.compile("of at most"))
    expect(page.get_by_role("heading", name=re.compile("^Battle"))).to_be_visible()
    expect(line).to_have_count(0)
    people.until(lambda view: view["position"]["battle"] == 2, first_seat_wins)
    expect(line).to_have_text("Battle 2 of at most 2")


def test_a_stall_is_announced_two_battles_before(service: Service, new_context: Callable[..., BrowserContext]) -> None:
    """As soon as a card is laid, the count starts again."""
    people = People(service, new_context(), "zman-2018-duel", 2)
    page = people.open_page()
    line = page.get_by_text(re.compile("^No card laid"))
    people.until(lambda view: view["position"]["battle"] == 2, lambda view: of_type(view, "pass")[0])
    expect(page.get_by_role("heading", name="Battle 2", exact=True)).to_be_visible()
    expect(line).to_have_count(0)
    people.until(lambda view: view["position"]["battle"] == 3, lambda view: of_type(view, "pass")[0])
    expect(line).to_have_text("No card laid in 2 of at most 4 battles in a row")
    people.until(lambda view: any(seat["row"] for seat in view["position"]["seats"]), first_seat_wins)
    expect(line).to_have_count(0)


IS_AS_WIDE = "([part, least]) => (part.getBoundingClientRect().width > Math.max(least, 1)) === least > 0"
"""Returns whether a text is wider than a number of pixels; with 0, whether the text is not drawn."""


def test_a_special_card_is_named_in_its_row_and_not_stretched(page: Page, player: Player) -> None:
    """A drummer has its name beside its sign, unlike a mercenary, and is as wide as the two.

    Cards that matter less once they are laid, such as a scarecrow, are named only if the window is wide enough.
    """
    game = player.open("zman-2018", 3, 2, seed=DRUMMERS)["id"]
    for kind in ("mercenary", "drummer"):
        view = play_until(player, game, lambda view: bool(view["moves"]) and view["position"]["phase"] == "battle")
        player.move(view, next(move for move in view["moves"] if move.get("card", "").startswith(kind)))
    page.goto(f"/game/{game}")
    row = page.locator('article[data-seat="0"]').get_by_role("list", name=re.compile("^Row of "))
    expect(row.get_by_role("listitem")).to_have_count(2)
    name = row.get_by_text("Drum")
    expect(name).to_be_visible()
    small, card, words = (part.bounding_box() for part in (*row.get_by_role("listitem").all(), name))
    assert small
    assert card
    assert words
    assert words["width"] > 20
    assert card["y"] == small["y"]
    assert card["width"] < words["width"] + small["width"]
    view = play_until(player, game, lambda view: bool(view["moves"]) and view["position"]["phase"] == "battle")
    player.move(view, next(move for move in view["moves"] if move.get("card") == "scarecrow"))
    scarecrow = row.get_by_text("Scarecrow")
    page.wait_for_function(IS_AS_WIDE, arg=[scarecrow.element_handle(), 20])
    # What is said of a card gives way to the next move.
    Clicker(page).awaited()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function(IS_AS_WIDE, arg=[scarecrow.element_handle(), 0])
    expect(name).to_be_visible()
    scarecrow.locator("..").click()
    expect(page.get_by_role("region", name="Your move").get_by_text("Scarecrow", exact=True)).to_be_visible()
