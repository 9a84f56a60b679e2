"""Reconciling: compares the planned deliveries with the logs.

Deliveries are planned from the outboxes. An outbox may have lost an entry, or may name a commit that was never written.
The `deliver` process therefore compares the plans with the logs when it starts, and then regularly.
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

RECENT = 24 * 3_600_000
"""Milliseconds for which a finished game is still compared with its planned deliveries."""

_logger = logging.getLogger(__name__)


def reconcile(games: Games, shard: int) -> None:
    """Plan deliveries for commits that a shard's outbox has lost, and reset plans that go past the end of a log.

    If no delivery about a game was ever planned for a webhook, the game is not compared for this webhook, because
    nothing shows that a delivery is missing. Takes about six round trips, and at least one more for each game that is
    compared. Raises: StoreError.
    """
    if games.store.outbox.mend(shard):
        _logger.error(
            "the outbox of shard %d ends before the position already read; resuming from the end of the outbox", shard
        )
    webhooks_by_game = _webhooks_by_game(games, shard)
    lengths = dict(zip(webhooks_by_game, games.store.log.lengths(list(webhooks_by_game)), strict=True))
    # The outbox is read after the lengths. Each commit that the lengths include is therefore either still unread in the
    # outbox or already planned.
    unread = {entry.game for entry in games.store.outbox.read([shard], planning.MAX_ENTRIES).get(shard, ())}
    for game, webhooks in webhooks_by_game.items():
        if game not in unread:
            planning.plan_isolated(_reconcile_game, games, game, webhooks, lengths[game])


def _reconcile_game(games: Games, game: str, webhooks: Sequence[Webhook], length: int) -> None:
    versions = games.store.deliveries.planned_versions([webhook.id for webhook in webhooks], game)
    for webhook, version in zip(webhooks, versions, strict=True):
        if version is not None:
            _compare(games, webhook, game, version, length)


def _compare(games: Games, webhook: Webhook, game: str, version: int, length: int) -> None:
    """Correct a webhook's plan if its last planned commit is not the last commit in the log."""
    if version < length:
        _logger.warning("planning missing deliveries for game %s to webhook %s from the game's log", game, webhook.id)
        planning.plan_game(games, game, version + 1, length)
    elif version > length > 0 and version > (now := games.store.log.length(game)):
        _logger.warning("deliveries for game %s to webhook %s were planned past the end of the log", game, webhook.id)
        games.store.deliveries.set_back(webhook.id, game, version, now)


def _webhooks_by_game(games: Games, shard: int) -> dict[str, list[Webhook]]:
    """Return a shard's running and recently finished games, with the webhooks of their owners and players."""
    playing = _games_of_players(games.store.lists.changed_in_shard(shard, games.now() - RECENT))
    webhooks_by_game: defaultdict[str, list[Webhook]] = defaultdict(list)
    for webhook in games.store.webhooks.of_players(playing):
        for game in playing[webhook.player] if webhook.active and webhook.verified is not None else ():
            webhooks_by_game[game].append(webhook)
    return webhooks_by_game


def _games_of_players(summaries: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """For each person who owns or plays one of the games in `summaries`, return the ids of that person's games."""
    games: defaultdict[str, list[str]] = defaultdict(list)
    for summary in summaries:
        with contextlib.suppress(KeyError, TypeError):  # The summary is damaged.
            players = {summary["owner"], *(seat["player"] for seat in summary["seated"])}
            for player in filter(is_player_id, players - {None}):
                games[player].append(summary["id"])
    return games
