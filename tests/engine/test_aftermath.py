"""The aftermath of a battle in the rulebook's order: rows, hands, the last hand, a new deal, the next region."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from engine import NEWEST, Event, State
from engine.cards import NOTHING
from engine.edition import Step
from engine.events import (
    GameEnded,
    HandDiscarded,
    HandsDealt,
    MarkerTaken,
    RoundEnded,
    TurnStarted,
)
from engine.phases.aftermath import (
    ask_to_choose_region,
    deal_new_round,
    discard_last_hand,
    discard_rows,
)
from engine.phases.hands import ask_to_keep_or_discard

from .cases import BOTH_EUROGAMES, CLASSIC, EUROGAMES, REGION_LAST, ZMAN, in_cases, in_editions, proves
from .table import ANY, SEATS, Script, all_cards, cards, every, only, play, regions, table, types


def last_pass(edition: str, *hands: str, held: Sequence[str] = ()) -> State:
    """Return a position in which seat A holds the marker, leads with a 10, and is the last to pass."""
    return table(edition, len(hands), rows=["10"], hands=hands, held=held, passed=SEATS[1:])


@proves("8.3 8.9", *REGION_LAST)
@in_editions("plain", *REGION_LAST)
def test_after_a_battle_the_seats_answer_and_the_next_region_is_chosen(edition: str) -> None:
    """(zman-2018, Cleanup and Reset, Initiate the Next Battle; eurogames-1995, End of the battle)."""
    then = play(last_pass(edition, "1", "1", "1"), "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "RowsDiscarded", "TurnStarted"]
    then = play(then.state, "A keeps", "B keeps", "C keeps")
    assert types(then.events) == ["HandKept", "TurnStarted"] * 3
    assert then.events[-1] == TurnStarted(0, "choose-region")


@proves("8.2", *REGION_LAST)
@in_editions("face-up", *REGION_LAST)
def test_rows_go_to_the_discard_and_nowhere_else(edition: str) -> None:
    """They are not dealt before the next round (zman-2018, Cleanup and Reset; eurogames-1995, End of the battle)."""
    given = table(edition, rows=["10 C", "3 D", ""], hands=["1", "1", "1"], season="W", passed="BC", discard="H")
    then = play(given, "A passes")
    assert tuple(then.state.discard) == cards("10 C 3 D W H")
    assert not any(map(any, then.state.rows))
    assert (then.state.passed, then.state.laid) == (0, 0)


@proves("8.6 8.7", ZMAN, CLASSIC)
@in_editions("T91", ZMAN, CLASSIC)
def test_the_last_hand_is_discarded_mercenaries_and_all(edition: str) -> None:
    """T91 (zman-2018, Cleanup and Reset, steps 2 and 3)."""
    then = play(last_pass(edition, "2", "", ""), "A passes", chance=Script(deals=[ANY]))
    assert types(then.events)[-5:] == ["RowsDiscarded", "HandDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
    assert only(HandDiscarded, then.events) == HandDiscarded(0, cards("2"), forced=True)
    assert [sum(hand) for hand in then.state.hands] == [11, 10, 10]


@proves("8.6", *REGION_LAST)
@in_editions("T92", *REGION_LAST)
def test_a_hand_given_up_leaves_another_hand_the_last(edition: str) -> None:
    """T92: step 2 uses the result of step 1 (zman-2018, Cleanup and Reset)."""
    given = last_pass(edition, "H", "5", "")
    then = play(given, "A passes", "A discards", chance=Script(deals=[ANY]))
    assert every(HandDiscarded, then.events) == [
        HandDiscarded(0, cards("H"), forced=False),
        HandDiscarded(1, cards("5"), forced=True),
    ]
    assert then.state.rounds == 1


@proves("8.6 8.7", *BOTH_EUROGAMES)
@in_editions("T35", *BOTH_EUROGAMES)
def test_the_last_hand_is_lost(edition: str) -> None:
    """T35: only B has cards, and new hands are dealt (eurogames-1995, End of a round; eurogames-revised, Fin ...)."""
    given = table(edition, rows=["6"], hands=["", "10 10", ""], turn="B")
    then = play(given, "B passes", chance=Script(deals=[ANY]))
    assert only(HandDiscarded, then.events) == HandDiscarded(1, cards("10 10"), forced=True)
    assert [sum(hand) for hand in then.state.hands] == [12, 10, 10]


@proves("8.7", *REGION_LAST)
@in_editions("nobody-has-cards", *REGION_LAST)
def test_a_round_also_ends_when_no_hand_is_left(edition: str) -> None:
    """(zman-2018, Cleanup and Reset, step 3; eurogames-1995, End of a round)."""
    given = table(edition, rows=["6"], hands=["2", "", ""])
    then = play(given, "A plays 2", chance=Script(deals=[ANY]))
    assert every(HandDiscarded, then.events) == []
    assert types(then.events)[-3:] == ["RoundEnded", "HandsDealt", "TurnStarted"]


@proves("8.7", *REGION_LAST)
@in_editions("all-given-up", *REGION_LAST)
def test_a_round_ends_when_every_seat_gives_its_hand_up(edition: str) -> None:
    """(zman-2018, Cleanup and Reset; eurogames-1995, To discards cards, End of a round)."""
    given = last_pass(edition, "H", "D", "W")
    answers = ["A discards", "B discards"]
    then = play(given, "A passes", *answers, chance=Script(deals=[ANY]))
    assert [event.seat for event in every(HandDiscarded, then.events)] == [0, 1, 2]
    assert then.state.rounds == 1


@proves("8.8", *REGION_LAST)
@in_editions("two-hands", *REGION_LAST)
def test_two_hands_left_are_no_end_of_the_round(edition: str) -> None:
    """(zman-2018, Cleanup and Reset; eurogames-1995, End of a round)."""
    then = play(last_pass(edition, "1", "1", ""), "A passes", "A keeps", "B keeps")
    assert every(RoundEnded, then.events) == []
    assert then.events[-1] == TurnStarted(0, "choose-region")


@proves("8.7", *REGION_LAST)
@proves("1.7", CLASSIC)
@in_cases(
    "sizes",
    ("T38", (ZMAN, CLASSIC), [13, 12, 10]),
    ("sixteen", BOTH_EUROGAMES, [16, 14, 10]),
)
def test_regions_bring_cards(edition: str, sizes: list[int]) -> None:
    """T38: ten and a bonus for each region, including the new one (zman-2018, step 3; eurogames-1995, ... round)."""
    given = last_pass(edition, "2", "", "", held=["venezia siena", "roma parma", ""])
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert [sum(hand) for hand in then.state.hands] == sizes
    assert only(HandsDealt, then.events).hands == tuple(map(tuple, then.state.hands))


@proves("8.7", *REGION_LAST)
@proves("6.7", ZMAN)
@in_editions("gathered", *REGION_LAST)
def test_a_new_deal_is_dealt_from_all_cards(edition: str) -> None:
    """The discard is shuffled in first (zman-2018, step 3; eurogames-1995, End of a round)."""
    given = table(edition, rows=["10 10"], hands=["2", "", ""], discard="H H H")
    dealt = ["10 10 10 10 10 10 10 10 H H H", "1 1 1 1 1 1 1 1 1 1", "2 2 2 2 2 2 2 2 3 3"]
    if edition in BOTH_EUROGAMES:
        dealt[0] += " 6"
    then = play(given, "A passes", chance=Script(deals=[dealt]))
    assert [tuple(hand) for hand in then.state.hands] == [cards(hand) for hand in dealt]
    assert tuple(then.state.discard) == NOTHING
    assert all_cards(then.state) == then.state.edition.deck


@proves("8.9", *REGION_LAST)
@in_editions("marker-stays", *REGION_LAST)
def test_the_winner_of_the_last_battle_chooses_after_the_deal(edition: str) -> None:
    """It may have no cards left (zman-2018, Initiate the Next Battle; eurogames-1995, A player without cards)."""
    given = table(edition, rows=["", "5"], hands=["", "6", ""], turn="B")
    then = play(given, "B plays 6", chance=Script(deals=[ANY]))
    assert then.events[-1] == TurnStarted(1, "choose-region")


def test_draws_are_counted_through_the_game() -> None:
    """The lot for a tie and the deal of a new round have different numbers."""
    script = Script(lots=["B of AB"], deals=[ANY])
    given = table(ZMAN, rows=["5", "5"], hands=["1", "", ""])
    given.draws = 7
    then = play(given, "A passes", chance=script)
    assert script.draws == [7, 8]
    assert only(MarkerTaken, then.events).draw == 7
    assert only(HandsDealt, then.events).draw == 8
    assert then.state.draws == 9


@proves("9.4", ZMAN)
@in_editions("T95", ZMAN)
def test_where_no_region_is_empty_the_most_regions_win(edition: str) -> None:
    """T95: four seats share the victory (zman-2018, Winning the Game)."""
    held = [
        "ferrara roma ancona urbino",
        "mantova lucca firenze milano",
        "modena siena venezia torino",
        "bologna spoleto parma",
    ]
    given = table(
        edition, 4, rows=["", "", "", "10"], hands=["", "", "", "1"], held=held, favor="napoli", contested="genova",
        turn="D", marker="D",
    )  # fmt: skip
    then = play(given, "D passes", chance=Script(deals=[ANY]))
    assert only(GameEnded, then.events) == GameEnded((0, 1, 2, 3), ("no-region-left",))
    assert types(then.events)[-4:] == ["HandDiscarded", "RoundEnded", "HandsDealt", "GameEnded"]
    assert then.state.held[3] == regions("bologna spoleto parma genova")


@proves("9.4", ZMAN)
def test_one_seat_with_the_most_regions_wins_alone() -> None:
    """(zman-2018, Winning the Game)."""
    held = [
        "ferrara roma ancona urbino",
        "mantova lucca firenze milano",
        "modena siena venezia",
        "bologna spoleto parma",
        "torino",
        "genova",
    ]
    given = table(ZMAN, 6, rows=["10"], hands=["1", "1"], held=held, contested="napoli", passed="BCDEF")
    then = play(given, "A passes")
    assert only(GameEnded, then.events).reasons == ("adjacent-regions", "total-regions")
    given = table(ZMAN, 6, rows=["", "", "10"], hands=["1", "1"], held=held, contested="napoli", turn="A", passed="B")
    then = play(given, "A passes", "A keeps", "B keeps")
    assert only(GameEnded, then.events) == GameEnded((0, 1, 2), ("no-region-left",))


@proves("9.4", EUROGAMES)
def test_a_city_can_always_be_attacked() -> None:
    """The game continues even if all cities are owned (eurogames-1995, Course of a battle)."""
    held = [
        "ferrara roma ancona urbino siena",
        "mantova lucca firenze milano bologna",
        "modena torino spoleto parma genova napoli",
    ]
    given = table(EUROGAMES, rows=["", "10"], hands=["1", "1", "1"], held=held, contested="venezia", passed="BC")
    then = play(given, "A passes", "B keeps", "C keeps", "A keeps")
    assert then.events[-1] == TurnStarted(1, "choose-region")


STEPS: dict[Step, str] = {
    discard_rows: "RowsDiscarded",
    ask_to_keep_or_discard: "HandKept",
    discard_last_hand: "HandDiscarded",
}


@pytest.mark.parametrize("steps", list(permutations(STEPS)), ids=lambda steps: ">".join(STEPS[step] for step in steps))
def test_another_order_of_steps_is_another_tuple(steps: tuple[Step, ...]) -> None:
    """The engine runs the steps and asks the questions in the edition's order."""
    edition = replace(NEWEST[ZMAN], aftermath=(*steps, ask_to_choose_region))
    state = table(edition, rows=["10"], hands=["2", "", ""])
    events: list[Event] = []
    for move in ("A passes", "A keeps"):
        if state.phase != "choose-region":
            state, chain = play(state, move)
            events += chain
    expected = [STEPS[step] for step in steps]
    if steps.index(discard_last_hand) < steps.index(ask_to_keep_or_discard):
        expected.remove("HandKept")
    assert [name for name in types(events) if name in STEPS.values()] == expected
    assert events[-1] == TurnStarted(0, "choose-region")


