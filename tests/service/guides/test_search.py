"""The search index: it contains every heading of every guide and every problem, as text."""

from __future__ import annotations

import json

import pytest

from service.guides.documents import documents
from service.guides.pages import rendered
from service.guides.search import Entry, index
from service.guides.synonyms import ABSENCES, OTHER_WORDS, Absence
from service.problems import PROBLEMS


@pytest.fixture(scope="module")
def parts() -> dict[str, Entry]:
    """Every part by its address, without parts that do not exist."""
    absent = [one.heading for one in ABSENCES]
    listed = [entry for entry in (Entry(*entry) for entry in json.loads(index([]))) if entry.heading not in absent]
    found = {entry.address: entry for entry in listed}
    assert len(found) == len(listed)
    return found


def test_every_heading_is_in_the_index(parts: dict[str, Entry]) -> None:
    for document in documents().values():
        for heading in rendered(document.name).headings:
            part = parts[f"{document.address}#{heading.anchor}"]
            assert (part.page, part.heading) == (document.title, heading.text)


def test_every_problem_is_in_the_index(parts: dict[str, Entry]) -> None:
    for code, kind in PROBLEMS.items():
        part = parts[f"/problems/{code}"]
        assert (part.page, part.heading, part.words) == ("Problem", code, [code])
        assert part.factor < 1
        assert part.text.startswith(f"{kind.title} ")
        assert len(part.text) > len(kind.title) + 1


def test_every_clause_is_in_the_index(parts: dict[str, Entry]) -> None:
    second = parts["/guide/rules/ffg-2007#1.2"]
    assert second.heading.endswith(", 1.2")
    assert second.text.startswith("1.2 ")
    assert parts["/guide/rules/ffg-2007#1-the-game"].text.startswith("1.1 "), (
        "the first clause is in its heading's part"
    )
    assert "/guide/rules/ffg-2007#1.1" not in parts


def test_every_word_of_the_glossary_is_in_the_index(parts: dict[str, Entry]) -> None:
    assert parts["/guide/glossary#battle-marker"].heading == "battle marker"
    assert parts["/guide/glossary#bishop"].text.startswith("A special card.")


def test_rows_of_a_deck_count_half(parts: dict[str, Entry]) -> None:
    row = parts["/guide/rules/zman-2018#winter"]
    assert (row.heading, row.text, row.factor) == ("1. The game, winter", "Winter 3 none", 0.5)
    assert parts["/guide/settings#MAX_WAITS"].factor == 1


def test_every_group_is_in_the_index(parts: dict[str, Entry]) -> None:
    rules = parts["/guide/#rules"]
    assert (rules.page, rules.heading) == ("Guides", "Rules")
    assert "Glossary" in rules.text


@pytest.mark.parametrize("address", OTHER_WORDS)
def test_other_words_lead_to_a_part(parts: dict[str, Entry], address: str) -> None:
    assert parts[address].words == list(OTHER_WORDS[address])
    assert OTHER_WORDS[address]


@pytest.mark.parametrize("absence", ABSENCES, ids=lambda absence: absence.heading)
def test_what_does_not_exist_leads_to_a_part(parts: dict[str, Entry], absence: Absence) -> None:
    part = parts[absence.address]
    expected = [absence.address, part.page, absence.heading, absence.text, 1, list(absence.words)]
    assert expected in json.loads(index([]))


def test_documents_for_developers_count_less(parts: dict[str, Entry]) -> None:
    internal = ("/guide/architecture#", "/guide/changelog#", "/guide/contributing#", "/guide/decisions/")
    for address, part in parts.items():
        if address.startswith(internal):
            assert part.factor == 0.5
        elif address.startswith(("/guide/api#", "/guide/orders#")):
            assert part.factor == 1


def test_the_texts_hold_no_markup(parts: dict[str, Entry]) -> None:
    problems = [part.text for address, part in parts.items() if address.startswith("/problems/")]
    assert not [text for text in problems if "`" in text or "](" in text or "</" in text]
    assert not [part.text for part in parts.values() if "<br>" in part.text]
