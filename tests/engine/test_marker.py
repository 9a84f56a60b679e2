"""Who takes the battle marker and the region when a battle ends."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine import NEWEST
from engine.events import BattleEnded, MarkerTaken
from engine.rules.marker import HOLDER, OWNER

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, ON_THE_BOARD, PRINTED, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, PlayResult, Script, only, play, region, regions, table

WITH_COURTESANS = (ZMAN, FFG)
CAPTURING: dict[str, object] = {"capturing_regions": True}


def ended(
    edition: str,
    rows: Sequence[str],
    *,
    held: Sequence[str] = (),
    marker: str = "B",
    options: dict[str, object] | None = None,
    chance: Script | None = None,
) -> PlayResult:
    """Return the result of a battle in which all have laid these rows and the last seat passes."""
    hands = ["1"] * len(rows)
    given = table(
        edition, len(rows), rows=rows, hands=hands, held=held, marker=marker, turn="C", passed="ABD", options=options
    )
    return play(given, "C passes", chance=chance)


@proves("7.2 7.4 7.5", *ON_THE_BOARD)
@in_editions("victory", *ON_THE_BOARD)
def test_the_strongest_takes_the_region_and_the_marker(edition: str) -> None:
    """(zman-2018, Determine Winner; eurogames-1995, End of the battle)."""
    then = ended(edition, ["3", "2", "4"])
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (3, 2, 4), (2,), 2)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)
    assert then.state.held == [0, 0, regions("torino")]
    assert then.state.battles == 2


@proves("6.18 7.5", ZMAN, FFG)
@in_editions("F09", *WITH_COURTESANS)
def test_most_spies_take_the_marker_from_the_winner(edition: str) -> None:
    """F09: the winner takes the region but does not choose the next one (zman-2018, Spy; ffg-2007, Courtesan)."""
    then = ended(edition, ["10", "S S", "S"])
    assert then.state.held[0] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "courtesans", None)
    assert then.state.turn == 1


@proves("6.18 7.5", ZMAN, FFG)
@in_editions("T85", *WITH_COURTESANS)
def test_a_tie_for_most_spies_leaves_the_marker_to_the_winner(edition: str) -> None:
    """T85 (zman-2018, Spy; ffg-2007, Courtesan)."""
    assert only(MarkerTaken, ended(edition, ["10", "S S", "S S"]).events) == MarkerTaken(0, "victory", None)


@proves("7.4 7.5", ZMAN, FFG)
@in_editions("T86", *WITH_COURTESANS)
def test_spies_decide_a_tie_for_the_marker(edition: str) -> None:
    """T86: nobody places a control marker (zman-2018, Spy, Determine Winner; ffg-2007, Courtesan)."""
    then = ended(edition, ["6 2", "5 3", "S"])
    assert only(BattleEnded, then.events).leaders == (0, 1)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "courtesans", None)
    assert then.state.owned_regions() == 0


@proves("7.2 7.4 7.5", ZMAN, CLASSIC)
@in_editions("lot", ZMAN, CLASSIC)
@pytest.mark.parametrize("winner", "AC")
def test_a_tie_draws_a_lot_among_the_tied(edition: str, winner: str) -> None:
    """(zman-2018, Determine Winner)."""
    then = ended(edition, ["6 2", "1", "5 3"], chance=Script(lots=[f"{winner} of AC"]))
    assert only(MarkerTaken, then.events) == MarkerTaken("ABC".index(winner), "lot", 0)
    assert then.state.draws == 1
    assert then.state.owned_regions() == 0


@proves("7.5", ZMAN)
def test_a_tie_for_most_spies_and_for_strength_draws_a_lot() -> None:
    """Neither spies nor strength decide (zman-2018, Spy, Determine Winner)."""
    then = ended(ZMAN, ["6 S", "6 S", "1"], chance=Script(lots=["B of AB"]))
    assert only(MarkerTaken, then.events).seat == 1


@proves("7.3 7.5", ZMAN, CLASSIC)
@in_editions("lot-at-nothing", ZMAN, CLASSIC)
def test_a_tie_at_nothing_draws_a_lot_among_all(edition: str) -> None:
    """The lot includes seats that have no cards (zman-2018, Determine Winner)."""
    then = ended(edition, ["", "", "", ""], chance=Script(lots=["D of ABCD"]))
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (0,) * 4, (0, 1, 2, 3), None)
    assert then.state.marker == 3


@proves("7.2 7.4 7.5", FFG, REVISED)
@in_cases("holder heir", ("T53", REVISED, "B", 2), ("T65", FFG, "B", 2), ("round-the-table", (REVISED, FFG), "C", 0))
def test_a_tie_passes_the_marker_to_the_left_of_its_holder(edition: str, holder: str, heir: int) -> None:
    """T53, T65: nobody takes the region (eurogames-revised, Fin de la bataille; ffg-2007, Compare Strength)."""
    then = ended(edition, ["5 4", "1", "6 3"], marker=holder)
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (9, 1, 9), (0, 2), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(heir, "left", None)
    assert then.state.owned_regions() == 0


@proves("6.18 7.5", FFG)
@in_editions("F11", FFG)
def test_a_tie_for_most_courtesans_and_for_strength_passes_the_marker_to_the_left(edition: str) -> None:
    """F11: neither courtesans nor strength decide (ffg-2007, Courtesan)."""
    then = ended(edition, ["6 S", "6 S", "1"], marker="B")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "left", None)


@proves("7.3 7.5", FFG, REVISED)
@in_editions("T55", REVISED, FFG)
def test_where_nobody_fights_the_marker_passes_to_the_left(edition: str) -> None:
    """T55: from the last seat to the first (eurogames-revised, Qui contrôle le Condottiere; ffg-2007, Compare ...)."""
    given = table(edition, 4, hands=["1"] * 4, marker="D", turn="D")
    then = play(given, "D passes", "A passes", "B passes", "C passes")
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "left", None)
    assert then.state.owned_regions() == 0


@proves("7.2 7.4 7.5", EUROGAMES)
@in_editions("T22", EUROGAMES)
def test_a_tie_leaves_the_marker_with_its_holder(edition: str) -> None:
    """T22: nobody takes the city (eurogames-1995, End of the battle)."""
    then = ended(edition, ["5 2", "6 1", "3"], marker="A")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (7, 7, 3), (0, 1), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "holder", None)
    assert then.state.owned_regions() == 0


@proves("7.2 7.4 7.5", EUROGAMES)
@proves("7.5 13.19", FFG)
@proves("7.5 13.7", REVISED)
@in_cases("options", ("T23", EUROGAMES, {}), ("F18", FFG, CAPTURING), ("captured", REVISED, CAPTURING))
def test_a_tie_of_others_leaves_city_and_marker_to_the_owner(edition: str, options: dict[str, object]) -> None:
    """T23, F18: although both attackers are stronger (eurogames-1995, End of the battle; ffg-2007, Capturing ...)."""
    then = ended(edition, ["5 2", "6 1", "3"], held=["", "", "torino"], marker="A", options=options)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
    assert then.state.held[2] == regions("torino")


@proves("7.3 7.4 7.5", EUROGAMES)
@proves("13.19", FFG)
@proves("13.7", REVISED)
@in_cases("options", ("T25", EUROGAMES, {}), ("captured", (FFG, REVISED), CAPTURING))
def test_where_nobody_fights_the_owner_keeps_city_and_marker(edition: str, options: dict[str, object]) -> None:
    """T25 (eurogames-1995, End of the battle)."""
    given = table(edition, 4, hands=["1"] * 4, held=["", "", "", "torino"], options=options)
    then = play(given, "A passes", "B passes", "C passes", "D passes")
    assert only(MarkerTaken, then.events) == MarkerTaken(3, "owner", None)
    assert then.state.held[3] == regions("torino")


@proves("7.3 7.5", EUROGAMES)
def test_where_nobody_fights_for_a_free_city_the_holder_keeps_the_marker() -> None:
    """(eurogames-1995, Who controls the Condottiere)."""
    then = ended(EUROGAMES, ["", "", ""])
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "holder", None)


@proves("7.4 7.5", EUROGAMES)
@proves("13.19", FFG)
@proves("13.7", REVISED)
@in_cases("options", ("T31", EUROGAMES, {}), ("captured", (FFG, REVISED), CAPTURING))
def test_a_conquered_city_changes_hands(edition: str, options: dict[str, object]) -> None:
    """T31: the old owner's marker leaves, the winner takes the battle marker (eurogames-1995, End of the battle)."""
    then = ended(edition, ["10", "1", "2"], held=["roma", "", "torino siena"], options=options)
    assert then.state.held == [regions("roma torino"), 0, regions("siena")]
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "victory", None)


