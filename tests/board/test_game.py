"""The screen of a game: every edition and option, choosing and confirming, refusals, the clock, and the seats."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from ..service.whole.product import Service
from .clicking import MOST_TABS, Clicker, Typist
from .conftest import PHONE, REFUSE_TO_COPY, Faults
from .players import Json, Player, host
from .scenes import REGION_FIRST, SEED, chosen, fights, play_until, reach, seed_games

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
EDITIONS: list[tuple[str, int, Json]] = [
    ("zman-2018", 4, {}),
    ("zman-2018-classic", 3, {}),
    ("zman-2018-duel", 2, {}),
    ("ffg-2007", 3, {}),
    ("ffg-2007", 2, {"hidden_cards": True, "bigger_kingdoms": True, "battle_limit": 5}),
    ("ffg-2007", 3, {"draw_after_battle": True, "capturing_regions": True, "battle_limit": 4}),
    ("ffg-2007", 3, {"points": 3, "battle_limit": 2}),
    ("eurogames-revised", 3, {}),
    ("eurogames-revised", 3, {"final_battle": "english", "capturing_regions": True, "battle_limit": 4}),
    ("eurogames-1995", 3, {}),
    ("eurogames-1995", 3, {"scarecrow_targets": "any", "battle_limit": 4}),
    ("zman-2018", 2, {"two_on_the_board": True, "battle_limit": 2}),
    ("zman-2018-classic", 2, {"two_on_the_board": True, "battle_limit": 2}),
    ("zman-2018-duel", 2, {"battle_limit": 2}),
    ("ffg-2007", 6, {"battle_limit": 1}),
    ("eurogames-revised", 5, {"points": 1, "bigger_kingdoms": True, "battle_limit": 2}),
]
"""Games that are played to the end: one of each edition and one with each option. A low limit ends the latter."""
ON_A_PHONE = {("zman-2018", 4), ("ffg-2007", 3)}
"""The games without options that are played in a window of phone size; all others are played on a desktop."""
SEEDS = {"zman-2018-duel": "02", "ffg-2007": "01"}
"""The first bytes of seeds with which a clicker needs few moves; 06 for all other editions."""


class Table:
    """One player's page for a game."""

    def __init__(self, service: Service, new_context: NewContext, **context: Any) -> None:
        """Register, and sign in to a browser."""
        self.player = Player(service)
        self.context = new_context(**context)
        self.player.sign_in(self.context)
        self.page = self.context.new_page()
        self.clicker = Clicker(self.page)
        self.game = ""

    def open(self, edition: str, seats: int, bots: int, **more: Any) -> Clicker:
        """Open a game and its page."""
        self.game = self.player.open(edition, seats, bots, **more)["id"]
        self.page.goto(f"/game/{self.game}")
        return self.clicker

    def view(self) -> Json:
        """Return the game as the API shows it to the player."""
        return self.player.ask("GET", f"/games/{self.game}")

    def open_against(self, other: Player) -> Clicker:
        """Open a duel against another person and show it, and play until it is the other player's turn."""
        clicker = self.open("zman-2018-duel", 2, 0)
        other.ask("POST", f"/games/{self.game}/join", {})
        view = self.view()
        if view["moves"]:
            self.player.move(view, chosen(view))
        expect(clicker.bar).to_have_text(f"Waiting for {other.name} to play a card or pass")
        return clicker

    def until(self, duty: str) -> Clicker:
        """Make moves until this player has the given duty."""
        while (now := self.clicker.awaited()) != duty:
            assert now, "the game was over before"
            self.clicker.make_a_move(now)
        return self.clicker


@pytest.fixture
def table(service: Service, new_context: NewContext) -> Table:
    """A player with a page."""
    return Table(service, new_context)


@pytest.mark.parametrize(("edition", "seats", "options"), EDITIONS)
def test_every_edition_is_played_to_its_end_by_clicking(table: Table, edition: str, seats: int, options: Json) -> None:
    if not options and (edition, seats) in ON_A_PHONE:
        table.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    clicker = table.open(edition, seats, seats - 1, options=options, seed=SEEDS.get(edition, "06") * 32)
    clicker.play_to_the_end()
    view = table.view()
    assert view["status"] == "finished"
    expect(table.page.get_by_role("heading", name=re.compile("won$"))).to_have_count(1)
    shown = table.page.get_by_role("main").inner_text()
    keys = [reason for reason in view["result"]["reasons"] if "-" in reason]
    assert [text for text in (*keys, "undefined", "[object", "null", "NaN", "does not know") if text in shown] == []


def test_every_option_of_every_edition_is_played(service: Service) -> None:
    played = {(edition, option) for edition, _, options in EDITIONS for option in options}
    for edition in requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]:
        rules = requests.get(f"{service.url}/v1/editions/{edition['key']}", timeout=30).json()
        assert {(edition["key"], option["key"]) for option in rules["options"]} <= played


def test_a_newcomer_plays_a_game_to_its_end_by_keyboard_only(page: Page, service: Service) -> None:
    """The newcomer registers on the start page and opens a game against two bots there."""
    seed_games(page, "05" * 32)
    page.goto("/")
    typist, name = Typist(page, eagerness=0.7), page.get_by_label("Your name")
    expect(name).to_be_visible()
    for _ in range(MOST_TABS):
        typist.press("Tab")
        if name.evaluate("field => field === document.activeElement"):
            break
    page.keyboard.type(f"New-{secrets.token_hex(3)}")
    typist.press("Enter")
    page.wait_for_url(re.compile(r"/game/[0-9a-z]+$"))
    typist.play_to_the_end()
    game = requests.get(f"{service.url}/v1/games/{page.url.rpartition('/')[2]}", timeout=30).json()
    assert game["status"] == "finished"
    assert [seat["bot"] for seat in game["seated"]] == [None, "steady", "steady"]
    assert typist.moves > 3


