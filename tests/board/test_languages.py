"""Languages of the board: a folder makes a language, and everything that the board says comes from it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, expect

from service import board

from ..service.whole.product import Service, running
from .conftest import DESKTOP, PATIENCE
from .players import Player
from .scenes import SEED, in_battle, is_finished, play_until

TAG = "en-XA"
"""English with marks around each text, which shows where a text of another language is missing."""
MARKED = """
const marked = (value, name) => {
  if (typeof value === "string") return name === "language" ? "en-XA" : name === "sentences" ? value : `⟦${value}⟧`;
  if (typeof value === "function") return (...parts) => marked(value(...parts), "");
  if (value === null || typeof value !== "object" || "_$litType$" in value) return value;
  if (Array.isArray(value)) return value.map((each) => marked(each, ""));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each, key)]));
};
export const t = marked(english);
"""
NAME = "Caterina"
SEA = "Mare "
"""The names of the seas on the map are Italian in every language, like those of the regions."""
ROOT = Path(__file__).parents[2]
HEAR = """
window.answered = [];
const { json } = Response.prototype;
Response.prototype.json = async function () {
    const answer = await json.call(this);
    window.answered.push(JSON.stringify(answer));
    return answer;
};
"""
"""Records the answers of the API."""
READ = """() => {
    const said = [document.title];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        if (!parentElement.closest(
            "script, style, time, .home-last, .log-lines, .replay-text, #spoken, #urgent"
        )) said.push(data);
    }
    const names = ["alt", "aria-label", "aria-valuetext", "placeholder", "title"];
    for (const element of document.querySelectorAll("*")) {
        if (!element.closest("time, .log-lines")) said.push(...names.map((name) => element.getAttribute(name) ?? ""));
    }
    return said;
}"""
"""Everything that a page says, except times and sentences about events, which the API has written."""


def test_all_languages_have_the_same_files_and_the_same_frame() -> None:
    """A frame differs only in its language and its texts."""
    folders = {path.name: path for path in (Path(board.__file__).parent / "files" / board.LANGUAGES).iterdir()}
    assert sorted(folders) == list(board.languages())
    english = folders[board.DEFAULT_LANGUAGE]
    for tag, folder in folders.items():
        assert {file.name for file in folder.iterdir()} == {file.name for file in english.iterdir()}
        own, model = (re.findall(r"<[a-z/][^>]*>", (each / board.FRAME).read_text()) for each in (folder, english))
        assert own[0] == f'<html lang="{tag}">'
        assert [tag for tag in own[1:] if "description" not in tag] == [
            tag for tag in model[1:] if "description" not in tag
        ]


def add_language(folder: Path) -> None:
    """Copy the English folder, and mark its texts."""
    languages = folder / "service" / "board" / "files" / board.LANGUAGES
    made = shutil.copytree(languages / board.DEFAULT_LANGUAGE, languages / TAG)
    for name in ("texts.js", "texts.screens.js"):
        (made / name).rename(made / f"english.{name}")
        others = "export { counted, listed } from" if name == "texts.js" else "import"
        (made / name).write_text(
            f'import {{ t as english }} from "./english.{name}";\n{others} "./english.{name}";\n{MARKED}'
        )
    frame = made / board.FRAME
    marked = frame.read_text().replace('lang="en"', f'lang="{TAG}"')
    frame.write_text(marked.replace(">Skip to content<", ">⟦Skip to content⟧<"))


@pytest.fixture(scope="module")
def translated() -> Iterator[Service]:
    """A service whose board has one more language: nothing but a folder was added to a copy of the project."""
    with TemporaryDirectory(prefix="languages-") as name:
        copy, data = Path(name) / "project", Path(name) / "data"
        data.mkdir()
        for package in ("engine", "service"):
            shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
        add_language(copy)
        # The service's processes do not look in the current folder for their modules.
        with running(data, WEB_WORKERS="1", PYTHONPATH=str(copy)) as started:
            yield started


@pytest.mark.browser
@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("en-XA", "en-XA"),
        ("de, en-XA;q=0.8, en;q=0.5", "en-XA"),
        ("en-GB, en-XA;q=0.5", "en"),
        ("de", "en"),
        (None, "en"),
    ],
)
def test_a_page_is_in_the_first_language_that_the_board_has(
    translated: Service, wanted: str | None, language: str
) -> None:
    """The service worker keeps the files of the same language."""
    headers = {} if wanted is None else {"Accept-Language": wanted}
    for path in ("/", "/lobby", "/worker.js"):
        answer = requests.get(translated.url + path, headers=headers, timeout=30)
        assert "Accept-Language" in answer.headers["Vary"]
        files = re.findall(r"/static/\w+/([\w-]+)", answer.text)
        assert set(files) == {language}
        if path != "/worker.js":
            assert f'<html lang="{language}">' in answer.text


@pytest.fixture(scope="module")
def games(translated: Service) -> tuple[Player, dict[str, str]]:
    """A player, and the address of each screen."""
    player = Player(translated, NAME)
    running_game = player.open("zman-2018", 4, 3, seed=SEED, talk="all", showing="allowed")["id"]
    play_until(player, running_game, in_battle)
    over = player.open("zman-2018", 4, 3, seed=SEED, options={"battle_limit": 2})["id"]
    play_until(player, over, is_finished)
    clock = {"kind": "per-move", "seconds": 86400}
    waiting = player.open("ffg-2007", 3, 1, title="Rome", clock=clock)["id"]
    Player(translated, NAME).open("eurogames-1995", 3, 1, title="Rome", clock=clock)
    return player, {
        "start": "/",
        "lobby": "/lobby",
        "new game": "/new",
        "before the start": f"/game/{waiting}",
        "running": f"/game/{running_game}",
        "over": f"/game/{over}",
        "replay": f"/game/{over}?at=9",
        "rules": "/rules/zman-2018",
        "player": f"/player/{player.account['id']}",
        "settings": "/settings",
        "signed out": "/",
        "sign in": "/signin",
        "nothing there": "/game/none",
    }


@pytest.mark.browser
@pytest.mark.parametrize(
    "screen",
    [
        "start",
        "lobby",
        "new game",
        "before the start",
        "running",
        "over",
        "replay",
        "rules",
        "player",
        "settings",
        "signed out",
        "sign in",
        "nothing there",
    ],
)
def test_no_english_is_left_in_another_language(
    browser: Browser, translated: Service, games: tuple[Player, dict[str, str]], screen: str
) -> None:
    """Every text has the marks of the other language, unless it is part of an answer of the API."""
    player, addresses = games
    width, height = DESKTOP
    context = browser.new_context(
        base_url=translated.url, locale=TAG, service_workers="block", viewport={"width": width, "height": height}
    )
    context.set_default_timeout(PATIENCE)
    if screen not in ("signed out", "sign in"):
        player.sign_in(context)
    page = context.new_page()
    page.add_init_script(HEAR)
    page.goto(addresses[screen])
    expect(page.locator("html")).to_have_attribute("lang", TAG)
    # The frame is there before the screen.
    expect(page.locator("#late")).to_have_count(0)
    expect(page.get_by_text("⟦").locator("visible=true").first).to_be_visible()
    if "/game/" in addresses[screen] and screen not in ("before the start", "nothing there"):
        expect(page.get_by_role("log").get_by_role("listitem").first).to_be_visible()
    if screen == "running":
        expect(page.locator("summary", has_text="⟦Talk⟧")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    expect(page.get_by_text("⟦Loading⟧")).to_have_count(0)
    said = page.evaluate(READ)
    answered = [player.name, *strings([json.loads(answer) for answer in page.evaluate("window.answered")])]
    left = [rest(text, answered) for text in said]
    context.close()
    assert [text for text in left if text and not text.startswith(SEA)] == []


def strings(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def rest(text: str, answered: list[str]) -> str:
    """Return the part of a text that is in no marks and not from the API, if it has words."""
    outside, before = text, ""
    while outside != before:
        before, outside = outside, re.sub("⟦[^⟦⟧]*⟧", " ", outside)
    words = " ".join(outside.split()).strip("().,:;·–×+ ")
    if not re.search("[A-Za-z]{2}", words) or words == "Condottiere":
        return ""
    return "" if any(words in known or re.fullmatch(template(known), words) for known in answered) else words


def template(known: str) -> str:
    """Return a pattern for a sentence of the API, whose placeholders the board fills."""
    return re.sub(r"\\\{[^{}]*\\\}", ".+", re.escape(known.rstrip(".")))
