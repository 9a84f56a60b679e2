"""Who wins: the goal is a number of adjacent regions or, in some editions, a total number of regions."""

from engine import legal_commands
from engine.events import GameEnded
from engine.state import NOBODY

from .cases import BOTH_EUROGAMES, CLASSIC, EUROGAMES, FFG, ON_THE_BOARD, REVISED, ZMAN, in_cases, in_editions, proves
from .table import PlayResult, every, only, play, regions, table, types

ADJACENT = ("adjacent-regions",)
TOTAL = ("total-regions",)

OUT_OF_THE_EXAMPLE = (
    "torino", "milano", "venezia", "mantova", "ferrara", "siena", "urbino", "spoleto", "ancona", "roma", "napoli"
)  # fmt: skip
"""The regions that the revised edition's example of a kingdom does not name."""


def wins_a_battle(edition: str, seats: int, held: str, contested: str) -> PlayResult:
    """Return the result if seat A, with these regions, wins one more."""
    given = table(
        edition, seats, rows=["10"], hands=["1", *["1"] * (seats - 1)], held=[held], contested=contested, passed="BCDEF"
    )
    return play(given, "A passes")


def ends(then: PlayResult) -> list[tuple[str, ...]]:
    """Return the reasons of seat A's victory as the only entry, or no entry if the game continues."""
    assert all(event.winners == (0,) for event in every(GameEnded, then.events))
    return [event.reasons for event in every(GameEnded, then.events)]


@proves("1.4 9.1 9.2 9.3", ZMAN, CLASSIC, FFG)
@proves("12.1", ZMAN, CLASSIC)
@in_cases(
    "seats held contested reasons",
    ("T94", (ZMAN, CLASSIC), 3, "roma siena", "firenze", ADJACENT),
    ("T94-four", (ZMAN, CLASSIC), 4, "roma siena", "firenze", ADJACENT),
    ("T94-six", (ZMAN, CLASSIC), 6, "torino genova", "milano", ADJACENT),
    ("a-chain", (ZMAN, CLASSIC), 3, "torino milano", "venezia", ADJACENT),
    ("five-scattered", (ZMAN, CLASSIC), 3, "torino venezia lucca napoli", "urbino", TOTAL),
    ("both-at-once", (ZMAN, CLASSIC), 6, "roma siena venezia torino", "firenze", ADJACENT + TOTAL),
    ("two-and-one", (ZMAN, CLASSIC), 3, "roma siena", "torino", None),
    ("four-scattered", (ZMAN, CLASSIC), 5, "torino venezia lucca", "napoli", None),
    ("not-adjacent", (ZMAN, CLASSIC), 3, "genova", "bologna", None),
    ("T64-five-scattered", FFG, 3, "torino venezia lucca napoli", "urbino", None),
    ("T64-six-scattered", FFG, 3, "torino venezia lucca napoli urbino", "siena", TOTAL),
    ("T64-four-adjacent", FFG, 3, "roma siena firenze", "lucca", ADJACENT),
    ("three-adjacent-of-three", FFG, 3, "roma siena", "firenze", None),
    ("two-seats", FFG, 2, "roma siena firenze", "lucca", ADJACENT),
    ("two-seats-six", FFG, 2, "torino venezia lucca napoli urbino", "siena", TOTAL),
    ("four-seats", FFG, 4, "roma siena", "firenze", ADJACENT),
    ("five-seats-five", FFG, 5, "torino venezia lucca napoli", "urbino", TOTAL),
    ("six-seats-both", FFG, 6, "roma siena venezia torino", "firenze", ADJACENT + TOTAL),
    ("six-seats-four", FFG, 6, "torino venezia lucca", "napoli", None),
)
def test_so_many_adjacent_or_so_many_in_all(
    edition: str, seats: int, held: str, contested: str, reasons: tuple[str, ...] | None
) -> None:
    """(zman-2018, Winning the Game; ffg-2007, Winning the Game)."""
    assert ends(wins_a_battle(edition, seats, held, contested)) == ([reasons] if reasons else [])


