"""A browser and a service for each worker, and a fresh context for each test."""

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
"""Window sizes, in CSS pixels."""
PATIENCE = 15_000
"""Timeout in milliseconds: nothing on a page takes this long."""
CODE = "open sesame"
"""The code that players must enter once the host requires a code to register."""
MAIL_PORT = free_port()
"""The port to which the service sends mail. A mail server listens there only if a test starts one."""
REFUSE_TO_COPY = """() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
    document.execCommand = () => false;
}"""
"""Makes a browser refuse the clipboard."""
OpenPage = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser without a window.

    Playwright keeps an event loop in this thread, so the browser is closed at the end of these tests.
    """
    path = require_browser()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*OPTIONS])
        yield started
        started.close()


def require_browser(*, with_notifications: bool = False) -> str:
    """Return the path of a browser. If there is none, fail the test if a browser is required; otherwise, skip it."""
    path = found_browser(with_notifications=with_notifications)
    if path is None:
        if is_required():
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    return path


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """A service shared by all tests of a worker, without limits, in which game owners may advance clocks."""
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(MAIL_PORT), "SMTP_TLS": "off", "MAIL_FROM": "games@example.org"}
    mail |= {"MAIL_DELAY": "0", "PUBLIC_URL": "https://play.example.org"}
    settings = mail | {"WEB_WORKERS": "1", "CONDOTTIERE_TEST_CLOCK": "on", "REGISTRATION_CODE": CODE}
    settings["WEBHOOK_NETWORKS"] = "127.0.0.0/8"
    with TemporaryDirectory(prefix="board-") as folder, running(Path(folder), **settings) as started:
        yield started


class Faults:
    """Errors in a browser's pages that the test did not expect: failing scripts and violated policies."""

    def __init__(self) -> None:
        """Start without any faults."""
        self.found: list[str] = []
        self._expected: list[str] = []

    def expects(self, text: str) -> None:
        """Ignore the faults that contain a text."""
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
    """The faults of all pages of a test. A test fails if it has faults that it did not expect."""
    collected = Faults()
    yield collected
    assert collected.found == []


@pytest.fixture
def new_context(browser: Browser, service: Service, faults: Faults) -> Iterator[Callable[..., BrowserContext]]:
    """Create a context: a separate browser profile with its own storage."""
    made: list[BrowserContext] = []

    def make(size: tuple[int, int] = DESKTOP, **options: Any) -> BrowserContext:
        width, height = size
        # A service worker would load all files in addition to each test's own; only the worker's tests allow it.
        usual = {"base_url": service.url, "service_workers": "block", "viewport": {"width": width, "height": height}}
        options = usual | options
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.on("page", faults.watch)
        made.append(context)
        return context

    yield make
    for context in made:
        # A route handler that is still running when a test ends must not fail the next test.
        for routed in (*context.pages, context):
            routed.unroute_all(behavior="ignoreErrors")
        context.close()


@pytest.fixture
def new_page(new_context: Callable[..., BrowserContext]) -> OpenPage:
    """Open a page in a new context."""
    return lambda size=DESKTOP, **options: new_context(size, **options).new_page()


@pytest.fixture
def page(new_page: OpenPage) -> Page:
    """A page in a window of desktop size."""
    return new_page()


@pytest.fixture(scope="module")
def kept_context(browser: Browser, service: Service) -> Iterator[BrowserContext]:
    """A context for all tests of a file that leave nothing behind in it: opening a window takes as long as its page."""
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
    """A page for all tests of a file that only call functions of the board's modules: nothing is drawn on the page."""
    page = kept_context.new_page()
    page.goto("/lobby")
    return page


@pytest.fixture(scope="package")
def module(service: Service) -> Callable[[str], str]:
    """Return the address of one of the board's files, so that a script can import it."""
    frame = requests.get(f"{service.url}/", timeout=30).text
    found = re.search(r'src="(/static/[^"]+)/app.js"', frame)
    assert found is not None
    return lambda name: f"{found[1]}/{name}"
