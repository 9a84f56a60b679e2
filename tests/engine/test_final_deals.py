"""The start of a final battle: who discards, how many cards each seat is dealt, and who plays first."""

from random import Random

from engine import DeclineRegion, RandomChance, State, decide
from engine.cards import NOTHING
from engine.events import (
    DiscardReshuffled,
    FinalBattleStarted,
    GameEnded,
    HandDiscarded,
    HandsDealt,
    MarkerTaken,
    RowsDiscarded,
    SeatPassed,
    TurnStarted,
)
from engine.state import NO_CARD

from .cases import FFG, REVISED, in_editions, proves
from .table import ANY, PlayResult, Script, all_cards, cards, every, only, play, region, table, types

LEVEL = ["ancona mantova genova", "lucca spoleto siena", "roma modena", "ferrara venezia", "bologna parma"]
LEVEL += ["milano torino firenze urbino"]
"""Every region but Napoli: A needs it for a tie with F, and no seat has a kingdom."""


def level_at_the_end(winner_hand: str, others: str = "", **given: str) -> State:
    """Return a position of six seats in which A wins the last region and is then tied with F."""
    hands = [winner_hand, *[others] * 5]
    return table(
        FFG, 6, rows=["10"], hands=hands, held=LEVEL, contested="napoli", passed="BCDEF", **given  # type: ignore[arg-type]
    )  # fmt: skip


@proves("9.5", FFG)
@in_editions("T70", FFG)
def test_hands_go_and_the_fighters_are_dealt_ten_and_one_a_region(edition: str) -> None:
    """T70: all hands are discarded, and seats with four regions are dealt fourteen cards (ffg-2007, Breaking Ties)."""
    given = level_at_the_end("1 H", "2")
    assert given.edition.key == edition
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert types(then.events)[3:] == [
        "FinalBattleStarted",
        "RowsDiscarded",
        *["HandDiscarded"] * 6,
        "DiscardReshuffled",
        "HandsDealt",
        "TurnStarted",
    ]
    assert all(event.forced for event in every(HandDiscarded, then.events))
    assert [event.seat for event in every(HandDiscarded, then.events)] == [0, 1, 2, 3, 4, 5]
    assert [sum(hand) for hand in then.state.hands] == [14, 0, 0, 0, 0, 14]
    assert all_cards(then.state) == then.state.edition.deck
    assert not any(then.state.discard)


@proves("9.6", FFG)
def test_the_holder_goes_first_if_he_fights() -> None:
    """(ffg-2007, Breaking Ties)."""
    then = play(level_at_the_end("1"), "A passes", chance=Script(deals=[ANY]))
    assert then.state.marker == 0
    assert then.events[-1] == TurnStarted(0, "battle")


@proves("9.6", FFG)
@in_editions("T70-first", FFG)
def test_otherwise_the_nearest_fighter_on_his_left_goes_first(edition: str) -> None:
    """T70: the marker stays where it is (ffg-2007, Breaking Ties)."""
    given = level_at_the_end("1", marker="C")
    given.rows[3] = list(cards("S"))
    given.decks[0][9] -= 1
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert given.edition.key == edition
    assert only(MarkerTaken, then.events) == MarkerTaken(3, "courtesans", None)
    assert then.state.marker == 3
    assert then.events[-1] == TurnStarted(5, "battle")
    assert every(SeatPassed, then.events[1:]) == []


@proves("9.5", FFG)
def test_the_rows_and_the_season_are_cleared_before_the_final_battle() -> None:
    """All 110 cards are shuffled (ffg-2007, Breaking Ties)."""
    then = play(level_at_the_end("1", season="W"), "A passes", chance=Script(deals=[ANY]))
    assert len(every(RowsDiscarded, then.events)) == 1
    assert then.state.season == NO_CARD
    assert not any(map(any, then.state.rows))
    assert sum(then.state.decks[0]) == 110 - 28


@proves("6.6", FFG)
def test_the_favor_marker_stays_where_it_is() -> None:
    """(ffg-2007, Bishop: until the next one)."""
    given = level_at_the_end("1")
    given.held[2] &= ~(1 << region("modena"))
    given.favor = region("modena")
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert then.state.favor == region("modena")


def declined(
    hands: list[str], held: list[str], *, marker: str = "A", chance: Script | None = None, **given: str
) -> PlayResult:
    """Return the result of a full round of declines, beginning with the holder."""
    state = table(
        REVISED, len(hands), hands=hands, held=held, marker=marker, turn=marker, phase="choose-region",
        declines=len(hands) - 1, **given,  # type: ignore[arg-type]
    )  # fmt: skip
    return play(state, f"{marker} declines", chance=chance)


