"""What must work for anybody to play: one game clicked to its end, a move by keyboard, and two players at one table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Response, expect

from ..service.whole.product import Service
from .axe import show, violations
from .clicking import Clicker
from .players import Player


def test_a_game_is_played_to_its_end_by_clicking(new_context: Callable[..., BrowserContext], service: Service) -> None:
    player, context = Player(service), new_context()
    player.sign_in(context)
    game = player.open("zman-2018", seats=3, bots=2, seed="01" * 32)
    page = context.new_page()
    page.goto(f"/game/{game['id']}")
    clicker = Clicker(page)
    clicker.play_to_the_end()
    result = player.ask("GET", f"/games/{game['id']}")["result"]
    expect(page.get_by_role("heading", name=re.compile("won$"))).to_have_count(1)
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    assert result["reasons"]
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
    players = [Player(service, name) for name in ("Caterina", "Lodovico")]
    game = players[0].open("ffg-2007", seats=2, bots=0)["id"]
    players[1].ask("POST", f"/games/{game}/join", {})
    heard: list[list[Response]] = [[], []]
    pages: list[Page] = []
    for player, answers in zip(players, heard, strict=True):
        context = new_context()
        player.sign_in(context)
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
        # A card may end the battle, so it need not be the other's turn.
        seat = players[0].ask("GET", f"/games/{game}")["position"]["turn"]
        clicker = Clicker(pages[seat], eagerness=1, seed=turn)
        clicker.make_a_move(clicker.awaited())
    for seat, (page, answers) in enumerate(zip(pages, heard, strict=True)):
        bodies = [_body(answer) for answer in answers]
        other = players[1 - seat].ask("GET", f"/games/{game}")
        cards = other["position"]["seats"][1 - seat]["hand"]["cards"]
        views = [found for body in bodies for found in _positions(body)]
        assert views
        assert all("cards" not in view["seats"][1 - seat]["hand"] for view in views)
        stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert not [card for card in cards if card in stored]
        assert page.get_by_role("toolbar").count() == 1
        assert json.dumps(cards, separators=(",", ":")) not in "".join(bodies)


def _into(answers: list[Response]) -> Callable[[Response], None]:
    """Return what appends an answer to a list: Playwright takes no method of a built-in type."""

    def append(answer: Response) -> None:
        answers.append(answer)

    return append


def _body(answer: Response) -> str:
    """Return the body of an answer of the API; "" of any other, and of a stream, which does not end."""
    if "/v1/games/" not in answer.url or "stream" in answer.url or answer.status != 200:
        return ""
    return answer.text()


def _positions(body: str) -> list[dict[str, list[dict[str, dict[str, object]]]]]:
    """Return the positions in an answer."""
    if not body.startswith("{"):
        return []
    game = json.loads(body)
    game = game.get("game", game)
    return [game["position"]] if game.get("position") else []


def test_axe_finds_nothing_on_a_game_and_on_the_start_page(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """`test_accessible` looks at all screens, in all sizes and themes."""
    player, context = Player(service), new_context(reduced_motion="reduce")
    player.sign_in(context)
    game = player.open("zman-2018", seats=3, bots=2)
    page = context.new_page()
    for address in (f"/game/{game['id']}", "/"):
        show(page, address)
        assert violations(page) == []
