"""Failures: a screen that fails, a token that is refused, a stream that is held back or interrupted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Route, expect

from ..service.whole.product import Service
from .conftest import PHONE, REFUSE_TO_COPY, Faults
from .holding import SIGN_IN, TWO_FRAMES
from .players import Json, Player
from .scenes import chosen

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
OF_PLAYER = "/v1/me/events/stream"
LOOK_AGAIN = 'document.dispatchEvent(new Event("visibilitychange"))'
"""Makes a game's screen reload the game."""
SILENT = 21_000
"""After this number of milliseconds without a byte, the page assumes that a stream is being held back."""


class Duel:
    """Two players who play over the API."""

    def __init__(self, service: Service) -> None:
        """Open a duel."""
        self.players = [Player(service, name) for name in ("Caterina", "Lodovico")]
        self.id: str = self.players[0].open("zman-2018-duel", 2, 0)["id"]
        self.players[1].ask("POST", f"/games/{self.id}/join", {})

    def view(self, seat: int = 0) -> Json:
        """Return the game as a seat sees it."""
        return self.players[seat].ask("GET", f"/games/{self.id}")

    def move(self) -> int:
        """Make a move, and return the new version."""
        seat = self.view()["position"]["turn"]
        view = self.view(seat)
        return int(self.players[seat].move(view, chosen(view))["version"])


@pytest.fixture
def duel(service: Service) -> Duel:
    return Duel(service)


def opened(new_context: NewContext, duel: Duel) -> Page:
    """Open the duel in its first player's browser."""
    context = new_context()
    duel.players[0].sign_in(context)
    page = context.new_page()
    with page.expect_request(lambda request: OF_PLAYER in request.url):
        page.goto(f"/game/{duel.id}")
    return page


def test_a_screen_that_fails_shows_what_it_has_shown_last(new_context: NewContext, duel: Duel, faults: Faults) -> None:
    """The page reports the failure once, and does not try again in each frame."""
    faults.expects("TypeError")
    page = opened(new_context, duel)
    expect(page.get_by_role("toolbar")).to_be_visible()
    # Without the log, the page is too short to be scrolled.
    expect(page.get_by_role("log").get_by_role("listitem").first).to_be_attached()
    view = duel.view()
    view["version"] += 1
    for seat in view["position"]["seats"]:
        seat["explanation"] = None
        seat["row"] = None
    page.route(f"**/v1/games/{duel.id}", lambda route: route.fulfill(json=view))
    errors: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        errors.extend([message.text] if "TypeError" in message.text else [])

    page.on("console", hear)
    page.evaluate(LOOK_AGAIN)
    failed = page.get_by_role("alert").filter(has_text="This page failed")
    expect(failed).to_be_visible()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("() => scrollY > 100")
    expect(failed).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("main").get_by_role("status").first).not_to_be_in_viewport()
    for _ in range(3):
        page.evaluate(TWO_FRAMES)
    expect(page.get_by_role("toolbar")).to_be_visible()
    assert len(errors) == 1
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.report = text; }")
    page.get_by_role("button", name="Copy the report").click()
    page.wait_for_function("() => window.report")
    report = page.evaluate("report")
    cards = duel.view()["position"]["seats"][0]["hand"]["cards"]
    secret = [*cards, duel.players[0].account["token"], duel.players[0].name, duel.id]
    assert [text for text in secret if text in report] == []
    page.evaluate(REFUSE_TO_COPY)
    page.get_by_role("button", name="Copy the report").click()
    expect(failed.get_by_role("status")).to_have_text(re.compile("^Press Ctrl\\+C to copy it"))
    expect(failed.get_by_label("Report")).to_have_value(report)
    assert page.evaluate("getSelection().toString()") == report
    assert len(errors) == 1


def sign_in_again(page: Page, token: str) -> None:
    """Follow the notice about a refused token, and enter another token."""
    notice = page.get_by_role("alert").filter(has_text="You were signed out")
    notice.get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/signin?next=*")
    expect(notice).to_have_count(0)
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_label("Token", exact=True).press("Enter")


def test_a_token_that_is_refused_leads_to_signing_in_and_back(page: Page, service: Service) -> None:
    """The form for a new game is as it was before. Another player does not see it."""
    player = Player(service)
    player.sign_in(page.context)
    page.goto("/new")
    page.get_by_label("Seats").select_option("4")
    token = player.ask("POST", "/me/token")["token"]
    page.get_by_role("button", name="Start the game").click()
    sign_in_again(page, token)
    page.wait_for_url("**/new")
    expect(page.get_by_label("Seats")).to_have_value("4")
    page.evaluate(SIGN_IN, Player(service).account)
    expect(page.get_by_label("Seats")).to_have_value("3")
    page.evaluate(SIGN_IN, {**player.account, "token": token})
    expect(page.get_by_role("link", name=player.name)).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")


