"""Plans the deliveries that tell players about invitations.

An invitation is never in a log. The notice about an invitation waits in the store until its deliveries are planned. If
a process plans the deliveries but dies before it removes the notice, the deliveries are planned a second time. An
endpoint may therefore receive an invitation twice, but never misses an invitation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games.repository import Games
from ..store.deliveries import WAITING, Lane, Plan
from ..store.invitations import DECLINED, Notice
from .planning import Planned, accepts, plan_isolated

Json = dict[str, Any]


def plan(games: Games, shards: Sequence[int]) -> Planned:
    """Plan deliveries for the notices waiting in these shards. Takes one round trip if no notices are waiting."""
    webhooks: set[str] = set()
    for shard, notices in games.store.invitations.untold(shards).items():
        for notice in notices.values():
            webhooks |= plan_isolated(_plan, games, notice) or set()
        games.store.invitations.note_told(shard, notices)
    return Planned(False, webhooks)


def _plan(games: Games, notice: Notice) -> set[str]:
    game_id = notice.invitation["game"]
    if notice.kind != DECLINED and notice.invitation["by"] in games.store.blocks.of_player(notice.player):
        return set()
    version = games.store.log.length(game_id)
    webhooks = [
        webhook
        for webhook in games.store.webhooks.of_players([notice.player])
        if version and accepts(webhook, game_id) and notice.kind in webhook.events
    ]
    delivery = _delivery(notice, version)
    if webhooks:
        games.store.deliveries.plan([Plan(Lane(webhook.id, game_id), None, None, [delivery]) for webhook in webhooks])
    return {webhook.id for webhook in webhooks}


def _delivery(notice: Notice, version: int) -> Json:
    return {
        "type": notice.kind,
        "game": notice.invitation["game"],
        "version": version,
        "at": notice.at,
        "status": WAITING,
        "tries": [],
        "invitation": notice.invitation,
    }
