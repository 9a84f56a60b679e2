"""Winter and Spring: at most one season is in force, and it ends with the battle."""

from engine.cards import SPRING, WINTER
from engine.events import CardPlayed
from engine.state import NO_CARD

from .cases import (
    BOTH_EUROGAMES,
    CLASSIC,
    DUEL,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REGION_LAST,
    WITH_SPRING,
    ZMAN,
    in_cases,
    in_editions,
    proves,
)
from .table import ANY, Script, cards, only, play, strengths_of, table


@proves("6.14", ZMAN, FFG)
@proves("6.11", DUEL)
@in_editions("T82 F08", *WITH_SPRING)
def test_spring_takes_the_place_of_winter(edition: str) -> None:
    """The older season is discarded and the new one is in force (zman-2018, Winter & Spring; ffg-2007, Spring)."""
    given = table(edition, 2, rows=["10 10", "6"], hands=["P 1", "1"], season="W")
    then = play(given, "A plays P")
    assert then.state.season == SPRING
    assert tuple(then.state.discard) == cards("W")
    assert only(CardPlayed, then.events).place == "season"
    assert strengths_of(then.state) == (26, 6)


@proves("6.14", ZMAN, FFG)
@proves("6.11", DUEL)
@proves("6.12", CLASSIC)
@proves("4.5", *PRINTED)
@in_cases(
    "lying played season",
    ("winter-over-spring", WITH_SPRING, "P", "W", WINTER),
    ("winter-over-winter", PRINTED, "W", "W", WINTER),
    ("spring-over-spring", WITH_SPRING, "P", "P", SPRING),
)
def test_a_new_season_discards_the_old_one(edition: str, lying: str, played: str, season: int) -> None:
    """A season of the same kind does so too, without an additional effect (zman-2018, Winter & Spring)."""
    given = table(edition, 2, hands=[f"{played} 1", "1"], season=lying)
    then = play(given, f"A plays {played}")
    assert then.state.season == season
    assert tuple(then.state.discard) == cards(lying)
    assert not any(map(any, then.state.rows))


@proves("8.2", *REGION_LAST)
@proves("8.3", FFG)
@proves("6.2", *BOTH_EUROGAMES)
@in_editions("T83", *ON_THE_BOARD)
def test_a_season_ends_with_the_battle(edition: str) -> None:
    """The next battle begins without one (zman-2018, Cleanup and Reset; eurogames-1995, Winter Cards)."""
    given = table(edition, rows=["10", "", ""], hands=["1 1", "1 1", "1"], season="W", passed="BC")
    answers = ["A keeps", "B keeps", "C keeps"]
    chosen = ["A chooses roma"]
    after = [*chosen, *answers] if edition == FFG else [*answers, *chosen]
    then = play(given, "A passes", *after, "A plays 1", "B plays 1")
    assert then.state.season == NO_CARD
    assert tuple(then.state.discard) == cards("10 W")
    assert strengths_of(then.state) == (1, 1, 0)


@proves("8.2", DUEL)
def test_a_season_in_a_duel_ends_with_the_battle_too() -> None:
    """It lies in the middle of the play area until then (zman-2018, 2-Player Game)."""
    given = table(DUEL, 2, rows=["10", ""], hands=["1 1", "1"], season="W", passed="B")
    then = play(given, "A passes", chance=Script(deals=[ANY, ANY]))
    assert then.state.season == NO_CARD
    assert tuple(then.state.discard) == cards("10 W")


@proves("6.15", FFG)
def test_winter_in_play_when_the_battle_is_concluded_lowers_every_mercenary() -> None:
    """Four mercenaries worth 29 are worth 4, including the row of the seat that laid it (ffg-2007, Winter)."""
    given = table(FFG, rows=["10 10 5 4", "3"], hands=["W 1", "1", "1"])
    assert strengths_of(given) == (29, 3, 0)
    assert strengths_of(play(given, "A plays W").state) == (4, 1, 0)
