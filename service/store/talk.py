"""Talk: the messages at the tables of all games. Each message is stored once, next to the game's log and never in it.

The messages of a game are in the hash `talk:<game>`. Lists hold the messages' ids in order: one list for the whole
table, one for the spectators' room, and one for each player's private messages. Readers see only the lists that they
may read, so a message's position in a list reveals nothing about messages in other lists. Message ids are random, so an
id reveals nothing about other messages. A rebuild neither checks nor restores talk, because talk is not derived from a
log.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from . import keys
from .blocks import blocks_in, read_blocks
from .connection import Server
from .feed_shards import note_shard, read_shards, shards_key
from .log import OUTBOX
from .lua import script
from .rows import object_in, parse_int
from .transport import Command

SEND = script("send_message")
MARK = script("mark_talk")
REMOVE = script("remove_talk")
MUTE = script("change_mutes")

TOO_MANY, ROOM_FULL, NO_GAME = 0, -1, -2
"""The reasons why a message was not stored."""
_MEMBERS = ("id", "at", "by", "seat", "room", "seats", "readers", "reader_seats", "text")

_logger = logging.getLogger(__name__)

Json = dict[str, Any]
Lists = tuple[str, str, str]
"""The keys of three lists: messages to the whole table, a player's private messages, and messages in the spectators'
room. The player may be able to read these lists.
"""


class Sending(NamedTuple):
    """A message to store: the game, the message as JSON, and the keys of the lists to which its id is added.

    `room` is the list whose length may not exceed `room_limit` (None: no limit). The message is added to the feeds of
    these `players`. The message wakes the readers who are waiting for one of the `topics`. `limit` is the maximum
    number of messages that the author may write in the game.
    """

    game: str
    message: Json
    room: str
    lists: Sequence[str]
    players: Sequence[str]
    topics: Sequence[str]
    limit: int
    room_limit: int | None


class Slice(NamedTuple):
    """A part of a list: the position of its first id, and the ids."""

    start: int
    ids: Sequence[str]


def lists_of(game: str, player: str) -> Lists:
    """Return the keys of a game's lists that a player may be able to read."""
    return (keys.of_game(game, "talk-table"), private_list(game, player), keys.of_game(game, "talk-spectators"))


def private_list(game: str, player: str) -> str:
    """Return the key of the list of a player's private messages in a game."""
    return keys.of_shard(keys.shard_of_game(game), f"talk-seats:{game}:{player}")


def topic_of(game: str, reader: str) -> str:
    """Return the topic on which new messages are announced to a reader, who is a player or `spectators`."""
    return f"{game}:{reader}"


def feed_of(shard: int, player: str) -> str:
    """Return the key of a player's feed of messages in a shard."""
    return keys.of_shard(shard, f"talk-feed:{player}")


