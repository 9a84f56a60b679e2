"""The final battle of the English rulebook, an option of the revised edition: new hands, any card, no shared victory.

Clauses 13.16 to 13.20 of eurogames-revised.
"""

import pytest

from engine import BadOption, PlayCard, State, edition, legal_commands
from engine.cards import BISHOP, SURRENDER
from engine.events import (
    BattleEnded,
    FinalBattleStarted,
    GameEnded,
    GameStarted,
    HandDiscarded,
    MarkerTaken,
    MatchEnded,
    MatchScored,
    TurnStarted,
)

from .cases import REVISED, in_cases, proves
from .table import ANY, PlayResult, Script, all_cards, every, only, play, regions, table, types

ENGLISH: dict[str, object] = {"final_battle": "english"}
TO_TWENTY: dict[str, object] = {**ENGLISH, "points": 20}

NOBODY: tuple[int, ...] = ()


def final(*hands: str, fighters: str = "AC", **given: object) -> State:
    """Return a final battle of these seats; it is A's turn."""
    return table(REVISED, len(hands), hands=hands, fighters=fighters, options=ENGLISH, **given)  # type: ignore[arg-type]


def declined(hands: list[str], held: list[str], marker: str = "A") -> PlayResult:
    """Return the result of a full round of declines, beginning with the holder of the marker."""
    state = table(
        REVISED, len(hands), hands=hands, held=held, marker=marker, turn=marker, phase="choose-region",
        declines=len(hands) - 1, options=ENGLISH,
    )  # fmt: skip
    return play(state, f"{marker} declines", chance=Script(deals=[ANY]))


@proves("13.17", REVISED)
def test_all_hands_go_and_the_fighters_are_dealt_ten_and_two_a_region() -> None:
    """(13.17; English, End of the Game)."""
    then = declined(["1 H", "5 5 5", "B X"], ["roma napoli", "", "siena torino"])
    assert types(then.events) == [
        "RegionDeclined",
        "MarkerTaken",
        "FinalBattleStarted",
        *["HandDiscarded"] * 3,
        "DiscardReshuffled",
        "MarkerTaken",
        "HandsDealt",
        "TurnStarted",
    ]
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 2), "declined")
    discarded = every(HandDiscarded, then.events)
    assert [(event.seat, event.forced) for event in discarded] == [(1, True), (2, True), (0, True)]
    assert [sum(hand) for hand in then.state.hands] == [14, 0, 14]
    assert all_cards(then.state) == then.state.edition.deck
    assert not any(then.state.discard)


@proves("13.17", REVISED)
def test_the_deck_suffices_for_all_seats_and_regions() -> None:
    """It suffices even if a match's last game ends with tied seats that own different numbers of regions (13.17)."""
    held = ["ancona mantova genova", "lucca spoleto siena", "roma modena urbino", "ferrara venezia", "bologna parma"]
    held += ["milano torino firenze"]
    given = table(
        REVISED, 6, hands=["1 D"] * 6, rows=["10"], held=held, contested="napoli", passed="BCDEF",
        points=(16, 17, 17, 18, 18, 17), options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events).reason == "points"
    assert [sum(hand) for hand in then.state.hands] == [18, 16, 16, 14, 14, 16]
    assert sum(then.state.decks[0]) == 2


@proves("13.16", REVISED)
def test_the_marker_goes_to_the_left_until_a_fighter_has_it() -> None:
    """The rule is that of the French rulebook, because the English one is silent (13.16, 9.10)."""
    then = declined(["1"] * 4, ["roma", "", "siena", ""], marker="C")
    assert every(MarkerTaken, then.events) == [MarkerTaken(3, "declined", None), MarkerTaken(0, "left", None)]
    assert then.events[-1] == TurnStarted(0, "battle")


@proves("13.18", REVISED)
def test_any_card_may_be_laid() -> None:
    """(13.18; English, End of the Game)."""
    offered = [play.card for play in legal_commands(final("B X", "", "5")) if isinstance(play, PlayCard)]
    assert offered == [BISHOP, SURRENDER]


