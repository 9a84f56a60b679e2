"""Draw the imports: `imports.py` writes one picture of the engine and one of the service into `docs/pictures`.

A row is a layer of the import contract in `pyproject.toml`, a box is a package or a module, and an arrow is an import.
The pictures omit arrows that other arrows imply. A tag in a box names libraries that only some packages may import.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import grimp

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path("docs/pictures")
CONTAINERS = ("engine", "service")
SWEEPS, MOVES = 60, 600
"""The number of sweeps that order the rows, and the number of passes that then move items towards their neighbours."""

BOX, GAP, MARGIN, NUMBERS, LINE = 44, 32, 24, 40, 22
"""In pixels: the height of a box, the gap between rows, the margin, the width of the layer numbers, the line height."""
APART, LANE = 30, 10
"""In pixels: the gap between two boxes in a row, and the width reserved for an arrow that crosses a row."""
PORTS, EDGE = 14, 12
"""In pixels: the gap between two arrows at a box, and the minimum distance of an arrow from a box's corner."""
LETTER, SMALL, PADDING, TAG = 8.5, 6.4, 14, 15
"""In pixels: the width of a letter in a name and in a tag, the padding of a name, and the height of a tag."""

STYLE = """\
.page { fill: #ffffff; stroke: #d8dee6 }
.layer { fill: #f3f5f8 }
.box { fill: #ffffff; stroke: #5b6b7f; stroke-width: 1.3 }
.arrow { fill: none; stroke: #5b6b7f; stroke-width: 1.3 }
.head { fill: #5b6b7f }
text { fill: #1c2733; font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px }
.name { font: 600 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-anchor: middle }
.number { fill: #66758a; font-size: 12px; text-anchor: middle }
.tag { fill: #ffffff; font-size: 10.5px; font-weight: 600; text-anchor: middle }
.HTTP { fill: #1d5fa8 }
.JSON { fill: #27723b }
.Redis { fill: #b3322c }
.RQ { fill: #8a5a00 }
.engine { fill: #6b46a8 }
@media (prefers-color-scheme: dark) {
  .page { fill: #10161d; stroke: #2b3643 }
  .layer { fill: #18202a }
  .box { fill: #10161d; stroke: #8fa0b5 }
  .arrow { stroke: #8fa0b5 }
  .head { fill: #8fa0b5 }
  text { fill: #e3e9f0 }
  .number { fill: #93a2b5 }
  .tag { fill: #ffffff }
}
"""

Import = tuple[str, str]
Key = tuple[str, str, int]
"""An item in a row: two names and the row's number. A box has its own name twice; an arrow that crosses the row has the
names of its two ends.
"""


class Diagram(NamedTuple):
    """The content of a container's picture: layers (from top to bottom), arrows, and tags with their meanings."""

    name: str
    layers: Sequence[Sequence[str]]
    arrows: Sequence[Import]
    tags: Mapping[str, Sequence[str]]
    meanings: Mapping[str, str]


# Content


def diagram(container: str) -> Diagram:
    """Return the content of a container's picture, according to the import contracts and the code."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract.get("containers") == [container])
    rows = [layer.split(" | ") for layer in layers]
    inside, outside = _imports(container, [name for row in rows for name in row])
    tags, meanings = _tags(container, contracts)
    for name in sorted(outside):
        tags[name].append("engine")
        meanings["engine"] = "imports the engine"
    return Diagram(container, rows, reduce_imports(inside), tags, meanings)


def _imports(container: str, names: Sequence[str]) -> tuple[set[Import], set[str]]:
    """Return the imports between the packages of a container, and the packages that import another container."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(*CONTAINERS, cache_dir=None, exclude_type_checking_imports=True)
    inside, outside = set(), set()
    for name in names:
        for module in {f"{container}.{name}"} | graph.find_descendants(f"{container}.{name}"):
            for imported in graph.find_modules_directly_imported_by(module):
                root, _, rest = imported.partition(".")
                other = rest.partition(".")[0]
                if root != container:
                    outside.add(name)
                elif other in names and other != name:
                    inside.add((name, other))
    return inside, outside


