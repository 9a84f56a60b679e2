"""The index of the search: every heading of every guide and every problem are in it, as text."""

from __future__ import annotations

import json

import pytest

from service.guides.documents import documents
from service.guides.pages import rendered
from service.guides.search import index
from service.problems import PROBLEMS


@pytest.fixture(scope="module")
def parts() -> dict[str, tuple[str, str, str, float]]:
    """Title, heading, text and factor of every part, by its address."""
    listed = json.loads(index([]))
    found = {address: tuple(rest) for address, *rest in listed}
    assert len(found) == len(listed)
    return found


def test_every_heading_is_in_the_index(parts: dict[str, tuple[str, str, str, float]]) -> None:
    for document in documents().values():
        for heading in rendered(document.name).headings:
            title, text, _, _ = parts[f"{document.address}#{heading.anchor}"]
            assert (title, text) == (document.title, heading.text)


def test_every_problem_is_in_the_index(parts: dict[str, tuple[str, str, str, float]]) -> None:
    for code, kind in PROBLEMS.items():
        title, heading, text, factor = parts[f"/problems/{code}"]
        assert (title, heading, factor) == ("Problem", code, 1)
        assert text.startswith(f"{kind.title} ")
        assert len(text) > len(kind.title) + 1


def test_every_clause_is_in_the_index(parts: dict[str, tuple[str, str, str, float]]) -> None:
    _, heading, text, _ = parts["/guide/rules/ffg-2007#1.1"]
    assert heading.endswith(", 1.1")
    assert text.startswith("1.1 ")


def test_documents_for_developers_count_less(parts: dict[str, tuple[str, str, str, float]]) -> None:
    internal = ("/guide/architecture#", "/guide/changelog#", "/guide/contributing#", "/guide/decisions/")
    for address, (*_, factor) in parts.items():
        if address.startswith(internal):
            assert factor == 0.5
        elif address.startswith(("/guide/api#", "/guide/rules/")):
            assert factor == 1


def test_the_texts_hold_no_markup(parts: dict[str, tuple[str, str, str, float]]) -> None:
    problems = [text for address, (_, _, text, _) in parts.items() if address.startswith("/problems/")]
    assert not [text for text in problems if "`" in text or "](" in text or "</" in text]
    assert not [text for _, _, text, _ in parts.values() if "<br>" in text]
