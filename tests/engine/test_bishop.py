"""The Bishop: depending on the edition, it removes the highest mercenaries or ends the battle.

It may also move the favor marker.
"""

from engine import PlayCard, legal_commands
from engine.board import members
from engine.cards import BISHOP
from engine.events import (
    BattleEnded,
    CardPlayed,
    FavorMoved,
    MarkerTaken,
    MercenariesRemoved,
    RowsDiscarded,
    SeatPassed,
)
from engine.italy import ITALY
from engine.state import NOWHERE

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, Script, cards, command, every, kind, only, play, region, regions, strengths_of, table, types

EVERYTHING_ELSE = (
    "milano venezia genova mantova",
    "ferrara parma modena bologna lucca",
    "firenze siena urbino spoleto ancona roma napoli",
)
"""Every region but Torino, owned by three seats. No game reaches this position, in which no region is empty."""


STRIKES = {ZMAN: "B plays B favoring roma", FFG: "B plays B favoring roma", DUEL: "B plays B"}
"""How B lays a Bishop that removes the highest mercenaries."""


@proves("6.2", ZMAN, DUEL, FFG)
@proves("6.7", ZMAN, FFG)
@proves("6.4", DUEL)
@proves("4.5", FFG)
@in_editions("F05", *STRIKES)
def test_every_copy_of_the_highest_mercenary_leaves_all_rows(edition: str) -> None:
    """F05: 6, 3, 1, 1 against 6, 1, 1 leaves 5 and 2 (zman-2018, ffg-2007, Bishop)."""
    given = table(edition, 2, rows=["6 3 1 1", "6 1 1"], hands=["2", "B 2"], turn="B")
    then = play(given, STRIKES[edition])
    assert strengths_of(then.state) == (5, 2)
    assert only(MercenariesRemoved, then.events) == MercenariesRemoved(kind("6"), (1, 1))
    place = "discard" if edition == FFG else "row"
    assert only(CardPlayed, then.events).place == place
    assert tuple(then.state.discard) == cards("6 6 B" if place == "discard" else "6 6")
    assert tuple(then.state.rows[1]) == cards("1 1" if place == "discard" else "1 1 B")


@proves("5.3 6.2", ZMAN, DUEL, FFG)
@in_editions("F06", *STRIKES)
def test_the_bishop_reaches_the_rows_of_seats_that_passed(edition: str) -> None:
    """F06 (zman-2018, Bishop: all rows; ffg-2007, Bishop)."""
    given = table(edition, 2, rows=["10", "3"], hands=["1", "B 1"], turn="B", passed="A")
    then = play(given, STRIKES[edition])
    assert strengths_of(then.state) == (0, 3)


@proves("5.2 5.3", ZMAN, DUEL, FFG)
@in_editions("T76", *STRIKES)
def test_the_bishop_looks_at_printed_values(edition: str) -> None:
    """T76: even in Winter the Bishop removes the 10 and not the sixes (zman-2018, Strength and Special Cards)."""
    given = table(edition, 2, rows=["10", "6 6"], hands=["1", "B 1"], season="W", turn="B")
    then = play(given, STRIKES[edition])
    assert strengths_of(then.state) == (0, 2)
    assert (then.state.discard[kind("10")], then.state.discard[kind("6")]) == (1, 0)


@proves("5.2 6.16", ZMAN, FFG)
@proves("5.4", FFG)
@in_editions("F24", ZMAN, FFG)
def test_the_bishop_and_then_spring_find_another_highest(edition: str) -> None:
    """F24: the tens are removed, and Spring then raises the 6 (zman-2018, Bishop, Spring)."""
    given = table(edition, rows=["10 3 D H S", "10 10 4", "6 S S"], hands=["1", "B 1", "1"], season="P", turn="B")
    assert strengths_of(given) == (40, 30, 8)
    then = play(given, "B plays B favoring roma")
    assert strengths_of(then.state) == (17, 4, 11)


