"""Refusals: every code of every edition is provoked once, cites its clause, and changes nothing."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from engine import EDITIONS, Command, PlayCard, Refusal, State, advance, decide, legal_commands
from engine.cards import SCARECROW, SURRENDER

from .table import Script, command, in_both_editions, kind, play, table

ZMAN = "zman-2018"
EUROGAMES = "eurogames-1995"

NOTHING_TO_ASK = ("game-over", "not-your-turn", "already-passed")
"""Refusals of a seat that has nothing to ask: another seat's commands would show its hand."""


class Case(NamedTuple):
    """A position, a move that is refused there, and the part of it that is at fault."""

    edition: str
    code: str
    given: Callable[[str], State]
    move: str | Command
    field: str | None

    def command(self) -> Command:
        """Return the move as a command."""
        return command(self.move) if isinstance(self.move, str) else self.move


def fighting(edition: str) -> State:
    """A battle: A's turn, mercenaries and specials in hand and rows, C has passed."""
    return table(
        edition, rows=["3 H", "10", "1"], hands=["C B 2 W", "X 5", "6"], held=["roma", "", ""], favor=favor(edition),
        passed="C",
    )  # fmt: skip


def favor(edition: str) -> str | None:
    """Return where the favor marker stands, where the edition has one."""
    return "siena" if edition == ZMAN else None


def choosing(edition: str) -> State:
    """The holder A chooses a region."""
    return table(edition, hands=["1", "1", "1"], held=["roma", "", ""], favor=favor(edition), phase="choose-region")


def answering(edition: str) -> State:
    """A keeps or discards a hand with a mercenary."""
    return table(edition, hands=["H 1", "1", "1"], phase="keep-or-discard")


def nothing_empty(edition: str) -> State:
    """No region is empty, so the favor marker has nowhere to go."""
    given = table(edition, hands=["B 1", "1", "1"])
    given.held[0] = given.edition.board.everywhere & ~(1 << given.contested)
    return given


def over(edition: str) -> State:
    """The game is over."""
    given = table(edition, rows=["10"], hands=["1", "1", "1"], passed="BC", options={"battle_limit": 1})
    return play(given, "A passes").state


EVERYWHERE = [
    ("not-your-turn", fighting, "B passes", None),
    ("not-your-turn", choosing, "B chooses torino", None),
    ("not-your-turn", answering, "B keeps", None),
    ("not-your-turn", fighting, "C keeps", None),
    ("wrong-phase", fighting, "A chooses torino", "type"),
    ("wrong-phase", fighting, "A keeps", "type"),
    ("wrong-phase", choosing, "A passes", "type"),
    ("wrong-phase", answering, "A plays 1", "type"),
    ("game-over", over, "A passes", None),
    ("game-over", over, "B chooses roma", None),
    ("already-passed", fighting, "C passes", None),
    ("already-passed", fighting, "C plays 6", None),
    ("card-not-in-hand", fighting, "A plays 10", "card"),
    ("card-not-in-hand", fighting, "A plays X", "card"),
    ("target-not-in-row", fighting, "A plays C taking 10", "take"),
    ("target-not-mercenary", fighting, "A plays C taking H", "take"),
    ("target-not-own", fighting, "A plays C taking 10 of B", "take_from"),
    ("target-not-allowed", fighting, "A plays 2 taking 3", "take"),
    ("target-not-allowed", fighting, "A plays W taking 3", "take"),
    ("target-not-allowed", fighting, PlayCard(0, kind("2"), take_from=0), "take"),
    ("target-not-allowed", fighting, "A plays B taking 3", "take"),
    ("favor-not-allowed", fighting, "A plays 2 favoring torino", "favor"),
    ("favor-not-allowed", fighting, "A plays W favoring torino", "favor"),
    ("favor-not-allowed", fighting, PlayCard(0, SCARECROW, take=2, take_from=0, favor=3), "favor"),
    ("hand-has-mercenaries", answering, "A discards", None),
]

ONE_EDITION = [
    (ZMAN, "region-owned", choosing, "A chooses roma", "region"),
    (ZMAN, "region-favored", choosing, "A chooses siena", "region"),
    (ZMAN, "target-required", fighting, "A plays C", "take"),
    (ZMAN, "favor-required", fighting, "A plays B", "favor"),
    (ZMAN, "favor-not-allowed", nothing_empty, "A plays B favoring roma", "favor"),
    (ZMAN, "favor-region-not-empty", fighting, "A plays B favoring roma", "favor"),
    (ZMAN, "favor-region-not-empty", fighting, "A plays B favoring torino", "favor"),
    (EUROGAMES, "favor-not-allowed", fighting, "A plays B favoring napoli", "favor"),
]

CASES = [Case(edition, *case) for edition in (ZMAN, EUROGAMES) for case in EVERYWHERE]
CASES += [Case(*case) for case in ONE_EDITION]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.edition}-{case.code}")
@pytest.mark.parametrize("how", [decide, advance])
def test_a_refusal_cites_its_clause_and_changes_nothing(case: Case, how: Callable[..., object]) -> None:
    """Code, clause and field are for programs, the sentence is for people, and the position stays as it was."""
    given = case.given(case.edition)
    before = given.copy()
    with pytest.raises(Refusal) as refused:
        how(given, case.command(), Script())
    refusal = refused.value
    assert (refusal.code, refusal.field) == (case.code, case.field)
    assert refusal.edition == case.edition
    assert refusal.clause == EDITIONS[case.edition].clauses[case.code]
    assert str(refusal)
    assert given == before
    assert refusal.legal == (() if case.code in NOTHING_TO_ASK else tuple(legal_commands(given)))
    assert all(one.seat == case.command().seat for one in refusal.legal)


@in_both_editions("provoked")
def test_every_code_of_an_edition_is_provoked(edition: str) -> None:
    """An edition cites a clause for every refusal that can happen in it, and for no other."""
    provoked = {case.code for case in CASES if case.edition == edition}
    assert set(EDITIONS[edition].clauses) == provoked | {"wrong-seats"}


@in_both_editions("row-without-card")
def test_a_scarecrow_that_names_a_row_and_no_card_is_refused(edition: str) -> None:
    """Half a request is refused in either edition, with a clause, also where taking nothing is allowed."""
    given = fighting(edition)
    with pytest.raises(Refusal) as refused:
        decide(given, PlayCard(0, SCARECROW, take_from=0), Script())
    assert refused.value.clause == EDITIONS[edition].clauses[refused.value.code]


def test_a_scarecrow_that_names_a_row_and_no_card_is_refused_where_any_row_may_be_named() -> None:
    """The same with the option of the English translation."""
    given = table(EUROGAMES, rows=["3", "10"], hands=["C", "1", "1"], options={"scarecrow_targets": "any"})
    with pytest.raises(Refusal) as refused:
        decide(given, PlayCard(0, SCARECROW, take_from=1), Script())
    assert refused.value.clause == given.edition.clauses[refused.value.code]


@in_both_editions("no-hint")
def test_a_refusal_shows_no_hand_but_the_own(edition: str) -> None:
    """Whoever asks out of turn learns nothing about the seat whose turn it is."""
    given = fighting(edition)
    with pytest.raises(Refusal) as refused:
        decide(given, PlayCard(1, SURRENDER), Script())
    assert refused.value.legal == ()
    assert "bishop" not in str(refused.value)
