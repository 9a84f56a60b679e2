"""Who takes the battle marker, and whose the region is, when a battle ends."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine import EDITIONS
from engine.events import BattleEnded, MarkerTaken
from engine.rules.marker import THE_HOLDER, THE_OWNER

from .table import Played, Script, only, play, region, regions, table

ZMAN = "zman-2018"
EUROGAMES = "eurogames-1995"


def ended(
    edition: str, rows: Sequence[str], *, held: Sequence[str] = (), marker: str = "B", chance: Script | None = None
) -> Played:
    """Return what came of a battle in which all have laid these rows and the last seat passes."""
    hands = ["1"] * len(rows)
    given = table(edition, len(rows), rows=rows, hands=hands, held=held, marker=marker, turn="C", passed="ABD")
    return play(given, "C passes", chance=chance)


@pytest.mark.parametrize("edition", [ZMAN, EUROGAMES])
def test_the_strongest_takes_the_region_and_the_marker(edition: str) -> None:
    """(zman-2018, Determine Winner; eurogames-1995, End of the battle)."""
    then = ended(edition, ["3", "2", "4"])
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (3, 2, 4), (2,), 2)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)
    assert then.state.held == [0, 0, regions("torino")]
    assert then.state.battles == 1


def test_f09_most_spies_take_the_marker_from_the_winner() -> None:
    """F09: the region stays with the winner (zman-2018, Spy)."""
    then = ended(ZMAN, ["10", "S S", "S"])
    assert then.state.held[0] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "courtesans", None)
    assert then.state.turn == 1


def test_t85_a_tie_for_most_spies_leaves_the_marker_to_the_winner() -> None:
    """T85 (zman-2018, Spy)."""
    assert only(MarkerTaken, ended(ZMAN, ["10", "S S", "S S"]).events) == MarkerTaken(0, "victory", None)


def test_t86_spies_decide_a_tie_for_the_marker() -> None:
    """T86: no control marker is placed (zman-2018, Spy, Determine Winner)."""
    then = ended(ZMAN, ["6 2", "5 3", "S"])
    assert only(BattleEnded, then.events).leaders == (0, 1)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "courtesans", None)
    assert then.state.taken() == 0


@pytest.mark.parametrize("winner", "AC")
def test_a_tie_draws_a_lot_among_the_tied(winner: str) -> None:
    """(zman-2018, Determine Winner)."""
    then = ended(ZMAN, ["6 2", "1", "5 3"], chance=Script(lots=[f"{winner} of AC"]))
    assert only(MarkerTaken, then.events) == MarkerTaken("ABC".index(winner), "lot", 0)
    assert then.state.draws == 1
    assert then.state.taken() == 0


def test_a_tie_for_most_spies_and_for_strength_draws_a_lot() -> None:
    """Neither spies nor strength name anybody (zman-2018, Spy, Determine Winner)."""
    then = ended(ZMAN, ["6 S", "6 S", "1"], chance=Script(lots=["B of AB"]))
    assert only(MarkerTaken, then.events).seat == 1


def test_a_tie_at_nothing_draws_a_lot_among_all() -> None:
    """Also among seats that have no cards (zman-2018, Determine Winner)."""
    then = ended(ZMAN, ["", "", "", ""], chance=Script(lots=["D of ABCD"]))
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (0,) * 4, (0, 1, 2, 3), None)
    assert then.state.marker == 3


def test_t22_a_tie_leaves_the_marker_with_its_holder() -> None:
    """T22: and the city to nobody (eurogames-1995, End of the battle)."""
    then = ended(EUROGAMES, ["5 2", "6 1", "3"], marker="A")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "passes", (7, 7, 3), (0, 1), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "holder", None)
    assert then.state.taken() == 0


def test_t23_a_tie_of_others_leaves_city_and_marker_to_the_owner() -> None:
    """T23: though both attackers stand above him (eurogames-1995, End of the battle)."""
    then = ended(EUROGAMES, ["5 2", "6 1", "3"], held=["", "", "torino"], marker="A")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
    assert then.state.held[2] == regions("torino")


def test_t25_where_nobody_fights_the_owner_keeps_city_and_marker() -> None:
    """T25 (eurogames-1995, End of the battle)."""
    given = table(EUROGAMES, 4, hands=["1"] * 4, held=["", "", "", "torino"])
    then = play(given, "A passes", "B passes", "C passes", "D passes")
    assert only(MarkerTaken, then.events) == MarkerTaken(3, "owner", None)
    assert then.state.held[3] == regions("torino")


def test_where_nobody_fights_for_a_free_city_the_holder_keeps_the_marker() -> None:
    """(eurogames-1995, Who controls the Condottiere)."""
    then = ended(EUROGAMES, ["", "", ""])
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "holder", None)


def test_t31_a_conquered_city_changes_hands() -> None:
    """T31: the old owner's marker leaves, the winner takes the battle marker (eurogames-1995, End of the battle)."""
    then = ended(EUROGAMES, ["10", "1", "2"], held=["roma", "", "torino siena"])
    assert then.state.held == [regions("roma torino"), 0, regions("siena")]
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "victory", None)


def test_a_victorious_owner_holds_his_city_once() -> None:
    """He wins, and takes the battle marker as a winner does (eurogames-1995, End of the battle)."""
    then = ended(EUROGAMES, ["1", "1", "10"], held=["", "", "torino"])
    assert then.state.held[2] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "victory", None)


def test_a_battle_for_no_region_has_no_owner_and_gives_none_away() -> None:
    """A battle may be fought for nothing but its outcome; no printed edition built so far has one."""
    edition = replace(EDITIONS[ZMAN], marker=(THE_OWNER, THE_HOLDER))
    given = table(edition, rows=["5", "4", ""], hands=["1", "1", "1"], contested=None, marker="B", passed="BC")
    then = play(given, "A passes")
    assert only(BattleEnded, then.events) == BattleEnded(None, "passes", (5, 4, 0), (0,), 0)
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "holder", None)
    assert then.state.taken() == 0


def test_an_edition_whose_claims_name_nobody_is_a_mistake() -> None:
    """The marker always goes somewhere, so the last claim has to name somebody."""
    edition = replace(EDITIONS[ZMAN], marker=())
    given = table(edition, rows=["5", "4", ""], hands=["1", "1", "1"], passed="BC")
    with pytest.raises(AssertionError, match="names somebody"):
        play(given, "A passes")
