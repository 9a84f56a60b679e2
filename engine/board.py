"""Regions, their borders, and groups of adjacent regions.

A set of regions is an int with one bit per region: bit 3 is the region with index 3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

Regions = int
"""A set of regions, with one bit per region."""

Point = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Region:
    """One region of a board: its key, the name of its city, and the coordinates for drawing it.

    `city` is the city's position, and `outline` lists the corners of the region's outline. All coordinates are pixels
    on the board's canvas: x counts from left to right, and y from top to bottom.
    """

    key: str
    name: str
    city: Point
    outline: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Board:
    """A map of regions. `borders` lists each pair of neighbouring regions once, as keys in alphabetical order.

    `width` and `height` are the size of the canvas in pixels.
    """

    key: str
    width: int
    height: int
    regions: tuple[Region, ...]
    borders: tuple[tuple[str, str], ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each region, by its key."""
        return {region.key: index for index, region in enumerate(self.regions)}

    @cached_property
    def neighbours(self) -> tuple[Regions, ...]:
        """For each region, the set of regions that border on it."""
        sets = [0] * len(self.regions)
        for one, other in self.borders:
            sets[self.index[one]] |= 1 << self.index[other]
            sets[self.index[other]] |= 1 << self.index[one]
        return tuple(sets)

    @cached_property
    def all_regions(self) -> Regions:
        """The set of all regions."""
        return (1 << len(self.regions)) - 1


def members(regions: Regions) -> Iterator[int]:
    """Yield the indices of the regions in a set, lowest first.

    >>> list(members(0b10100))
    [2, 4]
    """
    while regions:
        lowest = regions & -regions
        yield lowest.bit_length() - 1
        regions ^= lowest


def largest_group(board: Board, regions: Regions) -> int:
    """Return the size of the largest connected group in a set of regions.

    >>> from engine.italy import ITALY
    >>> held = sum(1 << ITALY.index[key] for key in ("torino", "genova", "bologna", "spoleto", "parma"))
    >>> largest_group(ITALY, held)
    3
    """
    return group_size(board.neighbours, regions)


@lru_cache(maxsize=4096)
def group_size(neighbours: tuple[Regions, ...], regions: Regions) -> int:
    """Return the size of the largest connected group in a set of regions.

    `neighbours` lists, for each region, the set of regions that border on it, as in `Board`. Results are cached.
    """
    best = 0
    while regions:
        group = frontier = regions & -regions
        while frontier:
            lowest = frontier & -frontier
            added = neighbours[lowest.bit_length() - 1] & regions & ~group
            group |= added
            frontier ^= lowest | added
        regions ^= group
        best = max(best, group.bit_count())
    return best
