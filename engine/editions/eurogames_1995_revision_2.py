"""Condottiere, Eurogames 1995: the second revision of its rules.

If only one seat has cards after a battle, that seat is not asked whether to keep its hand.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.hands import ask_to_keep_or_discard, ask_to_keep_or_discard_unless_only_hand
from . import eurogames_1995

EDITION = replace(
    eurogames_1995.EDITION,
    revision=2,
    aftermath=exchange_step(
        eurogames_1995.EDITION.aftermath,
        ask_to_keep_or_discard,
        ask_to_keep_or_discard_unless_only_hand,
    ),
)
