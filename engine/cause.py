"""Cause: determines which command caused a chain of events.

The first event of the chain repeats every field of the command.
"""

from __future__ import annotations

from .commands import ChooseRegion, Command, DeclineRegion, DiscardHand, DrawCards, KeepCards, KeepHand, Pass, PlayCard
from .events import (
    CardLaidFaceDown,
    CardPlayed,
    CardsDrawn,
    CardsKept,
    CardTurnedUp,
    Event,
    HandDiscarded,
    HandKept,
    RegionChosen,
    RegionDeclined,
    SeatPassed,
)


def command_of(event: Event) -> Command | None:
    """Return the command that caused a chain of events, given the first event of the chain.

    Returns None if events of this type never begin a chain, or if `seen_by` has removed the command's cards from the
    event.

    >>> command_of(RegionChosen(seat=2, region=15))
    ChooseRegion(seat=2, region=15)
    """
    match event:
        case RegionChosen(seat, region):
            return ChooseRegion(seat, region)
        case RegionDeclined(seat):
            return DeclineRegion(seat)
        case CardPlayed(seat, card, _, take, take_from, favor):
            return PlayCard(seat, card, take, take_from, favor)
        case CardLaidFaceDown(seat, card, turn_up) if card is not None:
            return PlayCard(seat, card, turn_up=turn_up)
        case SeatPassed(seat, _, _):
            return Pass(seat)
        case CardTurnedUp(seat, card, _):
            return Pass(seat, card)
        case HandKept(seat):
            return KeepHand(seat)
        case HandDiscarded(seat, _, _):
            return DiscardHand(seat)
        case CardsKept(seat, cards) if not isinstance(cards, int):
            return KeepCards(seat, cards)
        case CardsDrawn(seat, _, _, number):
            return DrawCards(seat, number)
    return None
