"""The job that lets a bot or a seat's standing orders act: the very use case by which a person does."""

from __future__ import annotations

import logging
from functools import cache

from ..config import Config
from ..games import Games
from ..moves import play_bot_turn
from ..orders import follow
from ..store import Store
from ..store.errors import CorruptLog, StoreUnavailable
from .queue import Hints

_logger = logging.getLogger(__name__)


def play(game_id: str) -> None:
    """Let the bot act that this game waits for, or the standing orders of the seat, if it waits for either."""
    games = _games()
    try:
        if not play_bot_turn(games, game_id):
            follow(games, game_id)
    except CorruptLog:
        _logger.critical("nobody can act in game %s: its log cannot be read", game_id)
    except StoreUnavailable as error:
        _logger.warning("nobody could act in game %s, the clock will ask again: %s", game_id, error)


@cache
def _games() -> Games:
    """Return the use cases of this process, made when the first job comes."""
    config = Config.from_env()
    return Games(Store(config), Hints(config))
