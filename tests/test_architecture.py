"""Each folder's `__init__` docstring says what may be in the folder, and these tests enforce it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from .repository import load

ROOT = Path(__file__).parents[1]
OURS = {"benchmarks", "engine", "service", "tests"}
FOLDERS = sorted(
    str(file.parent.relative_to(ROOT))
    for name in OURS
    for file in (ROOT / name).rglob("*.py")
    if file == file.parent / "__init__.py"
)
LIBRARIES = re.compile(r"^Libraries: ([\w, ]+)\.$", re.MULTILINE)


def said(folder: str) -> str:
    """Return a folder's docstring."""
    return ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())) or ""


def libraries(folder: str) -> Iterator[str]:
    """Yield the third-party modules that a folder's files import."""
    for file in (ROOT / folder).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names - OURS


def test_every_folder_with_code_is_a_package() -> None:
    found = {str(file.parent.relative_to(ROOT)) for name in OURS for file in (ROOT / name).rglob("*.py")}
    assert found == set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_says_what_may_live_in_it(folder: str) -> None:
    first, *_ = said(folder).split("\n\n")
    assert first.endswith((".", "`.")), f"{folder}/__init__.py does not say in a sentence what may live in {folder}"


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if folder.startswith("service/")])
def test_a_folder_of_the_service_is_for_the_libraries_that_it_names(folder: str) -> None:
    """Only these may be imported, so the docstring tells readers what to expect, and a new dependency is visible."""
    named = LIBRARIES.search(said(folder))
    assert set(named[1].split(", ") if named else ()) == set(libraries(folder))


def test_only_checked_schemas_compare_parts() -> None:
    """`CheckedSchema` never compares parts that have failed validation; marshmallow's own hooks can."""
    for file in (ROOT / "service" / "schemas").glob("*.py"):
        imported = {
            alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.ImportFrom) and node.module == "marshmallow"
            for alias in node.names
        }
        hooks = imported & {"pre_load", "validates", "validates_schema"}
        assert hooks == ({"validates_schema"} if file.name == "common.py" else set()), file.name


def test_the_documents_have_every_package_of_the_service_in_the_order_of_its_layers() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract.get("containers") == ["service"])
    rows = re.findall(r"^\| (\d+) \| `(\w+)/?` \|", section("The service"), re.MULTILINE)
    assert rows == [(str(number), package) for number, layer in enumerate(layers, 1) for package in layer.split(" | ")]


def test_the_walk_of_a_move_names_what_is_there() -> None:
    """Each step names a file and a function in it."""
    steps = re.findall(r"^\| (?:\d+ \| |\| … )`([\w/]+)` `([\w.]+)` \|", section("One move"), re.MULTILINE)
    assert len(steps) == 11
    for file, function in steps:
        (found,) = (path for folder in ("service", "") if (path := ROOT / folder / f"{file}.py").exists())
        assert f"def {function.rpartition('.')[2]}(" in found.read_text(), file


def section(title: str) -> str:
    """Return a section of the architecture document."""
    return (ROOT / "docs" / "architecture.md").read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("decision", sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md")))
def test_a_decision_has_a_date_a_status_and_the_same_four_sections(decision: str) -> None:
    text = (ROOT / "docs" / "decisions" / decision).read_text()
    assert re.match(rf"# {decision[:4]}\. .+\n\n\* Date: 20\d\d-\d\d-\d\d(, amended .+)?\n\* Status: accepted", text)
    assert re.findall(r"^## (.+)", text, re.MULTILINE) == ["Question", "Decision", "Instead of", "What follows"]


@pytest.mark.parametrize("container", ["engine", "service"])
def test_the_pictures_show_the_imports_as_they_are(container: str) -> None:
    """`make documents` draws them again."""
    imports = load("imports")
    drawn = imports.diagram(container)
    stored = (ROOT / imports.FOLDER / f"imports-{container}.svg").read_text()
    assert stored == imports.picture(drawn), "the imports have changed: run `make documents`"
    svg = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(stored)
    assert root.findtext(f"{svg}title")
    assert root.findtext(f"{svg}desc")
    names = {text.text for text in root.iter(f"{svg}text") if text.get("class") == "name"}
    assert names == {name for layer in drawn.layers for name in layer}
    assert len(root.findall(f"{svg}path[@class='arrow']")) == len(drawn.arrows) > 20


def test_an_arrow_that_others_imply_is_not_drawn() -> None:
    imports = {("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("a", "d"), ("a", "e")}
    assert load("imports").reduce_imports(imports) == [("a", "b"), ("a", "e"), ("b", "c"), ("c", "d")]


def test_arrows_that_cross_are_counted_and_avoided() -> None:
    script = load("imports")
    drawn = script.Diagram("x", [["a", "b"], ["c", "d"]], [("a", "d"), ("b", "c")], {}, {})
    found = script.layout(drawn, dict.fromkeys("abcd", 40.0))
    links = [tuple(chain) for chain in found.chains.values()]
    assert script.crossings([[("a", "a", 0), ("b", "b", 0)], [("c", "c", 1), ("d", "d", 1)]], links) == 1
    assert script.crossings(found.rows, links) == 0
