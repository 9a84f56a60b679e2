"""Talk: plans deliveries about talk messages, and writes the bodies of these deliveries.

Deliveries about talk are planned from a separate outbox, because talk messages are never in a log. The service cannot
check these plans against the logs. If an outbox loses an entry, the message is still in the player's feed, but no
webhook receives the message.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..games.repository import Games
from ..store.deliveries import WAITING, Lane, Plan
from ..store.outbox import Entry
from ..store.webhooks import Webhook
from ..talk.showing import show_message, visible
from .kinds import MESSAGE_RECEIVED
from .planning import BUDGET, MAX_ENTRIES, Planned, accepts, plan_isolated

Json = dict[str, Any]


def plan(games: Games, shards: Sequence[int]) -> Planned:
    """Plan deliveries for the messages in the talk outboxes of some shards."""
    entries_by_shard, ends = games.store.talk_outbox.read(shards, MAX_ENTRIES), time.monotonic() + BUDGET
    webhooks: set[str] = set()
    for shard, entries in entries_by_shard.items():
        if time.monotonic() > ends:
            return Planned(True, webhooks)
        for entry in entries:
            webhooks |= plan_isolated(_plan, games, entry) or set()
        games.store.talk_outbox.move_cursor(shard, entries[-1])
    return Planned(any(len(entries) == MAX_ENTRIES for entries in entries_by_shard.values()), webhooks)


def message_of(games: Games, webhook: Webhook, delivery: Mapping[str, Any]) -> Json | None:
    """Return the message that a delivery is about, or None if its reader may no longer see it. Takes one round trip."""
    ids = {delivery["game"]: [delivery["message"]]}
    messages, blocked = games.store.talk.messages_for(ids, webhook.player)
    message = messages.get(delivery["message"])
    if message is None or message["text"] is None:
        return None
    return message if visible([message], webhook.player, blocked) else None


def data(webhook: Webhook, delivery: Mapping[str, Any], message: Json, name: str | None, *, full: bool) -> Json:
    """Return the `data` of a delivery about a message. A thin payload contains only the message's id, not its text."""
    content = show_message(message, name, webhook.player)
    return {
        "webhook": webhook.id,
        "game": delivery["game"],
        "version": None,
        "sequence": delivery["sequence"],
        "seat": delivery["seat"],
        "url": f"/v1/games/{delivery['game']}/talk",
        "message": content if full else {"id": content["id"]},
    }


def _plan(games: Games, entry: Entry) -> set[str]:
    message = games.store.talk.message(entry.game, entry.message)
    if message is None:
        return set()
    blocks = games.store.blocks.of_players(message["readers"])
    readers = [reader for reader in message["readers"] if visible([message], reader, blocks[reader])]
    webhooks = [
        webhook
        for webhook in games.store.webhooks.of_players(readers)
        if accepts(webhook, entry.game) and MESSAGE_RECEIVED in webhook.events
    ]
    before = games.store.deliveries.planned_versions([one.id for one in webhooks], entry.game, talk=True)
    plans = [
        Plan(Lane(webhook.id, entry.game), planned, entry.seq, [_delivery(entry, message, webhook.player)], talk=True)
        for webhook, planned in zip(webhooks, before, strict=True)
        if planned is None or planned < entry.seq
    ]
    games.store.deliveries.plan(plans)
    return {webhook.id for webhook in webhooks}


def _delivery(entry: Entry, message: Json, reader: str) -> Json:
    seats = dict(zip(message["readers"], message["reader_seats"], strict=True))
    return {
        "type": MESSAGE_RECEIVED,
        "game": entry.game,
        "version": None,
        "message": message["id"],
        "seat": seats.get(reader),
        "at": message["at"],
        "status": WAITING,
        "tries": [],
    }
