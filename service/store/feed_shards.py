"""Feed shards: which shards have talk messages for a player, or notices about the player's invitations.

Most players have messages and notices in few shards, so a reader need not search all shards. The set of these shards is
in the player's own shard. A shard is added before the message or notice is written, so a reader misses no shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import keys
from .connection import Server
from .lua import script
from .rows import parse_int

NOTE_SHARD = script("note_feed_shard")


def shards_key(player: str) -> str:
    """Return the key of the set of a player's shards.

    The name contains `talk` because the set was originally used only for talk.
    """
    return keys.of_player(player, "talk-shards")


def read_shards(answer: Iterable[bytes] | None) -> set[int]:
    """Return the shards in the reply to `SMEMBERS` of a `shards_key`."""
    numbers = (parse_int(member) for member in answer or ())
    return {number for number in numbers if number is not None and number < keys.SHARDS}


def note_shard(server: Server, players: Sequence[str], shard: int) -> None:
    """Record that a shard will soon have something for each of these players. Takes one round trip.

    Raises: StoreError.
    """
    server.ask_all(server.command(NOTE_SHARD, [shards_key(player)], [shard]) for player in players)
