"""Who takes the battle marker after a battle: claims, heard in the order that the edition states.

A claim names seats. The first that names anybody decides; several named seats draw a lot. A seat that has resigned may
be named, but never takes the marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cards import COURTESAN
from ..edition import Claim
from .order import next_still_there

if TYPE_CHECKING:
    from ..events import BattleEnded
    from ..state import State


def heirs(state: State, battle: BattleEnded) -> tuple[Sequence[int], str]:
    """Return the seats one of which takes the marker, by lot if they are several, and the reason."""
    for claim in state.edition.marker:
        seats = claim.seats(state, battle)
        if seats:
            return _those_still_there(state, seats, claim.reason) if state.gone else (seats, claim.reason)
    raise AssertionError("an edition's last claim to the battle marker names somebody")


def _those_still_there(state: State, named: Sequence[int], reason: str) -> tuple[Sequence[int], str]:
    """Of several seats those still there draw, or where none is, everybody; for a single one its left stands in."""
    there = [seat for seat in named if not state.gone >> seat & 1]
    if there:
        return there, reason
    if len(named) > 1:
        return state.still_there(), reason
    return (next_still_there(state, named[0]),), "left"


def _most_courtesans(state: State, battle: BattleEnded) -> Sequence[int]:
    """The one seat with the most courtesans in its row."""
    counts = [row[COURTESAN] for row in state.rows]
    most = max(counts)
    return () if most == 0 or counts.count(most) > 1 else (counts.index(most),)


def _the_winner(state: State, battle: BattleEnded) -> Sequence[int]:
    """The winner of the battle."""
    return () if battle.winner is None else (battle.winner,)


def _the_tied(state: State, battle: BattleEnded) -> Sequence[int]:
    """All seats that share the highest strength, or all seats where a Bishop has ended the battle uncounted."""
    return battle.leaders


def _the_owner(state: State, battle: BattleEnded) -> Sequence[int]:
    """The owner of the region, who has defended it."""
    if battle.region is None:
        return ()
    return [seat for seat, held in enumerate(state.held) if held >> battle.region & 1]


def _the_holder(state: State, battle: BattleEnded) -> Sequence[int]:
    """Whoever held the marker before the battle."""
    return (state.marker,)


def _the_left_neighbour(state: State, battle: BattleEnded) -> Sequence[int]:
    """The seat to the left of whoever held the marker before the battle."""
    return ((state.marker + 1) % state.seats,)


MOST_COURTESANS = Claim("courtesans", _most_courtesans)
THE_WINNER = Claim("victory", _the_winner)
A_LOT_AMONG_THE_TIED = Claim("lot", _the_tied)
THE_OWNER = Claim("owner", _the_owner)
THE_HOLDER = Claim("holder", _the_holder)
THE_LEFT_NEIGHBOUR = Claim("left", _the_left_neighbour)
