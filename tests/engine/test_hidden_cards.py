"""Hidden cards: a card is laid face down in a row, and the next card turns it up (ffg-2007, Hidden Cards).

`test_hidden_kinds` tests which seats see which cards.
"""

import pytest

from engine import Pass, PlayCard, Refusal, State, decide, legal_commands, view_for
from engine.events import (
    BattleEnded,
    CardLaidFaceDown,
    CardPlayed,
    CardTurnedUp,
    MarkerTaken,
    MercenariesRemoved,
    SeatPassed,
    TurnStarted,
)

from .cases import FFG, proves
from .table import Script, all_cards, cards, command, every, kind, only, play, region, strengths_of, table, types

HIDDEN: dict[str, object] = {"hidden_cards": True}


def battle(
    *hands: str, rows: tuple[str, ...] = (), hidden: tuple[str, ...] = (), turn: str = "A", passed: str = "",
    season: str | None = None, marker: str = "A",
) -> State:  # fmt: skip
    """Return a battle with hidden cards."""
    return table(
        FFG, len(hands), hands=hands, rows=rows, hidden=hidden, turn=turn, passed=passed, season=season, marker=marker,
        options=HIDDEN,
    )  # fmt: skip


@proves("4.5 13.22 13.27", FFG)
@pytest.mark.parametrize("card", ["1", "2", "3", "4", "5", "6", "10", "D", "H", "S"])
def test_mercenary_drummer_heroine_and_courtesan_are_laid_face_down(card: str) -> None:
    """Face-down cards do not count yet (ffg-2007, Hidden Cards)."""
    then = play(battle(f"{card} 1", "1", "1"), f"A plays {card}")
    assert then.events == [CardLaidFaceDown(0, kind(card), None), TurnStarted(1, "battle")]
    assert then.state.hidden[0] == (kind(card),)
    assert strengths_of(then.state) == (0, 0, 0)
    assert not any(then.state.rows[0])
    assert all_cards(then.state) == then.state.edition.deck


@proves("13.22", FFG)
@pytest.mark.parametrize(
    ("card", "place"), [("W", "season"), ("P", "season"), ("C", "discard"), ("B", "discard"), ("X", "row")]
)
def test_the_other_cards_are_laid_face_up(card: str, place: str) -> None:
    """(ffg-2007, Hidden Cards)."""
    then = play(battle(f"{card} 1", "1", "1"), f"A plays {card}")
    assert only(CardPlayed, then.events).place == place
    assert every(CardLaidFaceDown, then.events) == []


@proves("13.23 13.24", FFG)
def test_the_next_card_turns_up_the_one_before_it() -> None:
    """Both cards are of one kind, so there is no choice (ffg-2007, Hidden Cards)."""
    then = play(battle("3 3 1", "1", "1", hidden=("3",)), "A plays 3")
    assert then.events[:2] == [CardLaidFaceDown(0, kind("3"), None), CardTurnedUp(0, kind("3"), newest=False)]
    assert then.state.hidden[0] == (kind("3"),)
    assert tuple(then.state.rows[0]) == cards("3")


@proves("13.24", FFG)
@pytest.mark.parametrize(("turned", "left", "newest"), [("3", "10", False), ("10", "3", True)])
def test_of_two_kinds_the_seat_chooses_which_is_turned_up(turned: str, left: str, newest: bool) -> None:
    """It may choose either of its face-down cards (ffg-2007, Hidden Cards)."""
    then = play(battle("10 1", "1", "1", hidden=("3",)), f"A plays 10 turning up {turned}")
    assert only(CardTurnedUp, then.events) == CardTurnedUp(0, kind(turned), newest)
    assert then.state.hidden[0] == (kind(left),)
    assert tuple(then.state.rows[0]) == cards(turned)


@proves("13.24 13.25", FFG)
def test_what_may_be_turned_up_is_offered() -> None:
    """The seat may choose the older or the new card; without a choice, nothing is offered."""
    offered = [one for one in legal_commands(battle("3 10 W", "1", "1", hidden=("3",))) if isinstance(one, PlayCard)]
    moves = ["A plays 3", "A plays 10 turning up 3", "A plays 10 turning up 10", "A plays W"]
    assert offered == [command(move) for move in moves]


