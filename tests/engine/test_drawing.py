"""Drawing after each battle, without rounds (ffg-2007, Draw After Battle)."""

import pytest

from engine import DrawCards, Refusal, State, decide, legal_commands, replay, start
from engine.events import (
    CardsDrawn,
    DiscardReshuffled,
    GameEnded,
    HandDiscarded,
    HandsDealt,
    RoundEnded,
    RoundStalled,
    RowsDiscarded,
    TurnStarted,
)

from .cases import FFG, in_editions, proves
from .table import ANY, Script, all_cards, cards, command, every, only, play, table, types

DRAWING: dict[str, object] = {"draw_after_battle": True}
NINE = "1 1 2 2 3 3 4 4 5"


def won_by_a(*hands: str, held: tuple[str, ...] = (), decks: list[str] | None = None) -> State:
    """Return a position in which A leads with a 10 and is the last to pass."""
    return table(FFG, len(hands), rows=["10"], hands=hands, held=held, decks=decks, passed="BCDEF", options=DRAWING)


def drawing(*hands: str, turn: str = "A", held: tuple[str, ...] = (), decks: list[str] | None = None) -> State:
    """Return a position in which A has won and this seat draws."""
    return table(FFG, len(hands), hands=hands, held=held, turn=turn, phase="draw-cards", decks=decks, options=DRAWING)


def most(given: State) -> int:
    """Return the maximum number of cards that may be drawn, and check that every smaller number is legal too."""
    commands = legal_commands(given)
    assert commands == [DrawCards(given.turn, number) for number in range(len(commands))]
    return len(commands) - 1


@proves("2.1 13.2", FFG)
def test_the_game_begins_with_seven_cards() -> None:
    """(ffg-2007, Draw After Battle)."""
    state = replay(start(FFG, 4, Script(lots=["A of ABCD"], deals=[ANY]), DRAWING))
    assert [sum(hand) for hand in state.hands] == [7] * 4


@proves("13.3 13.4", FFG)
def test_after_a_battle_each_seat_may_draw_clockwise_from_the_token() -> None:
    """The order is strength, draws, region, lines; nobody is asked to discard a hand (ffg-2007, Draw After Battle)."""
    then = play(won_by_a("1", "2", "3"), "A passes", "A draws 0", "B draws 0", "C draws 0")
    assert [(event.seat, event.phase) for event in every(TurnStarted, then.events)] == [
        (0, "draw-cards"),
        (1, "draw-cards"),
        (2, "draw-cards"),
        (0, "choose-region"),
    ]
    assert every(RowsDiscarded, then.events) == []
    assert tuple(then.state.rows[0]) == cards("10")
    then = play(then.state, "A chooses roma")
    assert types(then.events) == ["RegionChosen", "RowsDiscarded", "TurnStarted"]
    assert then.events[-1] == TurnStarted(0, "battle")


@proves("13.4", FFG)
def test_the_new_holder_of_the_token_draws_first() -> None:
    """(our reading: clockwise from the seat that holds the token now)."""
    given = table(FFG, rows=["", "10"], hands=["1", "1", "1"], turn="C", passed="AB", options=DRAWING)
    then = play(given, "C passes", "B draws 1", chance=Script(deals=[ANY]))
    assert then.events[-1] == TurnStarted(2, "draw-cards")


@proves("13.5", FFG)
@in_editions("F15", FFG)
def test_nobody_draws_above_the_limit(edition: str) -> None:
    """F15: with nine cards and one region, at most two (ffg-2007, Draw After Battle)."""
    given = drawing(NINE, "1", "1", held=("roma", "", ""))
    assert given.edition.key == edition
    assert most(given) == 2
    with pytest.raises(Refusal, match="0 to 2") as refused:
        decide(given, command("A draws 3"), Script())
    assert (refused.value.code, refused.value.field) == ("too-many-drawn", "number")


@proves("13.5", FFG)
@pytest.mark.parametrize(
    ("hand", "held", "number"),
    [
        ("", "", 3),
        ("1 1 2 2 3 3 4", "", 3),
        ("1 1 2 2 3 3 4 4", "", 2),
        (NINE, "", 1),
        (NINE, "roma siena", 3),
        (f"{NINE} 5 6", "roma siena", 1),
    ],
)
def test_three_at_most_up_to_ten_and_one_a_region(hand: str, held: str, number: int) -> None:
    """(ffg-2007, Draw After Battle)."""
    assert most(drawing(hand, "1", "1", held=(held, "", ""))) == number


