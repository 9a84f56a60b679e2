"""The board's texts: all of them are in the catalogue, so a translation needs only other files, not another board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import service
from service import board

from .refusing import ADVICE

API = re.compile(r'Problem\(\s*"([a-z-]+)",\s*f?"[^"\n]*/v1/')
"""A problem whose detail says which request of the API to send."""
CATALOGUE = ("texts.js", "texts.screens.js")
SCRIPTS = {
    name: content.decode()
    for name, content in board.assets().items()
    if name.endswith(".js") and name not in CATALOGUE and not name.startswith("vendor/")
}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`/])//[^\n]*", re.DOTALL)
BETWEEN_TAGS = re.compile(r"(?<![=)\s])>([^<>`${}=;()&|]*)<")
"""The text between two tags of a template."""
SPOKEN = re.compile(r"\b(?:aria-label|alt|placeholder|title)=\"([^\"$]*)\"")
"""Attributes that people read or hear, unless their values are expressions."""
STRING = re.compile(r"(?<!=)\"([^\"\n]*)\"|(?<!=)'([^'\n]*)'")
WORDS = re.compile(r"[A-Za-z][a-z]+[,.:]? [a-z]+")
NO_TEXT = re.compile(
    r"[.#\[][\w-]|\((prefers-|pointer:)|[a-z]+(, [a-z]+)+$|"
    r"([a-z]+(-[a-z]+)* )*([a-z]+-[a-z-]+|quiet|primary)( [a-z-]+)*$"
)
"""Selectors, class names and media queries."""
PICTURES = re.compile(
    "[\u2190-\u21ff\u23cf-\u23ff\u25a0-\u27bf\u2900-\u2bff\U0001f000-\U0001faff]"
    r"|(?<!\} )×(?! ?\$)|&times;|>\s*\+\s"
)
"""Characters that stand for a picture: arrows, ticks, shapes, emoji, and signs of multiplication or addition without a
number."""
NOT_SHOWN = {"this is another release"}
"""The message of an error that no user sees."""


def _is_text(string: str) -> bool:
    return bool(WORDS.search(string)) and not (
        re.search("[<>=]", string) or NO_TEXT.match(string) or string in NOT_SHOWN
    )


def texts(script: str) -> list[str]:
    """Return everything in a script that looks like text: words between tags, in attributes, or in strings."""
    script = COMMENT.sub("", script)
    shown = [*BETWEEN_TAGS.findall(script), *SPOKEN.findall(script)]
    strings = [one or other for one, other in STRING.findall(script)]
    return [
        *(text.strip() for text in shown if re.search("[A-Za-z]{2}", text)),
        *(text for text in strings if _is_text(text)),
    ]


def test_no_advice_of_the_board_is_a_request_of_the_api() -> None:
    """For each problem whose detail is such advice, the board has advice of its own."""
    sources = [path.read_text() for path in Path(service.__file__).parent.rglob("*.py")]
    codes = {code for source in sources for code in API.findall(source)}
    assert {"game-paused", "seat-with-bot"} <= codes <= {*ADVICE}
    assert not any("/v1/" in advice for advice in ADVICE.values())


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_has_no_text_of_its_own(name: str) -> None:
    assert texts(SCRIPTS[name]) == []


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("html`<p>${a}</p><p>Your turn</p>`", "Your turn"),
        ('html`<p title="Your turn">${a}</p>`', "Your turn"),
        ('return "Somebody has moved.";', "Somebody has moved."),
        ("say(html`<b>Pass</b>`)", "Pass"),
    ],
)
def test_a_text_in_a_script_is_found(script: str, text: str) -> None:
    assert texts(script) == [text]


def test_a_style_draws_no_character() -> None:
    """A font's signs differ from system to system, and screen readers read them."""
    styles = "".join(content.decode() for path, content in board.assets().items() if path.endswith(".css"))
    contents = re.findall(r"^ *content: (.+);$", styles, re.MULTILINE)
    assert contents
    assert set(contents) == {'""'}


def test_no_script_or_text_draws_with_characters() -> None:
    """Arrows, ticks, shapes and emoji are signs of the board's own. A sign of multiplication belongs to a number."""
    for name, content in board.assets().items():
        if name.endswith(".js") and not name.startswith("vendor/"):
            assert PICTURES.findall(COMMENT.sub("", content.decode())) == [], name


def test_letters_grow_with_those_of_the_browser_and_are_not_small() -> None:
    """Sizes grow with the letters of the page, and are at least 12 pixels. Those on the map are in units of the map.

    The fonts are the system's, with figures of the same width, and nothing moves without an end.
    """
    styles = {path: content.decode() for path, content in board.assets().items() if path.endswith(".css")}
    rules = [rule for style in styles.values() for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", style)]
    for selector, rule in rules:
        for value in re.findall(r"font-size: ([^;]+);", rule):
            size = re.fullmatch(r"([\d.]+)(\w+)", value)
            assert size
            number, unit = size.groups()
            assert (unit == "px" and "map-" in selector) or (unit == "rem" and float(number) >= 0.75), (selector, value)
    assert "tabular-nums" in styles["style.css"]
    assert not any(re.search("@font-face|url\\(|infinite|iteration", style) for style in styles.values())


def test_the_frame_has_only_what_is_read_without_scripts() -> None:
    """These are the skip link, the name of the site, and the message for a browser without modules."""
    body = board.frame("game.js").partition("<body>")[2]
    shown = " ".join(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", body, flags=re.DOTALL).split())
    assert shown.startswith("Skip to content Condottiere The board needs JavaScript.")
    assert shown.endswith("the API guide says how.")
    assert shown.count(".") == 6
