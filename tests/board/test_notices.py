"""Notices while no page is open: e-mail and notifications, in the settings and through the service worker."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.notices.browser import Browser
from ..service.whole.product import Service
from .browsers import OPTIONS, found_browser
from .conftest import MAIL_PORT, PATIENCE, OpenPage, require_browser
from .players import Player
from .test_settings import part

pytestmark = pytest.mark.browser

SUBSCRIBED = """
const made = {{ endpoint: "{endpoint}", keys: {keys} }};
let subscription = null;
const subscribed = () => ({{
    ...made, toJSON: () => made, unsubscribe: async () => {{ subscription = null; return true; }},
}});
PushManager.prototype.getSubscription = async () => subscription;
PushManager.prototype.subscribe = async ({{ applicationServerKey, userVisibleOnly }}) => {{
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("not as the service asks");
    return subscription = subscribed();
}};
"""
"""Replaces the browser's own push code, because a real push service is on the internet."""


class Letters:
    """The e-mails that arrive at a mail server on this machine."""

    def __init__(self) -> None:
        """Start without any letters."""
        self.texts: list[str] = []
        self._news = threading.Condition()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002, N802
        """Store a letter."""
        with self._news:
            assert isinstance(envelope.content, bytes)
            self.texts.append(envelope.content.decode())
            self._news.notify_all()
        return "250 OK"

    def first(self) -> str:
        """Wait for the first letter and return it."""
        with self._news:
            assert self._news.wait_for(lambda: bool(self.texts), 30)
            return self.texts[0]


@pytest.fixture(scope="module")
def browser(browser: Chromium) -> Iterator[Chromium]:
    """A browser that shows notifications."""
    path = require_browser(with_notifications=True)
    if path == found_browser():
        yield browser
        return
    started = browser.browser_type.launch(executable_path=path, args=[*OPTIONS])
    yield started
    started.close()


@pytest.fixture
def letters() -> Iterator[Letters]:
    """The mail server to which the service sends its e-mails."""
    found = Letters()
    controller = Controller(found, hostname="127.0.0.1", port=MAIL_PORT)
    controller.start()
    yield found
    controller.stop()


@pytest.fixture
def player(service: Service) -> Player:
    """A player who is signed in on `mine`."""
    return Player(service)


@pytest.fixture
def mine(new_page: OpenPage, player: Player) -> Page:
    """The player's settings page."""
    page = new_page()
    player.sign_in(page.context)
    page.goto("/settings")
    expect(part(page, "E-mail").get_by_label("Your address")).to_be_visible()
    return page


def test_an_address_is_set_and_confirmed(mine: Page, player: Player, letters: Letters) -> None:
    email = part(mine, "E-mail")
    email.get_by_label("Your address").fill("caterina@example.org")
    email.get_by_role("button", name="Send me a code").click()
    expect(email).to_contain_text("A code is on its way to your address.")
    (code,) = re.findall("[0-9A-Z]{4}-[0-9A-Z]{4}", letters.first())
    email.get_by_label("Code from the e-mail").fill("0000-0000")
    email.get_by_role("button", name="Confirm").click()
    expect(email.get_by_role("alert")).to_be_visible()
    email.get_by_label("Code from the e-mail").fill(code.lower())
    email.get_by_role("button", name="Confirm").click()
    expect(email).to_contain_text("E-mail is sent to caterina@example.org.")
    email.get_by_role("checkbox", name="my time is running out").uncheck()
    expect(email).to_contain_text("Saved.")
    with mine.expect_response("**/v1/me/notices"):
        email.get_by_label("A daily list").select_option("8")
    expect(email).to_contain_text("In the time zone")
    found = player.ask("GET", "/me/notices")["email"]
    assert "turn.reminder" not in found["events"]
    assert {"turn.started", "game.ended"} <= {*found["events"]}
    assert found["digest"]["hour"] == 8
    mine.reload()
    expect(email.get_by_role("checkbox", name="my time is running out")).not_to_be_checked()
    expect(email.get_by_label("A daily list")).to_have_value("8")
    email.get_by_label("A daily list").select_option("Never")
    expect(email).not_to_contain_text("In the time zone")
    email.get_by_role("button", name="Remove the address").click()
    expect(email.get_by_label("Your address")).to_have_value("")
    assert player.ask("GET", "/me/notices")["email"]["address"] is None


