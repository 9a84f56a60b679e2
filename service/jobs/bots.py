"""The job that lets a bot act: the very use case by which a person does."""

from __future__ import annotations

import logging
from functools import cache

from ..config import Config
from ..games import Games
from ..moves import play_bot_turn
from ..store import Store
from ..store.errors import CorruptLog, StoreUnavailable
from .queue import Hints

_logger = logging.getLogger(__name__)


def play(game_id: str) -> None:
    """Let the bot act that this game waits for, if it waits for one."""
    try:
        play_bot_turn(_games(), game_id)
    except CorruptLog:
        _logger.critical("no bot can act in game %s: its log cannot be read", game_id)
    except StoreUnavailable as error:
        _logger.warning("no bot could act in game %s, the clock will ask again: %s", game_id, error)


@cache
def _games() -> Games:
    """Return the use cases of this process, made when the first job comes."""
    config = Config.from_env()
    return Games(Store(config), Hints(config))
