"""What the game screen shows in addition to the rows.

This covers other players' changes, open hands, the discard, a match's points, and other games.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Literal

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.whole.product import Service
from .clicking import Clicker
from .conftest import DESKTOP, PHONE
from .players import Json, Player
from .scenes import SEED, chosen, fights, in_battle, is_finished, play_until, reach

pytestmark = pytest.mark.browser


@pytest.fixture
def player(service: Service) -> Player:
    """A player who is signed in on `page`."""
    return Player(service)


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], player: Player) -> Page:
    """A page of the player."""
    context = new_context()
    player.sign_in(context)
    return context.new_page()


def test_the_open_discard_is_listed_by_kind(page: Page, player: Player, service: Service) -> None:
    """In the 2018 base game the discard is open."""
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    view = play_until(player, game, lambda view: bool(view["moves"] and view["position"]["discarded"]))
    deck = requests.get(f"{service.url}/v1/editions/zman-2018", timeout=30).json()["deck"]
    labels = {kind["card"]: kind["label"] for kind in deck}
    page.goto(f"/game/{game}")
    discard = page.get_by_role("group").filter(has_text="Discard")
    kinds = discard.get_by_role("list", name="Discard").get_by_role("listitem")
    expect(kinds.first).to_be_hidden()
    discard.get_by_text(f"Discard {view['position']['discard']}").click()
    cards = Counter(view["position"]["discarded"])
    expect(kinds).to_have_count(len(cards))
    shown = {" ".join(text.split()) for text in kinds.all_inner_texts()}
    assert shown == {f"{labels[card]} ×{number}" for card, number in cards.items()}
    hidden = view["position"]["discard"] - cards.total()
    expect(discard.get_by_text("which you may not see")).to_have_count(1 if hidden else 0)


def test_a_discard_that_nobody_may_see_is_a_number(page: Page, player: Player) -> None:
    game = player.open("ffg-2007", 2, 1)["id"]
    page.goto(f"/game/{game}")
    seats = page.get_by_role("region", name="Seats")
    expect(seats.get_by_role("term").filter(has_text="Discard")).to_be_visible()
    expect(seats.get_by_role("list", name="Discard")).to_have_count(0)


def test_a_match_shows_the_points_of_each_game_and_their_sum(page: Page, player: Player) -> None:
    game = player.open("ffg-2007", 3, 2, options={"points": 20})["id"]

    def scored(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        found: Json = answer.json()
        if "position" in found:
            found["position"]["match"] |= {"game": 3, "points": [3, 1, 2]}
        else:
            rows = [{"type": "match-scored", "gained": gained, "points": gained} for gained in ([1, 0, 2], [2, 1, 0])]
            found["commits"][0]["events"] += rows
        route.fulfill(response=answer, body=json.dumps(found))

    page.route(re.compile(rf"/v1/games/{game}(/events\?.*)?$"), scored)
    page.goto(f"/game/{game}")
    seats = page.get_by_role("region", name="Seats")
    expect(seats.get_by_text("to 20 points")).to_be_visible()
    expect(seats.get_by_role("term").filter(has_text="Game 3")).to_be_visible()
    for points in ("1 + 2 = 3", "0 + 1 = 1", "2 + 0 = 2"):
        expect(seats.get_by_role("definition").filter(has_text=points)).to_be_visible()


@pytest.mark.parametrize(
    ("edition", "seats", "words"),
    [
        ("zman-2018", 3, "Has the battle marker: chooses the region of a battle, and has the first turn in a battle."),
        ("zman-2018-duel", 2, "Has the battle marker: has the first turn in a battle."),
    ],
)
def test_an_opened_row_says_what_the_battle_marker_means(
    page: Page, player: Player, edition: str, seats: int, words: str
) -> None:
    view = player.open(edition, seats, seats - 1)
    page.goto(f"/game/{view['id']}")
    rows = page.get_by_role("region", name="Seats").get_by_role("article")
    expect(rows).to_have_count(seats)
    for row in rows.all():
        row.get_by_role("button", name=re.compile("^Strength of")).click()
    marker = player.ask("GET", f"/games/{view['id']}")["position"]["marker"]
    for seat in range(seats):
        row = page.locator(f"article[data-seat='{seat}']")
        expect(row.get_by_role("button", name=re.compile("^Strength of"), expanded=True)).to_be_visible()
        expect(row.get_by_text(words)).to_have_count(1 if seat == marker else 0)


def test_in_a_duel_the_last_battle_is_shown_until_a_card_is_selected(page: Page, player: Player) -> None:
    """The next battle begins at once, but its heading would stand over the rows of the last one."""
    game = player.open("zman-2018-duel", 2, 1, bot="random", seed="00" * 32)["id"]

    def begins(view: Json) -> bool:
        position = view["position"]
        return fights(view) and position["battle"] > 1 and not any(seat["row"] for seat in position["seats"])

    battle = play_until(player, game, begins)["position"]["battle"]
    page.goto(f"/game/{game}")
    last = page.get_by_role("list", name=re.compile("in the last battle$"))
    expect(page.get_by_role("heading", name=f"After battle {battle - 1}", exact=True)).to_be_visible()
    expect(last.first).to_be_visible()
    page.get_by_role("toolbar").locator("[aria-disabled=false]").first.click()
    expect(page.get_by_role("heading", name=f"Battle {battle}", exact=True)).to_be_visible()
    expect(last).to_have_count(0)


@pytest.mark.parametrize(("other", "count"), [(["torino", "ancona"], 1), (["roma", "spoleto"], 0)])
def test_a_seat_is_one_short_of_winning_if_one_region_would_join_its_others(
    page: Page, player: Player, other: list[str], count: int
) -> None:
    """Two regions that do not touch, and a third one between them, unless another player owns it."""
    view = reach(player, "zman-2018", 4, "00", in_battle)

    def regions(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        found: Json = answer.json()
        for seat, held in zip(found["position"]["seats"], (["firenze", "napoli"], other), strict=False):
            seat["regions"] = held
        route.fulfill(response=answer, body=json.dumps(found))

    page.route(re.compile(rf"/v1/games/{view['id']}$"), regions)
    page.goto(f"/game/{view['id']}")
    for seat, near in ((0, count), (2, 0)):
        row = page.locator(f"article[data-seat='{seat}']")
        expect(row).to_be_visible()
        expect(row.get_by_text("one short of winning")).to_have_count(near)


def test_an_opened_row_is_closed_when_the_next_battle_begins(page: Page, player: Player) -> None:
    view = reach(player, "zman-2018", 3, "00", in_battle)
    page.goto(f"/game/{view['id']}")
    row = page.locator("article[data-seat='1']").get_by_role("button", name=re.compile("^Strength of "))
    row.click()
    expect(row).to_have_attribute("aria-expanded", "true")
    battle = view["position"]["battle"]
    play_until(player, view["id"], lambda view: view["position"]["battle"] > battle)
    expect(row).to_have_attribute("aria-expanded", "false")


FRAME = 16
"""The time between two drawings, in ms."""
NOTE_MARKS = """() => {
    window.marked = [];
    window.counted = [];
    const figure = document.querySelector("article[data-seat='1'] [aria-label^='Strength of']");
    new MutationObserver(() => counted.push([performance.now(), figure.textContent]))
        .observe(figure, { childList: true, characterData: true, subtree: true });
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            const { outlineStyle, outlineWidth } = getComputedStyle(target);
            if (target.dataset.marked === "true") marked.push([target.dataset.seat, `${outlineWidth} ${outlineStyle}`]);
        }
    }).observe(document.body, { attributes: true, attributeFilter: ["data-marked"], subtree: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_another_player_has_changed_is_marked_for_a_moment(
    page: Page, player: Player, service: Service, motion: Literal["no-preference", "reduce"]
) -> None:
    """An outline, which does not move, marks the change for a second. A strength counts for 200 ms, if things move."""
    page.emulate_media(reduced_motion=motion)
    page.clock.install()
    other = Player(service, "Lodovico")
    game = player.open("zman-2018-duel", 2, 0)["id"]
    view = other.ask("POST", f"/games/{game}/join", {})
    if view["position"]["turn"] == 0:
        own = player.ask("GET", f"/games/{game}")
        player.move(own, chosen(own))
    page.goto(f"/game/{game}")
    expect(page.get_by_role("log")).to_be_attached()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.evaluate(NOTE_MARKS)
    view = other.ask("GET", f"/games/{game}")
    card = next(move for move in view["moves"] if str(move.get("card", "")).startswith("mercenary"))
    view = other.move(view, card)
    while not page.evaluate("marked.length"):
        page.clock.run_for(FRAME)
    page.clock.run_for(900)
    expect(page.locator('[data-marked="true"]')).to_have_count(1)
    page.clock.run_for(200)
    expect(page.locator('[data-marked="true"]')).to_have_count(0)
    assert page.evaluate("marked") == [["1", "2px solid"]]
    counted = page.evaluate("counted")
    assert counted[-1][1] == str(view["position"]["seats"][1]["strength"])
    if motion == "reduce":
        assert len(counted) == 1
    else:
        assert 200 - FRAME <= counted[-1][0] - counted[0][0] <= 200 + FRAME


def test_all_hands_are_open_after_the_end(page: Page, player: Player) -> None:
    game = player.open("zman-2018", 4, 3, options={"battle_limit": 1}, seed=SEED)["id"]
    view = play_until(player, game, is_finished)
    page.goto(f"/game/{game}")
    expect(page.get_by_role("heading", name=re.compile("won$"))).to_be_visible()
    held = {seat["seat"]: seat["hand"]["count"] for seat in view["position"]["seats"][1:]}
    assert any(held.values())
    for seat, count in held.items():
        hand = page.locator(f'article[data-seat="{seat}"]').get_by_role("list", name=re.compile("^Hand of "))
        expect(hand.get_by_role("listitem")).to_have_count(count)


def test_adjacent_regions_that_were_enough_are_named(page: Page, player: Player, service: Service) -> None:
    """Beside the reason why the game ended, and at the seat, once it is opened."""
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    board = requests.get(f"{service.url}/v1/editions/zman-2018", timeout=30).json()["board"]
    names = {region["key"]: region["name"] for region in board["regions"]}
    owned = ["ancona", "torino", "milano", "genova"]

    def won(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view: Json = answer.json()
        for seat in view["position"]["seats"]:
            seat["regions"] = owned if seat["seat"] == 1 else []
        view |= {"status": "finished", "moves": [], "result": {"winners": [1], "reasons": ["adjacent-regions"]}}
        route.fulfill(response=answer, body=json.dumps(view))

    page.route(re.compile(rf"/v1/games/{game}$"), won)
    page.goto(f"/game/{game}")
    ended = page.get_by_text("Why the game ended: enough adjacent regions (")
    for region in owned[1:]:
        expect(ended).to_contain_text(names[region])
    expect(ended).not_to_contain_text(names["ancona"])
    seat = page.locator('article[data-seat="1"]')
    seat.get_by_role("button", name=re.compile("^Strength of ")).click()
    expect(seat.get_by_text(re.compile(f"are adjacent · {names['ancona']}$"))).to_be_visible()


def test_the_next_game_is_one_tap_away(page: Page, player: Player, service: Service) -> None:
    """The icon and the title of the page also say that a turn is waiting."""
    other = Player(service, "Lodovico")
    waits = player.open("zman-2018-duel", 2, 0)["id"]
    other.ask("POST", f"/games/{waits}/join", {})
    while (view := player.ask("GET", f"/games/{waits}"))["moves"]:
        player.move(view, chosen(view))
    page.goto(f"/game/{waits}")
    expect(page.get_by_role("main").get_by_text(re.compile("^Waiting for Lodovico"))).to_be_visible()
    icon = page.locator("link[rel=icon]")
    following = page.get_by_role("link", name="Next game (1)")
    expect(following).to_have_count(0)
    expect(icon).to_have_attribute("href", re.compile("/icon.svg$"))
    game = player.open("zman-2018-duel", 2, 1)["id"]
    expect(following).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(icon).to_have_attribute("href", re.compile("/icon-turn.svg$"))
    assert page.request.get(str(icon.get_attribute("href"))).ok
    following.click()
    page.wait_for_url(f"**/game/{game}")
    expect(page.get_by_role("main").get_by_text(re.compile("^Your turn"))).to_be_visible()
    expect(following).to_have_count(0)


def test_the_end_of_a_battle_is_said_over_the_rows(page: Page, player: Player) -> None:
    """The message appears even if bots have ended the battle so quickly that nothing of it is left to see."""
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, game, lambda view: bool(view["moves"]) and view["position"]["phase"] == "keep-or-discard")
    page.goto(f"/game/{game}")
    seats = page.get_by_role("region", name="Seats")
    said = seats.get_by_text(re.compile(r"^\S.* won the battle for \w+\.")).filter(visible=True)
    expect(said).to_have_count(1)
    expect(seats.get_by_role("button", name="Show what happened")).to_be_visible()


def test_the_end_of_a_battle_is_not_that_of_the_next_one(page: Page, player: Player) -> None:
    """In a duel, the next battle begins as soon as one has ended."""

    def in_the_second(view: Json) -> bool:
        own, other = view["position"]["seats"]
        return bool(view["moves"] and view["position"]["battle"] == 2 and other["row"] and not own["row"])

    view = reach(player, "zman-2018-duel", 2, "02", in_the_second)
    page.goto(f"/game/{view['id']}")
    seats = page.get_by_role("region", name="Seats")
    expect(seats.get_by_role("heading", name="Battle 2")).to_be_visible()
    expect(seats.get_by_text(re.compile(r"^Last battle: .+ won the battle\."))).to_have_count(1)
    expect(seats.get_by_text(re.compile(r"^\S+( \d)? won the battle\.")).filter(visible=True)).to_have_count(0)


BELOW = """line => {
    const { bottom } = document.querySelector(".table-battle h2").getBoundingClientRect();
    return line.getBoundingClientRect().top - bottom;
}"""
"""Returns how far a line is below the heading of the battle."""


def test_what_is_no_longer_said_over_the_rows_needs_no_room(page: Page, player: Player) -> None:
    """Whoever has begun with a season has no row, and has acted in this battle nevertheless."""

    def can_begin_with_a_season(view: Json) -> bool:
        if not fights(view) or view["position"]["battle"] < 2:
            return False
        own = view["position"]["seats"][0]
        return not own["row"] and bool({"winter", "spring"} & {*own["hand"]["cards"]})

    view = reach(player, "zman-2018", 4, "03", can_begin_with_a_season)
    page.goto(f"/game/{view['id']}")
    clicker = Clicker(page)
    expect(page.get_by_text(re.compile("^Last battle: "))).to_be_visible()
    clicker.hand.get_by_role("button", name=re.compile("^(Winter|Spring)")).first.click()
    clicker.confirm(re.compile("^Play "))
    assert clicker.awaited() == "play a card or pass"
    expect(page.get_by_text(re.compile("^Last battle: "))).to_have_count(0)
    moves = page.get_by_text("Since your move:")
    expect(moves).to_be_visible()
    assert moves.evaluate(BELOW) < 28


def dealt_again(view: Json) -> bool:
    """Return whether the player is asked in a new round, before a card was laid."""
    position = view["position"]
    return bool(view["moves"]) and position["round"] > 1 and not any(seat["row"] for seat in position["seats"])


@pytest.mark.parametrize(("edition", "seed"), [("zman-2018", "2c"), ("ffg-2007", "2a")])
def test_a_new_round_says_why_it_begins_and_who_gets_how_many_cards(
    page: Page, player: Player, edition: str, seed: str
) -> None:
    """Over the rows, and why in the log, too."""
    view = reach(player, edition, 4, seed, dealt_again)
    commits = player.ask("GET", f"/games/{view['id']}/events")["commits"]
    events = next(commit["events"] for commit in commits if any(e["type"] == "round-ended" for e in commit["events"]))
    held = next(e for e in events if e["type"] == "cards-kept" or (e["type"] == "hand-discarded" and e["forced"]))
    counts = [hand["count"] for hand in next(e for e in events if e["type"] == "hands-dealt")["hands"]]
    names = [seat["name"] if seat["player"] else f"Random {seat['seat']}" for seat in view["seated"]]
    said = ["you", *names[1:]]
    each = [f"{count} for {name}" for name, count in zip(said, counts, strict=True)]
    page.goto(f"/game/{view['id']}")
    seats = page.get_by_role("region", name="Seats")
    expect(seats).to_contain_text(f"Only {said[held['seat']]} had cards left, so a new round begins.")
    kept = held["cards"]["count"] if held["type"] == "cards-kept" else 0
    keeper = "You keep" if held["seat"] == 0 else f"{names[held['seat']]} keeps"
    amount = f"{kept} card{'' if kept == 1 else 's'}" if kept else "none"
    expect(seats).to_contain_text(f"{keeper} {amount}. New cards: {', '.join(each[:-1])} and {each[-1]}.")
    log = page.get_by_role("log")
    expect(log).to_contain_text(f"Only {names[held['seat']]} had cards left. The round ends")


def chooses(view: Json) -> bool:
    """Return whether the player chooses the region of a battle that is not the first."""
    return bool(view["moves"]) and view["position"]["phase"] == "choose-region" and view["position"]["battle"] > 1


@pytest.mark.parametrize(
    ("size", "title"), [(DESKTOP, "^Last battle$"), (PHONE, r" won the battle for \S+\.")], ids=["desktop", "phone"]
)
def test_the_last_battle_can_be_looked_up_while_a_region_is_chosen(
    page: Page, player: Player, size: tuple[int, int], title: str
) -> None:
    """After the rows in grey are gone, too. On a phone, who won is above the map."""
    view = reach(player, "zman-2018", 4, "10", chooses)
    commits = player.ask("GET", f"/games/{view['id']}/events")["commits"]
    ended = [e for commit in commits for e in commit["events"] if e["type"] == "battle-ended"][-1]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("button", name="Show what happened")).to_be_visible()
    last = page.get_by_role("group").filter(has=page.get_by_text(re.compile(title)), visible=True)
    if size == PHONE:
        box, board = last.bounding_box(), page.get_by_role("group", name="Map", exact=True).bounding_box()
        assert box is not None
        assert board is not None
        assert box["y"] + box["height"] <= board["y"]
    last.get_by_text(re.compile(title)).first.click()
    expect(last.get_by_role("paragraph")).to_contain_text("won the battle")
    seats = last.get_by_role("list").get_by_role("listitem")
    expect(seats).to_have_count(4)
    assert [int(seat.locator("> b").inner_text()) for seat in seats.all()] == sorted(ended["strengths"], reverse=True)
    page.keyboard.press("Escape")
    expect(page.get_by_role("list", name=re.compile("^Row of .* in the last battle$"))).to_have_count(0)
    expect(seats.first).to_be_visible()


def test_hidden_cards_are_listed_in_the_order_in_which_they_were_turned_up(page: Page, player: Player) -> None:
    """The last battle shows the order, which the rows do not."""

    def turned_up(view: Json) -> list[Json]:
        commits = player.ask("GET", f"/games/{view['id']}/events")["commits"]
        events = [event for commit in commits for event in commit["events"]]
        ends = [number for number, event in enumerate(events) if event["type"] == "battle-ended"]
        if not ends or not view["moves"] or view["position"]["phase"] == "battle":
            return []
        begun = max((end for end in ends[:-1]), default=0)
        return [event for event in events[begun : ends[-1]] if event["type"] == "card-turned-up"]

    game = player.open("ffg-2007", 3, 2, bot="random", seed="04" * 32, options={"hidden_cards": True})["id"]
    view = play_until(player, game, lambda view: len(turned_up(view)) > 1)
    page.goto(f"/game/{game}")
    last = page.locator("details.last").filter(visible=True)
    last.get_by_text("Last battle").click()
    cards = last.get_by_role("list", name=re.compile("^Hidden cards, in the order")).get_by_role("listitem")
    expect(cards).to_have_count(len(turned_up(view)))
    for shown, event in zip(cards.all(), turned_up(view), strict=True):
        expect(shown.locator(f".chip[data-seat='{event['seat']}']")).to_be_visible()
        expect(shown.locator(f"use[href='#card-{event['card']}']")).to_be_attached()


def test_a_battle_that_a_bishop_ended_shows_no_strengths(page: Page, player: Player) -> None:
    """The rows were not compared."""

    def stopped(view: Json) -> bool:
        if not view["moves"] or view["position"]["phase"] != "keep-or-discard":
            return False
        commits = player.ask("GET", f"/games/{view['id']}/events")["commits"]
        ends = [event for commit in commits for event in commit["events"] if event["type"] == "battle-ended"]
        return bool(ends[-1]["cause"] == "bishop")

    view = reach(player, "eurogames-revised", 4, "01", stopped)
    page.goto(f"/game/{view['id']}")
    seats = page.get_by_role("region", name="Seats")
    expect(seats.get_by_text(re.compile(r"^Bishop ended the battle for \w+: nobody won\.")).first).to_be_visible()
    strengths = seats.get_by_role("button", name=re.compile("^Strength of .* in the last battle: none"))
    expect(strengths).to_have_text(["–"] * 4)
    page.keyboard.press("Escape")
    expect(seats.get_by_role("button", name=re.compile("^Strength of "))).to_have_text(["0"] * 4)


COLOURS = """figures => figures.map((figure) => {
    const { color, filter } = getComputedStyle(figure);
    return `${color} ${filter}`;
})"""
HAND = "document.querySelector('[role=toolbar]').getBoundingClientRect().top"


def test_the_rows_of_the_last_battle_stay_until_a_key_is_pressed(page: Page, player: Player) -> None:
    """The rows stay as they were when the battle ended, and the hand does not move."""
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, game, lambda view: bool(view["moves"]) and view["position"]["phase"] == "keep-or-discard")
    commits = player.ask("GET", f"/games/{game}/events")["commits"]
    end, ended = next(
        (commit, event) for commit in commits for event in commit["events"] if event["type"] == "battle-ended"
    )
    before = player.ask("GET", f"/games/{game}?version={end['seq'] - 1}")["position"]["seats"]
    laid = {seat["seat"]: [*seat["row"]] for seat in before}
    for event in end["events"]:
        if event["type"] == "card-played":
            laid[event["seat"]].append(event["card"])
    courtesans = {seat: row.count("courtesan") for seat, row in laid.items()}
    rows = {seat: len(row) - courtesans[seat] for seat, row in laid.items()}
    assert sum(courtesans.values()) > 0
    page.goto(f"/game/{game}")
    left = page.get_by_role("list", name=re.compile("in the last battle$"))
    expect(left).to_have_count(sum(map(bool, rows.values())))
    for seat, strength in enumerate(ended["strengths"]):
        shown = page.locator(f'article[data-seat="{seat}"]')
        expect(shown.get_by_role("list", name=re.compile("last")).get_by_role("listitem")).to_have_count(rows[seat])
        column = shown.get_by_role("group", name=re.compile(f"^Spy cards of .*: {courtesans[seat]}$"))
        expect(column).to_have_count(min(1, courtesans[seat]))
        name = re.compile(f"in the last battle: {strength}\\.")
        expect(shown.get_by_role("button", name=name)).to_have_text(str(strength))
        shown.get_by_role("button", name=name).click()
        expect(shown.get_by_role("button", name=name)).to_have_attribute("aria-expanded", "true")
        expect(shown.get_by_text("No card in the row counts")).to_have_count(0)
        shown.get_by_role("button", name=name).click()
    winner = page.locator("[data-leads=true]")
    expect(winner).to_have_count(1)
    expect(winner).to_have_attribute("data-seat", str(ended["winner"]))
    colours = page.get_by_role("article").locator(".table-strength span").evaluate_all(COLOURS)
    assert len({colour for seat, colour in enumerate(colours) if seat != ended["winner"]}) == 1
    assert len(set(colours)) == 2
    name = "You" if ended["winner"] == 0 else f"Steady {ended['winner']}"
    actions = page.get_by_role("region", name="Your move")
    expect(actions.get_by_text(re.compile(rf"^{name} won the battle for \w+\. You keep this hand"))).to_be_visible()
    place = page.evaluate(HAND)
    page.keyboard.press("Tab")
    expect(left).to_have_count(0)
    expect(winner).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Strength of .*: 0"))).to_have_count(4)
    assert page.evaluate(HAND) == place
    play_until(player, game, in_battle)
    expect(page.get_by_role("heading", name=re.compile("^Battle for "))).to_be_visible()
    expect(page.get_by_role("main").get_by_text(re.compile("^Your turn: play a card"))).to_be_visible()
    assert page.evaluate(HAND) == place


