"""Condottiere, Z-Man Games 2018, the two-player game: the second revision of its rules.

If the seats are tied when the game stalls or reaches the battle limit, the game is a draw. The first revision already
had this rule for a tie when the cards run out.
"""

from dataclasses import replace

from ..edition import exchange_step
from ..phases.aftermath import (
    end_game_at_battle_limit,
    end_game_on_stall,
    end_or_draw_game_at_battle_limit,
    end_or_draw_game_on_stall,
)
from . import zman_2018_duel

EDITION = replace(
    zman_2018_duel.EDITION,
    revision=2,
    aftermath=exchange_step(
        exchange_step(
            zman_2018_duel.EDITION.aftermath,
            end_game_at_battle_limit,
            end_or_draw_game_at_battle_limit,
        ),
        end_game_on_stall,
        end_or_draw_game_on_stall,
    ),
)
