"""Giving advice: a thinker computes which move the strongest bot would make, given a seat's view and history."""

from __future__ import annotations

from engine import command_to_record
from engine.bots import BOTS, Bot

from ..games.game import StartedGame, random_of_hint
from ..games.repository import Games, load
from .storing import Advice, find, keep


def advise(games: Games, game_id: str) -> None:
    """Compute and store the advice that a seat has asked for.

    Do nothing if the advice is already stored, if another thinker is computing it, or if the seat has already moved.
    Raises: Problem (unknown-game), StoreError, redis.RedisError.
    """
    game = load(games, game_id)
    hint = game.table.hint
    if hint is None or not isinstance(game, StartedGame) or find(games, game_id, hint) is not None:
        return
    with games.hints.claim(game_id, hint.version) as is_first:
        if is_first:
            bot = strongest()
            command = bot.play(game.state, game.events, random_of_hint(game.seed, hint.version))
            keep(games, game_id, Advice(hint.seat, hint.version, bot.key, command_to_record(command)))


def strongest() -> Bot:
    """Return the strongest of the bots that players can choose."""
    return list(BOTS.values())[-1]
