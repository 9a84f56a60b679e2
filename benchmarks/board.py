"""Board: how long a browser on a slow phone takes to make the board usable, and to draw a new position.

* Chromium's CPU is throttled to a quarter of its speed. While pages load, the network has 1.6 Mbit/s and adds 150 ms to
  each request.
* The board is usable when a running game's page, loaded with an empty cache, shows the first card of the hand. For
  comparison, the browser alternately loads a bare page: one response with the same number of bytes and no script.
* A position is drawn when the page shows the response's version; the time is measured from the end of the response. For
  comparison, a bare script alternately fetches the same response and writes its version to the page in the next frame.
* A long task keeps the page from reacting to its user. The longest task of each page load (until the log has appeared)
  and of each move is compared with a loop of arithmetic that the same page runs afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import orjson
from playwright.sync_api import Browser, Page, sync_playwright

from engine import DEFAULT
from tests.board.browsers import ADVICE, OPTIONS, found_browser

from .processes import HERE, free_port, run_module
from .report import OnProgress, Row, Section
from .soak import Person, run_service

LOADS, QUICK_LOADS = 15, 4
MOVES, QUICK_MOVES = 60, 15
SEATS, SLOWER = 4, 4
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""The latency is in milliseconds; the throughput is in bytes per second."""
GOAL_USABLE, GOAL_DRAWN = 2.7, 2.5
"""Ratios to the bare page and to the bare script. On an idle machine, they correspond to about 1.5 s and 50 ms."""
ROUNDS, GOAL_TASK = 5_000_000, 1.0
"""Rounds of a loop that takes about 100 ms on an idle machine, and the ratio of a task to this loop."""
SHORTEST = 50
"""Milliseconds: browsers report only longer tasks, so a page without such a task counts as having one of this length.
"""
NOTE = """
window.noted = {};
new MutationObserver(() => {
    const version = document.querySelector("[data-version]")?.dataset.version;
    if (version) noted[version] ??= performance.now();
    if (noted.usable || !document.querySelector("[role=toolbar] button")) return;
    noted.usable = performance.now();
    const loaded = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
    noted.bytes = loaded.reduce((sum, { transferSize }) => sum + transferSize, 0);
}).observe(document, { attributeFilter: ["data-version"], childList: true, subtree: true });
noted.task = 0;
new PerformanceObserver((list) => {
    noted.task = Math.max(noted.task, ...list.getEntries().map(({ duration }) => duration));
}).observe({ type: "longtask", buffered: true });
"""
"""Records when the first card appears, how many bytes were loaded by then, when each version is drawn, and the longest
task."""
TASK = """async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const { task } = noted;
    noted.task = 0;
    return task;
}"""
LOOP = """rounds => {
    const begun = performance.now();
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum = (sum * 31 + round) % 1_000_003;
    return sum < 0 ? 0 : performance.now() - begun;
}"""
DRAWN = """([path, version]) => {
    const ends = performance.getEntriesByName(location.origin + path).map(({ responseEnd }) => responseEnd);
    performance.clearResourceTimings();
    return noted[version] - ends.findLast((end) => end <= noted[version]);
}"""
BARE = """async ([path, token]) => {
    const place = document.body.appendChild(document.createElement("output"));
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
    const { version } = await answer.json();
    await new Promise(requestAnimationFrame);
    place.textContent = version;
    return performance.now() - performance.getEntriesByName(location.origin + path).at(-1).responseEnd;
}"""
BARE_PAGE = "<!doctype html><title>Bare</title><!--filler--><p role=toolbar><button>Card</button></p>"


