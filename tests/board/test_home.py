"""The start page: a newcomer's first game, and a player's inbox."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.servers import until
from ..service.whole.product import Service
from .clicking import Clicker
from .conftest import CODE, PHONE, REFUSE_TO_COPY, OpenPage
from .holding import SIGN_OUT, Held, advance_until
from .players import Json, Player, host
from .scenes import REGION_FIRST, play_until

pytestmark = pytest.mark.browser

HOUR = 3600
STORED = "JSON.parse(localStorage.getItem('condottiere.account'))"
COUNT_TAPS = "() => { window.taps = 0; addEventListener('click', () => window.taps++, true); }"
A_GAME = re.compile(r"/game/[0-9a-z]+$")


@pytest.fixture(scope="module")
def editions(service: Service) -> list[str]:
    """The keys of all editions, newest first."""
    return [edition["key"] for edition in requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]]


@pytest.fixture
def player(service: Service) -> Player:
    return Player(service)


@pytest.fixture
def inbox(new_context: Callable[..., BrowserContext], player: Player) -> Page:
    """A browser page in which the player is signed in."""
    context = new_context()
    player.sign_in(context)
    return context.new_page()


def per_move(hours: int) -> dict[str, Any]:
    return {"kind": "per-move", "seconds": hours * HOUR, "sleep_hours": False}


def id_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def test_a_newcomer_is_in_a_game_after_a_name_and_one_tap(new_page: OpenPage, service: Service) -> None:
    page = new_page(PHONE)
    page.goto("/")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(A_GAME)
    headers = {"Authorization": f"Bearer {page.evaluate(STORED)['token']}"}
    game = requests.get(f"{service.url}/v1/games/{id_of(page)}", headers=headers, timeout=30).json()
    assert (game["status"], game["you"], len(game["seated"])) == ("running", 0, 3)
    assert [seat["bot"] for seat in game["seated"]] == [None, "steady", "steady"]


def test_a_newcomer_makes_a_move_with_three_taps(new_page: OpenPage) -> None:
    """After entering a name, the newcomer presses "Play", then what to choose, then the button that names the move.

    With this seed, the newcomer begins by choosing a region. A Bishop, for example, would require a second choice.
    """

    def seeded(route: Route) -> None:
        asked = json.loads(route.request.post_data or "")
        route.continue_(post_data=json.dumps(asked | {"seed": REGION_FIRST}))

    page = new_page(PHONE)
    page.route(re.compile("/v1/games$"), seeded)
    page.goto("/")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    page.evaluate(COUNT_TAPS)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(A_GAME)
    clicker = Clicker(page, eagerness=1)
    assert clicker.awaited() == "choose a region"
    clicker.make_a_move("choose a region")
    assert page.evaluate("window.taps") == 3


def test_a_newcomer_chooses_how_many_bots_play_and_how_well(new_page: OpenPage, service: Service) -> None:
    bots = requests.get(f"{service.url}/v1/bots", timeout=30).json()["bots"]
    page = new_page(PHONE)
    page.goto("/")
    level = page.get_by_label("Level")
    expect(level.get_by_role("option")).to_have_text([bot["label"] for bot in bots])
    expect(level).to_have_value("steady")
    expect(page.get_by_role("region", name="What the game is about")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    for bot in bots:
        level.select_option(bot["key"])
        expect(page.get_by_text(bot["summary"])).to_be_visible()
    page.get_by_label("Opponents").select_option("3")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(A_GAME)
    game = requests.get(f"{service.url}/v1/games/{id_of(page)}", timeout=30).json()
    assert [seat["bot"] for seat in game["seated"]] == [None, *[bots[-1]["key"]] * 3]


def test_a_player_opens_a_game_against_bots_with_one_tap(inbox: Page, player: Player, editions: list[str]) -> None:
    """Against a single opponent, the game is a duel."""
    inbox.goto("/")
    against = inbox.get_by_role("region", name="Play against bots")
    against.get_by_label("Level").select_option("random")
    against.get_by_label("Opponents").select_option("1")
    against.get_by_role("button", name="Play", exact=True).click()
    inbox.wait_for_url(A_GAME)
    game = player.ask("GET", f"/games/{id_of(inbox)}")
    assert [seat["bot"] for seat in game["seated"]] == [None, "random"]
    assert game["edition"] in editions


def test_the_recovery_code_is_shown_until_it_is_kept(page: Page, service: Service) -> None:
    name = f"New-{secrets.token_hex(3)}"
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(A_GAME)
    page.goto("/")
    shown = page.get_by_role("region", name="Keep your recovery code")
    code = shown.locator("code").inner_text()
    page.reload()
    expect(shown.locator("code")).to_have_text(code)
    page.evaluate(REFUSE_TO_COPY)
    shown.get_by_role("button", name="Copy the code").click()
    expect(shown.get_by_role("status")).to_contain_text("Press Ctrl+C to copy it")
    assert page.evaluate("getSelection().toString()") == code
    shown.get_by_role("button", name="I have saved it").click()
    expect(shown).to_have_count(0)
    assert code not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    answer = requests.post(f"{service.url}/v1/recovery", json={"name": name, "code": code}, timeout=30)
    assert answer.ok


def test_a_name_that_is_taken_comes_with_another_one(page: Page, player: Player) -> None:
    page.goto("/")
    name = page.get_by_label("Your name")
    name.fill(player.name)
    page.get_by_role("button", name="Play", exact=True).click()
    error = page.locator("#naming-name-error")
    expect(error).to_contain_text(
        "Another player already has this name. Choose another name, or sign in if it is yours."
    )
    expect(error.get_by_role("link", name="Sign in")).to_be_visible()
    expect(error).not_to_contain_text("another player is already called")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    page.get_by_role("button", name=re.compile("^Use ")).click()
    expect(name).not_to_have_value(player.name)
    other = name.input_value()
    assert len(other) <= 20
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(A_GAME)
    assert page.evaluate(STORED)["name"] == other


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("", "Enter a name."),
        ("  ", "Enter a name."),
        ("no spaces", re.compile("Use 2 to 20 letters .*, starting with a letter or digit.")),
    ],
)
def test_a_name_that_is_not_allowed_is_explained_at_the_field(
    page: Page, name: str, text: str | re.Pattern[str]
) -> None:
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#naming-name-error")).to_have_text(text)
    expect(page.locator("#naming-name-help")).to_contain_text("starting with a letter or digit")
    page.get_by_label("Your name").fill("fine")
    expect(page.locator("#naming-name-error")).to_be_empty()


@pytest.fixture
def with_code(service: Service) -> Iterator[None]:
    """Players can register only with the operator's code."""
    ask = {"url": f"{service.url}/v1/players", "json": {"name": "Bianca", "code": "wrong"}, "timeout": 30}
    host(service, "registration", "code")
    until(lambda: "registration-code" in requests.post(**ask).text)
    yield
    host(service, "registration", "setting")
    until(lambda: "registration-code" not in requests.post(**ask).text)