def test_the_first_link_leads_to_the_hand(table: Table) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    table.page.keyboard.press("Tab")
    expect(table.page.get_by_role("link", name="Skip to your hand")).to_be_focused()
    table.page.keyboard.press("Enter")
    expect(clicker.hand.get_by_role("button").first).to_be_focused()
    table.page.get_by_role("link", name="Your games").click()
    expect(table.page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(table.page.get_by_role("link", name="Skip to content")).to_be_attached()


AREAS = {
    "bar": ".table-bar",
    "hand": "[role=toolbar]",
    "actions": "[aria-label='Your move']",
    "map": "#map",
    "seats": "[aria-label=Seats]",
    "log": "#log",
}
"""The areas of the screen, in the order in which Tab reaches them."""
AREA = """areas => Object.keys(areas).find((name) => document.activeElement.closest(areas[name])) ?? "" """


def test_the_tab_key_leads_through_the_parts_of_the_screen_in_order(table: Table) -> None:
    """The hand is one stop, whatever the number of its cards, and so is the map; the list of regions is another."""
    view = reach(table.player, "zman-2018", 3, "00", fights)
    table.page.goto(f"/game/{view['id']}")
    table.clicker.awaited()
    for text in ("Standing orders", "Options and more"):
        expect(table.page.get_by_text(text, exact=True)).to_be_attached()
    met: list[str] = []
    stops = Counter[str]()
    for _ in range(MOST_TABS):
        table.page.keyboard.press("Tab")
        area = table.page.evaluate(AREA, AREAS)
        stops[area] += 1
        if area and area not in met[-1:]:
            met.append(area)
        if area == "log":
            break
    assert met == list(AREAS)
    assert (stops["hand"], stops["map"]) == (1, 2)


QUICK_MOVES = "localStorage.setItem('condottiere.look', JSON.stringify({ quickMoves: true }))"


def test_single_keys_lead_around_the_screen_and_can_be_switched_off(table: Table) -> None:
    clicker = table.open("zman-2018", 3, 2)
    clicker.awaited()
    keys, page = table.page.keyboard, table.page
    expect(page.get_by_role("log")).to_be_attached()
    keys.press("l")
    expect(page.locator("#log")).to_be_focused()
    keys.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("to the log")
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_text("Talk", exact=True).click()
    field = page.locator("#talk-text")
    field.focus()
    keys.type("hlmp?")
    expect(field).to_have_value("hlmp?")
    expect(field).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)
    field.fill("")
    page.locator("#log").focus()
    page.evaluate("localStorage.setItem('condottiere.look', JSON.stringify({ keys: false }))")
    keys.press("?")
    keys.press("h")
    expect(page.locator("#log")).to_be_focused()
    expect(dialog).to_have_count(0)


def test_quick_moves_need_one_tap_where_turns_are_short(table: Table) -> None:
    """Passing and resigning need a confirmation in any case."""
    table.page.add_init_script(QUICK_MOVES)
    for seconds, quick in ((300, True), (86_400, False)):
        clicker = table.open("zman-2018-duel", 2, 1, clock={"kind": "per-move", "seconds": seconds})
        clicker.awaited()
        before = table.view()["version"]
        if quick:
            table.page.get_by_text("Options and more").click()
            for button in (clicker.button("Pass"), table.page.get_by_role("button", name="Resign")):
                button.click()
                table.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
                expect(table.page.get_by_role("dialog")).to_have_count(0)
            assert table.view()["version"] == before
        clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
        if quick:
            expect(table.page.locator(f'[data-version="{before}"]')).to_have_count(0)
            assert table.view()["version"] > before
        else:
            expect(clicker.button(re.compile("^Play "))).to_be_visible()
            assert table.view()["version"] == before


COUNT_URGENT = """() => {
    window.urgent = 0;
    new MutationObserver(() => urgent++).observe(document.getElementById("urgent"), { childList: true });
}"""