@proves("7.4 7.5", EUROGAMES)
def test_a_victorious_owner_holds_his_city_once() -> None:
    """The owner wins, and takes the battle marker like any winner (eurogames-1995, End of the battle)."""
    then = ended(EUROGAMES, ["1", "1", "10"], held=["", "", "torino"])
    assert then.state.held[2] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)


@proves("7.3", *PRINTED)
@in_cases("row", ("nothing-laid", PRINTED, ""), ("specials-alone", PRINTED, "D C"))
def test_without_any_strength_nobody_wins_whether_or_not_cards_were_laid(edition: str, row: str) -> None:
    """All seats are tied at 0, including those that laid nothing.

    (zman-2018, Determine Winner; eurogames-1995, End of the battle).
    """
    seats = NEWEST[edition].fewest_seats
    given = table(edition, seats, rows=[row], hands=["1"] * seats, passed="BC"[: seats - 1])
    lots = [f"A of {'ABC'[:seats]}"] if edition in (ZMAN, CLASSIC, DUEL) else []
    then = play(given, "A passes", chance=Script(lots=lots, deals=[ANY, ANY] if edition == DUEL else []))
    ended = only(BattleEnded, then.events)
    assert (ended.strengths, ended.leaders, ended.winner) == ((0,) * seats, tuple(range(seats)), None)
    assert (then.state.owned_regions(), then.state.won) == (0, [0] * seats)