def test_a_form_for_another_game_like_one_is_kept_as_well(page: Page, service: Service) -> None:
    """What was changed in it counts more than the settings that it has copied."""
    player = Player(service)
    like = player.open("zman-2018", 4, 3)["id"]
    player.sign_in(page.context)
    page.goto(f"/new?like={like}")
    page.get_by_label("Seats").select_option("5")
    token = player.ask("POST", "/me/token")["token"]
    page.get_by_role("button", name="Open the game").click()
    sign_in_again(page, token)
    page.wait_for_url(f"**/new?like={like}")
    expect(page.get_by_label("Seats")).to_have_value("5")
    page.goto(f"/new?like={like}")
    expect(page.get_by_label("Seats")).to_have_value("4")


def test_what_is_written_in_the_settings_is_kept_for_the_player_who_signs_in_again(
    page: Page, service: Service
) -> None:
    """All but secrets: with the address of a chat, anybody can write to the chat. Another player sees none of it."""
    player, other = Player(service), Player(service)
    player.sign_in(page.context)
    page.goto("/settings")
    zone, until = page.get_by_label("Time zone"), page.get_by_role("region", name="Vacation").get_by_label("Until")
    night, away = page.get_by_label("Night from"), page.get_by_role("region", name="Hours").get_by_role("checkbox")
    email, everything = page.get_by_label("Your address"), page.get_by_label("The device may also")
    chats = page.get_by_role("region", name="Chats")
    page.get_by_text("Technical settings").click()
    secret = chats.get_by_label("Address")
    zone.fill("Europe/Rome")
    night.fill("23:00")
    page.get_by_label("Night until").fill("07:00")
    away.check()
    until.fill("2031-05-06T08:00")
    email.fill("caterina@example.org")
    everything.uncheck()
    chats.get_by_role("combobox").select_option("ntfy")
    secret.fill("https://ntfy.example/secret")
    account = player.account
    account["token"] = player.ask("POST", "/me/token")["token"]
    page.get_by_role("button", name="Save").click()
    sign_in_again(page, account["token"])
    expect(zone).to_have_value("Europe/Rome")
    expect(night).to_have_value("23:00")
    expect(away).to_be_checked()
    expect(until).to_have_value("2031-05-06T08:00")
    expect(email).to_have_value("caterina@example.org")
    expect(everything).not_to_be_checked()
    page.get_by_text("Technical settings").click()
    expect(chats.get_by_role("combobox")).to_have_value("ntfy")
    expect(secret).to_have_value("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Hours")).to_contain_text("Saved.")
    for known, has in [(other.account, "UTC"), (account, "Europe/Rome")]:
        page.evaluate(SIGN_IN, known)
        expect(page.get_by_role("banner").get_by_role("link", name=known["name"])).to_be_visible()
        expect(zone).to_have_value(has)
        expect(until).to_have_value("")
        expect(email).to_have_value("")
        expect(everything).to_be_checked()


def test_what_is_not_sent_is_kept_for_the_player_who_signs_in_again(new_context: NewContext, duel: Duel) -> None:
    """Such as a selected move, a message and standing orders. The other player of the game sees none of them."""
    page = opened(new_context, duel)
    while not duel.view()["moves"]:
        duel.move()
    card = page.get_by_role("toolbar").locator("[aria-disabled=false]").first
    message = page.get_by_label("Your message")
    lead = page.get_by_role("radio", name="Lay cards until I lead", include_hidden=True)
    page.get_by_text("Standing orders", exact=True).click()
    lead.check()
    # The orders cover the talk.
    page.get_by_text("Standing orders", exact=True).click()
    page.locator("#talk summary").click()
    message.fill("Pax?")
    card.click()
    name = card.get_attribute("aria-label")
    selected = page.get_by_role("toolbar").get_by_role("button", pressed=True)

    def expect_kept() -> None:
        expect(message).to_have_value("Pax?")
        expect(lead).to_be_checked()
        expect(selected).to_have_accessible_name(name or "")
        expect(page.get_by_role("button", name=re.compile("^Play "))).to_be_enabled()

    expect_kept()
    account = duel.players[0].account
    account["token"] = duel.players[0].ask("POST", "/me/token")["token"]
    page.evaluate(LOOK_AGAIN)
    expect(page.get_by_role("toolbar")).to_have_count(0)
    sign_in_again(page, account["token"])
    expect_kept()
    for known, is_kept in [(account, True), (duel.players[1].account, False), (account, False)]:
        with page.expect_response("**/orders"):
            page.evaluate(SIGN_IN, known)
        if is_kept:
            expect_kept()
        else:
            expect(page.get_by_role("link", name=known["name"])).to_be_visible()
            expect(lead).not_to_be_checked()
            expect(page.locator("#talk summary")).to_be_visible()
            expect(message).to_have_count(0)
            expect(selected).to_have_count(0)


