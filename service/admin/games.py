"""Games: the host can find games, cancel them, and give their seats to bots.

These functions do not show the host any hands, seeds or draws, so the host can also play in the service's games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.bots import label_of

from ..clocks.settings import to_record as settings_to_record
from ..games.access import is_private
from ..games.events import HOST
from ..games.game import Snapshot
from ..games.repository import Games, earlier_answer, load
from ..games.table import RUNNING
from ..play import absence
from ..problems import Problem
from ..tables import titles
from ..timekeeping.deadlines import current
from ..views import list_pages
from ..views.game import show_cancellation
from ..views.names import name_cancellation, name_settings
from .acts import Actor, act, recorded
from .players import require

Json = dict[str, Any]


def find(
    games: Games, status: str | None, player: str | None, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """Return at most `limit` games, most recently changed first, and the next page's cursor (None if this is the last
    page).

    `status` is open, running, finished, substitute or cancelled. If `player` (an id or a name) is given, return only
    games in which that player has had a seat. A page may then contain fewer than `limit` games. To find cancelled
    games, `player` must be given. Raises: Problem (invalid-request, unknown-player).
    """
    if player is None:
        if status == "cancelled":
            errors = {"player": ["Required with the status cancelled."]}
            raise Problem(
                "invalid-request",
                "player: required, because cancelled games can be listed for only one player at a time",
                errors=errors,
            )
        summaries, following = list_pages.list_games(games, status or RUNNING, None, cursor, limit)
    else:
        summaries, following = list_pages.list_games(games, "mine", require(games, player).id, cursor, limit)
        summaries = [summary for summary in summaries if status in (None, summary["status"])]
    return [show_entry(summary) for summary in summaries], following


def show(games: Games, game_id: str) -> Json:
    """Return what the host needs to know about a game. Raises: Problem (unknown-game), CorruptLog."""
    return _show(games, current(games, game_id))


def cancel(games: Games, actor: Actor, game_id: str, reason: str) -> Json:
    """Cancel an open or running game. The players see the reason. Raises: Problem (game-cancelled, game-over)."""
    _require_unfinished(games, actor, game_id)
    with recorded(games, actor, act("cancel", game_id, reason)):
        game = absence.cancel(games, game_id, HOST, reason, actor.attempt).game
    return _show(games, game)


def give_seat(games: Games, actor: Actor, game_id: str, seat: int, bot: str, reason: str) -> Json:
    """Give a player's seat in a running game to a bot, until the player takes the seat back.

    Raises: Problem (game-not-started, game-cancelled, game-over, seat-not-given).
    """
    _require_unfinished(games, actor, game_id)
    with recorded(games, actor, act("give-seat", game_id, reason, seat=seat, bot=bot)):
        game = absence.give_to_bot(games, game_id, HOST, seat, bot, actor.attempt).game
    return _show(games, game)


def change_title(games: Games, actor: Actor, game_id: str, title: str | None, reason: str) -> Json:
    """Change a game's title, or remove it. The audit log does not contain the title.

    Raises: Problem (unknown-game).
    """
    game = load(games, game_id)
    with recorded(games, actor, act("change-title", game_id, reason)):
        titles.change_by_host(games, game_id, title)
    return _show(games, game)


def _show(games: Games, game: Snapshot) -> Json:
    table, title = game.table, games.store.tables.read(game.id).title
    return show_for_host(game, games.store.directory.names({table.opened.owner, *table.players()}), title)


def _require_unfinished(games: Games, actor: Actor, game_id: str) -> None:
    """Check that a game has not ended, before an action on the game is recorded. Raises: Problem.

    If another attempt at this request has already changed the game, the function checks nothing, because that attempt
    may have ended the game.
    """
    game = load(games, game_id)
    if earlier_answer(game, HOST, actor.attempt) is None:
        absence.require_unfinished(game)


def show_entry(summary: Json) -> Json:
    """Return a game's entry in the host's lists, given `summary`, the game's entry in players' lists."""
    members = ("id", "status", "title", "private", "edition", "owner", "owner_name", "opened_at", "changed_at")
    return {**{name: summary[name] for name in members}, "seated": summary["seated"]}


def show_for_host(game: Snapshot, names: Mapping[str, str], title: str | None) -> Json:
    """Return a game with its players' names, but without anything that is hidden from any player."""
    table, state, cancelled = game.table, game.state, show_cancellation(game)
    clock = table.clock
    turn = clock.turn if clock else None
    return {
        "id": game.id,
        "status": game.status,
        "title": title,
        "private": is_private(game.id),
        "version": game.version,
        "edition": table.opened.edition,
        "owner": {"player": table.opened.owner, "name": names.get(table.opened.owner)},
        "opened_at": game.opened_at,
        "changed_at": game.changed_at,
        "seats": [
            {
                "seat": number,
                "player": seat.player,
                "name": None if seat.player is None else names.get(seat.player),
                "bot": seat.bot,
                "label": None if seat.bot is None else label_of(seat.bot),
                "given_at": seat.given_at,
                "resigned": bool(state and state.gone >> number & 1),
            }
            for number, seat in enumerate(table.seats)
        ],
        "seat_to_act": game.seat_to_act,
        "clock": clock
        and {
            "settings": name_settings(settings_to_record(clock.settings)),
            "paused_since": clock.paused,
            "deadline": turn.deadline if turn and clock.paused is None else None,
            "turn_since": turn.since if turn else None,
        },
        "cancelled": cancelled and name_cancellation(cancelled, names),
    }
