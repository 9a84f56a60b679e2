"""Views of a player's data, for that player or for other callers: hours, statistics, and seats played by a bot."""

from __future__ import annotations

from typing import Any

from ..clocks.hours import Hours
from ..games.repository import Games
from ..store.players import Player
from ..store.statistics import PlayerStatistics
from ..timekeeping.deadlines import write_overdue

Json = dict[str, Any]


def show_player(player: Player) -> Json:
    """Return a player's id and name. For the name, see `show_name`."""
    return {"id": player.id, "name": show_name(player.name)}


def show_name(name: str) -> str | None:
    """Return a player's name as it is shown, or None for a player whose account was deleted."""
    return name or None


def show_hours(hours: Hours, now: int) -> Json:
    """Return a player's hours, and how much vacation is left at the time `now` (ms since the epoch)."""
    sleep, vacation = hours.habits.sleep, hours.vacation
    away = vacation.active(now)
    return {
        "time_zone": hours.habits.zone,
        "sleep": sleep and {"from": sleep[0], "until": sleep[1]},
        "auto_vacation": hours.auto_vacation,
        "vacation": {"left": vacation.time_left(now), "away": away, "until": vacation.until if away else None},
    }


def show_statistics(statistics: PlayerStatistics) -> Json:
    """Return a player's statistics."""
    times = {"mean": statistics.mean, "quartiles": list(statistics.quartiles())} if statistics.moves else None
    return {"moves": statistics.moves, "timeouts": statistics.timeouts, "move_times": times}


def bot_seat_notices(games: Games, player: str) -> list[Json]:
    """Return the running games in which a bot plays this player's seat, sorted by the time when the bot took over.

    Takes two round trips. Each notice has `game`, `seat` and `since`, the time when the bot took over (ms since the
    epoch). Raises: StoreUnavailable.
    """
    write_overdue(games)
    seats = [seat for seat in games.store.bot_seats.of_player(player) if seat.keys() >= {"game", "seat", "since"}]
    seats.sort(key=lambda seat: (seat["since"], seat["game"]))
    return [{"type": "seat-with-bot", **seat} for seat in seats]
