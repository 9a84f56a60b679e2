"""Condottiere, Eurogames / Descartes, revised edition: for two to six seats.

Owned cities cannot be attacked. The holder of the battle marker may decline to choose a city. Three or four adjacent
cities win, depending on the number of seats. A final battle breaks ties.
"""

from dataclasses import replace

from ..cards import BISHOP, SCARECROW, SURRENDER, WINTER, hand_of_counts
from ..edition import Conflict, Edition, FinalBattle, Goal, Option, Special, defaults
from ..italy import ITALY
from ..phases.aftermath import (
    ask_to_choose_region,
    deal_new_round,
    discard_last_hand,
    discard_rows,
    end_game_at_battle_limit,
    end_game_on_victory,
    end_game_without_empty_regions,
    end_round_on_stall,
)
from ..phases.battle import begin_battle
from ..phases.final_battle import (
    deal_fighters_ten,
    discard_hands_of_bystanders,
    move_marker_to_next_fighter,
    reshuffle_discard,
)
from ..phases.hands import ask_to_keep_or_discard
from ..phases.opening import deal_first_hands, draw_lot_for_marker
from ..rules.contest import (
    empty_regions,
    every_pass_is_final,
    owner_may_wait_until_first_card,
    regions_not_owned_by_holder,
)
from ..rules.marker import LEFT_NEIGHBOUR, OWNER, WINNER
from ..rules.specials import may_take_own_mercenary, own_target_refusal, plain_special, take_back_mercenary
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, WINTER_STEP
from ..rules.victory import leaders_share_victory, regions_held
from .house import BATTLE_LIMIT
from .printed import BIGGER_KINGDOMS, POINTS


def capture_cities(edition: Edition, enabled: bool) -> Edition:
    """Return the edition, changed so that other seats' regions may be attacked.

    Until the owner of the contested region has laid a card, the owner may pass and still lay cards later. After a tie,
    the owner keeps the region and takes the battle marker.
    """
    assert enabled, "an option's default changes nothing"
    return replace(
        edition,
        contestable=regions_not_owned_by_holder,
        pass_is_final=owner_may_wait_until_first_card,
        marker=(WINNER, OWNER, LEFT_NEIGHBOUR),
    )


CAPTURING_REGIONS = Option(
    key="capturing_regions",
    label="Capturing Cities",
    summary=(
        "Cities of other seats may be attacked. Until the owner has laid a card, the owner may pass and still lay "
        "cards later. After a tie, the owner keeps the city."
    ),
    values=(False, True),
    default=False,
    house=False,
    apply=capture_cities,
)

POINTS_WITH_CAPTURING = Conflict(
    ("points", "capturing_regions"),
    "Playing for Points cannot be combined with Capturing Cities",
)

OPTIONS = (
    CAPTURING_REGIONS,
    BIGGER_KINGDOMS,
    POINTS,
    BATTLE_LIMIT,
)

EDITION = Edition(
    key="eurogames-revised",
    revision=1,
    title="Condottiere",
    year=None,
    # An estimate: later than the first edition (1995), and earlier than the edition by Fantasy Flight Games (2007).
    listed_year=2000,
    publisher="Eurogames / Descartes",
    sources=(
        "French rulebook of the later edition, Eurogames / Descartes",
        "English rulebook of the same edition, translated by G. Garnier, edited by R. Magin and C. Ni Dhochartaigh",
    ),
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
            "The battle ends at once, and nobody wins it. The region stays as it was, and the battle marker goes to "
            "the left or, if the region has an owner, to the owner. A Bishop may not be laid in a final battle."
        ),
        "scarecrow": "May take one mercenary from your row back into your hand.",
        "surrender": (
            "The battle ends at once, and the strongest row wins it. A Surrender may not be laid in a final battle."
        ),
    },
    # Showing cards
    shows_cards=True,
    # Dealing
    hand_size=10,
    cards_a_region=2,
    drawing=None,
    cards_kept=0,
    opening=(draw_lot_for_marker, deal_first_hands, ask_to_choose_region, begin_battle),
    # The battle
    contestable=empty_regions,
    may_decline=True,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: plain_special("row", ends="bishop"),
        SCARECROW: Special("row", may_take_own_mercenary, own_target_refusal, take_back_mercenary, None),
        SURRENDER: plain_special("row", ends="surrender"),
        WINTER: plain_special("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, HEROINES_STEP),
    # After the battle
    marker=(WINNER, LEFT_NEIGHBOUR),
    aftermath=(
        end_game_on_victory,
        end_game_without_empty_regions,
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
        2: Goal(adjacent=4, total=None, battles=None),
        3: Goal(adjacent=4, total=None, battles=None),
        4: Goal(adjacent=3, total=None, battles=None),
        5: Goal(adjacent=3, total=None, battles=None),
        6: Goal(adjacent=3, total=None, battles=None),
    },
    standing=regions_held,
    final_battle=FinalBattle(
        steps=(
            discard_rows,
            discard_hands_of_bystanders,
            reshuffle_discard,
            move_marker_to_next_fighter,
            deal_fighters_ten,
            begin_battle,
        ),
        barred=frozenset({BISHOP, SURRENDER}),
        winners=leaders_share_victory,
    ),
    battle_limit=200,
    match_target=0,
    clauses={
        "not-your-turn": "1.5",
        "wrong-phase": "1.6",
        "game-over": "9.13",
        "already-resigned": "10.4",
        "already-passed": "4.6",
        "card-not-in-hand": "4.3",
        "card-barred": "9.9",
        "region-owned": "3.2",
        "target-not-in-row": "6.6",
        "target-not-mercenary": "6.7",
        "target-not-own": "6.5",
        "target-not-allowed": "6.8",
        "favor-not-allowed": "6.12",
        "turn-up-not-allowed": "4.3",
        "hand-has-mercenaries": "8.5",
        "wrong-seats": "1.1",
        "bad-option": "13.14",
    },
)
