"""Condottiere, Fantasy Flight Games 2007: for two to six seats.

The next region is chosen before hands are discarded. The last seat with cards may keep two cards. The favor marker may
stay off the board. A final battle breaks ties.
"""

from dataclasses import replace

from ..cards import (
    BISHOP,
    COURTESAN,
    DRUMMER,
    HEROINE,
    MERCENARIES,
    SCARECROW,
    SPRING,
    SURRENDER,
    WINTER,
    hand_of_counts,
)
from ..edition import Conflict, Drawing, Edition, FinalBattle, Goal, Option, Special, defaults
from ..italy import ITALY
from ..phases.aftermath import (
    ask_to_choose_region,
    ask_to_keep_cards,
    deal_new_round,
    discard_rows,
    end_game_at_battle_limit,
    end_game_on_victory,
    end_round_on_stall,
)
from ..phases.battle import begin_battle
from ..phases.drawing import ask_to_draw
from ..phases.final_battle import deal_fighters_ten_and_one_per_region, discard_all_hands, reshuffle_discard
from ..phases.hands import ask_to_keep_or_discard
from ..phases.opening import deal_first_hands, draw_lot_for_marker
from ..rules.contest import (
    empty_regions,
    every_pass_is_final,
    owner_may_wait_until_first_card,
    regions_not_owned_by_holder,
)
from ..rules.marker import LEFT_NEIGHBOUR, MOST_COURTESANS, OWNER, WINNER
from ..rules.specials import (
    favor_to_any_region_or_off_board,
    favor_to_empty_region_or_off_board,
    may_take_own_mercenary,
    optional_favor_refusal,
    own_target_refusal,
    plain_special,
    remove_highest_mercenaries_and_move_favor,
    take_back_mercenary,
)
from ..rules.strength import COURTESANS_STEP, DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, SPRING_STEP, WINTER_STEP
from ..rules.victory import leaders_share_victory, regions_held
from .house import BATTLE_LIMIT
from .printed import BIGGER_KINGDOMS, POINTS

BISHOP_TO_EMPTY_REGIONS = Special(
    "discard",
    favor_to_empty_region_or_off_board,
    optional_favor_refusal,
    remove_highest_mercenaries_and_move_favor,
    None,
)
BISHOP_TO_ANY_REGION = BISHOP_TO_EMPTY_REGIONS._replace(offers=favor_to_any_region_or_off_board)


def draw_after_battles(edition: Edition, enabled: bool) -> Edition:
    """Return the edition without rounds: seats keep their hands, and draw cards after each battle."""
    assert enabled, "an option's default changes nothing"
    return replace(
        edition,
        hand_size=7,
        drawing=Drawing(most=3, limit=10),
        aftermath=(
            end_game_on_victory,
            end_game_at_battle_limit,
            end_round_on_stall,
            ask_to_draw,
            ask_to_choose_region,
            discard_rows,
            begin_battle,
        ),
    )


DRAW_AFTER_BATTLE = Option(
    key="draw_after_battle",
    label="Draw After Battle",
    summary="Hands start with seven cards, and there are no rounds. After each battle, a seat may draw up to 3 cards.",
    values=(False, True),
    default=False,
    house=False,
    apply=draw_after_battles,
)


def capture_regions(edition: Edition, enabled: bool) -> Edition:
    """Return the edition, changed so that other seats' regions may be attacked.

    Until the owner of the contested region has laid a card, the owner may pass and still lay cards later. After a tie,
    the owner keeps the region and takes the battle marker.
    """
    assert enabled, "an option's default changes nothing"
    return replace(
        edition,
        contestable=regions_not_owned_by_holder,
        pass_is_final=owner_may_wait_until_first_card,
        marker=(MOST_COURTESANS, WINNER, OWNER, LEFT_NEIGHBOUR),
        specials={**edition.specials, BISHOP: BISHOP_TO_ANY_REGION},
    )


CAPTURING_REGIONS = Option(
    key="capturing_regions",
    label="Capturing Regions",
    summary=(
        "Regions of other seats may be attacked. Until the owner has laid a card, the owner may pass and still lay "
        "cards later. After a tie, the owner keeps the region."
    ),
    values=(False, True),
    default=False,
    house=False,
    apply=capture_regions,
)


def hide_cards(edition: Edition, enabled: bool) -> Edition:
    """Return the edition, changed so that mercenaries, heroines, drummers and courtesans are laid face down.

    When a seat lays its next card, one of its face-down cards is turned up.
    """
    assert enabled, "an option's default changes nothing"
    return replace(edition, face_down=frozenset({*MERCENARIES, HEROINE, DRUMMER, COURTESAN}))


