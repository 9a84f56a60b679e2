"""Webhooks: where a player wants to be told of games, and the secrets with which what is told is signed."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from . import keys
from .answers import MARKS
from .connection import Server, script
from .errors import DamagedData, TooManyWebhooks

_logger = logging.getLogger(__name__)

MOST = 20
"""How many webhooks a player may have."""

ADD = script("""
-- Makes a webhook.
--
-- KEYS  1 the player's webhooks, 2 the webhook
-- ARGV  1 its id, 2 how many a player may have, 3... its fields, each before its value
-- gives 1 made, 2 found as an earlier attempt left it; 0 the player has too many
--
-- Reason: two who ask at once must not both get the last place.
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 2
end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], unpack(ARGV, 3))
return 1
""")

CHANGE = script(
    MARKS
    + """
-- Changes fields of a webhook.
--
-- KEYS  1 the webhook, 2 up to which commits its games have been planned, 3 the claim of the request if it may be
--       repeated
-- ARGV  1 '1' where other games are chosen, or '', 2 how many fields are removed, 3... these, then fields that are set,
--       each before its value
-- gives 1 changed, now or by an earlier attempt; 0 there is no such webhook
--
-- Reason: a webhook must not come into being by a change. What happened while it was not active, or in games that were
-- not chosen, is not made up for.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
if mark(KEYS[3], 'changed') then
  return 1
end
set_mark(KEYS[3], 'changed', '1')
local removed = tonumber(ARGV[2])
local set = {unpack(ARGV, 3 + removed)}
if ARGV[1] == '1' or redis.call('HGET', KEYS[1], 'active') ~= '1' then
  redis.call('DEL', KEYS[2])
end
if removed > 0 then
  redis.call('HDEL', KEYS[1], unpack(ARGV, 3, 2 + removed))
end
if #set > 0 then
  redis.call('HSET', KEYS[1], unpack(set))
end
return 1
"""
)


VERIFY = script("""
-- Writes that an endpoint has answered its ping.
--
-- KEYS  1 the webhook
-- ARGV  1 the url that was asked
-- gives 1 written, 0 the webhook leads elsewhere by now, or is gone
--
-- Reason: what one endpoint has answered must not speak for another.
if redis.call('HGET', KEYS[1], 'url') ~= ARGV[1] then
  return 0
end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[1], 'verified', string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000)))
return 1
""")

ROTATE = script(
    MARKS
    + """
-- Puts a secret in force before all others.
--
-- KEYS  1 the webhook, 2 the claim of the request if it may be repeated
-- ARGV  1 the secret, 2 until when the one before is valid (ms)
-- gives 1 done, or found as an earlier attempt of this very call left it; 0 there is no such webhook
--
-- Reason: of two that are made at once neither must take the other out of force.
local kept = redis.call('HGET', KEYS[1], 'secrets')
if not kept then
  return 0
end
local secrets = cjson.decode(kept)
if mark(KEYS[2], 'rotated') then
  return 1
end
set_mark(KEYS[2], 'rotated', '1')
if secrets[1][1] == ARGV[1] then
  return 1
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local after = {{ARGV[1], 0}}
for _, secret in ipairs(secrets) do
  local ends = secret[2] == 0 and tonumber(ARGV[2]) or secret[2]
  if ends > now then
    table.insert(after, {secret[1], ends})
  end
end
redis.call('HSET', KEYS[1], 'secrets', cjson.encode(after))
return 1
"""
)

PAUSE = """
-- Stops a webhook and leaves one secret in force.
--
-- KEYS  1 the webhook
-- ARGV  1 the secret
-- gives 1 done, 0 there is no such webhook
--
-- Reason: a webhook must not come into being by this, and nothing may be signed with an older secret afterwards.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'active', '0', 'secrets', cjson.encode({{ARGV[1], 0}}))
return 1
"""

REMOVE = script(
    MARKS
    + """
