"""The values `NOBODY`, `NOWHERE` and `NO_CARD` for an absent seat, region or card."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine import EDITIONS, NEWEST, Edition, State, evolve, from_notation, to_notation, view_for
from engine.events import BattleEnded, CardPlayed, FavorMoved, GameEnded, RowsDiscarded, TurnStarted
from engine.phase_names import BATTLE
from engine.rules.strength import highest_mercenary, strengths
from engine.state import NO_CARD, NOBODY, NOWHERE

from .cases import ZMAN
from .table import cards, kind, region, table

ENGINE = Path(__file__).parents[2] / "engine"
EVERY_EDITION = pytest.mark.parametrize("edition", NEWEST.values(), ids=list(EDITIONS))


@EVERY_EDITION
def test_nobody_holds_the_marker_before_the_first_lot(edition: Edition) -> None:
    assert State(edition, edition.most_seats).marker == NOBODY


@EVERY_EDITION
def test_nobody_is_to_act_before_the_deal_and_at_the_end(edition: Edition) -> None:
    state = State(edition, edition.most_seats)
    assert state.turn == NOBODY
    begun = evolve(state, TurnStarted(0, BATTLE))
    assert begun.turn == 0
    assert evolve(begun, GameEnded((0,), ("stall",))).turn == NOBODY
    assert view_for(state, None).turn is None


def test_no_region_is_contested_between_two_battles() -> None:
    given = table(ZMAN, contested="roma")
    assert view_for(given, None).contested == region("roma")
    after = evolve(given, BattleEnded(region("roma"), "passes", (1, 0, 0), (0,), 0))
    assert after.contested == NOWHERE
    assert view_for(after, None).contested is None


def test_the_favor_marker_is_nowhere_while_it_is_off_the_board() -> None:
    given = table(ZMAN, favor="roma")
    assert view_for(given, None).favor == region("roma")
    after = evolve(given, FavorMoved(None))
    assert after.favor == NOWHERE
    assert view_for(after, None).favor is None


def test_no_season_is_in_force_until_a_season_card_is_laid_and_after_the_battle() -> None:
    given = table(ZMAN, hands=["W", "", ""])
    assert given.season == NO_CARD
    winter = evolve(given, CardPlayed(0, kind("W"), "season", None, None, None))
    assert (winter.season, view_for(winter, None).season) == (kind("W"), kind("W"))
    after = evolve(winter, RowsDiscarded())
    assert after.season == NO_CARD
    assert view_for(after, None).season is None


def test_without_a_season_card_every_mercenary_is_worth_what_is_printed_on_it() -> None:
    rows = [cards("10 2"), cards("6")]
    worth = {season: strengths(NEWEST[ZMAN], rows, season) for season in (NO_CARD, kind("W"), kind("P"))}
    assert worth == {NO_CARD: (12, 6), kind("W"): (2, 1), kind("P"): (15, 6)}
    view = view_for(table(ZMAN, 3, rows=["10 2", "6"]), None)
    assert [sum(line.amount for line in lines) for lines in view.strengths()] == [12, 6, 0]


def test_where_no_mercenary_lies_in_any_row_none_is_the_highest() -> None:
    """Spring then has no effect."""
    assert highest_mercenary([cards("2 10"), cards("6")]) == kind("10")
    assert highest_mercenary([cards("H D"), cards("")]) == NO_CARD
    assert strengths(NEWEST[ZMAN], [cards("H D"), cards("S")], kind("P")) == (10, 1)


def test_a_position_is_noted_without_what_is_absent() -> None:
    """Parsing the notation gives the same values."""
    state = State(NEWEST[ZMAN], 3)
    assert not {"turn", "marker", "contested", "favor", "season"} & {
        word.partition("=")[0] for word in to_notation(state).split(" ")
    }
    again = from_notation(to_notation(state))
    assert (again.turn, again.marker) == (NOBODY, NOBODY)
    assert (again.contested, again.favor, again.season) == (NOWHERE, NOWHERE, NO_CARD)


def minus_ones(source: str) -> list[str]:
    """Return the lines of a program that use -1 as a value, rather than as an index or in a subtraction."""
    tree = ast.parse(source)
    places = [place for node in ast.walk(tree) if isinstance(node, ast.Subscript) for place in ast.walk(node.slice)]
    values = [node for node in ast.walk(tree) if isinstance(node, ast.UnaryOp) and node not in places]
    return [source.splitlines()[node.lineno - 1].strip() for node in values if ast.unparse(node) == "-1"]


def test_minus_one_is_written_where_it_gets_its_names_and_nowhere_else() -> None:
    """Everywhere else, the code uses the name that belongs to the meaning."""
    found = [line for file in sorted(ENGINE.rglob("*.py")) for line in minus_ones(file.read_text(encoding="utf-8"))]
    assert found == ["NOBODY = -1", "NOWHERE = -1", "NO_CARD = -1"]


def test_minus_one_is_found_as_a_value_only() -> None:
    assert minus_ones("a = -1\nb = c[-1] + c[:-1]\nd = a -1\ne(f, -1)\n") == ["a = -1", "e(f, -1)"]
