"""Subscriptions: a player's webhooks, their deliveries, and their secrets."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from yarl import URL

from ..games.repository import Games, load
from ..idempotency import Attempt, claim_of, is_done, is_done_now
from ..problems import Problem, shown
from ..store.deliveries import NO_GAME, WAITING, Lane
from ..store.errors import TooManyWebhooks
from ..store.keys import new_webhook_id, webhook_id_from
from ..store.webhooks import Webhook as Webhook
from . import planning, signing
from .addresses import BadAddress, check_url

OLD_SECRET = 24 * 3_600_000
"""Milliseconds for which the secret before is valid beside a new one."""
MOST_AT_ONCE = 1_000
"""How many deliveries may be asked for again at once."""

Json = dict[str, Any]


class Asked(NamedTuple):
    """The webhook that a player asks for; `own_host` is this service's own name, which it may not lead to."""

    url: str
    events: Sequence[str]
    games: Sequence[str] | None
    payload: str
    active: bool
    secret: str | None
    own_host: str


class Range(NamedTuple):
    """The deliveries from one number to another that have one of these statuses."""

    first: int
    last: int
    statuses: Sequence[str]


def add(games: Games, player: str, asked: Asked, attempt: Attempt | None = None) -> Webhook:
    """Return a new webhook of a player, with a ping on its way to its endpoint.

    With a key, the webhook's id and its secret follow from it: whoever repeats the request finds the webhook.
    Raises: Problem (bad-endpoint, webhook-loop, bad-secret, unknown-game, not-seated, too-many-webhooks).
    """
    webhook = _made_before(games, player, attempt) or _made(games, player, asked, attempt)
    _ping(games, webhook, attempt, catch_up=True)
    return webhook


def _made_before(games: Games, player: str, attempt: Attempt | None) -> Webhook | None:
    """Return the webhook that an earlier attempt has made, if there was one and it has."""
    if attempt is None or not attempt.begun:
        return None
    return games.store.webhooks.get(webhook_id_from(player, attempt.derived("webhook")))


def _made(games: Games, player: str, asked: Asked, attempt: Attempt | None) -> Webhook:
    _check_endpoint(games, asked.url, asked.own_host)
    _check_games(games, player, asked.games)
    webhook = Webhook(
        id=new_webhook_id(player) if attempt is None else webhook_id_from(player, attempt.derived("webhook")),
        player=player,
        url=asked.url,
        events=asked.events,
        games=asked.games,
        payload=asked.payload,
        active=asked.active,
        created=games.now(),
        secrets=[(_checked_secret(asked.secret) or _new_secret(attempt), 0)],
    )
    try:
        added = games.store.webhooks.add(webhook)
    except TooManyWebhooks as error:
        raise Problem("too-many-webhooks", f"{error}: remove one first") from error
    return webhook if added else find(games, player, webhook.id)


def of_player(games: Games, player: str) -> list[Webhook]:
    """Return a player's webhooks, the oldest first."""
    return games.store.webhooks.of_players([player])


def find(games: Games, player: str, webhook_id: str) -> Webhook:
    """Return a player's webhook. Raises: Problem (unknown-webhook), also where it is somebody else's."""
    webhook = games.store.webhooks.get(webhook_id)
    if webhook is None or webhook.player != player:
        raise Problem("unknown-webhook", f"you have no webhook {shown(webhook_id)}: GET /v1/webhooks lists yours")
    return webhook


def change(
    games: Games,
    player: str,
    webhook_id: str,
    asked: Mapping[str, Any],
    own_host: str,
    attempt: Attempt | None = None,
) -> Webhook:
    """Return a webhook after some of its members were changed: url, events, games, payload and active.

    Another url must prove itself anew; what is made active again goes on with what waits, after a ping.
    Raises: Problem (as `add` does, and unknown-webhook).
    """
    before = find(games, player, webhook_id)
    changed = dict(asked)
    if "url" in asked:
        _check_endpoint(games, asked["url"], own_host)
    if "games" in asked:
        _check_games(games, player, asked["games"])
    moved = changed.get("url", before.url) != before.url
    if moved:
        changed |= {"verified": None, "failing": None}
    if changed.get("active"):
        changed |= {"disabled": None, "failing": None}
    after = before if is_done(attempt, "changed") else replace(before, **changed)
    if not games.store.webhooks.change(webhook_id, changed, claim_of(attempt)):
        raise Problem("unknown-webhook", f"you have no webhook {shown(webhook_id)}: GET /v1/webhooks lists yours")
    # Done whether it was active before or not: a request that is repeated finishes what the first has begun.
    resumed = asked.get("active") is True
    if resumed or ("url" in asked and after.verified is None):
        _ping(games, after, attempt, catch_up=True)
    if resumed:
        games.store.deliveries.resume(webhook_id)
    return after


def active(games: Games, player: str) -> list[Webhook]:
    """Return a player's active webhooks, the oldest first."""
    return [webhook for webhook in of_player(games, player) if webhook.active]


def pause_all(games: Games, player: str, secret_of: Callable[[str], str]) -> list[Webhook]:
    """Return a player's webhooks, the oldest first, after every one was made inactive and given a new secret.

    `secret_of` returns the new secret of the webhook with an id. The secrets before sign nothing from then on.
    """
    found = of_player(games, player)
    fresh = {webhook.id: secret_of(webhook.id) for webhook in found}
    games.store.webhooks.pause(fresh)
    return [replace(webhook, active=False, secrets=[(fresh[webhook.id], 0)]) for webhook in found]


