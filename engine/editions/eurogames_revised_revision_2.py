"""Condottiere, Eurogames / Descartes, revised edition: the second revision of its rules.

The final battle of the English rulebook is available as an option. If only one seat has cards after a battle, that seat
is not asked whether to keep its hand. The options `points` and `capturing_regions` may be combined.
"""

from dataclasses import replace

from ..edition import Advice, Edition, FinalBattle, Option, defaults, exchange_step
from ..phases.aftermath import discard_rows
from ..phases.battle import begin_battle
from ..phases.final_battle import (
    deal_fighters_ten_and_two_per_region,
    discard_all_hands,
    move_marker_to_next_fighter,
    reshuffle_discard,
)
from ..phases.hands import ask_to_keep_or_discard, ask_to_keep_or_discard_unless_only_hand
from ..rules.victory import sole_leader_wins
from . import eurogames_revised
from .eurogames_revised import CAPTURING_REGIONS
from .house import BATTLE_LIMIT
from .printed import BIGGER_KINGDOMS, POINTS


def use_english_final_battle(edition: Edition, rulebook: str) -> Edition:
    """Return the edition with the final battle of the English rulebook.

    Tied seats get new hands and may lay any card. If the tied seats tie again, nobody wins.
    """
    assert rulebook == "english", "an option's default changes nothing"
    return replace(
        edition,
        final_battle=FinalBattle(
            steps=(
                discard_rows,
                discard_all_hands,
                reshuffle_discard,
                move_marker_to_next_fighter,
                deal_fighters_ten_and_two_per_region,
                begin_battle,
            ),
            barred=frozenset(),
            winners=sole_leader_wins,
        ),
    )


FINAL_BATTLE = Option(
    key="final_battle",
    label="Final Battle",
    summary=(
        "How tied seats fight the final battle. With french, as in the French rulebook, they get ten cards in addition "
        "to their hands, may not lay Bishops and Surrenders, and share the victory if they tie again. With english, as "
        "in the English rulebook, they get new hands of ten cards plus two for each region, may lay any card, and "
        "nobody wins if they tie again."
    ),
    values=("french", "english"),
    default="french",
    house=False,
    apply=use_english_final_battle,
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
            eurogames_revised.POINTS_WITH_CAPTURING.options,
            "the English rulebook advises against combining Playing for Points with Capturing Cities",
        ),
    ),
    effects={
        **eurogames_revised.EDITION.effects,
        "bishop": (
            "The battle ends at once, and nobody wins it. The region stays as it was, and the battle marker goes to "
            "the left or, if the region has an owner, to the owner. A Bishop may be laid in a final battle only with "
            "the option final_battle set to english, and then nobody wins the game."
        ),
        "surrender": (
            "The battle ends at once, and the strongest row wins it. A Surrender may be laid in a final battle only "
            "with the option final_battle set to english."
        ),
    },
    aftermath=exchange_step(
        eurogames_revised.EDITION.aftermath,
        ask_to_keep_or_discard,
        ask_to_keep_or_discard_unless_only_hand,
    ),
    clauses={code: clause for code, clause in eurogames_revised.EDITION.clauses.items() if code != "bad-option"},
)
