"""Keep or discard: what a seat may do with its hand after a battle, and the order in which seats are asked."""

import pytest

from engine import DiscardHand, KeepHand, Refusal, decide, legal_commands, seen_by
from engine.events import HandDiscarded, HandKept, TurnStarted

from .cases import FFG, ON_THE_BOARD, REGION_LAST, in_editions, proves
from .table import SEATS, PlayResult, Script, cards, command, every, named, only, play, table


def after_a_battle(edition: str, *hands: str, marker: str = "A") -> PlayResult:
    """Return a position just after a battle that the holder of the marker has won, and its chain of events.

    In editions that choose the next region first, that choice has been made.
    """
    seats = len(hands)
    rows = ["10" if SEATS[seat] == marker else "" for seat in range(seats)]
    others = SEATS.replace(marker, "")
    given = table(edition, seats, rows=rows, hands=hands, marker=marker, turn=marker, passed=others)
    chosen = [f"{marker} chooses roma"] if edition == FFG else []
    return play(given, f"{marker} passes", *chosen)


@proves("8.4 8.5", *REGION_LAST)
@proves("8.5 8.6", FFG)
@in_editions("T32", *ON_THE_BOARD)
@pytest.mark.parametrize("hand", ["H D W", "H", "C C", "X B"])
def test_a_hand_without_mercenaries_may_be_discarded(edition: str, hand: str) -> None:
    """T32: heroines may be discarded too (eurogames-1995, To discards cards; ffg-2007, Discard Cards From Hand)."""
    given = after_a_battle(edition, hand, "1", "1").state
    assert named(legal_commands(given)) == named([KeepHand(0), DiscardHand(0)])
    then = play(given, "A discards")
    assert then.events[0] == HandDiscarded(0, cards(hand), forced=False)
    assert not any(then.state.hands[0])
    assert then.events[-1] == TurnStarted(1, "keep-or-discard")


@proves("8.4", *REGION_LAST)
@proves("8.5", FFG)
@in_editions("T34", *ON_THE_BOARD)
def test_a_hand_is_discarded_whole_or_not_at_all(edition: str) -> None:
    """T34: no command discards only a part (zman-2018, Cleanup and Reset; eurogames-1995, Abwerfen von Karten)."""
    given = after_a_battle(edition, "H D", "1", "1").state
    assert DiscardHand._fields == ("seat",)
    assert named(legal_commands(given)) == named([KeepHand(0), DiscardHand(0)])


@proves("8.5", *REGION_LAST)
@proves("8.6", FFG)
@in_editions("mercenaries", *ON_THE_BOARD)
@pytest.mark.parametrize("hand", ["1", "10 H", "C 2 X"])
def test_a_hand_with_a_mercenary_is_kept(edition: str, hand: str) -> None:
    """(zman-2018, Cleanup and Reset, step 1; eurogames-1995, To discards cards)."""
    given = after_a_battle(edition, hand, "1", "1").state
    assert named(legal_commands(given)) == named([KeepHand(0)])
    with pytest.raises(Refusal) as refused:
        decide(given, command("A discards"), Script())
    assert refused.value.code == "hand-has-mercenaries"
    assert named(refused.value.legal) == named([KeepHand(0)])


@proves("8.3", *REGION_LAST)
@proves("8.4", FFG)
@in_editions("order", *ON_THE_BOARD)
def test_seats_answer_clockwise_from_the_marker(edition: str) -> None:
    """A seat that can only keep is asked too: skipping it would reveal its cards (Cleanup and Reset, step 1)."""
    then = after_a_battle(edition, "H", "1", "", "D 2", marker="D")
    assert then.events[-1] == TurnStarted(3, "keep-or-discard")
    then = play(then.state, "D keeps", "A discards", "B keeps")
    asked = [event for event in every(TurnStarted, then.events) if event.phase == "keep-or-discard"]
    assert [event.seat for event in asked] == [0, 1]
    assert then.events[-1] == TurnStarted(3, "battle" if edition == FFG else "choose-region")
    assert [event.seat for event in every(HandKept, then.events)] == [3, 1]


@proves("11.4", *ON_THE_BOARD)
@in_editions("secret", *ON_THE_BOARD)
def test_what_was_discarded_only_its_owner_knows(edition: str) -> None:
    """The number of cards is public (house ruling on hand discards)."""
    discarded = only(HandDiscarded, play(after_a_battle(edition, "H D", "1", "1").state, "A discards").events)
    assert seen_by(discarded, 0) == discarded
    assert seen_by(discarded, 1) == seen_by(discarded, None) == HandDiscarded(0, 2, forced=False)


@proves("8.3", *REGION_LAST)
@proves("8.4", FFG)
@in_editions("each-battle", *ON_THE_BOARD)
def test_every_battle_asks_anew(edition: str) -> None:
    """An answer is valid for one battle (zman-2018, Cleanup and Reset; eurogames-1995, To discards cards)."""
    given = after_a_battle(edition, "H", "1", "1 2").state
    chosen = [] if edition == FFG else ["A chooses roma"]
    fought = ["A passes", "B passes", "C plays 1", "C passes"]
    then = play(given, "A keeps", "B keeps", "C keeps", *chosen, *fought, *(["C chooses siena"] if not chosen else []))
    assert then.events[-1] == TurnStarted(2, "keep-or-discard")
    assert play(then.state, "C keeps").events[-1] == TurnStarted(0, "keep-or-discard")
