"""Webhooks: where a player wants to be told of games, and the secrets with which what is told is signed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from . import keys
from .connection import Server, script
from .errors import TooManyWebhooks
from .lines import Command

MOST = 20
"""How many webhooks a player may have."""

ADD = script("""
-- Makes a webhook.
--
-- KEYS  1 the player's webhooks, 2 the webhook
-- ARGV  1 its id, 2 how many a player may have, 3... its fields, each before its value
-- gives 1 made, or found as an earlier attempt of this very call left it; 0 the player has too many
--
-- Reason: two who ask at once must not both get the last place.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 1
end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], unpack(ARGV, 3))
return 1
""")

CHANGE = script("""
-- Changes fields of a webhook.
--
-- KEYS  1 the webhook, 2 up to which commits its games have been planned
-- ARGV  1 how many fields are removed, 2... these, then fields that are set, each before its value
-- gives 1 changed, 0 there is no such webhook
--
-- Reason: a webhook must not come into being by a change. What happened while it was not active is not made up for.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local removed = tonumber(ARGV[1])
local set = {unpack(ARGV, 2 + removed)}
if redis.call('HGET', KEYS[1], 'active') ~= '1' then
  redis.call('DEL', KEYS[2])
end
if removed > 0 then
  redis.call('HDEL', KEYS[1], unpack(ARGV, 2, 1 + removed))
end
if #set > 0 then
  redis.call('HSET', KEYS[1], unpack(set))
end
return 1
""")


@dataclass(frozen=True)
class Webhook:
    """Where and of what a player wants to be told; times in ms since the epoch.

    `games` is None for all of the player's games; `payload` is thin or full; `verified` says when the endpoint has
    answered a ping, `failing` since when it has not taken anything, `disabled` why the service has stopped telling it.
    Of the `secrets` the first is in force, the second is valid until `old_until`.
    """

    id: str
    player: str
    url: str
    events: Sequence[str]
    games: Sequence[str] | None
    payload: str
    active: bool
    created: int
    secrets: Sequence[str] = field(repr=False)
    old_until: int = 0
    verified: int | None = None
    failing: int | None = None
    disabled: str | None = None


FIELDS = tuple(member.name for member in dataclasses.fields(Webhook) if member.name != "id")
"""The fields of the hash that keeps a webhook; one that says nothing is not there."""


class Webhooks:
    """Everybody's webhooks, each in the shard of its player."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are kept."""
        self._server = server

    def add(self, webhook: Webhook) -> None:
        """Keep a new webhook; one round trip. Raises: TooManyWebhooks, StoreUnavailable."""
        fields = [part for pair in to_fields(webhook).items() for part in pair]
        args = [webhook.id, MOST, *fields]
        if not self._server.run(ADD, [keys.of_player(webhook.player, "webhooks"), _key(webhook.id)], args):
            raise TooManyWebhooks(f"nobody may have more than {MOST}")

    def get(self, webhook_id: str) -> Webhook | None:
        """Return a webhook, None when there is none with this id; one round trip."""
        if not keys.is_webhook_id(webhook_id):
            return None
        return from_values(webhook_id, self._server.ask("HMGET", _key(webhook_id), *FIELDS))

    def of_players(self, players: Iterable[str]) -> list[Webhook]:
        """Return the webhooks of players, a player's in the order in which they were made; at most two round trips."""
        reads = [("SMEMBERS", keys.of_player(player, "webhooks")) for player in players]
        ids = [member.decode() for members in self._server.ask_all(reads) for member in members] if reads else []
        if not ids:
            return []
        found = self._server.ask_all([("HMGET", _key(webhook_id), *FIELDS) for webhook_id in ids])
        read = (from_values(webhook_id, values) for webhook_id, values in zip(ids, found, strict=True))
        return sorted((webhook for webhook in read if webhook), key=lambda webhook: (webhook.created, webhook.id))

    def change(self, webhook_id: str, changed: Mapping[str, Any]) -> bool:
        """Change fields of a webhook, by their names in `Webhook`; False when there is none. One round trip."""
        written = _written(changed)
        removed = [name for name, value in written.items() if value is None]
        kept = [part for name, value in written.items() if value is not None for part in (name, value)]
        wanted = [_key(webhook_id), keys.of_webhook(webhook_id, "planned")]
        return bool(self._server.run(CHANGE, wanted, [len(removed), *removed, *kept]))

    def remove(self, webhook: Webhook) -> None:
        """Forget a webhook and all that it was told; two round trips."""
        waiting = keys.of_webhook(webhook.id, "waiting")
        games = [game.decode() for game in self._server.ask("SMEMBERS", waiting)]
        kept = ("webhook", "planned", "sequences", "deliveries", "told", "waiting")
        lanes = [keys.of_webhook(webhook.id, f"lane:{game}") for game in games]
        forgotten = [*(keys.of_webhook(webhook.id, kind) for kind in kept), *lanes]
        commands: list[Command] = [
            ("DEL", *forgotten),
            ("SREM", keys.of_player(webhook.player, "webhooks"), webhook.id),
        ]
        if games:
            shard = keys.shard_of_webhook(webhook.id)
            commands.append(("ZREM", keys.of_shard(shard, "lanes"), *(f"{webhook.id} {game}" for game in games)))
        self._server.ask_all(commands)


def to_fields(webhook: Webhook) -> dict[str, Any]:
    """Return a webhook as the fields of a hash; one that says nothing is left out."""
    values = _written({name: getattr(webhook, name) for name in FIELDS})
    return {name: value for name, value in values.items() if value is not None}


def from_values(webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return the webhook that the values of `FIELDS` say, None where there is none."""
    read = {name: _READ.get(name, bytes.decode)(value) for name, value in zip(FIELDS, values, strict=True) if value}
    return Webhook(webhook_id, **{"games": None, **read}) if read else None


_WRITE: Mapping[str, Callable[[Any], Any]] = {
    "events": orjson.dumps,
    "games": orjson.dumps,
    "secrets": orjson.dumps,
    "active": int,
}


_READ: Mapping[str, Callable[[bytes], Any]] = {
    "events": orjson.loads,
    "games": orjson.loads,
    "secrets": orjson.loads,
    "active": lambda value: value == b"1",
    "created": int,
    "old_until": int,
    "verified": int,
    "failing": int,
}


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as a hash keeps them; None stays None."""
    return {
        name: _WRITE[name](value) if name in _WRITE and value is not None else value for name, value in values.items()
    }


def _key(webhook_id: str) -> str:
    return keys.of_webhook(webhook_id, "webhook")
