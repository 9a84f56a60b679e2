"""Who takes the battle marker after a battle: claims, heard in the order that the edition states.

A claim names seats. The first that names anybody decides; several named seats draw a lot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cards import COURTESAN
from ..edition import Claim

if TYPE_CHECKING:
    from ..events import BattleEnded
    from ..state import State


def _most_courtesans(state: State, battle: BattleEnded) -> Sequence[int]:
    """The one seat with the most courtesans in its row."""
    del battle
    counts = [row[COURTESAN] for row in state.rows]
    most = max(counts)
    return () if most == 0 or counts.count(most) > 1 else (counts.index(most),)


def _the_winner(state: State, battle: BattleEnded) -> Sequence[int]:
    """The winner of the battle."""
    del state
    return () if battle.winner is None else (battle.winner,)


def _the_tied(state: State, battle: BattleEnded) -> Sequence[int]:
    """All seats that share the highest strength."""
    del state
    return battle.leaders


def _the_owner(state: State, battle: BattleEnded) -> Sequence[int]:
    """The owner of the region, who has defended it."""
    if battle.region is None:
        return ()
    return [seat for seat, held in enumerate(state.held) if held >> battle.region & 1]


def _the_holder(state: State, battle: BattleEnded) -> Sequence[int]:
    """Whoever held the marker before the battle."""
    del battle
    return (state.marker,)


def _the_left_neighbour(state: State, battle: BattleEnded) -> Sequence[int]:
    """The seat to the left of whoever held the marker before the battle."""
    del battle
    return ((state.marker + 1) % state.seats,)


MOST_COURTESANS = Claim("courtesans", _most_courtesans)
THE_WINNER = Claim("victory", _the_winner)
A_LOT_AMONG_THE_TIED = Claim("lot", _the_tied)
THE_OWNER = Claim("owner", _the_owner)
THE_HOLDER = Claim("holder", _the_holder)
THE_LEFT_NEIGHBOUR = Claim("left", _the_left_neighbour)
