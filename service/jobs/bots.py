"""The job that lets a bot act: the very use case by which a person does."""

from __future__ import annotations

from functools import cache

from ..config import Config
from ..games import Games
from ..moves import play_bot_turn
from ..store import Store
from .queue import Hints


def play(game_id: str) -> None:
    """Let the bot act that this game waits for, if it waits for one."""
    play_bot_turn(_games(), game_id)


@cache
def _games() -> Games:
    """Return the use cases of this process, made when the first job comes."""
    config = Config.from_env()
    return Games(Store(config), Hints(config))