def test_what_is_selected_before_a_game_has_loaded_again_stays_selected(new_context: NewContext, duel: Duel) -> None:
    """The game is requested again if something happens while it loads for the first time."""
    while not duel.view()["moves"]:
        duel.move()
    context = new_context()
    duel.players[0].sign_in(context)
    page = context.new_page()
    held: list[Route] = []
    page.route(f"**/v1/games/{duel.id}", lambda route: held.append(route))
    with page.expect_request(f"**/v1/games/{duel.id}"):
        page.goto(f"/game/{duel.id}")
    page.evaluate(LOOK_AGAIN)
    with page.expect_request(f"**/v1/games/{duel.id}"):
        held[0].continue_()
    card = page.get_by_role("toolbar").locator("[aria-disabled=false]").first
    card.click()
    with page.expect_response(f"**/v1/games/{duel.id}"):
        held[1].continue_()
    page.evaluate(TWO_FRAMES)
    expect(card).to_have_attribute("aria-pressed", "true")


def test_a_stream_that_is_held_back_is_replaced_by_polls(new_context: NewContext, duel: Duel) -> None:
    """A proxy that buffers a response until it is complete holds the stream back."""
    context = new_context()
    duel.players[0].sign_in(context)
    page = context.new_page()
    page.clock.install()

    def hold_back(route: Route) -> None:
        del route  # It is never answered.

    page.route(f"**{OF_PLAYER}*", hold_back)
    with page.expect_request(lambda request: OF_PLAYER in request.url):
        page.goto(f"/game/{duel.id}")
    with page.expect_request(lambda request: "/v1/me/events?" in request.url and "wait=25" in request.url):
        page.clock.fast_forward(SILENT)
    for _ in range(2):
        after = duel.move()
        expect(page.locator(f'[data-version="{after}"]')).to_be_attached()
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_a_cut_stream_goes_on_with_each_commit_once(new_context: NewContext, duel: Duel, faults: Faults) -> None:
    faults.expects("net::ERR_")
    page = opened(new_context, duel)
    page.get_by_label("All details").check()
    entries = page.get_by_role("log").get_by_role("link")
    for _ in range(2):
        after = duel.move()
        expect(page.get_by_role("link", name=f"Show step {after}", exact=True)).to_be_visible()
        page.context.set_offline(True)
        expect(page.get_by_text("Connection lost")).to_be_visible()
        after = duel.move()
        with page.expect_request(_reads_on):
            page.context.set_offline(False)
        expect(page.get_by_role("link", name=f"Show step {after}", exact=True)).to_be_visible()
    expect(page.get_by_text("Connection lost")).to_have_count(0)
    assert entries.all_inner_texts() == [str(version) for version in range(1, after + 1)]


def _reads_on(request: Request) -> bool:
    """Return whether a request asks for the events after a commit."""
    return OF_PLAYER in request.url and not request.url.endswith("after=now")


def test_a_wait_is_counted_down(new_context: NewContext, duel: Duel) -> None:
    """A busy service says when to try again; the page then retries automatically."""
    page = opened(new_context, duel)
    expect(page.get_by_role("toolbar")).to_be_visible()
    page.clock.install()
    problem = {"type": "/problems/rate-limited", "title": "Too many requests", "status": 429, "detail": "Slow down."}
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.fallback()
        else:
            refused.append(route.request.url)
            route.fulfill(status=429, json={**problem, "code": "rate-limited"}, headers={"Retry-After": "8"})

    page.route(f"**/v1/games/{duel.id}", refuse_once)
    page.evaluate(LOOK_AGAIN)
    waits = page.get_by_text(re.compile(r"Trying again in \d seconds?\."))
    expect(waits).to_contain_text(re.compile("in [78] seconds"))
    page.clock.run_for(5_000)
    expect(waits).to_contain_text(re.compile("in [1-3] seconds?"))
    page.clock.run_for(5_000)
    expect(waits).to_have_count(0)
    assert len(refused) == 1


