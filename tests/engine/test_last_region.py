"""The last region: how a game ends when no region is left to contest."""

import pytest

from engine import State, legal_commands
from engine.events import FinalBattleStarted, GameEnded, TurnStarted
from engine.italy import ITALY

from .cases import CLASSIC, FFG, REVISED, ZMAN, in_editions, proves
from .table import ANY, PlayResult, Script, every, only, play, regions, table, types

WITHOUT_KINGDOM = [
    "torino venezia lucca spoleto siena",
    "genova mantova bologna roma urbino",
    "milano ferrara parma firenze ancona",
    "modena",
]
"""Every region but Napoli. D has one region, and no seat has three adjacent ones."""

CAPTURING: dict[str, object] = {"capturing_regions": True}
DRAWING: dict[str, object] = {"draw_after_battle": True}


def napoli_goes_to(winner: str, held: list[str], options: dict[str, object] | None = None) -> State:
    """Return a position of four seats in which this seat is about to win Napoli, the last neutral city."""
    rows = ["10" if letter == winner else "" for letter in "ABCD"]
    hands = ["1" if letter == winner else "" for letter in "ABCD"]
    given = table(REVISED, 4, rows=rows, hands=hands, held=held, contested="napoli", turn=winner, options=options)
    assert given.owned_regions() == ITALY.all_regions & ~regions("napoli")
    return given


def taken_by(winner: str, held: list[str], options: dict[str, object] | None = None) -> PlayResult:
    """Return the result if this seat wins the last neutral city."""
    return play(napoli_goes_to(winner, held, options), f"{winner} passes")


@proves("9.4", REVISED)
def test_the_last_neutral_city_ends_the_game_at_once() -> None:
    """The seat with the most cities wins, and no hand is asked for (eurogames-revised, Fin de la partie, 2)."""
    then = taken_by("A", WITHOUT_KINGDOM)
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("9.6", REVISED)
@in_editions("T56", REVISED)
def test_level_seats_fight_for_the_victory_when_the_last_city_is_taken(edition: str) -> None:
    """T56: six, five and six cities, no kingdom: two seats fight it out (eurogames-revised, Fin de la partie)."""
    held = ["modena spoleto mantova ancona parma", "ferrara lucca milano urbino bologna"]
    held.append("venezia siena genova roma firenze torino")
    given = table(edition, rows=["10"], hands=["1", "1", "1"], held=held, contested="napoli", passed="BC")
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert [cities.bit_count() for cities in then.state.held] == [6, 5, 6]
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 2), "no-region-left")
    assert every(GameEnded, then.events) == []
    assert then.state.fighters == 0b101


@proves("9.4", REVISED)
@pytest.mark.parametrize("options", [{}, CAPTURING], ids=["", "capturing"])
def test_a_kingdom_completed_by_the_last_city_wins_as_a_kingdom(options: dict[str, object]) -> None:
    """The kingdom is checked first, which matters for the points (eurogames-revised, Fin de la partie, 1)."""
    held = ["torino roma ancona", "venezia lucca", "genova bologna", "mantova siena"]
    held[1] += " milano ferrara parma firenze spoleto urbino modena"
    then = taken_by("A", held, options)
    assert only(GameEnded, then.events) == GameEnded((0,), ("adjacent-regions",))


@proves("13.8", REVISED)
def test_with_captured_cities_the_last_neutral_one_still_ends_the_game() -> None:
    """Other cities could still be attacked (eurogames-revised, Fin de la partie, 2; Capturing Cities)."""
    then = taken_by("A", WITHOUT_KINGDOM, CAPTURING)
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("9.4", REVISED)
def test_while_a_city_is_neutral_the_game_goes_on() -> None:
    """It continues even if nobody wins the battle for the last one (eurogames-revised, Fin de la bataille)."""
    given = napoli_goes_to("A", WITHOUT_KINGDOM)
    given.rows[0] = [0] * 15
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert every(GameEnded, then.events) == []
    assert then.events[-1] == TurnStarted(1, "choose-region")
    assert len(legal_commands(then.state)) == 2


