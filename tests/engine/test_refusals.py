"""Refusals: for every edition, the tests provoke every code; each refusal cites its clause and changes nothing."""

from collections.abc import Callable

import pytest

from engine import (
    NEWEST,
    Command,
    PlayCard,
    Refusal,
    State,
    WrongSeats,
    advance,
    decide,
    legal_commands,
    start,
)
from engine.cards import NAMES, SCARECROW
from engine.phases import PHASES

from .asking import one_of_each
from .cases import DUEL, EUROGAMES, PRINTED, Test, in_editions, in_every_edition, proves
from .refusal_cases import CASES, POSITIONS, Case, Given, fighting
from .table import Script, command, table

NOTHING_TO_ASK = ("game-over", "not-your-turn", "already-passed", "already-resigned")
"""Codes of refusals that list no legal commands: those of another seat would reveal its hand."""

EVERY_POSITION = pytest.mark.parametrize(
    ("edition", "given"),
    [pytest.param(key, given, id=f"{phase}-{key}") for phase, (given, keys) in POSITIONS.items() for key in keys],
)


def refusal_of(given: State, command: Command) -> Refusal:
    """Return the refusal of a command."""
    with pytest.raises(Refusal) as met:
        decide(given, command, Script())
    return met.value


def proves_what_is_cited(test: Test) -> Test:
    """Declare that a test proves the clause of every refusal: it fails if the engine accepts the command."""
    for case in CASES:
        proves(NEWEST[case.edition].clauses[case.code], case.edition)(test)
    return test


@proves_what_is_cited
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.edition}-{case.code}-{case.given.__name__}")
@pytest.mark.parametrize("how", [decide, advance])
def test_a_refusal_cites_its_clause_and_changes_nothing(case: Case, how: Callable[..., object]) -> None:
    """Programs use the code, the clause and the field, and people the message. The position does not change."""
    given = case.given(case.edition)
    before = given.copy()
    with pytest.raises(Refusal) as met:
        how(given, case.command(), Script())
    refusal = met.value
    assert (refusal.code, refusal.field) == (case.code, case.field)
    assert refusal.edition == case.edition
    assert refusal.clause == NEWEST[case.edition].clauses[case.code]
    assert str(refusal)
    assert given == before
    assert refusal.legal == (() if case.code in NOTHING_TO_ASK else tuple(legal_commands(given)))
    assert all(one.seat == case.command().seat for one in refusal.legal)


@in_editions("provoked", *PRINTED)
def test_every_code_of_an_edition_is_provoked(edition: str) -> None:
    """An edition cites a clause for each refusal that can occur in it, and for no others."""
    provoked = {case.code for case in CASES if case.edition == edition}
    elsewhere = {"wrong-seats", *(["bad-option"] if NEWEST[edition].conflicts else [])}
    assert set(NEWEST[edition].clauses) == provoked | elsewhere


def test_every_phase_has_a_position_here() -> None:
    """In each of these positions, the game waits for a seat."""
    assert set(POSITIONS) == set(PHASES)
    for phase, (given, keys) in POSITIONS.items():
        assert {given(key).phase for key in keys} == {phase}


@proves("1.5", *PRINTED)
@EVERY_POSITION
def test_a_refusal_shows_nothing_of_another_seat(edition: str, given: Given) -> None:
    """A command out of turn, or from a seat that does not exist, reveals nothing of the hand of the seat to act."""
    state = given(edition)
    for one in (move for seat in range(1, state.seats + 1) for move in one_of_each(seat)):
        refusal = refusal_of(state, one)
        assert refusal.code == "not-your-turn"
        assert refusal.legal == ()
        assert not any(name in str(refusal) for name in NAMES)


@proves("1.6", *PRINTED)
@EVERY_POSITION
def test_whoever_asks_for_another_thing_is_told_what_may_be_asked(edition: str, given: Given) -> None:
    """For a command of another phase, the refusal lists the legal commands of the seat to act."""
    state = given(edition)
    phase = PHASES[state.phase]
    for one in one_of_each(0):
        if not isinstance(one, phase.commands):
            refusal = refusal_of(state, one)
            assert (refusal.code, refusal.field) == ("wrong-phase", "type")
            assert refusal.legal == tuple(legal_commands(state)) != ()


@in_editions("row-without-card", *PRINTED)
def test_a_scarecrow_that_names_a_row_and_no_card_is_refused(edition: str) -> None:
    """An incomplete command is refused in every edition, with a clause, even if taking nothing is allowed."""
    refusal = refusal_of(fighting(edition), PlayCard(0, SCARECROW, take_from=0))
    assert refusal.code == "target-not-in-row"
    assert refusal.clause == NEWEST[edition].clauses[refusal.code]


def test_a_scarecrow_that_names_a_row_and_no_card_is_refused_where_any_row_may_be_named() -> None:
    """The same holds with the option of the English translation."""
    given = table(EUROGAMES, rows=["3", "10"], hands=["C", "1", "1"], options={"scarecrow_targets": "any"})
    refusal = refusal_of(given, PlayCard(0, SCARECROW, take_from=1))
    assert refusal.clause == given.edition.clauses[refusal.code]


@proves("1.1", *PRINTED)
@in_every_edition("wrong-seats")
def test_a_wrong_number_of_seats_cites_its_clause(edition: str) -> None:
    """(zman-2018, Overview; 2-Player Game; ffg-2007, Object of the Game)."""
    with pytest.raises(WrongSeats) as wrong:
        start(edition, 7, Script())
    assert wrong.value.clause == NEWEST[edition].clauses["wrong-seats"]


@proves("1.6 3.1 8.4", DUEL)
def test_a_duel_has_no_region_to_choose_and_no_hand_to_keep() -> None:
    """A duel refuses the commands of these phases (zman-2018, 2-Player Game)."""
    for move in ("A chooses roma", "A declines", "A keeps", "A keeps 1", "A draws 1"):
        assert refusal_of(fighting(DUEL), command(move)).code == "wrong-phase"
