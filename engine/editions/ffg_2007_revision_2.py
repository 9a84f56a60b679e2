"""Condottiere, Fantasy Flight Games 2007: the second revision of its rules.

If only one seat has cards after a battle, that seat is not asked whether to keep its hand. The option
`draw_after_battle` differs from revision 1 in two ways: if no further battle is possible, the game ends before seats
are asked to draw, and the discard is not reshuffled until the deck has run out. With the option `hidden_cards`, a seat
that passes may turn up its face-down card. The options `points` and `capturing_regions` may be combined.
"""

from dataclasses import replace

from ..edition import Advice, Edition, exchange_step
from ..phases.aftermath import (
    ask_to_choose_region,
    discard_rows,
    end_game_at_battle_limit,
    end_game_on_victory,
    end_game_without_contestable_regions,
    end_round_on_stall,
)
from ..phases.battle import begin_battle
from ..phases.drawing import ask_to_draw_from_deck_first
from ..phases.hands import ask_to_keep_or_discard, ask_to_keep_or_discard_unless_only_hand
from . import ffg_2007


def draw_after_battles(edition: Edition, enabled: bool) -> Edition:
    """Return the edition without rounds: seats keep their hands, and draw cards after every battle except the last."""
    return replace(
        ffg_2007.draw_after_battles(edition, enabled),
        aftermath=(
            end_game_on_victory,
            end_game_at_battle_limit,
            end_round_on_stall,
            end_game_without_contestable_regions,
            ask_to_draw_from_deck_first,
            ask_to_choose_region,
            discard_rows,
            begin_battle,
        ),
    )


def hide_cards(edition: Edition, enabled: bool) -> Edition:
    """Return the edition with face-down cards, which a seat may also turn up when it passes."""
    return replace(ffg_2007.hide_cards(edition, enabled), pass_may_turn_up=True)


DRAW_AFTER_BATTLE = ffg_2007.DRAW_AFTER_BATTLE._replace(apply=draw_after_battles)

HIDDEN_CARDS = ffg_2007.HIDDEN_CARDS._replace(
    summary=(
        "Mercenaries, Drummers, Heroines and Courtesans are laid face down. A seat that lays another card turns one "
        "up, and a seat that passes may turn up its face-down card."
    ),
    apply=hide_cards,
)

REVISED_OPTIONS = {option.key: option for option in (DRAW_AFTER_BATTLE, HIDDEN_CARDS)}

EDITION = replace(
    ffg_2007.EDITION,
    revision=2,
    options=tuple(REVISED_OPTIONS.get(option.key, option) for option in ffg_2007.OPTIONS),
    conflicts=(),
    advice=(Advice(*ffg_2007.POINTS_WITH_CAPTURING),),
    aftermath=exchange_step(
        ffg_2007.EDITION.aftermath,
        ask_to_keep_or_discard,
        ask_to_keep_or_discard_unless_only_hand,
    ),
    clauses={code: clause for code, clause in ffg_2007.EDITION.clauses.items() if code != "bad-option"},
)
