"""Condottiere, Eurogames 1995: the second revision of its rules.

The only seat with cards is not asked whether it keeps them.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.hands import each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards
from . import eurogames_1995

EDITION = replace(
    eurogames_1995.EDITION,
    revision=2,
    aftermath=exchange_step(
        eurogames_1995.EDITION.aftermath,
        each_seat_keeps_or_discards,
        each_seat_keeps_or_discards_while_others_have_cards,
    ),
)
