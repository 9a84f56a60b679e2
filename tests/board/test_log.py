"""The log: the API's sentences filled in with names, the place of your last move, and what has happened since."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from engine import NEWEST

from ..games.files import FOLDER, named
from ..service.whole.product import Service
from .clicking import Clicker
from .conftest import DESKTOP, PHONE
from .holding import advance_until
from .players import Player
from .scenes import SEED, in_battle, play_until, reach

pytestmark = pytest.mark.browser

Json = dict[str, Any]

OPENAPI = Path(__file__).parents[2] / "openapi" / "openapi.json"
HOUR = 3_600_000
SENTENCES: tuple[tuple[str, Json, str], ...] = (
    ("table-opened", {"owner_name": "Dora", "seats": 3}, "Dora opens the game."),
    ("table-opened", {"owner_name": None, "seats": 3}, "The game is open."),
    ("seat-taken", {"seat": 0, "name": "{seat}"}, "{seat} takes a seat."),
    ("game-cancelled", {"by": "host", "reason": ""}, "The host cancels the game."),
    ("clock-stopped", {"seat": 1, "used": 26 * HOUR, "bank": 0}, "Bruno has used 1 d 2 h."),
    ("seat-reminded", {"seat": 1, "left": 20}, "Bruno has 20% of the time left."),
    ("marker-taken", {"seat": 1, "reason": "courtesans"}, "Bruno has the battle marker, for the most Spy cards."),
    ("marker-taken", {"seat": 1, "reason": "of-tomorrow"}, "Bruno has the battle marker."),
    ("hands-dealt", {"hands": [{"count": 9}, {"count": 10}]}, "Cards are dealt: Anna (9), Bruno (10)."),
    ("cards-drawn", {"seat": 1, "cards": {"count": 1}, "number": 1}, "Bruno draws 1 card."),
    ("cards-drawn", {"seat": 1, "cards": {"count": 0}, "number": 0}, "Bruno draws no cards."),
    (
        "hand-discarded",
        {"seat": 1, "cards": {"count": 3, "cards": ["courtesan", "courtesan", "winter"]}, "forced": False},
        "Bruno discards 3 cards (2 × Spy and Winter).",
    ),
    ("card-played", {"seat": 1, "card": "mercenary-10", "place": "row"}, "Bruno lays Mercenary 10."),
    (
        "card-played",
        {"seat": 1, "card": "scarecrow", "place": "row", "take": "winter", "take_from": 1},
        "Bruno lays Scarecrow and takes back Winter.",
    ),
    ("card-laid-face-down", {"seat": 1}, "Bruno lays a card face down."),
    ("favor-moved", {"region": "roma"}, "The favor marker moves to Roma."),
    (
        "battle-ended",
        {"region": "roma", "cause": "passes", "strengths": [3, 21, 0], "leaders": [1], "winner": 1},
        "Bruno wins the battle for Roma: Anna (3), Bruno (21), Carla (0).",
    ),
    ("round-stalled", {"battles": 4}, "Nobody has laid a card in 4 battles in a row, which ends the round."),
    (
        "final-battle-started",
        {"fighters": [0, 1, 2], "reason": "declined"},
        "A final battle starts between Anna, Bruno and Carla, after a tie: every seat chose no region.",
    ),
    ("game-ended", {"winners": [1], "reasons": ["total-regions"]}, "Bruno wins the game: enough regions."),
    ("game-ended", {"winners": [], "reasons": ["of-tomorrow"]}, "The game ends in a draw: of-tomorrow."),
    (
        "match-ended",
        {"winners": [0, 1], "reasons": ["points"]},
        "Anna and Bruno win the match together: enough points.",
    ),
    ("of-tomorrow", {}, "Something happened that this page does not know: of-tomorrow."),
)
TIMED = ("clock-started", "deadline-moved")
"""Types of event whose sentences contain a time of day."""
SAID = """async ([base, edition, commits]) => {
  const { historyOf, sentence } = await import(base + "/log.js");
  const name = (seat) => ["Anna", "Bruno", "Carla", "Dino", "Elena", "Fosco"][seat];
  const get = async (path) => path.includes("/sentences") ? (await fetch(path)).json() : { commits: [] };
  const host = { id: "game", newest: 1, app: { api: { get } }, edition, name, view: { seated: [] }, changed() {} };
  if (sentence({ seq: 1, events: commits[0] }, host)) throw new Error("the sentences are not loaded");
  await historyOf(host).ready;
  return commits.map((events, number) => sentence({ seq: number + 1, events }, host));
}"""


def said(page: Page, service: Service, edition: str, commits: list[list[Json]]) -> list[str]:
    """Return the sentences for commits, each of which is a list of events."""
    base = page.locator("script[type=module]").get_attribute("src")
    assert base is not None
    rules = requests.get(f"{service.url}/v1/editions/{edition}", timeout=30).json()
    found: list[str] = page.evaluate(SAID, [base.rpartition("/")[0], rules, commits])
    return found


def play(player: Player, game: str, moves: int, seed: int = 1) -> Json:
    """Make random moves until it is the player's turn again, and return the game as it is then."""
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
    """Play until others have moved after the player's last move; return that move's version and the current one."""
    for seed in range(100):
        view = play(player, game, 1 if seed else 5, seed)
        commits = player.ask("GET", f"/games/{game}/events")["commits"]
        mine = max(commit["seq"] for commit in commits if commit["by"] == player.account["id"])
        if mine < view["version"] - 1:
            return mine, view["version"]
    raise AssertionError(game)