@proves("13.24 13.25", FFG)
@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("A plays 10", "turn-up-required"),
        ("A plays 10 turning up 5", "turn-up-not-allowed"),
        ("A plays 3 turning up 3", "turn-up-not-allowed"),
        ("A plays W turning up 3", "turn-up-not-allowed"),
    ],
)
def test_another_card_cannot_be_turned_up(move: str, code: str) -> None:
    """If there is no choice, no card may be named."""
    with pytest.raises(Refusal) as refused:
        decide(battle("3 10 W", "1", "1", hidden=("3",)), command(move), Script())
    assert (refused.value.code, refused.value.field) == (code, "turn_up")


@proves("13.25", FFG)
def test_a_first_card_turns_nothing_up() -> None:
    """There is no card to choose."""
    with pytest.raises(Refusal) as refused:
        decide(battle("10 1", "1", "1"), command("A plays 10 turning up 10"), Script())
    assert refused.value.code == "turn-up-not-allowed"


@proves("13.23", FFG)
@pytest.mark.parametrize("card", ["W", "P", "X"])
def test_a_card_laid_face_up_turns_one_up_too(card: str) -> None:
    """The seat's next card turns it up, whichever card that is (ffg-2007, Hidden Cards)."""
    then = play(battle(f"{card} 1", "1", "1", hidden=("6",)), f"A plays {card}")
    assert then.events[1] == CardTurnedUp(0, kind("6"), newest=False)
    assert then.state.hidden[0] == ()


@proves("13.23", FFG)
def test_the_cards_of_others_stay_face_down() -> None:
    """Only the seat's own play turns up its cards (ffg-2007, Hidden Cards)."""
    then = play(battle("1", "2 1", "3", hidden=("", "10", "5")), "A plays 1", "B plays 2 turning up 10")
    assert [event.seat for event in every(CardTurnedUp, then.events)] == [1]
    assert then.state.hidden == [(kind("1"),), (kind("2"),), (kind("5"),)]


@proves("13.23", FFG)
def test_there_is_never_more_than_one_face_down_card_in_a_row() -> None:
    """After any play there is at most one (ffg-2007, Hidden Cards)."""
    given = battle("1 2 3 4", "1", "1", passed="BC")
    moves = ["A plays 1", "A plays 2 turning up 1", "A plays 3 turning up 3", "A plays 4 turning up 2"]
    for count, move in enumerate(moves[:-1]):
        given = play(given, move).state
        assert (len(given.hidden[0]), sum(given.rows[0])) == (1, count)


@proves("13.26", FFG)
def test_a_pass_leaves_a_card_face_down() -> None:
    """It stays face down until the totals are determined (ffg-2007, Hidden Cards)."""
    then = play(battle("1", "1", "1", hidden=("10",)), "A passes")
    assert then.events == [SeatPassed(0, final=True, forced=False), TurnStarted(1, "battle")]
    assert then.state.hidden[0] == (kind("10"),)


@proves("13.26", FFG)
def test_a_pass_may_turn_the_card_up() -> None:
    """13.26: turning it up is optional (ffg-2007, Hidden Cards)."""
    given = battle("1", "1", "1", hidden=("10",), rows=("D",))
    assert legal_commands(given)[:2] == [Pass(0), Pass(0, kind("10"))]
    then = play(given, "A passes turning up 10")
    turned, passed = CardTurnedUp(0, kind("10"), newest=False), SeatPassed(0, final=True, forced=False)
    assert then.events == [turned, passed, TurnStarted(1, "battle")]
    assert then.state.hidden[0] == ()
    assert strengths_of(then.state) == (20, 0, 0)


def test_the_last_pass_may_turn_the_card_up_too() -> None:
    """The card is turned up once and counts (ffg-2007, Hidden Cards)."""
    given = battle("1", "1", "1", hidden=("10", "3", ""), passed="BC")
    then = play(given, "A passes turning up 10")
    assert [event.seat for event in every(CardTurnedUp, then.events)] == [0, 1]
    assert only(BattleEnded, then.events).strengths == (10, 3, 0)


@proves("13.25", FFG)
@pytest.mark.parametrize("hidden", [("3",), ("", "10"), ()], ids=["another lies there", "another seat's", "none lies"])
def test_a_pass_turns_up_no_card_that_the_seat_has_not_face_down(hidden: tuple[str, ...]) -> None:
    """13.25: no other card may be chosen."""
    given = battle("1", "1", "1", hidden=hidden)
    with pytest.raises(Refusal, match="you cannot turn up a mercenary-10 with this pass") as refused:
        decide(given, command("A passes turning up 10"), Script())
    assert (refused.value.code, refused.value.field) == ("turn-up-not-allowed", "turn_up")
    assert refused.value.clause == "13.25"