-- Forgets a webhook.
--
-- KEYS  1 the player's webhooks, 2 lanes, 3... all that is kept of the webhook, and at the end the claim of the
--       request if it may be repeated
-- ARGV  1 its id, 2 '1' where there is a claim or '', 3... names of its lanes
-- gives 1
--
-- Reason: a webhook that is half gone would take a place, and could not be removed.
local claim = ARGV[2] == '1' and KEYS[#KEYS] or nil
for i = 3, claim and #KEYS - 1 or #KEYS do
  redis.call('DEL', KEYS[i])
end
redis.call('SREM', KEYS[1], ARGV[1])
for i = 3, #ARGV do
  redis.call('ZREM', KEYS[2], ARGV[i])
end
set_mark(claim, 'removed', '1')
return 1
"""
)


@dataclass(frozen=True)
class Webhook:
    """Where and of what a player wants to be told; times in ms since the epoch.

    `games` is None for all of the player's games; `payload` is thin or full; `verified` says when the endpoint has
    answered a ping, `failing` since when it has not taken anything, `disabled` why the service has stopped telling it.
    Each of the `secrets` stands with the time until which it is valid; the first is in force, and has 0 there.
    """

    id: str
    player: str
    url: str
    events: Sequence[str]
    games: Sequence[str] | None
    payload: str
    active: bool
    created: int
    secrets: Sequence[tuple[str, int]] = field(repr=False)
    verified: int | None = None
    failing: int | None = None
    disabled: str | None = None

    def valid_secrets(self, now: int) -> list[str]:
        """Return the secrets that sign at a time (ms since the epoch), the one in force first."""
        return [secret for secret, until in self.secrets if not until or until > now]


FIELDS = tuple(member.name for member in dataclasses.fields(Webhook) if member.name != "id")
"""The fields of the hash that keeps a webhook; one that says nothing is not there."""


class Webhooks:
    """Everybody's webhooks, each in the shard of its player."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are kept."""
        self._server = server

    def add(self, webhook: Webhook) -> bool:
        """Keep a new webhook; False, and nothing is written, where it is there already. One round trip.

        Raises: TooManyWebhooks, StoreUnavailable.
        """
        fields = [part for pair in to_fields(webhook).items() for part in pair]
        args = [webhook.id, MOST, *fields]
        added = self._server.run(ADD, [keys.of_player(webhook.player, "webhooks"), _key(webhook.id)], args)
        if not added:
            raise TooManyWebhooks(f"nobody may have more than {MOST}")
        return bool(added == 1)

    def get(self, webhook_id: str) -> Webhook | None:
        """Return a webhook, None when there is none with this id; one round trip."""
        if not keys.is_webhook_id(webhook_id):
            return None
        return _sound(webhook_id, self._server.ask("HMGET", _key(webhook_id), *FIELDS))

    def of_players(self, players: Iterable[str]) -> list[Webhook]:
        """Return the webhooks of players, a player's in the order in which they were made; at most two round trips."""
        reads = [("SMEMBERS", keys.of_player(player, "webhooks")) for player in players]
        found = self._server.ask_parts(reads) if reads else []
        ids = [member.decode(errors="replace") for members in found for member in members or ()]
        ids = [webhook_id for webhook_id in ids if keys.is_webhook_id(webhook_id)]
        if not ids:
            return []
        found = self._server.ask_parts([("HMGET", _key(webhook_id), *FIELDS) for webhook_id in ids])
        read = (_readable(webhook_id, values) for webhook_id, values in zip(ids, found, strict=True) if values)
        return sorted((webhook for webhook in read if webhook), key=lambda webhook: (webhook.created, webhook.id))

    def change(self, webhook_id: str, changed: Mapping[str, Any], claim: str | None = None) -> bool:
        """Change fields of a webhook, by their names in `Webhook`; False when there is none. One round trip.

        With the `claim` of a request that may be repeated, it is done once for it; the same below.
        """
        written = _written(changed)
        removed = [name for name, value in written.items() if value is None]
        kept = [part for name, value in written.items() if value is not None for part in (name, value)]
        wanted = [_key(webhook_id), keys.of_webhook(webhook_id, "planned"), *([claim] if claim else [])]
        others = "1" if "games" in changed else ""
        return bool(self._server.run(CHANGE, wanted, [others, len(removed), *removed, *kept]))

    def verify(self, webhook: Webhook) -> bool:
        """Write that the endpoint has answered its ping; False where it is the webhook's no longer. One round trip."""
        return bool(self._server.run(VERIFY, [_key(webhook.id)], [webhook.url]))

    def rotate(self, webhook_id: str, secret: str, until: int, claim: str | None = None) -> bool:
        """Put a secret in force; those before are valid until some time (ms), or as long as they were. One round trip.

        False when there is no such webhook.
        """
        return bool(self._server.run(ROTATE, [_key(webhook_id), *([claim] if claim else [])], [secret, until]))

    def pause(self, secrets: Mapping[str, str]) -> None:
        """Make webhooks inactive, and give each a secret that replaces all of its others at once; one round trip.

        `secrets` are by the webhooks' ids; a webhook that has been removed meanwhile stays removed.
        """
        if secrets:
            self._server.ask_all([("EVAL", PAUSE, 1, _key(name), secret) for name, secret in secrets.items()])

    def remove(self, webhook: Webhook, claim: str | None = None) -> None:
        """Forget a webhook and all that it was told; two round trips."""
        waiting = keys.of_webhook(webhook.id, "waiting")
        games = [game.decode() for game in self._server.ask("SMEMBERS", waiting)]
        kinds = ("webhook", "planned", "sequences", "deliveries", "told", "waiting", "waking")
        kept = [keys.of_webhook(webhook.id, kind) for kind in (*kinds, *(f"lane:{game}" for game in games))]
        lanes = keys.of_shard(keys.shard_of_webhook(webhook.id), "lanes")
        listed = keys.of_player(webhook.player, "webhooks")
        wanted = [listed, lanes, *kept, *([claim] if claim else [])]
        args = [webhook.id, "1" if claim else "", *(f"{webhook.id} {game}" for game in games)]
        self._server.run(REMOVE, wanted, args)


def to_fields(webhook: Webhook) -> dict[str, Any]:
    """Return a webhook as the fields of a hash; one that says nothing is left out."""
    values = _written({name: getattr(webhook, name) for name in FIELDS})
    return {name: value for name, value in values.items() if value is not None}


def from_values(webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return the webhook that the values of `FIELDS` say, None where there is none."""
    read = {name: _READ.get(name, bytes.decode)(value) for name, value in zip(FIELDS, values, strict=True) if value}
    return Webhook(webhook_id, **{"games": None, **read}) if read else None


def _readable(webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return a webhook, None where what is kept of it cannot be read: others are not to wait for it."""
    try:
        return _sound(webhook_id, values)
    except DamagedData as error:
        _logger.warning("a webhook is left out: %s", error)
        return None


def _sound(webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return the webhook that values say, None where there is none. Raises: DamagedData where they say none."""
    try:
        webhook = from_values(webhook_id, values)
    except (TypeError, ValueError) as error:
        raise DamagedData(f"{_key(webhook_id)} does not hold a webhook") from error
    if webhook is not None and not _has_its_shape(webhook):
        raise DamagedData(f"{_key(webhook_id)} does not hold a webhook")
    return webhook


def _has_its_shape(webhook: Webhook) -> bool:
    lists = [webhook.events, [] if webhook.games is None else webhook.games]
    return (
        all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in lists)
        and bool(webhook.secrets)
        and all(isinstance(secret, str) and isinstance(until, int) for secret, until in webhook.secrets)
    )


_WRITE: Mapping[str, Callable[[Any], Any]] = {
    "events": orjson.dumps,
    "games": orjson.dumps,
    "secrets": orjson.dumps,
    "active": int,
}


_READ: Mapping[str, Callable[[bytes], Any]] = {
    "events": orjson.loads,
    "games": orjson.loads,
    "secrets": lambda value: [(secret, until) for secret, until in orjson.loads(value)],
    "active": lambda value: value == b"1",
    "created": int,
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
