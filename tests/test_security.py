"""The threat model is correct: each promise names code that enforces it and a test that proves it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text()
TEST = re.compile(r"\[`(\w+)`\]\((tests/[\w/]+\.py)\)")
ROW = re.compile(r"\| (?!the [\w ]+ cannot|somebody else cannot|---)")
PROMISES = [line for line in TEXT.split("## Threat model")[1].splitlines() if ROW.match(line)]
"""Rows of the tables: what a party cannot do, the code that enforces it, and the test that proves it."""


def test_every_promise_names_a_test() -> None:
    assert len(PROMISES) > 25
    assert [promise for promise in PROMISES if not TEST.search(promise.rpartition(" | ")[2])] == []


def test_every_test_that_is_named_exists() -> None:
    """Tests that are named outside the tables exist too."""
    for name, file in TEST.findall(TEXT):
        assert re.search(rf"^ *(def|class) {name}\b", (ROOT / file).read_text(), re.MULTILINE), f"{file} has no {name}"


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"`((?:engine|service)/[\w/]+\.\w+)`", TEXT) + re.findall(r"\]\((?!https?:)([^)#]+)", TEXT)
    assert len(named) > 60
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_section_that_is_linked_exists() -> None:
    for file, section in re.findall(r"\]\(([\w./]+\.md)#([\w-]+)\)", TEXT):
        titles = re.findall(r"^#+ (.*)", (ROOT / file).read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
        assert section in anchors, f"{file} has no section {section}"
