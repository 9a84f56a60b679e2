"""What comes late or not at all: scripts, answers and events that arrive when the player has already gone on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.whole.product import Service
from .conftest import Faults
from .holding import TWO_FRAMES, Held, advance_until
from .players import Json, Player
from .scenes import SEED, chosen, in_battle, is_finished, play_until

pytestmark = pytest.mark.browser

REPLAY, RESULT = re.compile(r"/replay\.js$"), re.compile(r"/result\.js$")
DRY_RUN = re.compile(r"/moves\?dry_run=true$")


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


@pytest.fixture
def game(player: Player) -> Json:
    """The view of a game against bots in which it is the player's turn in a battle."""
    found = player.open("zman-2018", 3, 2, bot="random", seed=SEED)
    return play_until(player, found["id"], in_battle)


def open_page(page: Page, game: Json) -> None:
    """Open a game, and wait until what comes later is there."""
    page.goto(f"/game/{game['id']}")
    expect(page.get_by_text(re.compile("^If you pass, "))).to_be_visible()
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()


def first_step(page: Page) -> None:
    """Click the number of a step in the log, which leads to its replay."""
    page.get_by_role("log").get_by_role("link", name=re.compile("^3$|step 3")).first.click()


def test_a_double_click_does_not_pass_before_the_dialog_is_there(page: Page, player: Player, game: Json) -> None:
    held = Held(page, re.compile(r"/passing\.js$"))
    posted: list[str] = []
    page.on("request", lambda request: request.method == "POST" and posted.append(request.url))
    page.goto(f"/game/{game['id']}")
    box = page.get_by_role("button", name="Pass", exact=True).bounding_box() or pytest.fail("there is no button")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_visible()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate(TWO_FRAMES)
    held.let_all_go()
    expect(page.get_by_role("dialog", name="Pass?")).to_be_visible()
    assert [address for address in posted if address.endswith("/moves")] == []
    assert player.ask("GET", f"/games/{game['id']}")["version"] == game["version"]


def test_a_replay_that_comes_late_closes_a_dialog(page: Page, game: Json) -> None:
    held = Held(page, REPLAY)
    open_page(page, game)
    first_step(page)
    held.wait()
    page.get_by_role("button", name="Pass", exact=True).click()
    dialog = page.get_by_role("dialog", name="Pass?")
    expect(dialog).to_be_visible()
    held.let_all_go()
    expect(page.get_by_text(re.compile("^Step 3 of "))).to_be_visible()
    expect(dialog).to_have_count(0)


def test_a_replay_that_comes_late_does_not_show_in_another_game(page: Page, player: Player, game: Json) -> None:
    other = player.open("zman-2018", 3, 2, bot="random", seed=SEED)
    play_until(player, other["id"], in_battle)
    held = Held(page, REPLAY)
    open_page(page, game)
    first_step(page)
    held.wait()
    page.get_by_role("link", name="Your games").click()
    page.locator(f"a[href='/game/{other['id']}']").first.click()
    expect(page.get_by_text(re.compile("^If you pass, "))).to_be_visible()
    with page.expect_response(REPLAY):
        held.let_all_go()
    expect(page.get_by_text(re.compile("^If you pass, "))).to_be_visible()
    expect(page).to_have_url(re.compile(f"/game/{other['id']}$"))


def test_a_replay_that_cannot_be_loaded_says_that_the_service_is_away(page: Page, game: Json, faults: Faults) -> None:
    faults.expects("net::ERR_FAILED")
    open_page(page, game)
    page.route(REPLAY, lambda route: route.abort())
    first_step(page)
    expect(page.get_by_role("alert").filter(has_text="The service does not answer")).to_be_visible()
    expect(page.get_by_text("This page failed")).to_have_count(0)


@pytest.mark.parametrize("script", [REPLAY, RESULT], ids=["replay", "result"])
def test_a_finished_game_is_shown_although_a_script_hangs(
    page: Page, player: Player, game: Json, script: re.Pattern[str]
) -> None:
    play_until(player, game["id"], is_finished)
    held = Held(page, script)
    page.clock.install()
    page.goto(f"/game/{game['id']}{'?at=3' if script is REPLAY else ''}", wait_until="commit")
    held.wait()
    seats = page.get_by_role("region", name="Seats").get_by_role("article")
    advance_until(page, lambda: seats.count() == 3)


def test_the_log_has_the_moves_that_were_made_before_the_stream_began(page: Page, player: Player, game: Json) -> None:
    held = Held(page, re.compile(r"/v1/me/events"))
    open_page(page, game)
    player.move(game, next(move for move in game["moves"] if move["type"] == "pass"))
    play_until(player, game["id"], lambda view: bool(view["moves"]) and view["version"] > game["version"])
    before = page.get_by_role("log").get_by_role("listitem").count()
    held.let_all_go()
    page.wait_for_function("count => document.querySelectorAll('[role=log] li').length > count", arg=before)


def test_a_late_refusal_does_not_stand_beside_another_choice(page: Page, player: Player) -> None:
    def chooses(view: Json) -> bool:
        owned = [region for seat in view["position"]["seats"] for region in seat["regions"]]
        return bool(owned) and any(move["type"] == "choose-region" for move in view["moves"])

    found = player.open("zman-2018", 3, 2, bot="random", seed="04" * 32)
    view = play_until(player, found["id"], chooses)
    owned = next(region for seat in view["position"]["seats"] for region in seat["regions"])
    free = next(move["region"] for move in view["moves"] if move["type"] == "choose-region")
    held = Held(page, DRY_RUN, "POST", lambda request: owned in (request.post_data or ""))
    page.goto(f"/game/{found['id']}")
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    page.locator(f"[data-region={owned}]").dispatch_event("click")
    held.wait()
    page.locator(f"[data-region={free}]").dispatch_event("click")
    confirm = page.get_by_role("button", name=re.compile("^Choose "))
    expect(confirm).to_be_visible()
    with page.expect_response(DRY_RUN):
        held.let_all_go()
    page.evaluate(TWO_FRAMES)
    expect(confirm).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="control marker")).to_have_count(0)


