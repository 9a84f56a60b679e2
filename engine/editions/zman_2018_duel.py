"""Condottiere, Z-Man Games 2018: the two-player game, without the board.

Each seat has a separate deck. The first seat to win three battles wins the game.
"""

from ..cards import BISHOP, SCARECROW, SPRING, SURRENDER, WINTER, hand_of_counts
from ..edition import Edition, Goal, Special, defaults
from ..phases.aftermath import (
    discard_rows,
    end_game_at_battle_limit,
    end_game_on_empty_hands,
    end_game_on_stall,
    end_game_on_victory,
)
from ..phases.battle import begin_battle
from ..phases.drawing import draw_full_hands
from ..phases.opening import draw_lot_for_marker
from ..rules.contest import every_pass_is_final, no_region
from ..rules.marker import LOT_AMONG_TIED, WINNER
from ..rules.specials import (
    must_take_own_mercenary,
    no_plays,
    own_target_refusal,
    plain_card_refusal,
    plain_special,
    remove_highest_mercenaries,
    take_back_mercenary,
)
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, SPRING_STEP, WINTER_STEP
from ..rules.victory import battles_won
from .house import BATTLE_LIMIT

OPTIONS = (BATTLE_LIMIT,)

EDITION = Edition(
    key="zman-2018-duel",
    revision=1,
    title="Condottiere, two-player game",
    year=2018,
    listed_year=2018,
    publisher="Z-Man Games",
    sources=("Condottiere, rulebook, Z-Man Games 2018 (ZM008), 2-Player Game",),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(),
    advice=(),
    # Contents of the box
    fewest_seats=2,
    most_seats=2,
    board=None,
    deck=hand_of_counts(
        {
            "mercenary-1": 2,
            "mercenary-2": 2,
            "mercenary-3": 2,
            "mercenary-4": 2,
            "mercenary-5": 2,
            "mercenary-6": 2,
            "mercenary-10": 2,
            "heroine": 1,
            "drummer": 1,
            "winter": 1,
            "spring": 1,
            "bishop": 1,
            "scarecrow": 3,
            "surrender": 1,
        }
    ),
    deck_each=True,
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
        "drummer": "Drummer",
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
        "drummer": "Every mercenary in its row is worth double.",
        "winter": "Every mercenary in both rows is worth 1 until the battle ends or another season replaces it.",
        "spring": (
            "Every copy of the highest mercenary on the table, in either row, is worth 3 more until the battle ends or "
            "another season replaces it."
        ),
        "bishop": "Every copy of the highest mercenary on the table is removed from both rows.",
        "scarecrow": (
            "Takes one mercenary from your row back into your hand. If your row has a mercenary, you must take one."
        ),
        "surrender": "The battle ends at once, and the stronger row wins it.",
    },
    # Showing cards
    shows_cards=False,
    # Dealing
    hand_size=8,
    cards_a_region=0,
    drawing=None,
    cards_kept=0,
    opening=(draw_lot_for_marker, draw_full_hands, begin_battle),
    # The battle
    contestable=no_region,
    may_decline=False,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: Special("row", no_plays, plain_card_refusal, remove_highest_mercenaries, None),
        SCARECROW: Special("row", must_take_own_mercenary, own_target_refusal, take_back_mercenary, None),
        SURRENDER: plain_special("row", ends="surrender"),
        WINTER: plain_special("season", ends=None),
        SPRING: plain_special("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, SPRING_STEP, HEROINES_STEP),
    # After the battle
    marker=(WINNER, LOT_AMONG_TIED),
    aftermath=(
        end_game_on_victory,
        end_game_at_battle_limit,
        discard_rows,
        end_game_on_stall,
        draw_full_hands,
        end_game_on_empty_hands,
        begin_battle,
    ),
    goals={
        2: Goal(adjacent=None, total=None, battles=3),
    },
    standing=battles_won,
    final_battle=None,
    battle_limit=200,
    match_target=0,
    clauses={
        "not-your-turn": "1.5",
        "wrong-phase": "1.6",
        "game-over": "9.4",
        "already-passed": "4.6",
        "card-not-in-hand": "4.3",
        "target-required": "6.5",
        "target-not-in-row": "6.7",
        "target-not-mercenary": "6.8",
        "target-not-own": "6.6",
        "target-not-allowed": "6.9",
        "favor-not-allowed": "6.3",
        "turn-up-not-allowed": "4.5",
        "wrong-seats": "1.1",
    },
)
