"""Condottiere, Z-Man Games 2018, the classic version: for three to six seats.

The box's eight classic cards take the place of Springs, Spies and the new Bishops: a Bishop ends the battle.
"""

from ..cards import BISHOP, SCARECROW, SURRENDER, WINTER, counted
from ..edition import Edition, Goal, Special, defaults
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
from ..rules.contest import empty_regions, every_pass_is_final
from ..rules.marker import A_LOT_AMONG_THE_TIED, THE_WINNER
from ..rules.specials import laid, must_take_back_an_own_mercenary, own_target_refused, scarecrow_takes_back
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, WINTER_STEP
from ..rules.victory import regions_held
from .house import BATTLE_LIMIT, TWO_ON_THE_BOARD

OPTIONS = (
    TWO_ON_THE_BOARD,
    BATTLE_LIMIT,
)

EDITION = Edition(
    key="zman-2018-classic",
    revision=1,
    title="Condottiere, classic version",
    year=2018,
    listed_year=2018,
    publisher="Z-Man Games",
    sources=("Condottiere, rulebook, Z-Man Games 2018 (ZM008), Classic Version",),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(),
    advice=(),
    # What is in the box
    fewest_seats=3,
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
        "drummer": "Drummer",
        "winter": "Winter",
        "bishop": "Bishop",
        "scarecrow": "Scarecrow",
        "surrender": "Turncoat",
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
        "drummer": "Every mercenary in its row is worth double. More Drummers in the same row add nothing.",
        "winter": "Every mercenary in every row is worth 1 until the battle ends.",
        "bishop": (
            "The battle ends at once and nobody wins it. A seat drawn by lot from all seats takes the battle marker."
        ),
        "scarecrow": (
            "Takes one mercenary from your row back into your hand. If your row has a mercenary, you must take one."
        ),
        "surrender": "The battle ends at once, and the strongest row wins it.",
    },
    # Dealing
    hand_size=10,
    cards_a_region=1,
    drawing=None,
    cards_kept=0,
    opening=(a_lot_gives_the_marker, the_first_hands_are_dealt, the_next_region_is_chosen, the_battle_begins),
    # The battle
    contestable=empty_regions,
    may_decline=False,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: laid("row", ends="bishop"),
        SCARECROW: Special("row", must_take_back_an_own_mercenary, own_target_refused, scarecrow_takes_back, None),
        SURRENDER: laid("row", ends="surrender"),
        WINTER: laid("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, HEROINES_STEP),
    # After the battle
    marker=(THE_WINNER, A_LOT_AMONG_THE_TIED),
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
        3: Goal(adjacent=3, total=5, battles=None),
        4: Goal(adjacent=3, total=5, battles=None),
        5: Goal(adjacent=3, total=5, battles=None),
        6: Goal(adjacent=3, total=5, battles=None),
    },
    standing=regions_held,
    final_battle=None,
    battle_limit=200,
    match_target=0,
    clauses={
        "not-your-turn": "1.5",
        "wrong-phase": "1.6",
        "game-over": "9.5",
        "already-resigned": "10.5",
        "already-passed": "4.6",
        "card-not-in-hand": "4.3",
        "region-owned": "3.2",
        "decline-not-allowed": "3.1",
        "target-required": "6.6",
        "target-not-in-row": "6.8",
        "target-not-mercenary": "6.9",
        "target-not-own": "6.7",
        "target-not-allowed": "6.10",
        "favor-not-allowed": "6.5",
        "turn-up-not-allowed": "4.5",
        "hand-has-mercenaries": "8.5",
        "wrong-seats": "1.1",
    },
)