def test_what_another_player_does_is_spoken(service: Service, table: Table) -> None:
    """The page also says who leads after the move. The player's own turn is announced once, with a higher priority."""
    other = Player(service, "Lodovico")
    table.open_against(other)
    # What speaks comes with the log.
    expect(table.page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    table.page.evaluate(COUNT_URGENT)
    view = other.ask("GET", f"/games/{table.game}")
    laid = f"mercenary-{view['position']['seats'][0]['strength']}"
    cards = [move for move in view["moves"] if str(move.get("card", "")).startswith("mercenary")]
    after = other.move(view, next(card for card in cards if card["card"] != laid))
    own, others = (seat["strength"] for seat in after["position"]["seats"])
    leader = table.player.name if own > others else other.name
    spoken = table.page.locator("#spoken")
    expect(spoken).to_contain_text(f"{leader} leads by {abs(own - others)} with a strength of {max(own, others)}")
    expect(spoken).to_have_attribute("aria-live", "polite")
    urgent = table.page.get_by_role("alert").and_(table.page.locator("#urgent"))
    expect(urgent).to_have_text("Your turn: play a card or pass")
    with table.page.expect_response(f"**/v1/games/{table.game}"):
        table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    table.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert table.page.evaluate("urgent") == 1


RECORD_SPEECH = """() => {
    const place = document.getElementById("spoken");
    window.said = [];
    new MutationObserver(() => said.push([Date.now(), place.textContent])).observe(place, { childList: true });
}"""


def of_version(version: int) -> Callable[[Response], bool]:
    """Return whether a response contains a game at this version, according to its ETag."""
    return lambda answer: answer.headers.get("etag", "").startswith(f'"{version}.')


def test_moves_that_follow_soon_are_spoken_together(service: Service, table: Table) -> None:
    """At most one sentence is spoken in two seconds. The page's clock is stopped while the others move."""
    others = [Player(service, name) for name in ("Lodovico", "Ginevra")]
    table.page.clock.install()
    table.open("zman-2018", 3, 0)
    for other in others:
        other.ask("POST", f"/games/{table.game}/join", {})
    players = [table.player, *others]
    view = table.view()
    while view["position"]["phase"] != "battle" or view["position"]["turn"] != 1:
        view = players[view["position"]["turn"]].ask("GET", f"/games/{table.game}")
        view = players[view["you"]].move(view, chosen(view))
    expect(table.page.locator(f'[data-version="{view["version"]}"]')).to_be_attached()
    expect(table.page.get_by_role("log").get_by_text(re.compile("chooses")).first).to_be_attached()
    table.page.clock.pause_at(table.page.evaluate("Date.now()") / 1000 + 1)
    # Let the page finish speaking about the earlier moves.
    table.page.clock.run_for(4_000)
    table.page.evaluate(RECORD_SPEECH)
    for seat in (1, 2):
        move_and_be_seen(table, players[seat])
    let_speak(table, 1)
    for seat in (0, 1):
        move_and_be_seen(table, players[seat])
    let_speak(table, 2)
    (first, together), (second, later) = table.page.evaluate("said")
    assert second - first >= 2_000
    assert all(re.search(f"{other.name} (lays|passes)", together) for other in others)
    assert re.search(f"{others[0].name} (lays|passes)", later)


def move_and_be_seen(table: Table, player: Player) -> None:
    """Make a move over the API, and wait until the page has received the new version of the game."""
    view = player.ask("GET", f"/games/{table.game}")
    with table.page.expect_response(of_version(view["version"] + 1)):
        player.move(view, chosen(view))


def let_speak(table: Table, times: int) -> None:
    """Advance the page's clock until it has spoken this number of times."""
    for _ in range(1000):
        if table.page.evaluate("said.length") == times:
            return
        table.page.clock.run_for(100)
    raise AssertionError(f"the page has not spoken {times} times")


def test_the_first_tap_shows_what_a_card_does_and_posts_nothing(table: Table) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    before = table.view()
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    expect(clicker.actions.get_by_text(re.compile(r"Your row: from \d+ to \d+\."))).to_be_visible()
    expect(clicker.actions.get_by_text(re.compile("^Mercenary .* Adds"))).to_be_visible()
    clicker.button("Back").click()
    expect(clicker.button("Pass")).to_be_visible()
    assert table.view()["version"] == before["version"]


def is_first_answer(view: Json) -> bool:
    """Return whether only the other seat has laid a card, and the player has cards that trail, equal and beat it."""
    if not fights(view) or view["position"]["seats"][0]["row"]:
        return False
    other, values = view["position"]["seats"][1]["strength"], mercenaries(view).values()
    return min(values, default=other) < other < max(values, default=other) and other in values


def mercenaries(view: Json) -> dict[str, int]:
    """Return the mercenaries that can be laid, each with its printed value."""
    cards = {move["card"] for move in view["moves"] if move["type"] == "play-card"}
    return {card: int(card.rpartition("-")[2]) for card in cards if card.startswith("mercenary")}


def test_the_preview_says_who_would_lead(table: Table) -> None:
    view = reach(table.player, "zman-2018-duel", 2, "02", is_first_answer)
    other = view["position"]["seats"][1]["strength"]
    table.page.goto(f"/game/{view['id']}")
    said = {}
    for value in sorted(mercenaries(view).values()):
        table.clicker.hand.get_by_role("button", name=re.compile(f"^Mercenary {value}(,|$)")).click()
        by = value - other
        said[value] = f"You would {'lead' if by > 0 else 'trail'} by {abs(by)}." if by else "You would be level."
        text = f"Your row: from 0 to {value}. {said[value]}"
        expect(table.clicker.actions.get_by_text(text, exact=True)).to_be_visible()
    assert {text.rpartition(" by ")[0] for text in said.values()} == {"", "You would lead", "You would trail"}


def leads(view: Json) -> bool:
    """Return whether the player leads in a battle and can end it with a card."""
    if not fights(view) or not any(move.get("card") == "surrender" for move in view["moves"]):
        return False
    own, *others = (seat["strength"] for seat in view["position"]["seats"])
    return bool(own > max(others))


def others_passed(view: Json) -> bool:
    """Return whether the player's pass would end the battle."""
    return fights(view) and all(seat["passed"] for seat in view["position"]["seats"][1:])


def trails(view: Json) -> bool:
    """Return whether the player's pass would let another seat win the battle."""
    own, *others = (seat["strength"] for seat in view["position"]["seats"])
    return others_passed(view) and own < max(others) and others.count(max(others)) == 1


def others_hide(view: Json) -> bool:
    """Return whether the player's pass would end the battle, in which another seat has a card face down."""
    own, other = (seat["face_down"]["count"] for seat in view["position"]["seats"])
    return others_passed(view) and bool(other) and not own


ENDS: dict[str, tuple[str, int, str, Json, Callable[[Json], bool], str]] = {
    "won with a card": ("zman-2018", 3, "19", {}, leads, "The battle would end: you would win {region}."),
    "won with the game": (
        "zman-2018",
        3,
        "19",
        {"battle_limit": 1},
        leads,
        "The battle would end: you would win {region} and the game.",
    ),
    "lost by passing": ("zman-2018", 3, "12", {}, trails, "The battle would end: {leader} would win {region}."),
    "without a card": ("zman-2018", 3, "d3", {}, others_passed, "The battle would end without a winner."),
    "end of the game": ("zman-2018", 3, "12", {"battle_limit": 1}, trails, "This would end the game."),
    "hidden cards": (
        "ffg-2007",
        2,
        "0c",
        {"hidden_cards": True},
        others_hide,
        "What follows depends on cards that you do not see.",
    ),
}
"""The ways in which a battle can end: a seed, a position that the game reaches, and the text before the final move."""


@pytest.mark.parametrize("case", ENDS)
def test_the_preview_says_how_the_battle_would_end(table: Table, case: str) -> None:
    edition, seats, seed, options, is_there, text = ENDS[case]
    view = reach(table.player, edition, seats, seed, is_there, **options)
    table.page.goto(f"/game/{view['id']}")
    if is_there is leads:
        table.clicker.hand.get_by_role("button", name=re.compile("^Turncoat")).click()
        shown = table.clicker.actions
    else:
        table.clicker.button("Pass").click()
        shown = table.page.get_by_role("dialog", name="Pass?")
    strengths = [seat["strength"] for seat in view["position"]["seats"]]
    leader = table.page.locator(f'article[data-seat="{strengths.index(max(strengths))}"]').get_attribute("aria-label")
    regions = table.player.ask("GET", f"/editions/{edition}")["board"]["regions"]
    region = next(region["name"] for region in regions if region["key"] == view["position"]["contested"])
    expect(shown).to_contain_text(text.format(leader=leader, region=region))


FORESEEN = """async ([address, strength, goal]) => {
    const { Passing } = await import(address);
    const more = { passed: false, hand: { count: 1 }, regions: [], battles_won: 2 };
    const seats = [0, strength].map((strength, seat) => ({ seat, strength, ...more }));
    const position = { phase: "battle", seats, fighters: [], contested: null };
    const table = { closing: new AbortController(), choice: { type: "pass" }, edition: {}, name: () => "Bruno" };
    table.view = { you: 0, position, goal };
    return new Passing(table).foreseen({ events: [], game: { position } });
}"""
"""Returns what a pass would do if the player's row is empty, and Bruno's has some strength and two battles won."""


def test_nobody_is_level_on_an_empty_table(quiet_page: Page, module: Callable[[str], str]) -> None:
    foreseen = [quiet_page.evaluate(FORESEEN, [module("passing.js"), strength, None]) for strength in (0, 3)]
    stays = "Your row stays at 0."
    wins = "As it stands, Bruno wins the battle."
    assert foreseen == [f"Bruno may still lay cards. {stays}", f"{wins} {stays} You would trail by 3."]


@pytest.mark.parametrize(("battles", "prize"), [(3, "the battle and the game"), (4, "the battle")])
def test_a_pass_says_if_another_player_would_win_the_game(
    quiet_page: Page, module: Callable[[str], str], battles: int, prize: str
) -> None:
    goal = {"adjacent": None, "total": None, "battles": battles}
    foreseen = quiet_page.evaluate(FORESEEN, [module("passing.js"), 3, goal])
    assert foreseen.startswith(f"As it stands, Bruno wins {prize}.")


def test_the_link_is_copied_where_browsers_have_no_clipboard(table: Table) -> None:
    """Browsers have no clipboard at `http` addresses of other machines."""
    table.page.add_init_script("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
    table.open("zman-2018-duel", 2, 0)
    table.page.get_by_role("button", name="Copy").click()
    expect(table.page.get_by_role("button", name="Copied")).to_be_focused()
    table.page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))")
    table.page.locator("#pasted").press("Control+V")
    expect(table.page.locator("#pasted")).to_have_value(table.page.url)


