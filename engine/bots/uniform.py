"""The bot `random`, which chooses among all legal moves at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bot import Bot

if TYPE_CHECKING:
    from ..commands import Command
    from .bot import Situation


def choose_at_random(situation: Situation) -> Command:
    """Return one of the legal commands, each equally likely."""
    return situation.random.choice(situation.view.legal)


BOT = Bot(
    "random",
    "Makes any legal move, each with the same probability.",
    choose_at_random,
    level=0,
    label="Random",
    uses_history=False,
)