def test_events_are_told_in_the_words_of_the_api(quiet_page: Page, service: Service) -> None:
    events = [{"type": kind, **members} for kind, members, _ in SENTENCES]
    found = said(quiet_page, service, "zman-2018", [[event] for event in events])
    assert found == [text for _, _, text in SENTENCES]


def test_every_type_of_event_has_a_sentence(service: Service) -> None:
    catalogue = requests.get(f"{service.url}/v1/editions/ffg-2007/sentences", timeout=30).json()
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]
    known = {
        schemas[event["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"][0]
        for event in schemas["Event"]["oneOf"]
    }
    assert known == {sentence["event"] for sentence in catalogue["sentences"]}


def test_a_deadline_is_told_with_its_time(quiet_page: Page, service: Service) -> None:
    members = {"seat": 1, "deadline": 1_800_000_000_000, "reason": "vacation", "used": 0}
    found = said(quiet_page, service, "zman-2018", [[{"type": kind, **members}] for kind in TIMED])
    assert all(re.match(r"Bruno has time until Jan 1\d, \d\d:\d\d.[AP]M", text) for text in found)
    assert found[1].endswith(", because of a vacation.")


def test_a_commit_is_told_without_what_only_moves_the_game_on(quiet_page: Page, service: Service) -> None:
    events: list[Json] = [
        {"type": "seat-passed", "seat": 0, "final": True, "forced": False},
        {"type": "rows-discarded"},
        {"type": "turn-started", "seat": 1, "phase": "battle"},
    ]
    found = said(quiet_page, service, "zman-2018", [events, events[2:]])
    assert found == ["Anna passes.", "Bruno must lay a card or pass."]


def test_names_of_players_cannot_turn_a_sentence_around(quiet_page: Page, service: Service) -> None:
    event = {"type": "seat-taken", "seat": 0, "name": "\u202eannA"}
    found = said(quiet_page, service, "zman-2018", [[event]])
    assert found == ["\u2068\u202eannA\u2069 takes a seat."]


def test_games_of_every_edition_are_told_without_gaps(quiet_page: Page, service: Service) -> None:
    """The sentences come from one recorded game for each way in which a game of an edition ends."""
    for key, edition in NEWEST.items():
        seats = min(3, edition.most_seats)
        recorded = sorted((FOLDER / named(edition)).glob(f"end-{seats}-*.jsonl"))
        assert recorded
        commits = [json.loads(line) for path in recorded for line in path.read_text().splitlines()[1:-1]]
        for text in said(quiet_page, service, key, commits):
            assert text
            assert not re.search(r"does not know|[{}]|undefined|null|NaN|\[object|mercenary-|-\w+-", text), text


def test_bots_of_one_kind_are_seated_with_their_numbers(page: Page, service: Service) -> None:
    game = Player(service).open("zman-2018", 3, 2)["id"]
    page.goto(f"/game/{game}")
    log = page.get_by_role("log")
    for name in ("Steady 1", "Steady 2"):
        expect(log.get_by_text(f"{name}, a bot, has a seat.", exact=True)).to_have_count(1)


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
    expect(since).to_be_in_viewport()
    entries = log.get_by_role("listitem").all_inner_texts()
    line = entries.index("Since your last move")
    assert entries[line - 1].split()[0] == str(mine)
    assert mine < int(entries[-1].split()[0]) <= version


def test_the_log_follows_the_game_from_the_next_move_on(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """The log follows the game although it opens at the last move and although the area above it grows and shrinks.

    In a low window, rows of many cards leave no room for its heading.
    """
    player = Player(service)
    game = player.open("zman-2018", 3, 2)["id"]
    play_and_wait(player, game)
    context = new_context((1280, 1000))
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    log = page.get_by_role("log")
    log.get_by_text("Since your last move").wait_for()
    for seed in range(12):
        view = play(player, game, 1, seed)
        if view["status"] != "running":
            break
        page.locator(f"[data-version='{view['version']}']").wait_for()
        expect(log.get_by_role("listitem").last).to_be_in_viewport()


APPEARING = """() => {
    window.appeared = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        if (this.matches("li")) appeared.push(performance.now() + options.delay);
        return animate.call(this, frames, options);
    };
}"""
"""Records when each move of others appears over the rows."""
AFTER = """version => {
    const game = document.querySelector("[data-version]");
    return game.dataset.version > version && document.querySelector(".table-bar").dataset.mine === "true";
}"""
"""Returns whether it is the player's turn again after a version."""


ROOM_FOR_ONE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".log-moves ol { width: 6rem; }");
    document.adoptedStyleSheets.push(sheet);
}"""
KEPT_WHOLE = """moves => {
    const list = moves[0].parentElement;
    list.style.width = `${moves.at(-1).getBoundingClientRect().width}px`;
    const { bottom, left, right } = list.getBoundingClientRect();
    return [moves[0], moves.at(-1)].map((move) => {
        const box = move.getBoundingClientRect();
        if (box.top >= bottom) return false;
        if (box.bottom <= bottom && box.left >= left && box.right <= right) return true;
        throw new Error("A move is cut off.");
    });
}"""
"""Makes the line as wide as the newest move; returns whether the first and the newest one are in it."""


def short(event: Json) -> str:
    """Return what the line over the rows says of an event; an empty string if it says nothing."""
    if event["type"] == "card-played":
        return f"{event['seat']} {event['card'].removeprefix('mercenary-')}"
    return f"{event['seat']} passed" if event["type"] == "seat-passed" else ""


def moves_over_the_rows(
    new_context: Callable[..., BrowserContext], service: Service
) -> tuple[Player, str, Page, Locator]:
    """Open a game in a battle. Return its player, its id, its page, which records `appeared`, and others' moves."""
    player = Player(service)
    game = str(player.open("zman-2018", 4, 3, seed=SEED)["id"])
    play_until(player, game, in_battle)
    context = new_context(reduced_motion="no-preference")
    context.add_init_script(f"({APPEARING})()")
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    shown = page.get_by_role("region", name="Seats").get_by_text("Since your move:").locator("xpath=../ol/li")
    expect(shown.first).to_be_visible()
    return player, game, page, shown


