"""A seat resigns: this is possible at any moment in any edition, and the others play on (house rule)."""

from random import Random

import pytest

from engine import NEWEST, RandomChance, Refusal, State, advance, legal_commands, resign, seen_by, view_for
from engine.cards import NOTHING
from engine.events import (
    BattleEnded,
    DiscardReshuffled,
    GameEnded,
    HandDiscarded,
    HandsDealt,
    MarkerTaken,
    RoundEnded,
    RowsDiscarded,
    SeatPassed,
    SeatResigned,
    TurnStarted,
)
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from engine.phases import PHASES
from engine.state import NOWHERE

from .asking import one_of_each
from .cases import (
    BOTH_EUROGAMES,
    CLASSIC,
    DUEL,
    EUROGAMES,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REVISED,
    ZMAN,
    in_cases,
    in_editions,
    in_every_edition,
    proves,
)
from .table import ANY, Script, all_cards, cards, every, only, play, printed_cards, region, regions, table, types

CAPTURING: dict[str, object] = {"capturing_regions": True}


def fighting(edition: str) -> State:
    """A battle of four seats: it is A's turn, and all seats have rows and hands."""
    return table(edition, 4, rows=["3", "5", "6", "4"], hands=["C 2", "X 5", "6", "1"])


def choosing(edition: str) -> State:
    """The holder A chooses a region."""
    return table(edition, 4, hands=["1", "2", "3", "4"], held=["roma"], phase=CHOOSE_REGION)


def answering(edition: str) -> State:
    """A keeps or discards its hand, and the others are asked afterwards."""
    given = table(edition, 4, hands=["H", "2", "3", "4"], phase=KEEP_OR_DISCARD)
    return with_region(given) if edition == FFG else given


def keeping(edition: str) -> State:
    """A is the last seat with cards and chooses which cards to keep."""
    return with_region(table(edition, 4, hands=["H 1 10"], phase=KEEP_CARDS))


def drawing(edition: str) -> State:
    """A is asked how many cards to draw, and the others are asked afterwards."""
    return table(edition, 4, hands=["1", "2", "3", "4"], phase=DRAW_CARDS, options={"draw_after_battle": True})


def with_region(given: State) -> State:
    """Return the position after the next region was chosen, for editions that choose it before the discards."""
    given.contested = region("siena")
    return given


POSITIONS = {
    BATTLE: (fighting, ON_THE_BOARD),
    CHOOSE_REGION: (choosing, ON_THE_BOARD),
    KEEP_OR_DISCARD: (answering, ON_THE_BOARD),
    KEEP_CARDS: (keeping, (FFG,)),
    DRAW_CARDS: (drawing, (FFG,)),
}
"""For every phase, a position in which the game waits for A, the holder, and the editions that have the phase."""

AT_ANY_MOMENT = pytest.mark.parametrize(
    "given",
    [pytest.param(given(key), id=f"{phase}-{key}") for phase, (given, keys) in POSITIONS.items() for key in keys],
)


def duel(turn: str = "A") -> State:
    """A battle of two seats without a board."""
    return table(DUEL, 2, rows=["3", "5"], hands=["2 1", "6"], turn=turn)


def test_there_is_a_position_of_every_phase_here() -> None:
    """In each of these positions, the game waits for a seat."""
    assert set(POSITIONS) == set(PHASES)


# At any moment


@proves("1.5", *ON_THE_BOARD)
@proves("10.5 10.6", ZMAN, CLASSIC)
@proves("10.4 10.5", FFG, *BOTH_EUROGAMES)
@AT_ANY_MOMENT
def test_a_seat_leaves_out_of_its_turn_and_the_question_stays(given: State) -> None:
    """The hand of the resigning seat is discarded, and the seat that was asked is asked again."""
    hand, legal = tuple(given.hands[2]), legal_commands(given)
    then = play(given, "C resigns")
    discarded = [HandDiscarded(2, hand, forced=True)] if any(hand) else []
    assert then.events == [SeatResigned(2), *discarded, TurnStarted(0, given.phase)]
    assert (then.state.gone, then.state.marker, any(then.state.hands[2])) == (0b0100, 0, False)
    assert legal_commands(then.state) == legal
    assert all_cards(then.state) == printed_cards(given)
    assert (then.state.rows, then.state.held) == (given.rows, given.held)


