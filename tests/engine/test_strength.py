"""How strong a row is: the examples of the rulebooks, and the order in which the cards are reckoned."""

import pytest

from engine import EDITIONS, view_for
from engine.rules.strength import explanations

from .table import in_both_editions, play, strengths_of, table


def strength(edition: str, row: str, season: str | None = None) -> int:
    """Return the strength of a row against two empty ones."""
    return strengths_of(table(edition, rows=[row], season=season))[0]


@pytest.mark.parametrize(
    ("row", "season", "expected"),
    [
        pytest.param("10 6 5", None, 21, id="T01"),
        pytest.param("10 6 5 D", None, 42, id="T02"),
        pytest.param("10 6 5 D", "W", 6, id="F03-winter"),
        pytest.param("10 6 5 D D", None, 42, id="T04"),
        pytest.param("10 10 5 4 4 1 1 1", None, 36, id="T05"),
        pytest.param("10 10 5 4 4 1 1 1", "W", 8, id="T05-winter"),
        pytest.param("H 6", "W", 11, id="T07"),
        pytest.param("H 6 D", None, 22, id="T08"),
        pytest.param("H H H", None, 30, id="three-heroines"),
        pytest.param("D", None, 0, id="a-drummer-alone"),
        pytest.param("C X", None, 0, id="nothing-that-counts"),
        pytest.param("", None, 0, id="an-empty-row"),
    ],
)
def test_a_row_alone(row: str, season: str | None, expected: int) -> None:
    """Mercenaries count their value, Winter makes them 1, a Drummer doubles them, a Heroine is 10.

    The example of 36 points has eight mercenaries, so Winter leaves 8 (eurogames-1995, Cards Signification).
    """
    assert strength("eurogames-1995", row, season) == expected


@pytest.mark.parametrize(
    ("row", "season", "expected"),
    [
        pytest.param("10 6 5", None, 21, id="F03-plain"),
        pytest.param("10 6 5 D", None, 42, id="F03-drummer"),
        pytest.param("10 6 5 D", "W", 6, id="F03-drummer-winter"),
        pytest.param("2 4 D", "P", 15, id="F02"),
        pytest.param("S S 2", "W", 3, id="F12"),
        pytest.param("S S D", None, 2, id="courtesans-are-not-doubled"),
        pytest.param("S", "P", 1, id="spring-finds-no-mercenary"),
        pytest.param("S X", "P", 1, id="spring-finds-no-mercenary-beside-a-turncoat"),
    ],
)
def test_a_row_alone_with_seasons_and_spies(row: str, season: str | None, expected: int) -> None:
    """(zman-2018, Special Cards: Winter & Spring, Drummer, Spy, Heroine; Strength and Special Cards)."""
    assert strength("zman-2018", row, season) == expected


@pytest.mark.parametrize(
    ("rows", "season", "expected"),
    [
        pytest.param(["6 6 2 D", "6 5", ""], "P", (34, 14, 0), id="T79"),
        pytest.param(["10 10 S S", "1 D H", ""], "W", (4, 12, 0), id="T80"),
        pytest.param(["10 3 D H S", "10 10 4", "6 S S"], "W", (15, 3, 3), id="F23"),
        pytest.param(["10 3 D H S", "10 10 4", "6 S S"], None, (37, 24, 8), id="F24-before"),
        pytest.param(["10 3 D H S", "10 10 4", "6 S S"], "P", (40, 30, 8), id="F24-spring"),
        pytest.param(["3 D H S", "4", "6 S S"], "P", (17, 4, 11), id="F24-after-the-bishop"),
        pytest.param(["5 D", "6", ""], "P", (10, 9, 0), id="spring-looks-at-printed-values"),
        pytest.param(["2 5 5", "1 4 H", ""], "P", (18, 15, 0), id="spring-finds-one-highest-among-all-rows"),
    ],
)
def test_rows_are_reckoned_in_the_printed_order(rows: list[str], season: str | None, expected: tuple[int, ...]) -> None:
    """Winter, then the Drummer, then Spring by printed value, then Spies and Heroines (Strength and Special Cards)."""
    assert strengths_of(table("zman-2018", rows=rows, season=season)) == expected


@in_both_editions("T11")
def test_a_drummer_beats_for_its_own_row_only(edition: str) -> None:
    """(eurogames-1995, Drum Cards; zman-2018, Drummer)."""
    assert strengths_of(table(edition, rows=["5 D", "6"])) == (10, 6, 0)


@in_both_editions("T10")
def test_winter_falls_on_mercenaries_laid_before_and_after_it(edition: str) -> None:
    """(eurogames-1995, Winter Cards; zman-2018, Winter & Spring)."""
    given = table(edition, rows=["10", "4 4", ""], hands=["6 2", "2", "W 2"], turn="C")
    then = play(given, "C plays W", "A plays 6")
    assert strengths_of(then.state) == (2, 2, 0)


@in_both_editions("winter-alone")
def test_winter_is_worth_nothing_by_itself(edition: str) -> None:
    """Only mercenaries and heroines make strength (eurogames-1995, End of the battle; zman-2018, Strength)."""
    then = play(table(edition, hands=["W 2", "2", "2"]), "A plays W")
    assert strengths_of(then.state) == (0, 0, 0)


@in_both_editions("explained")
def test_an_explanation_adds_up_and_leaves_out_what_adds_nothing(edition: str) -> None:
    """The view explains each strength step by step, in the edition's order."""
    state = table(edition, rows=["10 3 D H", "4", ""], season="W")
    lines = explanations(state.edition, state.rows, state.season)
    assert lines == [
        [("mercenaries", 13), ("winter", -11), ("drummer", 2), ("heroines", 10)],
        [("mercenaries", 4), ("winter", -3)],
        [],
    ]
    assert view_for(state, None).strengths() == lines


def test_spring_and_spies_have_lines_of_their_own() -> None:
    """(zman-2018, Strength and Special Cards)."""
    state = table("zman-2018", rows=["6 2 D S", "", ""], season="P")
    assert view_for(state, 1).strengths()[0] == [("mercenaries", 8), ("drummer", 8), ("spring", 3), ("courtesans", 1)]
    assert view_for(table("zman-2018", rows=["6"]), 1).strengths()[0] == [("mercenaries", 6)]


def test_the_steps_are_the_order_of_the_reckoning() -> None:
    """The names of the steps are stable: documents and clients explain by them."""
    steps = {key: [step.name for step in edition.strength] for key, edition in EDITIONS.items()}
    assert steps == {
        "zman-2018": ["mercenaries", "winter", "drummer", "spring", "courtesans", "heroines"],
        "eurogames-1995": ["mercenaries", "winter", "drummer", "heroines"],
    }
