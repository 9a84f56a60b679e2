"""Surrender, or Turncoat: the battle ends at once, and the strongest takes the region."""

import pytest

from engine.cards import COURTESAN
from engine.events import BattleEnded, MarkerTaken, SeatPassed

from .table import Script, every, only, play, region, regions, table


@pytest.mark.parametrize("hand", ["X 2", "X"], ids=["T88", "T88-last-card"])
def test_a_turncoat_ends_the_battle_as_usual(hand: str) -> None:
    """T88: the strongest wins, whoever laid it, and spies still count (zman-2018, Turncoat)."""
    given = table("zman-2018", rows=["6 3", "6 1", "S"], hands=["1", "1", hand], turn="C")
    then = play(given, "C plays X")
    ended = only(BattleEnded, then.events)
    assert (ended.cause, ended.strengths, ended.winner) == ("surrender", (9, 7, 1), 0)
    assert then.state.held[0] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "courtesans", None)
    assert every(SeatPassed, then.events) == []


def test_t19_an_owner_who_has_laid_nothing_is_too_late() -> None:
    """T19: the city falls to the strongest at that moment (eurogames-1995, Surrender Cards)."""
    given = table("eurogames-1995", rows=["10 2", "10 5", ""], hands=["X 1", "1", "10 10"], held=["", "", "torino"])
    then = play(given, "A plays X")
    assert only(BattleEnded, then.events).winner == 1
    assert then.state.held == [0, regions("torino"), 0]
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "victory", None)
    assert every(SeatPassed, then.events) == []


def test_a_first_surrender_wins_nothing_and_the_owner_keeps_his_city() -> None:
    """All stand at nothing, which is a tie (eurogames-1995, End of the battle)."""
    given = table("eurogames-1995", hands=["X 1", "1", "1"], held=["", "", "torino"])
    then = play(given, "A plays X")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "surrender", (0, 0, 0), (0, 1, 2), None)
    assert then.state.held[2] == regions("torino")
    assert then.state.marker == 2


def test_a_turncoat_at_nothing_draws_a_lot_among_all() -> None:
    """A tie at nothing is a tie of everybody (zman-2018, Determine Winner)."""
    then = play(table("zman-2018", hands=["X 1", "1", "1"]), "A plays X", chance=Script(lots=["B of ABC"]))
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "lot", 0)
    assert then.state.taken() == 0


def test_a_turncoat_lies_in_its_row_and_counts_nothing() -> None:
    """The strengths are those of the moment it is laid (zman-2018, Turncoat; eurogames-1995, Surrender Cards)."""
    given = table("zman-2018", rows=["2", "", ""], hands=["X", "10 10", "10"])
    then = play(given, "A plays X", "B keeps", "C keeps")
    assert only(BattleEnded, then.events).strengths == (2, 0, 0)
    assert then.state.discard[COURTESAN] == 0
    assert sum(then.state.discard) == 2
