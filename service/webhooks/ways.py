"""Ways: notifications by e-mail or in browsers. A player does not need a webhook to receive these notifications.

One document for each player says which events to send by e-mail, and which to browsers. Each address and each browser
is stored like a webhook, so that the same code plans, sends, retries and records its deliveries.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from ..games.repository import Games
from ..notices.letters import is_address
from ..notices.web_push import BrowserKeys, are_keys, public_key_of
from ..problems import Problem, shown
from ..store.keys import is_webhook_id, new_webhook_id
from ..store.webhooks import Webhook
from . import confirming, digests, planning
from .formats import BY_DEFAULT, CHOICES, EMAIL, JSON, PUSH, WAYS
from .subscriptions import check_endpoint

Json = dict[str, Any]

MAX_BROWSERS = 10
"""The maximum number of browsers that may show notifications for one player."""
CODE_LIFETIME = 24 * 3_600_000
"""Milliseconds for which the code in an e-mail confirms the address."""
UNSUBSCRIBED = "unsubscribed"
"""The reason that is recorded when an address is disabled because its reader has unsubscribed."""
_REFUSED = {"gone": "refused"}
"""The names of some reasons for disabling a webhook do not fit an e-mail address. For each of these reasons, this dict
contains the name to show instead.
"""
_BY_DEFAULT: Mapping[str, Json] = {
    EMAIL: {"events": list(BY_DEFAULT), "digest": None},
    PUSH: {"events": list(BY_DEFAULT)},
}


def show(games: Games, player: str) -> Json:
    """Return a player's e-mail address, browsers and chats, and the events that are sent to each."""
    wishes, all_rows = _wishes(games, player), games.store.webhooks.of_players([player])
    rows = [row for row in all_rows if row.format in WAYS]
    address = next((row for row in rows if row.format == EMAIL and row.secrets), None)
    return {
        "email": {
            "available": games.mail is not None,
            "address": None if address is None else address.secrets[0][0],
            "verified_at": None if address is None else address.verified,
            "failing_since": None if address is None else address.failing,
            "stopped": None if address is None else _REFUSED.get(address.disabled or "", address.disabled),
            **wishes[EMAIL],
        },
        "push": {
            "key": public_key_of(games.store.vapid.private_key()),
            **wishes[PUSH],
            "browsers": [show_browser(row) for row in rows if row.format == PUSH],
        },
        "chats": [_show_chat(row) for row in all_rows if row.format not in (*WAYS, JSON)],
    }


def show_browser(row: Webhook) -> Json:
    """Return a browser as JSON, without its keys."""
    return {
        "id": row.id,
        "name": row.label or "",
        "endpoint": row.url,
        "created_at": row.created,
        "failing_since": row.failing,
        "stopped": row.disabled,
    }


def _show_chat(row: Webhook) -> Json:
    """Return a chat's webhook as JSON, without its URL, because anyone who knows the URL can post to the chat."""
    return {
        "webhook": row.id,
        "format": row.format,
        "events": list(row.events),
        "active": row.active,
        "verified_at": row.verified,
        "failing_since": row.failing,
    }


def change(games: Games, player: str, wishes: Mapping[str, Json]) -> Json:
    """Change which events a player receives by e-mail and in browsers.

    Return the player's document. Raises: StoreError.
    """
    games.store.players.change_notices(player, orjson.dumps(wishes))
    for row in _rows(games, player):
        fields: Json = {"events": wishes[row.format]["events"]}
        if row.format == EMAIL:
            fields["digest"] = _schedule(wishes[EMAIL]["digest"])
        games.store.webhooks.change(row.id, fields)
        if row.format == EMAIL and fields["digest"] not in (None, row.digest) and row.verified is not None:
            digests.plan_digest(games, replace(row, digest=fields["digest"]))
            games.store.deliveries.resume(row.id)
    return show(games, player)


def set_address(games: Games, player: str, address: str) -> Json:
    """Set a player's e-mail address, and send a code to it. Return the player's document.

    If the player has already confirmed this address, and e-mail to it has not been stopped, nothing changes. Raises:
    Problem (mail-unavailable, bad-address).
    """
    check_address(games, address)
    rows = [row for row in _rows(games, player) if row.format == EMAIL]
    if not any(row.active and row.verified is not None and row.secrets[0][0] == address for row in rows):
        for row in rows:
            games.store.webhooks.remove(row)
        _add_address(games, player, address)
    return show(games, player)


def check_address(games: Games, address: str) -> None:
    """Reject an address to which the service cannot send e-mail. Raises: Problem (mail-unavailable, bad-address)."""
    if games.mail is None:
        raise Problem("mail-unavailable", "this service does not send e-mail: use a webhook or browser notifications")
    if not is_address(address):
        raise Problem(
            "bad-address", "address: must be an e-mail address like anna@example.org, with ASCII characters only"
        )


def _add_address(games: Games, player: str, address: str) -> None:
    wishes = _wishes(games, player)[EMAIL]
    row = _row(games, player, EMAIL, "mailto:", wishes["events"], address)
    row = replace(row, digest=_schedule(wishes["digest"]))
    games.store.webhooks.add(row, None)
    planning.plan_ping(games, row, "", catch_up=False)


