"""Who takes the battle marker when seats resign: outside a battle, never a seat that has resigned (house rule)."""

import pytest

from engine.events import BattleEnded, MarkerTaken, TurnStarted
from engine.phase_names import BATTLE, CHOOSE_REGION, KEEP_OR_DISCARD

from .cases import BOTH_EUROGAMES, CLASSIC, EUROGAMES, FFG, ON_THE_BOARD, REVISED, ZMAN, in_cases, in_editions, proves
from .table import Script, every, only, play, region, table

CAPTURING: dict[str, object] = {"capturing_regions": True}


def taken(edition: str, rows: list[str], *, gone: str = "", marker: str = "A", lots: tuple[str, ...] = ()) -> object:
    """Return which seat takes the marker after such a battle, and the reason."""
    hands = ["" if seat in gone else "1 1" for seat in "ABCD"]
    given = table(edition, 4, rows=rows, hands=hands, gone=gone, marker=marker, passed="BCD")
    events = play(given, "A passes", chance=Script(lots=lots)).events
    marker_taken = only(MarkerTaken, events)
    return marker_taken.seat, marker_taken.reason, marker_taken.draw


# A holder resigns


@proves("10.8", ZMAN, CLASSIC)
@proves("10.7", FFG, *BOTH_EUROGAMES)
@in_editions("choosing", *ON_THE_BOARD)
def test_a_holder_gives_it_to_the_left_and_the_new_holder_chooses(edition: str) -> None:
    """It passes to the first seat on the left that has not resigned."""
    given = table(edition, 4, hands=["1", "", "1", "1"], gone="B", phase=CHOOSE_REGION)
    then = play(given, "A resigns")
    assert then.events[-2:] == [MarkerTaken(2, "left", None), TurnStarted(2, CHOOSE_REGION)]
    assert play(then.state, "C chooses roma").events[-1] == TurnStarted(
        2, KEEP_OR_DISCARD if edition == FFG else BATTLE
    )


@proves("10.8", ZMAN, CLASSIC)
@proves("10.7", FFG, *BOTH_EUROGAMES)
@in_editions("round", *ON_THE_BOARD)
def test_the_left_of_the_last_seat_is_the_first(edition: str) -> None:
    """Seats sit in a circle."""
    given = table(edition, 3, hands=["1", "1", "1"], marker="C", turn="C", phase=CHOOSE_REGION)
    assert only(MarkerTaken, play(given, "C resigns").events) == MarkerTaken(0, "left", None)


@proves("10.7", FFG)
def test_a_region_that_is_chosen_stays_chosen() -> None:
    """In ffg-2007, which chooses the region before the discards, the new holder has the first turn there."""
    given = table(FFG, 4, hands=["2", "1", "1", "1"], phase=KEEP_OR_DISCARD)
    given.contested = region("siena")
    then = play(given, "A keeps", "A resigns", "B keeps", "C keeps", "D keeps")
    assert every(MarkerTaken, then.events) == [MarkerTaken(1, "left", None)]
    assert (then.state.contested, then.state.turn, then.state.phase) == (region("siena"), 1, BATTLE)


@in_editions("order", *ON_THE_BOARD)
def test_nobody_is_asked_twice_or_forgotten_because_of_it(edition: str) -> None:
    """The questions continue with the next seat."""
    given = table(edition, 4, hands=["1"] * 4, marker="C", turn="C", phase=KEEP_OR_DISCARD)
    given.contested = region("siena") if edition == FFG else given.contested
    then = play(given, "C keeps", "D keeps", "C resigns", "A keeps", "B keeps")
    asked = [event.seat for event in every(TurnStarted, then.events) if event.phase == KEEP_OR_DISCARD]
    assert asked == [3, 0, 0, 1]
    assert then.events[-1].seat == then.state.marker == 3  # type: ignore[union-attr]


@proves("10.8", ZMAN, CLASSIC)
@proves("10.7", FFG, *BOTH_EUROGAMES)
@in_editions("in-battle", *ON_THE_BOARD)
def test_in_a_battle_it_stays_where_it_is(edition: str) -> None:
    """At the end of the battle, the claims to the marker depend on the holder."""
    given = table(edition, 4, hands=["1", "1", "1", "1"])
    then = play(given, "A resigns")
    assert (then.state.marker, every(MarkerTaken, then.events)) == (0, [])


# A battle ends


