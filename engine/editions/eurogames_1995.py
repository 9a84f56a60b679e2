"""Condottiere, Eurogames 1995: the first edition, for two to six seats.

Owned cities may be attacked. Until the owner of the contested city has laid a card, the owner may pass and still lay
cards later. A Bishop ends the battle. Only groups of adjacent cities win the game.
"""

from dataclasses import replace

from ..cards import BISHOP, SCARECROW, SURRENDER, WINTER, hand_of_counts
from ..edition import Edition, Goal, Option, Special, defaults
from ..italy import ITALY
from ..phases.aftermath import (
    ask_to_choose_region,
    deal_new_round,
    discard_last_hand,
    discard_rows,
    end_game_at_battle_limit,
    end_game_on_victory,
    end_round_on_stall,
)
from ..phases.battle import begin_battle
from ..phases.hands import ask_to_keep_or_discard
from ..phases.opening import deal_first_hands, draw_lot_for_marker
from ..rules.contest import any_region, owner_may_wait_until_first_card
from ..rules.marker import HOLDER, OWNER, WINNER
from ..rules.specials import (
    any_target_refusal,
    may_take_any_mercenary,
    may_take_own_mercenary,
    own_target_refusal,
    plain_special,
    take_back_mercenary,
)
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, WINTER_STEP
from ..rules.victory import regions_held
from .house import BATTLE_LIMIT

SCARECROWS = {
    "own": Special("row", may_take_own_mercenary, own_target_refusal, take_back_mercenary, None),
    "any": Special("row", may_take_any_mercenary, any_target_refusal, take_back_mercenary, None),
}


def set_scarecrow_targets(edition: Edition, targets: str) -> Edition:
    """Return the edition with the scarecrow that takes from the seat's own row ("own") or from any row ("any")."""
    return replace(edition, specials={**edition.specials, SCARECROW: SCARECROWS[targets]})


SCARECROW_TARGETS = Option(
    key="scarecrow_targets",
    label="Scarecrow Targets",
    summary="Whose mercenary a scarecrow may take: your own (German rulebook) or any seat's (English translation).",
    values=("own", "any"),
    default="own",
    house=False,
    apply=set_scarecrow_targets,
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
    # Contents of the box
    fewest_seats=2,
    most_seats=6,
    board=ITALY,
    deck=hand_of_counts(
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
    open_discard=False,
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
            "The battle ends at once, and nobody wins it. An owned region stays with its owner, who takes the "
            "battle marker."
        ),
        "scarecrow": (
            "May take one mercenary from your own row back into your hand or, with the option scarecrow_targets set to "
            "any, from any row."
        ),
        "surrender": (
            "The battle ends at once, and the strongest row wins it. Even if the owner of the region has not laid a "
            "card yet, the owner can no longer lay one."
        ),
    },
    # Showing cards
    shows_cards=False,
    # Dealing
    hand_size=10,
    cards_a_region=2,
    drawing=None,
    cards_kept=0,
    opening=(draw_lot_for_marker, deal_first_hands, ask_to_choose_region, begin_battle),
    # The battle
    contestable=any_region,
    may_decline=False,
    pass_is_final=owner_may_wait_until_first_card,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: plain_special("row", ends="bishop"),
        SCARECROW: SCARECROWS["own"],
        SURRENDER: plain_special("row", ends="surrender"),
        WINTER: plain_special("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, HEROINES_STEP),
    # After the battle
    marker=(WINNER, OWNER, HOLDER),
    aftermath=(
        end_game_on_victory,
        end_game_at_battle_limit,
        discard_rows,
        end_round_on_stall,
        ask_to_keep_or_discard,
        discard_last_hand,
        deal_new_round,
        ask_to_choose_region,
        begin_battle,
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
