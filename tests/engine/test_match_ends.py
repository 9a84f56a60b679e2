"""How a match ends: tied seats fight a final battle, and house rules end endless matches (Playing for Points)."""

import pytest

from engine import Pass, State, legal_commands
from engine.events import (
    BattleEnded,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandDiscarded,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    RoundStalled,
    TurnStarted,
)
from engine.state import NOWHERE

from .cases import FFG, REVISED, in_cases, in_editions, proves
from .table import ANY, PlayResult, Script, every, only, play, region, regions, table, types

BOTH = (FFG, REVISED)
TO_TWENTY: dict[str, object] = {"points": 20}


def level_match(edition: str, *, held: tuple[str, ...] = ("roma siena", "torino"), marker: str = "A") -> State:
    """Return a position of four seats in which A wins its game, gets 8 points, and is then tied with B at 21."""
    points = (13, 20, 4, 0)
    return table(
        edition, 4, rows=["10", "", "", ""], hands=["1 D"] * 4, held=held, contested="firenze", passed="BCD",
        points=points, marker=marker, options=TO_TWENTY,
    )  # fmt: skip


@proves("13.11", FFG)
@proves("13.12", REVISED)
@in_editions("level", *BOTH)
def test_level_seats_fight_a_final_battle_for_the_match(edition: str) -> None:
    """(ffg-2007, Playing for Points; the revised edition is interpreted in the same way)."""
    then = play(level_match(edition), "A passes", chance=Script(deals=[ANY]))
    assert types(then.events)[3:7] == ["GameEnded", "MatchScored", "FinalBattleStarted", "RowsDiscarded"]
    assert only(MatchScored, then.events).points == (21, 21, 4, 0)
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 1), "points")
    assert then.events[-1] == TurnStarted(0, "battle")
    assert then.state.result is None
    assert then.state.held[:2] == [regions("roma siena firenze"), regions("torino")]


@proves("13.11", FFG)
def test_the_regions_of_the_last_game_bring_cards_in_it() -> None:
    """Fighters are dealt ten cards and one for each region, after all hands are discarded (ffg-2007, Breaking Ties)."""
    then = play(level_match(FFG), "A passes", chance=Script(deals=[ANY]))
    assert [sum(hand) for hand in then.state.hands] == [13, 11, 0, 0]
    assert len(every(HandDiscarded, then.events)) == 4


@proves("13.12", REVISED)
def test_hands_stay_and_ten_are_added() -> None:
    """Seats that do not fight discard their hands (eurogames-revised, Fin de la partie)."""
    then = play(level_match(REVISED), "A passes", chance=Script(deals=[ANY]))
    assert [sum(hand) for hand in then.state.hands] == [12, 12, 0, 0]
    assert [event.seat for event in every(HandDiscarded, then.events)] == [2, 3]


@proves("13.11", FFG)
@proves("13.12", REVISED)
@in_cases("rows winners", ("won", BOTH, ("6", "5"), (0,)), ("shared", BOTH, ("6", "6"), (0, 1)))
def test_the_final_battle_decides_the_match(edition: str, rows: tuple[str, str], winners: tuple[int, ...]) -> None:
    """A tie there is shared; no further game is scored (ffg-2007, Playing for Points, Breaking Ties)."""
    given = table(
        edition, 4, rows=rows, hands=["1", "1"], fighters="AB", passed="B", points=(21, 21, 4, 0), options=TO_TWENTY
    )
    given.games = 3
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MatchEnded"]
    assert only(MatchEnded, then.events) == MatchEnded(winners, ("final-battle",))
    assert then.state.games == 3
    assert legal_commands(then.state) == []


@proves("13.10", FFG)
@proves("13.11", REVISED)
@in_cases("rows gained", ("won", BOTH, ("6", "5"), (1, 1)), ("shared", BOTH, ("6", "6"), (1, 1)))
def test_a_final_battle_below_the_target_decides_only_its_game(
    edition: str, rows: tuple[str, str], gained: tuple[int, int]
) -> None:
    """The game is scored, one point per region, and the next one begins (ffg-2007, Playing for Points)."""
    given = table(
        edition, 2, rows=rows, hands=["1", "1"], held=["roma", "siena"], fighters="AB", passed="B", points=(4, 7),
        options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes", chance=Script(lots=["B of AB"], deals=[ANY]))
    assert only(GameEnded, then.events).reasons == ("final-battle",)
    assert only(MatchScored, then.events) == MatchScored(gained, (5, 8))
    assert every(GameStarted, then.events)
    assert then.state.fighters == 0
    assert then.events[-1] == TurnStarted(1, "choose-region")


@in_editions("twice", *BOTH)
def test_a_game_and_then_its_match_may_each_need_a_final_battle(edition: str) -> None:
    """Seats tied in points fight the second final battle (ffg-2007, Playing for Points, Breaking Ties)."""
    given = table(
        edition, 3, rows=["6", "", "5"], hands=["1", "", "1"], held=["roma", "siena", "napoli"], fighters="AC",
        passed="C", points=(19, 19, 4), options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded((0,), ("final-battle",))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 1), "points")
    assert then.state.fighters == 0b011
    assert then.state.passed == 0b100
    assert then.state.contested == NOWHERE


