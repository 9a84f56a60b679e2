"""The log: a sentence for every type of event, where your last move was, and what has happened since."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, expect

from ..service.whole.product import Service
from .players import Player

pytestmark = pytest.mark.browser

Json = dict[str, Any]

OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
HOUR = 3_600_000
SENTENCES: tuple[tuple[str, Json, str], ...] = (
    ("table-opened", {"owner_name": "Dora", "seats": 3}, "Dora opened the game: {title}, 3 seats."),
    ("seat-taken", {"seat": 0, "name": "Dora"}, "Dora joined."),
    ("bot-seated", {"seat": 1, "label": "Steady"}, "Bruno, a bot, joined."),
    ("seat-left", {"seat": 1, "name": None}, "a deleted player left."),
    ("table-cancelled", {"name": "Dora"}, "Dora cancelled the game."),
    ("game-cancelled", {"by": "host", "reason": "maintenance"}, "The host cancelled the game: maintenance"),
    ("clock-stopped", {"seat": 1, "used": 26 * HOUR, "bank": 0}, "Bruno used 1 day 2 hours."),
    ("seat-reminded", {"seat": 1, "left": 20}, "Bruno was reminded: 20 % of the time is left."),
    ("seat-timed-out", {"seat": 1, "misses": 1}, "Time ran out for Bruno."),
    ("seat-given-to-bot", {"seat": 1, "label": "Steady"}, "A bot, Steady, now plays for Bruno."),
    ("seat-taken-back", {"seat": 1, "name": "Bruno"}, "Bruno came back and plays again."),
    ("seat-opened", {"seat": 1, "name": "Bruno"}, "Bruno lost the seat. Another player may take it."),
    ("seat-substituted", {"seat": 1, "name": "Dora"}, "Dora took over the seat."),
    ("pause-asked", {"seat": 1}, "Bruno asked for a pause."),
    ("game-paused", {}, "The game was paused."),
    ("game-resumed", {"seat": 1}, "Bruno resumed the game."),
    ("extension-asked", {"seat": 1, "extra": HOUR}, "Bruno asked for 1 hour more."),
    ("extension-granted", {"seat": 1}, "Bruno agreed to more time."),
    ("clock-advanced", {"seat": 1, "by": 90_000}, "The owner advanced the clock by 1 minute 30 seconds for a test."),
    ("game-started", {"seats": 3}, "The game started: {title}, 3 seats."),
    ("marker-taken", {"seat": 1, "reason": "lot", "draw": 1}, "Bruno took the battle marker (by lot)."),
    ("marker-taken", {"seat": 1, "reason": "courtesans"}, "Bruno took the battle marker, with the most Spy cards."),
    ("hands-dealt", {"hands": [{"count": 9}, {"count": 10}]}, "Cards were dealt: Bruno (10) and Anna (9)."),
    ("cards-drawn", {"seat": 1, "cards": {"count": 1}, "number": 1}, "Bruno drew 1 card."),
    ("discard-reshuffled", {}, "The discard was shuffled into the deck."),
    ("region-chosen", {"seat": 1, "region": "torino"}, "Bruno chose Torino."),
    ("region-declined", {"seat": 1}, "Bruno chose no region."),
    ("card-played", {"seat": 1, "card": "mercenary-10", "place": "row"}, "Bruno played Mercenary 10."),
    ("card-laid-face-down", {"seat": 1}, "Bruno laid a card face down."),
    ("card-laid-face-down", {"seat": 1, "card": "winter"}, "Bruno laid Winter face down."),
    ("card-turned-up", {"seat": 1, "card": "winter"}, "Bruno turned up Winter."),
    ("card-taken-back", {"seat": 1, "card": "mercenary-1", "taken_from": 1}, "Bruno took Mercenary 1 back."),
    ("card-taken-back", {"seat": 1, "card": "mercenary-1", "taken_from": 0}, "Bruno took Mercenary 1 from Anna."),
    (
        "mercenaries-removed",
        {"card": "mercenary-10", "counts": [0, 2, 1]},
        "Mercenary 10 was removed from all rows: Bruno (2) and Carla (1).",
    ),
    ("favor-moved", {"region": "roma"}, "The favor marker moved to Roma."),
    ("favor-moved", {}, "The favor marker was taken off the map."),
    ("seat-passed", {"seat": 1, "final": True, "forced": False}, "Bruno passed."),
    ("seat-passed", {"seat": 1, "final": False, "forced": False}, "Bruno passed, and may still play."),
    ("seat-passed", {"seat": 1, "final": True, "forced": True}, "Bruno has no card left and passed."),
    ("seat-resigned", {"seat": 1}, "Bruno resigned."),
    (
        "battle-ended",
        {"region": "roma", "cause": "passes", "strengths": [3, 21, 0], "leaders": [1], "winner": 1},
        "Bruno won Roma: Bruno (21) and Anna (3).",
    ),
    ("battle-ended", {"cause": "surrender", "leaders": [0, 1]}, "Turncoat ended the battle. Nobody won the battle."),
    ("rows-discarded", {}, "All rows were discarded."),
    ("hand-kept", {"seat": 1}, "Bruno kept the hand."),
    (
        "hand-discarded",
        {"seat": 1, "cards": {"count": 3, "cards": ["courtesan", "courtesan", "winter"]}, "forced": False},
        "Bruno discarded 3 cards: 2 × Spy and Winter.",
    ),
    ("cards-kept", {"seat": 1, "cards": {"count": 2}}, "Bruno kept 2 cards."),
    ("round-stalled", {"battles": 4}, "No card was played in 4 battles in a row."),
    ("round-ended", {}, "The round ended."),
    ("turn-started", {"seat": 1, "phase": "battle"}, "Waiting for Bruno: play a card or pass."),
    (
        "final-battle-started",
        {"fighters": [0, 1], "reason": "declined"},
        "Anna and Bruno fight a final battle (nobody chose a region).",
    ),
    ("game-ended", {"winners": [1], "reasons": ["total-regions"]}, "Bruno won the game (enough regions)."),
    ("game-ended", {"winners": [], "reasons": ["of-tomorrow"]}, "The game ended in a draw (of tomorrow)."),
    ("match-scored", {"gained": [2, 0], "points": [7, 5]}, "Points: Anna (7, +2) and Bruno (5, +0)."),
    ("match-ended", {"winners": [0, 1], "reasons": ["points"]}, "Anna and Bruno won the match (enough points)."),
    ("of-tomorrow", {}, "Something happened that this page does not know: of-tomorrow."),
)
TIMED = ("clock-started", "deadline-moved")
"""Types of event whose sentences have a time of the day in them."""
SAID = """async ([base, edition, commits]) => {
  const { sentence } = await import(base + "/log.js");
  const name = (seat) => ["Anna", "Bruno", "Carla", "Dino", "Elena", "Fosco"][seat];
  const api = { get: async () => ({ commits: [] }) };
  const host = { id: "game", newest: 1, app: { api }, edition, name, changed() {} };
  return commits.map((events, number) => sentence({ seq: number + 1, events }, host));
}"""


def said(page: Page, service: Service, edition: str, commits: list[list[Json]]) -> list[str]:
    """Return the sentences of commits, each of which is a list of events."""
    page.goto("/settings")
    base = page.locator("script[type=module]").get_attribute("src")
    assert base is not None
    rules = requests.get(f"{service.url}/v1/editions/{edition}", timeout=30).json()
    found: list[str] = page.evaluate(SAID, [base.rpartition("/")[0], rules, commits])
    return found


def play(player: Player, game: str, moves: int, seed: int = 1) -> Json:
    """Make moves at random, wait until the player is to move again, and return the game as it is then."""
    chance = random.Random(seed)
    while True:
        view = player.ask("GET", f"/games/{game}")
        if view["status"] == "running" and not view["moves"]:
            player.ask("GET", f"/games/{game}/events?after={view['version']}&wait=10")
            continue
        if view["status"] != "running" or not moves:
            return view
        move = chance.choice(view["moves"])
        player.ask("POST", f"/games/{game}/moves", move, **{"If-Match": f'"{view["version"]}"'})
        moves -= 1


def play_and_wait(player: Player, game: str) -> tuple[int, int]:
    """Play until others have moved since the player's last move; return the versions of that move, and of now."""
    for seed in range(100):
        view = play(player, game, 5, seed)
        commits = player.ask("GET", f"/games/{game}/events")["commits"]
        mine = max(commit["seq"] for commit in commits if commit["by"] == player.account["id"])
        if mine < view["version"] - 1:
            return mine, view["version"]
    raise AssertionError(game)