class Talk:
    """The talk of all games."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def send(self, sending: Sending) -> Json | int:
        """Store a message. Return the message, or the reason why it was not stored. Takes two round trips.

        Raises: StoreError. If an earlier attempt with the same id has stored a message, return that message.
        """
        game, message = sending.game, sending.message
        shard, row = keys.shard_of_game(game), f"{game} {message['id']}"
        note_shard(self._server, sending.players, shard)
        writes: list[Command] = [("RPUSH", key, message["id"]) for key in sending.lists]
        writes += [("RPUSH", feed_of(shard, player), row) for player in sending.players]
        news = [player for player in sending.players if player != message["by"]]
        writes += [("SADD", keys.of_shard(shard, f"talk-news:{player}"), game) for player in news]
        where = [keys.of_game(game, kind) for kind in ("log", "talk", "talk-sent")]
        where += [keys.of_shard(shard, "talk-outbox"), sending.room]
        wake_up = " ".join((f"{keys.TALK}{game}", "0", *sending.players, *sending.topics))
        args: list[Any] = [message["id"], orjson.dumps(message), message["by"], sending.limit]
        args += ["" if sending.room_limit is None else sending.room_limit, game]
        args += [OUTBOX if news else "", keys.WAKES, wake_up]
        for name, key, *arguments in writes:
            where.append(key)
            args += [name, len(arguments), *arguments]
        result = self._server.run(SEND, where, args)
        return int(result) if isinstance(result, int) else dict(orjson.loads(result))

    def message(self, game: str, message: str) -> Json | None:
        """Return one message, or None if there is no such message. Takes one round trip. Raises: StoreError."""
        return self.messages({game: [message]}).get(message) if keys.is_message_id(message) else None

    def messages(self, ids: Mapping[str, Sequence[str]]) -> dict[str, Json]:
        """Return the messages with these ids, keyed by id. Messages that cannot be read are left out.

        `ids` maps each game to the ids of its messages. Takes one round trip, or none if there are no ids. Raises:
        StoreError.
        """
        reads = _reads(ids)
        return _messages_in(self._server.ask_parts(reads) if reads else ())

    def messages_for(self, ids: Mapping[str, Sequence[str]], reader: str) -> tuple[dict[str, Json], dict[str, int]]:
        """Return the result of `messages`, and the players whom the reader has blocked.

        Takes one round trip. Raises: StoreError.
        """
        blocks, *answers = self._server.ask_parts([read_blocks(reader), *_reads(ids)])
        return _messages_in(answers), blocks_in(blocks)

    def after(self, lists: Sequence[str], counts: Sequence[int], limit: int) -> list[Slice]:
        """Return at most `limit` ids of each list. `counts` says how many ids to skip at the start of each list.

        Takes one round trip. Raises: StoreError.
        """
        reads = [("LRANGE", key, count, count + limit - 1) for key, count in zip(lists, counts, strict=True)]
        answers = self._server.ask_parts(reads)
        return [Slice(count, _ids(answer)) for count, answer in zip(counts, answers, strict=True)]

    def newest(self, lists: Sequence[str], limit: int) -> list[Slice]:
        """Return the last `limit` ids of each list. Takes one round trip. Raises: StoreError.

        A list's length is read before its ids. If a message arrives between these two reads, the slice ends before this
        message.
        """
        reads = [command for key in lists for command in (("LLEN", key), ("LRANGE", key, -limit, -1))]
        answers = iter(self._server.ask_parts(reads))
        slices = []
        for length, ids in zip(answers, answers, strict=True):
            start = max((length or 0) - limit, 0)
            slices.append(Slice(start, _ids(ids)[: (length or 0) - start]))
        return slices

    def lengths(self, lists: Sequence[str]) -> list[int]:
        """Return the length of each list. Takes one round trip. Raises: StoreError."""
        return [length or 0 for length in self._server.ask_parts([("LLEN", key) for key in lists])] if lists else []

    def read_up_to(self, games: Sequence[str], player: str) -> list[Sequence[int]]:
        """Return, for each game, how many messages in each list the player has read. Takes one round trip."""
        reads = [("HGET", keys.of_game(game, "talk-read"), player) for game in games]
        return [_counts(text) for text in (self._server.ask_parts(reads) if reads else ())]

    def mark(self, game: str, player: str, counts: Sequence[int]) -> None:
        """Record how many messages in each list the player has read. Takes one round trip. Raises: StoreError."""
        shard = keys.shard_of_game(game)
        where = [keys.of_game(game, "talk-read"), keys.of_shard(shard, f"talk-news:{player}")]
        self._server.run(MARK, [*where, *lists_of(game, player)], [player, game, *counts])

    def shards(self, player: str) -> set[int]:
        """Return the shards that have a talk feed for a player. Takes one round trip. Raises: StoreError."""
        return read_shards(self._server.ask("SMEMBERS", shards_key(player)))

    def news(self, player: str) -> list[str]:
        """Return the games in which a player may have unread messages, sorted by id. Takes two round trips."""
        shards = sorted(self.shards(player))
        reads = [("SMEMBERS", keys.of_shard(shard, f"talk-news:{player}")) for shard in shards]
        games = [
            game.decode(errors="replace")
            for answer in (self._server.ask_parts(reads) if reads else ())
            for game in answer or ()
        ]
        return sorted(filter(keys.is_game_id, games))

    def of_player(self, player: str) -> dict[str, list[str]]:
        """Return the ids of all messages that a player has sent or received, keyed by game. Takes two round trips."""
        shards = sorted(self.shards(player))
        reads = [("LRANGE", feed_of(shard, player), 0, -1) for shard in shards]
        found: dict[str, list[str]] = {}
        for row in (row for answer in (self._server.ask_parts(reads) if reads else ()) for row in answer or ()):
            game, _, message = row.decode(errors="replace").partition(" ")
            if keys.is_game_id(game) and keys.is_message_id(message):
                found.setdefault(game, []).append(message)
        return found

    def remove(self, game: str, messages: Iterable[Json]) -> int:
        """Remove the text of each of these messages, unless the message has changed since it was read. Return how many
        of these messages have no text afterwards.

        Takes one round trip.
        """
        args: list[Any] = []
        for message in messages:
            args += [message["id"], orjson.dumps(message), orjson.dumps({**message, "text": None})]
        return int(self._server.run(REMOVE, [keys.of_game(game, "talk")], args)) if args else 0

    def mutes(self, game: str) -> Json:
        """Return which spectators are muted, as a dict with `everyone` (true or false) and `players`.

        Takes one round trip. Raises: StoreError.
        """
        text = self._server.ask("GET", keys.of_game(game, "talk-mutes"))
        return (object_in(text, "everyone", "players") if text else None) or {"everyone": False, "players": []}

    def mute(self, game: str, everyone: bool, players: Sequence[str]) -> None:
        """Store which spectators are muted. Takes one round trip. Raises: StoreError."""
        text = orjson.dumps({"everyone": everyone, "players": list(players)})
        self._server.run(MUTE, [keys.of_game(game, "talk-mutes")], [text])


def _reads(ids: Mapping[str, Sequence[str]]) -> list[Command]:
    return [("HMGET", keys.of_game(game, "talk"), *some) for game, some in ids.items() if some]


def _messages_in(answers: Iterable[Sequence[bytes | None] | None]) -> dict[str, Json]:
    """Return the messages in the replies to `_reads`, keyed by id. Messages that cannot be read are left out."""
    rows = [row for answer in answers for row in answer or ()]
    parsed = (object_in(row, *_MEMBERS) for row in rows if row is not None)
    return {message["id"]: message for message in parsed if message is not None}


def _ids(answer: Iterable[bytes] | None) -> list[str]:
    return [message.decode(errors="replace") for message in answer or ()]


def _counts(text: bytes | None) -> Sequence[int]:
    numbers = [parse_int(word) or 0 for word in (text or b"").split()]
    return (*numbers, 0, 0, 0)[:3]
