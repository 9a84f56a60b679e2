"""The bots: a seat's view in, a command out.

A bot is given what a person in its seat would see and nothing more, and random numbers; the same view and the same
numbers give the same command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from ..commands import Command
from ..views import View
from .absent import least_committing
from .steady import choose_steadily
from .uniform import choose_anything


class Bot(NamedTuple):
    """A bot: its key, what it plays like, and how it chooses among `view.legal`, which is never empty."""

    key: str
    summary: str
    choose: Callable[[View, Random], Command]


BOTS: Mapping[str, Bot] = {
    bot.key: bot
    for bot in (
        Bot("random", "Any legal move, each as likely as the next.", choose_anything),
        Bot("steady", "Takes the lead with the cheapest card that does, and stops when it leads.", choose_steadily),
    )
}
"""Every bot that a player may choose, by its key, weakest first."""

__all__ = ["BOTS", "Bot", "least_committing"]
