"""The stand-in for a seat whose player does not answer. No player chooses it, so this file states no `BOT`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..commands import ChooseRegion, DeclineRegion, DrawCards, KeepCards, KeepHand, Pass

if TYPE_CHECKING:
    from ..commands import Command

_ORDER = (DeclineRegion, Pass, KeepHand, KeepCards, DrawCards, ChooseRegion)
"""Types of command, the least committing first: in every phase one of them is legal."""


def least_committing(legal: Sequence[Command]) -> Command:
    """Return the legal command that commits a seat least.

    It declines, passes and leaves a card face down, keeps its hand, keeps as many cards as it may, draws none; where a
    region must be chosen, it is the first of the board.

    >>> least_committing([Pass(2), ChooseRegion(2, 5)]), least_committing([DrawCards(1, 0), DrawCards(1, 1)])
    (Pass(seat=2, turn_up=None), DrawCards(seat=1, number=0))
    """
    for kind in _ORDER:
        found = [command for command in legal if isinstance(command, kind)]
        if found:
            return max(found, key=lambda command: sum(command.keep) if isinstance(command, KeepCards) else 0)
    raise AssertionError("in every phase one of these commands is legal")