@proves("10.5", ZMAN, CLASSIC)
@proves("10.4", FFG, *BOTH_EUROGAMES)
@AT_ANY_MOMENT
def test_the_seat_on_turn_leaves_and_the_next_is_asked(given: State) -> None:
    """The next seat also takes the marker, except in a battle.

    If there is no seat to ask, the game moves to the next step.
    """
    hand = tuple(given.hands[0])
    then = play(given, "A resigns", chance=Script(deals=[ANY] * (given.phase == KEEP_CARDS)))
    left = [SeatResigned(0), HandDiscarded(0, hand, forced=True)]
    if given.phase == BATTLE:
        assert then.events == [*left, TurnStarted(1, BATTLE)]
        return
    assert then.events[:3] == [*left, MarkerTaken(1, "left", None)]
    if given.phase == KEEP_CARDS:
        assert types(then.events[3:]) == ["RoundEnded", "HandsDealt", "TurnStarted"]
        assert then.events[-1] == TurnStarted(1, BATTLE)
        assert [sum(cards) for cards in then.state.hands] == [0, 10, 10, 10]
    else:
        assert then.events[3:] == [TurnStarted(1, given.phase)]


@proves("10.5 10.6", ZMAN, CLASSIC)
@proves("10.4 10.5", FFG, *BOTH_EUROGAMES)
@AT_ANY_MOMENT
def test_who_has_resigned_is_never_asked_again(given: State) -> None:
    """The next seat is asked instead, and every view shows which seats have resigned."""
    state = play(given, "B resigns").state
    chance = RandomChance(Random(1))
    asked = set()
    for _ in range(40):
        asked.add(state.turn)
        for event in every(HandsDealt, advance(state, legal_commands(state)[0], chance)):
            assert event.hands[1] == NOTHING
    assert asked == {0, 2, 3}
    assert [view_for(state, seat).gone for seat in (None, 0, 1)] == [(1,)] * 3
    assert view_for(state, 1).legal == ()


@proves("10.5", ZMAN, CLASSIC)
@proves("10.4", FFG, *BOTH_EUROGAMES)
@AT_ANY_MOMENT
def test_who_has_resigned_may_do_nothing_more(given: State) -> None:
    """It cannot resign a second time: the refusal cites its clause and changes nothing."""
    state = play(given, "C resigns").state
    before = state.copy()
    refusals = [refusal_of_resigning(state, 2)]
    for command in one_of_each(2):
        with pytest.raises(Refusal) as refused:
            advance(state, command, Script())
        refusals.append(refused.value)
    for refusal in refusals:
        assert (refusal.code, refusal.field, refusal.legal) == ("already-resigned", None, ())
        assert refusal.edition == given.edition.key
        assert refusal.clause == NEWEST[refusal.edition].clauses["already-resigned"]
        assert str(refusal) == "seat 2 has resigned from this game"
    assert state == before


@proves("10.11", ZMAN, CLASSIC, FFG)
@proves("10.12", REVISED)
@proves("10.10", EUROGAMES)
@AT_ANY_MOMENT
def test_the_last_one_left_wins_at_once(given: State) -> None:
    """It wins with any number of regions, and nobody can resign afterwards."""
    then = play(given, "C resigns", "A resigns", "B resigns", chance=Script(deals=[ANY] * (given.phase == KEEP_CARDS)))
    assert only(GameEnded, then.events) == GameEnded((3,), ("resignation",))
    assert types(then.events)[-1] == "GameEnded"
    assert (then.state.turn, then.state.phase, then.state.gone) == (-1, "over", 0b0111)
    assert then.state.contested == NOWHERE
    assert all_cards(then.state) == printed_cards(given)
    over(then.state)


def refusal_of_resigning(state: State, seat: int) -> Refusal:
    """Return the refusal of a resignation."""
    with pytest.raises(Refusal) as refused:
        resign(state, seat, Script())
    return refused.value


def over(state: State) -> None:
    """Check that no seat can resign, whether or not it has already resigned."""
    before = state.copy()
    for seat in range(state.seats):
        refusal = refusal_of_resigning(state, seat)
        assert (refusal.code, refusal.field, refusal.legal) == ("game-over", None, ())
        assert refusal.clause == NEWEST[refusal.edition].clauses["game-over"]
    assert state == before


@in_every_edition("over")
def test_nobody_resigns_when_the_game_is_over(edition: str) -> None:
    """It does not matter how the game ended."""
    seats = NEWEST[edition].fewest_seats
    given = table(edition, seats, rows=["10"], hands=["1"], options={"battle_limit": 1})
    over(play(given, "A passes").state)


