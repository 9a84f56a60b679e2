"""Digests: daily e-mails that list the games waiting for a player, sent at a chosen hour in the player's time zone.

A digest is a delivery in a separate lane, where the digest waits until it is due. When the digest is due, the service
composes it from the inbox, sends it, and plans the next day's digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ..clocks.nights import is_zone
from ..games.repository import Games
from ..notices.words import game_in_words, moment, page_of
from ..store.deliveries import DIGEST as DIGEST
from ..store.deliveries import WAITING, Lane, Plan
from ..store.webhooks import Webhook
from ..views.inbox import read_inbox
from ..views.names import add_to_turns

MOST = 50
"""The maximum number of games that a digest lists."""


def plan_digest(games: Games, webhook: Webhook) -> None:
    """Plan the next digest for an e-mail address, if a time for its digests has been chosen."""
    if webhook.digest is not None:
        games.store.deliveries.plan([Plan(Lane(webhook.id, DIGEST), None, None, [next_digest(webhook, games.now())])])


def next_digest(webhook: Webhook, now: int) -> dict[str, Any]:
    """Return the delivery of the first digest that is due after a time (ms since the epoch)."""
    assert webhook.digest is not None
    due = next_time(webhook.digest, now)
    return {
        "type": DIGEST,
        "game": None,
        "version": None,
        "at": due,
        "status": WAITING,
        "tries": [],
        "schedule": webhook.digest,
    }


def schedule_of(hour: int, zone: str) -> str:
    """Return a daily digest's time in the form in which it is stored.

    >>> schedule_of(8, "Europe/Rome"), hour_and_zone("8 Europe/Rome")
    ('8 Europe/Rome', (8, 'Europe/Rome'))
    """
    return f"{hour} {zone}"


def hour_and_zone(schedule: str) -> tuple[int, str]:
    """Return the hour and the time zone of a daily digest."""
    hour, _, zone = schedule.partition(" ")
    return int(hour), zone if is_zone(zone) else "UTC"


def next_time(schedule: str, now: int) -> int:
    """Return when the next digest after a given time is due (both in ms since the epoch).

    If the digest's hour does not exist on a day because the clocks change, the digest is due an hour later.

    >>> from datetime import datetime
    >>> at = next_time("8 Europe/Rome", 1_795_334_531_480)
    >>> datetime.fromtimestamp(at / 1000, ZoneInfo("Europe/Rome")).isoformat()
    '2026-11-23T08:00:00+01:00'
    """
    hour, zone = hour_and_zone(schedule)
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(ZoneInfo(zone))
    days = (local.date() + timedelta(days) for days in range(3))
    times = (datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(zone)) for day in days)
    return next(at for time in times if (at := round(time.timestamp() * 1000)) > now)


def paragraphs_of(games: Games, webhook: Webhook) -> list[str]:
    """Return the paragraphs of a digest, or an empty list if no game is waiting for the player."""
    turns = add_to_turns(read_inbox(games, webhook.player).turns, games.store.names.of)
    if not turns:
        return []
    _, zone = hour_and_zone(webhook.digest or "0 UTC")
    first = "One game is waiting for you:" if len(turns) == 1 else f"{len(turns)} games are waiting for you:"
    more = [f"and {len(turns) - MOST} more."] if len(turns) > MOST else []
    return [first, *(_paragraph(turn, zone, games.public_url) for turn in turns[:MOST]), *more]


def _paragraph(turn: Mapping[str, Any], zone: str, public_url: str) -> str:
    text = game_in_words(turn, turn["seat"])
    lines = [text[0].upper() + text[1:] + "."]
    if turn["deadline"] is not None:
        lines.append(f"Your time runs out on {moment(turn['deadline'], zone)}.")
    return "\n".join([*lines, *filter(None, [page_of(public_url, turn["game"])])])
