"""Counts lines of legal commands in two ways: quickly, and slowly with other code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import SeededChance, State, advance, decide, evolve, legal_commands
from engine.notation import from_notation, to_notation
from tests.engine.machine_commands import FIXED, accepted, conceivable

FOLDER = Path(__file__).parent
"""The folder of the positions, with a file for each revision of an edition."""


class Counted(NamedTuple):
    """A position, its purpose, and the number of lines to each depth, starting from 1."""

    purpose: str
    position: str
    counts: tuple[int, ...]


def lines(state: State, depth: int, chance: SeededChance = FIXED) -> int:
    """Count lines quickly: carry out each legal command in place on a copy."""
    commands = legal_commands(state)
    if depth == 1:
        return len(commands)
    count = 0
    for command in commands:
        after = state.copy()
        advance(after, command, chance)
        count += lines(after, depth - 1, chance)
    return count


def lines_slowly(state: State, depth: int, chance: SeededChance = FIXED) -> int:
    """Count lines without the list of legal commands: try every conceivable command, and count those that are accepted.

    Every event is folded separately, and every position is parsed from its notation.
    """
    if state.result is not None:
        return 0
    asked = conceivable(state.turn, state.seats, state.hands[state.turn])
    commands = [command for command in asked if accepted(state, command, chance)]
    if depth == 1:
        return len(commands)
    count = 0
    for command in commands:
        after = state
        for event in decide(state, command, chance):
            after = evolve(after, event)
        count += lines_slowly(from_notation(to_notation(after)), depth - 1, chance)
    return count


def read(path: Path) -> Iterator[Counted]:
    """Yield the positions of a file."""
    purpose = ""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            purpose = line.removeprefix("#").strip()
            continue
        position, *counts = line.split(" ;")
        depths = [count.split(" ") for count in counts]
        assert [depth for depth, _ in depths] == [f"D{depth}" for depth in range(1, len(depths) + 1)]
        yield Counted(purpose, position, tuple(int(count) for _, count in depths))


def write(path: Path, positions: list[Counted]) -> None:
    """Write a file."""
    text = ""
    for purpose, position, counts in positions:
        numbers = "".join(f" ;D{depth} {count}" for depth, count in enumerate(counts, 1))
        text += f"# {purpose}\n{position}{numbers}\n"
    path.write_text(text)