@proves("7.2 7.4 7.5", DUEL)
@in_cases("lots heir", ("duel-won", DUEL, [], 0), ("duel-tied", DUEL, ["B of AB"], 1))
def test_in_a_duel_the_winner_takes_the_marker_or_a_lot_gives_it(edition: str, lots: list[str], heir: int) -> None:
    """A duel has no regions (zman-2018, 2-Player Game)."""
    given = table(edition, 2, rows=["5", "5" if lots else "4"], hands=["1", "1"], passed="B")
    then = play(given, "A passes", chance=Script(lots=lots, deals=[ANY, ANY]))
    assert only(MarkerTaken, then.events) == MarkerTaken(heir, "lot" if lots else "victory", 0 if lots else None)
    assert only(BattleEnded, then.events).region is None
    assert then.state.won == ([0, 0] if lots else [1, 0])


def test_a_battle_for_no_region_has_no_owner_and_gives_none_away() -> None:
    """The engine supports battles without a region."""
    edition = replace(NEWEST[ZMAN], marker=(OWNER, HOLDER))
    given = table(edition, rows=["5", "4", ""], hands=["1", "1", "1"], contested=None, marker="B", passed="BC")
    then = play(given, "A passes")
    assert only(BattleEnded, then.events) == BattleEnded(None, "passes", (5, 4, 0), (0,), 0)
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "holder", None)
    assert then.state.owned_regions() == 0


def test_an_edition_whose_claims_name_nobody_is_a_mistake() -> None:
    """Some seat must take the marker, so the last claim must name a seat."""
    edition = replace(NEWEST[ZMAN], marker=())
    given = table(edition, rows=["5", "4", ""], hands=["1", "1", "1"], passed="BC")
    with pytest.raises(AssertionError, match="selects at least one seat"):
        play(given, "A passes")
