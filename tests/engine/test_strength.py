"""The strength of a row: the rulebooks' examples, and the order in which cards are counted."""

from dataclasses import replace

import pytest

from engine import NEWEST, view_for
from engine.cards import SPRING, WINTER
from engine.edition import StrengthStep
from engine.rules.strength import (
    DRUMMER_STEP,
    MERCENARIES_STEP,
    SPRING_STEP,
    WINTER_STEP,
    explanations,
    strengths,
)
from engine.state import NO_CARD

from .cases import (
    BOTH_EUROGAMES,
    CLASSIC,
    DUEL,
    EUROGAMES,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REVISED,
    WITH_SPRING,
    ZMAN,
    in_cases,
    in_editions,
    proves,
)
from .table import cards, play, strengths_of, table

WITH_COURTESANS = (ZMAN, FFG)


@proves("5.1 5.2 6.1", *PRINTED)
@proves("5.3 12.1", *BOTH_EUROGAMES)
@proves("6.17 6.18 6.19", ZMAN, FFG)
@proves("6.13 6.14", CLASSIC)
@proves("6.14 6.15", DUEL)
@proves("6.3", *BOTH_EUROGAMES)
@proves("6.9", REVISED)
@proves("6.10", EUROGAMES)
@proves("6.15", ZMAN, FFG)
@proves("6.12", CLASSIC, DUEL)
@in_cases(
    "row season expected",
    ("T01", BOTH_EUROGAMES, "10 6 5", None, 21),
    ("T02", BOTH_EUROGAMES, "10 6 5 D", None, 42),
    ("T04", BOTH_EUROGAMES, "10 6 5 D D", None, 42),
    ("T05", BOTH_EUROGAMES, "10 10 5 4 4 1 1 1", None, 36),
    ("T05-winter", BOTH_EUROGAMES, "10 10 5 4 4 1 1 1", "W", 8),
    ("T07", PRINTED, "H 6", "W", 11),
    ("T08", PRINTED, "H 6 D", None, 22),
    ("F03-plain", PRINTED, "10 6 5", None, 21),
    ("F03-drummer", PRINTED, "10 6 5 D", None, 42),
    ("F03-drummer-winter", PRINTED, "10 6 5 D", "W", 6),
    ("three-heroines", ON_THE_BOARD, "H H H", None, 30),
    ("a-drummer-alone", PRINTED, "D", None, 0),
    ("nothing-that-counts", PRINTED, "C X", None, 0),
    ("an-empty-row", PRINTED, "", None, 0),
    ("F02", WITH_SPRING, "2 4 D", "P", 15),
    ("spring-finds-no-mercenary", WITH_SPRING, "X D", "P", 0),
    ("two-drummers", (ZMAN, CLASSIC, FFG), "10 6 5 D D", None, 42),
    ("example-winter", BOTH_EUROGAMES, "10 6 5", "W", 3),
    ("example-heroine", BOTH_EUROGAMES, "10 6 5 D H", None, 52),
    ("example-heroine-winter", BOTH_EUROGAMES, "10 6 5 D H", "W", 16),
    ("example-small", EUROGAMES, "6 4 1", None, 11),
    ("example-small-winter", EUROGAMES, "6 4 1", "W", 3),
    ("F12", WITH_COURTESANS, "S S 2", "W", 3),
    ("courtesans-are-not-doubled", WITH_COURTESANS, "S S D", None, 2),
    ("courtesans-are-no-mercenaries-for-spring", WITH_COURTESANS, "S", "P", 1),
)
def test_a_row_alone(edition: str, row: str, season: str | None, expected: int) -> None:
    """Mercenaries count their value, Winter makes each of them 1, a Drummer doubles them, and a Heroine is worth 10.

    The example of 36 points has eight mercenaries, so Winter leaves 8 (eurogames-1995, Cards Signification).
    """
    assert strengths_of(table(edition, 2, rows=[row], season=season))[0] == expected


