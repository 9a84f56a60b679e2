"""How games, final battles and matches end."""

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

CONSENT = "consent"
"""The reason that is recorded if a game ends because its players agreed to end it."""


def end_game(state: State, chance: Chance, winners: tuple[int, ...], reasons: tuple[str, ...]) -> Iterator[Event]:
    """End the game. In a match, also score the game, and then start the next game or end the match."""
    game_ended = GameEnded(winners, reasons)
    yield game_ended
    if state.edition.match_target:
        points = points_gained(state, game_ended)
        yield MatchScored(points, _total(state, points))
        yield from _continue_match(state, chance, points)


def end_game_on_standing(state: State, chance: Chance, reason: str) -> Iterator[Event]:
    """End a game in which no seat has reached a goal. The leading seat wins.

    Tied seats fight a final battle, or share the victory if the edition has no final battle.
    """
    first = leaders(state)
    if len(first) > 1 and state.edition.final_battle:
        yield from _begin_final_battle(state, chance, first, reason)
    else:
        yield from end_game(state, chance, first, (reason,))


def end_final_battle(state: State, chance: Chance, battle: BattleEnded) -> Iterator[Event]:
    """End the final battle, and with it the game or the match. The edition defines who wins."""
    assert state.edition.final_battle, "only an edition with a final battle has fighters"
    return end_fight(state, chance, state.edition.final_battle.winners(battle), "final-battle")


def end_fight(state: State, chance: Chance, winners: tuple[int, ...], reason: str) -> Iterator[Event]:
    """End the match if a seat has reached the match's target; otherwise, end only the game."""
    if _target_reached(state):
        yield MatchEnded(winners, (reason,))
    else:
        yield from end_game(state, chance, winners, (reason,))


def end_by_consent(state: State) -> Iterator[Event]:
    """End the game, and the match with it, because the players have agreed to end it.

    Ending by consent is a house rule in all editions. In a match, the current game is scored too.
    """
    if _target_reached(state):
        yield MatchEnded(winners_as_it_stands(state), (CONSENT,))
        return
    game_ended = GameEnded(leaders(state), (CONSENT,))
    yield game_ended
    if state.edition.match_target:
        points = points_gained(state, game_ended)
        yield MatchScored(points, _total(state, points))
        yield MatchEnded(seats_with_most(state.points, state.gone), (CONSENT,))


def winners_as_it_stands(state: State) -> tuple[int, ...]:
    """Return the seats that would win if the players agreed to end the game now. The result is public.

    The winners are the leading seats according to the edition's `standing`. In a match, however, the winners are the
    seats with the most points. The points from the current game count too. Tied seats share the victory.
    """
    if not state.edition.match_target:
        return leaders(state)
    if _target_reached(state):
        return seats_with_most(state.points, state.gone)
    return seats_with_most(_total(state, points_gained(state, GameEnded((), ()))), state.gone)


def _total(state: State, gained: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(sum, zip(state.points, gained, strict=True)))


def _continue_match(state: State, chance: Chance, points: Sequence[int]) -> Iterator[Event]:
    """Start the next game, end the match, or start its final battle.

    `points` lists the points that each seat gained in the last game.
    """
    first = seats_with_most(state.points, state.gone)
    if len(state.remaining_seats()) == 1:
        yield MatchEnded(first, ("resignation",))
    elif not any(points):
        yield MatchEnded(first, ("no-points",))
    elif not _target_reached(state):
        yield from open_game(state, chance)
    elif len(first) == 1:
        yield MatchEnded(first, ("points",))
    else:
        yield from _begin_final_battle(state, chance, first, "points")


def _target_reached(state: State) -> bool:
    return 0 < state.edition.match_target <= max(state.points)


def _begin_final_battle(state: State, chance: Chance, fighters: tuple[int, ...], reason: str) -> Iterator[Event]:
    assert state.edition.final_battle, "an edition with a match has a final battle"
    yield FinalBattleStarted(fighters, reason)
    yield from run(state.edition.final_battle.steps, state, chance)
