"""A browser for each worker, a service for each worker, and a fresh context for each test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from ..service.servers import free_port
from ..service.whole.product import Service, running
from .browsers import ADVICE, OPTIONS, found_browser, is_required

DESKTOP, TABLET, PHONE = (1280, 800), (768, 1024), (360, 740)
"""Sizes of windows, in CSS pixels."""
PATIENCE = 15_000
"""Milliseconds that nothing on a page takes."""
CODE = "open sesame"
"""What players must know once the host lets them register with a code only."""
MAIL_PORT = free_port()
"""Where a test may let a mail server listen, to which the service sends. Otherwise nothing does."""
OpenPage = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser without a window. Playwright keeps an event loop in this thread, so it ends with these tests."""
    path = require_browser()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*OPTIONS])
        yield started
        started.close()


def require_browser(*, with_notifications: bool = False) -> str:
    """Return the path of a browser; without one, skip the test, or let it fail where a browser is required."""
    path = found_browser(with_notifications=with_notifications)
    if path is None:
        if is_required():
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    return path


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """A service for all tests of a worker, without limits, in which owners may advance clocks."""
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(MAIL_PORT), "SMTP_TLS": "off", "MAIL_FROM": "games@example.org"}
    mail |= {"MAIL_DELAY": "0", "PUBLIC_URL": "https://play.example.org"}
    settings = mail | {"WEB_WORKERS": "1", "CONDOTTIERE_TEST_CLOCK": "on", "REGISTRATION_CODE": CODE}
    settings["WEBHOOK_NETWORKS"] = "127.0.0.0/8"
    with TemporaryDirectory(prefix="board-") as folder, running(Path(folder), **settings) as started:
        yield started


class Faults:
    """What went wrong in a browser's pages without the test having asked: scripts that fail, and broken policies."""

    def __init__(self) -> None:
        """Start without any."""
        self.found: list[str] = []
        self._expected: list[str] = []

    def expects(self, text: str) -> None:
        """Leave out the faults in which a text occurs."""
        self._expected.append(text)

    def watch(self, page: Page) -> None:
        """Collect the faults of a page."""
        page.on("pageerror", lambda error: self.found.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._hear(page, message.type, message.text))

    def _hear(self, page: Page, kind: str, text: str) -> None:
        if any(expected in text for expected in self._expected):
            return
        if "Content Security Policy" in text or "TrustedHTML" in text or (kind == "error" and "status of" not in text):
            self.found.append(f"{page.url}: {text}")


@pytest.fixture
def faults() -> Iterator[Faults]:
    """The faults of all pages of a test; a test that does not expect one fails with it."""
    collected = Faults()
    yield collected
    assert collected.found == []


@pytest.fixture
def new_context(browser: Browser, service: Service, faults: Faults) -> Iterator[Callable[..., BrowserContext]]:
    """Make a context: a browser of its own, with a storage of its own."""
    made: list[BrowserContext] = []

    def make(size: tuple[int, int] = DESKTOP, **options: Any) -> BrowserContext:
        width, height = size
        # A service worker would load all files beside each test; the tests of the worker allow it.
        usual = {"base_url": service.url, "service_workers": "block", "viewport": {"width": width, "height": height}}
        options = usual | options
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.on("page", faults.watch)
        made.append(context)
        return context

    yield make
    for context in made:
        # What still answers a request when a test ends must not fail the next one.
        for routed in (*context.pages, context):
            routed.unroute_all(behavior="ignoreErrors")
        context.close()


@pytest.fixture
def new_page(new_context: Callable[..., BrowserContext]) -> OpenPage:
    """Open a page in a context of its own."""
    return lambda size=DESKTOP, **options: new_context(size, **options).new_page()


@pytest.fixture
def page(new_page: OpenPage) -> Page:
    """A page of the size of a desktop window."""
    return new_page()


@pytest.fixture(scope="module")
def kept_context(browser: Browser, service: Service) -> Iterator[BrowserContext]:
    """A context for all tests of a file that leave nothing behind in it: a new window takes as long as its page."""
    width, height = DESKTOP
    faults = Faults()
    context = browser.new_context(
        base_url=service.url, service_workers="block", viewport={"width": width, "height": height}
    )
    context.set_default_timeout(PATIENCE)
    context.on("page", faults.watch)
    yield context
    for routed in (*context.pages, context):
        routed.unroute_all(behavior="ignoreErrors")
    context.close()
    assert faults.found == []


@pytest.fixture(scope="module")
def quiet_page(kept_context: BrowserContext) -> Page:
    """A page for all tests of a file that only call functions of the board's modules: nothing is drawn on it."""
    page = kept_context.new_page()
    page.goto("/lobby")
    return page


@pytest.fixture(scope="package")
def module(service: Service) -> Callable[[str], str]:
    """Return the address of a file of the board by its name, for a script that imports it."""
    frame = requests.get(f"{service.url}/", timeout=30).text
    found = re.search(r'src="(/static/\w+)/app.js"', frame)
    assert found is not None
    return lambda name: f"{found[1]}/{name}"