def test_every_type_of_event_has_a_sentence(page: Page, service: Service) -> None:
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]
    known = {
        schemas[event["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"][0]
        for event in schemas["Event"]["oneOf"]
    }
    assert known == {kind for kind, _, _ in SENTENCES[:-1]} | set(TIMED)
    events = [{"type": kind, **members} for kind, members, _ in SENTENCES]
    found = said(page, service, "zman-2018", [[event] for event in events])
    title = requests.get(f"{service.url}/v1/editions/zman-2018", timeout=30).json()["title"]
    assert found == [text.format(title=title) for _, _, text in SENTENCES]


def test_a_deadline_is_told_with_its_time(page: Page, service: Service) -> None:
    members = {"seat": 1, "deadline": 1_800_000_000_000, "reason": "vacation", "used": 0}
    found = said(page, service, "zman-2018", [[{"type": kind, **members}] for kind in TIMED])
    assert all(re.match(r"Bruno has until .*\d", text) for text in found)
    assert found[1].endswith("now (vacation).")


def test_a_commit_is_told_without_what_only_moves_the_game_on(page: Page, service: Service) -> None:
    events: list[Json] = [
        {"type": "seat-passed", "seat": 0, "final": True, "forced": False},
        {"type": "rows-discarded"},
        {"type": "turn-started", "seat": 1, "phase": "battle"},
    ]
    found = said(page, service, "zman-2018", [events, events[2:]])
    assert found == ["Anna passed.", "Waiting for Bruno: play a card or pass."]


def test_names_of_players_cannot_turn_a_sentence_around(page: Page, service: Service) -> None:
    event = {"type": "seat-taken", "seat": 0, "name": "\u202eannA"}
    found = said(page, service, "zman-2018", [[event]])
    assert found == ["\u2068\u202eannA\u2069 joined."]


def test_games_of_every_edition_are_told_without_gaps(page: Page, service: Service) -> None:
    player = Player(service)
    for summary in requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]:
        seats = min(3, summary["seats"]["most"])
        game = player.open(summary["key"], seats, seats - 1)["id"]
        play(player, game, 25)
        commits = player.ask("GET", f"/games/{game}/events")["commits"]
        for text in said(page, service, summary["key"], [commit["events"] for commit in commits]):
            assert text
            assert not re.search(r"does not know|undefined|null|NaN|\[object|mercenary-|-\w+-", text), text


