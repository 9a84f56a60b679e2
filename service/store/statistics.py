"""Statistics: how often each player moved, how long the player thought, and how often the player ran out of time.

The append that adds a move also counts the move, in the game's shard. A reader adds up the counts of all shards. Each
thinking time is counted in a class of similar durations. There are twelve classes for each doubling of the duration, so
quartiles are exact to within 3%.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from . import keys
from .connection import Server
from .hashes import read_hash
from .rows import parse_int
from .transport import Command

FINEST = 100
"""Durations up to this number of ms form one class."""
OCTAVE = 12
"""The number of classes between a duration and twice that duration."""

_CLASS = "class:"


def class_of(time: int) -> int:
    """Return the number of the class that a duration in ms belongs to.

    >>> class_of(0), class_of(100), class_of(200), class_of(86_400_000)
    (0, 0, 12, 237)
    """
    return 0 if time <= FINEST else round(OCTAVE * math.log2(time / FINEST))


def middle_of(number: int) -> int:
    """Return the duration in the middle of a class, in ms.

    >>> middle_of(0), middle_of(12)
    (100, 200)
    """
    return round(FINEST * 2 ** (number / OCTAVE))


def count_move(game_id: str, player: str, thinking_time: int) -> list[Command]:
    """Return the commands that count a move. `thinking_time` is in ms.

    Run the commands together with the move's commit.
    """
    key = _key(game_id, player)
    return [
        ("HINCRBY", key, "moves", 1),
        ("HINCRBY", key, "thought", thinking_time),
        ("HINCRBY", key, f"{_CLASS}{class_of(thinking_time)}", 1),
    ]


def count_timeout(game_id: str, player: str) -> list[Command]:
    """Return the commands that count a timeout. Run the commands together with the timeout's commit."""
    return [("HINCRBY", _key(game_id, player), "timeouts", 1)]


@dataclass(frozen=True)
class PlayerStatistics:
    """A player's counts. `total_time` is the time for all moves, in ms. `classes` counts moves by duration."""

    moves: int
    timeouts: int
    total_time: int
    classes: Mapping[int, int]

    @property
    def mean(self) -> int:
        """The mean time per move, in ms, or 0 if there are no moves."""
        return round(self.total_time / self.moves) if self.moves else 0

    def quartiles(self) -> tuple[int, int, int]:
        """Return the three quartiles of move times, in ms, exact to within 3%.

        Times up to a tenth of a second count as a tenth of a second. Raises: ValueError if there are no moves.

        >>> PlayerStatistics(4, 0, 0, {12: 1, 24: 2, 36: 1}).quartiles()
        (200, 400, 400)
        """
        return self._quartile(1), self._quartile(2), self._quartile(3)

    def _quartile(self, quarters: int) -> int:
        """Return the duration in the middle of the class that contains the first, second or third quartile."""
        count_so_far, target = 0, quarters * sum(self.classes.values())
        for number, count in sorted(self.classes.items()):
            count_so_far += count
            if 4 * count_so_far >= target:
                return middle_of(number)
        raise ValueError("there are no moves")


class Statistics:
    """The statistics of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def of_player(self, player: str) -> PlayerStatistics:
        """Return a player's statistics. Takes one round trip. Raises: StoreUnavailable."""
        reads = [read_hash(keys.of_shard(shard, f"record:{player}")) for shard in range(keys.SHARDS)]
        total: Counter[str] = Counter()
        for answer in self._server.ask_parts(reads):
            members = iter(answer or ())
            for name, count in zip(members, members, strict=True):
                total[name.decode(errors="replace")] += parse_int(count) or 0
        numbers = {name.removeprefix(_CLASS): count for name, count in total.items() if name.startswith(_CLASS)}
        classes = {int(number): count for number, count in numbers.items() if number.isdecimal() and len(number) < 4}
        return PlayerStatistics(total["moves"], total["timeouts"], total["thought"], classes)


def _key(game_id: str, player: str) -> str:
    return keys.of_shard(keys.shard_of_game(game_id), f"record:{player}")