def test_the_moves_of_others_appear_one_after_the_other_over_the_rows(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player, game, page, shown = moves_over_the_rows(new_context, service)
    clicker = Clicker(page)
    assert page.evaluate("appeared") == [], "what is older than the page is shown at once"
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=motion)
        before = player.ask("GET", f"/games/{game}")["version"]
        clicker.hand.locator("[aria-disabled=false][data-card^=mercenary]").first.click()
        clicker.confirm(re.compile("^Play "))
        page.wait_for_function(AFTER, arg=before)
        commits = player.ask("GET", f"/games/{game}/events?after={before + 1}")["commits"]
        told = [line for commit in commits for event in commit["events"] if (line := short(event))]
        expect(shown).to_have_count(len(told))
        seats = shown.locator(".chip").evaluate_all("chips => chips.map(chip => chip.dataset.seat)")
        texts = shown.locator("b").all_inner_texts()
        assert [f"{seat} {text.lower()}" for seat, text in zip(seats, texts, strict=True)] == told
        assert len(told) > 1
        starts = page.evaluate("appeared")
        assert len(starts) == (len(told) if motion == "no-preference" else 0)
        # Half a second from one to the next, less what the page needs to ask for the animation.
        assert all(later - earlier > 400 for earlier, later in pairwise(starts))
        page.evaluate("appeared.length = 0")
    first, last = shown.evaluate_all(KEPT_WHOLE)
    assert not first
    assert last


