"""The bots: a seat's view in, a command out.

A bot is given what a person in its seat would see and nothing more, and random numbers; the same view and the same
numbers give the same command. A file that states a `BOT` is all that a bot needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from .absent import least_committing
from .bot import Bot


def _stated() -> Iterator[Bot]:
    """Yield the bot that each file of this folder states, where it states one."""
    for module in iter_modules(__path__):
        bot: Bot | None = getattr(import_module(f"{__name__}.{module.name}"), "BOT", None)
        if bot is not None:
            yield bot


BOTS: Mapping[str, Bot] = {bot.key: bot for bot in sorted(_stated(), key=lambda bot: (bot.level, bot.key))}
"""Every bot that a player may choose, by its key, weakest first."""

__all__ = ["BOTS", "Bot", "least_committing"]