def test_fewer_than_none_cannot_be_drawn() -> None:
    """The smallest number that may be drawn is 0."""
    with pytest.raises(Refusal) as refused:
        decide(drawing("1", "1", "1"), DrawCards(0, -1), Script())
    assert refused.value.code == "too-many-drawn"


@proves("13.5", FFG)
def test_a_seat_with_a_full_hand_is_not_asked() -> None:
    """The seat could answer only 0, and its number of cards is public."""
    given = won_by_a("1", f"{NINE} 5", "3")
    then = play(given, "A passes", "A draws 0")
    assert then.events[-1] == TurnStarted(2, "draw-cards")


@proves("13.5", FFG)
def test_where_every_hand_is_full_the_region_is_chosen_at_once() -> None:
    """No seat has room for another card."""
    full = f"{NINE} 5"
    given = table(
        FFG, 2, rows=["10 10", ""], hands=[f"{full} 5", "10 10 6 6 6 H H D D D"], passed="B", options=DRAWING
    )  # fmt: skip
    assert play(given, "A passes").events[-1] == TurnStarted(0, "choose-region")


def test_what_is_drawn_comes_into_the_hand() -> None:
    """After the draw, the next seat is asked."""
    then = play(drawing("1", "1", "1"), "A draws 2", chance=Script(deals=[["H W"]]))
    assert then.events == [CardsDrawn(0, cards("H W"), 0, 2), TurnStarted(1, "draw-cards")]
    assert tuple(then.state.hands[0]) == cards("1 H W")
    assert all_cards(then.state) == then.state.edition.deck


def test_drawing_nothing_draws_nothing() -> None:
    """No random draw takes place."""
    then = play(drawing("1", "1", "1"), "A draws 0")
    assert then.events == [CardsDrawn(0, cards(""), None, 0), TurnStarted(1, "draw-cards")]
    assert then.state.draws == 0


@proves("13.6", FFG)
def test_a_deck_that_runs_out_is_filled_from_the_discard_midway() -> None:
    """First the remaining cards are drawn, then the reshuffled discard (our reading: the rulebook is silent)."""
    given = drawing("1", "1", "1", decks=["H"])
    rest = sum(given.discard)
    then = play(given, "A draws 3", chance=Script(deals=[["H"], ["W P"]]))
    assert types(then.events) == ["CardsDrawn", "DiscardReshuffled", "CardsDrawn", "TurnStarted"]
    assert [event.draw for event in every(CardsDrawn, then.events)] == [0, 1]
    assert tuple(then.state.hands[0]) == cards("1 H W P")
    assert (sum(then.state.decks[0]), sum(then.state.discard)) == (rest - 2, 0)
    assert all_cards(then.state) == then.state.edition.deck


@proves("13.6", FFG)
def test_an_empty_deck_is_filled_before_the_first_card() -> None:
    """Every drawn card comes from the reshuffled discard."""
    then = play(drawing("1", "1", "1", decks=[""]), "A draws 2", chance=Script(deals=[["W P"]]))
    assert [event.cards for event in every(CardsDrawn, then.events) if event.draw is not None] == [cards("W P")]
    assert len(every(DiscardReshuffled, then.events)) == 1
    assert tuple(then.state.hands[0]) == cards("1 W P")
    assert all_cards(then.state) == then.state.edition.deck


@proves("13.5 13.6", FFG)
def test_rows_lie_on_the_table_until_the_region_is_chosen() -> None:
    """These cards therefore cannot be drawn, and a seat may draw only available cards (ffg-2007, Draw After Battle)."""
    given = drawing("1", "1", "1", decks=["H"])
    given.rows[1] = [count + gone for count, gone in zip(given.rows[1], given.discard, strict=True)]
    given.discard = list(cards("W"))
    given.rows[1][10] -= 1
    assert most(given) == 2
    then = play(given, "A draws 2", chance=Script(deals=[["H"], ["W"]]))
    assert then.events[-1] == TurnStarted(0, "choose-region")


@proves("13.7", FFG)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_when_nobody_has_a_card_everybody_draws_ten(seats: int) -> None:
    """13.7: ten each, for any number of regions, without a choice, only from the deck (ffg-2007, Draw After Battle)."""
    given = table(FFG, seats, rows=["6"], hands=["10"], held=["roma siena"], discard="H", options=DRAWING, season="W")
    then = play(given, "A plays 10", chance=Script(deals=[ANY]))
    assert types(then.events)[-3:] == ["MarkerTaken", "HandsDealt", "TurnStarted"]
    assert [sum(hand) for hand in then.state.hands] == [10] * seats
    assert tuple(then.state.discard) == cards("H")
    assert then.events[-1] == TurnStarted(0, "choose-region")
    assert every(RoundEnded, then.events) == []
    then = play(then.state, "A chooses napoli")
    assert types(then.events) == ["RegionChosen", "RowsDiscarded", "TurnStarted"]