@pytest.mark.parametrize(("season", "seed"), [("winter", "02"), ("spring", "02")])
def test_the_rows_of_the_last_battle_strike_out_what_did_not_count(
    page: Page, player: Player, season: str, seed: str
) -> None:
    """As the rows did during the battle."""

    def rows_at_the_end(view: Json) -> list[list[int]]:
        """Return the mercenaries of each seat before a pass ended the last battle, if it was in this season."""
        commits = player.ask("GET", f"/games/{view['id']}/events")["commits"]
        *_, end = (commit for commit in commits if any(event["type"] == "battle-ended" for event in commit["events"]))
        before = player.ask("GET", f"/games/{view['id']}?version={end['seq'] - 1}")["position"]
        if before["season"] != season or end["events"][0]["type"] != "seat-passed":
            return []
        cards = [[card for card in seat["row"] if card.startswith("mercenary")] for seat in before["seats"]]
        return [[int(card.removeprefix("mercenary-")) for card in row] for row in cards]

    def ended_in_it(view: Json) -> bool:
        asked = bool(view["moves"]) and view["position"]["phase"] == "keep-or-discard"
        return asked and any(rows_at_the_end(view))

    view = reach(player, "zman-2018", 4, seed, ended_in_it)
    rows = rows_at_the_end(view)
    highest = max(number for row in rows for number in row)
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("list", name=re.compile("in the last battle$"))).not_to_have_count(0)
    expect(page.get_by_role("article").locator("s")).not_to_have_count(0)
    for row, seat in zip(rows, page.get_by_role("article").all(), strict=True):
        counted = [1 if season == "winter" else number + 3 * (number == highest) for number in row]
        shown = seat.get_by_role("list", name=re.compile("in the last battle$"))
        assert sorted(map(int, shown.locator("b").all_inner_texts())) == sorted(counted)
        struck = [number for number, worth in zip(row, counted, strict=True) if number != worth]
        assert sorted(map(int, shown.locator("s").all_inner_texts())) == sorted(struck)


