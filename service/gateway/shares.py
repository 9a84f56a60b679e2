"""Shares: limits the number of long polls and streams that one player or one address may have open in a process."""

from __future__ import annotations

import threading
from collections import Counter

from ..metrics.table import count_limit
from ..problems import Problem

ALWAYS = 4
"""The number of waiting requests that each player may always have, even if the share of the player's address is used
up."""


class Shares:
    """The waiting requests of each player and each address. This object can be used from any thread."""

    def __init__(self, of_one_player: int, of_one_address: int) -> None:
        """Set the maximum numbers of waiting requests: one maximum for each player, and one for each address."""
        self._of_one_player = of_one_player
        self._of_one_address = of_one_address
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, network: str, player: str | None) -> None:
        """Count a request that is going to wait. `player` is None if the request has no token.

        Raises: Problem (too-many-own-waits).
        """
        with self._lock:
            if player and self._counts[f"p {player}"] >= self._of_one_player:
                raise _too_many(self._of_one_player, "player")
            is_sure = player and self._counts[f"p {player}"] < ALWAYS
            if not is_sure and self._counts[f"a {network}"] >= self._of_one_address:
                raise _too_many(self._of_one_address, "address")
            self._counts.update(_names(network, player))

    def give_back(self, network: str, player: str | None) -> None:
        """Stop counting a request that is no longer waiting."""
        with self._lock:
            for name in _names(network, player):
                self._counts[name] -= 1
                if not self._counts[name]:
                    del self._counts[name]


def _names(network: str, player: str | None) -> list[str]:
    return [f"a {network}", *([f"p {player}"] if player else [])]


def _too_many(most: int, whose: str) -> Problem:
    """Return the problem for a player or an address that has used up its share, and count the refusal."""
    count_limit(f"waits-{whose}")
    detail = (
        f"each {whose} may have at most {most} open long polls and streams in this process: "
        "close some, follow all your games with GET /v1/me/events/stream, or omit the `wait` parameter"
    )
    return Problem("too-many-own-waits", detail, headers={"Retry-After": "5"}, limit=f"waits-{whose}", cap=most)
