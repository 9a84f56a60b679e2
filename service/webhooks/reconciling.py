"""Reconciling: what was planned for webhooks, held against the logs.

Deliveries are planned from the outboxes. An outbox may have lost an entry, or name a commit that was never written;
what it says is therefore compared with the logs, at the start of a deliverer and now and then.
"""

from __future__ import annotations

import contextlib
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ..games.repository import Games
from ..store.keys import is_player_id
from ..store.webhooks import Webhook
from . import planning

LATELY = 24 * 3_600_000
"""Milliseconds after its end for which a finished game is looked at."""

_logger = logging.getLogger(__name__)


def reconcile(games: Games, shard: int) -> None:
    """Plan what a shard's outbox has lost, and take back what was planned of commits that are not in the logs.

    A game of which a webhook was never told is left alone: nothing says that it should have been. About six round
    trips, and those of planning for each game that needs it. Raises: StoreError.
    """
    if games.store.outbox.mend(shard):
        _logger.error(
            "the outbox of shard %d ends before the place up to which it was read; reading on from its end", shard
        )
    told = _told(games, shard)
    lengths = dict(zip(told, games.store.log.lengths(list(told)), strict=True))
    # Read after the lengths: of each commit that they count, either the outbox is unread, or it has been planned.
    unread = {entry.game for entry in games.store.outbox.read([shard], planning.MOST).get(shard, ())}
    for game, webhooks in told.items():
        if game not in unread:
            planning.whatever_happens(_reconcile_game, games, game, webhooks, lengths[game])


def _reconcile_game(games: Games, game: str, webhooks: Sequence[Webhook], length: int) -> None:
    planned = games.store.deliveries.planned([webhook.id for webhook in webhooks], game)
    for webhook, seq in zip(webhooks, planned, strict=True):
        if seq is not None:
            _compare(games, webhook, game, seq, length)


def _compare(games: Games, webhook: Webhook, game: str, planned: int, length: int) -> None:
    """Mend what does not agree: up to which commit a game was planned for a webhook, and how many its log has."""
    if planned < length:
        _logger.warning("planning missing deliveries of game %s to webhook %s from its log", game, webhook.id)
        planning.plan_game(games, game, planned + 1, length)
    elif planned > length > 0 and planned > (now := games.store.log.length(game)):
        _logger.warning("deliveries of game %s to webhook %s were planned past the end of its log", game, webhook.id)
        games.store.deliveries.set_back(webhook.id, game, planned, now)


def _told(games: Games, shard: int) -> dict[str, list[Webhook]]:
    """Return the games of a shard of which somebody is told, with the webhooks of their owners and players."""
    playing = _games_of_players(games.store.lists.changed_in_shard(shard, games.now() - LATELY))
    told: defaultdict[str, list[Webhook]] = defaultdict(list)
    for webhook in games.store.webhooks.of_players(playing):
        for game in playing[webhook.player] if webhook.active and webhook.verified is not None else ():
            told[game].append(webhook)
    return told


def _games_of_players(summaries: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the games that each owner and player of some games is told of."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for summary in summaries:
        with contextlib.suppress(KeyError, TypeError):  # A summary that is damaged.
            players = {summary["owner"], *(seat["player"] for seat in summary["seated"])}
            for player in filter(is_player_id, players - {None}):
                found[player].append(summary["id"])
    return found