def test_the_log_opens_where_the_last_move_of_the_player_is(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    game = player.open("zman-2018", 3, 2)["id"]
    mine, version = play_and_wait(player, game)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    log = page.get_by_role("log")
    since = log.get_by_text("Since your last move")
    since.wait_for()
    log.scroll_into_view_if_needed()
    expect(since).to_be_in_viewport()
    entries = log.get_by_role("listitem").all_inner_texts()
    line = entries.index("Since your last move")
    assert entries[line - 1].split()[0] == str(mine)
    assert mine < int(entries[-1].split()[0]) <= version


def test_all_details_are_shown_when_asked_for(new_context: Callable[..., BrowserContext], service: Service) -> None:
    player = Player(service)
    game = player.open("zman-2018", 3, 2)["id"]
    play(player, game, 3)
    page = new_context().new_page()
    page.goto(f"/game/{game}")
    log = page.get_by_role("log")
    expect(log.get_by_text("Cards were dealt").first).to_be_attached()
    expect(log.get_by_text("Waiting for")).to_have_count(0)
    page.get_by_label("All details").check()
    expect(log.get_by_text("Waiting for").first).to_be_attached()


def test_play_it_shows_each_step_and_returns_to_now(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    game = player.open("zman-2018", 4, 3)["id"]
    play_and_wait(player, game)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Play it").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+$"))
    expect(page.get_by_text("Press any key to stop.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/game/\w+$"), timeout=12_000)
    page.get_by_role("button", name="Play it").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+$"))
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile(r"/game/\w+$"), timeout=2_000)
