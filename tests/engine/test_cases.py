"""The cases that every edition was built to satisfy: each one is a test, in each edition that it names.

T are examples and sentences of the rulebooks, F those of the full text of the 2007 rulebook, B facts of the board.
"""

import pytest

from . import cases
from .cases import (
    BOTH_EUROGAMES,
    CLASSIC,
    DUEL,
    EUROGAMES,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REVISED,
    ZMAN,
    read_all_tests,
)

CASES = {
    PRINTED: "T29",
    ON_THE_BOARD: "T34 B01 B02 B03 B04 B05 B06",
    BOTH_EUROGAMES: "T01 T02 T04 T05 T10 T11 T13 T16 T17 T35",
    (EUROGAMES,): "T07 T08 T14 T19 T20 T22 T23 T25 T26 T28 T31 T32 T40 T41 T43 T103 T104",
    (REVISED,): "T44 T46 T47 T49 T50 T52 T53 T55 T56 T58 T59 T61 T62",
    (FFG,): "T37 T64 T65 T67 T68 T70 T71 F02 F03 F05 F06 F08 F09 F11 F12 F14 F15 F17 F18 F20 F21 F23 F24",
    (ZMAN,): "T38 T76 T77 T79 T80 T82 T83 T85 T86 T88 T89 T91 T92 T94 T95",
    (CLASSIC,): "T73",
    (DUEL,): "T74 T97 T98 T100 T101",
}
"""Cases by the editions that each of them must hold in."""

WANTED = {(case, key) for keys, cases in CASES.items() for case in cases.split() for key in keys}


def all_covered() -> set[tuple[str, str]]:
    """Return every case that any test runs, with its edition: also of files that are not run this time."""
    read_all_tests()
    return set(cases.CASES)


@pytest.mark.parametrize("keys", CASES, ids=" ".join)
def test_every_case_is_a_test_in_every_edition_that_it_names(keys: tuple[str, ...]) -> None:
    """A case that is dropped, or tried in one edition less, is missed here."""
    wanted = {(case, key) for case in CASES[keys].split() for key in keys}
    assert wanted - all_covered() == set()


def test_every_case_is_named_once() -> None:
    """With all its editions in one place."""
    named = [case for cases in CASES.values() for case in cases.split()]
    assert len(named) == len(set(named))


def test_a_test_is_not_called_by_a_case_that_there_is_not() -> None:
    """A typing error in an id would leave a case without its test."""
    ids = {case for case, _ in all_covered() if case[0] in "TFB" and case[1:].isdigit()}
    assert ids <= {case for case, _ in WANTED}
