"""Standing orders: what stands for each seat of a game, and what has become of what stood.

They lie beside the log and never in it. An append looks whether the seat that it asks has any (`append.lua`); so what
stands and what has been are kept apart, and a seat for which nothing stands has no orders at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import keys
from .connection import Server
from .lua import script
from .transport import Command

CHANGE = script("change_orders")


@dataclass(frozen=True)
class Kept:
    """What is kept for a seat, as it is written; b"" where nothing is. Never printed: it names cards."""

    orders: bytes = field(default=b"", repr=False)
    history: bytes = field(default=b"", repr=False)


def written(game_id: str, seat: int, kept: Kept) -> list[Command]:
    """Return what writes a seat's orders and their history, to be written with the commit that they make."""
    fields = (("orders", kept.orders), ("orders-history", kept.history))
    return [_write(keys.of_game(game_id, kind), seat, text) for kind, text in fields]


def withdrawn(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return what withdraws the orders of some seats; what has become of those before stays readable."""
    return [("HDEL", keys.of_game(game_id, "orders"), seat) for seat in seats]


def forgotten(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return what withdraws the orders of some seats, and all that is known of earlier ones."""
    kinds = ("orders", "orders-history")
    return [("HDEL", keys.of_game(game_id, kind), seat) for seat in seats for kind in kinds]


def _write(key: str, seat: int, text: bytes) -> Command:
    return ("HSET", key, seat, text) if text else ("HDEL", key, seat)


class Orders:
    """The standing orders of all games."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def read(self, game_id: str, seat: int) -> Kept:
        """Return what is kept for a seat; one round trip. Raises: StoreUnavailable."""
        reads = [("HGET", keys.of_game(game_id, kind), seat) for kind in ("orders", "orders-history")]
        orders, history = self._server.ask_all(reads)
        return Kept(orders or b"", history or b"")

    def change(self, game_id: str, seat: int, length: int, before: Kept, after: Kept, act: bool | None) -> int | None:
        """Write what is kept for a seat, unless it or the log's length are others than before; None where they are.

        `act` tells whether the orders must answer now, and is None where the game does not wait for the seat. Returns
        the time (ms since the epoch, by the server's clock). One round trip. Raises: StoreUnavailable.
        """
        where = [
            keys.of_game(game_id, "log"),
            keys.of_shard(keys.shard_of_game(game_id), "due"),
            keys.of_game(game_id, "orders"),
            keys.of_game(game_id, "orders-history"),
        ]
        turn = "" if act is None else str(int(act))
        texts = [before.orders, before.history, after.orders, after.history]
        return self._server.run(CHANGE, where, [length, game_id, seat, *texts, turn]) or None
