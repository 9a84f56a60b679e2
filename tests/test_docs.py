"""The documents agree with the code."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from engine import EDITIONS, NEWEST
from engine.italy import ITALY
from service.problems import PROBLEMS

DOCS = Path(__file__).parents[1] / "docs"


def rows(document: str) -> list[list[str]]:
    """Return the cells of every row of every table in a document."""
    lines = (DOCS / document).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]


def test_every_problem_is_documented() -> None:
    documented = {cells[0].strip("`"): (cells[1], cells[2]) for cells in rows("errors.md") if cells[0].startswith("`")}
    assert documented == {code: (str(kind.status), kind.title) for code, kind in PROBLEMS.items()}


@pytest.mark.parametrize("key", EDITIONS)
def test_every_refusal_of_an_edition_cites_a_clause_of_its_document(key: str) -> None:
    cited = {cells[0].strip("`"): cells[1] for cells in rows(f"rules/{key}.md") if len(cells) == 3}
    assert {code: cited[code] for code in NEWEST[key].clauses} == NEWEST[key].clauses
    numbered = set(re.findall(r"^\*\*(\d+\.\d+)\*\*", (DOCS / f"rules/{key}.md").read_text(), re.MULTILINE))
    assert set(NEWEST[key].clauses.values()) <= numbered


@pytest.mark.parametrize("key", EDITIONS)
def test_every_refusal_of_an_edition_is_a_problem(key: str) -> None:
    assert set(NEWEST[key].clauses) <= set(PROBLEMS)


@pytest.mark.parametrize("key", [key for key, edition in NEWEST.items() if edition.board])
def test_the_borders_in_the_rules_are_those_of_the_board(key: str) -> None:
    names = {region.name for region in ITALY.regions}
    listed = {cells[0]: set(cells[1].split(", ")) for cells in rows(f"rules/{key}.md") if cells[0] in names}
    key_of = {region.name: region.key for region in ITALY.regions}
    borders = {tuple(sorted((key_of[region], key_of[other]))) for region, others in listed.items() for other in others}
    assert set(listed) == names
    assert borders == set(ITALY.borders)


@pytest.mark.parametrize("document", sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")))
def test_links_between_documents_lead_somewhere(document: str) -> None:
    folder = (DOCS / document).parent
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", (DOCS / document).read_text()):
        assert (folder / target).exists(), f"{document} links to {target}"


def test_the_guide_to_the_engine_does_what_it_shows() -> None:
    """The blocks form one session; a block that lost its prompts would change their number."""
    guide = DOCS / "engine.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 60) == (0, True)
    blocks = re.findall(r"^```python\n(.*)", guide.read_text(), re.MULTILINE)
    assert len(blocks) > 10
    assert all(first.startswith(">>> ") for first in blocks)


def test_no_problem_is_documented_twice() -> None:
    codes = re.findall(r"^\| `([a-z-]+)` \| \d{3} \|", (DOCS / "errors.md").read_text(), re.MULTILINE)
    assert sorted(codes) == sorted(set(codes))


def test_no_document_has_stray_asterisks() -> None:
    for path in [*DOCS.parent.glob("*.md"), *DOCS.rglob("*.md")]:
        assert "****" not in path.read_text(), path
