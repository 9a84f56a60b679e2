"""Planning: decides which deliveries follow from the commits of a game."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple, TypeVar

from engine.events import SeatResigned, TurnStarted

from ..clocks.events import ClockStarted, SeatGivenToBot, SeatOpened, SeatSubstituted, SeatTakenBack
from ..games.commits import Commit, commits_of
from ..games.events import BotSeated, SeatClosed, SeatLeft, SeatTaken, TableEvent, TableOpened
from ..games.replay import table_history
from ..games.repository import Games
from ..games.table import RUNNING, Table
from ..store.commits import Commits
from ..store.deliveries import NO_GAME, WAITING, Lane, Plan
from ..store.errors import CorruptLog, StoreUnavailable
from ..store.keys import shard_of_game
from ..store.outbox import Entry
from ..store.webhooks import Webhook
from .formats import is_for_people
from .kinds import ARRIVALS, DEPARTURES, PING, TABLE_FILLED, TURN_REJECTED, TURN_STARTED, kinds_of

T = TypeVar("T")

MAX_ENTRIES = 200
"""The maximum number of entries of a shard's outbox that are read in one call."""

BUDGET = 5.0
"""Seconds after which `plan` starts no more shards. Deliveries can then be sent before the next call continues."""

PAGE = 100
"""The maximum number of a player's games that are read in one call."""

_BEGINS = (TurnStarted, ClockStarted)
"""Every commit that begins a turn, or makes the game wait for another seat, contains one of these events."""

_logger = logging.getLogger(__name__)


class Planned(NamedTuple):
    """The result of planning: whether there may be more to plan, and the ids of the webhooks that were considered."""

    more: bool
    webhooks: Set[str]


def plan(games: Games, shards: Sequence[int]) -> Planned:
    """Plan deliveries for the commits in the outboxes of some shards."""
    entries_by_shard, ends = games.store.outbox.read(shards, MAX_ENTRIES), time.monotonic() + BUDGET
    webhooks: set[str] = set()
    for shard, entries in entries_by_shard.items():
        if time.monotonic() > ends:
            return Planned(True, webhooks)
        for game_id, first, last in _by_game(entries):
            webhooks |= plan_isolated(plan_game, games, game_id, first, last) or set()
        games.store.outbox.move_cursor(shard, entries[-1])
    return Planned(any(len(entries) == MAX_ENTRIES for entries in entries_by_shard.values()), webhooks)


def plan_game(games: Games, game_id: str, first: int, last: int) -> set[str]:
    """Plan deliveries about a game's commits to the players' webhooks.

    Deliveries about a commit are never planned twice for the same webhook. If deliveries about this game have already
    been planned for a webhook, planning continues after the last commit that was planned for the webhook. For any other
    webhook, planning starts with the commit `first`. A commit concerns the owner, the players at the table after the
    commit, and the players who left in the commit. Returns the ids of all webhooks of these players.
    """
    game = _load(games, game_id)
    if game is None:
        return set()
    webhooks = games.store.webhooks.of_players(_recipients(game, first))
    _plan_webhooks(games, webhooks, game, first, last)
    return {webhook.id for webhook in webhooks}


def catch_up(games: Games, webhook: Webhook) -> None:
    """Plan deliveries about the current turns of running games, for a webhook that was just verified or reactivated.

    In each running game, planning starts with the commit that began the current turn, so the webhook is notified of
    every turn that is waiting for its player. If the shard's outbox still contains earlier commits of the game,
    planning starts with the earliest of these commits.
    """
    cursor: str | None = None
    while True:
        page, cursor = games.store.lists.page("mine", webhook.player, cursor, PAGE)
        for summary in page:
            if summary["status"] == RUNNING:
                plan_isolated(_plan_last, games, webhook, summary["id"])
        if cursor is None:
            return


def _plan_last(games: Games, webhook: Webhook, game_id: str) -> None:
    game = _load(games, game_id)
    if game is None:
        return
    shard = shard_of_game(game_id)
    unread = games.store.outbox.read([shard], MAX_ENTRIES).get(shard, [])
    first = min([_turn_start(game), *(entry.seq for entry in unread if entry.game == game_id)])
    _plan_webhooks(games, [webhook], game, first, game.version)


def plan_isolated(function: Callable[..., T], games: Games, *args: Any) -> T | None:
    """Call a planning function for one game, and return its result, or None after an error.

    Errors are logged, not raised, so that they do not affect other games. Raises: StoreUnavailable.
    """
    try:
        return function(games, *args)
    except StoreUnavailable:
        raise
    except Exception:
        _logger.exception("cannot plan the deliveries for a game: %s", args)
    return None


def plan_ping(games: Games, webhook: Webhook, challenge: str, *, catch_up: bool, claim: str | None = None) -> int:
    """Plan a ping, and return its number, or -1 if the webhook does not exist.

    If a request's `claim` is given, only one ping is planned, even if the request is repeated.
    """
    ping = _delivery(PING, None, None, games.now(), challenge=challenge, catch_up=catch_up)
    (number,) = games.store.deliveries.plan([Plan(Lane(webhook.id, NO_GAME), None, None, [ping])], claim)
    return number