@proves("6.1 6.2", ZMAN, FFG)
@in_editions("nothing-to-strike", ZMAN, FFG)
def test_a_bishop_that_finds_no_mercenary_still_moves_the_favor_marker(edition: str) -> None:
    """Heroines and spies are not mercenaries (zman-2018, Bishop; Strength and Special Cards)."""
    then = play(table(edition, rows=["H S D"], hands=["B 1", "1", "1"]), "A plays B favoring roma")
    assert every(MercenariesRemoved, then.events) == []
    assert only(FavorMoved, then.events) == FavorMoved(region("roma"))
    assert strengths_of(then.state)[0] == 11


@proves("6.1 6.2", DUEL)
def test_a_bishop_of_a_duel_that_finds_no_mercenary_is_laid_for_nothing() -> None:
    """(zman-2018, Bishop; 2-Player Game)."""
    then = play(table(DUEL, 2, rows=["H D"], hands=["B 1", "1"]), "A plays B")
    assert every(MercenariesRemoved, then.events) == []
    assert tuple(then.state.rows[0]) == cards("H D B")


@proves("6.7", ZMAN, FFG)
@proves("6.4", DUEL)
@in_editions("once", *STRIKES)
def test_a_bishop_strikes_once(edition: str) -> None:
    """Later cards stay, and the removed cards do not return (zman-2018, Play a Card; ffg-2007, Bishop)."""
    given = table(edition, 2, rows=["6", "1"], hands=["10 2", "B 1"], turn="B")
    then = play(given, STRIKES[edition], "A plays 10")
    assert strengths_of(then.state) == (10, 1)
    assert then.state.discard[kind("6")] == 1


@proves("6.2", ZMAN, DUEL, FFG)
@in_editions("own-row", *STRIKES)
def test_a_bishop_may_strike_its_own_row_only(edition: str) -> None:
    """The Bishop's own row is not exempt (zman-2018, Bishop)."""
    given = table(edition, 2, rows=["6", "10 4"], hands=["1", "B 1"], turn="B")
    then = play(given, STRIKES[edition])
    assert strengths_of(then.state) == (6, 4)


@proves("3.3 6.3", ZMAN, FFG)
@in_cases("answers", ("T77", ZMAN, ["B keeps", "C keeps"]), ("T77", FFG, []))
def test_the_favor_marker_frees_the_region_it_leaves(edition: str, answers: list[str]) -> None:
    """T77: Siena may be chosen again, Roma may not (zman-2018, Bishop)."""
    given = table(edition, hands=["B 1", "1", "1"], favor="siena", passed="BC")
    then = play(given, "A plays B favoring roma", "A plays 1", *answers)
    choices = legal_commands(then.state)
    assert command("A chooses siena") in choices
    assert command("A chooses roma") not in choices
    assert command("A chooses torino") not in choices
    assert len(choices) == 15


@proves("6.3 6.4", ZMAN)
def test_the_favor_marker_may_go_to_any_empty_region_and_back_where_it_was() -> None:
    """It is taken up first; owned regions and the contested one are not empty (zman-2018, Bishop)."""
    given = table("zman-2018", hands=["B 1", "1", "1"], held=["roma", "napoli lucca"], favor="siena")
    offered = [play.favor for play in legal_commands(given) if isinstance(play, PlayCard) and play.card == BISHOP]
    everywhere = ITALY.all_regions
    assert offered == list(members(everywhere & ~regions("torino roma napoli lucca")))
    assert region("siena") in offered


@proves("6.6", ZMAN, FFG)
@in_cases("answers", ("stays", ZMAN, []), ("stays", FFG, ["A chooses roma", "A keeps nothing"]))
def test_the_favor_marker_stays_through_battles_and_deals(edition: str, answers: list[str]) -> None:
    """It stays until the next Bishop (zman-2018, Bishop)."""
    given = table(edition, rows=["10"], hands=["1", "", ""], favor="siena")
    then = play(given, "A passes", *answers, chance=Script(deals=[ANY]))
    assert then.state.favor == region("siena")
    assert then.state.rounds == 1


@proves("6.5", ZMAN)
def test_the_favor_marker_stays_off_the_board_where_no_region_is_empty() -> None:
    """The Bishop is laid without a region, and still removes mercenaries."""
    given = table("zman-2018", rows=["10"], hands=["B 1", "1", "1"], held=EVERYTHING_ELSE)
    assert command("A plays B") in legal_commands(given)
    then = play(given, "A plays B")
    assert only(FavorMoved, then.events) == FavorMoved(None)
    assert then.state.favor == NOWHERE
    assert strengths_of(then.state)[0] == 0


