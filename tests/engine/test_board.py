"""The board of Italy: seventeen regions, thirty-four borders, and a drawing that shows them."""

from collections import Counter
from itertools import combinations
from math import cos, pi, sin

import pytest

from engine import NEWEST
from engine.board import Point, Region, largest_group, members
from engine.italy import ITALY

from .cases import DUEL, EUROGAMES, ON_THE_BOARD, PRINTED, on_the_board, proves
from .table import region, regions

DEGREES = {
    7: "modena firenze",
    6: "milano",
    5: "spoleto",
    4: "mantova ferrara parma bologna urbino roma",
    3: "venezia genova lucca ancona napoli",
    2: "torino siena",
}


def touches(one: str, other: str) -> bool:
    """Return whether two regions share a border."""
    return bool(ITALY.neighbours[region(one)] >> region(other) & 1)


@proves("1.2", *ON_THE_BOARD)
def test_there_are_seventeen_regions() -> None:
    """Every edition that states a number states seventeen; the keys are the cities' names in lower case."""
    assert len(ITALY.regions) == 17
    assert len({each.key for each in ITALY.regions}) == 17
    assert all(each.key == each.name.lower() for each in ITALY.regions)
    assert ITALY.all_regions == 2**17 - 1


@proves("1.2", *ON_THE_BOARD)
@on_the_board("B01")
def test_b01_thirty_four_borders_symmetric_and_without_loops() -> None:
    """The printed boards agree on 34 borders; each is listed once, in alphabetical order."""
    assert len(set(ITALY.borders)) == len(ITALY.borders) == 34
    assert all(one < other for one, other in ITALY.borders)
    assert list(ITALY.borders) == sorted(ITALY.borders)
    assert sum(map(int.bit_count, ITALY.neighbours)) == 68
    for one, other in ITALY.borders:
        assert touches(one, other)
        assert touches(other, one)


@proves("1.2", *ON_THE_BOARD)
@on_the_board("B02")
def test_b02_how_many_neighbours_each_region_has() -> None:
    """Modena and Firenze have the most neighbours, Torino and Siena the fewest."""
    counted = {key: degree for degree, keys in DEGREES.items() for key in keys.split()}
    assert {each.key: ITALY.neighbours[region(each.key)].bit_count() for each in ITALY.regions} == counted


@proves("9.2", *ON_THE_BOARD)
@on_the_board("B03")
@pytest.mark.parametrize(("size", "count"), [(2, 34), (3, 84), (4, 209), (5, 489), (6, 1076)], ids="B03-{}".format)
def test_how_many_kingdoms_there_are(size: int, count: int) -> None:
    """B03: the number of connected sets of each size."""
    sets = (sum(1 << one for one in chosen) for chosen in combinations(range(17), size))
    assert sum(largest_group(ITALY, held) == size for held in sets) == count


@proves("1.2", *ON_THE_BOARD)
@on_the_board("B04")
@pytest.mark.parametrize(
    ("key", "neighbours"),
    [pytest.param("torino", "milano genova", id="B04-torino"), pytest.param("siena", "firenze roma", id="B04-siena")],
)
def test_the_quiet_corners_have_exactly_two_neighbours(key: str, neighbours: str) -> None:
    """B04: read from the printed boards."""
    assert ITALY.neighbours[region(key)] == regions(neighbours)


@proves("1.2", *ON_THE_BOARD)
@on_the_board("B05")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("genova", "modena", id="B05-genova-modena"),
        pytest.param("parma", "bologna", id="B05-parma-bologna"),
        pytest.param("genova", "lucca", id="B05-genova-lucca"),
        pytest.param("lucca", "bologna", id="B05-lucca-bologna"),
        pytest.param("siena", "spoleto", id="B05-siena-spoleto"),
        pytest.param("urbino", "roma", id="B05-urbino-roma"),
        pytest.param("ancona", "roma", id="B05-ancona-roma"),
        pytest.param("venezia", "modena", id="B05-venezia-modena"),
        pytest.param("ferrara", "firenze", id="B05-ferrara-firenze"),
        pytest.param("bologna", "spoleto", id="B05-bologna-spoleto"),
    ],
)
def test_regions_that_look_close_and_are_not(one: str, other: str) -> None:
    """B05: read from the printed boards."""
    assert not touches(one, other)