def _tags(container: str, contracts: Iterable[Mapping[str, Any]]) -> tuple[defaultdict[str, list[str]], dict[str, str]]:
    """Return each package's tags and each tag's meaning.

    A tag stands for libraries that only certain packages may import.
    """
    tags, meanings = defaultdict(list), {}
    for contract in contracts:
        tag = re.search(r"\b(HTTP|JSON|Redis|RQ)\b", contract["name"])
        allowed = [name.split(".") for name in contract.get("allowed_importers", ())]
        importers = [name for root, name in allowed if root == container]
        if tag and importers:
            meanings[tag[1]] = f"may import {' and '.join(contract['protected_modules'])}"
            for name in importers:
                tags[name].append(tag[1])
    return tags, meanings


def reduce_imports(imports: Iterable[Import]) -> list[Import]:
    """Return the imports that other imports do not imply. No package may import itself, even indirectly.

    >>> reduce_imports({("a", "b"), ("b", "c"), ("a", "c")})
    [('a', 'b'), ('b', 'c')]
    """
    below = defaultdict(set)
    for one, other in imports:
        below[one].add(other)

    def reached(name: str) -> set[str]:
        return below[name].union(*map(reached, tuple(below[name])))

    follow = {(one, far) for one in tuple(below) for other in tuple(below[one]) for far in reached(other)}
    return sorted(set(imports) - follow)


# Placement


class Layout(NamedTuple):
    """The layout: the rows from top to bottom, the x coordinate of each item's middle, and each arrow's items."""

    rows: Sequence[Sequence[Key]]
    middles: Mapping[Key, float]
    chains: Mapping[Import, Sequence[Key]]


def layout(drawn: Diagram, widths: Mapping[str, float]) -> Layout:
    """Return a layout with few crossings and mostly straight arrows."""
    row_of = {name: number for number, row in enumerate(drawn.layers) for name in row}
    chains: dict[Import, Sequence[Key]] = {}
    rows: list[list[Key]] = [[(name, name, number) for name in row] for number, row in enumerate(drawn.layers)]
    for one, other in drawn.arrows:
        passing: list[Key] = [(one, other, number) for number in range(row_of[one] + 1, row_of[other])]
        chains[one, other] = [(one, one, row_of[one]), *passing, (other, other, row_of[other])]
        for key in passing:
            rows[key[2]].append(key)
    links = [link for chain in chains.values() for link in pairwise(chain)]
    rows = _in_order(rows, links)
    return Layout(rows, _placed(rows, links, widths), chains)


def _in_order(rows: list[list[Key]], links: Sequence[tuple[Key, Key]]) -> list[list[Key]]:
    """Return the rows in the best order found, which is the one with the fewest crossings."""
    best, fewest = rows, crossings(rows, links)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        rows = [[*row] for row in rows]
        for row in rows if down else reversed(rows):
            places = {key: place for other in rows for place, key in enumerate(other)}
            near = _neighbours(links, above=down, below=not down)
            row.sort(key=lambda key: (_mean([places[one] for one in near[key]], places[key]), places[key]))
        rows = _switched(rows, links)
        if (crossing_count := crossings(rows, links)) < fewest:
            best, fewest = rows, crossing_count
    return best


def _switched(rows: list[list[Key]], links: Sequence[tuple[Key, Key]]) -> list[list[Key]]:
    """Return the rows after swapping neighbours until no swap reduces the number of crossings."""
    fewest = crossings(rows, links)
    better = True
    while better:
        better = False
        for row in rows:
            for place in range(len(row) - 1):
                row[place], row[place + 1] = row[place + 1], row[place]
                crossing_count = crossings(rows, links)
                if crossing_count < fewest:
                    fewest, better = crossing_count, True
                else:
                    row[place], row[place + 1] = row[place + 1], row[place]
    return rows


def crossings(rows: Sequence[Sequence[Key]], links: Sequence[tuple[Key, Key]]) -> int:
    """Return the number of times that two arrows cross between neighbouring rows."""
    places = {key: place for row in rows for place, key in enumerate(row)}
    ends = defaultdict(list)
    for upper, lower in links:
        ends[upper[2]].append((places[upper], places[lower]))
    return sum(
        (one[0] - other[0]) * (one[1] - other[1]) < 0
        for others in ends.values()
        for number, one in enumerate(others)
        for other in others[:number]
    )


