"""Vacations: functions that begin and end players' vacations, and move the deadlines of the games that are waiting for
these players.
"""

from __future__ import annotations

import logging

from ..clocks.hours import Hours
from ..clocks.vacation import VACATION
from ..games.isolation import isolated
from ..games.repository import ATTEMPTS, Games, load
from ..idempotency import Attempt
from .availability import begin_vacation, end_vacation, hours_of
from .changes import append_change

_logger = logging.getLogger(__name__)


def go_on_vacation(games: Games, player: str, until: int | None, attempt: Attempt | None = None) -> Hours:
    """Begin a player's vacation, and move the deadlines of the games that are waiting for this player.

    If this function is interrupted, the timekeeper moves the remaining deadlines before they pass. Raises: Problem
    (no-vacation).
    """
    hours = begin_vacation(games, player, games.now(), until, attempt)
    move_deadlines(games, player)
    return hours


def come_back(games: Games, player: str, attempt: Attempt | None = None) -> Hours:
    """End a player's vacation, and move the deadlines of the games waiting for this player."""
    hours = end_vacation(games, player, games.now(), attempt)
    move_deadlines(games, player)
    return hours


def move_deadlines(games: Games, player: str) -> None:
    """Move the deadline of every game that is waiting for the player, to match the player's vacation.

    Raises: StoreUnavailable.
    """
    for turn in games.store.turns.of_player(player):
        with isolated(_logger, turn["game"], "cannot move the deadline of game %s for a vacation"):
            _move_deadline(games, turn["game"], player)


def _move_deadline(games: Games, game_id: str, player: str) -> None:
    for _ in range(ATTEMPTS):
        game = load(games, game_id)
        clock = game.table.clock
        if clock is None or game.player_to_act() != player:
            return
        event = clock.move_event(VACATION, vacation=hours_of(games, player).vacation)
        if event is None or append_change(games, game, player, [event]):
            return
