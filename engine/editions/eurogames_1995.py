"""Condottiere, Eurogames 1995: the first edition, for two to six seats.

Owned cities may be attacked and their owner may wait, a Bishop ends the battle, and only neighbouring cities win.
"""

from dataclasses import replace

from ..cards import BISHOP, SCARECROW, SURRENDER, WINTER, counted
from ..edition import Edition, Goal, Option, Special, defaults
from ..italy import ITALY
from ..phases.aftermath import (
    a_new_round_is_dealt,
    a_stall_ends_the_round,
    rows_are_discarded,
    the_battle_limit_ends_the_game,
    the_last_hand_is_discarded,
    the_next_region_is_chosen,
    victory_ends_the_game,
)
from ..phases.battle import the_battle_begins
from ..phases.hands import each_seat_keeps_or_discards
from ..phases.opening import a_lot_gives_the_marker, the_first_hands_are_dealt
from ..rules.contest import any_region, the_owner_may_pass_until_its_first_card
from ..rules.marker import THE_HOLDER, THE_OWNER, THE_WINNER
from ..rules.specials import (
    any_target_refused,
    laid,
    may_take_back_an_own_mercenary,
    may_take_back_any_mercenary,
    own_target_refused,
    scarecrow_takes_back,
)
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, WINTER_STEP
from ..rules.victory import regions_held
from .house import BATTLE_LIMIT

SCARECROWS = {
    "own": Special("row", may_take_back_an_own_mercenary, own_target_refused, scarecrow_takes_back, None),
    "any": Special("row", may_take_back_any_mercenary, any_target_refused, scarecrow_takes_back, None),
}


def target_scarecrows(edition: Edition, targets: str) -> Edition:
    """Let scarecrows take from the own row only, or from any row."""
    return replace(edition, specials={**edition.specials, SCARECROW: SCARECROWS[targets]})


SCARECROW_TARGETS = Option(
    key="scarecrow_targets",
    label="Scarecrow Targets",
    summary="Whose mercenary a scarecrow may take: your own (German rulebook) or any seat's (English translation).",
    values=("own", "any"),
    default="own",
    house=False,
    apply=target_scarecrows,
)

OPTIONS = (SCARECROW_TARGETS, BATTLE_LIMIT)

EDITION = Edition(
    key="eurogames-1995",
    revision=1,
    title="Condottiere",
    year=1995,
    listed_year=1995,
    publisher="Eurogames / Jeux Descartes",
    sources=(
        "English translation by C. Soubeyrand, 31 December 1994, The Game Cabinet",
        "German rulebook, Eurogames / Jeux Descartes, translated by Uwe Walentin",
    ),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(),
    advice=(),
    # What is in the box
    fewest_seats=2,
    most_seats=6,
    board=ITALY,
    deck=counted(
        {
            "mercenary-1": 15,
            "mercenary-2": 8,
            "mercenary-3": 8,
            "mercenary-4": 8,
            "mercenary-5": 8,
            "mercenary-6": 8,
            "mercenary-10": 8,
            "heroine": 3,
            "drummer": 6,
            "winter": 3,
            "bishop": 3,
            "scarecrow": 15,
            "surrender": 3,
        }
    ),
    deck_each=False,
    labels={
        "mercenary-1": "Mercenary 1",
        "mercenary-2": "Mercenary 2",
        "mercenary-3": "Mercenary 3",
        "mercenary-4": "Mercenary 4",
        "mercenary-5": "Mercenary 5",
        "mercenary-6": "Mercenary 6",
        "mercenary-10": "Mercenary 10",
        "heroine": "Heroine",
        "drummer": "Drum",
        "winter": "Winter",
        "bishop": "Bishop",
        "scarecrow": "Scarecrow",
        "surrender": "Surrender",
    },
    effects={
        "mercenary-1": "Adds 1 to the strength of its row.",
        "mercenary-2": "Adds 2 to the strength of its row.",
        "mercenary-3": "Adds 3 to the strength of its row.",
        "mercenary-4": "Adds 4 to the strength of its row.",
        "mercenary-5": "Adds 5 to the strength of its row.",
        "mercenary-6": "Adds 6 to the strength of its row.",
        "mercenary-10": "Adds 10 to the strength of its row.",
        "heroine": "Adds 10 to the strength of its row. It is not a mercenary, and no other card changes its value.",
        "drummer": "Every mercenary in its row is worth double. More Drums in the same row add nothing.",
        "winter": "Every mercenary in every row is worth 1 until the battle ends.",
        "bishop": (
            "The battle ends at once and nobody wins it. An owned region stays with its owner, who takes the "
            "battle marker."
        ),
        "scarecrow": (
            "May take one mercenary from your own row back into your hand or, with the option scarecrow_targets set to "
            "any, from any row."
        ),
        "surrender": (
            "The battle ends at once, and the strongest row wins it. An owner of the region who has not laid a card "
            "yet can no longer do so."
        ),
    },
    # Dealing
    hand_size=10,
    cards_a_region=2,
    drawing=None,
    cards_kept=0,
    opening=(a_lot_gives_the_marker, the_first_hands_are_dealt, the_next_region_is_chosen, the_battle_begins),
    # The battle
    contestable=any_region,
    may_decline=False,
    pass_is_final=the_owner_may_pass_until_its_first_card,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: laid("row", ends="bishop"),
        SCARECROW: SCARECROWS["own"],
        SURRENDER: laid("row", ends="surrender"),
        WINTER: laid("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, HEROINES_STEP),
    # After the battle
    marker=(THE_WINNER, THE_OWNER, THE_HOLDER),
    aftermath=(
        victory_ends_the_game,
        the_battle_limit_ends_the_game,
        rows_are_discarded,
        a_stall_ends_the_round,
        each_seat_keeps_or_discards,
        the_last_hand_is_discarded,
        a_new_round_is_dealt,
        the_next_region_is_chosen,
        the_battle_begins,
    ),
    goals={
        2: Goal(adjacent=6, total=None, battles=None),
        3: Goal(adjacent=5, total=None, battles=None),
        4: Goal(adjacent=4, total=None, battles=None),
        5: Goal(adjacent=4, total=None, battles=None),
        6: Goal(adjacent=4, total=None, battles=None),
    },
    standing=regions_held,
    final_battle=None,
    battle_limit=200,
    match_target=0,
    clauses={
        "not-your-turn": "1.5",
        "wrong-phase": "1.6",
        "game-over": "9.5",
        "already-resigned": "10.4",
        "already-passed": "4.6",
        "card-not-in-hand": "4.3",
        "decline-not-allowed": "3.1",
        "target-not-in-row": "6.7",
        "target-not-mercenary": "6.8",
        "target-not-own": "6.5",
        "target-not-allowed": "6.9",
        "favor-not-allowed": "6.13",
        "turn-up-not-allowed": "4.3",
        "hand-has-mercenaries": "8.5",
        "wrong-seats": "1.1",
    },
)
