"""Feed shards: the shards that contain talk messages for a player, or notices about a player's invitations.

Most players have messages and notices in only a few shards, so a reader does not have to search all shards. The set of
a player's feed shards is stored in the player's own shard. A shard is added to the set before the message or notice is
written to the shard, so readers never miss a shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import keys
from .connection import Server
from .lua import script
from .rows import parse_int

NOTE_SHARD = script("note_feed_shard")


def shards_key(player: str) -> str:
    """Return the key of the set that lists a player's feed shards.

    The name contains `talk` because the set was originally used only for talk.
    """
    return keys.of_player(player, "talk-shards")


def read_shards(answer: Iterable[bytes] | None) -> set[int]:
    """Return the shards listed in the reply to `SMEMBERS` for a `shards_key`."""
    numbers = (parse_int(member) for member in answer or ())
    return {number for number in numbers if number is not None and number < keys.SHARDS}


def note_shard(server: Server, players: Sequence[str], shard: int) -> None:
    """Record that a shard will soon have a message or notice for each of these players. Takes one round trip.

    Raises: StoreError.
    """
    server.ask_all(server.command(NOTE_SHARD, [shards_key(player)], [shard]) for player in players)
