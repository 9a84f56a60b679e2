"""Subscriptions: a player's webhooks, their deliveries, and their secrets."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from yarl import URL

from ..games.access import require_access
from ..games.repository import Games, load
from ..idempotency import Attempt, claim_of, is_done, is_done_now
from ..problems import Problem, shown
from ..store.deliveries import NO_GAME, WAITING, Lane
from ..store.errors import TooManyWebhooks
from ..store.keys import new_webhook_id, webhook_id_from
from ..store.webhooks import Webhook as Webhook
from . import confirming, planning, signing
from .addresses import BadAddress, check_url
from .formats import FORMATS, default_events, is_for_people

OLD_SECRET = 24 * 3_600_000
"""Milliseconds for which the previous secret remains valid after a new secret was set."""
MOST_AT_ONCE = 1_000
"""The maximum number of deliveries that one request may repeat."""

Json = dict[str, Any]


class Subscription(NamedTuple):
    """The members of a new webhook. `own_host` is this service's own host, which must not be the URL's host.

    If `events` is None, the format determines the events.
    """

    url: str
    events: Sequence[str] | None
    games: Sequence[str] | None
    payload: str
    active: bool
    secret: str | None
    format: str
    own_host: str


class Range(NamedTuple):
    """The deliveries numbered from `first` to `last` that have one of these statuses."""

    first: int
    last: int
    statuses: Sequence[str]


def add(games: Games, player: str, subscription: Subscription, attempt: Attempt | None = None) -> Webhook:
    """Create a player's webhook, plan a ping to its endpoint, and return the webhook.

    If the request has an Idempotency-Key, the webhook's id and secret are derived from the key, so a repeated request
    finds the webhook. Raises: Problem (bad-endpoint, webhook-loop, bad-secret, unknown-game, not-seated,
    too-many-webhooks).
    """
    webhook = _earlier_webhook(games, player, attempt) or _create(games, player, subscription, attempt)
    _ping(games, webhook, attempt, catch_up=True)
    return webhook


def _earlier_webhook(games: Games, player: str, attempt: Attempt | None) -> Webhook | None:
    """Return the webhook that an earlier attempt created, or None if there is none."""
    if attempt is None or not attempt.begun:
        return None
    return games.store.webhooks.get(webhook_id_from(player, attempt.derive("webhook")))


def _create(games: Games, player: str, subscription: Subscription, attempt: Attempt | None) -> Webhook:
    check_endpoint(games, subscription.url, subscription.own_host)
    _check_games(games, player, subscription.games)
    webhook = Webhook(
        id=new_webhook_id(player) if attempt is None else webhook_id_from(player, attempt.derive("webhook")),
        player=player,
        url=subscription.url,
        events=default_events(subscription.format) if subscription.events is None else subscription.events,
        games=subscription.games,
        payload=subscription.payload,
        active=subscription.active,
        created=games.now(),
        secrets=[(_checked_secret(subscription.secret) or _new_secret(attempt), 0)],
        format=subscription.format,
    )
    try:
        is_new = games.store.webhooks.add(webhook, _most(games, player))
    except TooManyWebhooks as error:
        raise Problem("too-many-webhooks", f"{error}: remove one first", cap=games.caps.webhooks) from error
    return webhook if is_new else find(games, player, webhook.id)


def _most(games: Games, player: str) -> int | None:
    """Return the maximum number of webhooks that the store may hold for a player, or None for no maximum.

    The maximum leaves room for the player's e-mail address and browsers, because these do not count towards the cap.
    """
    if games.caps.webhooks is None:
        return None
    others = [one for one in games.store.webhooks.of_players([player]) if one.format not in FORMATS]
    return games.caps.webhooks + len(others)


def of_player(games: Games, player: str) -> list[Webhook]:
    """Return a player's webhooks, oldest first."""
    return [webhook for webhook in games.store.webhooks.of_players([player]) if webhook.format in FORMATS]


def find(games: Games, player: str, webhook_id: str) -> Webhook:
    """Return a player's webhook.

    Raises: Problem (unknown-webhook), even if the webhook exists but belongs to another player.
    """
    webhook = games.store.webhooks.get(webhook_id)
    if webhook is None or webhook.player != player or webhook.format not in FORMATS:
        raise Problem(
            "unknown-webhook", f"you have no webhook {shown(webhook_id)}: GET /v1/webhooks lists your webhooks"
        )
    return webhook