@proves("1.5 10.3", DUEL)
@pytest.mark.parametrize(("turn", "leaver", "winner"), [("A", "A", 1), ("A", "B", 0), ("B", "A", 1), ("B", "B", 0)])
def test_in_a_duel_the_other_seat_wins(turn: str, leaver: str, winner: int) -> None:
    """It does not matter whose turn it is."""
    given = duel(turn)
    then = play(given, f"{leaver} resigns")
    assert types(then.events) == ["SeatResigned", "HandDiscarded", "GameEnded"]
    assert then.state.result == GameEnded((winner,), ("resignation",))
    assert all_cards(then.state) == printed_cards(given)
    over(then.state)


@proves("10.11", ZMAN, CLASSIC, FFG)
@proves("10.12", REVISED)
@proves("10.10", EUROGAMES)
@in_editions("two", ZMAN, CLASSIC, FFG, REVISED, EUROGAMES)
def test_at_a_table_of_two_the_other_seat_wins(edition: str) -> None:
    """The rule is the same on the board."""
    options: dict[str, object] = {"two_on_the_board": True} if edition in (ZMAN, CLASSIC) else {}
    given = table(edition, 2, hands=["1", ""], held=["", "roma"], phase=CHOOSE_REGION, options=options)
    assert play(given, "B resigns").events == [SeatResigned(1), GameEnded((0,), ("resignation",))]


def test_only_a_seat_of_the_table_can_resign() -> None:
    """Any other number is an error of the caller."""
    for seat in (-1, 4):
        with pytest.raises(AssertionError, match="of the table"):
            resign(fighting(ZMAN), seat, Script())


# In a battle


@proves("10.7 10.8", ZMAN, CLASSIC)
@proves("10.6 10.7", FFG, *BOTH_EUROGAMES)
@in_editions("row-wins", *ON_THE_BOARD)
def test_the_row_of_who_has_left_stays_and_may_win(edition: str) -> None:
    """It is treated like the row of a seat that has passed.

    If it wins, it gets the region, and a remaining seat takes the marker.
    """
    given = table(edition, 4, rows=["1", "10", "", ""], hands=["2", "5", "", "1"], passed="D")
    then = play(given, "B resigns", "A passes")
    assert only(BattleEnded, then.events).strengths == (1, 10, 0, 0)
    assert only(BattleEnded, then.events).winner == 1
    assert then.state.held == [0, regions("torino"), 0, 0]
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "left", None)


@proves("10.6", ZMAN, CLASSIC)
@proves("10.5", FFG, *BOTH_EUROGAMES)
@in_editions("its-regions", *ON_THE_BOARD)
def test_its_regions_stay_its_own(edition: str) -> None:
    """The edition's rules for owned regions still apply to them."""
    given = table(edition, 4, hands=["1"] * 4, held=["", "roma"], phase=CHOOSE_REGION)
    then = play(given, "B resigns")
    chosen = {command.region for command in legal_commands(then.state) if hasattr(command, "region")}
    assert then.state.held[1] == regions("roma")
    assert (region("roma") in chosen) is (edition == EUROGAMES)


@proves("10.6 13.28", FFG)
@in_editions("hidden", FFG)
def test_a_card_that_it_left_face_down_is_turned_up_at_the_end(edition: str) -> None:
    """It counts towards the strength."""
    given = table(
        edition, 4, hands=["1", "2", "", ""], hidden=["", "10"], options={"hidden_cards": True}, held=["roma"]
    )
    then = play(given, "B resigns", "A passes")
    assert only(BattleEnded, then.events).strengths == (0, 10, 0, 0)


ATTACKED: list[tuple[str, str, dict[str, object]]] = [
    ("attacked", EUROGAMES, {}),
    ("attacked", FFG, CAPTURING),
    ("attacked", REVISED, CAPTURING),
]


@proves("10.5", FFG, *BOTH_EUROGAMES)
@in_cases("options", *ATTACKED)
def test_an_owner_that_has_left_has_passed_for_good(edition: str, options: dict[str, object]) -> None:
    """Its pass is final even after a pass that was not final, and in every later battle for its regions."""
    given = table(edition, 4, hands=["4 1", "2 1", "10", "1"], held=["", "", "torino"], options=options)
    then = play(given, "A plays 4", "B passes", "C passes", "C resigns", "D passes", "A passes")
    assert [event.final for event in every(SeatPassed, then.events) if event.seat == 2] == [False]
    assert only(BattleEnded, then.events).winner == 0
    assert then.state.held[0] == regions("torino")


