"""The bot `random`, which chooses among all legal moves at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bot import Bot

if TYPE_CHECKING:
    from random import Random

    from ..commands import Command
    from ..views import View


def choose_at_random(view: View, random: Random) -> Command:
    """Return one of the legal commands, each equally likely."""
    return random.choice(view.legal)


BOT = Bot("random", "Makes any legal move, each with the same probability.", choose_at_random, level=0, label="Random")