def rejection(delivery: Mapping[str, Any], problem: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Return a `turn.rejected` delivery, which says why the move in the response to `delivery` was refused."""
    return _delivery(TURN_REJECTED, delivery["game"], delivery["version"], now, problem=problem)


Seating = SeatTaken | SeatSubstituted | SeatLeft | SeatOpened | SeatClosed
"""The events that record that a player takes a seat or leaves it, or that the numbers of seats change."""


class _LoggedGame(NamedTuple):
    """A game's log and table, and the events about its seats with the numbers of their commits.

    `seatings` are the events in which players took and left seats. `bot_seats` are the events in which bots gained and
    lost seats. `filled` are the numbers of the commits in which the last free seat was taken before the game began.
    """

    id: str
    log: Commits
    table: Table
    seatings: Sequence[tuple[int, Seating]]
    bot_seats: Sequence[tuple[int, SeatGivenToBot | SeatTakenBack]]
    filled: Set[int]

    @property
    def version(self) -> int:
        """The length of the log."""
        return len(self.log)

    def commits(self, after: int, upto: int) -> list[Commit]:
        """Return the commits after one version, up to and including another version. Raises: CorruptLog."""
        return commits_of(self.log[after:upto])

    def seat_at(self, seq: int, player: str) -> int | None:
        """Return a player's seat after a commit, or the seat that the player left in that commit."""
        seat: int | None = None
        for at, event in self.seatings:
            if at > seq:
                break
            if isinstance(event, SeatClosed):
                seat = seat - 1 if seat is not None and seat > event.seat else seat
            elif event.player == player:
                seat = event.seat if isinstance(event, ARRIVALS) or at == seq else None
        return seat

    def has_bot(self, seq: int, seat: int | None) -> bool:
        """Return whether a bot moves for a player's seat after a commit."""
        changes = [event for at, event in self.bot_seats if at <= seq and event.seat == seat]
        return bool(changes) and isinstance(changes[-1], SeatGivenToBot)


def _load(games: Games, game_id: str) -> _LoggedGame | None:
    try:
        loaded = games.store.log.load(game_id)
        if loaded is None:
            return None
        table, events = table_history(loaded.commits)
    except CorruptLog:
        _logger.critical("cannot plan the deliveries for game %s: the game's log cannot be read", game_id)
        return None
    seatings = [(seq, event) for seq, event in events if isinstance(event, Seating)]
    bot_seats = [(seq, event) for seq, event in events if isinstance(event, SeatGivenToBot | SeatTakenBack)]
    return _LoggedGame(game_id, loaded.commits, table, seatings, bot_seats, _filled(events))


def _filled(events: Iterable[tuple[int, TableEvent]]) -> Set[int]:
    """Return the numbers of the commits in which a table's last free seat was taken or removed. The log's first commit
    is left out.
    """
    free, filled = 0, set[int]()
    for seq, event in events:
        match event:
            case TableOpened():
                free = event.seats
            case SeatTaken() | BotSeated() | SeatClosed():
                free -= 1
                if free == 0 and seq > 1:
                    filled.add(seq)
            case SeatLeft():
                free += 1
    return filled


def _turn_start(game: _LoggedGame) -> int:
    """Return the number of the last commit that began a turn or made the game wait for another seat."""
    versions = range(game.version, 0, -1)
    return next(seq for seq in versions if any(isinstance(e, _BEGINS) for e in game.commits(seq - 1, seq)[0].events))


def _plan_webhooks(games: Games, webhooks: Iterable[Webhook], game: _LoggedGame, first: int, last: int) -> None:
    """Plan these webhooks' deliveries about a game's commits. Start over if another process has planned deliveries
    about some of the commits in the meantime.

    Deliveries are planned only for commits that are in the log. The outbox may list commits that are not in the log,
    because an append may have failed after it wrote to the outbox.
    """
    last = min(last, game.version)
    remaining = [webhook for webhook in webhooks if accepts(webhook, game.id)]
    while remaining:
        versions = _planned_versions(games, remaining, game, first)
        candidates = (
            _plan(webhook, game, before, first, last) for webhook, before in zip(remaining, versions, strict=True)
        )
        plans = [(webhook, plan) for webhook, plan in zip(remaining, candidates, strict=True) if plan is not None]
        numbers = games.store.deliveries.plan([plan for _, plan in plans])
        remaining = [webhook for (webhook, _), number in zip(plans, numbers, strict=True) if number == 0]


def _planned_versions(games: Games, webhooks: Sequence[Webhook], game: _LoggedGame, first: int) -> list[int | None]:
    """For each webhook, return the number of the game's last planned commit, or None if no commit was planned.

    A number may be past the end of the log if an older backup has been restored. A number past the end of the log is
    reset to `first - 1`.
    """
    deliveries = games.store.deliveries
    versions = deliveries.planned_versions([webhook.id for webhook in webhooks], game.id)
    furthest = max((seq for seq in versions if seq is not None), default=0)
    if furthest <= game.version or furthest <= games.store.log.length(game.id):
        return versions
    for webhook, seq in zip(webhooks, versions, strict=True):
        if seq is not None and seq > game.version:
            deliveries.set_back(webhook.id, game.id, seq, first - 1)
    return deliveries.planned_versions([webhook.id for webhook in webhooks], game.id)


def _plan(webhook: Webhook, game: _LoggedGame, before: int | None, first: int, last: int) -> Plan | None:
    """Return the plan for a webhook, or None if there is nothing to plan."""
    since = first - 1 if before is None else before
    counted_from = 0 if before is not None else since
    deliveries = list(_deliveries(webhook, game, game.commits(since, last), counted_from))
    if since >= last or (before is None and not deliveries):
        return None
    return Plan(Lane(webhook.id, game.id), before, last, deliveries)


def _by_game(entries: Iterable[Entry]) -> Iterator[tuple[str, int, int]]:
    """Yield each game in the outbox entries, with its lowest and its highest commit number in these entries."""
    ranges: dict[str, tuple[int, int]] = {}
    for entry in entries:
        if not entry.game:
            continue
        first, last = ranges.get(entry.game, (entry.seq, entry.seq))
        ranges[entry.game] = min(first, entry.seq), max(last, entry.seq)
    return ((game, first, last) for game, (first, last) in ranges.items())


def _recipients(game: _LoggedGame, first: int) -> list[str]:
    """Return the owner, the players at the table, and the players who left in commit `first` or later."""
    leavers = [event.player for at, event in game.seatings if at >= first and isinstance(event, DEPARTURES)]
    return list(dict.fromkeys([game.table.opened.owner, *game.table.players(), *leavers]))


def accepts(webhook: Webhook, game_id: str) -> bool:
    """Return whether a webhook is active and verified, and receives events about a game."""
    includes_game = webhook.games is None or game_id in webhook.games
    return webhook.active and webhook.verified is not None and includes_game


def _deliveries(
    webhook: Webhook, game: _LoggedGame, commits: Iterable[Commit], counted_from: int
) -> Iterator[dict[str, Any]]:
    """Yield the deliveries that result from these commits.

    A person is notified of each turn only once, even if the version changes during the turn or the turn's clock
    restarts. Commits up to `counted_from` do not count as notifications, because the webhook never received them.
    """
    for commit in commits:
        for kind in _kinds(webhook.player, game, commit):
            if kind not in webhook.events:
                continue
            if (
                kind == TURN_STARTED
                and is_for_people(webhook.format)
                and _is_repeated(webhook, game, commit, counted_from)
            ):
                continue
            yield _delivery(kind, game.id, commit.seq, commit.at)


def _kinds(player: str, game: _LoggedGame, commit: Commit) -> Iterator[str]:
    """Yield the kinds of events that a commit causes for a player."""
    seat = game.seat_at(commit.seq, player)
    if seat is None and game.table.opened.owner != player:
        return
    # In a game without a clock, only `has_bot` shows that a seat's turn belongs to its bot.
    clocked = game.table.clock is not None or game.has_bot(commit.seq, seat)
    if commit.seq in game.filled:
        yield TABLE_FILLED
    yield from kinds_of(commit, seat, clocked=clocked)


def _is_repeated(webhook: Webhook, game: _LoggedGame, commit: Commit, counted_from: int) -> bool:
    """Return whether a commit between `counted_from` and this commit already notified the player of the same turn."""
    began = _turn_began(game, commit.seq)
    earlier = game.commits(max(began - 1, counted_from), commit.seq - 1)
    return any(TURN_STARTED in _kinds(webhook.player, game, one) for one in earlier)


def _turn_began(game: _LoggedGame, seq: int) -> int:
    """Return the number of the commit that began the turn that was in progress at a version.

    A commit without a move does not begin a turn. A resignation begins a turn only if it changes whose turn it is.
    """
    later: Commit | None = None
    for at in range(seq, 0, -1):
        (commit,) = game.commits(at - 1, at)
        if not commit.game_events:
            continue
        if later is not None and _seat_to_act(commit) != _seat_to_act(later):
            return later.seq
        if not any(isinstance(event, SeatResigned) for event in commit.events):
            return at
        later = commit
    return seq


def _seat_to_act(commit: Commit) -> int | None:
    """Return the seat whose turn it is after a commit with game events, or None if it is nobody's turn."""
    last = commit.game_events[-1]
    return last.seat if isinstance(last, TurnStarted) else None


def _delivery(kind: str, game_id: str | None, version: int | None, at: int, **extra: Any) -> dict[str, Any]:
    return {"type": kind, "game": game_id, "version": version, "at": at, "status": WAITING, "tries": [], **extra}
