"""The order of the steps of opening, aftermath and final battle, as printed in each edition's rulebook."""

import pytest

from engine import NEWEST, edition

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, PRINTED, REVISED, ZMAN, proves

OPENING = ["draw_lot_for_marker", "deal_first_hands", "ask_to_choose_region", "begin_battle"]

REGION_AFTER_THE_DEAL = [
    "end_game_on_victory",
    "end_game_at_battle_limit",
    "discard_rows",
    "end_round_on_stall",
    "ask_to_keep_or_discard_unless_only_hand",
    "discard_last_hand",
    "deal_new_round",
    "ask_to_choose_region",
    "begin_battle",
]

AFTERMATHS = {
    ZMAN: REGION_AFTER_THE_DEAL,
    CLASSIC: REGION_AFTER_THE_DEAL,
    EUROGAMES: REGION_AFTER_THE_DEAL,
    REVISED: [REGION_AFTER_THE_DEAL[0], "end_game_without_empty_regions", *REGION_AFTER_THE_DEAL[1:]],
    DUEL: [
        "end_game_on_victory",
        "end_or_draw_game_at_battle_limit",
        "discard_rows",
        "end_or_draw_game_on_stall",
        "draw_full_hands",
        "end_game_on_empty_hands",
        "begin_battle",
    ],
    FFG: [
        "end_game_on_victory",
        "end_game_at_battle_limit",
        "end_round_on_stall",
        "ask_to_choose_region",
        "discard_rows",
        "ask_to_keep_or_discard_unless_only_hand",
        "ask_to_keep_cards",
        "deal_new_round",
        "begin_battle",
    ],
}


def names(steps: tuple[object, ...]) -> list[str]:
    """Return the names of these steps."""
    return [step.__name__ for step in steps]  # type: ignore[attr-defined]


@proves("8.1", *PRINTED)
@pytest.mark.parametrize("key", AFTERMATHS)
def test_what_follows_a_battle_follows_in_the_printed_order(key: str) -> None:
    """The steps of house rules come after the check for victory, so that they cannot change a printed outcome.

    (zman-2018, End of Battle; 2-Player Game; ffg-2007, Concluding a Battle; eurogames-1995, End of the battle;
    eurogames-revised, Fin de la bataille, Fin de la partie).
    """
    assert names(NEWEST[key].aftermath) == AFTERMATHS[key]


@pytest.mark.parametrize("key", PRINTED)
def test_a_game_opens_in_the_printed_order(key: str) -> None:
    """In a duel both seats draw, and the battle begins immediately (zman-2018, Setup; 2-Player Game)."""
    drawn = ["draw_lot_for_marker", "draw_full_hands", "begin_battle"]
    assert names(NEWEST[key].opening) == (drawn if key == DUEL else OPENING)


def test_the_final_battle_of_the_english_rulebook_is_led_to_in_its_order() -> None:
    """Hands are discarded, and the marker passes to the left as in the French rulebook.

    (eurogames-revised, English, End of the Game).
    """
    final = edition(REVISED, options={"final_battle": "english"}).final_battle
    assert final
    assert names(final.steps) == [
        "discard_rows",
        "discard_all_hands",
        "reshuffle_discard",
        "move_marker_to_next_fighter",
        "deal_fighters_ten_and_two_per_region",
        "begin_battle",
    ]


@proves("13.2 13.3", FFG)
def test_drawing_after_battles_leaves_the_rounds_out() -> None:
    """The order is strength, draw, region, lines: no hand is discarded (ffg-2007, Draw After Battle)."""
    assert names(edition(FFG, options={"draw_after_battle": True}).aftermath) == [
        "end_game_on_victory",
        "end_game_at_battle_limit",
        "end_round_on_stall",
        "end_game_without_contestable_regions",
        "ask_to_draw_from_deck_first",
        "ask_to_choose_region",
        "discard_rows",
        "begin_battle",
    ]


@proves("9.5", FFG)
@proves("9.8", REVISED)
@pytest.mark.parametrize("key", PRINTED)
def test_a_final_battle_is_led_to_in_the_printed_order(key: str) -> None:
    """Hands are discarded first in one edition, and kept in the other.

    (ffg-2007, Breaking Ties; eurogames-revised, Fin ... partie).
    """
    final = NEWEST[key].final_battle
    assert (final and names(final.steps)) == {
        **dict.fromkeys((ZMAN, CLASSIC, DUEL, EUROGAMES)),
        FFG: [
            "discard_rows",
            "discard_all_hands",
            "reshuffle_discard",
            "deal_fighters_ten_and_one_per_region",
            "begin_battle",
        ],
        REVISED: [
            "discard_rows",
            "discard_hands_of_bystanders",
            "reshuffle_discard",
            "move_marker_to_next_fighter",
            "deal_fighters_ten",
            "begin_battle",
        ],
    }[key]
