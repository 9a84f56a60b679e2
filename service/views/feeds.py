"""Feeds: what happens in a game, or in all games of a player, told as it happens.

Who follows is a value that knows how much has been told, and holds no game. What each of many is to be told next is
found for all of them at once: a game is loaded once for those who follow it, and its commits are shown once to those
who may see the same.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from ..games.game import Game
from ..games.isolation import isolated
from ..games.repository import Games, load, require_version
from ..games.table import OVER
from ..store.errors import StoreError
from ..store.feeds import START, Entry, is_cursor, position_of
from ..store.players import Player
from ..timekeeping.deadlines import current, write_overdue
from .events import show_commits
from .waiting import Patience, looks

__all__ = ["NOW", "START", "is_cursor", "read_feed"]

HEARTBEAT = 15.0
"""Seconds after which an idle stream has said that it is still there."""
MOST = 100
"""How many commits of a player's feed are told at once."""
NOW = "now"
"""Stands for the cursor after everything that there is."""

Json = dict[str, Any]
Asker = Callable[[], str | None]
"""Returns the id of the player who asks, None for a spectator; raises Problem when the token has been replaced since.

It is asked before anything is shown: a stream may be open for days.
"""

_logger = logging.getLogger(__name__)


class Told(NamedTuple):
    """What a follower is told next: `over` where nothing will ever follow, `more` where there is more at once.

    Who may see the same and has been told as much gets the same list of commits.
    """

    commits: Sequence[Json]
    over: bool = False
    more: bool = False


@dataclass(slots=True)
class GameFollower:
    """Somebody who follows a game: a player with this token, None for a spectator, who was told up to a version."""

    topic: str
    version: int
    token: str | None

    @property
    def position(self) -> int:
        """How many of the game's commits have been told."""
        return self.version


@dataclass(slots=True)
class FeedFollower:
    """A player with this token who follows all their games, and was told up to a cursor."""

    topic: str
    cursor: str
    token: str | None

    @property
    def position(self) -> int:
        """How many entries of the player's feed have been told."""
        return position_of(self.cursor)


Follower = GameFollower | FeedFollower
Show = Callable[[Any, Player | None], Told]
"""Tells a follower of one kind, who is a player or a spectator, what is new to them."""


def begin(games: Games, follower: Follower, who: Asker) -> Told:
    """Return what somebody is told first.

    Raises: Problem (unknown-game, invalid-request, token-unknown), StoreUnavailable, CorruptLog.
    """
    if isinstance(follower, FeedFollower):
        write_overdue(games)
        follower.cursor = _resolved(games, follower.topic, follower.cursor)
        return _tell_feed(games, follower)
    player = who()
    game = current(games, follower.topic)
    require_version(game, follower.version)
    commits = show_commits(game, follower.version, player)
    follower.version = game.version
    return Told(commits, over=game.status in OVER)


def tell(games: Games, followers: Sequence[Follower]) -> list[Told | None]:
    """Return what each of those is told next who follow the same game, or the same player's games; None cuts them off.

    Cut off is whoever has replaced the token, and everybody where the store fails: who asks again is told why. Three
    round trips for all who follow a game, two and one for each game that has gone on for who follows a player's.
    """
    topic, told = followers[0].topic, list[Told | None]([None] * len(followers))
    try:
        with isolated(_logger, topic, "closing the streams of %s"):
            players = games.store.players.authenticate_all({one.token for one in followers if one.token is not None})
            of_game = isinstance(followers[0], GameFollower)
            show = _shows(current(games, topic)) if of_game else _shows_feeds(games)
            for number, follower in enumerate(followers):
                player = None if follower.token is None else players.get(follower.token)
                if follower.token is None or player is not None:
                    told[number] = show(follower, player)
    except StoreError as error:
        _logger.warning("closing the streams of %s: %s", topic, error)
    return told


def read_feed(games: Games, player: str, cursor: str, patience: Patience, who: Asker) -> tuple[list[Json], str]:
    """Return at most `MOST` commits of a player's feed after a cursor, and the cursor after them.

    Where there are none they are waited for, as long as the caller's patience lasts; after a wait `who` is asked once
    more. Raises: Problem (token-unknown), Parked, TooManyWaits, StoreUnavailable.
    """
    write_overdue(games)
    cursor = _resolved(games, player, cursor)
    for look in looks(games, player, patience):
        entries = games.store.feeds.read(player, cursor, MOST)
        if look.last or entries:
            break
    shown = _shown(games, entries, player)
    if look.waited:
        who()
    return shown, entries[-1].cursor if entries else cursor


def pause() -> float:
    """Return after how many seconds to say so: not the same for all who began together, after a restart say."""
    return HEARTBEAT * random.uniform(0.9, 1)


def _resolved(games: Games, player: str, cursor: str) -> str:
    return games.store.feeds.end(player) if cursor == NOW else cursor


def _shows(game: Game) -> Show:
    """Return what tells followers of a game what is new to them; once for all who may see the same."""
    shown: dict[tuple[str | None, int], Told] = {}
    over = game.status in OVER

    @cache
    def acted_since(version: int) -> set[str]:
        return {commit["by"] for commit in game.commits[version:]}

    def show(follower: GameFollower, player: Player | None) -> Told:
        since, viewer = follower.version, None
        # A player who neither sits here nor has acted is shown what a spectator is.
        if player is not None and (game.table.seat_of(player.id) is not None or player.id in acted_since(since)):
            viewer = player.id
        told = shown.get((viewer, since))
        if told is None:
            told = shown[viewer, since] = Told(show_commits(game, since, viewer), over=over)
        follower.version = max(since, game.version)
        return told

    return show


def _shows_feeds(games: Games) -> Show:
    """Return what tells followers of feeds what is new to them."""
    return lambda follower, _: _tell_feed(games, follower)


def _tell_feed(games: Games, follower: FeedFollower) -> Told:
    entries = games.store.feeds.read(follower.topic, follower.cursor, MOST)
    if entries:
        follower.cursor = entries[-1].cursor
    return Told(_shown(games, entries, follower.topic), more=len(entries) == MOST)


def _shown(games: Games, entries: Sequence[Entry], player: str) -> list[Json]:
    """Return the commits of a feed as its player may see them, with their games and cursors."""
    first = {entry.game: entry.seq for entry in reversed(entries)}
    shown: dict[tuple[str, int], Json] = {}
    for game_id, seq in first.items():
        with isolated(_logger, game_id, "leaving game %s out of a feed"):
            shown |= {
                (game_id, commit["seq"]): commit for commit in show_commits(load(games, game_id), seq - 1, player)
            }
    return [
        {"id": entry.cursor, "game": entry.game, **shown[entry.game, entry.seq]}
        for entry in entries
        if (entry.game, entry.seq) in shown
    ]