def test_the_link_is_selected_where_browsers_refuse_to_copy(service: Service, new_context: NewContext) -> None:
    """Such a browser may still have its own way to share a link."""
    table = Table(service, new_context, size=PHONE, has_touch=True, is_mobile=True)
    table.page.add_init_script(
        "navigator.share = async ({ url }) => { window.shared = url; throw new DOMException(); }"
    )
    table.open("zman-2018-duel", 2, 0)
    copy = table.page.get_by_role("button", name="Copy")
    expect(copy).to_be_visible()
    table.page.evaluate(REFUSE_TO_COPY)
    copy.click()
    expect(table.page.get_by_text("Press and hold the text to copy it.")).to_be_visible()
    expect(table.page.get_by_role("button", name="Copied")).to_have_count(0)
    assert table.page.evaluate("getSelection().toString()") == table.page.url
    table.page.get_by_role("button", name="Share").click()
    assert table.page.evaluate("shared") == table.page.url
    expect(table.page.get_by_text("This page failed")).to_have_count(0)


def test_passing_asks_first(table: Table) -> None:
    """The second click of a double-click neither passes nor deselects a card."""
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    expect(clicker.actions.get_by_text("If you pass, ")).to_be_visible()
    card = clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first
    card.dblclick()
    expect(card).to_have_attribute("aria-pressed", "true")
    clicker.button("Back").click()
    clicker.button("Pass").dispatch_event("click", {"detail": 2})
    expect(card).to_have_attribute("aria-pressed", "false")
    before = table.view()["version"]
    dialog = table.page.get_by_role("dialog", name="Pass?")
    expect(dialog).to_have_count(0)
    table.page.keyboard.press("p")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert table.view()["version"] == before
    clicker.button("Pass").click()
    table.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(clicker.button("Pass")).to_be_focused()
    assert table.view()["version"] == before


