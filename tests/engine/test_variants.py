"""Variants: an option, a version or a revision of the rules changes only what it should change."""

from dataclasses import fields

import pytest

from engine import EDITIONS, NEWEST, Edition, WrongSeats, edition, legal_commands, replay, start
from engine.cards import BISHOP, COURTESAN, SPRING
from engine.edition import Goal
from engine.events import GameEnded, TurnStarted

from .cases import CLASSIC, DUEL, FFG, REVISED, ZMAN, in_cases, in_editions, proves
from .table import ANY, Script, every, only, play, table

TWO: dict[str, object] = {"two_on_the_board": True}
BIGGER: dict[str, object] = {"bigger_kingdoms": True}


def differences(one: Edition, other: Edition) -> set[str]:
    """Return the names of the fields in which two editions differ."""
    return {field.name for field in fields(Edition) if getattr(one, field.name) != getattr(other, field.name)}


@proves("1.7 12.2", CLASSIC)
def test_the_classic_version_changes_deck_bishop_and_what_hangs_on_them() -> None:
    """The new version's rules on victory, deal, scarecrow and last hand stay in force (zman-2018, Classic Version)."""
    assert differences(NEWEST[ZMAN], NEWEST[CLASSIC]) - {"title", "sources", "clauses", "effects"} == {
        "key",
        "deck",
        "labels",
        "specials",
        "strength",
        "marker",
    }
    assert set(NEWEST[CLASSIC].specials) == set(NEWEST[ZMAN].specials) - {SPRING}
    for kind, special in NEWEST[CLASSIC].specials.items():
        assert (special == NEWEST[ZMAN].specials[kind]) is (kind != BISHOP)
    assert NEWEST[CLASSIC].marker == NEWEST[ZMAN].marker[1:]
    assert not NEWEST[CLASSIC].deck[COURTESAN]


@pytest.mark.parametrize(
    ("key", "options", "changed"),
    [
        (ZMAN, TWO, {"fewest_seats", "goals"}),
        (CLASSIC, TWO, {"fewest_seats", "goals"}),
        (FFG, BIGGER, {"goals"}),
        (REVISED, BIGGER, {"goals"}),
        (FFG, {"draw_after_battle": True}, {"hand_size", "drawing", "aftermath"}),
        (FFG, {"hidden_cards": True}, {"face_down", "pass_may_turn_up"}),
        (FFG, {"capturing_regions": True}, {"contestable", "pass_is_final", "marker", "specials"}),
        (REVISED, {"capturing_regions": True}, {"contestable", "pass_is_final", "marker"}),
        (REVISED, {"final_battle": "english"}, {"final_battle"}),
        (FFG, {"points": 20}, {"match_target"}),
        (REVISED, {"points": 20}, {"match_target"}),
        (FFG, {"battle_limit": 20}, {"battle_limit"}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_an_option_changes_what_it_names_and_nothing_else(
    key: str, options: dict[str, object], changed: set[str]
) -> None:
    """(ffg-2007, Optional Rules; house options)."""
    assert differences(NEWEST[key], edition(key, options=options)) == {"chosen", *changed}


@pytest.mark.parametrize(
    ("key", "revision", "changed"),
    [
        (DUEL, 2, {"aftermath"}),
        (REVISED, 2, {"aftermath", "options", "chosen", "effects", "conflicts", "advice", "clauses"}),
    ],
)
def test_a_revision_changes_what_it_names_and_nothing_else(key: str, revision: int, changed: set[str]) -> None:
    before, after = EDITIONS[key][revision - 1], EDITIONS[key][revision]
    assert differences(before, after) == {"revision", *changed}


@proves("1.1 10.4", ZMAN, CLASSIC)
@in_editions("two", ZMAN, CLASSIC)
def test_two_may_play_on_the_board_where_they_agree_to(edition: str) -> None:
    """Their goals are those of three seats (house option two_on_the_board)."""
    with pytest.raises(WrongSeats):
        start(edition, 2, Script())
    events = start(edition, 2, Script(lots=["B of AB"], deals=[ANY]), TWO)
    state = replay(events)
    assert [sum(hand) for hand in state.hands] == [10, 10]
    assert events[-1] == TurnStarted(1, "choose-region")
    assert len(legal_commands(state)) == 17
    assert state.edition.goals[2] == state.edition.goals[3] == Goal(adjacent=3, total=5, battles=None)


@proves("9.1 10.4", ZMAN, CLASSIC)
@in_cases(
    "held contested reasons",
    ("three-adjacent", (ZMAN, CLASSIC), "roma siena", "firenze", ("adjacent-regions",)),
    ("five", (ZMAN, CLASSIC), "torino venezia lucca napoli", "urbino", ("total-regions",)),
)
def test_a_game_of_two_on_the_board_is_won_like_one_of_three(
    edition: str, held: str, contested: str, reasons: tuple[str, ...]
) -> None:
    """(house option two_on_the_board; zman-2018, Winning the Game)."""
    given = table(edition, 2, rows=["10"], hands=["1", "1"], held=[held], contested=contested, passed="B", options=TWO)
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0,), reasons)


def test_two_on_the_board_still_takes_six() -> None:
    """The option only adds two seats to the allowed numbers (house option two_on_the_board)."""
    assert list(edition(ZMAN, options=TWO).goals) == [2, 3, 4, 5, 6]
    assert edition(ZMAN, options=TWO).most_seats == 6


@proves("13.15", FFG)
@proves("13.2", REVISED)
@in_cases(
    "seats held contested reasons",
    ("F17-three", FFG, 4, "roma siena", "firenze", None),
    ("F17-four", FFG, 4, "roma siena firenze", "lucca", ("adjacent-regions",)),
    ("F17-five-scattered", FFG, 4, "torino venezia lucca napoli", "urbino", ("total-regions",)),
    ("three-seats-four", FFG, 3, "roma siena firenze", "lucca", None),
    ("three-seats-five", FFG, 3, "roma siena firenze lucca", "modena", ("adjacent-regions",)),
    ("three-seats-six-scattered", FFG, 3, "torino venezia lucca napoli urbino", "siena", ("total-regions",)),
    ("four-seats-three", REVISED, 4, "roma siena", "firenze", None),
    ("four-seats-four", REVISED, 4, "roma siena firenze", "lucca", ("adjacent-regions",)),
    ("two-seats-four", REVISED, 2, "roma siena firenze", "lucca", None),
    ("two-seats-five", REVISED, 2, "roma siena firenze lucca", "modena", ("adjacent-regions",)),
)
def test_bigger_kingdoms_need_one_more_adjacent_region(
    edition: str, seats: int, held: str, contested: str, reasons: tuple[str, ...] | None
) -> None:
    """F17: the total number of regions to win stays the same (ffg-2007, Bigger Kingdoms)."""
    given = table(
        edition, seats, rows=["10"], hands=["1"] * seats, held=[held], contested=contested, passed="BCDEF",
        options=BIGGER,
    )  # fmt: skip
    ended = every(GameEnded, play(given, "A passes").events)
    assert [event.reasons for event in ended] == ([reasons] if reasons else [])
