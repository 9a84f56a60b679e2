"""News: one stream for all tabs, a page that recovers from an outage, and a sign-out that affects all tabs."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from ..service.whole.product import Service, descendants
from .conftest import DESKTOP, PHONE, Faults
from .players import Json, Player
from .scenes import chosen

pytestmark = pytest.mark.browser

OF_PLAYER = "/v1/me/events/stream"
ON_TOP = """element => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Returns whether nothing covers an element."""


def test_seven_tabs_read_one_stream_and_all_see_a_move(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)
    bruno.ask("POST", f"/games/{game['id']}/join", {})
    context = new_context()
    anna.sign_in(context)
    streams: list[Request] = []
    context.on("request", lambda request: streams.append(request) if OF_PLAYER in request.url else None)
    pages = [context.new_page() for _ in range(7)]
    with context.expect_event("request", lambda request: OF_PLAYER in request.url):
        for page in pages:
            page.goto(f"/game/{game['id']}")
    for page in pages:
        expect(page.locator("[data-version]")).to_be_attached()
    view = next(view for view in (one.ask("GET", f"/games/{game['id']}") for one in (anna, bruno)) if view["moves"])
    mover = anna if view["you"] == 0 else bruno
    after = mover.move(view, chosen(view))["version"]
    for page in pages:
        expect(page.locator(f'[data-version="{after}"]')).to_be_attached()
    assert len(streams) == 1


def test_another_tab_reads_on_when_the_one_that_reads_is_closed(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)["id"]
    context = new_context()
    anna.sign_in(context)
    pages = [context.new_page() for _ in range(2)]
    with context.expect_event("request", lambda request: OF_PLAYER in request.url) as first:
        for page in pages:
            page.goto(f"/game/{game}")
    for page in pages:
        expect(page.locator("[data-version]")).to_be_attached()
    reader = first.value.frame.page
    (other,) = (page for page in pages if page != reader)
    with other.expect_response(lambda answer: OF_PLAYER in answer.url):
        reader.close()
    after = bruno.ask("POST", f"/games/{game}/join", {})["version"]
    expect(other.locator(f'[data-version="{after}"]')).to_be_attached()
    expect(other.get_by_text("Connection lost")).to_have_count(0)


def test_without_locks_each_tab_reads_a_stream_of_its_own(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    """Browsers have no locks at an `http` address of another machine."""
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)
    context = new_context()
    context.add_init_script("delete Navigator.prototype.locks")
    anna.sign_in(context)
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        with page.expect_request(lambda request: OF_PLAYER in request.url):
            page.goto(f"/game/{game['id']}")
    after = bruno.ask("POST", f"/games/{game['id']}/join", {})["version"]
    for page in pages:
        expect(page.locator(f'[data-version="{after}"]')).to_be_attached()


HIDE = """state => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Makes a page believe that its tab is hidden, or visible."""


@pytest.mark.parametrize("on_start_page", [True, False], ids=["start page", "game"])
def test_the_tab_of_a_spectator_reads_a_game_only_while_it_is_visible(
    new_context: Callable[..., BrowserContext], service: Service, on_start_page: bool
) -> None:
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)["id"]
    bruno.ask("POST", f"/games/{game}/join", {})
    page = new_context().new_page()
    stream = f"/v1/games/{game}/events/stream"
    if on_start_page:
        page.route("**/v1/games?*", lambda route: route.fulfill(json=anna.ask("GET", "/games?status=mine&limit=1")))
    with page.expect_request(lambda request: stream in request.url):
        page.goto("/" if on_start_page else f"/game/{game}")
    with page.expect_event("requestfailed", lambda request: stream in request.url):
        page.evaluate(HIDE, "hidden")
    view = next(view for view in (one.ask("GET", f"/games/{game}") for one in (anna, bruno)) if view["moves"])
    (anna if view["you"] == 0 else bruno).move(view, chosen(view))
    with page.expect_request(lambda request: stream in request.url):
        page.evaluate(HIDE, "visible")
    if on_start_page:
        expect(page.get_by_text(f"Waiting for {(bruno if view['you'] == 0 else anna).name}")).to_be_visible()
    else:
        expect(page.locator(f'[data-version="{view["version"] + 1}"]')).to_be_attached()


@pytest.mark.parametrize("ending", [{"body": "\n"}, {"status": 500, "json": {"code": "internal-error", "status": 500}}])
def test_a_spectator_reads_on_after_a_stream_has_ended(
    new_context: Callable[..., BrowserContext], service: Service, ending: Json
) -> None:
    """The service ends its streams when it stops; only the end of a game ends its stream for good."""
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)["id"]
    bruno.ask("POST", f"/games/{game}/join", {})
    page = new_context().new_page()
    stream = f"/v1/games/{game}/events/stream"
    page.route(f"**{stream}*", lambda route: route.fulfill(**ending), times=1)
    with page.expect_response(lambda answer: stream in answer.url and answer.headers.get("server") is not None):
        page.goto(f"/game/{game}")
    view = next(view for view in (one.ask("GET", f"/games/{game}") for one in (anna, bruno)) if view["moves"])
    after = (anna if view["you"] == 0 else bruno).move(view, chosen(view))["version"]
    expect(page.locator(f'[data-version="{after}"]')).to_be_attached()
    with page.expect_response(lambda answer: stream in answer.url and answer.status == 204):
        anna.ask("POST", f"/games/{game}/resign", {})


@pytest.fixture
def duel(service: Service, new_context: Callable[..., BrowserContext]) -> tuple[Player, Json, Page]:
    """A player in a duel, the game as it is on the player's turn in a battle, and a page with a fake clock."""
    players = [Player(service, "Anna"), Player(service, "Bruno")]
    game = players[0].open("zman-2018-duel", 2, 0)["id"]
    players[1].ask("POST", f"/games/{game}/join", {})
    while not (view := players[0].ask("GET", f"/games/{game}"))["moves"]:
        other = players[1].ask("GET", f"/games/{game}")
        players[1].move(other, chosen(other))
    context = new_context()
    players[0].sign_in(context)
    page = context.new_page()
    page.clock.install()
    with page.expect_response(lambda answer: OF_PLAYER in answer.url):
        page.goto(f"/game/{game}")
    expect(page.get_by_role("log")).to_be_attached()
    return players[0], view, page


