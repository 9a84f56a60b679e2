"""Webhooks: where a player wants to be told of games, and the secrets with which what is told is signed."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from . import keys
from .connection import Server
from .errors import DamagedData, TooManyWebhooks
from .lua import script

_logger = logging.getLogger(__name__)

MOST = 20
"""How many webhooks a player may have."""

ADD = script("add_webhook")
CHANGE = script("change_webhook")
VERIFY = script("verify_webhook")
ROTATE = script("rotate_secret")
PAUSE = script("pause_webhook")
REMOVE = script("remove_webhook")


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
            raise TooManyWebhooks(f"you already have the maximum of {MOST} webhooks")
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
        values = _written(changed)
        removed = [name for name, value in values.items() if value is None]
        fields = [part for name, value in values.items() if value is not None for part in (name, value)]
        where = [_key(webhook_id), keys.of_webhook(webhook_id, "planned"), *([claim] if claim else [])]
        games_changed = "1" if "games" in changed else ""
        return bool(self._server.run(CHANGE, where, [games_changed, len(removed), *removed, *fields]))

    def verify(self, webhook: Webhook) -> bool:
        """Write that the endpoint has answered its ping; False where it is the webhook's no longer. One round trip."""
        return bool(self._server.run(VERIFY, [_key(webhook.id)], [webhook.url]))

    def rotate(self, webhook_id: str, secret: str, until: int, claim: str | None = None) -> bool:
        """Put a secret in force; those before are valid until some time (ms), or as long as they were. One round trip.

        False when there is no such webhook.
        """
        where = [_key(webhook_id), *([claim] if claim else [])]
        return bool(self._server.run(ROTATE, where, [secret, until]))

    def pause(self, secrets: Mapping[str, str]) -> None:
        """Make webhooks inactive, and give each a secret that replaces all of its others at once; one round trip.

        `secrets` are by the webhooks' ids; a webhook that has been removed meanwhile stays removed.
        """
        if secrets:
            self._server.ask_all(
                self._server.command(PAUSE, [_key(name)], [secret]) for name, secret in secrets.items()
            )

    def remove(self, webhook: Webhook, claim: str | None = None) -> None:
        """Forget a webhook and all that it was told; two round trips."""
        waiting = keys.of_webhook(webhook.id, "waiting")
        games = [game.decode() for game in self._server.ask("SMEMBERS", waiting)]
        kinds = ("webhook", "planned", "sequences", "deliveries", "told", "waiting", "waking")
        kept = [keys.of_webhook(webhook.id, kind) for kind in (*kinds, *(f"lane:{game}" for game in games))]
        lanes = keys.of_shard(keys.shard_of_webhook(webhook.id), "lanes")
        where = [keys.of_player(webhook.player, "webhooks"), lanes, *kept, *([claim] if claim else [])]
        has_claim = "1" if claim else ""
        lane_names = [f"{webhook.id} {game}" for game in games]
        self._server.run(REMOVE, where, [webhook.id, has_claim, *lane_names])


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
        _logger.warning("ignoring a webhook: %s", error)
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
