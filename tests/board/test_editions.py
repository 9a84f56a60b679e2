"""Features of single editions and options: seasons, second steps, hidden cards, duels, declining, capturing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from engine import NEWEST
from service.editions.presentation import show_edition

from ..service.whole.product import Service
from .clicking import Clicker
from .players import Json, Player
from .scenes import fights, reach

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]


class Shown(NamedTuple):
    """A game as a player sees it on the page."""

    page: Page
    player: Player
    view: Json
    clicker: Clicker

    def row(self, seat: int) -> Locator:
        """Return the cards in front of a seat."""
        return self.seat(seat).get_by_role("list", name=re.compile("^Row of ")).get_by_role("listitem")

    def seat(self, seat: int) -> Locator:
        """Return a seat."""
        return self.page.locator(f'article[data-seat="{seat}"]')


Show = Callable[..., Shown]


@pytest.fixture
def show(new_context: NewContext, service: Service) -> Show:
    """Play a game until `is_there` accepts its view, and show it."""

    def shown(edition: str, seats: int, seed: str, is_there: Callable[[Json], bool], **options: object) -> Shown:
        player = Player(service)
        view = reach(player, edition, seats, seed, is_there, **options)
        context = new_context()
        player.sign_in(context)
        page = context.new_page()
        page.goto(f"/game/{view['id']}")
        expect(page.locator(f'[data-version="{view["version"]}"]')).to_be_attached()
        return Shown(page, player, view, Clicker(page))

    return shown


def number(card: str) -> int:
    """Return the printed value of a mercenary, or 0 for any other card."""
    return int(card.rpartition("-")[2]) if card.startswith("mercenary") else 0


def highest(view: Json) -> int:
    """Return the highest mercenary in any row."""
    return max(number(card) for seat in view["position"]["seats"] for card in seat["row"])


SEASONS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "winter": ("84", lambda printed, _highest: min(printed, 1)),
    "spring": ("22", lambda printed, highest: printed + 3 if printed == highest else printed),
}
"""The first byte of a seed with which a season comes soon, and the value that a mercenary has in this season."""


@pytest.mark.parametrize("season", SEASONS)
def test_a_season_is_a_band_and_strikes_out_what_no_longer_counts(show: Show, season: str) -> None:
    seed, counted = SEASONS[season]

    def changes(view: Json) -> bool:
        if not fights(view) or view["position"]["season"] != season:
            return False
        most = highest(view)
        return any(counted(number(card), most) != number(card) for card in view["position"]["seats"][0]["row"])

    shown = show("zman-2018", 3, seed, changes)
    kind = next(kind for kind in shown.player.ask("GET", "/editions/zman-2018")["deck"] if kind["card"] == season)
    seats = shown.page.get_by_role("region", name="Seats")
    expect(seats.get_by_text(f"{kind['label']} {kind['effect']}")).to_be_visible()
    for seat in shown.view["position"]["seats"]:
        values = [(number(card), counted(number(card), highest(shown.view))) for card in seat["row"]]
        struck = sorted((before, after) for before, after in values if before != after)
        found = shown.row(seat["seat"]).filter(has=shown.page.locator("s"))
        expect(found).to_have_text(
            [re.compile(rf"^\s*{before}\s+{after}\s*Mercenary {before}\s*$") for before, after in struck]
        )


SECONDS: dict[str, tuple[str, int, str, Json, str]] = {
    "take": ("zman-2018", 3, "07", {}, "^Take back {}"),
    "favor": ("zman-2018", 3, "00", {}, "^{},.* the favor marker may move here$"),
    "turn_up": ("ffg-2007", 2, "02", {"hidden_cards": True}, "^Turn up {}"),
}
"""What a second step asks for: an edition, its seats, a seed, options, and the names of the elements that light up."""


def answers(view: Json, member: str) -> list[Json]:
    """Return the moves of the first card whose moves differ in a member, or nothing if there is no such card."""
    for card in {move.get("card"): None for move in view["moves"]}:
        moves = [move for move in view["moves"] if move.get("card") == card and move.get(member)]
        if len({move[member] for move in moves}) > 1:
            return moves
    return []


@pytest.mark.parametrize("member", SECONDS)
def test_a_second_step_is_answered_on_the_thing_itself(show: Show, member: str) -> None:
    """Possible targets light up.

    The move cannot be confirmed before a target is chosen, and Escape goes back one step.
    """
    edition, seats, seed, options, name = SECONDS[member]
    shown = show(edition, seats, seed, lambda view: bool(answers(view, member)), **options)
    clicker, moves = shown.clicker, answers(shown.view, member)
    if member == "turn_up":
        # The card being laid could also be turned up, but it is not on the table yet.
        moves = [move for move in moves if move["turn_up"] != move["card"]]
    move, count = moves[0], len({move[member] for move in moves})
    rules = shown.player.ask("GET", f"/editions/{edition}")
    names = {kind["card"]: kind["label"] for kind in rules["deck"]}
    names |= {region["key"]: region["name"] for region in rules["board"]["regions"]}
    place = clicker.map if member == "favor" else shown.seat(0)
    lit = place.get_by_role("button", name=re.compile(name.format(".*")))
    confirm = clicker.button(re.compile("^Play "))
    expect(lit).to_have_count(0)
    clicker.hand.get_by_role("button", name=re.compile(f"^{names[move['card']]}(,|$)")).click()
    expect(lit).to_have_count(count)
    expect(confirm).to_have_count(0)
    target = place.get_by_role("button", name=re.compile(name.format(names[move[member]])))
    for _ in range(2):
        clicker.click_region(target)
        expect(confirm).to_be_visible()
        expect(lit).to_have_count(0)
        shown.page.keyboard.press("Escape")
        expect(confirm).to_have_count(0)
        expect(lit).to_have_count(count)
    clicker.click_region(target)
    takes = ": take back " if member == "take" else ""
    clicker.confirm(re.compile(f"^Play {names[move['card']]}{takes}"))
    after = shown.player.ask("GET", f"/games/{shown.view['id']}/events?after={shown.view['version']}")["commits"][0]
    assert move[member] in json.dumps(after["events"])


@pytest.mark.parametrize("edition", NEWEST)
def test_a_card_is_called_as_in_the_edition(show: Show, edition: str) -> None:
    """A mercenary has no room for its name: the name is heard, pointed at, and shown when the card is tapped."""
    deck = {kind["card"]: kind for kind in show_edition(NEWEST[edition])["deck"]}
    seats = NEWEST[edition].fewest_seats
    shown = show(edition, seats, "07", fights)
    cards: list[str] = shown.view["position"]["seats"][0]["hand"]["cards"]
    assert any(map(number, cards))
    for card in set(cards):
        name, effect = deck[card]["label"], deck[card]["effect"]
        button = shown.clicker.hand.locator(f"[data-card='{card}']").first
        expect(button).to_have_accessible_name(re.compile(f"^{name}"))
        expect(button).to_have_attribute("title", f"{name}: {effect}")
    button = shown.clicker.hand.locator("[data-card^='mercenary']").first
    name = deck[str(button.get_attribute("data-card"))]["label"]
    button.click()
    expect(shown.clicker.actions.get_by_text(name, exact=True)).to_be_visible()


def test_hidden_cards_are_backs_for_others_and_marked_for_their_owner(show: Show) -> None:
    edition, seats, seed, options, _ = SECONDS["turn_up"]
    shown = show(edition, seats, seed, lambda view: bool(answers(view, "turn_up")), **options)
    own, other = (seat["face_down"] for seat in shown.view["position"]["seats"])
    assert other.get("cards") is None
    backs = shown.seat(1).get_by_role("img", name=f"{other['count']} card face down")
    expect(backs).to_have_text(str(other["count"]))
    expect(shown.seat(1).get_by_text("face down", exact=True)).to_have_count(0)
    mine = shown.row(0).filter(has_text="face down")
    expect(mine).to_have_count(len(own["cards"]))
    expect(mine.locator("use[href='#closed-eye']")).to_have_count(len(own["cards"]))
    expect(shown.seat(0).get_by_role("img", name=re.compile("face down"))).to_have_count(0)


def test_a_preview_says_that_a_card_is_laid_face_down_and_which_one_is_turned_up(show: Show) -> None:
    """The one that is turned up may be the card itself, which then does not lie face down."""
    edition, seats, seed, options, _ = SECONDS["turn_up"]
    shown = show(edition, seats, seed, lambda view: bool(answers(view, "turn_up")), **options)
    moves = answers(shown.view, "turn_up")
    labels = {kind["card"]: kind["label"] for kind in shown.player.ask("GET", f"/editions/{edition}")["deck"]}
    preview = shown.clicker.actions.get_by_role("status").filter(has_text="Your row")
    for move in moves:
        shown.clicker.hand.locator(f"[data-card='{move['card']}']").first.click()
        shown.clicker.actions.get_by_role("button", name=f"Turn up {labels[move['turn_up']]}").click()
        expect(preview).to_contain_text(f"Your {labels[move['turn_up']]} would be turned up.")
        lies = 1 if move["turn_up"] != move["card"] else 0
        expect(preview.filter(has_text="The card would lie face down, and would not count yet.")).to_have_count(lies)
        shown.page.keyboard.press("Escape")
        shown.page.keyboard.press("Escape")


def test_a_duel_has_pennants_in_place_of_the_map(show: Show) -> None:
    """Each seat has a separate deck."""

    def is_level(view: Json) -> bool:
        return bool(view["moves"]) and all(seat["battles_won"] for seat in view["position"]["seats"])

    shown = show("zman-2018-duel", 2, "01", is_level)
    expect(shown.clicker.map).to_have_count(0)
    for seat in shown.view["position"]["seats"]:
        won, place = seat["battles_won"], shown.seat(seat["seat"])
        expect(place.get_by_role("img", name=f"{won} of 3 battles won").locator("[data-won=true]")).to_have_count(won)
        expect(place.get_by_text(f"deck {seat['deck']}", exact=True)).to_be_visible()
    expect(shown.page.get_by_role("term").filter(has_text="Deck")).to_have_count(0)


def test_a_region_is_declined_and_counted(show: Show) -> None:
    def was_declined(view: Json) -> bool:
        return bool(view["moves"]) and bool(view["position"]["declines"])

    shown = show("eurogames-revised", 3, "27", was_declined)
    counts = (
        shown.page.get_by_role("region", name="Seats")
        .locator("div")
        .filter(has=shown.page.get_by_role("term").filter(has_text="Declined"))
    )
    expect(counts.get_by_role("definition").last).to_have_text(str(shown.view["position"]["declines"]))
    shown.clicker.button("Choose no region").click()
    expect(shown.clicker.button("Back")).to_be_visible()
    shown.clicker.confirm("Choose no region")
    log = shown.page.get_by_role("log", include_hidden=True)  # A large hand leaves it no room.
    expect(log.get_by_text(f"{shown.player.name} chooses no region")).to_be_attached()


CAPTURES: dict[str, tuple[str, Json]] = {"ffg-2007": ("c0", {"capturing_regions": True}), "eurogames-1995": ("87", {})}
"""The first byte of a seed with which an owned region is soon attacked, and the option that allows the attack."""


@pytest.mark.parametrize("edition", CAPTURES)
def test_whoever_defends_a_region_is_named(show: Show, edition: str) -> None:
    """The region keeps its owner's colour, and the page shows that a battle is in progress there."""
    seed, options = CAPTURES[edition]

    def owner(view: Json) -> int | None:
        contested, seats = view["position"]["contested"], view["position"]["seats"]
        return next((seat["seat"] for seat in seats if contested in seat["regions"]), None)

    shown = show(edition, 2, seed, lambda view: fights(view) and owner(view) is not None, **options)
    defender = owner(shown.view)
    assert defender is not None
    for seat in range(2):
        expect(shown.seat(seat).get_by_text("defends", exact=True)).to_have_count(1 if seat == defender else 0)
    name = shown.seat(defender).get_attribute("aria-label")
    region = shown.clicker.map.get_by_role("button", name=re.compile("battle in progress"))
    expect(region).to_have_accessible_name(re.compile(f", held by {name}, borders"))
    path = region.locator("path").get_attribute("d")
    expect(shown.page.locator(f'.map-land[d="{path}"]')).to_have_attribute("data-seat", str(defender))