@proves("9.7 9.8 12.4", REVISED)
def test_fighters_keep_their_hands_and_are_dealt_ten_more() -> None:
    """Seats that do not fight discard their hands (eurogames-revised, Fin de la partie)."""
    hands, held = ["1 H", "5 5 5", "B X"], ["roma", "", "siena"]
    then = declined(hands, held, chance=Script(deals=[ANY]), discard="10 10")
    assert types(then.events) == [
        "RegionDeclined",
        "MarkerTaken",
        "FinalBattleStarted",
        "HandDiscarded",
        "DiscardReshuffled",
        "MarkerTaken",
        "HandsDealt",
        "TurnStarted",
    ]
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 2), "declined")
    assert only(HandDiscarded, then.events) == HandDiscarded(1, cards("5 5 5"), forced=True)
    assert [sum(hand) for hand in then.state.hands] == [12, 0, 12]
    assert only(HandsDealt, then.events).hands[1] == cards("")
    assert all(held >= before for held, before in zip(then.state.hands[2], cards("B X"), strict=True))
    assert all_cards(then.state) == then.state.edition.deck
    assert every(DiscardReshuffled, then.events)
    assert not any(then.state.discard)


@proves("9.10", REVISED)
@in_editions("T59", REVISED)
def test_a_holder_who_does_not_fight_gives_the_marker_to_the_left(edition: str) -> None:
    """T59: the next fighter gets it: D's marker goes to A, who comes before C (eurogames-revised, Fin de la partie)."""
    held = ["roma", "", "siena", ""]
    then = declined(["1"] * 4, held, marker="C", chance=Script(deals=[ANY]))
    assert then.state.edition.key == edition
    assert every(MarkerTaken, then.events) == [MarkerTaken(3, "declined", None), MarkerTaken(0, "left", None)]
    assert then.state.marker == 0
    assert then.events[-1] == TurnStarted(0, "battle")


@proves("9.10", REVISED)
def test_the_marker_goes_on_to_the_left_until_a_fighter_has_it() -> None:
    """It passes any further seats that do not fight (our reading of eurogames-revised, Fin de la partie)."""
    then = declined(["1"] * 6, ["", "", "", "", "roma", "siena"], marker="A", chance=Script(deals=[ANY]))
    assert every(MarkerTaken, then.events)[-1] == MarkerTaken(4, "left", None)
    assert then.events[-1] == TurnStarted(4, "battle")


@proves("9.10", REVISED)
def test_a_holder_who_fights_keeps_the_marker_and_plays_first() -> None:
    """(eurogames-revised, Fin de la partie)."""
    then = declined(["1"] * 3, ["", "roma", "siena"], marker="A", chance=Script(deals=[ANY]))
    assert every(MarkerTaken, then.events) == [MarkerTaken(1, "declined", None)]
    assert then.events[-1] == TurnStarted(1, "battle")


@proves("9.8", REVISED)
def test_a_deck_that_is_short_goes_round_one_card_at_a_time() -> None:
    """The order is clockwise from the first player of the final battle (our reading: the rulebook is silent)."""
    hands = ["1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 H", "2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3", "4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5"]
    hands += ["6 6 6 6 6 6 6 6 10 10 10 10 10 10 10 10", "C C C C C C C C C C C C C C C H"]
    held = ["roma", "siena", "napoli", "torino", "venezia"]
    then = declined(hands, held, marker="B", chance=Script(deals=[ANY]))
    assert sum(map(len, (hand.split() for hand in hands))) == 80
    assert then.state.marker == 2
    dealt = [sum(hand) for hand in only(HandsDealt, then.events).hands if not isinstance(hand, int)]
    assert dealt == [3, 3, 4, 3, 3]
    assert sum(then.state.decks[0]) == 0
    assert then.events[-1] == TurnStarted(2, "battle")


@proves("9.8", REVISED)
def test_a_deck_that_is_short_is_dealt_to_the_fighters_alone() -> None:
    """Two fighters get the remaining eighteen cards, and the other seats none (same reading as above)."""
    hands = ["1 " * 15 + "2 " * 8 + "3 " * 8 + "4 " * 8, "", "5 " * 8 + "6 " * 8 + "10 " * 8 + "C " * 15]
    then = declined(hands, ["roma", "", "siena"], marker="C", chance=Script(deals=[ANY]))
    assert [sum(hand) for hand in then.state.hands] == [39 + 9, 0, 39 + 9]
    assert not any(then.state.decks[0])


@proves("9.8", REVISED)
def test_where_hands_hold_every_card_nothing_is_dealt() -> None:
    """The final battle is fought with the hands as they are (same reading as above)."""
    hands = ["1 " * 15 + "2 " * 8 + "3 " * 8 + "4 " * 8 + "D " * 6 + "W W W", ""]
    hands[1] = "5 " * 8 + "6 " * 8 + "10 " * 8 + "C " * 15 + "H H H B B B X X X"
    given = table(REVISED, 2, hands=hands, phase="choose-region", declines=1)
    assert not any(given.decks[0])
    events = decide(given, DeclineRegion(0), RandomChance(Random(1)))
    assert only(HandsDealt, events).hands == (NOTHING, NOTHING)
    assert events[-1] == TurnStarted(1, "battle")


@proves("9.5", REVISED)
def test_one_seat_ahead_needs_no_final_battle() -> None:
    """(eurogames-revised, Fin de la partie)."""
    then = declined(["1"] * 3, ["roma", "", ""])
    assert only(GameEnded, then.events) == GameEnded((0,), ("declined",))
    assert every(FinalBattleStarted, then.events) == []
