"""Planning: which deliveries follow from what happened in a game."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.events import TurnStarted

from ..clocks.events import ClockStarted, SeatOpened, SeatSubstituted
from ..games.commits import Commit, commits_of
from ..games.events import SeatLeft, SeatTaken
from ..games.replay import table_history
from ..games.repository import Games
from ..games.table import RUNNING, Table
from ..store.commits import Commits
from ..store.deliveries import NO_GAME, WAITING, Lane, Plan
from ..store.errors import CorruptLog, StoreUnavailable
from ..store.keys import shard_of_game
from ..store.outbox import Entry
from ..store.webhooks import Webhook
from .kinds import COMES, LEAVES, PING, TURN_REJECTED, kinds_of

MOST = 200
"""How many appends of a shard are read at once."""

BUDGET = 5.0
"""Seconds after which no further shard is planned: the next round does it, and what is to be sent goes out before."""

PAGE = 100
"""How many of a player's games are read at once."""

_BEGINS = (TurnStarted, ClockStarted)
"""One of these stands in every commit with which a game begins to wait for a seat."""

_logger = logging.getLogger(__name__)


def plan(games: Games, shards: Sequence[int]) -> bool:
    """Plan what the outboxes of some shards say, and return whether there may be more."""
    found, ends = games.store.outbox.read(shards, MOST), time.monotonic() + BUDGET
    for shard, entries in found.items():
        if time.monotonic() > ends:
            return True
        for game_id, first, last in _by_game(entries):
            whatever_happens(plan_game, games, game_id, first, last)
        games.store.outbox.done(shard, entries[-1])
    return any(len(entries) == MOST for entries in found.values())


def plan_game(games: Games, game_id: str, first: int, last: int) -> None:
    """Plan what the commits of a game are to its players' webhooks, each commit once however often this is called.

    A webhook that has been told of this game before is told of everything since; any other of what began with `first`.
    A commit concerns the owner, and whoever sits at the table after it or has left with it.
    """
    found = _look(games, game_id)
    if found is not None:
        webhooks = games.store.webhooks.of_players(_concerned(found, first))
        _plan_for(games, webhooks, found, first, last)


def catch_up(games: Games, webhook: Webhook) -> None:
    """Plan the last turn of every game that goes on, for a webhook that has just proved itself or is active again.

    So it is told of the turns that wait for its player, and of what has happened to the table since they began. What
    has not been planned of such a game yet is planned too.
    """
    cursor: str | None = None
    while True:
        page, cursor = games.store.lists.page("mine", webhook.player, cursor, PAGE)
        for summary in page:
            if summary["status"] == RUNNING:
                whatever_happens(_plan_last, games, webhook, summary["id"])
        if cursor is None:
            return


def _plan_last(games: Games, webhook: Webhook, game_id: str) -> None:
    found = _look(games, game_id)
    if found is None:
        return
    shard = shard_of_game(game_id)
    unread = games.store.outbox.read([shard], MOST).get(shard, [])
    first = min([_turn_began(found), *(entry.seq for entry in unread if entry.game == game_id)])
    _plan_for(games, [webhook], found, first, found.version)


def whatever_happens(function: Callable[..., None], games: Games, *args: Any) -> None:
    """Plan something of a game; whatever is wrong with it, the others need not wait. Raises: StoreUnavailable."""
    try:
        function(games, *args)
    except StoreUnavailable:
        raise
    except Exception:
        _logger.exception("cannot plan the deliveries of a game: %s", args)


def plan_ping(games: Games, webhook: Webhook, challenge: str, *, catch_up: bool, claim: str | None = None) -> int:
    """Plan a ping, and return its number; -1 where the webhook is gone. With a request's `claim`, one for it."""
    ping = _delivery(PING, None, None, games.now(), challenge=challenge, catch_up=catch_up)
    (number,) = games.store.deliveries.plan([Plan(Lane(webhook.id, NO_GAME), None, None, [ping])], claim)
    return number