def test_in_revision_1_a_pass_leaves_every_card_face_down() -> None:
    """13.26 of revision 1."""
    given = table(FFG, hands=["1", "1", "1"], hidden=["10"], options=HIDDEN, revision=1)
    assert [one for one in legal_commands(given) if isinstance(one, Pass)] == [Pass(0)]
    with pytest.raises(Refusal) as refused:
        decide(given, command("A passes turning up 10"), Script())
    assert refused.value.code == "turn-up-not-allowed"
    assert play(given, "A passes").state.hidden[0] == (kind("10"),)


def test_without_hidden_cards_a_pass_names_no_card() -> None:
    """Nothing lies face down (ffg-2007, Hidden Cards)."""
    with pytest.raises(Refusal) as refused:
        decide(table(FFG, hands=["1", "1", "1"], rows=["10"]), command("A passes turning up 10"), Script())
    assert refused.value.code == "turn-up-not-allowed"


@proves("13.26", FFG)
def test_a_pass_for_want_of_cards_leaves_a_card_face_down_too() -> None:
    """The last card of the hand turns up the previous one, and stays face down itself."""
    then = play(battle("10", "1", "1", hidden=("3",)), "A plays 10 turning up 3")
    assert types(then.events) == ["CardLaidFaceDown", "CardTurnedUp", "SeatPassed", "TurnStarted"]
    assert then.state.hidden[0] == (kind("10"),)


@proves("13.28", FFG)
def test_all_are_turned_up_before_the_totals() -> None:
    """The order is clockwise from the holder of the token (ffg-2007, Hidden Cards)."""
    given = battle("1", "1", "1", rows=("2", "", ""), hidden=("10", "D", "H"), turn="C", passed="AB", marker="B")
    then = play(given, "C passes")
    assert every(CardTurnedUp, then.events) == [
        CardTurnedUp(1, kind("D"), newest=False),
        CardTurnedUp(2, kind("H"), newest=False),
        CardTurnedUp(0, kind("10"), newest=False),
    ]
    assert only(BattleEnded, then.events).strengths == (12, 0, 10)
    assert types(then.events)[:5] == ["SeatPassed", *["CardTurnedUp"] * 3, "BattleEnded"]


@proves("13.27", FFG)
def test_only_the_total_that_lies_open_is_announced() -> None:
    """Even the owner of a face-down card sees only the open total (ffg-2007, Hidden Cards)."""
    given = battle("1", "1", "1", rows=("2", "5", ""), hidden=("10", "D", ""))
    for seat in (0, 1, None):
        assert view_for(given, seat).strengths() == [[("mercenaries", 2)], [("mercenaries", 5)], []]


@proves("13.28", FFG)
def test_a_hidden_drummer_and_a_hidden_courtesan_count_in_the_end() -> None:
    """Both are turned up before the totals are determined (our reading of ffg-2007, Hidden Cards)."""
    given = battle("1", "1", "1", rows=("6", "10", ""), hidden=("D", "", "S"), passed="BC")
    then = play(given, "A passes")
    assert only(BattleEnded, then.events).strengths == (12, 10, 1)
    assert only(MarkerTaken, then.events) == MarkerTaken(2, "courtesans", None)


@proves("13.27 13.28", FFG)
def test_spring_finds_a_hidden_mercenary_once_it_lies_open() -> None:
    """It does not count for Spring before that (ffg-2007, Spring; Hidden Cards)."""
    given = battle("1", "1", "1", rows=("6", "6", ""), hidden=("", "10", ""), season="P", passed="BC")
    assert strengths_of(given) == (9, 9, 0)
    assert only(BattleEnded, play(given, "A passes").events).strengths == (6, 19, 0)


@proves("13.27", FFG)
def test_a_bishop_ignores_what_lies_face_down() -> None:
    """The example: of 6, 6 and a hidden 10 against 5, 1, 1, both sixes are removed (ffg-2007, Hidden Cards)."""
    given = battle("1", "B 1", "1", rows=("6 6", "5 1 1", ""), hidden=("10", "", ""), turn="B")
    then = play(given, "B plays B")
    assert only(MercenariesRemoved, then.events) == MercenariesRemoved(kind("6"), (2, 0, 0))
    assert then.state.hidden[0] == (kind("10"),)
    assert strengths_of(then.state) == (0, 7, 0)