def test_the_rows_of_the_last_battle_are_gone_with_the_next_card(page: Page, player: Player, service: Service) -> None:
    other = Player(service, "Lodovico")
    game = player.open("zman-2018-duel", 2, 0)["id"]
    players = [player, other]
    view = other.ask("POST", f"/games/{game}/join", {})
    while not view["position"]["seats"][0]["battles_won"] + view["position"]["seats"][1]["battles_won"]:
        view = players[view["position"]["turn"]].ask("GET", f"/games/{game}")
        view = players[view["you"]].move(view, chosen(view))
    page.goto(f"/game/{game}")
    left = page.get_by_role("list", name=re.compile("in the last battle$"))
    expect(left).not_to_have_count(0)
    expect(page.get_by_text(re.compile("^Last battle: .* won the battle"))).to_be_visible()
    while not any(seat["row"] for seat in view["position"]["seats"]):
        view = players[view["position"]["turn"]].ask("GET", f"/games/{game}")
        view = players[view["you"]].move(view, chosen(view))
    expect(page.get_by_role("list", name=re.compile("^Row of "))).not_to_have_count(0)
    expect(left).to_have_count(0)


def test_a_new_battle_begins_with_empty_rows(page: Page, player: Player) -> None:
    """Once the next region is known, the rows of the last battle are no longer shown."""

    def is_new(view: Json) -> bool:
        position = view["position"]
        return fights(view) and position["battle"] > 1 and not any(seat["row"] for seat in position["seats"])

    view = reach(player, "zman-2018", 3, "00", is_new)
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_text(re.compile("^Last battle: .* won the battle for "))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Strength of .*: 0"))).to_have_count(3)
    expect(page.get_by_role("list", name=re.compile("in the last battle$"))).to_have_count(0)


