"""Causes: the first event that follows from a command contains all of the command."""

import pytest

from engine import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    Event,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
    command_of,
    seen_by,
)
from engine.cards import BISHOP, HEROINE, SCARECROW
from engine.events import (
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    CardTurnedUp,
    HandDiscarded,
    HandKept,
    RegionChosen,
    RegionDeclined,
    RowsDiscarded,
    SeatPassed,
    TurnStarted,
)

from .table import cards

HAND = cards("10 6 H")
CAUSES: list[tuple[Event, Command]] = [
    (RegionChosen(2, 15), ChooseRegion(2, 15)),
    (RegionDeclined(1), DeclineRegion(1)),
    (CardPlayed(0, HEROINE, "row", None, None, None), PlayCard(0, HEROINE)),
    (CardPlayed(0, SCARECROW, "row", 6, 2, None), PlayCard(0, SCARECROW, take=6, take_from=2)),
    (CardPlayed(0, BISHOP, "discard", None, None, 7), PlayCard(0, BISHOP, favor=7)),
    (CardLaidFaceDown(3, HEROINE, None), PlayCard(3, HEROINE)),
    (CardLaidFaceDown(3, 0, 6), PlayCard(3, 0, turn_up=6)),
    (SeatPassed(2, final=True, forced=False), Pass(2)),
    (CardTurnedUp(2, HEROINE, newest=False), Pass(2, turn_up=HEROINE)),
    (HandKept(4), KeepHand(4)),
    (HandDiscarded(4, HAND, forced=False), DiscardHand(4)),
    (CardsKept(1, HAND), KeepCards(1, HAND)),
    (CardsDrawn(1, HAND, draw=5, number=4), DrawCards(1, 4)),
]


def name_of(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize(("event", "command"), CAUSES, ids=name_of)
def test_the_first_event_repeats_all_of_the_command(event: Event, command: Command) -> None:
    assert command_of(event) == command


@pytest.mark.parametrize("event", [RowsDiscarded(), TurnStarted(2, "battle")], ids=name_of)
def test_no_command_begins_with_any_other_event(event: Event) -> None:
    assert command_of(event) is None


@pytest.mark.parametrize("event", [CardLaidFaceDown(3, HEROINE, None), CardsKept(3, HAND)], ids=name_of)
def test_a_command_whose_cards_are_hidden_is_unknown(event: Event) -> None:
    """The cards of a seat are hidden from all others."""
    assert command_of(seen_by(event, 3)) is not None
    assert command_of(seen_by(event, 2)) is None


def test_a_hidden_card_does_not_hide_a_command_that_names_none() -> None:
    assert command_of(seen_by(HandDiscarded(4, HAND, forced=False), 0)) == DiscardHand(4)