AHEAD = ["venezia parma roma", "modena urbino spoleto", "bologna milano lucca", "firenze torino genova"]
AHEAD += ["ancona mantova", "ferrara siena"]
LEVEL = ["ancona mantova genova", "lucca spoleto siena", "roma modena", "ferrara venezia", "bologna parma"]
LEVEL += ["milano torino firenze urbino"]
"""Every region but Napoli: with it A has four, alone or like F, and no seat has a kingdom."""


def last_for_six(
    edition: str, held: list[str], options: dict[str, object] | None = None, *, revision: int | None = None
) -> State:
    """Return a position of six seats in which A is about to win the last region and has the last hand."""
    return table(
        edition, 6, rows=["10"], hands=["1"], held=held, contested="napoli", options=options, revision=revision
    )  # fmt: skip


@proves("9.4", ZMAN, CLASSIC)
@in_editions("no-empty", ZMAN, CLASSIC)
def test_no_region_is_missed_before_the_next_battle_should_begin(edition: str) -> None:
    """The check comes after the cleanup and the deal; a tie is shared (zman-2018, Winning the Game)."""
    for held, winners in ((AHEAD, (0,)), (LEVEL, (0, 5))):
        then = play(last_for_six(edition, held), "A passes", chance=Script(deals=[ANY]))
        assert only(GameEnded, then.events) == GameEnded(winners, ("no-region-left",))
        assert types(then.events)[-4:] == ["HandDiscarded", "RoundEnded", "HandsDealt", "GameEnded"]


@proves("8.2 9.4", FFG)
def test_no_region_is_missed_before_hands_are_discarded() -> None:
    """The choice of the next region comes first (ffg-2007, Choose the New Battle, Winning the Game)."""
    then = play(last_for_six(FFG, AHEAD), "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("9.4", FFG)
def test_level_seats_fight_when_no_region_is_left() -> None:
    """(ffg-2007, Breaking Ties)."""
    then = play(last_for_six(FFG, LEVEL), "A passes", chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 5), "no-region-left")
    assert every(GameEnded, then.events) == []


@proves("9.4 13.3", FFG)
@pytest.mark.parametrize("move", ["A passes", "A plays 1"], ids=["a hand is left", "no hand is left"])
def test_nobody_draws_when_no_region_is_left(move: str) -> None:
    """9.4, 13.3: the game ends with the battle (ffg-2007, Winning the Game)."""
    then = play(last_for_six(FFG, AHEAD, DRAWING), move)
    assert types(then.events)[-3:] == ["BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))
    then = play(last_for_six(FFG, LEVEL, DRAWING), move, chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 5), "no-region-left")
    assert then.events[-1] == TurnStarted(0, "battle")


def test_in_revision_1_seats_draw_before_it_is_seen_that_no_region_is_left() -> None:
    """13.3 of revision 1: seats draw for a battle that is never fought."""
    then = play(last_for_six(FFG, AHEAD, DRAWING, revision=1), "A passes")
    assert then.events[-1] == TurnStarted(0, "draw-cards")
    for seat in "ABCDEF":
        then = play(then.state, f"{seat} draws 0")
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("9.4", ZMAN, FFG)
@in_editions("favored", ZMAN, FFG)
def test_the_only_free_region_may_lie_under_the_favor_marker(edition: str) -> None:
    """In that case no region is available (ffg-2007, Winning the Game; zman-2018, Winning the Game)."""
    held = [*AHEAD[:5], "siena"]
    given = table(edition, 6, rows=["10"], hands=["1"], held=held, contested="ferrara", favor="napoli")
    then = play(given, "A passes", chance=Script(deals=[ANY] * (edition == ZMAN)))
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("13.21", FFG)
def test_with_captured_regions_there_is_always_one_to_attack() -> None:
    """Owned ones may be chosen, unless the holder owns all regions but that of the favor marker.

    (ffg-2007, Capturing Regions).
    """
    given = table(FFG, 6, rows=["10"], hands=["1"], held=AHEAD, contested="napoli", options=CAPTURING)
    then = play(given, "A passes")
    assert then.events[-1] == TurnStarted(0, "choose-region")
    assert len(legal_commands(then.state)) == 17 - 4