@proves("13.7", FFG)
@pytest.mark.parametrize(("deck", "first"), [("H D S S", ["D", "S", "H S"]), ("", [])], ids=["four left", "none left"])
def test_ten_for_everybody_use_up_the_deck_before_the_discard_is_reshuffled(deck: str, first: list[str]) -> None:
    """13.7: one card at a time, clockwise from the holder.

    When the deck is empty, the rows and the discard are shuffled.
    """
    given = table(FFG, rows=["", "", "6"], hands=["", "", "10"], turn="C", marker="C", decks=[deck], options=DRAWING)
    then = play(given, "C plays 10", chance=Script(deals=[*([first] if first else []), ANY]))
    dealt = ["HandsDealt"] * bool(first)
    assert types(then.events)[-5 - len(dealt) :] == [
        "MarkerTaken", *dealt, "RowsDiscarded", "DiscardReshuffled", "HandsDealt", "TurnStarted",
    ]  # fmt: skip
    assert [sum(hand) for hand in then.state.hands] == [10] * 3
    for hand, letters in zip(then.state.hands, first, strict=False):
        assert all(has >= had for has, had in zip(hand, cards(letters), strict=True))
    assert not any(map(any, then.state.rows))
    assert not any(then.state.discard)
    assert all_cards(then.state) == then.state.edition.deck


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_in_revision_1_all_cards_are_shuffled_before_everybody_draws_ten(seats: int) -> None:
    """13.7 of revision 1: the lines are discarded first (ffg-2007, Draw After Battle)."""
    given = table(
        FFG, seats, rows=["6"], hands=["10"], held=["roma siena"], options=DRAWING, season="W", revision=1
    )  # fmt: skip
    then = play(given, "A plays 10", chance=Script(deals=[ANY]))
    assert types(then.events)[-4:] == ["RowsDiscarded", "DiscardReshuffled", "HandsDealt", "TurnStarted"]
    assert [sum(hand) for hand in then.state.hands] == [10] * seats
    assert not any(map(any, then.state.rows))
    assert not any(then.state.discard)
    then = play(then.state, "A chooses napoli")
    assert types(then.events) == ["RegionChosen", "TurnStarted"]


@proves("13.7", FFG)
def test_one_card_in_one_hand_is_enough_to_draw_as_usual() -> None:
    """In that case nobody is dealt ten cards (ffg-2007, Draw After Battle: if no player has any card)."""
    then = play(won_by_a("1", "", ""), "A passes")
    assert then.events[-1] == TurnStarted(0, "draw-cards")
    assert every(HandsDealt, then.events) == []


def test_answers_are_asked_anew_after_each_battle() -> None:
    """A seat that drew nothing may still draw after the next battle."""
    given = won_by_a("1 1", "2 2", "3 3")
    then = play(given, "A passes", "A draws 0", "B draws 0", "C draws 0", "A chooses roma")
    then = play(then.state, "A plays 1", "B passes", "C passes", "A passes", "A draws 0")
    assert then.events[-1] == TurnStarted(1, "draw-cards")


@proves("13.3", FFG)
def test_a_victory_comes_before_the_draws() -> None:
    """(ffg-2007, Winning the Game)."""
    then = play(won_by_a("1", "1", "1", "1", held=("milano genova", "", "", "")), "A passes")
    assert types(then.events)[-1] == "GameEnded"
    assert only(GameEnded, then.events).winners == (0,)


@proves("10.1", FFG)
def test_a_stall_discards_all_hands_and_deals_ten() -> None:
    """The deal is the same as when nobody has a card (house rule). A second consecutive stall ends the game."""
    given = table(FFG, hands=["1 1", "2", "3"], passed="BC", held=["", "roma", ""], options=DRAWING)
    given.idle = 5
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert only(RoundStalled, then.events) == RoundStalled(6)
    assert [event.forced for event in every(HandDiscarded, then.events)] == [True] * 3
    assert types(then.events)[-2:] == ["HandsDealt", "TurnStarted"]
    assert [sum(hand) for hand in then.state.hands] == [10] * 3
    assert (then.state.idle, then.state.stalls) == (0, 1)
    given.stalls = 1
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((1,), ("stall",))