@proves("5.2 5.3 5.4", ZMAN, DUEL, FFG)
@proves("5.3", CLASSIC)
@proves("6.16", ZMAN, FFG)
@proves("6.13", DUEL)
@in_cases(
    "rows season expected",
    ("T79", (ZMAN, FFG), ["6 6 2 D", "6 5", ""], "P", (34, 14, 0)),
    ("T80", WITH_COURTESANS, ["10 10 S S", "1 D H", ""], "W", (4, 12, 0)),
    ("F23", WITH_COURTESANS, ["10 3 D H S", "10 10 4", "6 S S"], "W", (15, 3, 3)),
    ("F24-before", WITH_COURTESANS, ["10 3 D H S", "10 10 4", "6 S S"], None, (37, 24, 8)),
    ("F24-spring", WITH_COURTESANS, ["10 3 D H S", "10 10 4", "6 S S"], "P", (40, 30, 8)),
    ("F24-after-the-bishop", WITH_COURTESANS, ["3 D H S", "4", "6 S S"], "P", (17, 4, 11)),
    ("example", (CLASSIC, DUEL), ["10 3 D H", "10 10 4"], None, (36, 24)),
    ("example-winter", (CLASSIC, DUEL), ["10 3 D H", "10 10 4"], "W", (14, 3)),
    ("example-spring", DUEL, ["10 3 D H", "10 10 4"], "P", (39, 30)),
    ("spring-looks-at-printed-values", WITH_SPRING, ["5 D", "6"], "P", (10, 9)),
    ("spring-finds-one-highest-among-all-rows", WITH_SPRING, ["2 5 5", "1 4 H"], "P", (18, 15)),
)
def test_rows_are_reckoned_in_the_printed_order(
    edition: str, rows: list[str], season: str | None, expected: tuple[int, ...]
) -> None:
    """The order is Winter, Drummer, Spring by printed value, then Spies and Heroines (Strength and Special Cards)."""
    assert strengths_of(table(edition, len(rows), rows=rows, season=season)) == expected


@proves("6.17", ZMAN, FFG)
@proves("6.13", CLASSIC)
@proves("6.14", DUEL)
@proves("6.3", *BOTH_EUROGAMES)
@in_editions("T11", *PRINTED)
def test_a_drummer_beats_for_its_own_row_only(edition: str) -> None:
    """(eurogames-1995, Drum Cards; zman-2018, Drummer)."""
    assert strengths_of(table(edition, 2, rows=["5 D", "6"])) == (10, 6)


@proves("6.15", ZMAN, FFG)
@proves("6.12", CLASSIC)
@proves("6.2", *BOTH_EUROGAMES)
@in_editions("T10", *ON_THE_BOARD)
def test_winter_falls_on_mercenaries_laid_before_and_after_it(edition: str) -> None:
    """(eurogames-1995, Winter Cards; zman-2018, Winter & Spring)."""
    given = table(edition, rows=["10", "4 4", ""], hands=["6 2", "2", "W 2"], turn="C")
    then = play(given, "C plays W", "A plays 6")
    assert strengths_of(then.state) == (2, 2, 0)


@proves("6.12", DUEL)
def test_winter_in_a_duel_falls_on_both_rows() -> None:
    """It affects mercenaries laid before and after it (zman-2018, Winter & Spring; 2-Player Game)."""
    then = play(table(DUEL, 2, rows=["10", "4"], hands=["W 6 2", "5 2"]), "A plays W", "B plays 5", "A plays 6")
    assert strengths_of(then.state) == (2, 2)


