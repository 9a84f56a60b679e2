"""Invitations: which players were invited to which open games, and the notices not yet sent to webhooks.

The rows are stored in the game's shard, but not in the game's log, because an invitation is private and can be deleted.
A rebuild neither compares nor repairs these rows. `invitations:<game>` has a row for each player who was invited, with
the answer, if any. `invited:<player>` has the same row until the player answers. Readers merge the rows of all shards.
`invitation-feed:<player>` lists, in order, the invitations that the player received, and the player's own invitations
that others declined. `untold` holds the notices for which no deliveries have been planned yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from . import keys
from .connection import Server
from .feed_shards import note_shard
from .hashes import read_hash
from .lua import script
from .rows import object_in, objects
from .tables import invited_key, reserved_key

RECEIVED, PROPOSED, DECLINED = "invitation.received", "rematch.proposed", "invitation.declined"
"""The kinds of notices about invitations."""
MOST = 20
"""The maximum number of players who can be invited to one game."""
_MEMBERS = ("game", "player", "by", "at", "until", "kind", "seat", "rematch_of", "answer")

INVITE = script("invite")
ANSWER = script("answer_invitation")
FORGET = script("forget_invitations")

Json = dict[str, Any]


def feed_of(shard: int, player: str) -> str:
    """Return the key of a player's invitation feed in a shard."""
    return keys.of_shard(shard, f"invitation-feed:{player}")


class Notice(NamedTuple):
    """A notice about an invitation, for one player's webhooks. `kind` is the type of webhook event."""

    player: str
    kind: str
    at: int
    invitation: Json


class Invitations:
    """The invitations of all games."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def invite(self, invitation: Mapping[str, Any], kind: str) -> Json | None:
        """Store an invitation, and return the stored invitation. Return None if the game has too many invitations.

        Takes two round trips. If the player has already declined an invitation to the game, or still has an unexpired
        invitation, that invitation is returned instead. Otherwise, the player's webhooks and feed get a notice of this
        `kind`. Raises: StoreError.
        """
        game_id, player = invitation["game"], invitation["player"]
        text, shard = orjson.dumps(invitation), keys.shard_of_game(game_id)
        note_shard(self._server, [player], shard)
        where = [_of_game(game_id), invited_key(game_id, player), _notices_key(shard), feed_of(shard, player)]
        notice = [f"{game_id} {player} {kind}", f"{game_id} {kind} {player}", keys.WAKES, f"{game_id} 0 {player}"]
        args = [game_id, player, text, invitation["at"], MOST, *notice]
        answer = self._server.run(INVITE, where, args)
        return None if answer == 0 else object_in(answer, *_MEMBERS)

    def answer(self, invitation: Mapping[str, Any], kind: str, recipient: str) -> bool:
        """Store the answer to an invitation. Return False if the player has no invitation. Takes two round trips.

        The webhooks and the feed of the player `recipient` get a notice of this `kind`. Raises: StoreError.
        """
        game_id, player = invitation["game"], invitation["player"]
        shard = keys.shard_of_game(game_id)
        note_shard(self._server, [recipient], shard)
        where = [_of_game(game_id), invited_key(game_id, player), _notices_key(shard), reserved_key(game_id)]
        where.append(feed_of(shard, recipient))
        args = [game_id, player, orjson.dumps(invitation), f"{game_id} {recipient} {kind} {player}"]
        args += [f"{game_id} {kind} {player}", keys.WAKES, f"{game_id} 0 {recipient}"]
        return bool(self._server.run(ANSWER, where, args))

    def forget(self, game_id: str, player: str) -> None:
        """Remove a player's invitation to a game. Takes one round trip. Raises: StoreError."""
        where = [_of_game(game_id), invited_key(game_id, player), reserved_key(game_id)]
        self._server.run(FORGET, where, [game_id, player])

    def forget_pending(self, game_id: str, player: str) -> None:
        """Remove an invitation from a player's list, for example because the game has started.

        Takes one round trip. Raises: StoreError.
        """
        self._server.ask("HDEL", invited_key(game_id, player), game_id)

    def of_game(self, game_id: str) -> list[Json]:
        """Return all invitations to a game, oldest first. Takes one round trip. Raises: StoreError."""
        found = objects(self._server.ask("HVALS", _of_game(game_id)), *_MEMBERS)
        return sorted(found, key=lambda invitation: (invitation["at"], invitation["player"]))

    def of_player(self, player: str) -> list[Json]:
        """Return the invitations that a player has not answered, in no particular order. Takes one round trip.

        Raises: StoreError.
        """
        reads = [("HVALS", keys.of_shard(shard, f"invited:{player}")) for shard in range(keys.SHARDS)]
        return objects((row for rows in self._server.ask_parts(reads) for row in rows or ()), *_MEMBERS)

    def to_player(self, game_id: str, player: str) -> Json | None:
        """Return a player's unanswered invitation to a game, or None. Takes one round trip. Raises: StoreError."""
        row = self._server.ask("HGET", invited_key(game_id, player), game_id)
        return None if row is None else object_in(row, *_MEMBERS)

    def invited(self, players: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Json]:
        """Return the invitations for these pairs of a game and a player, whether or not they have been answered.

        Invitations that were withdrawn are left out. Takes one round trip, or none if there are no players. Raises:
        StoreError.
        """
        wanted = list(dict.fromkeys(players))
        reads = [("HGET", _of_game(game_id), player) for game_id, player in wanted]
        rows = self._server.ask_parts(reads) if reads else []
        found = ((pair, object_in(row, *_MEMBERS)) for pair, row in zip(wanted, rows, strict=True) if row is not None)
        return {pair: invitation for pair, invitation in found if invitation is not None}

    def untold(self, shards: Sequence[int]) -> dict[int, dict[str, Notice]]:
        """For each shard that has notices, return its notices, keyed by the names of their rows. Takes one round trip.

        Raises: StoreError.
        """
        answers = self._server.ask_parts([read_hash(_notices_key(shard)) for shard in shards])
        return {shard: _notices(answer) for shard, answer in zip(shards, answers, strict=True) if answer}

    def note_told(self, shard: int, names: Iterable[str]) -> None:
        """Remove notices whose deliveries have been planned. Takes one round trip. Raises: StoreError."""
        self._server.ask("HDEL", _notices_key(shard), *names)


def _notices(answer: Sequence[bytes]) -> dict[str, Notice]:
    """Return the notices in the reply to a command that reads `untold`. A row that cannot be read is left out."""
    notices = {}
    for name, row in zip(answer[::2], answer[1::2], strict=True):
        game_id, player, kind, *_ = [*name.decode(errors="replace").split(" "), "", ""]
        invitation = object_in(row, *_MEMBERS)
        if invitation is not None and keys.is_game_id(game_id) and keys.is_player_id(player):
            notices[name.decode()] = Notice(player, kind, invitation.get("answered", invitation["at"]), invitation)
    return notices


def _of_game(game_id: str) -> str:
    return keys.of_game(game_id, "invitations")


def _notices_key(shard: int) -> str:
    return keys.of_shard(shard, "untold")