def rejection(delivery: Mapping[str, Any], problem: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Return the delivery that tells why the move in the answer to another one was refused."""
    return _delivery(TURN_REJECTED, delivery["game"], delivery["version"], now, problem=problem)


Seating = SeatTaken | SeatSubstituted | SeatLeft | SeatOpened
"""How a player comes to a seat, or leaves it."""


class _Found(NamedTuple):
    """A game whose players may be told of it; `seatings` are the commits by which players came and left, and how."""

    id: str
    log: Commits
    table: Table
    seatings: Sequence[tuple[int, Seating]]

    @property
    def version(self) -> int:
        """The length of the log."""
        return len(self.log)

    def commits(self, after: int, upto: int) -> list[Commit]:
        """Return the commits after a version, up to another. Raises: CorruptLog."""
        return commits_of(self.log[after:upto])

    def seat_at(self, seq: int, player: str) -> int | None:
        """Return the seat that a player has after a commit, or has left with it."""
        seat: int | None = None
        for at, event in self.seatings:
            if at <= seq and event.player == player:
                seat = event.seat if isinstance(event, COMES) or at == seq else None
        return seat


def _look(games: Games, game_id: str) -> _Found | None:
    try:
        loaded = games.store.log.load(game_id)
        if loaded is None:
            return None
        table, events = table_history(loaded.commits)
    except CorruptLog:
        _logger.critical("cannot plan the deliveries of game %s: its log cannot be read", game_id)
        return None
    seatings = [(seq, event) for seq, event in events if isinstance(event, Seating)]
    return _Found(game_id, loaded.commits, table, seatings)


def _turn_began(found: _Found) -> int:
    """Return the number of the last commit with which a game began to wait for a seat."""
    versions = range(found.version, 0, -1)
    return next(seq for seq in versions if any(isinstance(e, _BEGINS) for e in found.commits(seq - 1, seq)[0].events))


def _plan_for(games: Games, webhooks: Iterable[Webhook], found: _Found, first: int, last: int) -> None:
    """Plan commits for some webhooks; where somebody else plans at the same moment, look again how far that went.

    Only what is in the log is planned, whatever an outbox says: an append may have failed after it had written there.
    """
    last = min(last, found.version)
    left = [webhook for webhook in webhooks if _wants(webhook, found.id)]
    while left:
        planned = _planned(games, left, found, first)
        made = (_plan(webhook, found, before, first, last) for webhook, before in zip(left, planned, strict=True))
        plans = [(webhook, plan) for webhook, plan in zip(left, made, strict=True) if plan is not None]
        numbers = games.store.deliveries.plan([plan for _, plan in plans])
        left = [webhook for (webhook, _), number in zip(plans, numbers, strict=True) if number == 0]


def _planned(games: Games, webhooks: Sequence[Webhook], found: _Found, first: int) -> list[int | None]:
    """Return up to which commit a game was planned for some webhooks.

    Where that is past the end of its log, which an older state was put back of, it is set back to before `first`.
    """
    deliveries = games.store.deliveries
    planned = deliveries.planned([webhook.id for webhook in webhooks], found.id)
    furthest = max((seq for seq in planned if seq is not None), default=0)
    if furthest <= found.version or furthest <= games.store.log.length(found.id):
        return planned
    for webhook, seq in zip(webhooks, planned, strict=True):
        if seq is not None and seq > found.version:
            deliveries.set_back(webhook.id, found.id, seq, first - 1)
    return deliveries.planned([webhook.id for webhook in webhooks], found.id)


def _plan(webhook: Webhook, found: _Found, before: int | None, first: int, last: int) -> Plan | None:
    """Return what is to be planned for a webhook, None where nothing is."""
    since = first - 1 if before is None else before
    deliveries = list(_deliveries(webhook, found, found.commits(since, last)))
    if since >= last or (before is None and not deliveries):
        return None
    return Plan(Lane(webhook.id, found.id), before, last, deliveries)


def _by_game(entries: Iterable[Entry]) -> Iterator[tuple[str, int, int]]:
    """Yield each game with the first and the last of its commits among some entries."""
    seen: dict[str, tuple[int, int]] = {}
    for entry in entries:
        if not entry.game:
            continue
        first, last = seen.get(entry.game, (entry.seq, entry.seq))
        seen[entry.game] = min(first, entry.seq), max(last, entry.seq)
    return ((game, first, last) for game, (first, last) in seen.items())


def _concerned(found: _Found, first: int) -> list[str]:
    """Return whom commits from a first one on may concern: the owner, who sits there now, and who has left since."""
    left = [event.player for at, event in found.seatings if at >= first and isinstance(event, LEAVES)]
    return list(dict.fromkeys([found.table.opened.owner, *found.table.players(), *left]))


def _wants(webhook: Webhook, game_id: str) -> bool:
    chosen = webhook.games is None or game_id in webhook.games
    return webhook.active and webhook.verified is not None and chosen


def _deliveries(webhook: Webhook, found: _Found, commits: Iterable[Commit]) -> Iterator[dict[str, Any]]:
    owns, clocked = found.table.opened.owner == webhook.player, found.table.clock is not None
    for commit in commits:
        seat = found.seat_at(commit.seq, webhook.player)
        if seat is None and not owns:
            continue
        for kind in kinds_of(commit, seat, clocked=clocked):
            if kind in webhook.events:
                yield _delivery(kind, found.id, commit.seq, commit.at)


def _delivery(kind: str, game_id: str | None, version: int | None, at: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "game": game_id, "version": version, "at": at, "status": WAITING, "tries": [], **more}