@proves("6.16", ZMAN, FFG)
@proves("6.13", DUEL)
@in_editions("highest-anew", *WITH_SPRING)
def test_the_highest_mercenary_is_looked_up_after_every_card(edition: str) -> None:
    """A higher card in any row replaces the lower ones as the highest, which Spring raises (zman-2018, Spring)."""
    given = table(edition, 2, rows=["5", "5"], hands=["6 2", "10 2"], season="P")
    then = play(given, "A plays 6")
    assert strengths_of(then.state) == (14, 5)
    assert strengths_of(play(then.state, "B plays 10").state) == (11, 18)


@proves("5.1", *PRINTED)
@in_editions("winter-alone", *PRINTED)
def test_winter_is_worth_nothing_by_itself(edition: str) -> None:
    """Only mercenaries and heroines have strength (eurogames-1995, End of the battle; zman-2018, Strength)."""
    then = play(table(edition, 2, hands=["W 2", "2"]), "A plays W")
    assert strengths_of(then.state) == (0, 0)


@proves("4.9", ZMAN, CLASSIC, DUEL, FFG)
@proves("5.4", *BOTH_EUROGAMES)
@in_editions("explained", *PRINTED)
def test_an_explanation_adds_up_and_leaves_out_what_adds_nothing(edition: str) -> None:
    """The view explains each strength step by step, in the edition's order."""
    state = table(edition, 2, rows=["10 3 D H", "4"], season="W")
    lines = explanations(state.edition, state.rows, state.season)
    assert lines == [
        [("mercenaries", 13), ("winter", -11), ("drummer", 2), ("heroines", 10)],
        [("mercenaries", 4), ("winter", -3)],
    ]
    assert explanations(state.edition, [cards("")], state.season) == [[]]
    assert view_for(state, None).strengths() == lines


@in_editions("lines", *WITH_COURTESANS)
def test_spring_and_spies_have_lines_of_their_own(edition: str) -> None:
    """(zman-2018, Strength and Special Cards)."""
    state = table(edition, rows=["6 2 D S", "", ""], season="P")
    assert view_for(state, 1).strengths()[0] == [("mercenaries", 8), ("drummer", 8), ("spring", 3), ("courtesans", 1)]
    assert view_for(table(edition, rows=["6"]), 1).strengths()[0] == [("mercenaries", 6)]


@proves("5.2", *PRINTED)
@pytest.mark.parametrize("key", PRINTED)
def test_the_steps_are_the_order_of_the_reckoning(key: str) -> None:
    """The names of the steps are stable, because documents and clients use them."""
    without = ["mercenaries", "winter", "drummer", "heroines"]
    with_courtesans = ["mercenaries", "winter", "drummer", "spring", "courtesans", "heroines"]
    assert [step.name for step in NEWEST[key].strength] == {
        ZMAN: with_courtesans,
        FFG: with_courtesans,
        DUEL: ["mercenaries", "winter", "drummer", "spring", "heroines"],
        CLASSIC: without,
        REVISED: without,
        EUROGAMES: without,
    }[key]


@pytest.mark.parametrize(
    ("steps", "row", "season", "amounts"),
    [
        ((MERCENARIES_STEP, SPRING_STEP, DRUMMER_STEP), "10 10 2 D", SPRING, [22, 6, 28]),
        ((MERCENARIES_STEP, DRUMMER_STEP, DRUMMER_STEP), "6 2 D", NO_CARD, [8, 8, 16]),
        ((MERCENARIES_STEP, DRUMMER_STEP, WINTER_STEP), "6 2 D", WINTER, [8, 8, -14]),
    ],
    ids=["spring-before-the-drummer", "a-second-drummer-step", "winter-after-the-drummer"],
)
def test_a_step_leaves_to_the_next_what_each_mercenary_is_worth(
    steps: tuple[StrengthStep, ...], row: str, season: int, amounts: list[int]
) -> None:
    """No edition uses this order of steps, but the engine supports it."""
    edition = replace(NEWEST[ZMAN], strength=steps)
    assert [line.amount for line in explanations(edition, [cards(row)], season)[0]] == amounts
    assert strengths(edition, [cards(row)], season) == (sum(amounts),)
