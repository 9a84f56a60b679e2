"""Adding an edition, a revision of an edition, or a bot requires only new files.

The test copies the project, adds a toy edition and a toy bot as CONTRIBUTING.md describes, and then a second revision
of the toy edition. It generates all generated files, and runs some tests in the copy: those that check every edition,
every bot, every document or the API's description. If somebody maintains a list of keys by hand, one of these tests
fails.

The selected tests are about the toys or about no particular edition. Tests with long random games and tests that need
servers are left out: they take their editions and bots from the same two lists.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine import DEFAULT, EDITIONS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PARTS = ("benchmarks", "clients", "docs", "engine", "examples", "openapi", "service", "tests")
"""The folders of the project that the tests need, in addition to its documents and settings."""

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
REVISION_2 = f'''
"""A toy: the second revision of its rules. A card more for each seat."""

from dataclasses import replace

from . import {KEY.replace("-", "_")}

EDITION = replace({KEY.replace("-", "_")}.EDITION, revision=2, hand_size=6)
'''
CLAUSE = "2.1"
"""The clause in the model's document that states how many cards are dealt."""
AS_IT_WAS = f"""
## Revision 1

**{CLAUSE}** Every seat is dealt five cards. (house rule)

## Refusals
"""
BOT = '''
"""A toy: the last of the legal commands."""

from .bot import Bot

BOT = Bot("toy", "The last legal move.", lambda situation: situation.view.legal[-1], level=0)
'''
OWN_TESTS = f'''
"""The toy edition and the toy bot."""

from engine import DEFAULT, EDITIONS, NEWEST, replay, start
from engine.bots import BOTS
from service.editions.clauses import clauses_of

from .cases import in_cases
from .table import ANY, Script


@in_cases("revision size", ("dealt-1", "{KEY}", 1, 5), ("dealt-2", "{KEY}", 2, 6), ("dealt-newest", "{KEY}", None, 6))
def test_every_seat_of_the_toy_is_dealt_the_cards_of_its_revision(edition: str, revision: int, size: int) -> None:
    state = replay(start(edition, 3, Script(lots=["A of ABC"], deals=[ANY]), revision=revision))
    assert [sum(hand) for hand in state.hands] == [size] * 3


def test_the_toy_has_the_clause_of_its_revision() -> None:
    first, second = EDITIONS["{KEY}"].values()
    assert second is NEWEST["{KEY}"]
    for value in (first, second):
        (dealt,) = [clause["text"] for clause in clauses_of(value) if clause["number"] == "{CLAUSE}"]
        assert ("five cards" in dealt) is (value is first)


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


def add(folder: Path, files: Mapping[str, str]) -> None:
    """Write files that do not exist yet."""
    for place, text in files.items():
        assert not (folder / place).exists()
        (folder / place).write_text(text.lstrip(), encoding="utf-8")


def record(folder: Path, revision: str) -> None:
    """Record the games and the positions of a revision."""
    run(folder, "tests.games", revision)
    run(folder, "tests.positions", revision)


@pytest.mark.timeout(600)
def test_an_edition_a_revision_and_a_bot_need_no_file_but_their_own(tmp_path: Path) -> None:
    for name in PARTS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        shutil.copy(file, tmp_path)
    rules = (ROOT / "docs" / "rules" / f"{DEFAULT}.md").read_text(encoding="utf-8").replace(DEFAULT, KEY)
    rules = re.sub(r"^## Revision \d+$.*?(?=^## )", "", rules, flags=re.MULTILINE | re.DOTALL)
    document, module = f"docs/rules/{KEY}.md", f"engine/editions/{KEY.replace('-', '_')}"
    add(tmp_path, {f"{module}.py": EDITION, document: rules, "engine/bots/toy.py": BOT})
    record(tmp_path, f"{KEY}@1")

    (tmp_path / document).unlink()
    add(tmp_path, {f"{module}_revision_2.py": REVISION_2, document: rules.replace("\n## Refusals\n", AS_IT_WAS)})
    add(tmp_path, {"tests/engine/test_toys.py": OWN_TESTS})
    record(tmp_path, f"{KEY}@2")
    run(tmp_path, "service", "documents")
    run(tmp_path, "service", "openapi")

    printed = " or ".join(EDITIONS)
    run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-k", f"toy or not ({printed})", *SELECTION)