def test_a_step_that_is_left_out_is_left_out() -> None:
    """Without the steps that discard the last hand and deal, no cards are dealt and the seat with cards plays on."""
    edition = replace(NEWEST[ZMAN], aftermath=(discard_rows, ask_to_choose_region))
    then = play(table(edition, rows=["10"], hands=["2", "", ""]), "A passes")
    assert types(then.events)[-2:] == ["RowsDiscarded", "TurnStarted"]
    assert tuple(then.state.hands[0]) == cards("2")


def test_an_edition_whose_steps_lead_nowhere_is_a_fault() -> None:
    """An aftermath must end with a question or end the game."""
    edition = replace(NEWEST[ZMAN], aftermath=(discard_rows,))
    with pytest.raises(AssertionError, match="last step"):
        play(table(edition, rows=["10"], hands=["1", "1", "1"], passed="BC"), "A passes")


def test_without_the_step_that_takes_it_the_last_hand_counts_towards_the_deal() -> None:
    """The deal fills every hand up to its size."""
    edition = replace(NEWEST[ZMAN], aftermath=(discard_rows, deal_new_round, ask_to_choose_region))
    given = table(edition, rows=["10"], hands=["2", "", ""])
    then = play(given, "A passes", chance=Script(deals=[["1 1 1 1 1 3 3 3 3 3", "4 4 4 4 4 5 5 5 5 5", "S " * 10]]))
    assert tuple(then.state.hands[0]) == cards("1 1 1 1 1 2 3 3 3 3 3")
