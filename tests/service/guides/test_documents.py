"""Documents: which files are guides, their titles, and their order in the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.guides.documents import FOLDER, GROUPS, OTHERS, documents, grouped

ROOT = Path(__file__).parents[3]


def test_every_document_of_the_project_is_a_guide() -> None:
    """A document in the project's root needs a link in service/guides/sources."""
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert {document.path for document in documents().values()} == {str(file.relative_to(ROOT)) for file in files}


def test_what_is_served_is_the_document_itself() -> None:
    for document in documents().values():
        assert (FOLDER / document.path).resolve() == ROOT / document.path
        assert document.text == (ROOT / document.path).read_text(encoding="utf-8")


def test_every_document_stands_in_one_group() -> None:
    listed = [document for members in grouped().values() for document in members]
    assert sorted(listed) == sorted(documents().values())
    assert list(grouped()) == list(GROUPS)
    names = [one.name for one in grouped()["Hosting"]]
    assert names == ["hosting", "admin", "settings", "metrics", "releases", "security"]
    assert documents()["contributing"] in grouped()[OTHERS]


@pytest.mark.parametrize("document", documents().values(), ids=documents())
def test_a_document_begins_with_its_title(document: tuple[str, str, str]) -> None:
    _, path, title = document
    assert (ROOT / path).read_text(encoding="utf-8").startswith(f"# {title}\n")
