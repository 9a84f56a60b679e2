"""Who wins when seats have resigned: never one of them; the last remaining seat wins immediately (house rule)."""

import pytest

from engine import State
from engine.events import (
    BattleEnded,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandsDealt,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    RoundStalled,
    SeatResigned,
    TurnStarted,
)
from engine.phase_names import BATTLE, CHOOSE_REGION

from .cases import CLASSIC, EUROGAMES, FFG, ON_THE_BOARD, REVISED, ZMAN, in_editions, proves
from .table import ANY, Script, every, only, play, regions, table, types

WITH_FINAL = (FFG, REVISED)
KINGDOM = "roma siena spoleto firenze urbino bologna"


# Goals


@proves("10.9", ZMAN, CLASSIC, REVISED)
@proves("10.8", FFG, EUROGAMES)
@in_editions("goal", *ON_THE_BOARD)
def test_a_goal_that_is_reached_after_leaving_does_not_win(edition: str) -> None:
    """The row of the seat that resigned wins the region, and the game continues."""
    held = ["", "roma siena spoleto urbino bologna"]
    given = table(edition, 4, rows=["1", "10"], hands=["2", "5", "3", "4"], held=held, contested="firenze", passed="CD")
    then = play(given, "B resigns", "A passes")
    assert then.state.held[1] == regions(KINGDOM)
    assert every(GameEnded, then.events) == []


@proves("10.8", FFG, EUROGAMES)
@proves("10.9", REVISED)
@in_editions("goals", *ON_THE_BOARD)
def test_the_goals_stay_those_of_the_seats_that_began(edition: str) -> None:
    """The goal is still that of four seats: three adjacent regions, or four in the first edition."""
    adjacent = table(edition, 4).edition.goals[4].adjacent
    *held, contested = KINGDOM.split()[:adjacent]
    hands = ["2", "", "3", "4"]
    given = table(
        edition, 4, rows=["10"], hands=hands, held=[" ".join(held)], gone="B", contested=contested, passed="CD"
    )
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0,), ("adjacent-regions",))


# The most regions


@proves("10.9", ZMAN, CLASSIC, REVISED)
@proves("10.8", FFG, EUROGAMES)
@in_editions("limit", *ON_THE_BOARD)
def test_the_most_regions_are_counted_of_those_that_are_there(edition: str) -> None:
    """Only the remaining seats share a tie at the battle limit."""
    for held, winners in ((["roma", "siena napoli", "lucca"], (0,)), (["", "siena napoli", "lucca"], (0, 2))):
        given = table(
            edition, 4, rows=["10"], hands=["1", "", "1", "1"], held=held, gone="B", passed="CD",
            options={"battle_limit": 1},
        )  # fmt: skip
        then = play(given, "A passes")
        assert then.state.held[1] == regions("siena napoli")
        assert only(GameEnded, then.events) == GameEnded(winners, ("battle-limit",))


@proves("10.9", ZMAN, CLASSIC, REVISED)
@proves("10.8", FFG, EUROGAMES)
@in_editions("stall", *ON_THE_BOARD)
def test_a_stall_counts_the_seats_that_are_there(edition: str) -> None:
    """With three of four seats remaining, six battles without a card end the round, and six more end the game."""
    given = table(edition, 4, hands=["1", "", "1", "1"], held=["", "roma siena"], gone="B", passed="CD")
    given.idle = 5
    lots = ["A of ACD"] if edition in (ZMAN, CLASSIC) else []
    moves = ["A passes", *(["C chooses milano"] if edition == FFG else [])]
    then = play(given, *moves, chance=Script(lots=lots, deals=[ANY]))
    assert only(RoundStalled, then.events) == RoundStalled(6)
    assert [event.seat for event in every(HandDiscarded, then.events)].count(1) == 0
    given.stalls = 1
    then = play(given, "A passes", chance=Script(lots=lots))
    assert only(GameEnded, then.events) == GameEnded((0, 2, 3), ("stall",))


# Declines


@proves("10.8", REVISED)
def test_a_round_of_declines_is_one_of_those_that_are_there() -> None:
    """(eurogames-revised, Fin de la partie, 3)."""
    given = table(REVISED, 4, hands=["1", "", "1", "1"], held=["roma", "siena lucca"], gone="B", phase=CHOOSE_REGION)
    then = play(given, "A declines", "C declines", "D declines")
    assert only(GameEnded, then.events) == GameEnded((0,), ("declined",))


@proves("10.8", REVISED)
@pytest.mark.parametrize("leaver", ["A", "B", "C", "D"])
def test_a_resignation_starts_the_round_of_declines_anew(leaver: str) -> None:
    """The round starts again whether the resigning seat has declined, is being asked, or would be asked later."""
    given = table(REVISED, 4, hands=["1"] * 4, held=["roma"] if leaver != "A" else ["", "roma"], phase=CHOOSE_REGION)
    state = play(given, "A declines", "B declines", f"{leaver} resigns").state
    assert state.declines == 0
    there = [seat for seat in "CDABC" if seat != leaver][:3]
    then = play(state, *(f"{seat} declines" for seat in there))
    assert [event.seat for event in every(TurnStarted, then.events)] == ["ABCD".index(seat) for seat in there[1:]]
    assert only(GameEnded, then.events).reasons == ("declined",)


