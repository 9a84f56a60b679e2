"""Clauses: a test proves every clause of every rules document, and tests name no other clauses."""

from collections.abc import Callable

import pytest

from engine import EDITIONS, NEWEST, Edition

from .cases import CLAUSES, DUEL, FFG, ZMAN, in_editions, proves, read_all_tests
from .rules_documents import clauses_in, document


@pytest.fixture(autouse=True)
def _all_tests() -> None:
    read_all_tests()


@pytest.mark.parametrize("key", EDITIONS)
def test_every_clause_is_named_by_a_test(key: str) -> None:
    """A clause that is added or renumbered without a test fails this check."""
    assert [number for number in clauses_in(document(key)) if not CLAUSES.get((key, number))] == []


@pytest.mark.parametrize("key", EDITIONS)
def test_every_clause_that_a_test_names_stands_in_the_document(key: str) -> None:
    """A typing error in a clause number fails this check."""
    assert {number for named, number in CLAUSES if named == key} - set(clauses_in(document(key))) == set()


def editions_of(test: Callable[..., None]) -> set[str] | None:
    """Return the keys of the editions with which a test runs, or None if it has no such argument."""
    for mark in getattr(test, "pytestmark", []):
        names = mark.args[0] if mark.name == "parametrize" else ()
        names = names.split(",") if isinstance(names, str) else list(names)
        if "edition" in names:
            place = names.index("edition")
            return {_key(_values(row, len(names))[place]) for row in mark.args[1]}
    return None


def _values(row: object, count: int) -> tuple[object, ...]:
    values = getattr(row, "values", row)
    return values if isinstance(values, tuple) and count == len(values) else (values,)


def _key(edition: object) -> str:
    return edition.key if isinstance(edition, Edition) else str(edition)


def test_a_test_names_clauses_only_of_the_editions_that_it_is_run_with() -> None:
    """A test cannot prove a clause for an edition with which it does not run."""
    wrong = [
        (test.__name__, key, number)
        for (key, number), tests in CLAUSES.items()
        for test in tests
        if key not in (editions_of(test) or {key})
    ]
    assert wrong == []


def test_the_editions_of_a_test_are_those_of_its_rows() -> None:
    @in_editions("keys", ZMAN, FFG)
    def with_keys(edition: str) -> None: ...

    @pytest.mark.parametrize("edition", NEWEST.values())
    def with_values(edition: Edition) -> None: ...

    @pytest.mark.parametrize(("edition", "seats"), [(DUEL, 2)])
    def with_more(edition: str, seats: int) -> None: ...

    assert editions_of(with_keys) == {ZMAN, FFG}
    assert editions_of(with_values) == set(EDITIONS)
    assert editions_of(with_more) == {DUEL}
    assert editions_of(proves) is None
