"""The bot `random`: any legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bot import Bot

if TYPE_CHECKING:
    from random import Random

    from ..commands import Command
    from ..views import View


def choose_anything(view: View, random: Random) -> Command:
    """Return one of the legal commands, each as likely as the next."""
    return random.choice(view.legal)


BOT = Bot("random", "Makes any legal move, each with the same probability.", choose_anything, level=0)