def declined(points: tuple[int, ...], *held: str, deals: int = 0, lots: tuple[str, ...] = ()) -> PlayResult:
    """Return the result when the last of three seats declines."""
    given = table(
        REVISED, 3, hands=["1"] * 3, held=held, marker="C", turn="C", phase="choose-region", declines=2,
        points=points, options=TO_TWENTY,
    )  # fmt: skip
    return play(given, "C declines", chance=Script(lots=lots, deals=[ANY] * deals))


@proves("13.10 13.11", REVISED)
def test_a_game_that_ends_by_declining_is_scored_too() -> None:
    """Each region is a point, and there are no other points (eurogames-revised, Partie aux points)."""
    then = declined((3, 0, 0), "roma siena", "torino", deals=1, lots=("A of ABC",))
    assert only(GameEnded, then.events).reasons == ("declined",)
    assert only(MatchScored, then.events).gained == (2, 1, 0)


@proves("13.13", FFG)
@proves("13.15", REVISED)
@in_editions("no-points", *BOTH)
@pytest.mark.parametrize(("points", "winners"), [((3, 5, 5), (1, 2)), ((3, 5, 1), (1,)), ((0, 0, 0), (0, 1, 2))])
def test_a_game_that_brings_nobody_a_point_ends_the_match(
    edition: str, points: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """Otherwise seats that do nothing would play forever. The most points win, and a tie is shared (house rule)."""
    given = table(
        edition, 3, rows=["6", "6", "6"], hands=["1", "1", "1"], fighters="ABC", passed="BC", points=points,
        options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes")
    assert types(then.events)[-3:] == ["GameEnded", "MatchScored", "MatchEnded"]
    assert only(MatchScored, then.events).gained == (0, 0, 0)
    assert only(MatchEnded, then.events) == MatchEnded(winners, ("no-points",))


@proves("10.3", FFG, REVISED)
@in_editions("limit", *BOTH)
def test_the_limit_of_battles_ends_a_game_and_not_its_match(edition: str) -> None:
    """The next game counts its battles from 0 (house option battle_limit)."""
    options = {**TO_TWENTY, "battle_limit": 2}
    given = table(edition, rows=["10"], hands=["1"] * 3, passed="BC", options=options)
    then = play(given, "A passes", chance=Script(lots=["A of ABC"], deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded((0,), ("battle-limit",))
    assert only(MatchScored, then.events).gained == (1, 0, 0)
    assert (then.state.battles, then.state.games) == (0, 1)


@in_editions("stall", *BOTH)
def test_a_stalled_game_is_scored_and_the_next_one_begins(edition: str) -> None:
    """The game's counts of idle battles start again (house rule)."""
    given = table(edition, hands=["1"] * 3, held=["", "roma", ""], passed="BC", options=TO_TWENTY)
    given.idle, given.stalls = 5, 1
    then = play(given, "A passes", chance=Script(lots=["A of ABC"], deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded((1,), ("stall",))
    assert every(RoundStalled, then.events) == []
    assert only(MatchScored, then.events).points == (0, 1, 0)
    assert (then.state.idle, then.state.stalls, then.state.games) == (0, 0, 1)


@in_editions("stalled-level", *BOTH)
def test_a_stalled_game_may_end_its_match_in_a_final_battle_for_no_region(edition: str) -> None:
    """No region changes hands in it, and none has been chosen (house rule; ffg-2007, Breaking Ties)."""
    held = ["roma", "siena", ""]
    given = table(edition, hands=["1"] * 3, held=held, passed="BC", points=(19, 19, 0), options=TO_TWENTY)
    given.idle, given.stalls = 5, 1
    twos = "2 2 3 3 4 4 5 5 6 6" + (" 10" if edition == FFG else "")
    then = play(given, "A passes", chance=Script(deals=[[twos, twos, ""]]))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 1), "points")
    assert then.state.contested == NOWHERE
    first, second = ("A", "B") if then.state.turn == 0 else ("B", "A")
    then = play(then.state, f"{first} plays 2", f"{second} passes", f"{first} passes")
    battle = only(BattleEnded, then.events)
    assert battle.region is None
    assert then.state.held == [regions("roma"), regions("siena"), 0]
    assert only(MatchEnded, then.events).winners == battle.leaders


@in_editions("level-but-one", *BOTH)
def test_a_match_below_its_target_needs_no_final_battle(edition: str) -> None:
    """Tied seats play on (ffg-2007, Playing for Points)."""
    given = level_match(edition)
    given.points = (0, 7, 4, 0)
    then = play(given, "A passes", chance=Script(lots=["D of ABCD"], deals=[ANY]))
    assert only(MatchScored, then.events).points == (8, 8, 4, 0)
    assert every(FinalBattleStarted, then.events) == []
    assert every(MarkerTaken, then.events)[-1] == MarkerTaken(3, "lot", 0)


def test_who_does_not_fight_for_the_match_only_watches() -> None:
    """(ffg-2007, Breaking Ties)."""
    then = play(level_match(FFG), "A passes", chance=Script(deals=[ANY]))
    assert Pass(0) in legal_commands(then.state)
    assert then.state.passed == 0b1100
    assert then.state.favor != region("roma")