def test_moves_for_which_there_is_no_room_delay_none_that_are_shown(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player, game, page, shown = moves_over_the_rows(new_context, service)
    page.evaluate(ROOM_FOR_ONE)
    before = player.ask("GET", f"/games/{game}")["version"]
    # The page gets all moves of the others at once.
    late: list[Route] = []
    page.route(f"**/v1/games/{game}", lambda route: late.append(route))
    assert play(player, game, 1)["version"] > before + 2
    page.unroute(f"**/v1/games/{game}")
    for route in late:
        route.continue_()
    page.wait_for_function(AFTER, arg=before)
    commits = player.ask("GET", f"/games/{game}/events?after={before + 1}")["commits"]
    told = [line for commit in commits for event in commit["events"] if (line := short(event))]
    assert len(told) > 1
    expect(shown).to_have_count(len(told))
    assert len(page.evaluate("appeared")) == 1


def discards_since(player: Player, game: str) -> list[Json]:
    """Return the events in which seats discarded their hands of their own will after the player's last move."""
    commits = player.ask("GET", f"/games/{game}/events")["commits"]
    mine = max((commit["seq"] for commit in commits if commit["by"] == player.account["id"]), default=0)
    events = [event for commit in commits if commit["seq"] > mine for event in commit["events"]]
    if any(event["type"] in {"battle-ended", "region-chosen", "card-played"} for event in events):
        return []
    return [event for event in events if event["type"] == "hand-discarded" and not event["forced"]]


def test_hands_that_others_discard_are_told_over_the_rows(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    view = reach(player, "zman-2018", 4, "16", lambda view: bool(view["moves"] and discards_since(player, view["id"])))
    [discard] = discards_since(player, view["id"])
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{view['id']}")
    moves = page.get_by_role("region", name="Seats").get_by_text("Since your move:").locator("xpath=../ol/li")
    expect(moves).to_have_count(1)
    count = discard["cards"]["count"]
    expect(moves).to_contain_text(f"Random {discard['seat']}: discarded {count} card{'' if count == 1 else 's'}")


IS_ON_TOP = """element => {
    const { height, left, top } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 9, top + height / 2));
}"""


@pytest.mark.parametrize(
    ("heading", "role", "name"), [("Talk", "textbox", "Message"), ("Options and more", "button", "Resign")]
)
def test_a_part_that_is_opened_over_the_log_stays_in_sight(
    new_context: Callable[..., BrowserContext], service: Service, heading: str, role: Any, name: str
) -> None:
    player = Player(service)
    game = player.open("zman-2018", 4, 3)["id"]
    play_and_wait(player, game)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    page.get_by_role("log").get_by_text("Since your last move").wait_for()
    lines = page.get_by_role("log")
    before = lines.evaluate("log => log.scrollTop")
    page.locator("summary").get_by_text(heading).click()
    shown = page.get_by_role(role, name=name)
    expect(shown).to_be_in_viewport(ratio=1)
    page.locator("summary").get_by_text(heading).click()
    expect(shown).to_be_hidden()
    assert lines.evaluate("log => log.scrollTop") == before > 0
    # On a phone, the hand is fixed to the bottom of the window.
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.evaluate("scrollTo(0, 0)")
    page.locator("summary").get_by_text(heading).press("Enter")
    page.wait_for_function(IS_ON_TOP, arg=shown.element_handle())
    # Closed and opened again before the page is drawn.
    page.evaluate("scrollTo(0, 0)")
    page.locator("summary").get_by_text(heading).evaluate("summary => (summary.click(), summary.click())")
    page.wait_for_function(IS_ON_TOP, arg=shown.element_handle())
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(shown).to_be_in_viewport()
    view = play(player, game, 1, 1)
    page.locator(f"[data-version='{view['version']}']").wait_for()
    expect(shown).to_be_in_viewport()
    page.locator("summary").get_by_text(heading).click()
    expect(page.get_by_role("log").get_by_role("listitem").last).to_be_in_viewport()


def test_all_details_are_shown_when_asked_for(new_context: Callable[..., BrowserContext], service: Service) -> None:
    player = Player(service)
    game = player.open("zman-2018", 3, 2)["id"]
    play(player, game, 3)
    page = new_context().new_page()
    page.goto(f"/game/{game}")
    log = page.get_by_role("log")
    expect(log.get_by_text("Cards are dealt").first).to_be_attached()
    expect(log.get_by_text("must lay a card or pass")).to_have_count(0)
    page.get_by_label("All details").check()
    expect(log.get_by_text("must lay a card or pass").first).to_be_attached()


def test_play_it_shows_each_step_and_returns_to_now(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    game = player.open("zman-2018", 4, 3)["id"]
    play_and_wait(player, game)
    # In a low window, rows of many cards leave no room for the heading of the log and its button.
    context = new_context((1280, 1000))
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Show what happened").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+$"))
    expect(page.get_by_text("Press any key to stop.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/game/\w+$"))
    page.get_by_role("button", name="Show what happened").click()
    expect(page).to_have_url(re.compile(r"\?at=\d+$"))
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile(r"/game/\w+$"), timeout=2_000)
    page.get_by_role("button", name="Show what happened").click()
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"/game/\w+$"), timeout=2_000)