def confirm_address(games: Games, player: str, code: str) -> Json:
    """Verify a player's e-mail address with the code that was sent to it. Return the player's document.

    Raises: Problem (code-unknown).
    """
    for row in _rows(games, player):
        fresh = games.now() - row.created < CODE_LIFETIME
        if row.format == EMAIL and fresh and confirming.is_code(games, row, code):
            if row.verified is None and games.store.webhooks.verify(row):
                digests.plan_digest(games, row)
            return show(games, player)
    raise Problem("code-unknown", "this code is not in the last e-mail to your address, or is more than a day old")


def remove_address(games: Games, player: str) -> None:
    """Remove a player's e-mail address, if there is one, and everything that is waiting to be sent to the address."""
    for row in _rows(games, player):
        if row.format == EMAIL:
            games.store.webhooks.remove(row)


def add_browser(games: Games, player: str, endpoint: str, keys: BrowserKeys, name: str, own_host: str) -> Webhook:
    """Add a browser in which a player wants to see notifications, and send the browser a first notification. Return the
    browser.

    A browser that is re-added keeps its id. Raises: Problem (bad-endpoint, webhook-loop, bad-push-keys,
    too-many-browsers).
    """
    check_endpoint(games, endpoint, own_host)
    if not are_keys(keys):
        raise Problem("bad-push-keys", "keys: must be the keys of a browser's PushSubscription, in base64url")
    rows = [row for row in _rows(games, player) if row.format == PUSH]
    secret = f"{keys.p256dh} {keys.auth}"
    for row in rows:
        if row.url == endpoint and row.active and row.secrets and row.secrets[0][0] == secret:
            return row
        if row.url == endpoint:
            games.store.webhooks.remove(row)
    if sum(row.url != endpoint for row in rows) >= MAX_BROWSERS:
        raise Problem("too-many-browsers", f"you already have {MAX_BROWSERS} browsers: remove one first")
    row = replace(_row(games, player, PUSH, endpoint, _wishes(games, player)[PUSH]["events"], secret), label=name)
    games.store.webhooks.add(row, None)
    planning.plan_ping(games, row, "", catch_up=False)
    return row


def remove_browser(games: Games, player: str, browser: str) -> None:
    """Remove a browser, so that it gets no more notifications. Raises: Problem (unknown-browser)."""
    row = games.store.webhooks.get(browser)
    if row is None or row.player != player or row.format != PUSH:
        raise Problem(
            "unknown-browser", f"you have no browser {shown(browser)}: GET /v1/me/notices lists your browsers"
        )
    games.store.webhooks.remove(row)


def unsubscribe_token(games: Games, webhook_id: str) -> str:
    """Return the token that unsubscribes an address from e-mail.

    Each address has its own 128-bit token.
    """
    digest = hmac.digest(games.store.secret.read(), f"unsubscribe {webhook_id}".encode(), "sha256")
    return f"{webhook_id}.{digest[:16].hex()}"


def has_unsubscribe_token(games: Games, token: str) -> bool:
    """Return whether a token is valid. A token stays valid after its address has been unsubscribed."""
    webhook_id = token.partition(".")[0]
    if not is_webhook_id(webhook_id):
        return False
    return hmac.compare_digest(unsubscribe_token(games, webhook_id).encode(), token.encode(errors="replace"))


def unsubscribe(games: Games, token: str) -> bool:
    """Stop sending e-mail to the address that this token belongs to. Return whether the token is valid.

    To receive e-mail again, the player must set and confirm an address.
    """
    if not has_unsubscribe_token(games, token):
        return False
    games.store.webhooks.change(token.partition(".")[0], {"active": False, "disabled": UNSUBSCRIBED})
    return True


def recipient_key(games: Games, address: str) -> str:
    """Return the key under which e-mails to an address are counted. The key does not reveal the address."""
    return hmac.digest(games.store.secret.read(), f"recipient {address.lower()}".encode(), "sha256").hex()[:32]


def _row(games: Games, player: str, form: str, url: str, events: Sequence[str], secret: str) -> Webhook:
    return Webhook(
        id=new_webhook_id(player),
        player=player,
        url=url,
        events=events,
        games=None,
        payload="thin",
        active=True,
        created=games.now(),
        secrets=[(secret, 0)],
        format=form,
    )


def _rows(games: Games, player: str) -> list[Webhook]:
    return [row for row in games.store.webhooks.of_players([player]) if row.format in WAYS]


def _wishes(games: Games, player: str) -> dict[str, Json]:
    """Return which events a player wants by e-mail and in browsers.

    Kinds of events that this release does not know are left out.
    """
    try:
        stored = orjson.loads(games.store.players.notices(player) or b"{}")
    except ValueError:
        stored = {}
    wishes = {way: {**wish, **stored.get(way, {})} for way, wish in _BY_DEFAULT.items()}
    for wish in wishes.values():
        wish["events"] = [kind for kind in CHOICES if kind in wish["events"]]
    return wishes


def _schedule(digest: Mapping[str, Any] | None) -> str | None:
    return None if digest is None else digests.schedule_of(digest["hour"], digest["time_zone"])
