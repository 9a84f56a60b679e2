"""Feeds: the commits of a game, or of all a player's games, sent as they are appended.

A follower (an open stream) knows how far it has read, but does not store the game. The next batches of many followers
are computed together. A game is loaded once for all of its followers. A game's commits are rendered once for all
followers who may see the same data. The followers of a player's feed can be at different points of the feed, so only a
few of their batches are computed together.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, NamedTuple

from ..games.access import may_see
from ..games.game import Game
from ..games.isolation import isolated
from ..games.repository import Games, load, require_version
from ..games.table import OVER
from ..parking import Place
from ..store.errors import StoreError
from ..store.feeds import INVITATIONS, START, TALK, Entry, is_cursor, position_of
from ..store.invitations import DECLINED
from ..store.players import Player
from ..store.tokens import READ
from ..talk.showing import show_messages, visible
from ..timekeeping.deadlines import current, write_overdue
from .events import show_commits
from .invitations import show_invited
from .names import name_commits, players_in
from .waiting import Patience, looks

__all__ = ["INVITATIONS", "NOW", "START", "TALK", "is_cursor", "read_feed"]

HEARTBEAT = 15.0
"""The longest pause between two heartbeats of an idle stream, in seconds."""
BATCH_LIMIT = 100
"""The maximum number of commits of a player's feed in one batch."""
FEEDS_TOGETHER = 4
"""The maximum number of followers of a player's feed whose batches are computed at once. The number is small, because
each of these batches may need different games."""
NOW = "now"
"""If a caller sends this value instead of a cursor, the feed is read from its current end."""

Json = dict[str, Any]
Asker = Callable[[], str | None]
"""A function that returns the id of the follower's player, or None for a spectator.

Raises: Problem if the token has been replaced.

The function is called again before each batch is sent, because a stream may be open for days.
"""

_logger = logging.getLogger(__name__)


class Batch(NamedTuple):
    """The next commits for a follower.

    `over` is true if these commits are the last ones, and `more` is true if more commits already exist. Followers who
    have reached the same point and may see the same data share one list of commits.
    """

    commits: Sequence[Json]
    over: bool = False
    more: bool = False


@dataclass(slots=True)
class GameFollower:
    """A follower of a game. The server has sent the follower the commits up to `version`.

    The follower is the token's player, or a spectator if the token is None. `link` is the secret of a private game's
    link, or None if the follower sent no secret.
    """

    most_together: ClassVar[int] = sys.maxsize
    topic: str
    version: int
    token: str | None
    link: str | None = None

    @property
    def position(self) -> int:
        """How many of the game's commits have been sent."""
        return self.version


@dataclass(slots=True)
class FeedFollower:
    """A follower of all games of the token's player. The follower also gets the requested `extras` (see `kind_of`)."""

    most_together: ClassVar[int] = FEEDS_TOGETHER
    topic: str
    cursor: str
    token: str | None
    extras: Collection[str] = ()

    @property
    def position(self) -> int:
        """How many entries of the player's feed have been sent."""
        return position_of(self.cursor)


Follower = GameFollower | FeedFollower
Show = Callable[[Any, Player | None], Batch]
"""A function that returns the next batch for a follower. The second argument is the follower's player, or None."""


def begin(games: Games, follower: Follower, who: Asker) -> Batch:
    """Return a follower's first batch.

    Raises: Problem (unknown-game, invalid-request, token-unknown), StoreUnavailable, CorruptLog.
    """
    if isinstance(follower, FeedFollower):
        write_overdue(games)
        follower.cursor = _resolve_cursor(games, follower.topic, follower.cursor, follower.extras)
        return _next_of_feed(games, follower)
    player = who()
    game = current(games, follower.topic)
    require_version(game, follower.version)
    commits = name_commits(games, show_commits(game, follower.version, player))
    follower.version = game.version
    return Batch(commits, over=game.status in OVER)


