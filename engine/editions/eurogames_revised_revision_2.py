"""Condottiere, Eurogames / Descartes, revised edition: the second revision of its rules.

The final battle of the English rulebook is an option, the only seat with cards is not asked whether it keeps them, and
points may be played for where regions are captured.
"""

from dataclasses import replace

from ..edition import Advice, Edition, FinalBattle, Option, defaults, exchange_step
from ..phases.aftermath import rows_are_discarded
from ..phases.battle import the_battle_begins
from ..phases.final_battle import (
    everybody_discards,
    fighters_are_dealt_ten_and_two_a_region,
    the_discard_is_reshuffled,
    the_marker_goes_left_to_a_fighter,
)
from ..phases.hands import each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards
from ..rules.victory import nobody_wins_a_tie
from . import eurogames_revised
from .eurogames_revised import CAPTURING_REGIONS
from .house import BATTLE_LIMIT
from .printed import BIGGER_KINGDOMS, POINTS


def fight_by_another_rulebook(edition: Edition, rulebook: str) -> Edition:
    """Let level seats fight with new hands, any card, and nobody as the winner of a tie, as in the English rulebook."""
    assert rulebook == "english", "an option's default changes nothing"
    return replace(
        edition,
        final_battle=FinalBattle(
            steps=(
                rows_are_discarded,
                everybody_discards,
                the_discard_is_reshuffled,
                the_marker_goes_left_to_a_fighter,
                fighters_are_dealt_ten_and_two_a_region,
                the_battle_begins,
            ),
            barred=frozenset(),
            winners=nobody_wins_a_tie,
        ),
    )


FINAL_BATTLE = Option(
    key="final_battle",
    label="Final Battle",
    summary=(
        "How level seats fight the final battle. french: with ten cards in addition to their hands, without Bishops "
        "and Surrenders, and a tie is shared (French rulebook). english: with new hands of ten cards and two more for "
        "each region, with any card, and nobody wins a tie (English rulebook)."
    ),
    values=("french", "english"),
    default="french",
    house=False,
    apply=fight_by_another_rulebook,
)

OPTIONS = (
    CAPTURING_REGIONS,
    BIGGER_KINGDOMS,
    POINTS,
    FINAL_BATTLE,
    BATTLE_LIMIT,
)

EDITION = replace(
    eurogames_revised.EDITION,
    revision=2,
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(),
    advice=(
        Advice(
            eurogames_revised.NOT_TOGETHER.options,
            "the English rulebook advises against combining Playing for Points with Capturing Cities",
        ),
    ),
    effects={
        **eurogames_revised.EDITION.effects,
        "bishop": (
            "The battle ends at once and nobody wins it. The region stays as it was, and the battle marker goes to "
            "the left, or to the owner of the region if it has one. It may be laid in a final battle only with the "
            "option final_battle set to english, and then nobody wins the game."
        ),
        "surrender": (
            "The battle ends at once, and the strongest row wins it. It may be laid in a final battle only with the "
            "option final_battle set to english."
        ),
    },
    aftermath=exchange_step(
        eurogames_revised.EDITION.aftermath,
        each_seat_keeps_or_discards,
        each_seat_keeps_or_discards_while_others_have_cards,
    ),
    clauses={code: clause for code, clause in eurogames_revised.EDITION.clauses.items() if code != "bad-option"},
)