@proves("13.18", REVISED)
def test_a_surrender_ends_it_and_the_strongest_row_wins() -> None:
    """(13.18, 6.10; English, End of the Game)."""
    then = play(final("X 10", "", "1", rows=["5", "", "4"]), "A plays X")
    assert only(BattleEnded, then.events) == BattleEnded(None, "surrender", (5, 0, 4), (0,), 0)
    assert only(GameEnded, then.events) == GameEnded((0,), ("final-battle",))


@proves("13.18 13.19", REVISED)
def test_after_a_bishop_nobody_has_won() -> None:
    """(13.18, 13.19; English, End of the Game)."""
    then = play(final("B 10", "", "1", rows=["5", "", "4"]), "A plays B")
    assert only(BattleEnded, then.events) == BattleEnded(None, "bishop", None, (0, 2), None)
    assert then.events[-1] == GameEnded(NOBODY, ("final-battle",))
    assert legal_commands(then.state) == []


@proves("13.19", REVISED)
@in_cases(
    "rows winners",
    ("13.19-won", REVISED, ["6", "", "5"], (0,)),
    ("13.19-tied", REVISED, ["6", "", "6"], NOBODY),
    ("13.19-nobody-fights", REVISED, ["", "", ""], NOBODY),
)
def test_only_one_seat_can_win(edition: str, rows: list[str], winners: tuple[int, ...]) -> None:
    """After a tie nobody has won, even if nobody laid a card (13.19; English, End of the Game)."""
    given = final("1", "", "1", rows=rows)
    assert given.edition.key == edition
    then = play(given, "A passes", "C passes")
    assert then.events[-1] == GameEnded(winners, ("final-battle",))


def test_the_last_that_fights_wins_where_the_others_resign() -> None:
    """(10.10)."""
    then = play(final("1", "", "1"), "A resigns")
    assert only(GameEnded, then.events) == GameEnded((2,), ("resignation",))


@proves("13.20", REVISED)
def test_a_game_of_a_match_that_nobody_has_won_is_scored() -> None:
    """Each region is a point, and the next game begins (13.20, 13.10)."""
    given = table(
        REVISED, 2, rows=["6", "6"], hands=["1", "1"], held=["roma", "siena"], fighters="AB", passed="B",
        points=(4, 7), options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes", chance=Script(lots=["B of AB"], deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded(NOBODY, ("final-battle",))
    assert only(MatchScored, then.events) == MatchScored((1, 1), (5, 8))
    assert only(GameStarted, then.events).edition == REVISED
    assert then.events[-1] == TurnStarted(1, "choose-region")


@proves("13.20", REVISED)
def test_a_match_that_is_tied_in_its_final_battle_is_won_by_nobody() -> None:
    """No further game is scored (13.20)."""
    given = table(
        REVISED, 4, rows=["6", "6"], hands=["1", "1"], fighters="AB", passed="B", points=(21, 21, 4, 0),
        options=TO_TWENTY,
    )  # fmt: skip
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MatchEnded"]
    assert only(MatchEnded, then.events) == MatchEnded(NOBODY, ("final-battle",))
    assert legal_commands(then.state) == []


def test_level_seats_share_a_game_that_the_limit_of_battles_ends() -> None:
    """There is no final battle at the limit, in either rulebook (10.3)."""
    options = {**ENGLISH, "battle_limit": 1}
    given = table(REVISED, rows=["10"], hands=["1"] * 3, held=["", "siena", ""], passed="BC", options=options)
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0, 1), ("battle-limit",))
    assert given.held == [0, regions("siena"), 0]


def test_revision_1_has_no_such_option() -> None:
    """(12.4 of revision 1)."""
    with pytest.raises(BadOption, match="eurogames-revised has no option final_battle"):
        edition(REVISED, 1, ENGLISH)