def test_discarding_a_hand_asks_first(table: Table) -> None:
    """Quick moves do not change this."""

    def may_discard(view: Json) -> bool:
        return any(move["type"] == "discard-hand" for move in view["moves"])

    table.page.add_init_script(QUICK_MOVES)
    clock = {"kind": "per-move", "seconds": 300}
    table.game = table.player.open("zman-2018", 3, 2, bot="random", seed="69" * 32, clock=clock)["id"]
    view = play_until(table.player, table.game, may_discard)
    table.page.goto(f"/game/{table.game}")
    discard = table.clicker.button("Discard the hand")
    dialog = table.page.get_by_role("dialog", name="Discard the hand?")
    for key in ("Enter", "Escape"):
        discard.click()
        expect(dialog).to_contain_text("You discard all cards of your hand.")
        dialog.get_by_role("button", name="Cancel").press(key)
        expect(dialog).to_have_count(0)
        expect(discard).to_be_focused()
    assert table.view()["version"] == view["version"]
    discard.click()
    dialog.get_by_role("button", name="Discard the hand").click()
    table.clicker.settle()
    commit = table.player.ask("GET", f"/games/{table.game}/events?after={view['version']}")["commits"][0]
    assert [event["seat"] for event in commit["events"] if event["type"] == "hand-discarded"] == [0]


def test_a_region_is_chosen_with_the_keyboard_only(table: Table) -> None:
    """Before that, tapping a card says why it cannot be played yet."""
    clicker = table.open("zman-2018", 3, 2, seed=REGION_FIRST)
    assert clicker.awaited() == "choose a region"
    clicker.hand.get_by_role("button").first.click(force=True)
    refusal = clicker.actions.get_by_role("alert")
    expect(refusal).to_contain_text("different kind of move")
    keys = table.page.keyboard
    keys.press("m")
    keys.press("Home")
    expect(clicker.map.get_by_role("button", name=re.compile("^Torino"))).to_be_focused()
    city = clicker.regions()[-1].get_attribute("aria-label") or ""
    focused, seen = clicker.map.locator(":focus"), ""
    while seen != city:
        keys.press(city[0].lower())
        expect(focused).not_to_have_attribute("aria-label", seen)
        seen = focused.get_attribute("aria-label") or ""
        assert seen.startswith(city[0])
    keys.press("Enter")
    expect(clicker.button(re.compile("^Choose "))).to_be_focused()
    expect(refusal).to_have_count(0)
    keys.press("Escape")
    expect(clicker.button(re.compile("^Choose "))).to_have_count(0)
    expect(focused).to_have_attribute("aria-label", city)
    keys.press("Enter")
    expect(clicker.button(re.compile("^Choose "))).to_be_focused()
    keys.press("Enter")
    clicker.settle()
    assert clicker.awaited() == "play a card or pass"


def test_a_refused_region_is_explained_with_its_clause(table: Table) -> None:
    """The explanation is beside the region: below a region in the north, and above one in the south.

    If the part that puts it there is loaded late, it puts the explanation there then.
    """
    late: list[Route] = []
    table.page.route("**/why.js", lambda route: late.append(route))
    with table.page.expect_request("**/why.js"):
        clicker = table.open("zman-2018", 3, 2)
    table.until("play a card or pass")
    alert = table.page.get_by_role("main").get_by_role("alert")
    with table.page.expect_response(re.compile("dry_run=true")):
        clicker.click_region(clicker.map.get_by_role("button", name=re.compile("^Napoli")))
    late[0].continue_()
    expect(table.page.locator("[data-low=true]").get_by_role("alert")).to_be_visible()
    for region, is_low in (("Napoli", True), ("Milano", False)):
        place = clicker.map.get_by_role("button", name=re.compile(f"^{region}"))
        with table.page.expect_response(re.compile("dry_run=true")) as refused:
            clicker.click_region(place)
        answer = table.page.locator(f"[data-low={str(is_low).lower()}]").get_by_role("alert")
        expect(answer).to_be_visible()
        expect(alert).to_have_count(1)
        where, near = answer.bounding_box(), place.bounding_box()
        assert where
        assert near
        assert near["y"] < (where["y"] + where["height"] if is_low else where["y"]) < near["y"] + near["height"]
    number = refused.value.json()["clause"]
    clause = next(rule for rule in table.player.ask("GET", "/editions/zman-2018")["rules"] if rule["number"] == number)
    alert.get_by_text(f"Rule {number}", exact=True).click()
    for text in (clause["heading"], clause["source"]):
        expect(alert.get_by_text(text, exact=True)).to_be_visible()
    expect(alert.get_by_role("link", name="All rules of this edition")).to_be_visible()
    expect(alert.get_by_text(re.compile(r"\*\*|`"))).to_have_count(0)
    close = table.page.get_by_role("main").get_by_role("button", name="Close", exact=True)
    expect(close).to_have_text("")
    expect(close.locator("use[href='#cross']")).to_be_attached()
    close.click()
    expect(alert).to_have_count(0)
    expect(place).to_be_focused()