def test_a_service_without_e_mail_says_so(mine: Page) -> None:
    def without(route: Route) -> None:
        real = route.fetch()
        notices = real.json()
        notices["email"]["available"] = False
        route.fulfill(response=real, json=notices)

    mine.route("**/v1/me/notices", without)
    mine.reload()
    expect(part(mine, "E-mail")).to_contain_text("This server sends no e-mail.")
    expect(part(mine, "E-mail").get_by_text("can write to you")).to_have_count(0)


def test_what_is_no_address_is_refused_beside_the_field(mine: Page) -> None:
    email = part(mine, "E-mail")
    email.get_by_label("Your address").fill("caterina@localhost")
    email.get_by_role("button", name="Send me a code").click()
    expect(email.get_by_role("alert")).to_be_visible()
    expect(email.get_by_label("Your address")).to_have_value("caterina@localhost")


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A browser context in which service workers run and notifications are allowed."""
    found = new_context(service_workers="allow")
    found.grant_permissions(["notifications"])
    return found


def test_notifications_are_switched_on_and_off(context: BrowserContext, player: Player) -> None:
    keys = json.dumps(Browser().keys._asdict())
    endpoint = f"https://push.example.org/{player.account['id']}"
    context.add_init_script(SUBSCRIBED.format(endpoint=endpoint, keys=keys))
    player.sign_in(context)
    page = context.new_page()
    page.goto("/settings")
    push = part(page, "Notifications on your devices")
    push.get_by_role("button", name="Show notifications on this device").click()
    expect(push).to_contain_text("This device shows notifications.")
    expect(push).to_contain_text("(this browser)")
    (browser,) = player.ask("GET", "/me/notices")["push"]["browsers"]
    assert (browser["endpoint"], browser["name"].split(",")[0]) == (endpoint, "Chrome")
    push.get_by_role("checkbox", name="a game ends").uncheck()
    expect(push).to_contain_text("Saved.")
    events = player.ask("GET", "/me/notices")["push"]["events"]
    assert "game.ended" not in events
    assert {"turn.started", "turn.reminder"} <= {*events}
    push.get_by_role("button", name=re.compile("^Switch off")).click()
    expect(push.get_by_role("button", name="Show notifications on this device")).to_be_visible()
    assert player.ask("GET", "/me/notices")["push"]["browsers"] == []


SHOWN = """async patience => {
    const worker = await navigator.serviceWorker.ready;
    for (const end = performance.now() + patience; performance.now() < end; await new Promise(requestAnimationFrame)) {
        const shown = await worker.getNotifications();
        if (shown.length) return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
    }
    return [];
}"""
"""Returns the notifications of the worker once there are any: no event tells a page of them."""


def test_the_worker_shows_what_is_pushed(context: BrowserContext, service: Service) -> None:
    """The worker also notifies about games that no page shows, but not about a game that the player is looking at."""
    page = context.new_page()
    page.goto("/settings")
    page.evaluate("navigator.serviceWorker.ready")
    cdp = context.new_cdp_session(page)
    registrations: list[str] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]),
    )
    cdp.send("ServiceWorker.enable")
    while not registrations:
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    game = "17h8q2v5c0mzk4r9td"
    pushed = {"title": "Your turn", "body": "It is your turn.", "game": game, "tag": game}
    for _ in range(2):
        cdp.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": service.url, "registrationId": registrations[0], "data": json.dumps(pushed)},
        )
    found = page.evaluate(SHOWN, PATIENCE)
    assert found == [{"title": "Your turn", "body": "It is your turn.", "tag": game, "data": f"/game/{game}"}]
