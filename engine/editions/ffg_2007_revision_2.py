"""Condottiere, Fantasy Flight Games 2007: the second revision of its rules.

The only seat with cards is not asked whether it keeps them. Without rounds, the game ends before anybody draws for a
battle that is not fought, and the deck is used up before the discard is reshuffled. A seat that passes may turn up the
card that it has face down. Points may be played for where regions are captured.
"""

from dataclasses import replace

from ..edition import Advice, Edition, exchange_step
from ..phases.aftermath import (
    a_stall_ends_the_round,
    no_region_left_ends_the_game,
    rows_are_discarded,
    the_battle_limit_ends_the_game,
    the_next_region_is_chosen,
    victory_ends_the_game,
)
from ..phases.battle import the_battle_begins
from ..phases.drawing import each_seat_may_draw_the_deck_first
from ..phases.hands import each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards
from . import ffg_2007


def draw_after_battles(edition: Edition, drawn: bool) -> Edition:
    """Play without rounds: seats draw after each battle, unless it was the last, instead of discarding hands."""
    return replace(
        ffg_2007.draw_after_battles(edition, drawn),
        aftermath=(
            victory_ends_the_game,
            the_battle_limit_ends_the_game,
            a_stall_ends_the_round,
            no_region_left_ends_the_game,
            each_seat_may_draw_the_deck_first,
            the_next_region_is_chosen,
            rows_are_discarded,
            the_battle_begins,
        ),
    )


def hide_cards(edition: Edition, hidden: bool) -> Edition:
    """Let what lies in a row be laid face down, and turned up one card later, or with a pass."""
    return replace(ffg_2007.hide_cards(edition, hidden), pass_may_turn_up=True)


DRAW_AFTER_BATTLE = ffg_2007.DRAW_AFTER_BATTLE._replace(apply=draw_after_battles)

HIDDEN_CARDS = ffg_2007.HIDDEN_CARDS._replace(
    summary=(
        "Mercenaries, Drummers, Heroines and Courtesans are laid face down. Laying the next card turns one up, and "
        "passing may turn one up."
    ),
    apply=hide_cards,
)

AS_REVISED = {option.key: option for option in (DRAW_AFTER_BATTLE, HIDDEN_CARDS)}

EDITION = replace(
    ffg_2007.EDITION,
    revision=2,
    options=tuple(AS_REVISED.get(option.key, option) for option in ffg_2007.OPTIONS),
    conflicts=(),
    advice=(Advice(*ffg_2007.NOT_TOGETHER),),
    aftermath=exchange_step(
        ffg_2007.EDITION.aftermath,
        each_seat_keeps_or_discards,
        each_seat_keeps_or_discards_while_others_have_cards,
    ),
    clauses={code: clause for code, clause in ffg_2007.EDITION.clauses.items() if code != "bad-option"},
)
