"""Webhooks: the endpoints to which a player's events are sent, and the secrets that sign the deliveries."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from . import keys
from .connection import Server
from .errors import DamagedData, TooManyWebhooks
from .keyring import Keyring, Unreadable
from .lua import script

_logger = logging.getLogger(__name__)

MAX_WEBHOOKS = 20
"""The maximum number of webhooks of one player, unless the settings contain another number."""
UNLIMITED = 2**31
"""A limit that no player can reach, because the store cannot hold that many webhooks."""

JSON = "json"
"""The format of a webhook whose endpoint is a program. A webhook from an earlier release has no format, and is treated
as if it had this format."""

ADD = script("add_webhook")
CHANGE = script("change_webhook")
VERIFY = script("verify_webhook")
ROTATE = script("rotate_secret")
PAUSE = script("pause_webhook")
REMOVE = script("remove_webhook")


@dataclass(frozen=True)
class Webhook:
    """A player's endpoint, and the events to send to it. Times are in ms since the epoch.

    `games` is None if the webhook covers all of the player's games. `payload` is thin or full. `format` is the form of
    the requests. `verified` is the time at which the endpoint answered a ping or was confirmed with a code. `failing`
    is the time at which the endpoint's current series of failures began. `disabled` is the reason why the service
    stopped sending to the endpoint. `secrets` are pairs of a secret and its expiry time. The first secret is the
    current one, and its expiry time is 0. The secrets are stored encrypted if the server has a secret key.

    A player's e-mail address is also stored as a webhook, and so is each browser that shows the player's notifications.
    A webhook for an address or a browser has its own format. Its secret is the e-mail address itself, or the keys of
    the browser's push subscription. `digest` is the time at which daily digests are sent, and `label` is the browser's
    name.
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
    format: str = JSON
    digest: str | None = None
    label: str | None = None

    def valid_secrets(self, now: int) -> list[str]:
        """Return the secrets that are valid at a time (ms since the epoch), current secret first."""
        return [secret for secret, until in self.secrets if not until or until > now]


FIELDS = tuple(member.name for member in dataclasses.fields(Webhook) if member.name != "id")
"""The fields of the hash that stores a webhook. A field whose value is None is left out."""


class Webhooks:
    """The webhooks of all players. Each webhook is in the shard of its player."""

    def __init__(self, server: Server, keyring: Keyring) -> None:
        """Use this server for all reads and writes, and these keys to encrypt and decrypt webhook secrets."""
        self._server = server
        self._keyring = keyring

    def add(self, webhook: Webhook, most: int | None = MAX_WEBHOOKS) -> bool:
        """Store a new webhook. If the webhook is already stored, write nothing and return False.

        Takes one round trip. `most` is the maximum number of webhooks that the player may have, or None if there is no
        maximum. Raises: TooManyWebhooks, StoreUnavailable.
        """
        fields = [part for pair in to_fields(self._keyring, webhook).items() for part in pair]
        args = [webhook.id, UNLIMITED if most is None else most, *fields]
        result = self._server.run(ADD, [keys.of_player(webhook.player, "webhooks"), _key(webhook.id)], args)
        if not result:
            raise TooManyWebhooks(f"you already have the maximum of {most} webhooks")
        return bool(result == 1)

    def get(self, webhook_id: str) -> Webhook | None:
        """Return a webhook, or None if no webhook has this id. Takes one round trip."""
        if not keys.is_webhook_id(webhook_id):
            return None
        return _parse(self._keyring, webhook_id, self._server.ask("HMGET", _key(webhook_id), *FIELDS))

    def of_players(self, players: Iterable[str]) -> list[Webhook]:
        """Return the webhooks of each player, oldest first. Takes at most two round trips."""
        reads = [("SMEMBERS", keys.of_player(player, "webhooks")) for player in players]
        answers = self._server.ask_parts(reads) if reads else []
        ids = [member.decode(errors="replace") for members in answers for member in members or ()]
        ids = [webhook_id for webhook_id in ids if keys.is_webhook_id(webhook_id)]
        if not ids:
            return []
        answers = self._server.ask_parts([("HMGET", _key(webhook_id), *FIELDS) for webhook_id in ids])
        webhooks = (
            _parse_or_skip(self._keyring, webhook_id, values)
            for webhook_id, values in zip(ids, answers, strict=True)
            if values
        )
        return sorted((webhook for webhook in webhooks if webhook), key=lambda webhook: (webhook.created, webhook.id))

    def change(self, webhook_id: str, changes: Mapping[str, Any], claim: str | None = None) -> bool:
        """Change some fields of a webhook. The fields have the same names as in `Webhook`.

        Return False if the webhook does not exist. Takes one round trip.

        If a request's `claim` is given, the change is made only once, even if the request is repeated. Every other
        method that takes a `claim` also makes its change only once.
        """
        values = _encode_fields(changes)
        removals = [name for name, value in values.items() if value is None]
        fields = [part for name, value in values.items() if value is not None for part in (name, value)]
        where = [_key(webhook_id), keys.of_webhook(webhook_id, "planned"), *([claim] if claim else [])]
        games_changed = "1" if "games" in changes else ""
        return bool(self._server.run(CHANGE, where, [games_changed, len(removals), *removals, *fields]))

    def verify(self, webhook: Webhook) -> bool:
        """Record that the endpoint answered its ping. Return False if the webhook's URL has changed.

        Takes one round trip.
        """
        return bool(self._server.run(VERIFY, [_key(webhook.id)], [webhook.url]))

    def rotate(self, webhook_id: str, secret: str, until: int, claim: str | None = None) -> bool:
        """Make `secret` the webhook's current secret. Return False if the webhook does not exist.

        Takes one round trip. The previous secret stays valid until `until` (ms since the epoch). The expiry times of
        older secrets do not change.
        """
        where = [_key(webhook_id), *([claim] if claim else [])]
        sealed = self._keyring.seal(secret, secret_purpose(webhook_id))
        return bool(self._server.run(ROTATE, where, [sealed, until]))

    def pause(self, secrets: Mapping[str, str]) -> None:
        """Deactivate webhooks, and give each webhook a single new secret in place of its old secrets.

        Takes one round trip. `secrets` maps the webhooks' ids to their new secrets. A webhook that was removed in the
        meantime stays removed.
        """
        if secrets:
            self._server.ask_all(
                self._server.command(PAUSE, [_key(name)], [self._keyring.seal(secret, secret_purpose(name))])
                for name, secret in secrets.items()
            )

    def remove(self, webhook: Webhook, claim: str | None = None) -> None:
        """Remove a webhook and its deliveries. Takes two round trips."""
        waiting_key = keys.of_webhook(webhook.id, "waiting")
        games = [game.decode() for game in self._server.ask("SMEMBERS", waiting_key)]
        kinds = ("webhook", "planned", "sequences", "deliveries", "told", "waiting", "waking")
        webhook_keys = [keys.of_webhook(webhook.id, kind) for kind in (*kinds, *(f"lane:{game}" for game in games))]
        lanes = keys.of_shard(keys.shard_of_webhook(webhook.id), "lanes")
        where = [keys.of_player(webhook.player, "webhooks"), lanes, *webhook_keys, *([claim] if claim else [])]
        has_claim = "1" if claim else ""
        lane_names = [f"{webhook.id} {game}" for game in games]
        self._server.run(REMOVE, where, [webhook.id, has_claim, *lane_names])