def _placed(
    rows: Sequence[Sequence[Key]], links: Sequence[tuple[Key, Key]], widths: Mapping[str, float]
) -> dict[Key, float]:
    """Return each item's middle.

    Items keep their order within the row, and are near the items that they are linked with.
    """

    def apart(one: Key, other: Key) -> float:
        boxes = is_box(one) + is_box(other)
        return (_width(one, widths) + _width(other, widths)) / 2 + (LANE, APART - LANE, APART)[boxes]

    middles: dict[Key, float] = {}
    for row in rows:
        middles |= zip(row, _spread(row, [0.0] * len(row), apart), strict=True)
    near = _neighbours(links, above=True, below=True)
    best, least = middles, _bends(middles, links)
    for sweep in range(MOVES):
        middles = {**middles}
        for row in rows if sweep % 2 else reversed(rows):
            targets = []
            for key in row:
                pulls = [(middles[one], _pull(key, one)) for one in near[key]]
                total = fsum(pull for _, pull in pulls)
                targets.append(fsum(middle * pull for middle, pull in pulls) / total if total else middles[key])
            middles |= zip(row, _spread(row, targets, apart), strict=True)
        if (bends := _bends(middles, links)) < least:
            best, least = middles, bends
    middles = best
    left = min(middle - _width(key, widths) / 2 for key, middle in middles.items())
    return {key: round(middle - left + MARGIN + NUMBERS) for key, middle in middles.items()}


def _pull(one: Key, other: Key) -> int:
    """Return how strongly two linked items attract each other.

    The pull is strongest within arrows, to keep them straight.
    """
    return (8, 2, 1)[is_box(one) + is_box(other)]


def _bends(middles: Mapping[Key, float], links: Iterable[tuple[Key, Key]]) -> float:
    """Return the total horizontal movement of all arrows, weighted by `_pull`."""
    return fsum(_pull(upper, lower) * abs(middles[upper] - middles[lower]) for upper, lower in links)


def _spread(row: Sequence[Key], targets: Sequence[float], apart: Any) -> list[float]:
    """Return positions as close to the targets as the minimum distances between neighbours allow."""
    from_left, from_right = [*targets], [*targets]
    for place in range(1, len(row)):
        from_left[place] = max(targets[place], from_left[place - 1] + apart(row[place - 1], row[place]))
    for place in range(len(row) - 2, -1, -1):
        from_right[place] = min(targets[place], from_right[place + 1] - apart(row[place], row[place + 1]))
    return [(one + other) / 2 for one, other in zip(from_left, from_right, strict=True)]


def _neighbours(links: Iterable[tuple[Key, Key]], *, above: bool, below: bool) -> defaultdict[Key, list[Key]]:
    near = defaultdict(list)
    for upper, lower in links:
        if above:
            near[lower].append(upper)
        if below:
            near[upper].append(lower)
    return near


def is_box(key: Key) -> bool:
    """Return whether an item is a box rather than an arrow."""
    return key[0] == key[1]


def _width(key: Key, widths: Mapping[str, float]) -> float:
    return widths[key[0]] if is_box(key) else LANE


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return fsum(numbers) / len(numbers) if numbers else otherwise


# Drawing


def picture(drawn: Diagram) -> str:
    """Return a diagram as SVG."""
    names = [name for row in drawn.layers for name in row]
    widths = {
        name: round(max(len(name) * LETTER, _tags_width(drawn.tags.get(name, ()))) + 2 * PADDING) for name in names
    }
    positions = layout(drawn, widths)
    legend = ["An arrow means “imports”. An import that other arrows imply is not drawn.", *drawn.meanings]
    right = max(middle + _width(key, widths) / 2 for key, middle in positions.middles.items())
    width = round(max(right, MARGIN + NUMBERS + 470) + MARGIN)
    bottom = MARGIN + len(drawn.layers) * (BOX + GAP) - GAP + 8
    height = bottom + GAP + LINE * len(legend) + MARGIN // 2
    title = f"Imports in the package {drawn.name}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{title}</title>',
        f'<desc id="description">{escape(description(drawn))}</desc>',
        f"<style>\n{STYLE}</style>",
        '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
        '<path class="head" d="M0 0.8 L8 4 L0 7.2 z"/></marker>',
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>',
        *_layers(len(drawn.layers), width),
        *_arrows(positions, widths),
        *(part for name in names for part in _box(drawn, name, positions, widths)),
        *_legend(legend, drawn.meanings, bottom + GAP),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def description(drawn: Diagram) -> str:
    """Return a description of a diagram in words, for readers who cannot see it."""
    below = defaultdict(list)
    for one, other in drawn.arrows:
        below[one].append(other)
    layers = ". ".join(f"Layer {number}: {', '.join(row)}" for number, row in enumerate(drawn.layers, 1))
    arrows = ". ".join(f"{one} imports {', '.join(others)}" for one, others in below.items())
    return f"Imports point from the layers at the top to those below. {layers}. {arrows}."