def next_batches(games: Games, followers: Sequence[Follower]) -> list[Batch | None]:
    """Return the next batch for each follower, or None for a follower whose stream must be closed.

    All followers must follow the same game, or the same player's games. A follower's stream is closed if the token is
    no longer valid or the host has suspended the player. The stream is also closed if the game is private and the
    follower may no longer see it. If the store fails, the streams of all followers are closed, and a follower that
    reconnects gets the reason.

    For the followers of a game, this function takes three round trips, plus one for each player among the followers if
    the game is private. For the followers of a player's games, it takes one round trip for all followers together. In
    addition, it takes one round trip for each follower, and one for each game that has new commits for this follower.
    If this process has not cached all the names, there is one more round trip.
    """
    topic, batches = followers[0].topic, list[Batch | None]([None] * len(followers))
    try:
        with isolated(_logger, topic, "closing the streams of %s"):
            players = games.store.players.authenticate_all({one.token for one in followers if one.token is not None})
            now, of_game = games.now(), isinstance(followers[0], GameFollower)
            show = _show_game(games, current(games, topic)) if of_game else _show_feeds(games)
            may_follow = _checking_access(games, topic)
            for number, follower in enumerate(followers):
                player = None if follower.token is None else players.get(follower.token)
                accepted = follower.token is None or (player is not None and player.refusal(READ, now) is None)
                if accepted and may_follow(follower, player):
                    batches[number] = show(follower, player)
    except StoreError as error:
        _logger.warning("closing the streams of %s: %s", topic, error)
    return batches


def read_feed(
    games: Games, player: str, cursor: str, patience: Patience, who: Asker, extras: Collection[str] = ()
) -> tuple[list[Json], str]:
    """Return at most `BATCH_LIMIT` commits of a player's feed after a cursor, and the cursor after these commits.

    The result also contains the requested `extras` (see `kind_of`). If there are no items yet, wait for items until the
    caller's wait times out. After the request has waited, the function calls `who` again. Raises: Problem
    (token-unknown), Parked, TooManyWaits, StoreUnavailable.
    """
    write_overdue(games)
    cursor = _start(games, player, cursor, patience.place, extras)
    for look in looks(games, player, patience):
        entries, items, cursor = _read(games, player, cursor, extras)
        if look.last or entries:
            break
    if look.waited:
        who()
    return items, cursor


def kind_of(item: Json) -> str | None:
    """Return the kind of a feed item if it is an extra (a message or a notice), or None if it is a commit."""
    return TALK if "message" in item else INVITATIONS if "invitation" in item else None


def _read(games: Games, player: str, cursor: str, extras: Collection[str]) -> tuple[Sequence[Entry], list[Json], str]:
    """Return the next entries of a feed, the items that they show, and the cursor after these entries.

    If the feed's player has blocked another player, the cursor skips the other player's messages and invitations.
    """
    while True:
        entries = games.store.feeds.read(player, cursor, BATCH_LIMIT, extras)
        items = _show_entries(games, entries, player)
        cursor = entries[-1].cursor if entries else cursor
        hides = bool(entries) and not items and all(not entry.seq for entry in entries)
        if not hides:
            return entries, items, cursor


def pause() -> float:
    """Return the seconds until the next heartbeat.

    The pauses vary at random, so that streams that began together do not send their heartbeats together.
    """
    return HEARTBEAT * random.uniform(0.9, 1)


def _start(games: Games, player: str, cursor: str, place: Place | None, extras: Collection[str]) -> str:
    """Return the cursor from which a request reads. `NOW` means the end of the feed at the time of the request."""
    if place is None:
        return _resolve_cursor(games, player, cursor, extras)
    if place.start is None:
        place.start = _resolve_cursor(games, player, cursor, extras)
    return place.start


def _resolve_cursor(games: Games, player: str, cursor: str, extras: Collection[str]) -> str:
    return games.store.feeds.end(player, extras) if cursor == NOW else cursor


def _checking_access(games: Games, topic: str) -> Callable[[Follower, Player | None], bool]:
    """Return a function that checks whether a follower may still see its game.

    For a private game, the returned function takes one round trip for each player.
    """
    allowed = cache(partial(may_see, games, topic))

    def may_follow(follower: Follower, player: Player | None) -> bool:
        if isinstance(follower, FeedFollower):
            return True
        return allowed(player.id if player else None, follower.link)

    return may_follow


