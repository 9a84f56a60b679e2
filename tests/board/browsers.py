"""Finds the browser that the tests drive, among those installed on this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without windows: it runs the same pages a quarter faster, but shows no notifications."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
REQUIRED = "required"
NAMED, WHILE_TESTING = "CONDOTTIERE_BROWSER", "BROWSER_OF_THE_TESTS"
"""The variable that names a browser, and the variable that holds its value while tests run. Some tests start earlier
releases, which would mistake the first variable for one of their own settings."""
POPUPS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Pages under the address bar. Chromium takes as long to load them in each new window as it takes to load a test's
page."""
SPARE = "SpareRendererForSitePerProcess"
"""A process that Chromium starts with each window in case a page of another site is opened. No test opens one."""
LEFT_OUT = (
    *POPUPS,
    SPARE,
    # Playwright leaves out the following itself, unless a test names others.
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FEW_PROCESSES = ("--in-process-gpu", "--process-per-site", "--renderer-process-limit=1")
"""Tests open and close many pages, and starting a process for each takes longer than many a test."""
OPTIONS = ("--no-sandbox", "--disable-gpu", *FEW_PROCESSES, f"--disable-features={','.join(LEFT_OUT)}")
"""The options with which the browser is started."""
ADVICE = (
    "no browser was found, so nothing of the board is tested. Install one (Debian: apt-get install chromium, and "
    "chromium-headless-shell, which is faster), "
    "name one (CONDOTTIERE_BROWSER=/path/to/chrome), or let Playwright load one (playwright install chromium)"
)


def found_browser(*, with_notifications: bool = False) -> str | None:
    """Return the path of a browser, from CONDOTTIERE_BROWSER or one of the usual places; None if there is none.

    If `with_notifications` is true, `SHELL` is left out, unless CONDOTTIERE_BROWSER names it.
    """
    named = _named()
    if named and named != REQUIRED:
        return named
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and not (with_notifications and name == SHELL):
            return path
    return next((path for path in (*PATHS, *_of_playwright()) if Path(path).exists()), None)


def _of_playwright() -> list[str]:
    """Return the browsers that Playwright has downloaded, the newest first."""
    home = Path.home()
    usual = (home / ".cache", home / "Library" / "Caches", home / "AppData" / "Local")
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = [Path(named)] if named else [folder / "ms-playwright" for folder in usual]
    programs = ("chrome", "chrome.exe", "Chromium.app/Contents/MacOS/Chromium")
    found = [path for folder in folders for name in programs for path in folder.glob(f"chromium-*/chrome-*/{name}")]
    return [str(path) for path in sorted(found, reverse=True)]


def is_required() -> bool:
    """Return whether a run without a browser fails, as it does in CI."""
    return _named() == REQUIRED


def _named() -> str:
    return os.environ.get(WHILE_TESTING) or os.environ.get(NAMED, "")
