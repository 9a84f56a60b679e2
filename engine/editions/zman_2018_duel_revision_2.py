"""Condottiere, Z-Man Games 2018, the two-player game: the second revision of its rules.

A level game is a draw at a stall and at the limit of battles too, as it is where the cards run out.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.aftermath import (
    a_stall_ends_the_game,
    a_stall_ends_the_game_drawn_if_level,
    the_battle_limit_ends_the_game,
    the_battle_limit_ends_the_game_drawn_if_level,
)
from . import zman_2018_duel

EDITION = replace(
    zman_2018_duel.EDITION,
    revision=2,
    aftermath=exchange_step(
        exchange_step(
            zman_2018_duel.EDITION.aftermath,
            the_battle_limit_ends_the_game,
            the_battle_limit_ends_the_game_drawn_if_level,
        ),
        a_stall_ends_the_game,
        a_stall_ends_the_game_drawn_if_level,
    ),
)