@proves("13.23", FFG)
def test_a_bishop_strikes_what_its_own_play_turns_up() -> None:
    """The older card is turned up before the effect (our reading of ffg-2007, Hidden Cards)."""
    given = battle("1", "B 1", "1", rows=("6", "", ""), hidden=("", "10", ""), turn="B")
    then = play(given, "B plays B favoring roma")
    assert types(then.events) == ["CardPlayed", "CardTurnedUp", "MercenariesRemoved", "FavorMoved", "TurnStarted"]
    assert only(MercenariesRemoved, then.events) == MercenariesRemoved(kind("10"), (0, 1, 0))
    assert then.state.favor == region("roma")


@proves("13.27", FFG)
def test_a_scarecrow_does_not_reach_what_stays_face_down() -> None:
    """A card that the scarecrow's own play turns up is no longer face down (ffg-2007, Hidden Cards)."""
    given = battle("C 1", "1", "1", rows=("", "5", ""), hidden=("", "10", ""))
    offered = [one for one in legal_commands(given) if isinstance(one, PlayCard) and one.card == kind("C")]
    assert offered == [command("A plays C")]
    with pytest.raises(Refusal) as refused:
        decide(given, command("A plays C taking 10 of B"), Script())
    assert refused.value.code == "target-not-own"


@proves("13.23 13.27", FFG)
def test_a_scarecrow_may_take_what_its_own_play_turns_up() -> None:
    """The older card is turned up before the effect (our reading of ffg-2007, Hidden Cards)."""
    given = battle("C 1", "1", "1", rows=("2", "", ""), hidden=("10", "", ""))
    offered = [one for one in legal_commands(given) if isinstance(one, PlayCard) and one.card == kind("C")]
    assert offered == [command(f"A plays C{taken}") for taken in ("", " taking 2", " taking 10")]
    then = play(given, "A plays C taking 10")
    assert types(then.events) == ["CardPlayed", "CardTurnedUp", "CardTakenBack", "TurnStarted"]
    assert tuple(then.state.hands[0]) == cards("1 10")
    assert tuple(then.state.rows[0]) == cards("2")


@proves("6.11", FFG)
def test_a_scarecrow_that_turns_up_a_heroine_may_not_take_her() -> None:
    """A heroine is not a mercenary (ffg-2007, Scarecrow)."""
    given = battle("C 1", "1", "1", hidden=("H", "", ""))
    with pytest.raises(Refusal) as refused:
        decide(given, command("A plays C taking H"), Script())
    assert refused.value.code == "target-not-mercenary"
    assert tuple(play(given, "A plays C").state.rows[0]) == cards("H")


@proves("13.28", FFG)
def test_a_surrender_turns_up_everything_and_then_compares() -> None:
    """(our reading of ffg-2007, Hidden Cards; Surrender)."""
    given = battle("X 1", "1", "1", rows=("5", "3", ""), hidden=("1", "4", ""), turn="A")
    then = play(given, "A plays X")
    assert types(then.events)[:4] == ["CardPlayed", "CardTurnedUp", "CardTurnedUp", "BattleEnded"]
    assert only(BattleEnded, then.events).strengths == (6, 7, 0)


def test_nothing_lies_face_down_after_the_battle() -> None:
    """All cards of the lines are discarded (ffg-2007, Discard Battle Lines)."""
    given = battle("1", "1", "1", hidden=("10", "D", ""), passed="BC")
    then = play(given, "A passes", "A chooses roma")
    assert then.state.hidden == [(), (), ()]
    assert tuple(then.state.discard) == cards("10 D")
    assert all_cards(then.state) == then.state.edition.deck


@proves("13.17", FFG)
def test_a_hidden_first_card_binds_an_owner_too() -> None:
    """The owner has played a card, whichever it is (ffg-2007, Capturing Regions; Hidden Cards)."""
    options: dict[str, object] = {"hidden_cards": True, "capturing_regions": True}
    given = table(FFG, hands=["1 1", "1 1", "1 1"], held=["", "torino", ""], turn="B", options=options)
    then = play(given, "B plays 1", "C passes", "A passes", "B passes")
    assert every(SeatPassed, then.events)[-1] == SeatPassed(1, final=True, forced=False)


@proves("4.5", FFG)
def test_without_the_option_nothing_is_laid_face_down() -> None:
    """(ffg-2007, Play a Card: face up)."""
    then = play(table(FFG, hands=["10 1", "1", "1"]), "A plays 10")
    assert then.state.hidden == [(), (), ()]
    assert only(CardPlayed, then.events).place == "row"
