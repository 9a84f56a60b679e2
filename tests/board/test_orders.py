"""Standing orders, next to the hand: how they are given, changed and withdrawn, and what they have done."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, BrowserContext, Locator, Page, Route, expect

from ..service.whole.product import Service
from .conftest import OpenPage
from .holding import TWO_FRAMES
from .players import Json, Player

pytestmark = pytest.mark.browser

SEED = "a73342f3d5a833aff9863dd0c586295a6116d6265212c82e376ef43cdb30ddb2"
"""With this seed, the seat that opens the game chooses a region first and has a drummer, mercenaries and scarecrows."""
PROBLEM = {
    "type": "/problems/x",
    "title": "You cannot do this.",
    "status": 409,
    "code": "x",
    "detail": "No.",
    "clause": "6.8",
}
HOST = """async ([orders, lit, app, id]) => {
    const { Orders } = await import(orders), { render } = await import(lit), { App } = await import(app);
    const place = document.body.appendChild(document.createElement("div")), one = new App();
    const view = await one.api.get(`/v1/games/${id}`);
    const edition = await one.api.get(`/v1/editions/${view.edition}?revision=${view.revision}`);
    const changed = () => shown && render(shown.view(), place);
    const host = { app: one, id, view, edition, changed };
    let shown = new Orders(host);
    changed();
    one.live.addEventListener("commit", async () => {
        host.view = await one.api.get(`/v1/games/${id}`);
        changed();
    });
    one.begin();
    one.live.watch(id, view.version, new AbortController().signal);
    place.querySelector("summary")?.click();
}"""


@pytest.fixture
def player(service: Service) -> Player:
    """A player who is signed in on `shown`."""
    return Player(service)


@pytest.fixture
def game(player: Player) -> Json:
    """A game against two bots."""
    return player.open("zman-2018", 3, 2, seed=SEED)


@pytest.fixture
def show(new_page: OpenPage, player: Player, game: Json, module: Callable[[str], str]) -> Callable[[], Locator]:
    """Show the game's orders as the game screen does."""

    def open_page() -> Locator:
        page = new_page()
        player.sign_in(page.context)
        page.goto("/settings")
        page.evaluate(HOST, [*(module(name) for name in ("orders.js", "vendor/lit-html.js", "app.js")), game["id"]])
        shown = page.get_by_role("group").filter(has_text="Standing orders").first
        expect(shown.get_by_role("button", name="Give these orders")).to_be_visible()
        return shown

    return open_page


def choose(player: Player, game: Json) -> None:
    """Choose the first region, so that a battle begins and it is the player's turn."""
    move = {"type": "choose-region", "region": "firenze"}
    player.ask("POST", f"/games/{game['id']}/moves", move, **{"If-Match": '"1"'})


def test_an_order_for_after_the_battle(show: Callable[[], Locator], player: Player, game: Json) -> None:
    shown = show()
    expect(shown).to_contain_text("You have no orders: you decide each move.")
    expect(shown).to_contain_text("You can give orders for a battle once it has begun.")
    expect(shown.get_by_role("button", name="Withdraw all orders")).to_be_disabled()
    shown.get_by_role("radio", name="Discard my hand").check()
    shown.get_by_role("button", name="Give these orders").click()
    expect(shown).to_contain_text("After each battle, you discard your hand if the rules allow it.")
    summary = shown.get_by_text("Standing orders (1)")
    expect(summary).to_be_focused()
    expect(shown.get_by_role("button", name="Give these orders")).to_be_hidden()
    assert player.ask("GET", f"/games/{game['id']}/orders")["after_battle"] == "discard"
    summary.click()
    shown.get_by_role("button", name="Withdraw all orders").click()
    expect(shown).to_contain_text("You have no orders")
    expect(shown.get_by_role("radio", name="I decide").last).to_be_checked()
    assert player.ask("GET", f"/games/{game['id']}/orders")["after_battle"] is None


def test_cards_are_laid_until_the_seat_leads(show: Callable[[], Locator], player: Player, game: Json) -> None:
    """It is the player's turn, so the first card is laid immediately. The page then shows what the order has done."""
    choose(player, game)
    shown = show()
    shown.get_by_role("radio", name="Lay cards until I lead").check()
    give = shown.get_by_role("button", name="Give these orders")
    expect(give).to_be_disabled()
    for label in ("Mercenary 4", "Mercenary 10", "Drummer", "Mercenary 10"):
        shown.get_by_role("button", name=label, exact=True).click()
    expect(shown.get_by_role("button", name="Mercenary 10", exact=True)).to_have_count(0)
    shown.get_by_role("button", name="Remove Drummer").click()
    expect(shown.get_by_role("button", name="Drummer", exact=True)).to_be_visible()
    shown.get_by_role("group", name="While I lead").get_by_role("radio", name="Pass").check()
    give.click()
    expect(shown).to_contain_text("Step 3: you laid Mercenary 4.")
    expect(shown).to_contain_text("Step 11: the order was cancelled: all cards are laid, and you do not lead.")
    expect(shown).to_contain_text("You have no orders")


