"""The last hand keeps up to two cards when a round ends (ffg-2007, End of Round)."""

from itertools import combinations

import pytest

from engine import KeepCards, Refusal, State, decide, legal_commands
from engine.events import CardsKept, HandDiscarded, HandsDealt, RoundEnded, TurnStarted

from .cases import FFG, in_cases, in_editions, proves
from .table import ANY, Script, all_cards, cards, command, every, only, play, table, types


def keeping(hand: str, *, held: tuple[str, ...] = (), discard: str = "") -> State:
    """Return a position after the choice of a region, in which A, the last seat with cards, chooses which to keep."""
    given = table(FFG, hands=[hand, "", ""], held=held, discard=discard, phase="keep-cards")
    given.contested = 0
    return given


@proves("8.7", FFG)
def test_the_only_seat_with_cards_is_asked_after_the_discards() -> None:
    """Other seats have discarded their hands in that step (ffg-2007, Discard Cards From Hand, End of Round)."""
    given = table(FFG, rows=["10"], hands=["1", "H", ""], passed="BC")
    then = play(given, "A passes", "A chooses roma", "A keeps", "B discards")
    assert types(then.events)[-2:] == ["HandDiscarded", "TurnStarted"]
    assert then.events[-1] == TurnStarted(0, "keep-cards")


@proves("8.7 8.8", FFG)
@in_cases("kept", *((f"T67-{size}", FFG, kept) for size, kept in enumerate(("nothing", "10", "10 H"))))
def test_up_to_two_may_be_kept(edition: str, kept: str) -> None:
    """T67: none, one or two; the rest is discarded (ffg-2007, End of Round)."""
    given = keeping("10 10 H 1 W")
    assert given.edition.key == edition
    then = play(given, f"A keeps {kept}", chance=Script(deals=[ANY]))
    hand = cards("" if kept == "nothing" else kept)
    rest = tuple(had - keeps for had, keeps in zip(cards("10 10 H 1 W"), hand, strict=True))
    assert then.events[:3] == [CardsKept(0, hand), HandDiscarded(0, rest, forced=True), RoundEnded()]
    assert [sum(cards) for cards in then.state.hands] == [10, 10, 10]
    assert all(has >= keeps for has, keeps in zip(then.state.hands[0], hand, strict=True))
    assert all_cards(then.state) == then.state.edition.deck


@proves("8.7", FFG)
@in_editions("T67-three", FFG)
def test_three_may_not_be_kept(edition: str) -> None:
    """T67 (ffg-2007, End of Round)."""
    given = keeping("10 10 H 1 W")
    with pytest.raises(Refusal, match="at most 2 cards") as refused:
        decide(given, command("A keeps 10 H W"), Script())
    assert (refused.value.code, refused.value.field) == ("too-many-kept", "keep")
    assert refused.value.edition == edition


@proves("4.3", FFG)
@pytest.mark.parametrize("kept", ["5", "1 1", "H H", "C"])
def test_a_card_that_is_not_in_the_hand_may_not_be_kept(kept: str) -> None:
    """A card may not be kept more often than it is in the hand."""
    with pytest.raises(Refusal) as refused:
        decide(keeping("10 10 H 1 W"), command(f"A keeps {kept}"), Script())
    assert (refused.value.code, refused.value.field) == ("card-not-in-hand", "keep")


@proves("8.7", FFG)
@pytest.mark.parametrize("hand", ["1", "1 1", "1 1 1", "10 10 H 1 W", "1 2 3 4 5 6 10 H D S W P B C X"])
def test_every_choice_is_offered_once(hand: str) -> None:
    """The choices are: nothing, each kind alone, each pair of kinds, and two cards of a kind if the hand has two."""
    letters = hand.split()
    expected = {cards(""), *(cards(letter) for letter in letters)}
    expected |= {cards(" ".join(pair)) for pair in combinations(letters, 2)}
    commands = legal_commands(keeping(hand))
    kept = [command.keep for command in commands if isinstance(command, KeepCards)]
    assert len(kept) == len(commands) == len(expected)
    assert set(kept) == expected


def test_two_that_are_all_may_be_kept() -> None:
    """Nothing is discarded in that case (ffg-2007, End of Round)."""
    then = play(keeping("10 H"), "A keeps 10 H", chance=Script(deals=[ANY]))
    assert types(then.events) == ["CardsKept", "RoundEnded", "HandsDealt", "TurnStarted"]


@proves("8.8", FFG)
@in_editions("T68", FFG)
def test_kept_cards_count_towards_the_deal(edition: str) -> None:
    """T68: with two kept cards and one region, nine are dealt, which gives eleven (ffg-2007, End of Round)."""
    given = keeping("10 H 1", held=("roma", "", "siena napoli"))
    then = play(given, "A keeps 10 H", chance=Script(deals=[ANY]))
    assert given.edition.key == edition
    assert [sum(hand) for hand in only(HandsDealt, then.events).hands if not isinstance(hand, int)] == [9, 10, 12]
    assert [sum(hand) for hand in then.state.hands] == [11, 10, 12]


@proves("8.8", FFG)
@in_editions("T37", FFG)
def test_three_regions_and_no_kept_card_bring_thirteen(edition: str) -> None:
    """T37 (ffg-2007, End of Round, the example)."""
    given = keeping("10 10", held=("", "parma venezia siena", ""))
    then = play(given, "A keeps nothing", chance=Script(deals=[ANY]))
    assert given.edition.key == edition
    assert [sum(hand) for hand in then.state.hands] == [10, 13, 10]


@proves("6.7 8.8", FFG)
def test_what_is_not_kept_is_shuffled_into_the_deal() -> None:
    """The deal includes the discard, but not the kept cards (ffg-2007, End of Round)."""
    given = keeping("10 H H", discard="H")
    dealt = ["H H 1 1 1 1 1 1 1", "2 2 2 2 2 2 2 2 3 3", "4 4 4 4 4 4 4 4 5 5"]
    then = play(given, "A keeps H", chance=Script(deals=[dealt]))
    assert tuple(then.state.hands[0]) == cards("H " + dealt[0])


@proves("8.8", FFG)
def test_who_gave_up_the_last_hand_keeps_nothing() -> None:
    """Revision 1 asks such a seat. Afterwards no seat has cards, and all are dealt new hands."""
    given = table(FFG, rows=["10"], hands=["H W", "", ""], passed="BC", revision=1)
    then = play(given, "A passes", "A chooses roma", "A discards", chance=Script(deals=[ANY]))
    assert every(CardsKept, then.events) == []
    assert types(then.events)[-4:] == ["HandDiscarded", "RoundEnded", "HandsDealt", "TurnStarted"]
    assert [sum(hand) for hand in then.state.hands] == [11, 10, 10]


@proves("8.7", FFG)
def test_who_holds_only_one_card_is_asked_too() -> None:
    """Keeping it is a choice (ffg-2007, End of Round: may keep)."""
    commands = legal_commands(keeping("W"))
    assert commands == [command("A keeps nothing"), command("A keeps W")]


@proves("8.7 8.9", FFG)
def test_with_two_hands_left_nobody_is_asked() -> None:
    """The round continues (ffg-2007, End of Round)."""
    given = table(FFG, rows=["10"], hands=["1", "1", ""], passed="BC")
    then = play(given, "A passes", "A chooses roma", "A keeps", "B keeps")
    assert then.events[-1] == TurnStarted(0, "battle")
    assert every(RoundEnded, then.events) == []