def test_a_card_out_of_turn_is_explained(service: Service, table: Table) -> None:
    clicker = table.open_against(Player(service, "Lodovico"))
    card = clicker.hand.get_by_role("button").first
    expect(card).to_have_attribute("aria-disabled", "true")
    card.click(force=True)
    expect(table.page.get_by_role("main").get_by_role("alert")).to_contain_text("turn")


@pytest.mark.parametrize("missing", ["clauses.js", "screens.css"])
def test_a_refusal_is_shown_before_its_clause_is_there(
    service: Service, table: Table, faults: Faults, missing: str
) -> None:
    """What could not be loaded is loaded with the next view."""
    faults.expects("ERR_FAILED")
    table.page.route(f"**/{missing}", lambda route: route.abort())
    clicker = table.open_against(Player(service, "Lodovico"))
    clicker.hand.get_by_role("button").first.click(force=True)
    alert = table.page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("turn")
    expect(alert.get_by_role("group")).to_have_count(0)
    table.page.unroute(f"**/{missing}")
    table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(alert.get_by_role("group")).to_be_visible()


def test_a_move_on_a_phone_that_shows_the_map_turns_to_the_battle(table: Table) -> None:
    table.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    clicker = table.open("zman-2018", 3, 2, seed=SEED)
    table.until("play a card or pass")
    table.page.get_by_role("button", name="Map", exact=True).click()
    seats = table.page.get_by_role("region", name="Seats")
    expect(seats).to_be_hidden()
    clicker.hand.locator("[aria-disabled=false][data-card^=mercenary]").first.click()
    clicker.confirm(re.compile("^Play "))
    expect(seats).to_be_visible()


def test_the_end_of_a_game_is_in_sight_on_a_phone(table: Table) -> None:
    """Wherever the page is scrolled."""
    table.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    table.open("zman-2018", 2, 1, options={"two_on_the_board": True})
    table.clicker.awaited()
    expect(table.page.get_by_role("log")).to_be_attached()
    table.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert table.page.evaluate("scrollY") > 0
    table.player.ask("POST", f"/games/{table.game}/resign")
    expect(table.page.get_by_role("heading", name="Steady won")).to_be_in_viewport(ratio=1)


def test_a_part_that_fails_before_its_styles_are_there_breaks_nothing(service: Service, table: Table) -> None:
    late: list[Route] = []
    clicker = table.open_against(Player(service, "Lodovico"))
    table.page.route("**/screens.css", lambda route: late.append(route))
    table.page.route("**/clauses.js", lambda route: route.fulfill(status=404))
    with table.page.expect_response("**/clauses.js"):
        table.page.reload(wait_until="commit")
    # The page hears of it before it answers to the next click.
    clicker.hand.get_by_role("button").first.click(force=True)
    alert = table.page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("turn")
    # The page before may have sent one, too.
    late[-1].continue_()
    expect(table.page.get_by_role("log")).to_be_visible()
    expect(alert).to_contain_text("turn")


def test_a_move_of_another_device_keeps_the_choice_or_says_that_it_is_gone(table: Table) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    expect(clicker.button(re.compile("^Play"))).to_be_visible()
    view = table.view()
    table.player.ask("POST", f"/games/{table.game}/moves", {"type": "pass"}, **{"If-Match": f'"{view["version"]}"'})
    note = clicker.actions.get_by_role("status").filter(has_text=re.compile("moved|changed"))
    expect(note).to_be_visible()


def test_a_stale_move_is_not_posted_again_by_itself(table: Table) -> None:
    """The service responds with 412. The page then reloads the game, keeps the choice, and says so."""
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    posted: list[str] = []

    def answer(route: Route) -> None:
        posted.append(route.request.headers["idempotency-key"])
        if len(posted) > 1:
            route.continue_()
            return
        problem = {
            "type": "/problems/stale-version",
            "title": "t",
            "status": 412,
            "detail": "d",
            "code": "stale-version",
        }
        route.fulfill(status=412, json={**problem, "request": "r", "version": 9})

    table.page.route(re.compile(r"/moves$"), answer)
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    clicker.button(re.compile("^Play")).click()
    expect(clicker.actions.get_by_role("status").first).to_contain_text("while you were thinking")
    assert len(posted) == 1
    clicker.confirm(re.compile("^Play"))
    assert len(posted) == len(set(posted)) == 2


def test_a_lost_connection_tries_again_with_the_same_key(table: Table, faults: Faults) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    posted: list[str] = []

    def answer(route: Route) -> None:
        posted.append(route.request.headers["idempotency-key"])
        if len(posted) == 1:
            route.abort()
        else:
            route.continue_()

    table.page.route(re.compile(r"/moves$"), answer)
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    play = clicker.button(re.compile("^Play"))
    play.dblclick()
    clicker.settle()
    assert len(posted) == 2
    assert len(set(posted)) == 1
    assert [fault for fault in faults.found if "ERR_FAILED" not in fault] == []
    faults.found.clear()