def change(
    games: Games,
    player: str,
    webhook_id: str,
    changes: Mapping[str, Any],
    own_host: str,
    attempt: Attempt | None = None,
) -> Webhook:
    """Change some of a webhook's members (url, events, games, payload and active), and return the webhook.

    If the URL changes, the webhook must be verified again. A webhook that becomes active gets a ping, and then its
    waiting deliveries. Raises: Problem (the same codes as `add`, and unknown-webhook).
    """
    before = find(games, player, webhook_id)
    fields = dict(changes)
    if "url" in changes:
        check_endpoint(games, changes["url"], own_host)
    if "games" in changes:
        _check_games(games, player, changes["games"])
    url_changes = fields.get("url", before.url) != before.url
    if url_changes:
        fields |= {"verified": None, "failing": None}
    if fields.get("active"):
        fields |= {"disabled": None, "failing": None}
    after = before if is_done(attempt, "changed") else replace(before, **fields)
    if not games.store.webhooks.change(webhook_id, fields, claim_of(attempt)):
        raise Problem(
            "unknown-webhook", f"you have no webhook {shown(webhook_id)}: GET /v1/webhooks lists your webhooks"
        )
    # Send the ping and resume the deliveries even if the webhook was already active, because this may be a repetition
    # of a request that failed before it could do so.
    activates = changes.get("active") is True
    if activates or ("url" in changes and after.verified is None):
        _ping(games, after, attempt, catch_up=True)
    if activates:
        games.store.deliveries.resume(webhook_id)
    return after


def confirm(games: Games, player: str, webhook_id: str, code: str) -> Webhook:
    """Verify a webhook whose receiver has shown the player a code, and return the webhook.

    The webhook is then notified of the turns that are waiting for its player.

    Raises: Problem (unknown-webhook, code-unknown).
    """
    webhook = find(games, player, webhook_id)
    if not is_for_people(webhook.format) or not confirming.is_code(games, webhook, code):
        raise Problem(
            "code-unknown",
            "this code does not belong to this webhook: use the code from the webhook's latest message",
        )
    if webhook.verified is None and games.store.webhooks.verify(webhook):
        webhook = replace(webhook, verified=games.now())
        planning.catch_up(games, webhook)
        games.store.deliveries.resume(webhook_id)
    return find(games, player, webhook_id)


def active(games: Games, player: str) -> list[Webhook]:
    """Return a player's active webhooks, oldest first."""
    return [webhook for webhook in of_player(games, player) if webhook.active]


def disable_all(games: Games, player: str, reason: str) -> None:
    """Stop sending anything to a player, including e-mail and notifications in browsers."""
    for webhook in games.store.webhooks.of_players([player]):
        if webhook.active:
            games.store.webhooks.change(webhook.id, {"active": False, "disabled": reason})


def pause_all(games: Games, player: str, secret_of: Callable[[str], str]) -> list[Webhook]:
    """Make a player's webhooks inactive, and replace their secrets. Return the webhooks, oldest first.

    `secret_of` returns a webhook's new secret, given the webhook's id. The service no longer signs deliveries with the
    earlier secrets.
    """
    webhooks = of_player(games, player)
    new_secrets = {webhook.id: secret_of(webhook.id) for webhook in webhooks}
    games.store.webhooks.pause(new_secrets)
    return [replace(webhook, active=False, secrets=[(new_secrets[webhook.id], 0)]) for webhook in webhooks]


def notices(games: Games, player: str) -> list[Json]:
    """Return one notice, with the reason, for each of a player's webhooks that the service has disabled."""
    return [
        {"type": "webhook-disabled", "webhook": webhook.id, "reason": webhook.disabled}
        for webhook in of_player(games, player)
        if webhook.disabled is not None
    ]


def remove(games: Games, player: str, webhook_id: str, attempt: Attempt | None = None) -> None:
    """Remove a player's webhook and its waiting deliveries. Raises: Problem (unknown-webhook)."""
    try:
        webhook = find(games, player, webhook_id)
    except Problem:
        if is_done_now(games.store, attempt, "removed"):
            return
        raise
    games.store.webhooks.remove(webhook, claim_of(attempt))


def new_secret(
    games: Games, player: str, webhook_id: str, secret: str | None, attempt: Attempt | None = None
) -> Webhook:
    """Replace a webhook's secret and return the webhook. For another day, deliveries are also signed with the previous
    secret.

    Raises: Problem (unknown-webhook, bad-secret).
    """
    find(games, player, webhook_id)
    new = _checked_secret(secret) or _new_secret(attempt)
    games.store.webhooks.rotate(webhook_id, new, games.now() + OLD_SECRET, claim_of(attempt))
    return find(games, player, webhook_id)


