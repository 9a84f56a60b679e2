"""Surrender, or Turncoat: the battle ends immediately, and the strongest seat takes the region."""

from engine.cards import COURTESAN
from engine.events import BattleEnded, MarkerTaken, SeatPassed

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, REGION_LAST, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, Script, every, only, play, region, regions, table


@proves("6.13 7.1", ZMAN, FFG)
@in_cases("hand", ("T88", (ZMAN, FFG), "X 2"), ("T88-last-card", (ZMAN, FFG), "X"))
def test_a_turncoat_ends_the_battle_as_usual(edition: str, hand: str) -> None:
    """T88: the strongest seat wins, not the one that laid it, and spies still count.

    (zman-2018, Turncoat; ffg-2007, Surrender).
    """
    given = table(edition, rows=["6 3", "6 1", "S"], hands=["1", "1", hand], turn="C")
    then = play(given, "C plays X")
    ended = only(BattleEnded, then.events)
    assert (ended.cause, ended.strengths, ended.winner) == ("surrender", (9, 7, 1), 0)
    assert then.state.held[0] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "courtesans", None)
    assert every(SeatPassed, then.events) == []


@proves("6.10 7.1", DUEL)
def test_a_turncoat_ends_a_battle_of_a_duel_at_once() -> None:
    """The leading seat wins, even if the other seat has more cards (zman-2018, Turncoat; 2-Player Game)."""
    given = table(DUEL, 2, rows=["5", "6"], hands=["X 10", "4"])
    then = play(given, "A plays X", chance=Script(deals=[ANY, ANY]))
    assert only(BattleEnded, then.events) == BattleEnded(None, "surrender", (5, 6), (1,), 1)
    assert then.state.won == [0, 1]
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "victory", None)
    assert every(SeatPassed, then.events) == []


@proves("6.11 7.1", EUROGAMES)
@proves("13.6", REVISED)
@proves("13.18", FFG)
@in_cases(
    "options",
    ("T19", EUROGAMES, {}),
    ("captured", (REVISED, FFG), {"capturing_regions": True}),
)
def test_an_owner_who_has_laid_nothing_is_too_late(edition: str, options: dict[str, object]) -> None:
    """T19: the city goes to the seat that is strongest at that moment (eurogames-1995, Surrender Cards)."""
    rows, hands, held = ["10 2", "10 5", ""], ["X 1", "1", "10 10"], ["", "", "torino"]
    given = table(edition, rows=rows, hands=hands, held=held, options=options)
    then = play(given, "A plays X")
    assert only(BattleEnded, then.events).winner == 1
    assert then.state.held == [0, regions("torino"), 0]
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "victory", None)
    assert every(SeatPassed, then.events) == []


@proves("7.3 7.4", EUROGAMES)
def test_a_first_surrender_wins_nothing_and_the_owner_keeps_his_city() -> None:
    """All strengths are 0, which is a tie (eurogames-1995, End of the battle)."""
    given = table(EUROGAMES, hands=["X 1", "1", "1"], held=["", "", "torino"])
    then = play(given, "A plays X")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "surrender", (0, 0, 0), (0, 1, 2), None)
    assert then.state.held[2] == regions("torino")
    assert then.state.marker == 2


@proves("7.3", ZMAN, CLASSIC)
@in_editions("at-nothing", ZMAN, CLASSIC)
def test_a_turncoat_at_nothing_draws_a_lot_among_all(edition: str) -> None:
    """If all strengths are 0, all seats are tied (zman-2018, Determine Winner)."""
    then = play(table(edition, hands=["X 1", "1", "1"]), "A plays X", chance=Script(lots=["B of ABC"]))
    assert only(MarkerTaken, then.events) == MarkerTaken(1, "lot", 0)
    assert then.state.owned_regions() == 0


@proves("6.13", ZMAN)
@proves("6.11", CLASSIC, EUROGAMES)
@proves("6.10", REVISED)
@proves("7.1", *REGION_LAST)
@in_editions("in-its-row", ZMAN, CLASSIC, REVISED, EUROGAMES)
def test_a_turncoat_lies_in_its_row_and_counts_nothing(edition: str) -> None:
    """The strengths are those of the moment it is laid (zman-2018, Turncoat; eurogames-1995, Surrender Cards)."""
    given = table(edition, rows=["2", "", ""], hands=["X", "10 10", "10"])
    then = play(given, "A plays X", "B keeps", "C keeps")
    assert only(BattleEnded, then.events).strengths == (2, 0, 0)
    assert then.state.discard[COURTESAN] == 0
    assert sum(then.state.discard) == 2
