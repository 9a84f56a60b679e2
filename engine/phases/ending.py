"""The end: of a game, of a game between level seats, of a final battle, and of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..events import FinalBattleStarted, GameEnded, MatchEnded, MatchScored
from ..rules.victory import leaders, points_gained, seats_with_most
from .opening import open_game
from .sequence import run

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import BattleEnded, Event
    from ..state import State


def end_game(state: State, chance: Chance, winners: tuple[int, ...], reasons: tuple[str, ...]) -> Iterator[Event]:
    """The game is over; in a match it is scored, and the next one begins unless the match is over too."""
    ended = GameEnded(winners, reasons)
    yield ended
    if state.edition.match_target:
        gained = points_gained(state, ended)
        yield MatchScored(gained, tuple(map(sum, zip(state.points, gained, strict=True))))
        yield from _go_on_with_the_match(state, chance, gained)


def end_level_game(state: State, chance: Chance, reason: str) -> Iterator[Event]:
    """Nobody has reached a goal: whoever is ahead wins, and seats that are level fight a final battle or share."""
    ahead = leaders(state)
    if len(ahead) > 1 and state.edition.final_battle:
        yield from _begin_final_battle(state, chance, ahead, reason)
    else:
        yield from end_game(state, chance, ahead, (reason,))


def end_final_battle(state: State, chance: Chance, battle: BattleEnded) -> Iterator[Event]:
    """The final battle decides the game, or the match where that was level; the edition says who wins by it."""
    assert state.edition.final_battle, "where seats fight a final battle the edition has one"
    return end_fight(state, chance, state.edition.final_battle.winners(battle), "final-battle")


def end_fight(state: State, chance: Chance, winners: tuple[int, ...], reason: str) -> Iterator[Event]:
    """The game is decided, or, where its games have decided the match but for a final battle, the match."""
    if _target_reached(state):
        yield MatchEnded(winners, (reason,))
    else:
        yield from end_game(state, chance, winners, (reason,))


def _go_on_with_the_match(state: State, chance: Chance, gained: Sequence[int]) -> Iterator[Event]:
    ahead = seats_with_most(state.points, state.gone)
    if len(state.still_there()) == 1:
        yield MatchEnded(ahead, ("resignation",))
    elif not any(gained):
        yield MatchEnded(ahead, ("no-points",))
    elif not _target_reached(state):
        yield from open_game(state, chance)
    elif len(ahead) == 1:
        yield MatchEnded(ahead, ("points",))
    else:
        yield from _begin_final_battle(state, chance, ahead, "points")


def _target_reached(state: State) -> bool:
    return 0 < state.edition.match_target <= max(state.points)


def _begin_final_battle(state: State, chance: Chance, fighters: tuple[int, ...], reason: str) -> Iterator[Event]:
    assert state.edition.final_battle, "an edition with a match has a final battle"
    yield FinalBattleStarted(fighters, reason)
    yield from run(state.edition.final_battle.steps, state, chance)