def _show_game(games: Games, game: Game) -> Show:
    """Return a function that shows a game's new commits to followers.

    Followers who see the same data share one result.
    """
    batches: dict[tuple[str | None, int], Batch] = {}
    over = game.status in OVER

    @cache
    def named_since(version: int) -> set[str]:
        return players_in(game.commits[version:])

    def show(follower: GameFollower, player: Player | None) -> Batch:
        since, viewer = follower.version, None
        # A player who has no seat in the game, and is not in the new commits, sees the same as a spectator.
        if player is not None and (game.table.seat_of(player.id) is not None or player.id in named_since(since)):
            viewer = player.id
        batch = batches.get((viewer, since))
        if batch is None:
            commits = name_commits(games, show_commits(game, since, viewer))
            batch = batches[viewer, since] = Batch(commits, over=over)
        follower.version = max(since, game.version)
        return batch

    return show


def _show_feeds(games: Games) -> Show:
    """Return a function that shows a feed's new commits to followers."""
    return lambda follower, _: _next_of_feed(games, follower)


def _next_of_feed(games: Games, follower: FeedFollower) -> Batch:
    entries, items, follower.cursor = _read(games, follower.topic, follower.cursor, follower.extras)
    return Batch(items, more=len(entries) == BATCH_LIMIT)


def _show_entries(games: Games, entries: Sequence[Entry], player: str) -> list[Json]:
    """Return the entries of a feed, each with its game and cursor, as the feed's player may see them.

    Commits come first.
    """
    messages, notices = [entry for entry in entries if entry.message], [entry for entry in entries if entry.notice]
    items = _show_commits(games, [entry for entry in entries if entry.seq], player)
    if messages:
        items += _show_talk(games, messages, player)
    if notices:
        items += _show_notices(games, notices, player)
    return items


def _show_commits(games: Games, entries: Sequence[Entry], player: str) -> list[Json]:
    """Return the commits of a feed, without the parts that the feed's player is not allowed to see."""
    first = {entry.game: entry.seq for entry in reversed(entries)}
    commits: dict[tuple[str, int], Json] = {}
    for game_id, seq in first.items():
        with isolated(_logger, game_id, "leaving game %s out of a feed"):
            commits |= {
                (game_id, commit["seq"]): commit for commit in show_commits(load(games, game_id), seq - 1, player)
            }
    items = [
        {"id": entry.cursor, "game": entry.game, **commits[entry.game, entry.seq]}
        for entry in entries
        if (entry.game, entry.seq) in commits
    ]
    return name_commits(games, items)


def _show_talk(games: Games, entries: Sequence[Entry], player: str) -> list[Json]:
    """Return the messages of a feed, except those by players whom the feed's player has blocked.

    Takes at most two round trips. Raises: StoreError.
    """
    ids: dict[str, list[str]] = {}
    for entry in entries:
        ids.setdefault(entry.game, []).append(entry.message)
    messages, blocked = games.store.talk.messages_for(ids, player)
    found = [(entry, messages[entry.message]) for entry in entries if entry.message in messages]
    wanted = {message["id"] for message in visible([message for _, message in found], player, blocked)}
    remaining = [(entry, message) for entry, message in found if message["id"] in wanted]
    contents = show_messages(games, [message for _, message in remaining], player)
    return [
        {"id": entry.cursor, "game": entry.game, "message": message}
        for (entry, _), message in zip(remaining, contents, strict=True)
    ]


def _show_notices(games: Games, entries: Sequence[Entry], player: str) -> list[Json]:
    """Return the notices of a feed, except those about withdrawn invitations or invitations by blocked players.

    Takes at most three round trips. Raises: StoreError.
    """
    invitations = games.store.invitations.invited((entry.game, entry.invited) for entry in entries)
    blocked = games.store.blocks.of_player(player)
    found = [(entry, invitations[pair]) for entry in entries if (pair := (entry.game, entry.invited)) in invitations]
    remaining = [(entry, one) for entry, one in found if _is_wanted(entry, one, blocked)]
    names = games.store.names.of({name for _, one in remaining for name in (one["player"], one["by"])})
    return [
        {
            "id": entry.cursor,
            "game": entry.game,
            "type": entry.notice,
            "at": one["answered"] if entry.notice == DECLINED else one["at"],
            "invitation": show_invited(one, names),
        }
        for entry, one in remaining
    ]


def _is_wanted(entry: Entry, invitation: Json, blocked: Collection[str]) -> bool:
    """Return whether to show a notice.

    If the notice says that an invitation was declined, the notice is shown only while the answer is stored.
    """
    return "answered" in invitation if entry.notice == DECLINED else invitation["by"] not in blocked