# The final battle


LEVEL = ["ancona mantova genova", "lucca spoleto siena parma", "roma modena", "ferrara venezia", "bologna"]
LEVEL += ["milano torino firenze urbino"]
"""Every region but Napoli: if A wins it, A is tied with B and F, and no seat has a kingdom."""


def level(edition: str, gone: str = "") -> State:
    """Return a position of six seats in which A wins the last region."""
    hands = ["" if seat in gone else "1" for seat in "ABCDEF"]
    return table(edition, 6, rows=["10"], hands=hands, held=LEVEL, contested="napoli", passed="BCDEF", gone=gone)


@proves("10.9", FFG)
@proves("10.10", REVISED)
@in_editions("level", *WITH_FINAL)
def test_a_final_battle_is_fought_by_those_that_are_there(edition: str) -> None:
    """A tied seat that has resigned does not fight and is dealt no cards."""
    then = play(level(edition, gone="B"), "A passes", chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events).fighters == (0, 5)
    assert only(HandsDealt, then.events).hands[1] == (0,) * 15
    assert then.state.passed == 0b011110


@proves("10.8", FFG)
@proves("10.9", REVISED)
@in_editions("ahead", *WITH_FINAL)
def test_who_is_ahead_of_those_that_are_there_wins_without_one(edition: str) -> None:
    """There is no final battle although seats that have resigned own as many regions."""
    then = play(level(edition, gone="BF"), "A passes")
    assert only(GameEnded, then.events) == GameEnded((0,), ("no-region-left",))


@proves("10.9", FFG)
@proves("10.10", REVISED)
@in_editions("fighter", *WITH_FINAL)
def test_a_fighter_leaves_and_the_others_fight_on(edition: str) -> None:
    """Its row can no longer win."""
    given = table(edition, 4, rows=["10", "3", "2", ""], hands=["1", "1", "1", ""], fighters="ABC")
    then = play(given, "A resigns", "B passes", "C passes")
    assert then.events[2] == TurnStarted(1, BATTLE)
    assert then.state.fighters == 0b0110
    assert only(BattleEnded, then.events).strengths == (10, 3, 2, 0)
    assert (only(BattleEnded, then.events).leaders, only(BattleEnded, then.events).winner) == ((1,), 1)
    assert only(GameEnded, then.events) == GameEnded((1,), ("final-battle",))


@proves("10.9", FFG)
@proves("10.10", REVISED)
@in_editions("fighter-tie", *WITH_FINAL)
def test_a_final_battle_is_shared_only_by_those_that_are_there(edition: str) -> None:
    """A tied seat that has resigned does not share the victory."""
    given = table(edition, 4, rows=["3", "3", "3", ""], hands=["1", "1", "1", ""], fighters="ABC")
    then = play(given, "B resigns", "A passes", "C passes")
    assert only(GameEnded, then.events) == GameEnded((0, 2), ("final-battle",))


