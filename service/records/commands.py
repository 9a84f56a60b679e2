"""Commands: finds the command or the resignation that a commit records.

The first game event of the commit repeats all of the command.
"""

from __future__ import annotations

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
)
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
    SeatPassed,
)


def command_of(event: Event) -> Command | None:
    """Return the command whose first event this is, or None if no command begins with it.

    >>> command_of(SeatPassed(2, final=True, forced=False))
    Pass(seat=2, turn_up=None)
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