def test_a_tap_stops_what_is_played_on_a_phone(new_context: Callable[..., BrowserContext], service: Service) -> None:
    """The seats are in view, even if the page was scrolled to the log."""
    player = Player(service)
    game = player.open("zman-2018", 4, 3)["id"]
    play_and_wait(player, game)
    context = new_context(PHONE, has_touch=True, is_mobile=True)
    player.sign_in(context)
    page = context.new_page()
    page.goto(f"/game/{game}")
    button = page.get_by_role("button", name="Show what happened")
    expect(button).to_be_visible()
    button.focus()
    page.get_by_role("log").evaluate("log => log.scrollIntoView()")
    page.keyboard.press("Enter")
    stop = page.get_by_text("Tap to stop.")
    expect(stop).to_be_in_viewport()
    expect(page.get_by_role("group", name="Map", exact=True).or_(page.get_by_role("article").first)).to_be_in_viewport()
    stop.tap()
    expect(page).to_have_url(re.compile(r"/game/\w+$"), timeout=2_000)


STEPS = """() => {
    window.steps = [];
    const replace = history.replaceState.bind(history);
    history.replaceState = (data, title, address) => {
        steps.push([performance.now(), String(address)]);
        replace(data, title, address);
    };
}"""
"""Records the time at which each step is shown, by the clock of the page."""


def test_many_steps_are_shown_in_eight_seconds(new_context: Callable[..., BrowserContext], service: Service) -> None:
    player = Player(service)
    view = player.open("zman-2018", 6, 5, seed=SEED)
    mine = view["version"]
    while (view := play_until(player, view["id"], lambda view: bool(view["moves"])))["version"] < mine + 9:
        passes = [move for move in view["moves"] if move["type"] == "pass"]
        mine = player.move(view, (passes or view["moves"])[0])["version"]
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.clock.install()
    page.goto(f"/game/{view['id']}")
    page.evaluate(STEPS)
    page.get_by_role("button", name="Show what happened").click()
    advance_until(page, lambda: page.evaluate("steps.length > 1 && !steps.at(-1)[1].includes('at=')"), step=40)
    steps = page.evaluate("steps")
    assert len(steps) > 8
    assert steps[-1][0] - steps[0][0] <= 8_500


def test_every_reason_why_a_game_ends_has_its_words(quiet_page: Page, module: Callable[[str], str]) -> None:
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]
    reasons = "name => import(name).then(({ t }) => Object.keys(t.result.reasons))"
    assert {*quiet_page.evaluate(reasons, module("texts.screens.js"))} == {*schemas["EndReason"]["x-extensible-enum"]}
