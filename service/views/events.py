"""Events: a game's commits, without the parts that the caller is not allowed to see.

A caller can wait for new commits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import EngineError, event_from_record, event_to_record, seen_by
from engine.record import name_of_type

from ..games.events import TABLE_EVENTS, CardsShown
from ..games.game import Game, key_of_orders
from ..games.hiding import hide_commit, hides_names
from ..games.replay import is_cached
from ..games.repository import Games, require_version
from ..games.table import OVER
from ..store.connection import ReadAhead
from ..store.errors import CorruptLog
from ..timekeeping.deadlines import current
from .waiting import Patience, looks

CARDS_SHOWN = name_of_type(CardsShown)
STANDING_ORDER = "standing-order"
"""The cause that is shown for a move made by the player's standing orders."""

Json = dict[str, Any]


def show_commits(game: Game, after: int, player: str | None) -> list[Json]:
    """Return the commits after a version as `player` may see them.

    If `player` is None or has no seat, return what a spectator may see. A game that has ended is shown in full: its
    seed is public, and anyone with the seed can repeat every draw. If standing orders made a move, only the player who
    gave the orders can see this, even after the game has ended. While the game hides its players, the commits show no
    players other than `player`.
    """
    seat = None if player is None else game.table.seat_of(player)
    revealed = game.revealed
    lines = game.commits.lines[after:]
    commits = [
        {
            "seq": commit["seq"],
            "at": commit["at"],
            "by": commit["by"],
            "view": path_of_view(game.id, commit["seq"]),
            "events": commit["events"] if revealed or is_cached(line) else _seen_by(game, commit, seat),
            **({"cause": STANDING_ORDER} if commit["by"] == player and _by_orders(game, commit) else {}),
        }
        for commit, line in zip(game.commits[after:], lines, strict=True)
    ]
    return [hide_commit(commit, player) for commit in commits] if hides_names(game) else commits


def path_of_view(game_id: str, version: int) -> str:
    """Return the URL path of a game as it was at a version.

    >>> path_of_view("17h8q2v5c0mzk4r9td", 7)
    '/v1/games/17h8q2v5c0mzk4r9td?version=7'
    """
    return f"/v1/games/{game_id}?version={version}"


def wait_for_commits(
    games: Games,
    game_id: str,
    version: int,
    patience: Patience,
    who: Callable[[], str | None] = lambda: None,
    ahead: ReadAhead | None = None,
) -> Game:
    """Wait until a game has commits after a version, or until the caller's wait times out. Return the current game.

    A game that has ended is returned immediately. `who` is called after a wait, and raises Problem if the caller's
    token was replaced in the meantime. `ahead` is the log, if it was already read; the first check uses it (see
    `load`).

    Raises: Problem (unknown-game, invalid-request, token-unknown), Parked, TooManyWaits, StoreUnavailable, CorruptLog.
    """
    for look in looks(games, game_id, patience):
        game = current(games, game_id, ahead)
        require_version(game, version)
        if look.last or game.status in OVER or game.version > version:
            break
    # The token is checked last, so that a caller whose token was replaced during the wait gets no data.
    if look.waited:
        who()
    return game


def _seen_by(game: Game, commit: Json, seat: int | None) -> list[Json]:
    """Return what a seat (None: a spectator) may see of the events in a running game's commit. Raises: CorruptLog."""
    try:
        return [
            _seen_of_table(record, seat)
            if record["type"] in TABLE_EVENTS
            else event_to_record(seen_by(event_from_record(record), seat))
            for record in commit["events"]
        ]
    except EngineError as error:
        raise CorruptLog(game.id) from error


def _seen_of_table(record: Json, seat: int | None) -> Json:
    """Return what a seat (None: a spectator) may see of a table event.

    The cards in a `cards-shown` event are the only secret that a table event can contain.

    >>> record = {"type": "cards-shown", "seat": 0, "to": [2], "cards": {"count": 1, "cards": ["winter"]}, "version": 7}
    >>> _seen_of_table(record, 1)
    {'type': 'cards-shown', 'seat': 0, 'to': [2], 'cards': {'count': 1}, 'version': 7}
    >>> _seen_of_table(record, 2) == _seen_of_table(record, 0) == record
    True
    """
    if record["type"] != CARDS_SHOWN or seat in (record["seat"], *record["to"]):
        return record
    return {**record, "cards": {"count": record["cards"]["count"]}}


def _by_orders(game: Game, commit: Json) -> bool:
    return bool(commit["key"] == key_of_orders(game.seed, commit["seq"] - 1))