HIDDEN_CARDS = Option(
    key="hidden_cards",
    label="Hidden Cards",
    summary=(
        "Mercenaries, Drummers, Heroines and Courtesans are laid face down. A seat that lays another card turns one up."
    ),
    values=(False, True),
    default=False,
    house=False,
    apply=hide_cards,
)

POINTS_WITH_CAPTURING = Conflict(
    ("points", "capturing_regions"),
    "the rulebook advises against combining Playing for Points with Capturing Regions",
)

OPTIONS = (
    DRAW_AFTER_BATTLE,
    BIGGER_KINGDOMS,
    CAPTURING_REGIONS,
    HIDDEN_CARDS,
    POINTS,
    BATTLE_LIMIT,
)

EDITION = Edition(
    key="ffg-2007",
    revision=1,
    title="Condottiere",
    year=2007,
    listed_year=2007,
    publisher="Fantasy Flight Games",
    sources=("Condottiere, rulebook, Fantasy Flight Games 2007",),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(POINTS_WITH_CAPTURING,),
    advice=(),
    # Contents of the box
    fewest_seats=2,
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
        "courtesan": "Courtesan",
        "winter": "Winter",
        "spring": "Spring",
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
        "drummer": "Every mercenary in its row is worth double. More Drummers in the same row add nothing.",
        "courtesan": (
            "Adds 1 to the strength of its row. It is not a mercenary. If a single seat has the most Courtesans, it "
            "takes the battle marker, whoever wins the battle."
        ),
        "winter": "Every mercenary in every row is worth 1 until the battle ends or a Spring replaces it.",
        "spring": (
            "Every copy of the highest mercenary on the table, in any row, is worth 3 more until the battle ends or a "
            "Winter replaces it."
        ),
        "bishop": (
            "Every copy of the highest mercenary on the table is removed from all rows. Then the favor marker moves to "
            "a region of your choice that has no control marker and is not contested (with the option "
            "“Capturing Regions”: any region that is not contested), or off the board. Until the next Bishop, no "
            "battle may begin in the region with the favor marker. The Bishop is discarded."
        ),
        "scarecrow": "May take one mercenary from your row back into your hand. The Scarecrow is discarded.",
        "surrender": "The battle ends at once, and the strongest row wins it.",
    },
    # Showing cards
    shows_cards=True,
    # Dealing
    hand_size=10,
    cards_a_region=1,
    drawing=None,
    cards_kept=2,
    opening=(draw_lot_for_marker, deal_first_hands, ask_to_choose_region, begin_battle),
    # The battle
    contestable=empty_regions,
    may_decline=False,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: BISHOP_TO_EMPTY_REGIONS,
        SCARECROW: Special("discard", may_take_own_mercenary, own_target_refusal, take_back_mercenary, None),
        SURRENDER: plain_special("row", ends="surrender"),
        WINTER: plain_special("season", ends=None),
        SPRING: plain_special("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, SPRING_STEP, COURTESANS_STEP, HEROINES_STEP),
    # After the battle
    marker=(MOST_COURTESANS, WINNER, LEFT_NEIGHBOUR),
    aftermath=(
        end_game_on_victory,
        end_game_at_battle_limit,
        end_round_on_stall,
        ask_to_choose_region,
        discard_rows,
        ask_to_keep_or_discard,
        ask_to_keep_cards,
        deal_new_round,
        begin_battle,
    ),
    goals={
        2: Goal(adjacent=4, total=6, battles=None),
        3: Goal(adjacent=4, total=6, battles=None),
        4: Goal(adjacent=3, total=5, battles=None),
        5: Goal(adjacent=3, total=5, battles=None),
        6: Goal(adjacent=3, total=5, battles=None),
    },
    standing=regions_held,
    final_battle=FinalBattle(
        steps=(
            discard_rows,
            discard_all_hands,
            reshuffle_discard,
            deal_fighters_ten_and_one_per_region,
            begin_battle,
        ),
        barred=frozenset(),
        winners=leaders_share_victory,
    ),
    battle_limit=200,
    match_target=0,
    clauses={
        "not-your-turn": "1.5",
        "wrong-phase": "1.6",
        "game-over": "9.9",
        "already-resigned": "10.4",
        "already-passed": "4.6",
        "card-not-in-hand": "4.3",
        "region-owned": "3.2",
        "region-favored": "3.3",
        "decline-not-allowed": "3.1",
        "target-not-in-row": "6.10",
        "target-not-mercenary": "6.11",
        "target-not-own": "6.9",
        "target-not-allowed": "6.12",
        "favor-not-allowed": "6.5",
        "favor-region-not-empty": "6.4",
        "turn-up-required": "13.24",
        "turn-up-not-allowed": "13.25",
        "hand-has-mercenaries": "8.6",
        "too-many-kept": "8.7",
        "too-many-drawn": "13.5",
        "wrong-seats": "1.1",
        "bad-option": "13.14",
    },
)