@proves("9.2", *ON_THE_BOARD)
@proves("12.2", EUROGAMES)
@on_the_board("B06")
@pytest.mark.parametrize("fifth", ["parma", "firenze"], ids="B06-{}".format)
def test_the_example_of_the_german_rulebook_makes_a_group_of_three(fifth: str) -> None:
    """B06: the board takes precedence over the example, which claims four (eurogames-1995, Spielziel)."""
    assert largest_group(ITALY, regions(f"torino genova bologna spoleto {fifth}")) == 3


@proves("1.2", *PRINTED)
@pytest.mark.parametrize("key", PRINTED)
def test_every_printed_edition_is_played_on_this_board_but_the_duel(key: str) -> None:
    """The editions redraw the board but never rearrange it; the two-player game has none (zman-2018, 2-Player Game)."""
    assert NEWEST[key].board is (ITALY if key in ON_THE_BOARD else None)
    assert (key in ON_THE_BOARD) is (key != DUEL)


def test_no_regions_make_no_group() -> None:
    """A seat without regions has no group."""
    assert largest_group(ITALY, 0) == 0
    assert list(members(0)) == []


def sides(of: Region) -> set[frozenset[Point]]:
    """Return the sides of a region's outline as pairs of corners."""
    corners = of.outline
    return {frozenset(side) for side in zip(corners, corners[1:] + corners[:1], strict=True)}


def contains(of: Region, point: Point) -> bool:
    """Return whether a point is inside a region's outline (a ray to the right crosses it an odd number of times)."""
    x, y = point
    corners = of.outline
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


@pytest.mark.parametrize("one", ITALY.regions, ids=lambda one: one.key)
def test_an_outline_shares_sides_with_exactly_its_neighbours(one: Region) -> None:
    """The borders can therefore be read correctly from the drawing."""
    drawn = {other.key for other in ITALY.regions if other is not one and sides(one) & sides(other)}
    assert drawn == {other.key for other in ITALY.regions if touches(one.key, other.key)}


@pytest.mark.parametrize("one", ITALY.regions, ids=lambda one: one.key)
def test_an_outline_contains_its_city_and_no_other(one: Region) -> None:
    """Every city is inside its region and on the canvas."""
    assert [other.key for other in ITALY.regions if contains(one, other.city)] == [one.key]
    assert all(0 <= x <= ITALY.width and 0 <= y <= ITALY.height for x, y in one.outline)


@pytest.mark.parametrize("border", ITALY.borders, ids="-".join)
def test_a_border_is_one_unbroken_line(border: tuple[str, str]) -> None:
    """Neighbours have the same corners along their border, so a client can draw it as one line."""
    one, other = (ITALY.regions[region(key)] for key in border)
    shared = sides(one) & sides(other)
    ends = Counter(point for side in shared for point in side)
    assert sorted(ends.values()) == [1, 1, *[2] * (len(shared) - 1)]


@pytest.mark.parametrize("one", ITALY.regions, ids=lambda one: one.key)
def test_an_outline_keeps_clear_of_its_city(one: Region) -> None:
    """A marker with a diameter of 52 pixels fits on the city within its region."""
    x, y = one.city
    around = [(x + round(26 * cos(turn * pi / 8)), y + round(26 * sin(turn * pi / 8))) for turn in range(16)]
    assert all(contains(one, point) for point in around)


def test_no_side_is_shared_by_three_outlines() -> None:
    """The outlines do not overlap along their sides."""
    for one in ITALY.regions:
        assert len(sides(one)) == len(one.outline)
        for side in sides(one):
            assert sum(side in sides(other) for other in ITALY.regions) <= 2