def notices(games: Games, player: str) -> list[Json]:
    """Return which of a player's webhooks the service has stopped telling, and why."""
    return [
        {"type": "webhook-disabled", "webhook": webhook.id, "reason": webhook.disabled}
        for webhook in of_player(games, player)
        if webhook.disabled is not None
    ]


def remove(games: Games, player: str, webhook_id: str, attempt: Attempt | None = None) -> None:
    """Forget a player's webhook, with all that waits for it. Raises: Problem (unknown-webhook)."""
    try:
        webhook = find(games, player, webhook_id)
    except Problem:
        if is_done_now(games.store, attempt, "removed"):
            return
        raise
    games.store.webhooks.remove(webhook, claim_of(attempt))


def new_secret(
    games: Games, player: str, webhook_id: str, wanted: str | None, attempt: Attempt | None = None
) -> Webhook:
    """Return a webhook with a new secret; for a day the one before signs too.

    Raises: Problem (unknown-webhook, bad-secret).
    """
    find(games, player, webhook_id)
    fresh = _checked_secret(wanted) or _new_secret(attempt)
    games.store.webhooks.rotate(webhook_id, fresh, games.now() + OLD_SECRET, claim_of(attempt))
    return find(games, player, webhook_id)


def ping(games: Games, player: str, webhook_id: str, attempt: Attempt | None = None) -> Json:
    """Return the delivery of a ping, of that which waits already if one does. Raises: Problem (unknown-webhook)."""
    webhook = find(games, player, webhook_id)
    waiting = games.store.deliveries.first(Lane(webhook_id, NO_GAME)).delivery
    if waiting is not None and not is_done(attempt, "planned"):
        games.store.deliveries.repeat(webhook_id, [waiting])
        return waiting
    number = _ping(games, webhook, attempt, catch_up=webhook.verified is None)
    return delivery(games, player, webhook_id, number)


def deliveries(
    games: Games, player: str, webhook_id: str, before: int | None, limit: int
) -> tuple[list[Json], int | None]:
    """Return at most `limit` deliveries, newest first, and the number before which the next page begins, if any.

    Raises: Problem (unknown-webhook).
    """
    return games.store.deliveries.page(find(games, player, webhook_id).id, before, limit)


def delivery(games: Games, player: str, webhook_id: str, number: int) -> Json:
    """Return one delivery. Raises: Problem (unknown-webhook, unknown-delivery)."""
    found = games.store.deliveries.some(find(games, player, webhook_id).id, number, number)
    if not found:
        raise Problem(
            "unknown-delivery",
            f"delivery {shown(str(number))} does not exist or is no longer stored: list the deliveries",
        )
    return found[0]


def repeat(games: Games, player: str, webhook_id: str, number: int, attempt: Attempt | None = None) -> Json:
    """Return a delivery that waits once more, whatever came of it. Raises: Problem (as `delivery` does)."""
    again = _waiting_again(delivery(games, player, webhook_id, number))
    games.store.deliveries.repeat(webhook_id, [again], claim_of(attempt))
    return again


def repeat_range(games: Games, player: str, webhook_id: str, wanted: Range, attempt: Attempt | None = None) -> int:
    """Let some deliveries wait once more, oldest first, and return how many do.

    Raises: Problem (unknown-webhook, invalid-request).
    """
    first, last, statuses = wanted
    if last - first >= MOST_AT_ONCE:
        errors = {"last": [f"Must be less than first + {MOST_AT_ONCE}."]}
        raise Problem(
            "invalid-request",
            f"last: at most {MOST_AT_ONCE} deliveries can be sent again in one request",
            errors=errors,
        )
    found = games.store.deliveries.some(find(games, player, webhook_id).id, first, last)
    again = [_waiting_again(one) for one in found if one["status"] in statuses]
    return games.store.deliveries.repeat(webhook_id, again, claim_of(attempt))


def _waiting_again(one: Json) -> Json:
    return {**one, "status": WAITING, "repeated": True, "step": 0, "due": 0, "began": 0}


def _ping(games: Games, webhook: Webhook, attempt: Attempt | None, *, catch_up: bool) -> int:
    challenge = secrets.token_urlsafe(24)
    return planning.plan_ping(games, webhook, challenge, catch_up=catch_up, claim=claim_of(attempt))


def _new_secret(attempt: Attempt | None) -> str:
    return signing.new_secret() if attempt is None else signing.secret_of(attempt.derived("secret"))


def _check_endpoint(games: Games, url: str, own_host: str) -> None:
    try:
        parsed = check_url(url, games.networks)
    except BadAddress as error:
        raise Problem("bad-endpoint", f"url: {error}") from error
    own = URL.build(scheme=parsed.scheme, authority=own_host)
    if (parsed.raw_host, parsed.port) == (own.raw_host, own.port):
        raise Problem("webhook-loop", "url: points back to this service; use an endpoint of your own")


def _check_games(games: Games, player: str, chosen: Sequence[str] | None) -> None:
    for game_id in chosen or ():
        table = load(games, game_id).table
        if player not in (table.opened.owner, *table.players()):
            raise Problem(
                "not-seated", "games: you neither have a seat in this game nor own it; leave it out", game=game_id
            )


def _checked_secret(secret: str | None) -> str | None:
    if secret is not None and not signing.is_secret(secret):
        raise Problem(
            "bad-secret",
            "secret: must be whsec_ and 24 to 64 bytes in base64; leave it out to get a new one from the server",
        )
    return secret
