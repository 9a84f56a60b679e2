"""Webhooks and deliveries as JSON, for the player to whom they belong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..store.webhooks import Webhook

Json = dict[str, Any]


def show_webhook(webhook: Webhook) -> Json:
    """Return a webhook without its secrets."""
    return {
        "id": webhook.id,
        "url": webhook.url,
        "events": list(webhook.events),
        "games": None if webhook.games is None else list(webhook.games),
        "payload": webhook.payload,
        "format": webhook.format,
        "active": webhook.active,
        "created_at": webhook.created,
        "verified_at": webhook.verified,
        "failing_since": webhook.failing,
        "disabled": webhook.disabled,
        "old_secret_until": webhook.secrets[1][1] if len(webhook.secrets) > 1 else None,
    }


def show_with_secret(webhook: Webhook) -> Json:
    """Return a webhook with its current secret."""
    return {**show_webhook(webhook), "secret": webhook.secrets[0][0]}


def show_delivery(webhook_id: str, delivery: Mapping[str, Any]) -> Json:
    """Return a delivery without its body."""
    members = ("number", "type", "game", "version", "sequence", "at", "status", "tries")
    return {"id": message_id(webhook_id, delivery), **{name: delivery[name] for name in members}}


def message_id(webhook_id: str, delivery: Mapping[str, Any]) -> str:
    """Return the `webhook-id` of a delivery. Every try has the same id, so that receivers can drop duplicates."""
    return f"msg_{webhook_id}_{delivery['number']}"
