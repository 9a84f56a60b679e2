"""Takes the pictures of the board for the documents: `make screenshots`.

The script starts a service, plays a game to an interesting moment, and shows each screen in a browser at two widths.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from ..service.whole.product import running
from .browsers import ADVICE, OPTIONS, found_browser
from .conftest import DESKTOP, PHONE
from .players import Player
from .scenes import SEED, is_finished, play_until, with_regions

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "board"
SIZES = {"desktop": DESKTOP, "phone": PHONE}
START = "start"
"""The picture of the start page as seen without an account."""


def screens_of(game: str, over: str) -> dict[str, str]:
    """Return the address of each screen by the name of its picture, for a running game and a finished one."""
    return {
        "inbox": "/",
        "lobby": "/lobby",
        "new-game": "/new",
        "game": f"/game/{game}",
        "replay": f"/game/{over}?at=40",
        "rules": "/rules/zman-2018",
        "settings": "/settings",
    }


def screens(player: Player) -> dict[str, str]:
    """Return the address of each screen by the name of its picture; this plays two games."""
    game = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, game, with_regions)
    over = player.open("zman-2018", 4, 3, seed=SEED)["id"]
    play_until(player, over, is_finished)
    player.open("ffg-2007", 4, 1)
    return screens_of(game, over)


def take(page: Page, address: str, file: Path) -> None:
    """Show a screen, and write its picture once everything has loaded."""
    page.goto(address)
    page.get_by_role("heading").first.wait_for()
    page.get_by_role("status").first.wait_for(state="attached")
    page.wait_for_function(
        "() => document.querySelector('#app[data-drawn]') && !document.querySelector('[aria-busy=true]')"
    )
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 85})
    file.write_bytes(base64.b64decode(shot["data"]))
    print(f"wrote {file.relative_to(FOLDER.parents[1])}")


def main() -> int:
    """Take all pictures; return the exit code."""
    path = found_browser()
    if path is None:
        print(ADVICE, file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="board-") as folder, running(Path(folder), CONDOTTIERE_LIMITS="off") as service:
        player = Player(service)
        addresses = screens(player)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=[*OPTIONS])
            for name, (width, height) in SIZES.items():
                context = browser.new_context(base_url=service.url, viewport={"width": width, "height": height})
                page = context.new_page()
                take(page, "/", FOLDER / f"{START}-{name}.webp")
                player.sign_in(context)
                for screen, address in addresses.items():
                    take(page, address, FOLDER / f"{screen}-{name}.webp")
                context.close()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