def test_it_says_why_a_hand_cannot_be_discarded(page: Page, player: Player) -> None:
    def must_keep(view: Json) -> bool:
        return [move["type"] for move in view["moves"]] == ["keep-hand"]

    view = reach(player, "zman-2018", 3, "00", must_keep)
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("main").get_by_role("status").first).to_contain_text("Your turn: continue")
    page.get_by_role("button", name="Why can’t I discard it?").click()
    refusal = page.get_by_role("region", name="Your move").get_by_role("alert")
    expect(refusal).to_contain_text("A hand with a mercenary in it may not be discarded.")
    page.get_by_role("button", name="Continue").click()
    expect(refusal).to_have_count(0)


def test_a_pass_says_who_may_still_lay_cards(page: Page, player: Player) -> None:
    def others_fight(view: Json) -> bool:
        return in_battle(view) and not any(seat["passed"] for seat in view["position"]["seats"])

    view = reach(player, "zman-2018", 3, "00", others_fight)
    page.goto(f"/game/{view['id']}")
    page.get_by_role("button", name="Pass").click()
    strengths = [seat["strength"] for seat in view["position"]["seats"]]
    leader = strengths.index(max(strengths))
    others = " and ".join(f"Random {seat}" for seat in (1, 2) if seat != leader)
    expect(page.get_by_role("dialog", name="Pass?")).to_contain_text(
        re.compile(rf"As it stands, Random {leader} wins \w+, but {others} may still lay cards\.")
    )


