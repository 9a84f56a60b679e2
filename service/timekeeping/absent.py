"""Absent: what is done for a seat whose player does not answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine import ChooseRegion, Command, DeclineRegion, DrawCards, KeepCards, KeepHand, Pass

_ORDER = (DeclineRegion, Pass, KeepHand, KeepCards, DrawCards, ChooseRegion)
"""Kinds of command, the least committing first: there is one of them among the legal ones in every phase."""


def least_committing(legal: Sequence[Command]) -> Command:
    """Return the legal command that commits a seat least.

    It declines, passes, keeps its hand, keeps as many cards as it may, draws none; where a region must be chosen, it is
    the first of the board.

    >>> least_committing([Pass(2), ChooseRegion(2, 5)]), least_committing([DrawCards(1, 0), DrawCards(1, 1)])
    (Pass(seat=2), DrawCards(seat=1, number=0))
    """
    for kind in _ORDER:
        found = [command for command in legal if isinstance(command, kind)]
        if found:
            return max(found, key=lambda command: sum(command.keep) if isinstance(command, KeepCards) else 0)
    raise AssertionError("in every phase there is something that commits to little")
