"""`make lint` finds misspelt words in documents, comments, docstrings and strings, and skips code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .repository import CI, Repository, load

spelling = load("spelling")
LISTED = spelling.read_words((CI / "words.txt").read_text())
PYTHON = '''"""Docstring of a modul."""

COUNT = 1  # a coment after code
"""Says what it holds,
on a secnd line.
"""


def name(acount: int) -> str:
    """Return a name.

    >>> nmae(1)
    'nmae one'

    Raises `Vlaue`.
    """
    if acount:
        raise ValueError(f"the cuont {acount!r} is {1:>4} to hihg")
    return "kee-p" + "one or tow worsd"
'''


@pytest.fixture(scope="module")
def checker() -> Any:
    """The dictionary, which takes a while to load, and the project's list."""
    return spelling.Checker(LISTED)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """An empty git repository."""
    monkeypatch.setattr(spelling, "ROOT", tmp_path)
    return Repository(tmp_path)


def misspelt(tree: Repository, checker: Any, path: str, text: str) -> list[tuple[int, str]]:
    """Return the line and word of each finding in a file."""
    tree.write(path, text)
    found = [line.split(":") for line in spelling.check([path], checker)]
    return [(int(line), word.strip()) for _, line, word, _ in found]


def test_words_are_found_in_comments_docstrings_and_strings(tree: Repository, checker: Any) -> None:
    found = [(1, "modul"), (3, "coment"), (5, "secnd"), (18, "cuont"), (18, "hihg"), (19, "worsd")]
    assert misspelt(tree, checker, "engine/module.py", PYTHON) == found


def test_words_are_found_in_documents_outside_of_code(tree: Repository, checker: Any) -> None:
    document = "# Titel\n\nA `nmae`, [a lnik](docs/nmae.md).\n\n```\nnmae\n```\n\n* The batle of Roma\n"
    assert misspelt(tree, checker, "docs/guide.md", document) == [(1, "Titel"), (3, "lnik"), (9, "batle")]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("store/append.lua", "local nmae = 1 -- the lenght of a log"),
        ("examples/bot.mjs", "const nmae = 1; // the lenght of a log"),
        ("pyproject.toml", "nmae = 1  # the lenght of a log"),
        ("hooks.yaml", "nmae: 1 # the lenght of a log"),
        ("Makefile", "nmae: ## Count the lenght of a log."),
        (".ci/run", "make nmae # the lenght of a log"),
    ],
)
def test_words_are_found_in_comments_of_other_languages(tree: Repository, checker: Any, path: str, line: str) -> None:
    assert misspelt(tree, checker, path, line) == [(1, "lenght")]


@pytest.mark.parametrize("name", ["CamelCaze", "snake_caze", "docs/gide.md", "--sead", "x2y", "sead()", "ABCX"])
def test_names_in_prose_are_skipped(tree: Repository, checker: Any, name: str) -> None:
    assert misspelt(tree, checker, "README.md", f"The name {name} is not read.") == []


@pytest.mark.parametrize(
    "word", ["Condottiere's", "rulebooks", "Mantova", "doesn't", "players’", "spelt", "randomised"]
)
def test_words_of_the_game_are_right(tree: Repository, checker: Any, word: str) -> None:
    assert misspelt(tree, checker, "README.md", f"Here {word} is right.") == []


def test_an_american_spelling_is_refused_with_the_british_one(tree: Repository, checker: Any) -> None:
    tree.write("README.md", "The favor marker is organized by color.")
    assert list(spelling.check(["README.md"], checker)) == [
        "README.md:1: organized: write organised, the British spelling",
        "README.md:1: color: write colour, the British spelling",
    ]


def test_all_files_are_checked_where_none_is_named(tree: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    """These are tracked and new files, but no ignored files."""
    tree.write(".gitignore", "build/\n")
    tree.write("known.md", "A batle.\n")
    tree.commit("tree: first")
    tree.write("new.md", "A batle.\n")
    tree.write("build/made.md", "A batle.\n")
    tree.write("data.json", '{"text": "A batle."}\n')
    assert spelling.main([]) == 1
    found = capsys.readouterr().out.splitlines()[:-1]
    assert sorted(found) == [f"{name}.md:1: batle: not in the dictionary" for name in ("known", "new")]
    assert spelling.main([".gitignore"]) == 0


def test_the_list_has_only_words_that_the_dictionary_lacks() -> None:
    """The list may also refuse words: `authorization` is the name of a header."""
    dictionary = spelling.SpellChecker()
    known = {word for word in LISTED.known if word in dictionary}
    assert {word for word in known if not word.startswith(tuple(LISTED.refused))} == set()