@proves("10.5", FFG, *BOTH_EUROGAMES)
@in_cases("options", *ATTACKED)
def test_an_owner_leaves_on_its_turn(edition: str, options: dict[str, object]) -> None:
    """The battle ends if all others have passed."""
    given = table(
        edition, 4, rows=["4"], hands=["4", "", "10", "1"], held=["", "", "torino"], options=options, turn="C",
        passed="AD",
    )  # fmt: skip
    then = play(given, "C resigns")
    assert only(BattleEnded, then.events).winner == 0
    assert every(SeatPassed, then.events) == []


@in_cases("options", *ATTACKED)
def test_all_others_leave_an_owner_that_may_still_lay_cards(edition: str, options: dict[str, object]) -> None:
    """The owner may still play, as if all the others had passed."""
    given = table(edition, 4, hands=["4 1", "", "10", "2"], held=["", "", "torino"], options=options)
    then = play(given, "A plays 4", "C passes", "D passes", "A resigns")
    assert then.events[-1] == TurnStarted(2, BATTLE)
    assert play(then.state, "C passes").events[0] == SeatPassed(2, final=True, forced=False)


@proves("10.5 10.7", EUROGAMES)
@in_editions("last-attacker", EUROGAMES)
def test_a_region_that_nobody_wins_stays_with_an_owner_that_has_left(edition: str) -> None:
    """The seat to the left of the resigned owner takes the battle marker."""
    given = table(edition, 4, rows=["4", "4"], hands=["1", "1", "", ""], held=["", "", "torino"], gone="C")
    then = play(given, "A passes", "B passes")
    assert only(BattleEnded, then.events).winner is None
    assert then.state.held[2] == regions("torino")
    assert only(MarkerTaken, then.events) == MarkerTaken(3, "left", None)


@in_editions("any-row", EUROGAMES)
def test_a_scarecrow_may_take_from_the_row_of_who_has_left(edition: str) -> None:
    """The test uses editions and options in which a scarecrow may take from any row."""
    given = table(edition, rows=["", "10"], hands=["C", "1", "1"], options={"scarecrow_targets": "any"})
    then = play(given, "B resigns", "A plays C taking 10 of B")
    assert tuple(then.state.hands[0]) == cards("10")


# The last seat with cards


@proves("10.10", ZMAN, CLASSIC, FFG)
@proves("10.11", REVISED)
@proves("10.9", EUROGAMES)
@in_editions("last-cards", *ON_THE_BOARD)
def test_the_last_seat_with_cards_leaves_a_battle(edition: str) -> None:
    """All have passed, so the battle ends, and a new round is dealt to the remaining seats."""
    given = table(edition, 4, rows=["3", "10"], hands=["2", "", "", ""])
    moves = ["A resigns", *(["B chooses roma"] if edition == FFG else [])]
    then = play(given, *moves, chance=Script(deals=[ANY]))
    assert only(BattleEnded, then.events).winner == 1
    assert len(every(RoundEnded, then.events)) == 1
    assert [sum(cards) for cards in then.state.hands] == [0, *dealt(edition)]


def dealt(edition: str) -> list[int]:
    """Return the numbers of cards that B, who owns a region, C and D are dealt."""
    value = NEWEST[edition]
    return [value.hand_size + value.cards_a_region, value.hand_size, value.hand_size]


@proves("10.10", ZMAN, CLASSIC, FFG)
@proves("10.11", REVISED)
@proves("10.9", EUROGAMES)
@in_editions("last-cards", *ON_THE_BOARD)
def test_the_last_seat_with_cards_leaves_when_it_is_asked_to_keep_them(edition: str) -> None:
    """There is no seat to ask, and a new round is dealt."""
    given = table(edition, 4, hands=["H 1", "", "", ""], held=["", "roma"], phase=KEEP_OR_DISCARD)
    then = play(with_region(given) if edition == FFG else given, "A resigns", chance=Script(deals=[ANY]))
    assert types(then.events)[:5] == ["SeatResigned", "HandDiscarded", "MarkerTaken", "RoundEnded", "HandsDealt"]
    assert [sum(cards) for cards in then.state.hands] == [0, *dealt(edition)]
    assert then.events[-1] == TurnStarted(1, BATTLE if edition == FFG else CHOOSE_REGION)