def test_a_stream_that_is_silent_for_40_seconds_is_opened_again(duel: tuple[Player, Json, Page]) -> None:
    _, _, page = duel
    page.clock.fast_forward(39_000)
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    with page.expect_request(lambda request: OF_PLAYER in request.url):
        page.clock.fast_forward(2_000)
        expect(page.get_by_text("Connection lost")).to_be_visible()
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_a_tab_that_was_hidden_for_five_minutes_connects_again(duel: tuple[Player, Json, Page]) -> None:
    """A browser may have suspended the tab. A tab that was hidden for a shorter time keeps its stream."""
    _, _, page = duel
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if OF_PLAYER in request.url else None)
    page.evaluate(HIDE, "hidden")
    page.clock.run_for(20_000)
    page.evaluate(HIDE, "visible")
    page.evaluate(HIDE, "hidden")
    page.evaluate("offset => { const now = Date.now; Date.now = () => now() + offset; }", 300_000)
    assert streams == []
    with page.expect_request(lambda request: OF_PLAYER in request.url):
        page.evaluate(HIDE, "visible")
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_without_a_connection_a_move_is_refused_and_the_choice_stays(
    duel: tuple[Player, Json, Page], faults: Faults
) -> None:
    """When the connection is back, the same button makes the move. The notice is in the bar at any scroll position."""
    faults.expects("net::ERR_")
    player, view, page = duel
    page.context.set_offline(True)
    at = page.evaluate("new Date().toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' })")
    lost = page.get_by_text(f"Connection lost. You see the state of {at}.")
    expect(lost).to_be_visible()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("() => scrollY > 100")
    for shown in (lost, page.get_by_role("status").filter(has_text="Your turn")):
        expect(shown).to_be_in_viewport(ratio=1)
        assert shown.evaluate(ON_TOP)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    card = page.get_by_role("toolbar").locator("[aria-disabled=false]").first
    card.click()
    page.get_by_role("button", name=re.compile("^Play ")).click()
    refusal = page.get_by_role("alert").get_by_text("The service does not answer.")
    expect(refusal).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "true")
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).to_have_count(0, timeout=60_000)
    expect(refusal).to_have_count(0)
    expect(card).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile("^Play ")).click()
    expect(page.locator(f'[data-version="{view["version"] + 1}"]')).to_be_attached()
    assert player.ask("GET", f"/games/{view['id']}")["version"] == view["version"] + 1


@contextmanager
def outage(service: Service) -> Iterator[None]:
    """Kill the web process and keep it down until the end of the block; then wait until its successor is up."""
    web = service.pid_of("web")
    os.kill(service.pid, signal.SIGSTOP)
    for pid in [*descendants(web), web]:
        os.kill(pid, signal.SIGKILL)
    try:
        yield
    finally:
        os.kill(service.pid, signal.SIGCONT)
        service.wait_until_up()


def test_the_page_heals_after_an_outage(
    new_context: Callable[..., BrowserContext], service: Service, faults: Faults
) -> None:
    """The page keeps its content, each tab says that its content is old, and then shows what has happened since."""
    faults.expects("net::ERR_")
    anna, bruno = Player(service, "Anna"), Player(service, "Bruno")
    game = anna.open("zman-2018-duel", 2, 0)["id"]
    bruno.ask("POST", f"/games/{game}/join", {})
    context = new_context()
    anna.sign_in(context)
    page, other = context.new_page(), context.new_page()
    for each in (page, other):
        each.goto(f"/game/{game}")
        expect(each.locator("[data-version]")).to_be_attached()
    with outage(service):
        for each in (page, other):
            expect(each.get_by_text("Connection lost")).to_be_visible()
            expect(each.locator("[data-version]")).to_be_attached()
    view = next(view for view in (one.ask("GET", f"/games/{game}") for one in (anna, bruno)) if view["moves"])
    mover = anna if view["you"] == 0 else bruno
    after = mover.move(view, chosen(view))["version"]
    for each in (page, other):
        expect(each.locator(f'[data-version="{after}"]')).to_be_attached(timeout=60_000)
        expect(each.get_by_text("Connection lost")).to_be_hidden()


def test_who_signs_out_in_one_tab_is_signed_out_in_all(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    context, anna = new_context(), Player(service)
    anna.sign_in(context)
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto("/")
    expect(other.get_by_role("link", name=anna.name)).to_be_visible()
    one.goto("/settings")
    one.get_by_role("button", name="Sign out").click()
    one.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()


def test_a_token_that_is_revoked_leads_to_signing_in(
    new_context: Callable[..., BrowserContext], service: Service
) -> None:
    player = Player(service)
    context = new_context()
    player.sign_in(context)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("link", name=player.name)).to_be_visible()
    player.ask("POST", "/me/token")
    page.goto("/settings")
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()