def _top(row: int) -> int:
    return MARGIN + row * (BOX + GAP)


def _layers(count: int, width: int) -> Iterator[str]:
    for row in range(count):
        top, wide = _top(row) - 7, width - MARGIN
        yield f'<rect class="layer" x="{MARGIN // 2}" y="{top}" width="{wide}" height="{BOX + 14}" rx="6"/>'
        yield f'<text class="number" x="{MARGIN + 6}" y="{_top(row) + BOX // 2 + 4}">{row + 1}</text>'


def _arrows(positions: Layout, widths: Mapping[str, float]) -> Iterator[str]:
    """Yield the arrows. The arrows at a box are side by side, in the order of their other ends."""
    links = [link for chain in positions.chains.values() for link in pairwise(chain)]
    leaving = _neighbours(links, above=False, below=True)
    coming = _neighbours(links, above=True, below=False)

    def port(key: Key, other: Key, others: Sequence[Key]) -> float:
        ordered = sorted(others, key=lambda one: (positions.middles[one], one))
        room = (_width(key, widths) - 2 * EDGE) / max(1, len(others) - 1)
        return positions.middles[key] + (ordered.index(other) - (len(others) - 1) / 2) * min(PORTS, room)

    for chain in positions.chains.values():
        steps: list[str] = []
        for upper, lower in pairwise(chain):
            here, there = _top(upper[2]) + BOX, _top(lower[2]) - (2 if is_box(lower) else 0)
            start, end = port(upper, lower, leaving[upper]), port(lower, upper, coming[lower])
            bend = (there - here) / 2
            steps.append(f"{'L' if steps else 'M'}{start:g} {here}")
            steps.append(f"C{start:g} {here + bend:g} {end:g} {there - bend:g} {end:g} {there}")
        yield f'<path class="arrow" marker-end="url(#head)" d="{" ".join(steps)}"/>'


def _box(drawn: Diagram, name: str, positions: Layout, widths: Mapping[str, float]) -> Iterator[str]:
    (key,) = (key for row in positions.rows for key in row if key[:2] == (name, name))
    middle, top, tags = positions.middles[key], _top(key[2]), drawn.tags.get(name, ())
    left = middle - widths[name] / 2
    yield f'<rect class="box" x="{left:g}" y="{top}" width="{widths[name]}" height="{BOX}" rx="6"/>'
    yield f'<text class="name" x="{middle:g}" y="{top + (20 if tags else 28)}">{name}</text>'
    left = middle - _tags_width(tags) / 2
    for tag in tags:
        yield from _tag(tag, left, top + 26)
        left += _tag_width(tag) + 5


def _tag(tag: str, left: float, top: float) -> Iterator[str]:
    width = _tag_width(tag)
    yield f'<rect class="{tag}" x="{left:g}" y="{top:g}" width="{width:g}" height="{TAG}" rx="4"/>'
    yield f'<text class="tag" x="{left + width / 2:g}" y="{top + 11:g}">{tag}</text>'


def _tag_width(tag: str) -> float:
    return len(tag) * SMALL + 10


def _tags_width(tags: Sequence[str]) -> float:
    return sum(map(_tag_width, tags)) + 5 * max(0, len(tags) - 1)


def _legend(lines: Sequence[str], meanings: Mapping[str, str], top: int) -> Iterator[str]:
    left = MARGIN // 2 + 8
    yield f'<text x="{left}" y="{top}">{lines[0]}</text>'
    for number, tag in enumerate(meanings, 1):
        yield from _tag(tag, left, top + number * LINE - 11)
        yield f'<text x="{left + 60}" y="{top + number * LINE}">{meanings[tag]}</text>'


def main() -> None:
    """Write the pictures."""
    (ROOT / FOLDER).mkdir(exist_ok=True)
    for container in CONTAINERS:
        path = FOLDER / f"imports-{container}.svg"
        (ROOT / path).write_text(picture(diagram(container)), encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
