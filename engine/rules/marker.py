"""The battle marker: which seat takes it after a battle.

Each edition has an ordered list of claims, which are the rules that decide who takes the marker. The first claim that
selects a seat determines who takes the marker. If this claim selects several seats, one of them is chosen by lot. A
claim may select a seat that has resigned, but a resigned seat never takes the marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cards import COURTESAN
from ..edition import Claim
from .order import next_remaining_seat

if TYPE_CHECKING:
    from ..events import BattleEnded
    from ..state import State


def marker_claimants(state: State, battle: BattleEnded) -> tuple[Sequence[int], str]:
    """Return the seats that may take the marker, and the reason. If several seats may take it, one is chosen by lot."""
    for claim in state.edition.marker:
        seats = claim.seats(state, battle)
        if seats:
            return _remaining_claimants(state, seats, claim.reason) if state.gone else (seats, claim.reason)
    raise AssertionError("an edition's last claim to the battle marker selects at least one seat")


def _remaining_claimants(state: State, claimants: Sequence[int], reason: str) -> tuple[Sequence[int], str]:
    """Return the claimants that have not resigned.

    If there are several claimants and all of them have resigned, return all remaining seats. If there is only one
    claimant and that seat has resigned, return the next remaining seat to its left.
    """
    remaining = [seat for seat in claimants if not state.gone >> seat & 1]
    if remaining:
        return remaining, reason
    if len(claimants) > 1:
        return state.remaining_seats(), reason
    return (next_remaining_seat(state, claimants[0]),), "left"


def _most_courtesans(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return the seat with the most courtesans in its row, or no seat if several are tied or nobody has laid one."""
    counts = [row[COURTESAN] for row in state.rows]
    most = max(counts)
    return () if most == 0 or counts.count(most) > 1 else (counts.index(most),)


def _winner(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return the winner of the battle, if there is one."""
    return () if battle.winner is None else (battle.winner,)


def _tied_seats(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return all seats with the highest strength, or all seats if a bishop ended the battle."""
    return battle.leaders


def _owner(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return the contested region's owner, if there is one."""
    if battle.region is None:
        return ()
    return [seat for seat, held in enumerate(state.held) if held >> battle.region & 1]


def _holder(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return the seat that held the marker before the battle."""
    return (state.marker,)


def _left_neighbour(state: State, battle: BattleEnded) -> Sequence[int]:
    """Return the seat to the left of the seat that held the marker before the battle."""
    return ((state.marker + 1) % state.seats,)


MOST_COURTESANS = Claim("courtesans", _most_courtesans)
WINNER = Claim("victory", _winner)
LOT_AMONG_TIED = Claim("lot", _tied_seats)
OWNER = Claim("owner", _owner)
HOLDER = Claim("holder", _holder)
LEFT_NEIGHBOUR = Claim("left", _left_neighbour)
