"""Lists of games, which can be filtered.

Each list contains games of one kind: open games, running games, finished games, running games with a free seat, or a
player's own games.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..clocks.settings import SLEEPLESS
from ..games.events import NAMES_SHOWN, NO_HINTS, NO_SHOWING, TALK_ALL
from ..games.game import Game
from ..games.hiding import hide_header
from ..games.isolation import isolated
from ..games.list_entries import show_progress, show_summary
from ..games.repository import Games, load
from ..games.table import FINISHED, OPEN, RUNNING
from ..problems import Problem, bad_cursor
from ..store.errors import BadCursor, StoreError
from ..store.keys import is_player_id, is_private, of_game
from ..store.lists import SEEN, Rows, write_progress
from ..timekeeping.deadlines import write_overdue
from .names import add_to_summaries

Json = dict[str, Any]

MINE, SUBSTITUTE = "mine", "substitute"
KINDS = (OPEN, RUNNING, FINISHED, SUBSTITUTE, MINE)
NONE, LIVE, CORRESPONDENCE = PACES = ("none", "live", "correspondence")

_MEMBERS = {"status", "edition", "owner", "seated", "clock"}
_UNKNOWN = {"turn": None, "round": None, "battle": None}
"""The values that are shown for a game whose log cannot be read."""

_logger = logging.getLogger(__name__)


class Filters(NamedTuple):
    """Additional conditions for the games in a list. A condition that is None is not checked. `player` is an id."""

    edition: str | None = None
    seats: int | None = None
    pace: str | None = None
    free_seat: bool = False
    player: str | None = None


NO_FILTERS = Filters()


def list_games(
    games: Games, kind: str, player: str | None, cursor: str | None, limit: int, filters: Filters = NO_FILTERS
) -> tuple[list[Json], str | None]:
    """Return at most `limit` summaries, most recently changed first, and the next page's cursor (None: no more pages).

    `kind` is open, running, finished, substitute or mine. If `kind` is mine, `player` must be the caller. If there are
    filters, only a limited number of entries (`store.lists`) is examined. A page may therefore be short or empty even
    if there is a next page.

    Takes two round trips, and one more if this process has not cached all the names. Takes up to two more round trips
    for each game that was last changed by a release without a `progress` index. Raises: Problem (invalid-request),
    StoreUnavailable.
    """
    if kind != OPEN:
        write_overdue(games)
    # The list of this player's public games is shorter than the list of all games.
    of_player = filters.player is not None and kind != MINE
    name, whose = (SEEN, filters.player) if of_player else (kind, player)
    matches = None if filters == NO_FILTERS else _matcher(kind, filters, player)
    try:
        found = games.store.lists.search(name, whose, cursor, limit, matches)
    except BadCursor as error:
        raise bad_cursor() from error
    entries = [_show(games, rows, player) for rows in found.rows]
    summaries = [summary for summary in entries if summary is not None]
    return add_to_summaries(summaries, games.store.names.of), found.cursor


def player_named(games: Games, text: str) -> str:
    """Return the id of the player that `text` names. If `text` is an id, it is returned even if no player has this id.

    Takes one round trip if `text` is a name. Raises: Problem (invalid-request).
    """
    if is_player_id(text):
        return text
    player = games.store.players.named(text)
    if player is None:
        errors = {"player": ["No player has this id or name."]}
        raise Problem("invalid-request", "player: no player has this id or name", errors=errors)
    return player


def pace_of(clock: Mapping[str, Any] | None) -> str:
    """Return a game's pace, given its clock's settings. The pace is `live` if no turn can take 12 hours or more.

    Extensions are not counted. Clocks of 12 hours or more also stop for nights and vacations, unless their settings say
    otherwise.

    >>> [pace_of(clock) for clock in (None, {"seconds": 600, "cap": 0}, {"seconds": 600, "cap": 43_200})]
    ['none', 'live', 'correspondence']
    """
    if clock is None:
        return NONE
    return CORRESPONDENCE if max(clock["seconds"], clock["cap"]) >= SLEEPLESS else LIVE


def _matcher(kind: str, filters: Filters, caller: str | None) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that checks whether a summary belongs to a list of this kind and matches the filters.

    A game that hides its players matches a filter for a player only if that player is the caller.
    """

    def matches(summary: Mapping[str, Any]) -> bool:
        if not summary.keys() >= _MEMBERS:
            return False
        status, seated = summary["status"], summary["seated"]
        free = status in (OPEN, RUNNING) and any(seat["player"] is None and seat["bot"] is None for seat in seated)
        return (
            (kind == MINE or (free and status == RUNNING if kind == SUBSTITUTE else status == kind))
            and filters.edition in (None, summary["edition"])
            and filters.seats in (None, len(seated))
            and filters.pace in (None, pace_of(summary["clock"]))
            and (free or not filters.free_seat)
            and (filters.player is None or any(seat["player"] == filters.player for seat in seated))
            and (filters.player in (None, caller) or not summary.get("hides_names"))
        )

    return matches


def _show(games: Games, rows: Rows, player: str | None) -> Json | None:
    """Return a game's entry in a list, without names, or None if neither the entry nor the game can be read."""
    assert rows.summary is not None
    summary, progress = rows.summary, rows.progress
    if progress is None or not summary.keys() >= _MEMBERS:
        with isolated(_logger, rows.game, "showing only part of game %s in a list"):
            game = load(games, rows.game)
            progress, latest = show_progress(game), show_summary(game)
            if latest != {**summary, "changed_at": game.changed_at}:
                summary = latest  # The game has changed since the summary was read.
            _write_again(games, game, progress)
    if not summary.keys() >= _MEMBERS:
        return None
    rules = {
        "hints": summary.get("hints", NO_HINTS),
        "showing": summary.get("showing", NO_SHOWING),
        "talk": summary.get("talk", TALK_ALL),
        "names": summary.get("names", NAMES_SHOWN),
    }
    header = hide_header(summary, player) if summary.get("hides_names") else summary
    entry = {**header, **rules, "version": rows.length, **_UNKNOWN, **(progress or {})}
    entry.pop("hides_names", None)
    return {**entry, "title": rows.title, "private": is_private(rows.game), "you": _seat_of(summary, player)}


def _write_again(games: Games, game: Game, progress: Mapping[str, Any]) -> None:
    """Store a game's progress, so that later readers need not load the game. If the game has changed, store nothing."""
    with suppress(StoreError):
        games.store.indexes.mend(of_game(game.id, "log"), game.version, [write_progress(game.id, progress)])


def _seat_of(summary: Mapping[str, Any], player: str | None) -> int | None:
    seated: Sequence[Json] = summary["seated"]
    return None if player is None else next((seat["seat"] for seat in seated if seat["player"] == player), None)