def ahead(view: Json) -> int:
    """Return by how much the player's row is stronger than every other row."""
    own, *others = (seat["strength"] for seat in view["position"]["seats"])
    return int(own) - max(others)


def still_in(view: Json) -> list[str]:
    """Return the other players who have not passed."""
    return [f"Random {seat['seat']}" for seat in view["position"]["seats"][1:] if not seat["passed"]]


PASSES: dict[str, tuple[str, Callable[[Json], bool], str]] = {
    "alone": (
        "00",
        lambda view: ahead(view) > 0 and not still_in(view),
        "Only you may still lay cards. If you pass, the battle ends, and you win {region}.",
    ),
    "ahead": (
        "00",
        lambda view: ahead(view) > 0 and len(still_in(view)) == 1,
        "If you pass, you lay no more cards in this battle. As it stands, you win {region}, "
        "but {others} may still lay cards.",
    ),
    "level": (
        "02",
        lambda view: ahead(view) == 0 and view["position"]["seats"][0]["strength"] and bool(still_in(view)),
        "If you pass, you lay no more cards in this battle. As it stands, the strongest rows are level, "
        "and nobody wins {region}, but {others} may still lay cards.",
    ),
}
"""Positions in which the player can pass: a seed, the position, and what passing would do."""


@pytest.mark.parametrize("case", PASSES)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_passing_would_do_stands_beside_the_button(
    page: Page, player: Player, size: tuple[int, int], case: str
) -> None:
    """Who would win the battle, who may still prevent it, and what the player keeps."""
    seed, is_there, does = PASSES[case]
    view = reach(player, "zman-2018", 3, seed, lambda view: in_battle(view) and bool(is_there(view)))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/game/{view['id']}")
    actions = page.get_by_role("region", name="Your move")
    begin = re.escape(does).replace(r"\{region\}", r"\w+").replace(r"\{others\}", " and ".join(still_in(view)))
    count = view["position"]["seats"][0]["hand"]["count"]
    said = actions.get_by_text(re.compile(rf"^{begin} You keep your (card|{count} cards)\.$"))
    expect(said).to_be_visible()
    actions.get_by_role("button", name="Pass").click()
    expect(page.get_by_role("dialog", name="Pass?")).to_be_visible()
    expect(said).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_strength_of_several_steps_says_what_each_adds(
    page: Page, player: Player, service: Service, size: tuple[int, int]
) -> None:
    """Without a tap, in a line that the whole list replaces."""

    def several(view: Json) -> list[Json]:
        """Return the seats whose strength is more than a sum of mercenaries and courtesans."""
        seats: list[Json] = view["position"]["seats"]
        return [seat for seat in seats if len(seat["explanation"]) > (2 if "courtesan" in seat["row"] else 1)]

    def doubles(view: Json) -> bool:
        return fights(view) and any("drummer" in str(seat["explanation"]) for seat in several(view))

    view = reach(player, "zman-2018", 4, "28", doubles)
    deck = requests.get(f"{service.url}/v1/editions/zman-2018", timeout=30).json()["deck"]
    labels = {"mercenaries": "Mercenaries"} | {kind["card"]: kind["label"] for kind in deck}
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/game/{view['id']}")
    expect(page.get_by_role("article")).to_have_count(4)
    for seat in several(view):
        shown = page.locator(f'article[data-seat="{seat["seat"]}"]')
        steps = [(labels[step["step"].removesuffix("s")], step["amount"]) for step in seat["explanation"][1:]]
        steps.insert(0, ("Mercenaries", seat["explanation"][0]["amount"]))
        line = shown.get_by_text(", ".join(f"{name} {amount:+}".replace("-", "−") for name, amount in steps))
        expect(line).to_be_visible()
        shown.get_by_role("button", name=re.compile("^Strength of ")).click()
        expect(shown.get_by_role("list", name="Steps of the strength")).to_be_visible()
        expect(line).to_have_count(0)
    assert several(view)


