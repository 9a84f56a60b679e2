"""The Bishop: in one edition he removes the strongest and moves the favor marker, in the other he ends the battle."""

import pytest

from engine import PlayCard, legal_commands
from engine.board import members
from engine.cards import BISHOP
from engine.events import BattleEnded, FavorMoved, MarkerTaken, MercenariesRemoved, RowsDiscarded, SeatPassed
from engine.state import NOWHERE

from .table import ANY, Script, cards, command, every, kind, only, play, region, regions, strengths_of, table, types

EVERYTHING_ELSE = (
    "milano venezia genova mantova",
    "ferrara parma modena bologna lucca",
    "firenze siena urbino spoleto ancona roma napoli",
)
"""Every region but Torino, in three hands: not a position of play, but no region is empty."""


def test_f05_every_copy_of_the_highest_mercenary_leaves_all_rows() -> None:
    """F05: 6, 3, 1, 1 against 6, 1, 1 leaves 5 and 2 (zman-2018, Bishop)."""
    given = table("zman-2018", rows=["6 3 1 1", "6 1 1", ""], hands=["1", "B 1", "1"], turn="B")
    then = play(given, "B plays B favoring roma")
    assert strengths_of(then.state) == (5, 2, 0)
    assert only(MercenariesRemoved, then.events) == MercenariesRemoved(kind("6"), (1, 1, 0))
    assert tuple(then.state.discard) == cards("6 6")
    assert tuple(then.state.rows[1]) == cards("1 1 B")


def test_f06_the_bishop_reaches_the_rows_of_seats_that_passed() -> None:
    """F06 (zman-2018, Bishop: all rows)."""
    given = table("zman-2018", rows=["10", "3", ""], hands=["1", "B 1", "1"], turn="B", passed="A")
    then = play(given, "B plays B favoring roma")
    assert strengths_of(then.state) == (0, 3, 0)


def test_t76_the_bishop_looks_at_printed_values() -> None:
    """T76: in Winter too the 10 goes and not the sixes (zman-2018, Strength and Special Cards)."""
    given = table("zman-2018", rows=["10", "6 6", ""], hands=["1", "B 1", "1"], season="W", turn="B")
    then = play(given, "B plays B favoring roma")
    assert strengths_of(then.state) == (0, 2, 0)
    assert tuple(then.state.discard) == cards("10")


def test_f24_the_bishop_and_then_spring_find_another_highest() -> None:
    """F24: the tens go, and Spring shines on the 6 (zman-2018, Bishop, Spring)."""
    given = table("zman-2018", rows=["10 3 D H S", "10 10 4", "6 S S"], hands=["1", "B 1", "1"], season="P", turn="B")
    assert strengths_of(given) == (40, 30, 8)
    then = play(given, "B plays B favoring roma")
    assert strengths_of(then.state) == (17, 4, 11)


def test_a_bishop_that_finds_no_mercenary_still_moves_the_favor_marker() -> None:
    """Heroines and spies are no mercenaries (zman-2018, Bishop; Strength and Special Cards)."""
    then = play(table("zman-2018", rows=["H S D"], hands=["B 1", "1", "1"]), "A plays B favoring roma")
    assert every(MercenariesRemoved, then.events) == []
    assert only(FavorMoved, then.events) == FavorMoved(region("roma"))
    assert tuple(then.state.rows[0]) == cards("H S D B")


def test_a_bishop_may_strike_its_own_row_only() -> None:
    """Nothing exempts the row he is laid in (zman-2018, Bishop)."""
    then = play(table("zman-2018", rows=["10 4", "6"], hands=["B 1", "1", "1"]), "A plays B favoring roma")
    assert strengths_of(then.state)[:2] == (4, 6)