def test_a_move_on_its_way_is_shown_as_sending(table: Table) -> None:
    """While it is being sent, the move can neither be sent again nor cancelled."""
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    held: list[Route] = []
    table.page.route(re.compile(r"/moves$"), lambda route: held.append(route))
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    clicker.button(re.compile("^Play")).click()
    sending = clicker.button("Sending …")
    expect(sending).to_have_attribute("aria-busy", "true")
    expect(sending).to_have_attribute("aria-disabled", "true")
    sending.click(force=True)
    table.page.keyboard.press("Escape")
    expect(sending).to_have_attribute("aria-busy", "true")
    held.pop().continue_()
    clicker.settle()
    expect(sending).to_have_count(0)
    assert held == []


def test_the_steps_of_a_strength_add_up(table: Table) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    clicker.confirm(re.compile("^Play"))
    mine = table.page.get_by_role("article", name=table.player.name)
    mine.get_by_role("button", name=re.compile("^Strength")).click()
    steps = mine.get_by_role("list", name="Steps of the strength").get_by_role("listitem")
    steps.first.wait_for()
    total = sum(int(step.split()[-1].replace("−", "-")) for step in steps.all_inner_texts())
    expect(mine.get_by_role("button", name=re.compile("^Strength"))).to_have_text(str(total))


def test_seats_are_joined_left_and_the_game_is_started(service: Service, new_context: NewContext, table: Table) -> None:
    table.open("zman-2018", 3, 1, start="owner")
    page = table.page
    expect(page.get_by_text("Free seat")).to_be_visible()
    expect(table.clicker.bar).to_have_text("Waiting for 1 player")
    expect(page.get_by_label("Link to this game")).to_have_value(re.compile(table.game))
    guest = Table(service, new_context)
    guest.page.goto(f"/game/{table.game}")
    guest.page.get_by_role("button", name="Join").click()
    expect(guest.page.get_by_role("button", name="Leave")).to_be_visible()
    expect(page.get_by_role("list").get_by_text(guest.player.name)).to_be_visible()
    guest.page.get_by_role("button", name="Leave").click()
    expect(guest.page.get_by_role("button", name="Join")).to_be_visible()
    guest.page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Free seat")).to_have_count(0)
    expect(table.clicker.bar).to_have_text("Ready to start")
    page.get_by_role("button", name="Start the game").click()
    for each in (page, guest.page):
        expect(each.get_by_role("toolbar")).to_be_visible()


REASON = "opened by mistake"
CANCELLED: dict[str, tuple[int, str]] = {
    "an open game, by its owner": (1, "{name} cancelled the game"),
    "an open game, by the host": (1, "The game was cancelled"),
    "a running game, by the host": (2, "The game was cancelled"),
}
"""The bots of a game that is cancelled, and the text of the bar."""


@pytest.mark.parametrize("case", CANCELLED)
def test_a_cancelled_game_says_who_cancelled_it_and_why(service: Service, table: Table, case: str) -> None:
    bots, text = CANCELLED[case]
    table.open("zman-2018", 3, bots)
    expect(table.page.locator("[data-version]")).to_be_attached()
    if "host" in case:
        host(service, "games", "cancel", table.game, "--reason", REASON)
    else:
        table.player.ask("POST", f"/games/{table.game}/leave", {})
    expect(table.clicker.bar).to_have_text(text.format(name=table.player.name))
    main = table.page.get_by_role("main")
    # If the game was running, the log mentions the cancellation too.
    said = main.locator("p").filter(has_text=REASON).filter(visible=True).first
    expect(said).to_have_count(1 if "host" in case else 0)
    expect(main.get_by_role("button", name=re.compile("^(Join|Leave|Start|Pass|Cancel)"))).to_have_count(0)
    if case == "a running game, by the host":
        expect(main.get_by_role("region", name=text)).to_contain_text(f"Why the game ended: {REASON}.")
    table.page.reload()
    expect(table.clicker.bar).to_have_text(text.format(name=table.player.name))
    expect(said).to_have_count(1 if "host" in case else 0)


LOG_IS_AT_ITS_END = """version => {
    const log = document.querySelector("[role=log]");
    const isThere = Number(document.querySelector("[data-version]").dataset.version) >= version;
    return isThere && log.scrollHeight > log.clientHeight && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
}"""


def test_a_spectator_sees_the_game_live_without_an_account(new_context: NewContext, table: Table) -> None:
    clicker = table.open("zman-2018-duel", 2, 1)
    clicker.awaited()
    page = new_context(PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"/game/{table.game}")
    bar = Clicker(page).bar
    expect(bar).to_have_text(f"Waiting for {table.player.name} to play a card or pass")
    expect(page.get_by_role("toolbar")).to_have_count(0)
    expect(page.get_by_text("You are watching this game.")).to_be_in_viewport()
    clicker.hand.get_by_role("button", name=re.compile("^Mercenary")).first.click()
    clicker.confirm(re.compile("^Play"))
    row = page.get_by_role("list", name=f"Row of {table.player.name}")
    expect(row.get_by_role("listitem")).to_have_count(1)
    for _ in range(5):
        clicker.make_a_move(clicker.awaited())
    page.wait_for_function(LOG_IS_AT_ITS_END, arg=table.view()["version"])