@proves("10.9", FFG)
@proves("10.10", REVISED)
@in_editions("last-fighter", *WITH_FINAL)
@pytest.mark.parametrize("turn", ["A", "C"])
def test_the_last_fighter_wins_at_once(edition: str, turn: str) -> None:
    """The last fighter wins even if other seats remain at the table and the other fighter's row is stronger."""
    given = table(edition, 4, rows=["10", "", "3", ""], hands=["1", "", "1", ""], fighters="AC", turn=turn)
    then = play(given, "A resigns")
    assert types(then.events) == ["SeatResigned", "HandDiscarded", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((2,), ("resignation",))


@in_editions("bystander", *WITH_FINAL)
def test_a_bystander_leaves_and_the_fight_goes_on(edition: str) -> None:
    """A seat that does not fight has no influence on the final battle."""
    given = table(edition, 4, rows=["10", "", "3", ""], hands=["1", "", "1", ""], fighters="AC")
    then = play(given, "B resigns", "D resigns")
    assert then.events == [SeatResigned(1), TurnStarted(0, BATTLE), SeatResigned(3), TurnStarted(0, BATTLE)]
    assert then.state.fighters == 0b0101


# A match


def in_a_match(edition: str, points: tuple[int, ...] = (), gone: str = "", target: int = 20) -> State:
    """A position of four seats in which A wins a region and with it a game of a match."""
    hands = ["" if seat in gone else "1" for seat in "ABCD"]
    return table(
        edition, 4, rows=["10", "", "", ""], hands=hands, held=["roma siena venezia", "torino napoli modena"],
        contested="firenze", passed="BCD", points=points, options={"points": target}, gone=gone,
    )  # fmt: skip


@proves("10.12", FFG)
@proves("10.13", REVISED)
@in_editions("match", *WITH_FINAL)
def test_who_has_resigned_is_out_of_the_games_that_follow(edition: str) -> None:
    """In later games, the seat gets no points, draws no lot, is dealt no cards, and is not asked."""
    then = play(in_a_match(edition, gone="B"), "A passes", chance=Script(lots=["C of ACD"], deals=[ANY]))
    assert only(MatchScored, then.events) == MatchScored((9, 0, 0, 0), (9, 0, 0, 0))
    assert types(then.events)[-4:] == ["GameStarted", "MarkerTaken", "HandsDealt", "TurnStarted"]
    assert only(GameStarted, then.events).seats == 4
    assert [sum(hand) for hand in then.state.hands] == [10, 0, 10, 10]
    assert (then.state.gone, then.state.passed) == (0b0010, 0b0010)
    then = play(then.state, "C resigns", "D chooses roma", "D passes")
    assert then.events[-1] == TurnStarted(0, BATTLE)


@proves("10.12", FFG)
@proves("10.13", REVISED)
@in_editions("points", *WITH_FINAL)
def test_points_of_who_has_resigned_win_nothing(edition: str) -> None:
    """Only the points of the remaining seats are compared."""
    then = play(in_a_match(edition, points=(11, 19, 0, 0), gone="B"), "A passes")
    assert only(MatchScored, then.events).points == (20, 19, 0, 0)
    assert only(MatchEnded, then.events) == MatchEnded((0,), ("points",))


@in_editions("no-points", *WITH_FINAL)
def test_a_game_that_brings_only_who_has_resigned_regions_brings_no_points(edition: str) -> None:
    """The match ends."""
    given = table(
        edition, 4, hands=["1", "", "1", "1"], held=["", "roma siena"], passed="CD", points=(3, 9, 3, 0), gone="B",
        options={"points": 20, "battle_limit": 1},
    )  # fmt: skip
    then = play(given, "A passes")
    assert only(MatchScored, then.events).gained == (0, 0, 0, 0)
    assert only(MatchEnded, then.events) == MatchEnded((0, 2), ("no-points",))


@proves("10.12", FFG)
@proves("10.13", REVISED)
@in_editions("match-over", *WITH_FINAL)
def test_the_last_one_left_wins_the_game_and_the_match(edition: str) -> None:
    """The seat wins even if another seat has more points."""
    given = in_a_match(edition, points=(0, 9, 12, 0), gone="C")
    then = play(given, "A resigns", "B resigns")
    assert types(then.events)[-3:] == ["GameEnded", "MatchScored", "MatchEnded"]
    assert only(GameEnded, then.events) == GameEnded((3,), ("resignation",))
    assert only(MatchEnded, then.events) == MatchEnded((3,), ("resignation",))
    assert then.state.result == MatchEnded((3,), ("resignation",))


@in_editions("final-of-a-game", *WITH_FINAL)
def test_the_last_fighter_of_a_game_wins_it_and_the_match_goes_on(edition: str) -> None:
    """The match continues with the remaining seats."""
    given = table(
        edition, 4, rows=["10", "", "3", ""], hands=["1", "", "1", ""], fighters="AC", held=["roma", "", "siena"],
        points=(2, 2, 2, 2), options={"points": 20},
    )  # fmt: skip
    then = play(given, "A resigns", chance=Script(lots=["D of BCD"], deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded((2,), ("resignation",))
    assert only(MatchScored, then.events) == MatchScored((0, 0, 1, 0), (2, 2, 3, 2))
    assert only(MarkerTaken, then.events).seat == 3
    assert then.events[-1] == TurnStarted(3, CHOOSE_REGION)


@in_editions("final-of-a-match", *WITH_FINAL)
def test_the_last_fighter_of_a_match_wins_it(edition: str) -> None:
    """All games of the match are over, and no more points are scored."""
    given = table(edition, 4, hands=["1", "", "1", ""], fighters="AC", points=(20, 2, 20, 2), options={"points": 20})
    then = play(given, "C resigns")
    assert types(then.events) == ["SeatResigned", "HandDiscarded", "MatchEnded"]
    assert only(MatchEnded, then.events) == MatchEnded((0,), ("resignation",))
    then = play(given, "B resigns", "D resigns", "A resigns")
    assert only(MatchEnded, then.events) == MatchEnded((2,), ("resignation",))


# The standing


@proves("10.9", ZMAN, CLASSIC)
@in_editions("no-region", ZMAN, CLASSIC)
def test_no_region_is_left_for_those_that_are_there(edition: str) -> None:
    """The remaining seats share the victory; seats that have resigned do not."""
    given = level(edition, gone="B")
    then = play(given, "A passes", *(f"{seat} keeps" for seat in "ACDEF"))
    assert only(GameEnded, then.events) == GameEnded((0, 5), ("no-region-left",))
