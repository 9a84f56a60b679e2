"""Winter and Spring: one season at most is in force, and it ends with the battle."""

import pytest

from engine.cards import SPRING, WINTER
from engine.events import CardPlayed
from engine.state import NO_CARD

from .table import cards, in_both_editions, only, play, strengths_of, table


def test_t82_f08_spring_takes_the_place_of_winter() -> None:
    """T82, F08: the older season is discarded and the new one in force (zman-2018, Winter & Spring)."""
    given = table("zman-2018", rows=["10 10", "6", ""], hands=["P 1", "1", "1"], season="W")
    then = play(given, "A plays P")
    assert then.state.season == SPRING
    assert tuple(then.state.discard) == cards("W")
    assert only(CardPlayed, then.events).place == "season"
    assert strengths_of(then.state) == (26, 6, 0)


@pytest.mark.parametrize(
    ("edition", "lying", "played", "season"),
    [
        pytest.param("zman-2018", "P", "W", WINTER, id="winter-over-spring"),
        pytest.param("zman-2018", "W", "W", WINTER, id="winter-over-winter"),
        pytest.param("zman-2018", "P", "P", SPRING, id="spring-over-spring"),
        pytest.param("eurogames-1995", "W", "W", WINTER, id="eurogames-winter-over-winter"),
    ],
)
def test_a_new_season_discards_the_old_one(edition: str, lying: str, played: str, season: int) -> None:
    """Also a season of the same kind; a second Winter does no more (zman-2018, Winter & Spring)."""
    then = play(table(edition, hands=[f"{played} 1", "1", "1"], season=lying), f"A plays {played}")
    assert then.state.season == season
    assert tuple(then.state.discard) == cards(lying)
    assert not any(map(any, then.state.rows))


@in_both_editions("T83")
def test_a_season_ends_with_the_battle(edition: str) -> None:
    """The next battle begins without one (zman-2018, Cleanup and Reset; eurogames-1995, Winter Cards)."""
    given = table(edition, rows=["10", "", ""], hands=["1", "1", "1"], season="W", passed="BC")
    then = play(given, "A passes", "A keeps", "B keeps", "C keeps", "A chooses roma", "A plays 1", "B plays 1")
    assert then.state.season == NO_CARD
    assert tuple(then.state.discard) == cards("10 W")
