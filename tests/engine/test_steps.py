"""The order of what opens a game, follows a battle and leads to a final battle, as each edition prints it."""

import pytest

from engine import NEWEST, edition

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, PRINTED, REVISED, ZMAN, proves

OPENING = ["a_lot_gives_the_marker", "the_first_hands_are_dealt", "the_next_region_is_chosen", "the_battle_begins"]

REGION_AFTER_THE_DEAL = [
    "victory_ends_the_game",
    "the_battle_limit_ends_the_game",
    "rows_are_discarded",
    "a_stall_ends_the_round",
    "each_seat_keeps_or_discards_while_others_have_cards",
    "the_last_hand_is_discarded",
    "a_new_round_is_dealt",
    "the_next_region_is_chosen",
    "the_battle_begins",
]

AFTERMATHS = {
    ZMAN: REGION_AFTER_THE_DEAL,
    CLASSIC: REGION_AFTER_THE_DEAL,
    EUROGAMES: REGION_AFTER_THE_DEAL,
    REVISED: [REGION_AFTER_THE_DEAL[0], "the_last_neutral_region_ends_the_game", *REGION_AFTER_THE_DEAL[1:]],
    DUEL: [
        "victory_ends_the_game",
        "the_battle_limit_ends_the_game_drawn_if_level",
        "rows_are_discarded",
        "a_stall_ends_the_game_drawn_if_level",
        "each_seat_draws_up",
        "empty_hands_end_the_game",
        "the_battle_begins",
    ],
    FFG: [
        "victory_ends_the_game",
        "the_battle_limit_ends_the_game",
        "a_stall_ends_the_round",
        "the_next_region_is_chosen",
        "rows_are_discarded",
        "each_seat_keeps_or_discards_while_others_have_cards",
        "the_last_hand_keeps_some_cards",
        "a_new_round_is_dealt",
        "the_battle_begins",
    ],
}


def names(steps: tuple[object, ...]) -> list[str]:
    """Return the names of these steps."""
    return [step.__name__ for step in steps]  # type: ignore[attr-defined]


@proves("8.1", *PRINTED)
@pytest.mark.parametrize("key", AFTERMATHS)
def test_what_follows_a_battle_follows_in_the_printed_order(key: str) -> None:
    """The house steps stand where they cannot change a printed outcome: after the victory.

    (zman-2018, End of Battle; 2-Player Game; ffg-2007, Concluding a Battle; eurogames-1995, End of the battle;
    eurogames-revised, Fin de la bataille, Fin de la partie).
    """
    assert names(NEWEST[key].aftermath) == AFTERMATHS[key]


@pytest.mark.parametrize("key", PRINTED)
def test_a_game_opens_in_the_printed_order(key: str) -> None:
    """In a duel both draw up and fight at once (zman-2018, Setup; 2-Player Game)."""
    drawn = ["a_lot_gives_the_marker", "each_seat_draws_up", "the_battle_begins"]
    assert names(NEWEST[key].opening) == (drawn if key == DUEL else OPENING)


def test_the_final_battle_of_the_english_rulebook_is_led_to_in_its_order() -> None:
    """Hands go, and the marker goes to the left as in the French one (eurogames-revised, English, End of the Game)."""
    final = edition(REVISED, options={"final_battle": "english"}).final_battle
    assert final
    assert names(final.steps) == [
        "rows_are_discarded",
        "everybody_discards",
        "the_discard_is_reshuffled",
        "the_marker_goes_left_to_a_fighter",
        "fighters_are_dealt_ten_and_two_a_region",
        "the_battle_begins",
    ]


@proves("13.2 13.3", FFG)
def test_drawing_after_battles_leaves_the_rounds_out() -> None:
    """Strength, draw, region, lines: no hand is discarded (ffg-2007, Draw After Battle)."""
    assert names(edition(FFG, options={"draw_after_battle": True}).aftermath) == [
        "victory_ends_the_game",
        "the_battle_limit_ends_the_game",
        "a_stall_ends_the_round",
        "no_region_left_ends_the_game",
        "each_seat_may_draw_the_deck_first",
        "the_next_region_is_chosen",
        "rows_are_discarded",
        "the_battle_begins",
    ]


@proves("9.5", FFG)
@proves("9.8", REVISED)
@pytest.mark.parametrize("key", PRINTED)
def test_a_final_battle_is_led_to_in_the_printed_order(key: str) -> None:
    """Hands go first in the one, and stay in the other (ffg-2007, Breaking Ties; eurogames-revised, Fin ... partie)."""
    final = NEWEST[key].final_battle
    assert (final and names(final.steps)) == {
        **dict.fromkeys((ZMAN, CLASSIC, DUEL, EUROGAMES)),
        FFG: [
            "rows_are_discarded",
            "everybody_discards",
            "the_discard_is_reshuffled",
            "fighters_are_dealt_ten_and_one_a_region",
            "the_battle_begins",
        ],
        REVISED: [
            "rows_are_discarded",
            "bystanders_discard",
            "the_discard_is_reshuffled",
            "the_marker_goes_left_to_a_fighter",
            "fighters_are_dealt_ten",
            "the_battle_begins",
        ],
    }[key]
