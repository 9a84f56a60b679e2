"""Condottiere, Z-Man Games 2018, the classic version: the second revision of its rules.

The only seat with cards is not asked whether it keeps them.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.hands import each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards
from . import zman_2018_classic

EDITION = replace(
    zman_2018_classic.EDITION,
    revision=2,
    aftermath=exchange_step(
        zman_2018_classic.EDITION.aftermath,
        each_seat_keeps_or_discards,
        each_seat_keeps_or_discards_while_others_have_cards,
    ),
)