def test_resigning_asks_for_the_word(table: Table) -> None:
    table.open("zman-2018-duel", 2, 1, hints="allowed")
    table.clicker.awaited()
    page = table.page
    page.get_by_text("Options and more").click()
    expect(page.get_by_text("Hints allowed")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    box = page.get_by_role("dialog").bounding_box() or pytest.fail("the dialog is not shown")
    assert box["height"] < 300
    dialog = page.get_by_role("dialog")
    sure = dialog.get_by_role("button", name="Resign")
    expect(sure).to_have_attribute("aria-disabled", "true")
    dialog.get_by_label(re.compile("Type")).fill("resign")
    expect(sure).to_have_attribute("aria-disabled", "false")
    sure.click()
    expect(page.get_by_role("heading", name="Steady won")).to_be_visible()
    expect(page.get_by_text("Why the game ended: a seat resigned.")).to_be_visible()
    page.get_by_role("button", name="New game with these settings").click()
    page.wait_for_url(lambda address: table.game not in address)
    assert table.player.ask("GET", f"/games/{page.url.rpartition('/')[2]}")["hints"] == "allowed"
    # The address changes before the new game is drawn.
    expect(page.get_by_role("heading", name="Steady won")).to_have_count(0)
    assert table.clicker.awaited() == "play a card or pass"


def test_another_game_has_all_settings_of_the_one_before(table: Table) -> None:
    """A private game is never followed by a public one, even if its settings cannot be loaded."""
    clock = {"kind": "bank", "seconds": 86_400, "increment": 600, "cap": 172_800, "days_off": ["sunday"]}
    more: Json = {"talk": "none", "names": "hidden", "private": True, "title": "For friends", "start": "owner"}
    more |= {"showing": "allowed", "options": {"battle_limit": 50}, "clock": clock}
    table.game = table.player.open("zman-2018", 3, 2, **more)["id"]
    table.player.ask("POST", f"/games/{table.game}/start")
    table.player.ask("POST", f"/games/{table.game}/resign")
    page = table.page
    page.goto(f"/game/{table.game}")
    refused = {"title": "Forbidden", "status": 403, "code": "scope-missing", "detail": "No settings for you."}
    page.route("**/settings", lambda route: route.fulfill(status=403, json=refused))
    again = page.get_by_role("button", name="New game with these settings")
    again.click()
    expect(page.get_by_role("alert").filter(has_text="No settings for you.")).to_be_visible()
    assert len(table.player.ask("GET", "/games?status=mine")["games"]) == 1
    page.unroute("**/settings")
    again.click()
    page.wait_for_url(lambda address: table.game not in address)
    game = page.url.rpartition("/")[2]
    found, like = (table.player.ask("GET", f"/games/{one}/settings") for one in (game, table.game))
    assert found == like
    assert found == found | {name: more[name] for name in ("talk", "names", "private", "title", "start", "showing")}
    expect(page.get_by_text("For friends", exact=True)).to_be_visible()


def test_a_clock_is_counted_down_paused_and_extended(table: Table) -> None:
    table.open("zman-2018-duel", 2, 1, clock={"kind": "per-move", "seconds": 3600})
    table.clicker.awaited()
    page = table.page
    expect(page.get_by_text(re.compile(r"^(59 min \d+ s|1 h 0 min) left$"))).to_be_visible()
    page.get_by_text("Options and more").click()
    page.get_by_role("button", name=re.compile("^Ask for 30 min")).click()
    expect(page.get_by_text(re.compile(r"^1 h \d+ min left$"))).to_be_visible()
    page.get_by_role("button", name="Ask for a pause").click()
    expect(table.clicker.bar).to_have_text("The game is paused")
    page.get_by_role("button", name="End the pause").click()
    expect(table.clicker.bar).to_have_text(re.compile("^Your turn"))


@pytest.mark.parametrize("width", [320, 360])
def test_a_phone_shows_the_map_or_the_battle_without_sideways_scroll(
    service: Service, new_context: NewContext, width: int
) -> None:
    table = Table(service, new_context, size=(width, PHONE[1]))
    table.open("zman-2018", 6, 5)
    table.until("play a card or pass")
    page = table.page
    expect(page.get_by_role("region", name="Seats")).to_be_visible()
    expect(table.clicker.map).to_be_hidden()
    assert _overflow(page) == 0
    page.get_by_role("button", name="Map", exact=True).click()
    expect(table.clicker.map).to_be_visible()
    expect(page.get_by_role("region", name="Seats")).to_be_hidden()
    assert _overflow(page) == 0


def test_texts_of_others_are_shown_as_text_only(table: Table) -> None:
    """A name cannot contain markup, but the page does not rely on that."""
    table.open("zman-2018-duel", 2, 1)
    name = "<img src=x onerror=alert(1)>"

    def answer(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        game = route.fetch(headers=headers).json()
        for seat in game["seated"]:
            seat["name"] = seat["name"] and name
        route.fulfill(json=game)

    table.page.route(re.compile(f"/v1/games/{table.game}$"), answer)
    table.page.reload()
    expect(table.page.get_by_role("article", name=name)).to_be_visible()
    assert table.page.locator("img").count() == 0


def _overflow(page: Page) -> int:
    """Return the number of pixels by which a page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide
