"""The bots. A bot is a function from a `Situation` to a command.

A situation contains the seat's view and the game's history. A person in the bot's seat would see the same view and
history. The situation also contains a source of random numbers and a budget. For the same situation, a bot always
returns the same command. To add a bot, or a later revision of a bot, add a module here that defines `BOT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from .absent import least_committing
from .bot import Bot, Situation


def _load_bots() -> Iterator[Bot]:
    """Yield the `BOT` of each module in this package that defines one."""
    for module in iter_modules(__path__):
        bot: Bot | None = getattr(import_module(f"{__name__}.{module.name}"), "BOT", None)
        if bot is not None:
            yield bot


REVISIONS: Mapping[tuple[str, int], Bot] = {
    (bot.key, bot.revision): bot for bot in sorted(_load_bots(), key=lambda bot: bot.revision)
}
"""Every revision of every bot that this version has, by key and revision."""

RETIRED: frozenset[tuple[str, int]] = frozenset()
"""The keys and revisions of bots that earlier versions had but this version does not have."""

_NEWEST = {key: bot for (key, _), bot in REVISIONS.items()}
BOTS: Mapping[str, Bot] = {bot.key: bot for bot in sorted(_NEWEST.values(), key=lambda bot: (bot.level, bot.key))}
"""The newest revision of each bot that players can choose, by key, weakest first."""


def bot_of(key: str, revision: int | None) -> Bot | None:
    """Return a revision of a bot, or None if there is no such bot or the revision is retired.

    In logs from before bots had revisions, `revision` is None, which means revision 1.

    >>> bot_of("steady", None) == bot_of("steady", 1) == BOTS["steady"], bot_of("steady", 99)
    (True, None)
    """
    return REVISIONS.get((key, 1 if revision is None else revision))


def label_of(key: str) -> str:
    """Return the label of a bot, or its key if the bot has no label or no longer exists.

    >>> label_of("steady"), label_of("retired")
    ('Steady', 'retired')
    """
    bot = BOTS.get(key)
    return key if bot is None else bot.label or key


__all__ = ["BOTS", "RETIRED", "REVISIONS", "Bot", "Situation", "bot_of", "label_of", "least_committing"]