@proves("6.4", ZMAN)
def test_the_favor_marker_may_stay_on_the_last_empty_region() -> None:
    """It is taken up first, so its own region is empty then (zman-2018, Bishop)."""
    held = [EVERYTHING_ELSE[0].replace("milano ", ""), *EVERYTHING_ELSE[1:]]
    given = table("zman-2018", hands=["B 1", "1", "1"], held=held, favor="milano")
    assert legal_commands(given)[-1] == command("A plays B favoring milano")
    assert play(given, "A plays B favoring milano").state.favor == region("milano")


@proves("4.7", ZMAN)
def test_a_last_bishop_passes_its_seat() -> None:
    """An empty hand passes by itself, after the effect (zman-2018, Pass)."""
    then = play(table("zman-2018", rows=["3"], hands=["B", "1", "1"]), "A plays B favoring roma")
    assert types(then.events) == ["CardPlayed", "MercenariesRemoved", "FavorMoved", "SeatPassed", "TurnStarted"]
    assert only(SeatPassed, then.events).forced


@proves("6.12 7.1 7.2 7.5", EUROGAMES)
@in_cases("cards_in_hand", ("T20", EUROGAMES, "B 1"), ("T20-last-card", EUROGAMES, "B"))
def test_a_bishop_ends_the_battle_for_nothing(edition: str, cards_in_hand: str) -> None:
    """T20: no winner, rows not compared, the marker stays, the rows are discarded (eurogames-1995, Bishop Cards)."""
    given = table(edition, rows=["10 10", "1"], hands=["1", cards_in_hand, "1"], turn="B")
    then = play(given, "B plays B")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "bishop", None, (0, 1, 2), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(0, "holder", None)
    assert every(RowsDiscarded, then.events)
    assert not any(map(any, then.state.rows))
    assert then.state.owned_regions() == 0
    assert every(SeatPassed, then.events) == []


@proves("6.11 7.1 7.2 7.5", REVISED)
def test_a_bishop_passes_the_marker_to_the_left() -> None:
    """The rows are not compared, and nobody wins (eurogames-revised, Évêque, Qui contrôle le Condottiere)."""
    given = table(REVISED, rows=["10 10", "1"], hands=["1", "1", "B 1"], marker="B", turn="C")
    then = play(given, "C plays B")
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "bishop", None, (0, 1, 2), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "left", None)
    assert then.state.owned_regions() == 0


@proves("6.2 6.3 6.4 7.1 7.2 7.4 7.5 12.2", CLASSIC)
def test_the_classic_bishop_draws_a_lot_for_the_marker_among_all() -> None:
    """Nobody wins; seats without cards are in the lot too, and the aftermath is as usual.

    (zman-2018, Classic Version).
    """
    given = table(CLASSIC, rows=["10 10", "1"], hands=["1", "B 1", ""], turn="B")
    then = play(given, "B plays B", "A keeps", "B keeps", chance=Script(lots=["C of ABC"]))
    assert only(BattleEnded, then.events) == BattleEnded(region("torino"), "bishop", None, (0, 1, 2), None)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "lot", 0)
    assert every(MercenariesRemoved, then.events) == []
    assert then.state.owned_regions() == 0
    assert then.state.turn == 2


@proves("6.12 7.4 7.5", EUROGAMES)
@proves("13.6 13.7", REVISED)
@in_cases(
    "bishop options",
    *((f"owned-{bishop}", EUROGAMES, bishop, {}) for bishop in "ABC"),
    *((f"captured-{bishop}", REVISED, bishop, {"capturing_regions": True}) for bishop in "ABC"),
)
def test_a_bishop_saves_an_owned_city_for_its_owner(edition: str, bishop: str, options: dict[str, object]) -> None:
    """The strengths and who laid the Bishop do not matter; the owner gets the marker (eurogames-1995, Bishop Cards)."""
    rows, held = ["10 10", "1"], ["", "", "torino"]
    given = table(edition, rows=rows, hands=["B 1"] * 3, held=held, turn=bishop, options=options)
    then = play(given, f"{bishop} plays B")
    assert then.state.held[2] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "owner", None)