def test_a_seat_that_is_looked_at_has_its_regions_outlined(page: Page, player: Player) -> None:
    def owner(view: Json) -> int | None:
        return next((seat["seat"] for seat in view["position"]["seats"] if seat["regions"]), None)

    view = reach(player, "zman-2018", 3, "00", lambda view: fights(view) and owner(view) is not None)
    page.goto(f"/game/{view['id']}")
    strength = page.locator(f'article[data-seat="{owner(view)}"]').get_by_role("button", name=re.compile("^Strength"))
    outlined = page.get_by_role("group", name="Map").locator(".map-group")
    expect(strength).to_be_visible()
    for times in (0, 1, 0):
        expect(outlined).to_have_count(2 * times)
        strength.click()


def test_a_card_in_a_row_says_what_it_does(page: Page, player: Player) -> None:
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    view = play_until(player, game, in_battle)
    own = view["position"]["seats"][view["you"]]["row"][0]
    label = next(kind["label"] for kind in player.ask("GET", "/editions/zman-2018")["deck"] if kind["card"] == own)
    page.goto(f"/game/{game}")
    page.locator(f'article[data-seat="{view["you"]}"]').get_by_text(label).locator("..").click()
    expect(page.get_by_role("region", name="Your move").get_by_text(re.compile(f"^{label} "))).to_be_visible()