def test_no_more_cards_can_be_kept_than_allowed(show: Show) -> None:
    """The page counts the ticked cards. With too many, the move cannot be confirmed."""
    shown = show("ffg-2007", 2, "01", lambda view: any(move["type"] == "keep-cards" for move in view["moves"]))
    most = max(len(move["keep"]) for move in shown.view["moves"] if move["type"] == "keep-cards")
    assert most == 2
    shown.clicker.button("Choose cards to keep").click()
    cards, confirm = shown.clicker.hand.get_by_role("button"), shown.page.locator("#confirm")
    for ticked in range(most + 2):
        if ticked:
            cards.nth(ticked - 1).click()
            expect(cards.nth(ticked - 1)).to_have_attribute("aria-pressed", "true")
        expect(shown.clicker.actions.get_by_text(f"{ticked} of at most 2 ticked.")).to_be_visible()
        expect(confirm).to_have_attribute("aria-disabled", "true" if ticked > most else "false")
    cards.first.click()
    expect(shown.clicker.actions.get_by_text("2 of at most 2 ticked.")).to_be_visible()
    expect(confirm).to_have_attribute("aria-disabled", "false")
    shown.clicker.confirm("Keep 2 cards")
    path = f"/games/{shown.view['id']}/events?after={shown.view['version']}"
    events = shown.player.ask("GET", path)["commits"][0]["events"]
    [kept] = [event["cards"]["cards"] for event in events if event["type"] == "cards-kept"]
    assert kept == shown.view["position"]["seats"][0]["hand"]["cards"][1:3]


def test_as_many_cards_can_be_drawn_as_allowed(show: Show) -> None:
    shown = show(
        "ffg-2007",
        2,
        "02",
        lambda view: any(move["type"] == "draw-cards" for move in view["moves"]),
        draw_after_battle=True,
    )
    numbers = [move["number"] for move in shown.view["moves"] if move["type"] == "draw-cards"]
    assert numbers == [0, 1, 2, 3]
    shown.clicker.button("Draw cards").click()
    choices = shown.clicker.actions.get_by_role("group", name="How many cards do you draw?").get_by_role("button")
    expect(choices).to_have_text([str(number) for number in numbers])
    for number in numbers:
        choices.nth(number).click()
        expect(choices.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(shown.page.locator("#confirm")).to_have_accessible_name(re.compile(f"^Draw {number or 'no'} cards?$"))
    shown.clicker.confirm("Draw 3 cards")
    hand = len(shown.view["position"]["seats"][0]["hand"]["cards"])
    assert shown.player.ask("GET", f"/games/{shown.view['id']}")["position"]["seats"][0]["hand"]["count"] == hand + 3
