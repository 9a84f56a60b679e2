"""Condottiere, Z-Man Games 2018: the new version of the rules, for three to six seats.

A new season replaces the season in force. The seat with the most Spies takes the battle marker. A Bishop moves the
favor marker. A Scarecrow must take back a mercenary. At the end of a round, the hand of the last seat with cards is
discarded.
"""

from ..cards import BISHOP, SCARECROW, SPRING, SURRENDER, WINTER, hand_of_counts
from ..edition import Edition, Goal, Special, defaults
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
from ..rules.contest import empty_regions, every_pass_is_final
from ..rules.marker import LOT_AMONG_TIED, MOST_COURTESANS, WINNER
from ..rules.specials import (
    favor_refusal,
    favor_to_empty_region,
    must_take_own_mercenary,
    own_target_refusal,
    plain_special,
    remove_highest_mercenaries_and_move_favor,
    take_back_mercenary,
)
from ..rules.strength import (
    COURTESANS_STEP,
    DRUMMER_STEP,
    HEROINES_STEP,
    MERCENARIES_STEP,
    SPRING_STEP,
    WINTER_STEP,
)
from ..rules.victory import regions_held
from .house import BATTLE_LIMIT, TWO_ON_THE_BOARD

OPTIONS = (TWO_ON_THE_BOARD, BATTLE_LIMIT)

EDITION = Edition(
    key="zman-2018",
    revision=1,
    title="Condottiere",
    year=2018,
    listed_year=2018,
    publisher="Z-Man Games",
    sources=("Condottiere, rulebook, Z-Man Games 2018 (ZM008)",),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(),
    advice=(),
    # Contents of the box
    fewest_seats=3,
    most_seats=6,
    board=ITALY,
    deck=hand_of_counts(
        {
            "mercenary-1": 10,
            "mercenary-2": 8,
            "mercenary-3": 8,
            "mercenary-4": 8,
            "mercenary-5": 8,
            "mercenary-6": 8,
            "mercenary-10": 8,
            "heroine": 3,
            "drummer": 6,
            "courtesan": 12,
            "winter": 3,
            "spring": 3,
            "bishop": 6,
            "scarecrow": 16,
            "surrender": 3,
        }
    ),
    deck_each=False,
    open_discard=True,
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
        "courtesan": "Spy",
        "winter": "Winter",
        "spring": "Spring",
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
        "courtesan": (
            "Adds 1 to the strength of its row. It is not a mercenary. If a single seat has the most Spies, it takes "
            "the battle marker, whoever wins the battle."
        ),
        "winter": "Every mercenary in every row is worth 1 until the battle ends or another season replaces it.",
        "spring": (
            "Every copy of the highest mercenary on the table, in any row, is worth 3 more until the battle ends or "
            "another season replaces it."
        ),
        "bishop": (
            "Every copy of the highest mercenary on the table is removed from all rows. Then the favor marker moves to "
            "an empty region of your choice. Until the next Bishop, no battle may begin in that region."
        ),
        "scarecrow": (
            "Takes one mercenary from your row back into your hand. If your row has a mercenary, you must take one."
        ),
        "surrender": "The battle ends at once, and the strongest row wins it.",
    },
    # Showing cards
    shows_cards=False,
    # Dealing
    hand_size=10,
    cards_a_region=1,
    drawing=None,
    cards_kept=0,
    opening=(draw_lot_for_marker, deal_first_hands, ask_to_choose_region, begin_battle),
    # The battle
    contestable=empty_regions,
    may_decline=False,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: Special(
            "row",
            favor_to_empty_region,
            favor_refusal,
            remove_highest_mercenaries_and_move_favor,
            None,
        ),
        SCARECROW: Special("row", must_take_own_mercenary, own_target_refusal, take_back_mercenary, None),
        SURRENDER: plain_special("row", ends="surrender"),
        WINTER: plain_special("season", ends=None),
        SPRING: plain_special("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, SPRING_STEP, COURTESANS_STEP, HEROINES_STEP),
    # After the battle
    marker=(MOST_COURTESANS, WINNER, LOT_AMONG_TIED),
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
    goals={seats: Goal(adjacent=3, total=5, battles=None) for seats in (3, 4, 5, 6)},
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
        "region-favored": "3.3",
        "decline-not-allowed": "3.1",
        "target-required": "6.8",
        "target-not-in-row": "6.10",
        "target-not-mercenary": "6.11",
        "target-not-own": "6.9",
        "target-not-allowed": "6.12",
        "favor-required": "6.3",
        "favor-not-allowed": "6.5",
        "favor-region-not-empty": "6.4",
        "turn-up-not-allowed": "4.5",
        "hand-has-mercenaries": "8.5",
        "wrong-seats": "1.1",
    },
)
