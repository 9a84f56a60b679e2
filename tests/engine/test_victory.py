"""Who wins: so many adjacent regions, or so many in all."""

import pytest

from engine import legal_commands
from engine.events import GameEnded
from engine.state import NOBODY

from .table import Played, every, only, play, regions, table, types

ZMAN = "zman-2018"
EUROGAMES = "eurogames-1995"


def wins_a_battle(edition: str, seats: int, held: str, contested: str) -> Played:
    """Return what comes of it when seat A, with these regions, wins one more."""
    given = table(
        edition, seats, rows=["10"], hands=["1", *["1"] * (seats - 1)], held=[held], contested=contested, passed="BCDEF"
    )
    return play(given, "A passes")


@pytest.mark.parametrize(
    ("seats", "held", "contested", "reasons"),
    [
        pytest.param(3, "roma siena", "firenze", ("adjacent-regions",), id="T94"),
        pytest.param(4, "roma siena", "firenze", ("adjacent-regions",), id="T94-four"),
        pytest.param(6, "torino genova", "milano", ("adjacent-regions",), id="T94-six"),
        pytest.param(3, "torino venezia lucca napoli", "urbino", ("total-regions",), id="five-scattered"),
        pytest.param(
            6, "roma siena venezia torino", "firenze", ("adjacent-regions", "total-regions"), id="both-at-once"
        ),
        pytest.param(3, "roma siena", "torino", None, id="two-and-one"),
        pytest.param(5, "torino venezia lucca", "napoli", None, id="four-scattered"),
        pytest.param(3, "genova", "bologna", None, id="not-adjacent"),
    ],
)
def test_three_adjacent_or_five_in_all(seats: int, held: str, contested: str, reasons: tuple[str, ...] | None) -> None:
    """(zman-2018, Winning the Game)."""
    then = wins_a_battle(ZMAN, seats, held, contested)
    assert [event.reasons for event in every(GameEnded, then.events)] == ([reasons] if reasons else [])


@pytest.mark.parametrize(
    ("seats", "held", "contested", "won"),
    [
        pytest.param(4, "lucca firenze bologna", "torino", False, id="T40"),
        pytest.param(4, "lucca firenze bologna", "modena", True, id="T41"),
        pytest.param(5, "lucca firenze bologna", "modena", True, id="T41-five"),
        pytest.param(6, "lucca firenze bologna", "modena", True, id="T41-six"),
        pytest.param(3, "lucca firenze bologna", "modena", False, id="three-need-five"),
        pytest.param(3, "lucca firenze bologna parma", "modena", True, id="five-of-three"),
        pytest.param(2, "lucca firenze bologna parma", "modena", False, id="T43-five"),
        pytest.param(2, "lucca firenze bologna parma genova", "modena", True, id="T43-six"),
        pytest.param(4, "torino genova bologna spoleto", "parma", False, id="the-erratum-parma"),
        pytest.param(4, "torino genova bologna spoleto", "firenze", False, id="the-erratum-firenze"),
        pytest.param(4, "torino venezia lucca napoli siena urbino", "parma", False, id="scattered-never-win"),
    ],
)
def test_a_kingdom_of_neighbours(seats: int, held: str, contested: str, won: bool) -> None:
    """Four for four to six seats, five for three, six for two (eurogames-1995, End of a game)."""
    then = wins_a_battle(EUROGAMES, seats, held, contested)
    assert bool(every(GameEnded, then.events)) is won


@pytest.mark.parametrize("edition", [ZMAN, EUROGAMES])
def test_a_victory_ends_everything_at_once(edition: str) -> None:
    """Nothing is discarded, asked or dealt any more (zman-2018, Winning the Game; eurogames-1995, End of a game)."""
    held = "lucca firenze" if edition == ZMAN else "lucca firenze bologna parma"
    then = wins_a_battle(edition, 3, held, "modena")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events).winners == (0,)
    assert then.state.result == GameEnded((0,), ("adjacent-regions",))
    assert (then.state.phase, then.state.turn) == ("over", NOBODY)
    assert legal_commands(then.state) == []
    assert any(then.state.rows[0])


def test_a_city_lost_may_be_the_one_that_mattered() -> None:
    """A kingdom that is broken before its fourth region does not win (eurogames-1995, End of a game)."""
    held = ["lucca firenze bologna", "torino", "", ""]
    given = table(EUROGAMES, 4, rows=["", "10"], hands=["1"] * 4, held=held, contested="firenze", passed="BCD")
    then = play(given, "A passes")
    assert every(GameEnded, then.events) == []
    assert then.state.held[:2] == [regions("lucca bologna"), regions("torino firenze")]


def test_the_seat_that_wins_need_not_be_the_holder_of_the_marker() -> None:
    """Spies move the marker, not the victory (zman-2018, Spy, Winning the Game)."""
    held = ["", "roma siena", ""]
    given = table(ZMAN, rows=["S", "10", ""], hands=["1", "1", "1"], held=held, contested="firenze", passed="BC")
    then = play(given, "A passes")
    assert only(GameEnded, then.events).winners == (1,)
    assert then.state.marker == 0