def test_asking_for_a_pause_is_not_the_last_move(page: Page, player: Player, service: Service) -> None:
    clock = {"kind": "per-move", "seconds": 86_400}
    found = player.ask(
        "POST", "/games", {"edition": "zman-2018", "seats": 3, "bots": [{"seat": 2, "bot": "random"}], "clock": clock}
    )
    other = Player(service, "Lodovico")
    other.ask("POST", f"/games/{found['id']}/join", {})

    def theirs(view: Json) -> bool:
        return not view["moves"]

    while True:
        view = player.ask("GET", f"/games/{found['id']}")
        if view["moves"] and view["position"]["seats"][0]["row"]:
            break
        play_until(player, found["id"], theirs)
        play_until(other, found["id"], theirs)
    page.goto(f"/game/{found['id']}")
    since = page.get_by_text("Since your last move")
    expect(since).to_be_visible()
    player.ask("POST", f"/games/{found['id']}/pause")
    expect(page.get_by_role("log").get_by_text("pause")).to_be_visible()
    expect(since).to_be_visible()


def test_what_passing_does_is_asked_again_if_the_service_was_away(page: Page, game: Json, faults: Faults) -> None:
    faults.expects("net::ERR_FAILED")
    asked: list[Route] = []

    def fail_once(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(DRY_RUN, fail_once)
    page.clock.install()
    page.goto(f"/game/{game['id']}")
    advance_until(page, page.get_by_text(re.compile("^If you pass, ")).is_visible)
    assert len(asked) > 1


def test_another_answer_has_another_key(page: Page, player: Player, faults: Faults) -> None:
    """The service may have stored the first one, whose response was lost."""
    faults.expects("503")

    def may_take(view: Json) -> bool:
        return len({move["take"] for move in view["moves"] if move.get("take")}) > 1

    found = player.open("zman-2018", 3, 2, bot="random", seed="07" * 32)
    play_until(player, found["id"], may_take)
    keys: list[str] = []

    def refuse(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        busy = {"title": "Too busy.", "status": 503, "code": "busy"}
        route.fulfill(status=503, headers={"Retry-After": "200"}, json=busy)

    page.route(re.compile(r"/moves$"), refuse)
    page.goto(f"/game/{found['id']}")
    page.get_by_role("toolbar").get_by_role("button", name=re.compile("^Scarecrow")).click()
    answers = page.get_by_role("group", name="Which card do you take back?").get_by_role("button")
    for answer in (answers.first, answers.last):
        answer.click()
        page.get_by_role("button", name=re.compile("^Play Scarecrow")).click()
        expect(page.get_by_role("alert").filter(has_text="Too busy.")).to_be_visible()
        page.get_by_role("button", name="Back", exact=True).click()
    assert len(set(keys)) > 1
    assert keys[0] != keys[-1]


def test_in_the_second_game_of_a_match_a_battle_has_ended(quiet_page: Page, module: Callable[[str], str]) -> None:
    has_ended = """async ([address, position]) => (await import(address)).hasEnded(position)"""
    first: Json = {"battle": 1, "phase": "choose-region", "match": {"game": 1}}
    second = first | {"match": {"game": 2}}
    found = [quiet_page.evaluate(has_ended, [module("battle.js"), position]) for position in (first, second)]
    assert found == [False, True]


def test_a_refused_move_is_not_forgotten_when_the_next_view_comes(page: Page, player: Player, service: Service) -> None:
    """Another player's agreement has paused the game while the move was under way."""
    clock = {"kind": "per-move", "seconds": 86_400}
    found = player.ask("POST", "/games", {"edition": "zman-2018-duel", "seats": 2, "clock": clock})
    other = Player(service, "Lodovico")
    view = other.ask("POST", f"/games/{found['id']}/join", {})
    if view["moves"]:
        other.move(view, chosen(view))
    page.goto(f"/game/{found['id']}")
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    page.get_by_role("toolbar").locator("[aria-disabled=false]").first.click()
    moves, views = Held(page, re.compile(r"/moves$"), "POST"), Held(page, re.compile(rf"/v1/games/{found['id']}$"))
    page.get_by_role("button", name=re.compile("^Play ")).click()
    moves.wait()
    for one in (player, other):
        one.ask("POST", f"/games/{found['id']}/pause")
    views.wait()
    with page.expect_response(re.compile(r"/moves$")):
        moves.let_all_go()
    views.let_all_go()
    expect(page.get_by_role("main").get_by_role("status").first).to_contain_text("paused")
    expect(page.get_by_role("alert").filter(has_text="paused")).to_be_visible()


def test_the_own_turn_is_announced_by_one_region(page: Page, game: Json) -> None:
    """The alert says it; the bar, which is a status, is read when one goes there."""
    page.goto(f"/game/{game['id']}")
    bar = page.get_by_role("main").get_by_role("status").first
    expect(bar).to_contain_text("Your turn")
    expect(bar).to_have_attribute("aria-live", "off")