@pytest.mark.usefixtures("with_code")
def test_the_form_asks_for_the_operators_code(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Your name").fill(f"New-{secrets.token_hex(3)}")
    expect(page.get_by_label("Registration code")).to_have_count(0)
    play = page.get_by_role("button", name="Play", exact=True)
    play.click()
    code = page.get_by_label("Registration code")
    expect(code).to_be_focused()
    code.fill("wrong")
    play.click()
    expect(page.locator("#naming-code-error")).to_contain_text("The registration code is wrong.")
    code.fill(CODE)
    play.click()
    page.wait_for_url(A_GAME)


def test_a_service_that_is_closed_says_so(page: Page) -> None:
    problem = {"type": "/problems/registration-closed", "title": "Registration is closed on this service."}
    problem |= {"status": 403, "detail": "Ask.", "code": "registration-closed", "request": "0"}
    page.route("**/v1/players", lambda route: route.fulfill(status=403, json=problem))
    page.goto("/")
    page.get_by_label("Your name").fill("Bianca")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#naming-name-error")).to_contain_text("Registration is closed")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_attribute("aria-disabled", "true")


def test_no_box_is_empty_before_a_game_is_found_or_when_there_is_none(page: Page) -> None:
    held: list[Route] = []
    page.route("**/v1/games?status=*", lambda route: held.append(route))
    page.goto("/")
    box = page.locator(".home-live")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(box).to_be_hidden()
    page.route("**/v1/games?status=*", lambda route: route.fulfill(json={"games": [], "next": None}))
    for route in held:
        route.fulfill(json={"games": [], "next": None})
    expect(page.get_by_role("region", name="Games of other players")).to_contain_text(
        "No game is being played right now."
    )
    end, last = (part.bounding_box() for part in (box, box.get_by_role("link", name="All open games")))
    assert end
    assert last
    assert end["y"] + end["height"] < last["y"] + last["height"] + 60


def test_a_spectator_sees_a_game_move_on(page: Page, player: Player, editions: list[str]) -> None:
    game = player.open(editions[0], 3, 2)
    while not (game := player.ask("GET", f"/games/{game['id']}"))["moves"]:
        player.ask("GET", f"/games/{game['id']}/events?after={game['version']}&wait=25")
    page.goto("/")
    shown = page.get_by_role("region", name="A game that is being played")
    expect(shown).to_contain_text(f"Waiting for {player.name}")
    expect(shown.get_by_role("link", name="Watch this game")).to_have_attribute("href", f"/game/{game['id']}")
    with page.expect_response(lambda answer: answer.url.endswith(f"/v1/games/{game['id']}")):
        player.move(game, game["moves"][0])
    expect(shown).to_be_visible()


def test_the_inbox_lists_turns_by_their_deadlines(inbox: Page, player: Player, editions: list[str]) -> None:
    later, soon, none = (
        player.open(editions[0], 3, 2, **settings)["id"]
        for settings in ({"clock": per_move(50)}, {"clock": per_move(5)}, {})
    )
    inbox.goto("/")
    turns = inbox.get_by_role("region", name="Your turn in 3 games")
    links = turns.get_by_role("link")
    expect(links).to_have_count(3)
    assert [links.nth(index).get_attribute("href") for index in range(3)] == [
        f"/game/{it}" for it in (soon, later, none)
    ]
    first = turns.get_by_role("listitem").first
    expect(first).to_contain_text("4 h left")
    expect(first).to_contain_text("Your turn:")
    expect(first).to_contain_text("You have seat 1, with 2 Steady bots")
    expect(first.get_by_role("paragraph").last).not_to_be_empty()
    expect(inbox).to_have_title("(3) Your games")
    inbox.get_by_role("link", name="Next turn").click()
    expect(inbox).to_have_url(re.compile(f"/game/{soon}$"))


def test_an_empty_inbox_shows_what_to_join(inbox: Page, service: Service, editions: list[str]) -> None:
    other = Player(service, "Owner")
    game = other.open(editions[3], 2, 0)["id"]
    inbox.goto("/")
    expect(inbox.get_by_text("It is not your turn in any game.")).to_be_visible()
    offered = inbox.get_by_role("region", name="Open games").get_by_role("link")
    expect(offered.first).to_have_attribute("href", f"/game/{game}")
    expect(inbox.get_by_role("main").get_by_role("link", name="New game")).to_be_visible()
    expect(inbox).to_have_title("Your games")


def test_a_turn_appears_and_leaves_without_reloading(inbox: Page, player: Player, editions: list[str]) -> None:
    inbox.goto("/")
    expect(inbox.get_by_text("It is not your turn in any game.")).to_be_visible()
    game = player.open(editions[0], 3, 2)["id"]
    expect(inbox.get_by_role("region", name="Your turn in 1 game")).to_be_visible()
    expect(inbox).to_have_title("(1) Your games")
    player.ask("POST", f"/games/{game}/resign", {})
    expect(inbox.get_by_role("region", name=re.compile("Your turn"))).to_have_count(0)
    expect(inbox).to_have_title("Your games")


def test_without_a_stream_the_inbox_looks_again(inbox: Page, player: Player, editions: list[str]) -> None:
    """It looks every minute, and when its tab is shown again."""
    stream = re.compile("/v1/me/events")
    inbox.route(stream, lambda route: route.fulfill(status=500, json={"status": 500, "code": "internal-error"}))
    inbox.clock.install()
    with inbox.expect_response(stream):
        inbox.goto("/")
    expect(inbox.get_by_text("It is not your turn in any game.")).to_be_visible()
    game = player.open(editions[0], 3, 2)["id"]
    play_until(player, game, lambda view: bool(view["moves"]))
    inbox.clock.fast_forward(60_000)
    expect(inbox.get_by_role("region", name="Your turn in 1 game")).to_be_visible()
    player.ask("POST", f"/games/{game}/resign", {})
    inbox.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(inbox.get_by_text("It is not your turn in any game.")).to_be_visible()


def five_running(page: Json) -> Json:
    """Return a page of running games that wait for a bot, two people and nobody, made from the page's only game."""
    [game] = page["games"]
    now = game["turn"]["since"]
    turns: dict[str, Json | None] = {
        "paused": None,
        "Steady": {"seat": 2, "deadline": None},
        "Zoe": {"seat": 0, "deadline": now + 1 * HOUR * 1000},
        "Anna": {"seat": 0, "deadline": now + 6 * HOUR * 1000},
        "Anna, sooner": {"seat": 0, "deadline": now + 3 * HOUR * 1000},
    }
    games = []
    for number, (name, turn) in enumerate(turns.items()):
        seated = [{**seat, "name": seat["name"] and name.partition(",")[0]} for seat in game["seated"]]
        games.append(
            {**game, "id": f"{game['id']}{number}", "seated": seated, "turn": turn and {**game["turn"], **turn}}
        )
    return {**page, "games": games}


def test_running_games_say_whom_they_wait_for(
    inbox: Page, player: Player, service: Service, editions: list[str]
) -> None:
    other = Player(service, "Waited")
    game = other.open(editions[0], 3, 1, clock=per_move(24))["id"]
    view = player.ask("POST", f"/games/{game}/join", {})
    while (turn := view["position"]["turn"]) != 0:
        mover = player if turn == 1 else other
        if turn == 1:
            mover.ask("POST", f"/games/{game}/moves", view["moves"][-1], **{"If-Match": f'"{view["version"]}"'})
        else:
            player.ask("GET", f"/games/{game}/events?after={view['version']}&wait=25")
        view = player.ask("GET", f"/games/{game}")
    inbox.goto("/")
    waiting = inbox.get_by_role("region", name="Waiting for others")
    expect(waiting).to_contain_text(f"Waiting for {other.name}")
    expect(waiting).to_contain_text("23 h left")
    inbox.route("**/v1/games?status=mine*", lambda route: route.fulfill(json=five_running(route.fetch().json())))
    inbox.reload()
    order = ("Waiting for Anna · 2 h", "Waiting for Anna · 5 h", "Waiting for Zoe", "Waiting for Steady", "Paused")
    shown = waiting.locator("li p").filter(has_text=re.compile("^(Waiting for|Paused)"))
    expect(shown).to_have_text([re.compile(f"^{text}") for text in order])


def test_games_that_ended_since_the_last_visit(inbox: Page, player: Player, editions: list[str]) -> None:
    """Bots of one kind have the numbers that they have at the table, also on the player's page."""
    game = player.open(editions[4], 3, 2)["id"]
    player.ask("POST", f"/games/{game}/resign", {})
    while player.ask("GET", f"/games/{game}")["status"] != "finished":
        version = player.ask("GET", f"/games/{game}")["version"]
        player.ask("GET", f"/games/{game}/events?after={version}&wait=25")
    winners = " and ".join(f"Steady {seat}" for seat in player.ask("GET", f"/games/{game}")["result"]["winners"])
    assert winners
    inbox.goto(f"/player/{player.account['id']}")
    expect(inbox.get_by_text(f"Won by {winners}.")).to_be_visible()
    inbox.goto("/")
    over = inbox.get_by_role("region", name="Finished since your last visit")
    expect(over.get_by_text(f"{winners} won", exact=True)).to_be_visible()
    expect(over.get_by_text("with 2 Steady bots")).to_be_visible()
    # A new visit begins half an hour after the previous one.
    inbox.evaluate(
        f"localStorage.setItem('condottiere.visit.{player.account['id']}',"
        " JSON.stringify({since: 0, seen: Date.now() + 60000}))"
    )
    inbox.clock.install()
    inbox.clock.fast_forward("02:00:00")
    inbox.reload()
    expect(inbox.get_by_text("It is not your turn in any game.")).to_be_visible()
    expect(inbox.get_by_role("region", name="Finished since your last visit")).to_have_count(0)


def test_every_screen_counts_the_turns_in_its_title(inbox: Page, player: Player, editions: list[str]) -> None:
    player.open(editions[0], 3, 2)
    inbox.clock.install()
    inbox.goto("/lobby")
    advance_until(inbox, lambda: inbox.title() == "(1) Lobby · Condottiere")
    player.open(editions[0], 3, 2)
    expect(inbox).to_have_title("(2) Lobby · Condottiere")


def test_turns_that_are_counted_late_are_not_shown_to_others(inbox: Page, player: Player, editions: list[str]) -> None:
    player.open(editions[0], 3, 2)
    held = Held(inbox, "**/v1/me/turns")
    inbox.clock.install()
    inbox.goto("/lobby")
    advance_until(inbox, lambda: held.holds_one)
    inbox.evaluate(SIGN_OUT)
    expect(inbox.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    held.let_go()
    expect(inbox).to_have_title("Lobby · Condottiere")


def test_a_notice_leads_back_to_a_seat_that_a_bot_has(inbox: Page, player: Player, service: Service) -> None:
    game = player.open("zman-2018-duel", 2, 0)["id"]
    Player(service, "Lodovico").ask("POST", f"/games/{game}/join", {})
    host(service, "games", "give-seat", game, "0", "--reason", "no longer there")
    inbox.goto("/")
    notices = inbox.get_by_role("list", name="Notices")
    expect(notices).to_contain_text("A bot is playing your seat.")
    notices.get_by_role("link", name="Go to the game to take it back").click()
    expect(inbox).to_have_url(re.compile(f"/game/{game}$"))
    inbox.get_by_role("button", name="Take my seat back").click()
    expect(inbox.get_by_text("Steady plays your seat.")).to_have_count(0)
    inbox.goto("/")
    expect(inbox.get_by_role("region", name=re.compile("Your turn|Waiting for others"))).to_be_visible()
    expect(notices).to_have_count(0)


def test_a_notice_says_that_a_webhook_was_disabled(inbox: Page) -> None:
    def answer(route: Route) -> None:
        body = route.fetch().json()
        body["notices"] = [{"type": "webhook-disabled", "webhook": "w1", "since": 0}]
        route.fulfill(json=body)

    inbox.route("**/v1/me", answer)
    inbox.goto("/")
    expect(inbox.get_by_role("list", name="Notices")).to_have_text("One of your webhooks was disabled.")


def test_what_others_wrote_is_text(inbox: Page, player: Player, service: Service) -> None:
    """Titles are isolated, so that neither they nor a character that changes the direction of text affects the rest.

    The service refuses titles with such characters, but the page does not rely on that.
    """
    text = "<img src=x onerror=\"document.title='broken'\"> \u202eabc"
    other = Player(service, "Lodovico")
    invited = other.open("zman-2018", 3, 0, private=True)["id"]
    other.ask("POST", f"/games/{invited}/invitations", {"player": player.name})
    own = player.open("zman-2018", 3, 0, title="Own")["id"]
    unread = [{"game": own, "unread": {"seats": 0, "spectators": 0, "table": 1}}]

    def answer(route: Route) -> None:
        body = route.fetch().json()
        if "notices" in body:
            body["notices"] = [{"type": "announcement", "announcement": "a1", "text": text, "until": None}]
        for listed in (*body.get("games", ()), *body.get("invitations", ())):
            listed["title"] = text
        route.fulfill(body=json.dumps(body), content_type="application/json")

    inbox.route(re.compile(r"/v1/(me|games\?.*|me/invitations)$"), answer)
    inbox.route("**/v1/me/talk", lambda route: route.fulfill(json={**route.fetch().json(), "games": unread}))
    inbox.goto("/")
    expect(inbox.get_by_role("list", name="Notices")).to_contain_text("<img src=x onerror=")
    for name in ("Invitations", "Messages to you", "Not started"):
        expect(inbox.get_by_role("region", name=name, exact=True).locator("bdi")).to_have_text(text)
    expect(inbox.locator("main img")).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/lobby", "/new", "/signin"])
def test_the_bar_has_one_row_and_nothing_scrolls_sideways(
    new_context: Callable[..., BrowserContext], service: Service, path: str
) -> None:
    context = new_context((320, 640))
    Player(service, "A-name-as-can").sign_in(context)
    page = context.new_page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    bar = page.locator("header.bar").bounding_box()
    assert bar is not None
    assert bar["height"] < 60