def test_pass_if_a_row_is_too_strong(show: Callable[[], Locator], player: Player, game: Json) -> None:
    choose(player, game)
    shown = show()
    shown.get_by_role("radio", name="Pass if a row is too strong").check()
    shown.get_by_label("Pass if the strongest row exceeds").fill("30")
    shown.get_by_role("combobox", name="Otherwise lay").select_option(label="Mercenary 6")
    shown.get_by_role("button", name="Give these orders").click()
    expect(shown).to_contain_text("Step 3: you laid Mercenary 6.")
    expect(shown).to_contain_text("You have no orders")


def test_what_the_rules_forbid_is_said_with_its_clause(show: Callable[[], Locator], player: Player, game: Json) -> None:
    """The page offers no order that this service would refuse here, so the test replaces the response."""
    choose(player, game)
    shown = show()

    def refuse(route: Route) -> None:
        if route.request.method == "PUT":
            route.fulfill(status=409, json=PROBLEM, content_type="application/problem+json")
        else:
            route.continue_()

    shown.page.route("**/orders", refuse)
    shown.get_by_role("radio", name="Pass on my turns").check()
    shown.get_by_role("button", name="Give these orders").click()
    expect(shown.get_by_role("alert")).to_contain_text("You cannot do this.")
    expect(shown.get_by_role("link", name="Rule 6.8")).to_have_attribute("href", "/rules/zman-2018#6.8")
    expect(shown.get_by_role("radio", name="Pass on my turns")).to_be_checked()


def test_orders_that_were_changed_elsewhere_are_not_replaced(
    show: Callable[[], Locator], player: Player, game: Json
) -> None:
    shown = show()
    player.ask("PUT", f"/games/{game['id']}/orders", {"after_battle": "keep"})
    shown.get_by_role("radio", name="Discard my hand").check()
    shown.get_by_role("button", name="Give these orders").click()
    expect(shown.get_by_role("alert")).to_be_visible()
    expect(shown).to_contain_text("After each battle, you keep your hand.")
    expect(shown.get_by_role("radio", name="Discard my hand")).to_be_checked()
    shown.get_by_role("button", name="Give these orders").click()
    expect(shown).to_contain_text("you discard your hand")


def test_an_answer_that_comes_late_does_not_replace_newer_orders(
    show: Callable[[], Locator], player: Player, game: Json
) -> None:
    """A move makes the page load its orders. Before they arrive, the player gives others."""
    shown = show()
    page, late = shown.page, f"**/v1/games/{game['id']}/orders"
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET":
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route(late, hold)
    with page.expect_request(late):
        choose(player, game)
    shown.get_by_role("radio", name="Keep my hand").check()
    shown.get_by_role("button", name="Give these orders").click()
    given = "After each battle, you keep your hand."
    expect(shown).to_contain_text(given)
    route, answer = held.pop(0)
    with page.expect_event("requestfinished"):
        route.fulfill(response=answer)
    page.evaluate(TWO_FRAMES)
    shown.get_by_text("Standing orders (1)").click()
    shown.get_by_role("radio", name="Discard my hand").check()
    expect(shown.get_by_role("radio", name="Discard my hand")).to_be_checked()
    expect(shown).to_contain_text(given)


def test_a_spectator_has_no_orders(page: Page, game: Json, module: Callable[[str], str]) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/settings")
    page.evaluate(HOST, [*(module(name) for name in ("orders.js", "vendor/lit-html.js", "app.js")), game["id"]])
    expect(page.get_by_text("Standing orders")).to_have_count(0)
    assert not any(url.endswith("/orders") for url in asked)


def test_the_orders_are_beside_the_hand_with_their_number(
    new_context: Callable[..., BrowserContext], player: Player, game: Json
) -> None:
    """Opened, they cover the log and move nothing. A phone has room for them while others move."""
    choose(player, game)
    order = {"after_battle": "keep"}
    player.ask("PUT", f"/games/{game['id']}/orders", order)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game['id']}")
    orders = page.get_by_role("group").filter(has_text="Standing orders")
    summary = orders.get_by_text("Standing orders (1)")
    expect(summary).to_be_visible()
    expect(orders.get_by_text("After each battle, you keep your hand.")).to_be_hidden()
    parts = (page.get_by_role("heading", name="Your hand"), summary, page.get_by_role("toolbar"))
    boxes = [part.bounding_box() for part in parts]
    heading, beside, cards = (box for box in boxes if box)
    assert beside["x"] >= heading["x"] + heading["width"]
    assert beside["y"] < heading["y"] + heading["height"] < cards["y"] + cards["height"]
    summary.click()
    expect(orders.get_by_text("After each battle, you keep your hand.")).to_be_visible()
    assert parts[2].bounding_box() == cards
    expect(parts[2]).to_be_in_viewport(ratio=1)
    orders.get_by_text("Standing orders (1)").click()
    expect(orders.get_by_text("After each battle, you keep your hand.")).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_role("main").get_by_text(re.compile("^Your turn"))).to_be_visible()
    expect(orders).to_be_hidden()
    page.route(f"**/v1/games/{game['id']}", lambda route: route.fulfill(json=waiting(player, game)))
    page.reload()
    expect(summary).to_be_visible()


def waiting(player: Player, game: Json) -> Json:
    """Return the game as if it were another seat's turn."""
    view = player.ask("GET", f"/games/{game['id']}")
    return {**view, "moves": [], "position": {**view["position"], "turn": 1}}
