"""Makes moves for a seat whose player is absent.

Players cannot choose this bot, so the module does not define a `BOT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..commands import ChooseRegion, DeclineRegion, DrawCards, KeepCards, KeepHand, Pass

if TYPE_CHECKING:
    from ..commands import Command

_ORDER = (DeclineRegion, Pass, KeepHand, KeepCards, DrawCards, ChooseRegion)
"""The types of command, from least to most committing. In every phase, at least one of these commands is legal."""


def least_committing(legal: Sequence[Command]) -> Command:
    """Return the legal command that commits the seat to the least.

    The commands that commit a seat to the least are: decline, pass without turning up a card, keep the hand, keep as
    many cards as allowed, and draw no cards. A seat that must choose a region chooses the first legal region on the
    board.

    >>> least_committing([Pass(2), ChooseRegion(2, 5)]), least_committing([DrawCards(1, 0), DrawCards(1, 1)])
    (Pass(seat=2, turn_up=None), DrawCards(seat=1, number=0))
    """
    for kind in _ORDER:
        commands = [command for command in legal if isinstance(command, kind)]
        if commands:
            return max(commands, key=lambda command: sum(command.keep) if isinstance(command, KeepCards) else 0)
    raise AssertionError("in every phase one of these commands is legal")