def test_the_winner_is_told_so(page: Page, player: Player) -> None:
    game = player.open("zman-2018-duel", 2, 1)["id"]
    view = play_until(player, game, is_finished)
    view["result"]["winners"] = [0]
    page.route(f"**/v1/games/{game}", lambda route: route.fulfill(json=view))
    page.goto(f"/game/{game}")
    expect(page.get_by_role("heading", name="You won")).to_be_visible()
    expect(page).to_have_title(re.compile("^You won"))


NOTE_MOTION = """() => {
    window.laid = 0;
    window.durations = new Set();
    window.figures = [];
    addEventListener("animationstart", ({ animationName, target }) => {
        if (animationName !== "table-laid") return;
        laid += 1;
        durations.add(getComputedStyle(target).animationDuration);
    }, true);
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            const figure = target.parentElement?.closest("[data-seat='1'] [aria-label^='Strength of']");
            if (figure) figures.push(target.textContent);
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Counts the cards that slide, and records each value that seat 1's strength shows."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_slides_and_its_strength_counts_when_it_is_laid(
    new_context: Callable[..., BrowserContext],
    player: Player,
    service: Service,
    motion: Literal["no-preference", "reduce"],
) -> None:
    """Cards already on the table when the page opens do not slide. Nothing moves if the user prefers reduced motion."""
    other = Player(service, "Lodovico")
    game = player.open("zman-2018-duel", 2, 0)["id"]
    view = other.ask("POST", f"/games/{game}/join", {})
    players = [player, other]

    def mercenary(view: Json) -> Json:
        cards = [move for move in view["moves"] if str(move.get("card", "")).startswith("mercenary")]
        return max(cards, key=lambda move: int(move["card"].rpartition("-")[2]))

    while view["position"]["turn"] == 0 or not any(seat["row"] for seat in view["position"]["seats"]):
        seat = view["position"]["turn"]
        view = players[seat].ask("GET", f"/games/{game}")
        view = players[seat].move(view, mercenary(view))
    context = new_context(reduced_motion=motion)
    player.sign_in(context)
    page = context.new_page()
    page.add_init_script(f"addEventListener('DOMContentLoaded', {NOTE_MOTION})")
    page.goto(f"/game/{game}")
    expect(page.get_by_role("log")).to_be_attached()
    assert page.evaluate("laid") == 0
    page.evaluate("figures.length = 0")
    view = other.ask("GET", f"/games/{game}")
    strength = other.move(view, mercenary(view))["position"]["seats"][1]["strength"]
    figure = page.locator('[data-seat="1"]').get_by_role("button", name=re.compile("^Strength of "))
    expect(figure).to_have_text(str(strength))
    figures = page.evaluate("figures")
    if motion == "reduce":
        assert (page.evaluate("laid"), figures) == (0, [str(strength)])
    else:
        page.wait_for_function("() => laid === 1")
        assert page.evaluate("[...durations]") == ["0.16s"]
        assert len(figures) > 2
        assert sorted(map(int, figures)) == [int(shown) for shown in figures]


def test_a_seat_that_is_one_short_of_winning_says_so(page: Page, player: Player) -> None:
    """The message exists for each way to win; this test covers the battles of a duel."""

    def is_short(view: Json) -> bool:
        return any(view["goal"]["battles"] - seat["battles_won"] == 1 for seat in view["position"]["seats"])

    view = reach(player, "zman-2018-duel", 2, "00", is_short)
    page.goto(f"/game/{view['id']}")
    for seat in view["position"]["seats"]:
        short = view["goal"]["battles"] - seat["battles_won"] == 1
        shown = page.locator(f'article[data-seat="{seat["seat"]}"]')
        expect(shown).to_be_visible()
        expect(shown.get_by_text("one short of winning")).to_have_count(int(short))
