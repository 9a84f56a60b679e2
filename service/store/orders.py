"""Standing orders: the current orders of each seat in a game, and the history of the seat's earlier orders.

Orders are stored next to the game's log, never in the log. Each append checks whether the seat to act has any orders
(`append.lua`). For this reason, orders and history are stored in separate hashes, and a seat without orders has no
field in `orders`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from . import keys
from .connection import Server
from .lua import script
from .transport import Command

CHANGE = script("change_orders")


@dataclass(frozen=True)
class StoredOrders:
    """The stored orders of a seat, and their history, as bytes. If the seat has no orders or no history, that field is
    b"".

    The `repr` hides orders and history, because they name cards.
    """

    orders: bytes = field(default=b"", repr=False)
    history: bytes = field(default=b"", repr=False)


def write_orders(game_id: str, seat: int, stored: StoredOrders) -> list[Command]:
    """Return the commands that write a seat's orders and history.

    Run the commands together with the commit that the orders cause.
    """
    fields = (("orders", stored.orders), ("orders-history", stored.history))
    return [_write(keys.of_game(game_id, kind), seat, text) for kind, text in fields]


def withdraw_orders(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return the commands that withdraw these seats' orders but keep the history of the orders."""
    return [("HDEL", keys.of_game(game_id, "orders"), seat) for seat in seats]


def forget_orders(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return the commands that withdraw these seats' orders and remove the history of the orders."""
    kinds = ("orders", "orders-history")
    return [("HDEL", keys.of_game(game_id, kind), seat) for seat in seats for kind in kinds]


def _write(key: str, seat: int, text: bytes) -> Command:
    return ("HSET", key, seat, text) if text else ("HDEL", key, seat)


class Orders:
    """The standing orders of all games."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def read(self, game_id: str, seat: int) -> StoredOrders:
        """Return the stored orders of a seat. Takes one round trip. Raises: StoreUnavailable."""
        reads = [("HGET", keys.of_game(game_id, kind), seat) for kind in ("orders", "orders-history")]
        orders, history = self._server.ask_all(reads)
        return StoredOrders(orders or b"", history or b"")

    def read_all(self, seats: Sequence[tuple[str, int]]) -> list[StoredOrders]:
        """Return the stored orders of `seats`, each given by a game's id and a seat number.

        Takes one round trip, or none if there are no seats. Orders that cannot be read are treated as missing. Raises:
        StoreError.
        """
        kinds = ("orders", "orders-history")
        reads = [("HGET", keys.of_game(game_id, kind), seat) for game_id, seat in seats for kind in kinds]
        answers = iter(self._server.ask_parts(reads) if reads else ())
        return [StoredOrders(orders or b"", history or b"") for orders, history in zip(answers, answers, strict=True)]

    def forget(self, game_id: str, seat: int) -> None:
        """Remove the orders of a seat and their history. Takes one round trip. Raises: StoreUnavailable."""
        self._server.ask_all(forget_orders(game_id, [seat]))

    def change(
        self, game_id: str, seat: int, length: int, before: StoredOrders, after: StoredOrders, act: bool | None
    ) -> int | None:
        """Write a seat's orders, unless the orders or the log's length have changed in the meantime. Takes one round
        trip.

        `act` says whether the orders must act now, or is None if the game is not waiting for the seat. Returns the time
        of the write (ms since the epoch, according to the server's clock), or None if the orders or the log have
        changed. Raises: StoreUnavailable.
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
