"""Statistics: how often each player has moved, how long they thought, and how often their time ran out.

The append of a move counts it in the same instant, in the game's own shard; a reader adds up the shards. Times are
counted by classes whose bounds grow by a twelfth of an octave, so a quartile is known to within three in a hundred.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from . import keys
from .connection import Server
from .hashes import read_hash
from .rows import whole
from .transport import Command

FINEST = 100
"""Times of so many ms and less are one class."""
OCTAVE = 12
"""Classes between a time and its double."""

_CLASS = "class:"


def class_of(thought: int) -> int:
    """Return the class of a time (ms).

    >>> class_of(0), class_of(100), class_of(200), class_of(86_400_000)
    (0, 0, 12, 237)
    """
    return 0 if thought <= FINEST else round(OCTAVE * math.log2(thought / FINEST))


def middle_of(number: int) -> int:
    """Return the time (ms) in the middle of a class.

    >>> middle_of(0), middle_of(12)
    (100, 200)
    """
    return round(FINEST * 2 ** (number / OCTAVE))


def moved(game_id: str, player: str, thought: int) -> list[Command]:
    """Return what counts a move, to be written with it; `thought` is the time that it took of the player's (ms)."""
    key = _key(game_id, player)
    return [
        ("HINCRBY", key, "moves", 1),
        ("HINCRBY", key, "thought", thought),
        ("HINCRBY", key, f"{_CLASS}{class_of(thought)}", 1),
    ]


def timed_out(game_id: str, player: str) -> list[Command]:
    """Return what counts a timeout, to be written with it."""
    return [("HINCRBY", _key(game_id, player), "timeouts", 1)]


@dataclass(frozen=True)
class PlayerStatistics:
    """What has been counted of a player: `thought` is the time of all moves (ms), `classes` how many are in each."""

    moves: int
    timeouts: int
    thought: int
    classes: Mapping[int, int]

    @property
    def mean(self) -> int:
        """How long a move took in the mean (ms); 0 where there is none."""
        return round(self.thought / self.moves) if self.moves else 0

    def quartiles(self) -> tuple[int, int, int]:
        """Return how long a quarter, half and three quarters of the moves took at most, to within 3 in 100 (ms).

        There is a move. What took a tenth of a second or less is taken for that.

        >>> PlayerStatistics(4, 0, 0, {12: 1, 24: 2, 36: 1}).quartiles()
        (200, 400, 400)
        """
        return self._reached(1), self._reached(2), self._reached(3)

    def _reached(self, quarters: int) -> int:
        """Return the middle of the class in which so many quarters of the moves are reached."""
        seen, wanted = 0, quarters * sum(self.classes.values())
        for number, count in sorted(self.classes.items()):
            seen += count
            if 4 * seen >= wanted:
                return middle_of(number)
        raise ValueError("there is no move")


class Statistics:
    """The statistics of all players."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def of_player(self, player: str) -> PlayerStatistics:
        """Return a player's statistics; one round trip. Raises: StoreUnavailable."""
        reads = [read_hash(keys.of_shard(shard, f"record:{player}")) for shard in range(keys.SHARDS)]
        total: Counter[str] = Counter()
        for answer in self._server.ask_parts(reads):
            members = iter(answer or ())
            for name, count in zip(members, members, strict=True):
                total[name.decode(errors="replace")] += whole(count) or 0
        numbers = {name.removeprefix(_CLASS): count for name, count in total.items() if name.startswith(_CLASS)}
        classes = {int(number): count for number, count in numbers.items() if number.isdecimal() and len(number) < 4}
        return PlayerStatistics(total["moves"], total["timeouts"], total["thought"], classes)


def _key(game_id: str, player: str) -> str:
    return keys.of_shard(keys.shard_of_game(game_id), f"record:{player}")