@proves("9.1 9.2", *BOTH_EUROGAMES)
@proves("12.2 12.3 12.4", EUROGAMES)
@in_cases(
    "seats held contested won",
    ("T40", EUROGAMES, 4, "lucca firenze bologna", "torino", False),
    ("T41", EUROGAMES, 4, "lucca firenze bologna", "modena", True),
    ("T41-five", EUROGAMES, 5, "lucca firenze bologna", "modena", True),
    ("T41-six", EUROGAMES, 6, "lucca firenze bologna", "modena", True),
    ("three-need-five", EUROGAMES, 3, "lucca firenze bologna", "modena", False),
    ("five-of-three", EUROGAMES, 3, "lucca firenze bologna parma", "modena", True),
    ("T43-five", EUROGAMES, 2, "lucca firenze bologna parma", "modena", False),
    ("T43-six", EUROGAMES, 2, "lucca firenze bologna parma genova", "modena", True),
    ("the-erratum-parma", EUROGAMES, 4, "torino genova bologna spoleto", "parma", False),
    ("the-erratum-firenze", EUROGAMES, 4, "torino genova bologna spoleto", "firenze", False),
    ("scattered-of-two", EUROGAMES, 2, "torino venezia lucca napoli siena urbino", "parma", False),
    ("scattered-of-three", EUROGAMES, 3, "torino venezia lucca napoli siena urbino", "parma", False),
    ("scattered-never-win", BOTH_EUROGAMES, 4, "torino venezia lucca napoli siena urbino", "parma", False),
    ("T44", REVISED, 4, "genova lucca bologna", "parma", True),
    ("T44-modena", REVISED, 4, "genova lucca bologna", "modena", True),
    ("T46", REVISED, 4, "genova lucca bologna", "firenze", True),
    *(("T47", REVISED, 4, "genova lucca bologna", other, False) for other in OUT_OF_THE_EXAMPLE),
    ("five-need-three", REVISED, 5, "genova parma", "lucca", True),
    ("six-need-three", REVISED, 6, "genova parma", "lucca", True),
    ("three-need-four", REVISED, 3, "genova parma", "lucca", False),
    ("four-of-three", REVISED, 3, "genova parma lucca", "modena", True),
    ("two-need-four", REVISED, 2, "genova parma", "lucca", False),
    ("four-of-two", REVISED, 2, "genova parma lucca", "modena", True),
)
def test_a_kingdom_of_neighbours(edition: str, seats: int, held: str, contested: str, won: bool) -> None:
    """The number depends on the number of seats, and nothing else wins.

    (eurogames-1995, End of a game; eurogames-revised, But du jeu).
    The revised edition's example is complete: of the other regions none joins Genova, Lucca and Bologna.
    """
    assert ends(wins_a_battle(edition, seats, held, contested)) == ([ADJACENT] if won else [])


@proves("1.4", *BOTH_EUROGAMES)
@in_cases("options", ("eleven", EUROGAMES, {}), ("eleven", REVISED, {"bigger_kingdoms": True}))
def test_nobody_runs_out_of_control_markers(edition: str, options: dict[str, object]) -> None:
    """An eleventh region is owned like the others, although each colour has ten markers.

    (eurogames-1995, Spielmaterial).
    """
    held = ["venezia genova mantova ferrara parma bologna lucca siena spoleto ancona"]
    given = table(edition, 2, rows=["10"], hands=["1", "1"], held=held, passed="B", options=options)
    then = play(given, "A passes")
    assert then.state.held[0].bit_count() == 11
    assert every(GameEnded, then.events) == []


@proves("9.1", REVISED)
@in_editions("T49", REVISED)
def test_a_kingdom_wins_against_more_cities(edition: str) -> None:
    """T49: three adjacent cities win against six scattered ones (eurogames-revised, Fin de la partie)."""
    held = ["roma siena", "torino venezia lucca urbino napoli mantova", "", ""]
    given = table(edition, 4, rows=["10"], hands=["1"] * 4, held=held, contested="firenze", passed="BCD")
    assert ends(play(given, "A passes")) == [ADJACENT]


@proves("9.3", *ON_THE_BOARD)
@proves("9.5", ZMAN, CLASSIC, EUROGAMES)
@proves("9.9", FFG)
@proves("9.13", REVISED)
@in_editions("at-once", *ON_THE_BOARD)
def test_a_victory_ends_everything_at_once(edition: str) -> None:
    """No cards are discarded or dealt and no seat is asked afterwards.

    (zman-2018, Winning the Game; eurogames-1995, End of a game).
    """
    held = {ZMAN: "lucca firenze", CLASSIC: "lucca firenze"}.get(edition, "lucca firenze bologna parma")
    then = wins_a_battle(edition, 3, held, "modena")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events).winners == (0,)
    assert then.state.result == GameEnded((0,), ("adjacent-regions",))
    assert (then.state.phase, then.state.turn) == ("over", NOBODY)
    assert legal_commands(then.state) == []
    assert any(then.state.rows[0])


def test_a_city_lost_may_be_the_one_that_mattered() -> None:
    """A kingdom that loses a region before it gets its fourth does not win (eurogames-1995, End of a game)."""
    held = ["lucca firenze bologna", "torino", "", ""]
    given = table(EUROGAMES, 4, rows=["", "10"], hands=["1"] * 4, held=held, contested="firenze", passed="BCD")
    then = play(given, "A passes")
    assert every(GameEnded, then.events) == []
    assert then.state.held[:2] == [regions("lucca bologna"), regions("torino firenze")]


@in_editions("courtesans", ZMAN, FFG)
def test_the_seat_that_wins_need_not_be_the_holder_of_the_marker(edition: str) -> None:
    """Spies decide who takes the marker, not who wins (zman-2018, Spy, Winning the Game)."""
    held = ["", "roma siena spoleto", ""]
    given = table(edition, rows=["S", "10", ""], hands=["1", "1", "1"], held=held, contested="firenze", passed="BC")
    then = play(given, "A passes")
    assert only(GameEnded, then.events).winners == (1,)
    assert then.state.marker == 0
