"""The map data that the browser receives: outlines that share their borders, and room for names."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from engine import EDITIONS, edition
from service.editions.presentation import show_edition

Json = dict[str, Any]
Point = tuple[float, float]
Line = tuple[Point, Point]

LETTER, HEIGHT, RISE, TOKEN = 18, 22, 41, 24
"""Measured in units of the map: the greatest average width of a name's letters, the height of a capital, the distance
from the city up to the middle of its name, and the radius of an owner's marker."""


@cache
def italy() -> Json:
    """Return the board of the newest edition that has one, as the API shows it."""
    shown = (show_edition(edition(key, max(EDITIONS[key]))) for key in EDITIONS)
    return next(value["board"] for value in shown if value["board"])


def outlines() -> dict[str, list[Point]]:
    return {region["key"]: [(point["x"], point["y"]) for point in region["outline"]] for region in italy()["regions"]}


def lines_of(outline: list[Point]) -> list[Line]:
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def turned(line: Line) -> Line:
    return line[1], line[0]


def cross(origin: Point, one: Point, other: Point) -> float:
    return (one[0] - origin[0]) * (other[1] - origin[1]) - (one[1] - origin[1]) * (other[0] - origin[0])


def cut(one: Line, other: Line) -> bool:
    """Return whether two lines cross; touching does not count."""
    return all(cross(*line, ends[0]) * cross(*line, ends[1]) < 0 for line, ends in ((one, other), (other, one)))


def lies_in(point: Point, outline: list[Point]) -> bool:
    x, y = point
    crossed = [
        one
        for one, other in lines_of(outline)
        if (one[1] > y) != (other[1] > y) and x < one[0] + (y - one[1]) * (other[0] - one[0]) / (other[1] - one[1])
    ]
    return len(crossed) % 2 == 1


def on(point: Point, outline: list[Point]) -> bool:
    return any(
        cross(one, other, point) == 0 and min(one[0], other[0]) <= point[0] <= max(one[0], other[0])
        and min(one[1], other[1]) <= point[1] <= max(one[1], other[1])
        for one, other in lines_of(outline)
    )  # fmt: skip


def test_all_editions_have_the_same_board() -> None:
    boards = [show_edition(edition(key, revision))["board"] for key in EDITIONS for revision in EDITIONS[key]]
    assert sum(board is not None for board in boards) > 1
    assert all(board in (None, italy()) for board in boards)


def test_there_are_17_outlines_within_the_canvas() -> None:
    assert len(outlines()) == 17
    for outline in outlines().values():
        assert len(outline) > 25
        assert len(set(outline)) == len(outline)
        assert all(0 <= x <= italy()["width"] and 0 <= y <= italy()["height"] for x, y in outline)


def test_neighbours_and_only_they_share_lines() -> None:
    """The borders therefore need no separate data: they are the lines that two outlines share."""
    drawn = {
        tuple(sorted((one, other)))
        for (one, first), (other, second) in combinations(outlines().items(), 2)
        if set(map(turned, lines_of(first))) & set(lines_of(second)) or set(lines_of(first)) & set(lines_of(second))
    }
    assert len(drawn) == 34
    assert drawn == {tuple(sorted(border)) for border in italy()["borders"]}
    counts = Counter(frozenset(line) for outline in outlines().values() for line in lines_of(outline))
    assert set(counts.values()) == {1, 2}


@pytest.mark.parametrize("key", [region["key"] for region in italy()["regions"]])
def test_an_outline_does_not_cross_itself(key: str) -> None:
    assert not any(cut(one, other) for one, other in combinations(lines_of(outlines()[key]), 2))


@pytest.mark.parametrize("key", [region["key"] for region in italy()["regions"]])
def test_no_other_region_overlaps_this_one(key: str) -> None:
    mine = outlines()[key]
    for other in (outline for name, outline in outlines().items() if name != key):
        assert not any(cut(one, line) for one in lines_of(mine) for line in lines_of(other))
        middles = [((one[0] + two[0]) / 2, (one[1] + two[1]) / 2) for one, two in lines_of(other)]
        assert not any(lies_in(point, mine) for point in (*other, *middles) if not on(point, mine))


@pytest.mark.parametrize("region", italy()["regions"], ids=lambda region: str(region["key"]))
def test_name_and_marker_have_room(region: Json) -> None:
    outline = outlines()[region["key"]]
    x, y = region["city"]["x"], region["city"]["y"]
    half = len(region["name"]) * LETTER / 2
    name = [(x + side * half, y - RISE + low * HEIGHT / 2) for side in (-1, 1) for low in (-1, 1)]
    marker = [(x + side * TOKEN, y + low * TOKEN) for side, low in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    assert all(lies_in(point, outline) for point in (*name, *marker))
