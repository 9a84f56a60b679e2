"""Condottiere, Eurogames / Descartes, revised edition: for two to six seats.

Owned cities are safe, the holder of the battle marker may decline, three or four neighbouring cities win, and a final
battle decides between seats that are level.
"""

from dataclasses import replace

from ..cards import BISHOP, SCARECROW, SURRENDER, WINTER, counted
from ..edition import Conflict, Edition, FinalBattle, Goal, Option, Special, defaults
from ..italy import ITALY
from ..phases.aftermath import (
    a_new_round_is_dealt,
    a_stall_ends_the_round,
    rows_are_discarded,
    the_battle_limit_ends_the_game,
    the_last_hand_is_discarded,
    the_last_neutral_region_ends_the_game,
    the_next_region_is_chosen,
    victory_ends_the_game,
)
from ..phases.battle import the_battle_begins
from ..phases.final_battle import (
    bystanders_discard,
    fighters_are_dealt_ten,
    the_discard_is_reshuffled,
    the_marker_goes_left_to_a_fighter,
)
from ..phases.hands import each_seat_keeps_or_discards
from ..phases.opening import a_lot_gives_the_marker, the_first_hands_are_dealt
from ..rules.contest import (
    empty_regions,
    every_pass_is_final,
    regions_of_nobody_or_of_others,
    the_owner_may_pass_until_its_first_card,
)
from ..rules.marker import THE_LEFT_NEIGHBOUR, THE_OWNER, THE_WINNER
from ..rules.specials import laid, may_take_back_an_own_mercenary, own_target_refused, scarecrow_takes_back
from ..rules.strength import DRUMMER_STEP, HEROINES_STEP, MERCENARIES_STEP, WINTER_STEP
from ..rules.victory import regions_held, the_strongest_share_the_victory
from .house import BATTLE_LIMIT
from .printed import BIGGER_KINGDOMS, POINTS


def capture_cities(edition: Edition, allowed: bool) -> Edition:
    """Let regions of other seats be attacked; their owner may wait, and keeps the region and the marker after a tie."""
    assert allowed, "an option's default changes nothing"
    return replace(
        edition,
        contestable=regions_of_nobody_or_of_others,
        pass_is_final=the_owner_may_pass_until_its_first_card,
        marker=(THE_WINNER, THE_OWNER, THE_LEFT_NEIGHBOUR),
    )


CAPTURING_REGIONS = Option(
    key="capturing_regions",
    label="Capturing Cities",
    summary=(
        "Cities of other seats may be attacked. The owner may pass without being out until it has laid a card, and "
        "keeps the city after a tie."
    ),
    values=(False, True),
    default=False,
    house=False,
    apply=capture_cities,
)

NOT_TOGETHER = Conflict(
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
    # Later than the first edition, and earlier than Fantasy Flight's.
    listed_year=2000,
    publisher="Eurogames / Descartes",
    sources=(
        "French rulebook of the later edition, Eurogames / Descartes",
        "English rulebook of the same edition, translated by G. Garnier, edited by R. Magin and C. Ni Dhochartaigh",
    ),
    options=OPTIONS,
    chosen=defaults(OPTIONS),
    conflicts=(NOT_TOGETHER,),
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
            "The battle ends at once and nobody wins it. The region stays as it was, and the battle marker goes to "
            "the left, or to the owner of the region if it has one. It may not be laid in a final battle."
        ),
        "scarecrow": "May take one mercenary from your row back into your hand.",
        "surrender": "The battle ends at once, and the strongest row wins it. It may not be laid in a final battle.",
    },
    # Dealing
    hand_size=10,
    cards_a_region=2,
    drawing=None,
    cards_kept=0,
    opening=(a_lot_gives_the_marker, the_first_hands_are_dealt, the_next_region_is_chosen, the_battle_begins),
    # The battle
    contestable=empty_regions,
    may_decline=True,
    pass_is_final=every_pass_is_final,
    face_down=frozenset(),
    pass_may_turn_up=False,
    specials={
        BISHOP: laid("row", ends="bishop"),
        SCARECROW: Special("row", may_take_back_an_own_mercenary, own_target_refused, scarecrow_takes_back, None),
        SURRENDER: laid("row", ends="surrender"),
        WINTER: laid("season", ends=None),
    },
    strength=(MERCENARIES_STEP, WINTER_STEP, DRUMMER_STEP, HEROINES_STEP),
    # After the battle
    marker=(THE_WINNER, THE_LEFT_NEIGHBOUR),
    aftermath=(
        victory_ends_the_game,
        the_last_neutral_region_ends_the_game,
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
        2: Goal(adjacent=4, total=None, battles=None),
        3: Goal(adjacent=4, total=None, battles=None),
        4: Goal(adjacent=3, total=None, battles=None),
        5: Goal(adjacent=3, total=None, battles=None),
        6: Goal(adjacent=3, total=None, battles=None),
    },
    standing=regions_held,
    final_battle=FinalBattle(
        steps=(
            rows_are_discarded,
            bystanders_discard,
            the_discard_is_reshuffled,
            the_marker_goes_left_to_a_fighter,
            fighters_are_dealt_ten,
            the_battle_begins,
        ),
        barred=frozenset({BISHOP, SURRENDER}),
        winners=the_strongest_share_the_victory,
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
