"""The rules documents contain every clause that a refusal cites, and a complete table of refusals."""

import re

import pytest

from engine import EDITIONS, NEWEST, Edition
from engine.cards import KIND

from .cases import PRINTED, proves
from .rules_documents import clauses_in, document

EVERY_EDITION = pytest.mark.parametrize("edition", NEWEST.values(), ids=list(EDITIONS))

ROW = re.compile(r"^\| *`([a-z-]+)` *\| *([\d.]+) *\| *(\S.*?) *\|$", re.MULTILINE)


@EVERY_EDITION
def test_the_table_of_refusals_is_the_editions_own(edition: Edition) -> None:
    """The last section lists each code once, with the clause that the engine cites and when it occurs."""
    last = document(edition.key).split("\n## ")[-1]
    assert last.startswith("Refusals\n")
    rows = ROW.findall(last)
    assert len(rows) == len({code for code, _, _ in rows})
    assert {code: clause for code, clause, _ in rows} == edition.clauses


@EVERY_EDITION
def test_every_cited_clause_stands_in_the_document(edition: Edition) -> None:
    """A reader finds each cited clause exactly once."""
    numbers = clauses_in(document(edition.key))
    assert len(numbers) == len(set(numbers))
    assert set(edition.clauses.values()) <= set(numbers)


@EVERY_EDITION
def test_resignation_is_a_house_rule(edition: Edition) -> None:
    """All its clauses say so, including the one that refusals cite. Clause 1.5 names the exception."""
    text = document(edition.key)
    section = text.split("\n### Resignation\n")[1].split("\n## ")[0]
    clauses = [" ".join(clause.split()) for clause in re.split(r"\n(?=\*\*)", section)[1:]]
    assert all(clause.endswith("(house rule)") for clause in clauses)
    first, *others = clauses_in(section)
    assert first == edition.clauses.get("already-resigned", first)
    assert bool(others) is ("already-resigned" in edition.clauses) is (edition.most_seats > 2)
    assert f"except to resign ({first})" in " ".join(text.split())


@proves("1.3", *PRINTED)
@EVERY_EDITION
def test_the_document_names_every_kind_of_card(edition: Edition) -> None:
    """Its table of the deck has each kind with its printed name and its count."""
    text = document(edition.key)
    rows = re.findall(r"^\| *`([a-z0-9-]+)` *\|(.*)\|$", text, re.MULTILINE)
    cells = {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows if name in edition.labels}
    assert set(cells) == set(edition.labels)
    for name, label in edition.labels.items():
        assert label in cells[name]
        assert str(edition.deck[KIND[name]]) in cells[name]


@proves("1.2", *PRINTED)
@EVERY_EDITION
def test_the_document_lists_the_borders_of_the_board(edition: Edition) -> None:
    """The document's table of neighbours matches the board; without a board there is no table."""
    board = edition.board
    rows = dict(re.findall(r"^\| ([A-Z][a-z]+) \| ([A-Z][a-z, A-Z]+) \|$", document(edition.key), re.MULTILINE))
    if board is None:
        assert not rows
        return
    assert len(rows) == len(board.regions)
    for region in board.regions:
        neighbours = board.neighbours[board.index[region.key]]
        names = sorted(other.name for index, other in enumerate(board.regions) if neighbours >> index & 1)
        assert rows[region.name].split(", ") == names