def test_t77_the_favor_marker_frees_the_region_it_leaves() -> None:
    """T77: Siena may be chosen again, Roma may not (zman-2018, Bishop)."""
    given = table("zman-2018", hands=["B 1", "1", "1"], favor="siena", passed="BC")
    then = play(given, "A plays B favoring roma", "A plays 1", "B keeps", "C keeps")
    choices = legal_commands(then.state)
    assert command("A chooses siena") in choices
    assert command("A chooses roma") not in choices
    assert command("A chooses torino") not in choices
    assert len(choices) == 15


def test_the_favor_marker_may_go_to_any_empty_region_and_back_where_it_was() -> None:
    """It is taken up first; owned regions and the contested one are not empty (zman-2018, Bishop)."""
    given = table("zman-2018", hands=["B 1", "1", "1"], held=["roma", "napoli lucca"], favor="siena")
    offered = [play.favor for play in legal_commands(given) if isinstance(play, PlayCard) and play.card == BISHOP]
    everywhere = given.edition.board.everywhere
    assert offered == list(members(everywhere & ~regions("torino roma napoli lucca")))
    assert region("siena") in offered


def test_the_favor_marker_stays_through_battles_and_deals() -> None:
    """Until the next Bishop (zman-2018, Bishop)."""
    given = table("zman-2018", rows=["10"], hands=["1", "", ""], favor="siena")
    then = play(given, "A passes", "A keeps", chance=Script(deals=[ANY]))
    assert then.state.favor == region("siena")
    assert then.state.rounds == 1


def test_the_favor_marker_stays_off_the_board_where_no_region_is_empty() -> None:
    """The Bishop is laid without naming one; he strikes all the same."""
    given = table("zman-2018", rows=["10"], hands=["B 1", "1", "1"], held=EVERYTHING_ELSE)
    assert command("A plays B") in legal_commands(given)
    then = play(given, "A plays B")
    assert only(FavorMoved, then.events) == FavorMoved(None)
    assert then.state.favor == NOWHERE
    assert strengths_of(then.state)[0] == 0


def test_the_favor_marker_may_stay_on_the_last_empty_region() -> None:
    """It is taken up first, so its own region is empty then (zman-2018, Bishop)."""
    held = [EVERYTHING_ELSE[0].replace("milano ", ""), *EVERYTHING_ELSE[1:]]
    given = table("zman-2018", hands=["B 1", "1", "1"], held=held, favor="milano")
    assert legal_commands(given)[-1] == command("A plays B favoring milano")
    assert play(given, "A plays B favoring milano").state.favor == region("milano")


def test_a_last_bishop_passes_its_seat() -> None:
    """An empty hand passes by itself, after the effect (zman-2018, Pass)."""
    then = play(table("zman-2018", rows=["3"], hands=["B", "1", "1"]), "A plays B favoring roma")
    assert types(then.events) == ["CardPlayed", "MercenariesRemoved", "FavorMoved", "SeatPassed", "TurnStarted"]
    assert only(SeatPassed, then.events).forced


@pytest.mark.parametrize("cards_in_hand", ["B 1", "B"], ids=["T20", "T20-last-card"])
def test_a_bishop_ends_the_battle_for_nothing(cards_in_hand: str) -> None:
    """T20: no winner, no count, the marker stays, the rows are gone (eurogames-1995, Bishop Cards)."""
    given = table("eurogames-1995", rows=["10 10", "1"], hands=["1", cards_in_hand, "1"], turn="B")
    then = play(given, "B plays B")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "bishop", None, (0, 1, 2), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "holder", None)
    assert every(RowsDiscarded, then.events)
    assert not any(map(any, then.state.rows))
    assert then.state.taken() == 0
    assert every(SeatPassed, then.events) == []


@pytest.mark.parametrize("bishop", "ABC")
def test_a_bishop_saves_an_owned_city_for_its_owner(bishop: str) -> None:
    """Whatever the forces, and whoever called him; the owner also takes the marker (eurogames-1995, Bishop Cards)."""
    given = table("eurogames-1995", rows=["10 10", "1"], hands=["B 1"] * 3, held=["", "", "torino"], turn=bishop)
    then = play(given, f"{bishop} plays B")
    assert then.state.held[2] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
