"""Feeds: what happens in a game, or in all games of a player, told as it happens.

A stream is an iterator of batches. An empty batch says that the stream is still there; None, the last one, that nothing
will ever follow. One that ends without it has been cut off, and goes on where it is asked to.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Generator, Sequence
from typing import Any

from ..games.isolation import isolated
from ..games.repository import Games, load, must_have_been
from ..games.table import OVER
from ..store.feeds import START, Entry, is_cursor
from ..timekeeping.deadlines import current, write_overdue
from .events import show_commits

__all__ = ["NOW", "START", "follow_game", "follow_player", "is_cursor", "read_feed"]

HEARTBEAT = 15.0
"""Seconds after which an idle stream has said that it is still there, and has looked whether a wake-up was lost."""
MOST = 100
"""How many commits of a player's feed are told at once."""
NOW = "now"
"""Stands for the cursor after everything that there is."""

Json = dict[str, Any]
Stream = Generator[list[Json] | None, None, None]
Asker = Callable[[], str | None]
"""Returns the id of the player who asks, None for a spectator; raises Problem when the token has been replaced since.

It is asked before anything is shown: a stream may be open for days.
"""

_logger = logging.getLogger(__name__)


def follow_game(games: Games, game_id: str, after: int, who: Asker) -> Stream:
    """Yield a game's commits after a version, as who asks may see them, until the game is over.

    A look costs one round trip, and one to load the game where it has gone on; an idle stream looks once a heartbeat.

    Raises: Problem (unknown-game, invalid-request, token-unknown), TooManyWaits, StoreUnavailable, CorruptLog.
    """
    version = 0
    with games.store.waits.waiter(game_id) as waiter:
        while True:
            if not version or games.store.log.length(game_id) > version:
                version, over = yield from _told(games, game_id, max(after, version), who)
                if over:
                    yield None
                    return
            else:
                yield []
            if not waiter.rest(_beat()):
                return


def follow_player(games: Games, player: str, cursor: str, who: Asker) -> Stream:
    """Yield the commits of a player's feed after a cursor; it never ends.

    A look costs one round trip, and one for each game that has gone on; an idle stream looks once a heartbeat.

    Raises: Problem (token-unknown), TooManyWaits, StoreUnavailable.
    """
    write_overdue(games)
    cursor = _resolved(games, player, cursor)
    with games.store.waits.waiter(player) as waiter:
        while True:
            entries = games.store.feeds.read(player, cursor, MOST)
            cursor = entries[-1].cursor if entries else cursor
            yield _shown(games, entries, who)
            if len(entries) < MOST and not waiter.rest(_beat()):
                return


def read_feed(games: Games, player: str, cursor: str, seconds: float, who: Asker) -> tuple[list[Json], str]:
    """Return at most `MOST` commits of a player's feed after a cursor, and the cursor after them.

    Where there are none they are waited for, but no longer than so many seconds; after a wait `who` is asked once more.

    Raises: Problem (token-unknown), TooManyWaits, StoreUnavailable.
    """
    write_overdue(games)
    cursor = _resolved(games, player, cursor)
    entries: list[Entry] = []

    def came() -> bool:
        entries[:] = games.store.feeds.read(player, cursor, MOST)
        return bool(entries)

    waits = not came() and seconds > 0
    if waits:
        games.store.waits.wait(player, seconds, came)
    shown = _shown(games, entries, lambda: player)
    if waits:
        who()
    return shown, entries[-1].cursor if entries else cursor


def _beat() -> float:
    """Return after how many seconds to look: not the same for all streams that began together, after a restart say."""
    return HEARTBEAT * random.uniform(0.6, 1)


def _resolved(games: Games, player: str, cursor: str) -> str:
    return games.store.feeds.end(player) if cursor == NOW else cursor


def _told(games: Games, game_id: str, after: int, who: Asker) -> Generator[list[Json], None, tuple[int, bool]]:
    """Yield a game's commits after a version; return its version, and whether it is over.

    What was loaded is let go with this: an idle stream must not hold a game.
    """
    player = who()
    game = current(games, game_id)
    must_have_been(game, after)
    commits = show_commits(game, after, player)
    over = game.status in OVER
    if commits or not over:
        yield commits
    return game.version, over


def _shown(games: Games, entries: Sequence[Entry], who: Asker) -> list[Json]:
    """Return the commits of a feed as its player may see them, with their games and cursors."""
    player = who() if entries else None
    first = {entry.game: entry.seq for entry in reversed(entries)}
    shown: dict[tuple[str, int], Json] = {}
    for game_id, seq in first.items():
        with isolated(_logger, game_id, "a feed leaves out game %s"):
            shown |= {
                (game_id, commit["seq"]): commit for commit in show_commits(load(games, game_id), seq - 1, player)
            }
    return [
        {"id": entry.cursor, "game": entry.game, **shown[entry.game, entry.seq]}
        for entry in entries
        if (entry.game, entry.seq) in shown
    ]
