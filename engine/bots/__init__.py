"""The bots. A bot is a function from the view of a seat to a command.

A bot gets only what a person in its seat would see, and a source of random numbers. The same view and the same numbers
give the same command. To add a bot, add a module here that defines `BOT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from .absent import least_committing
from .bot import Bot


def _load_bots() -> Iterator[Bot]:
    """Yield the `BOT` of each module in this package that defines one."""
    for module in iter_modules(__path__):
        bot: Bot | None = getattr(import_module(f"{__name__}.{module.name}"), "BOT", None)
        if bot is not None:
            yield bot


BOTS: Mapping[str, Bot] = {bot.key: bot for bot in sorted(_load_bots(), key=lambda bot: (bot.level, bot.key))}
"""The bots that players can choose, by key, weakest first."""


def label_of(key: str) -> str:
    """Return the label of a bot; the key itself if the bot has no label, or if there is no such bot any more.

    >>> label_of("steady"), label_of("retired")
    ('Steady', 'retired')
    """
    bot = BOTS.get(key)
    return key if bot is None else bot.label or key


__all__ = ["BOTS", "Bot", "label_of", "least_committing"]