def secret_purpose(webhook_id: str) -> str:
    """Return the `purpose` with which the keyring encrypts a webhook's secrets."""
    return f"webhook {webhook_id}"


def to_fields(keyring: Keyring, webhook: Webhook) -> dict[str, Any]:
    """Return the fields that store a webhook, with its secrets encrypted. Fields whose value is None are left out."""
    purpose = secret_purpose(webhook.id)
    secrets = [(keyring.seal(secret, purpose), until) for secret, until in webhook.secrets]
    values = _encode_fields({name: getattr(webhook, name) for name in FIELDS} | {"secrets": secrets})
    return {name: value for name, value in values.items() if value is not None}


def from_values(keyring: Keyring, webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return the webhook with these values of `FIELDS`, or None if all values are missing.

    Secrets that cannot be read because their key is missing are left out, and logged once.
    """
    fields = {
        name: _DECODERS.get(name, bytes.decode)(value) for name, value in zip(FIELDS, values, strict=True) if value
    }
    if not fields:
        return None
    webhook = Webhook(webhook_id, **{"games": None, **fields})
    if not _is_valid(webhook):
        raise ValueError("a field has an invalid value")
    return dataclasses.replace(webhook, secrets=_open_secrets(keyring, webhook_id, webhook.secrets))


def _open_secrets(keyring: Keyring, webhook_id: str, secrets: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    readable = []
    for secret, until in secrets:
        try:
            readable.append((keyring.open(secret, secret_purpose(webhook_id)), until))
        except Unreadable as error:
            _log_unreadable(webhook_id, str(error))
    return readable


@lru_cache(1024)
def _log_unreadable(webhook_id: str, reason: str) -> None:
    """Log, once for each webhook, that a secret cannot be read."""
    _logger.error("a secret of webhook %s cannot be read, so it signs nothing: %s", webhook_id, reason)


def _parse_or_skip(keyring: Keyring, webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return a webhook, or None if its fields cannot be read. One bad webhook therefore does not hide the others."""
    try:
        return _parse(keyring, webhook_id, values)
    except DamagedData as error:
        _logger.warning("ignoring a webhook: %s", error)
        return None


def _parse(keyring: Keyring, webhook_id: str, values: Sequence[bytes | None]) -> Webhook | None:
    """Return the webhook with these values, or None if all values are missing.

    Raises: DamagedData if the values are invalid.
    """
    try:
        return from_values(keyring, webhook_id, values)
    except (TypeError, ValueError) as error:
        raise DamagedData(f"{_key(webhook_id)} does not contain a webhook") from error


def _is_valid(webhook: Webhook) -> bool:
    lists = [webhook.events, [] if webhook.games is None else webhook.games]
    return (
        all(isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in lists)
        and bool(webhook.secrets)
        and all(isinstance(secret, str) and isinstance(until, int) for secret, until in webhook.secrets)
    )


_ENCODERS: Mapping[str, Callable[[Any], Any]] = {
    "events": orjson.dumps,
    "games": orjson.dumps,
    "secrets": orjson.dumps,
    "active": int,
}


_DECODERS: Mapping[str, Callable[[bytes], Any]] = {
    "events": orjson.loads,
    "games": orjson.loads,
    "secrets": lambda value: [(secret, until) for secret, until in orjson.loads(value)],
    "active": lambda value: value == b"1",
    "created": int,
    "verified": int,
    "failing": int,
}


def _encode_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in the form in which the hash stores them. None stays None."""
    return {
        name: _ENCODERS[name](value) if name in _ENCODERS and value is not None else value
        for name, value in values.items()
    }


def _key(webhook_id: str) -> str:
    return keys.of_webhook(webhook_id, "webhook")