def test_a_request_is_not_sent_again_for_another_player(page: Page, service: Service) -> None:
    """The other player, who has signed in meanwhile in another tab, opens only the game that they have asked for."""
    player, other = Player(service), Player(service, "Lodovico")
    player.sign_in(page.context)
    problem = {"type": "/problems/x", "title": "Busy", "status": 503, "code": "x", "detail": "Wait."}
    senders: list[str | None] = []

    def refuse_once(route: Route) -> None:
        senders.append(route.request.headers.get("authorization"))
        if len(senders) == 1:
            route.fulfill(status=503, json=problem, headers={"Retry-After": "8"})
        else:
            route.continue_()

    page.route("**/v1/games", refuse_once)
    page.goto("/new")
    start, waits = page.get_by_role("button", name="Start the game"), page.get_by_text("Trying again in")
    expect(start).to_be_visible()
    page.clock.install()
    start.click()
    expect(waits).to_be_visible()
    page.evaluate(SIGN_IN, other.account)
    expect(page.get_by_role("link", name=other.name)).to_be_visible()
    page.clock.run_for(10_000)
    expect(waits).to_have_count(0)
    start.click()
    page.wait_for_url("**/game/*")
    assert senders == [player.headers["Authorization"], other.headers["Authorization"]]


GIVEN_UP = """async (address) => {
    const { Api } = await import(address), api = new Api(), asking = new AbortController();
    const unavailable = () => new Response('{"status": 503}', { status: 503, headers: { "Retry-After": "9" } });
    const fetched = window.fetch;
    window.fetch = async () => unavailable();
    const waits = new Promise((done) => api.addEventListener("wait", done, { once: true }));
    const answer = api.get("/v1/health", { signal: asking.signal }).catch(() => "given up");
    await waits;
    const while_waiting = api.waiting !== null;
    asking.abort();
    window.fetch = fetched;
    return [while_waiting, await answer, api.waiting];
}"""


def test_nothing_is_counted_down_for_a_request_that_was_given_up(
    quiet_page: Page, module: Callable[[str], str]
) -> None:
    assert quiet_page.evaluate(GIVEN_UP, module("api.js")) == [True, "given up", None]


PAUSES = """async (address) => {
    const { backoff } = await import(address), { random } = Math;
    const pauses = (chance) => (Math.random = () => chance, Array.from({ length: 9 }, (_, tries) => backoff(tries)));
    const found = [pauses(0), pauses(1)];
    Math.random = random;
    return found;
}"""


def test_the_pause_before_a_try_grows_to_half_a_minute_and_varies(
    quiet_page: Page, module: Callable[[str], str]
) -> None:
    """The pause is between half and the whole of a length that doubles with each try."""
    shortest, longest = quiet_page.evaluate(PAUSES, module("api.js"))
    assert longest == [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]
    assert shortest == [pause / 2 for pause in longest]


FOLLOWED = """async ([api, stream]) => {
    const { Api } = await import(api), { follow } = await import(stream);
    const refused = (status, seconds) => () =>
        new Response(JSON.stringify({ status }), { status, headers: { "Retry-After": seconds } });
    const lost = () => { throw new TypeError("Failed to fetch"); };
    const parts = ['{"seq": 7}\\n'];
    const cut = () => new Response(new ReadableStream({
        pull: (body) => parts.length
            ? body.enqueue(new TextEncoder().encode(parts.pop()))
            : body.error(new TypeError("network error")),
    }, { highWaterMark: 0 }));
    const over = () => new Response(null, { status: 204 });
    const answers = [refused(429, "7"), lost, lost, lost, refused(503, "90"), cut, over];
    const { fetch, setTimeout } = window, { random } = Math, pauses = [], asked = [], found = [];
    // The page goes on with its own requests and timers. Two of the limits of a stream are not pauses.
    window.fetch = async (path, ...rest) =>
        path.startsWith("/v1/games/g/") ? (asked.push(path), answers.shift()()) : fetch(path, ...rest);
    const isPause = (wait) => new Error().stack.includes("/stream.js") && ![20_000, 40_000].includes(wait);
    window.setTimeout = (act, wait) => isPause(wait) ? (pauses.push(wait), setTimeout(act)) : setTimeout(act, wait);
    Math.random = () => 1;
    const live = { api: new Api(), connect: () => {} };
    try {
        await follow(live, "/v1/games/g/events", "3", new AbortController().signal, ({ seq }) => found.push(seq));
    } finally {
        Object.assign(window, { fetch, setTimeout });
        Math.random = random;
    }
    return { pauses, asked: asked.map((path) => path.split("after=")[1]), found };
}"""


def test_a_stream_is_opened_again_after_the_pause_that_the_service_asks_for(
    quiet_page: Page, module: Callable[[str], str]
) -> None:
    """Without `Retry-After`, the pause grows with each failure, and it is short again after a commit."""
    followed = quiet_page.evaluate(FOLLOWED, [module("api.js"), module("stream.js")])
    assert followed["pauses"] == [7000, 500, 1000, 2000, 90_000, 500]
    assert followed["asked"] == ["3"] * 6 + ["7"]
    assert followed["found"] == [7]