@in_editions("last-but-one", *ON_THE_BOARD)
def test_the_last_but_one_with_cards_leaves(edition: str) -> None:
    """The edition then handles the last hand as usual: it is discarded, or two cards may be kept."""
    given = table(edition, 4, hands=["H", "2", "", ""], phase=KEEP_OR_DISCARD)
    deals = 0 if edition == FFG else 1
    then = play(with_region(given), "A resigns", chance=Script(deals=[ANY] * deals))
    if edition == FFG:
        assert then.events[-1] == TurnStarted(1, KEEP_CARDS)
    else:
        assert HandDiscarded(1, cards("2"), forced=True) in then.events
        assert [sum(cards) for cards in then.state.hands] == [0, 10, 10, 10]


@proves("10.10", ZMAN, CLASSIC, FFG)
@proves("10.11", REVISED)
@proves("10.9", EUROGAMES)
@in_editions("last-cards", *ON_THE_BOARD)
def test_the_last_seat_with_cards_leaves_before_the_region_is_chosen(edition: str) -> None:
    """The battle then has only empty hands, and the edition's rules for that case apply."""
    given = table(edition, 4, hands=["1", "", "", ""], phase=CHOOSE_REGION, battles=0)
    lots = ["B of BCD"] if edition in (ZMAN, CLASSIC) else []
    moves = ["A resigns", "B chooses roma"]
    then = play(given, *moves, *([] if edition != FFG else ["C chooses roma"]), chance=Script(lots=lots, deals=[ANY]))
    assert [event.seat for event in every(SeatPassed, then.events)] == [1, 2, 3]
    assert only(BattleEnded, then.events).winner is None
    assert [sum(cards) for cards in then.state.hands] == [0, 10, 10, 10]


@proves("10.10", FFG)
def test_the_last_seat_with_cards_leaves_where_cards_are_drawn() -> None:
    """Every remaining seat is dealt ten cards, whether or not it had been asked (ffg-2007, Draw After Battle)."""
    for leaver, hands, winner in (("A", ["1", "", "", ""], 1), ("C", ["", "", "1", ""], 0)):
        given = table(FFG, 4, rows=["3"], hands=hands, phase=DRAW_CARDS, options={"draw_after_battle": True})
        then = play(given, f"{leaver} resigns", chance=Script(deals=[ANY]))
        assert every(RowsDiscarded, then.events) == every(DiscardReshuffled, then.events) == []
        gone = "ABCD".index(leaver)
        assert [sum(cards) for cards in then.state.hands] == [0 if seat == gone else 10 for seat in range(4)]
        assert then.events[-1] == TurnStarted(winner, CHOOSE_REGION)


@proves("10.5", FFG)
def test_who_has_left_is_not_asked_to_draw() -> None:
    """It is skipped although it has room in its hand (ffg-2007, Draw After Battle)."""
    then = play(drawing(FFG), "B resigns", "A draws 0")
    assert then.events[-1] == TurnStarted(2, DRAW_CARDS)


def test_a_hand_that_is_left_can_be_drawn_again() -> None:
    """The hand is in the discard, which is shuffled into an empty deck (ffg-2007, Draw After Battle)."""
    given = table(FFG, 4, hands=["1", "2", "3", "4"], phase=DRAW_CARDS, options={"draw_after_battle": True}, decks=[""])
    given.discard, given.rows[0] = given.rows[0], given.discard
    given.discard[0] += 1
    given.rows[0][0] -= 1
    assert len(legal_commands(given)) == 2
    assert len(legal_commands(play(given, "D resigns").state)) == 3


# What the others see


@proves("10.6", ZMAN, CLASSIC)
@proves("10.5", FFG, *BOTH_EUROGAMES)
@proves("10.3", DUEL)
@in_editions("secret", *PRINTED)
def test_the_hand_of_who_leaves_stays_a_secret(edition: str) -> None:
    """As for every discarded hand, only the number of cards is shown. The resignation event has no secret fields."""
    given = duel() if edition == DUEL else fighting(edition)
    hand, events = tuple(given.hands[0]), play(given, "A resigns").events
    assert [only(HandDiscarded, [seen_by(event, seat) for event in events]).cards for seat in (0, 1, None)] == [
        hand,
        2,
        2,
    ]
    assert all(seen_by(only(SeatResigned, events), seat) == SeatResigned(0) for seat in (0, 1, None))