class Table:
    """A running game between people. The board shows the game to the first of them."""

    def __init__(self, url: str) -> None:
        """Seat the players."""
        self.people = [Person(url) for _ in range(SEATS)]
        self.path = f"/games/{self.people[0].ask('POST', '/games', {'edition': DEFAULT, 'seats': SEATS})['id']}"
        self.address = url + self.path.replace("games", "game")
        self.asked = [f"/v1{self.path}", self.people[0].token]
        for person in self.people[1:]:
            person.ask("POST", f"{self.path}/join", {})

    def move(self) -> int:
        """Make a move, and return the game's new version."""
        views = ((person, person.ask("GET", self.path)) for person in self.people)
        person, view = next((person, view) for person, view in views if view["moves"])
        headers = {"If_Match": f'"{view["version"]}"', "Idempotency-Key": f"move-{view['version']}"}
        return int(person.ask("POST", f"{self.path}/moves", view["moves"][0], **headers)["version"])


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure page loads, then moves. Without a browser, return a section without figures."""
    columns, path = ("", "Measured", "Compared with", "Ratio"), found_browser()
    if path is None:
        return Section("Board", f"Not measured: {ADVICE}.", columns, ())
    how = (
        f"Chromium on a CPU throttled {SLOWER} times. The first row is the time from an empty cache to the first "
        "card of the hand, at 1.6 Mbit/s with 150 ms of latency, compared with a bare page of the same size. The "
        "second row is the time from the end of a response until the new position is drawn, compared with a bare "
        "script. The last two rows are the longest task of a page load and of a move, compared with a loop of "
        f"arithmetic; a task shorter than {SHORTEST} ms counts as {SHORTEST} ms. All times are medians."
    )
    with sync_playwright() as driver, TemporaryDirectory(prefix="condottiere-") as folder:
        browser = driver.chromium.launch(executable_path=path, args=[*OPTIONS])
        rows = _measured(browser, Path(folder), quick, on_progress)
        browser.close()
    return Section("Board", how, columns, rows)


def _measured(browser: Browser, folder: Path, quick: bool, on_progress: OnProgress) -> tuple[Row, ...]:
    port, files = free_port(), free_port()
    serve = ["http.server", str(files), "--bind", HERE, "--directory", str(folder)]
    with run_module(serve, folder / "files.log", {}), run_service(folder, port):
        table = Table(f"http://{HERE}:{port}")
        loads, moves = (QUICK_LOADS, QUICK_MOVES) if quick else (LOADS, MOVES)
        boards, bare_pages, loading_tasks, loops = [], [], [], []
        for number in range(loads):
            with _page(browser, table, table.address, NETWORK) as page:
                size: int = page.evaluate("noted.bytes")
                boards.append(page.evaluate("noted.usable"))
                page.wait_for_selector("[role=log] li")
                loading_tasks.append(_longest_task(page))
                loops.append(page.evaluate(LOOP, ROUNDS))
            (folder / "bare.html").write_text(BARE_PAGE.replace("filler", "x" * (size - len(BARE_PAGE))))
            with _page(browser, table, f"http://{HERE}:{files}/bare.html", NETWORK) as page:
                bare_pages.append(page.evaluate("noted.usable"))
            on_progress(number / loads / 2)
        drawn, bare, tasks = [], [], []
        with _page(browser, table, table.address) as page:
            page.wait_for_selector("[role=log] li")
            _longest_task(page)
            for number in range(moves):
                version = table.move()
                page.wait_for_function("version => noted[version]", arg=version)
                drawn.append(page.evaluate(DRAWN, [table.asked[0], version]))
                bare.append(page.evaluate(BARE, table.asked))
                tasks.append(_longest_task(page))
                on_progress(0.5 + number / moves / 2)
    return (
        _row(f"first card of the hand, {size / 1000:.0f} kB", boards, bare_pages, GOAL_USABLE),
        _row("new position", drawn, bare, GOAL_DRAWN),
        _row("longest task of a page load", loading_tasks, loops, GOAL_TASK, "loop"),
        _row("longest task of a move", tasks, loops, GOAL_TASK, "loop"),
    )


def _longest_task(page: Page) -> float:
    """Return the length of the longest task since the last call."""
    task: float = page.evaluate(TASK)
    return max(task, SHORTEST)


def _row(name: str, measured: list[float], beside: list[float], goal: float, kind: str = "bare") -> Row:
    ours, bare = median(measured), median(beside)
    cells = (name, f"{ours:,.0f} ms", f"{bare:,.0f} ms {kind}", f"{ours / bare:.2f}")
    return Row(cells, f"≤ {goal:g} times", ours / bare <= goal)


@contextmanager
def _page(browser: Browser, table: Table, address: str, network: dict[str, Any] | None = None) -> Iterator[Page]:
    """Load a page with an empty cache, as the first player, and wait until it is usable."""
    account = orjson.dumps({"token": table.people[0].token, "player": "", "name": "Phone"}).decode()
    context = browser.new_context(viewport={"width": 360, "height": 740}, service_workers="block")
    context.add_init_script(f"localStorage.setItem('condottiere.account', '{account}'); {NOTE}")
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if network is not None:
        devices.send("Network.enable")
        devices.send("Network.emulateNetworkConditions", network)
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.noted?.usable")
    yield page
    context.close()
