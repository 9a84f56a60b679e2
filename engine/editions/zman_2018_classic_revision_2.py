"""Condottiere, Z-Man Games 2018, the classic version: the second revision of its rules.

If only one seat has cards after a battle, that seat is not asked whether to keep its hand.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.hands import ask_to_keep_or_discard, ask_to_keep_or_discard_unless_only_hand
from . import zman_2018_classic

EDITION = replace(
    zman_2018_classic.EDITION,
    revision=2,
    aftermath=exchange_step(
        zman_2018_classic.EDITION.aftermath,
        ask_to_keep_or_discard,
        ask_to_keep_or_discard_unless_only_hand,
    ),
)
