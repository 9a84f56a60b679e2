"""Only an edition's module contains the edition's key: no other code may depend on which edition is played."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import EDITIONS

ROOT = Path(__file__).parents[2]
EXCEPT = ROOT / "engine" / "editions"


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield each string of a program with its line, including docstrings and the fixed parts of f-strings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def keys_in(file: Path) -> list[str]:
    """Return the places in a file where a string contains a key."""
    found = strings(file.read_text(encoding="utf-8"))
    name = file.relative_to(ROOT)
    return [f"{name}:{line} {key}" for line, text in found for key in EDITIONS if key in text]


@pytest.mark.parametrize("folder", ["engine", "service", "benchmarks", "examples"])
def test_no_key_of_an_edition_stands_in_a_string_outside_its_file(folder: str) -> None:
    """Differences between editions are fields of `Edition`; code that needs an edition takes it from `EDITIONS`."""
    files = [file for file in sorted((ROOT / folder).rglob("*.py")) if EXCEPT not in file.parents]
    assert files or folder == "examples"
    assert [place for file in files for place in keys_in(file)] == []


def test_a_key_is_found_wherever_it_stands() -> None:
    """The test looks in a docstring, in an f-string, and in an argument."""
    source = '"""About zman-2018."""\nprint(f"{1} ffg-2007")\nedition("eurogames-1995")\n'
    found = sorted(line for line, text in strings(source) if any(key in text for key in EDITIONS))
    assert found == [1, 2, 3]


def test_every_edition_has_a_file_that_states_its_key() -> None:
    """The module is named after the key."""
    for key in EDITIONS:
        file = EXCEPT / f"{key.replace('-', '_')}.py"
        assert key in [text for _, text in strings(file.read_text(encoding="utf-8"))]
