"""Adding an edition or a bot takes files of its own and nothing else.

The test copies the project, adds a toy edition and a toy bot as CONTRIBUTING.md describes, generates what is generated,
and runs some of the tests in the copy: those that look at every edition, every bot, every document or the API's
description. A list of keys that is kept by hand fails one of them.

Of these tests it selects those about the toys and those about no edition in particular. It leaves out the tests that
play at random for long and those that need servers: they take their editions and bots from the same two lists.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import DEFAULT, EDITIONS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PARTS = ("benchmarks", "docs", "engine", "examples", "openapi", "service", "tests")
"""The folders of the project that the tests need; beside them they need its documents and its settings."""

KEY = "toy-2020"
EDITION = f'''
"""A toy: five cards for each of three seats, and newer than the edition in print."""

from dataclasses import replace

from .{DEFAULT.replace("-", "_")} import EDITION as MODEL

EDITION = replace(
    MODEL,
    key="{KEY}",
    title="Condottiere, a toy",
    year=2020,
    listed_year=2020,
    publisher="Nobody",
    sources=("There is no rulebook",),
    fewest_seats=3,
    most_seats=3,
    goals={{3: MODEL.goals[3]}},
    hand_size=5,
)
'''
BOT = '''
"""A toy: the first of the legal commands."""

from .bot import Bot

BOT = Bot("toy", "The first legal move.", lambda view, random: view.legal[0], level=0)
'''
OWN_TESTS = f'''
"""The toy edition and the toy bot."""

from engine import DEFAULT, EDITIONS, replay, start
from engine.bots import BOTS

from .cases import in_editions
from .table import ANY, Script


@in_editions("dealt", "{KEY}")
def test_every_seat_of_the_toy_is_dealt_five_cards(edition: str) -> None:
    state = replay(start(edition, 3, Script(lots=["A of ABC"], deals=[ANY])))
    assert [sum(hand) for hand in state.hands] == [5, 5, 5]


def test_toys_are_listed_in_their_places() -> None:
    """The newest edition first, the weakest bot first, of equals by their keys; nobody plays a toy unasked."""
    assert list(EDITIONS)[0] == "{KEY}" != DEFAULT
    assert list(BOTS)[:2] == ["random", "toy"]
'''

ENGINE_TESTS = (
    "bots",
    "decks",
    "fold",
    "golden_games",
    "keys",
    "notation",
    "opening",
    "options",
    "perft",
    "recorded_games",
    "refusals",
    "rules_documents",
    "toys",
    "values",
)
SELECTION = (
    *(f"tests/engine/test_{name}.py" for name in ENGINE_TESTS),
    "tests/test_docs.py",
    "tests/service/api/test_openapi.py::test_the_files_are_what_make_openapi_writes",
    "engine/bots",
    "engine/editions",
)


def run(folder: Path, *arguments: str) -> None:
    """Run a module of the copy, which must succeed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH"))}
    process = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.timeout(600)
def test_an_edition_and_a_bot_need_no_file_but_their_own(tmp_path: Path) -> None:
    for name in PARTS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        shutil.copy(file, tmp_path)
    rules = (ROOT / "docs" / "rules" / f"{DEFAULT}.md").read_text(encoding="utf-8")
    for place, text in {
        f"engine/editions/{KEY.replace('-', '_')}.py": EDITION,
        f"docs/rules/{KEY}.md": rules.replace(DEFAULT, KEY),
        "engine/bots/toy.py": BOT,
        "tests/engine/test_toys.py": OWN_TESTS,
    }.items():
        assert not (tmp_path / place).exists()
        (tmp_path / place).write_text(text.lstrip(), encoding="utf-8")

    run(tmp_path, "tests.games", f"{KEY}@1")
    run(tmp_path, "tests.positions", f"{KEY}@1")
    run(tmp_path, "service", "documents")
    run(tmp_path, "service", "openapi")

    printed = " or ".join(EDITIONS)
    run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-k", f"toy or not ({printed})", *SELECTION)