@proves("10.8", ZMAN, CLASSIC)
@proves("10.7", FFG, *BOTH_EUROGAMES)
@in_editions("winner", *ON_THE_BOARD)
def test_where_the_winner_has_resigned_its_left_has_it(edition: str) -> None:
    """If that seat has resigned too, the next one takes it."""
    assert taken(edition, ["1", "10", "", ""], gone="B", marker="D") == (2, "left", None)
    assert taken(edition, ["1", "10", "5", ""], gone="BC", marker="D") == (3, "left", None)


@in_editions("winner-there", *ON_THE_BOARD)
def test_a_winner_that_is_there_has_it_as_ever(edition: str) -> None:
    """Resignations of other seats make no difference."""
    assert taken(edition, ["10", "1", "", ""], gone="B", marker="B") == (0, "victory", None)


@proves("10.8", ZMAN)
@proves("10.7", FFG)
@in_editions("courtesans", ZMAN, FFG)
def test_where_the_most_courtesans_lie_before_who_has_resigned_its_left_has_it(edition: str) -> None:
    """The row counts, so the winner does not take the marker."""
    assert taken(edition, ["10", "", "S S", ""], gone="C", marker="B") == (3, "left", None)


@proves("10.8", ZMAN, CLASSIC)
@in_editions("lot", ZMAN, CLASSIC)
def test_a_lot_is_drawn_among_the_tied_that_are_there(edition: str) -> None:
    """If only one of them remains, no lot is drawn. If none of them remains, all remaining seats draw."""
    assert taken(edition, ["5", "5", "5", ""], gone="B", lots=("C of AC",)) == (2, "lot", 0)
    assert taken(edition, ["5", "5", "1", ""], gone="B") == (0, "lot", None)
    assert taken(edition, ["1", "5", "5", ""], gone="BC", lots=("D of AD",)) == (3, "lot", 0)
    assert taken(edition, ["", "", "", ""], gone="C", lots=("D of ABD",)) == (3, "lot", 0)


@proves("10.8", CLASSIC)
def test_a_lot_after_a_bishop_is_drawn_among_those_that_are_there() -> None:
    """All remaining seats draw (zman-2018-classic, Bishop)."""
    given = table(CLASSIC, 4, rows=["1", "5", "", ""], hands=["B 1", "", "1", "1"], gone="B")
    events = play(given, "A plays B", chance=Script(lots=["D of ACD"])).events
    assert only(BattleEnded, events).leaders == (0, 1, 2, 3)
    assert only(MarkerTaken, events) == MarkerTaken(3, "lot", 0)


@proves("10.7", FFG, REVISED)
@in_editions("left", FFG, REVISED)
def test_where_the_left_neighbour_has_resigned_the_next_has_it(edition: str) -> None:
    """The same holds if the holder resigned during the battle."""
    assert taken(edition, ["5", "", "", "5"], gone="B", marker="A") == (2, "left", None)
    assert taken(edition, ["5", "", "", "5"], gone="B", marker="B") == (2, "left", None)
    assert taken(edition, ["5", "5", "", ""], gone="CD", marker="B") == (0, "left", None)


@proves("10.7", EUROGAMES)
def test_where_the_holder_keeps_it_and_has_resigned_its_left_has_it() -> None:
    """(eurogames-1995)."""
    assert taken(EUROGAMES, ["5", "5", "", ""], gone="C", marker="C") == (3, "left", None)
    assert taken(EUROGAMES, ["5", "5", "", ""], gone="C", marker="B") == (1, "holder", None)


@proves("10.7", FFG, *BOTH_EUROGAMES)
@in_cases("options", ("owner", EUROGAMES, {}), ("owner", FFG, CAPTURING), ("owner", REVISED, CAPTURING))
def test_where_the_owner_has_resigned_its_left_has_it(edition: str, options: dict[str, object]) -> None:
    """The marker passes on although the resigned seat still owns the region."""
    given = table(
        edition, 4, rows=["5", "5", "", ""], hands=["1 1", "1", "1", ""], held=["", "", "", "torino"], gone="D",
        passed="BC", marker="B", options=options,
    )  # fmt: skip
    events = play(given, "A passes").events
    assert only(MarkerTaken, events) == MarkerTaken(0, "left", None)


# A region is declined


@proves("10.7", REVISED)
@pytest.mark.parametrize(("gone", "holder"), [("B", 2), ("BC", 3)])
def test_a_decline_passes_over_who_has_resigned(gone: str, holder: int) -> None:
    """(eurogames-revised, Fin de la bataille)."""
    hands = ["" if seat in gone else "1" for seat in "ABCD"]
    given = table(REVISED, 4, hands=hands, gone=gone, phase=CHOOSE_REGION)
    then = play(given, "A declines")
    assert then.events[1:] == [MarkerTaken(holder, "declined", None), TurnStarted(holder, CHOOSE_REGION)]
