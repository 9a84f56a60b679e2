"""The minimum that must work: a newcomer's game to its end, a move by keyboard, and two players at one table."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import requests
from playwright.sync_api import BrowserContext, Page, Response, expect

from ..service.whole.product import Service
from .axe import show, violations
from .clicking import Clicker
from .players import Player
from .scenes import seed_games

HEAR_STREAMS = """() => {
    const { read } = ReadableStreamDefaultReader.prototype, decoder = new TextDecoder();
    window.streamed = "";
    ReadableStreamDefaultReader.prototype.read = async function () {
        const part = await read.call(this);
        if (part.value) window.streamed += decoder.decode(part.value, { stream: true });
        return part;
    };
}"""
"""Records what a page reads from streams, because a stream's response does not end while it is open."""
DRAWN_CARDS = """() => [...document.querySelectorAll("#app use")]
    .map((sign) => sign.getAttribute("href")).filter((name) => name.startsWith("#card-"))
    .map((name) => name.slice("#card-".length))"""
"""Returns the kind of each card that is drawn on a page."""


def test_a_newcomer_plays_a_game_to_its_end_by_clicking(page: Page, service: Service) -> None:
    """A newcomer enters a name, opens a game against three bots, and uses only the page until the game is over."""
    seed_games(page, "06" * 32)
    page.goto("/")
    page.get_by_label("Opponents").select_option("3")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(re.compile(r"/game/[0-9a-z]+$"))
    clicker = Clicker(page)
    clicker.play_to_the_end()
    expect(page.get_by_role("heading", name=re.compile("won$"))).to_have_count(1)
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    game = requests.get(f"{service.url}/v1/games/{page.url.rpartition('/')[2]}", timeout=30).json()
    assert [seat["bot"] for seat in game["seated"]] == [None, "steady", "steady", "steady"]
    assert game["result"]["reasons"]
    assert clicker.moves > 3


def test_a_move_is_made_with_the_keyboard_only(new_context: Callable[..., BrowserContext], service: Service) -> None:
    player, context = Player(service), new_context()
    player.sign_in(context)
    game = player.open("zman-2018-duel", seats=2, bots=1)
    page = context.new_page()
    page.goto(f"/game/{game['id']}")
    clicker = Clicker(page)
    clicker.awaited()
    hand = page.get_by_role("toolbar")
    before = hand.get_by_role("button").count()
    page.keyboard.press("h")
    expect(hand.get_by_role("button").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(hand.get_by_role("button").nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(clicker.button(re.compile("^Play "))).to_be_focused()
    page.keyboard.press("Escape")
    expect(hand.get_by_role("button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(clicker.button(re.compile("^Play "))).to_be_focused()
    page.keyboard.press("Enter")
    clicker.settle()
    expect(hand).to_have_accessible_name(re.compile("Your hand: 7 cards"))
    assert before


def test_two_browsers_see_each_others_moves_and_none_of_the_others_cards(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """The browser neither receives nor shows a card of the other player, and it stores nothing of a game."""
    players = [Player(service, name) for name in ("Caterina", "Lodovico")]
    game = players[0].open("ffg-2007", seats=2, bots=0)["id"]
    players[1].ask("POST", f"/games/{game}/join", {})
    deck = players[0].ask("GET", "/editions/ffg-2007")["deck"]
    heard: list[list[Response]] = [[], []]
    pages: list[Page] = []
    for player, answers in zip(players, heard, strict=True):
        context = new_context()
        player.sign_in(context)
        context.add_init_script(f"({HEAR_STREAMS})()")
        page = context.new_page()
        page.on("response", _into(answers))
        page.goto(f"/game/{game}")
        pages.append(page)
    bars = [Clicker(page).bar for page in pages]
    expect(bars[0]).to_have_text(re.compile("^(Your turn|Waiting for)"))
    first = 0 if bars[0].inner_text().startswith("Your turn") else 1
    expect(bars[1 - first]).to_have_text(re.compile("^Waiting for"))
    mover = Clicker(pages[first])
    mover.make_a_move(mover.awaited())
    for page in pages:
        expect(page.get_by_role("heading", name=re.compile("^Battle for "))).to_be_visible()
    for turn in range(4):
        # A card may end the battle, so the next turn is not necessarily the other player's.
        seat = players[0].ask("GET", f"/games/{game}")["position"]["turn"]
        clicker = Clicker(pages[seat], eagerness=1, seed=turn)
        clicker.make_a_move(clicker.awaited())
    newest = players[0].ask("GET", f"/games/{game}")["version"]
    for seat, (page, answers) in enumerate(zip(pages, heard, strict=True)):
        expect(page.locator(f'[data-version="{newest}"]')).to_be_attached()
        lines = str(page.evaluate("streamed")).splitlines()
        assert [line for line in lines if '"events"' in line]
        documents = [json.loads(body) for body in (*map(_body, answers), *lines) if body.startswith("{")]
        assert [card for document in documents for card in _held(document, seat)]
        assert [card for document in documents for card in _held(document, 1 - seat)] == []
        own = set(players[seat].ask("GET", f"/games/{game}")["position"]["seats"][seat]["hand"]["cards"])
        commits = players[seat].ask("GET", f"/games/{game}/events")["commits"]
        laid = {event["card"] for commit in commits for event in commit["events"] if "card" in event}
        assert own <= set(page.evaluate(DRAWN_CARDS)) <= own | laid
        assert page.get_by_role("toolbar").count() == 1
        stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert [kind["card"] for kind in deck if kind["card"] in stored] == []


def _into(answers: list[Response]) -> Callable[[Response], None]:
    """Return a function that appends a response to a list: Playwright does not accept methods of built-in types."""

    def append(answer: Response) -> None:
        answers.append(answer)

    return append


def _body(answer: Response) -> str:
    """Return the body of an API response, or "" for other responses and for streams, which do not end."""
    if "/v1/" not in answer.url or "/stream" in answer.url or answer.status != 200:
        return ""
    return answer.text()


def _held(found: Any, whose: int, seat: int | None = None) -> Iterator[str]:
    """Yield the cards that a part of a response, such as a position or an event, says that a seat holds."""
    if isinstance(found, list):
        for item in found:
            yield from _held(item, whose, seat)
    elif isinstance(found, dict):
        seat = found.get("seat", seat)
        if seat == whose and isinstance(cards := found.get("cards"), list):
            yield from cards
        for number, hand in enumerate(found.get("hands", ())):
            yield from _held(hand, whose, number)
        for name, member in found.items():
            if name != "hands":
                yield from _held(member, whose, seat)


def test_axe_finds_nothing_on_a_game_and_on_the_start_page(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """`test_accessible` checks all screens, in all sizes and themes."""
    player, context = Player(service), new_context(reduced_motion="reduce")
    player.sign_in(context)
    game = player.open("zman-2018", seats=3, bots=2)
    page = context.new_page()
    for address in (f"/game/{game['id']}", "/"):
        show(page, address)
        assert violations(page) == []