def ping(games: Games, player: str, webhook_id: str, attempt: Attempt | None = None) -> Json:
    """Plan a ping and return its delivery. If a ping is already waiting, that ping is used.

    Raises: Problem (unknown-webhook).
    """
    webhook = find(games, player, webhook_id)
    pending = games.store.deliveries.first(Lane(webhook_id, NO_GAME)).delivery
    if pending is not None and not is_done(attempt, "planned"):
        games.store.deliveries.repeat(webhook_id, [pending])
        return pending
    number = _ping(games, webhook, attempt, catch_up=webhook.verified is None)
    return delivery(games, player, webhook_id, number)


def deliveries(
    games: Games, player: str, webhook_id: str, before: int | None, limit: int
) -> tuple[list[Json], int | None]:
    """Return at most `limit` deliveries, newest first, and the value of `before` for the next page, or None.

    Raises: Problem (unknown-webhook).
    """
    return games.store.deliveries.page(find(games, player, webhook_id).id, before, limit)


def delivery(games: Games, player: str, webhook_id: str, number: int) -> Json:
    """Return one delivery. Raises: Problem (unknown-webhook, unknown-delivery)."""
    rows = games.store.deliveries.numbered(find(games, player, webhook_id).id, number, number)
    if not rows:
        raise Problem(
            "unknown-delivery",
            f"delivery {shown(str(number))} does not exist or is no longer stored: see the list of deliveries",
        )
    return rows[0]


def repeat(games: Games, player: str, webhook_id: str, number: int, attempt: Attempt | None = None) -> Json:
    """Reschedule a delivery, even if it succeeded, and return the delivery. Raises: see `delivery`."""
    reset = _reset(delivery(games, player, webhook_id, number))
    games.store.deliveries.repeat(webhook_id, [reset], claim_of(attempt))
    return reset


def repeat_range(games: Games, player: str, webhook_id: str, selection: Range, attempt: Attempt | None = None) -> int:
    """Reschedule the selected deliveries, oldest first, and return how many of them are now waiting.

    Raises: Problem (unknown-webhook, invalid-request).
    """
    first, last, statuses = selection
    if last - first >= MOST_AT_ONCE:
        errors = {"last": [f"Must be less than first + {MOST_AT_ONCE}."]}
        raise Problem(
            "invalid-request",
            f"last: at most {MOST_AT_ONCE} deliveries can be resent in one request",
            errors=errors,
        )
    rows = games.store.deliveries.numbered(find(games, player, webhook_id).id, first, last)
    reset = [_reset(row) for row in rows if row["status"] in statuses]
    return games.store.deliveries.repeat(webhook_id, reset, claim_of(attempt))


def _reset(row: Json) -> Json:
    return {**row, "status": WAITING, "repeated": True, "step": 0, "due": 0, "began": 0}


def _ping(games: Games, webhook: Webhook, attempt: Attempt | None, *, catch_up: bool) -> int:
    challenge = secrets.token_urlsafe(24)
    return planning.plan_ping(games, webhook, challenge, catch_up=catch_up, claim=claim_of(attempt))


def _new_secret(attempt: Attempt | None) -> str:
    return signing.new_secret() if attempt is None else signing.secret_of(attempt.derive("secret"))


def check_endpoint(games: Games, url: str, own_host: str) -> None:
    """Reject a URL to which the service must not send requests. Raises: Problem (bad-endpoint, webhook-loop)."""
    try:
        parsed = check_url(url, games.networks)
    except BadAddress as error:
        raise Problem("bad-endpoint", f"url: {error}") from error
    own = URL.build(scheme=parsed.scheme, authority=own_host)
    if (parsed.raw_host, parsed.port) == (own.raw_host, own.port):
        raise Problem("webhook-loop", "url: points back to this service; use the URL of your own endpoint")


def _check_games(games: Games, player: str, game_ids: Sequence[str] | None) -> None:
    for game_id in game_ids or ():
        require_access(games, game_id, player)
        table = load(games, game_id).table
        if player not in (table.opened.owner, *table.players()):
            raise Problem(
                "not-seated", "games: you neither have a seat in this game nor own it; leave out its id", game=game_id
            )


def _checked_secret(secret: str | None) -> str | None:
    if secret is not None and not signing.is_secret(secret):
        raise Problem(
            "bad-secret",
            "secret: must be whsec_ followed by 24 to 64 bytes in base64; omit `secret` to let the server choose one",
        )
    return secret
