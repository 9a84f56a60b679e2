"""Printing: prints players, games, settings and messages for the admin commands.

`output` is imported only when something is printed, because importing it is slow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .texts import text_of, time_of

Json = dict[str, Any]


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    from . import output

    output.print_json(value)


def print_list(
    entries: list[Json], columns: tuple[str, ...], row: Callable[[Json], tuple[Any, ...]], *, as_json: bool
) -> None:
    """Print entries as a table with one row per entry, or as JSON."""
    from . import output

    if as_json:
        print_json(entries)
    else:
        output.print_table(columns, map(row, entries), "none")


def print_player(player: Json, *, as_json: bool) -> None:
    """Print a player and the player's games."""
    members = {
        "player": player["id"],
        "name": player["name"],
        "registered": time_of(player["registered"]),
        "suspended": player["suspended"],
        "webhooks": f"{player['webhooks']}, {player['active_webhooks']} active",
    }
    games = {f"game {game['id']}": f"{game['status']}, {game['edition']}" for game in player["games"]}
    _print_members(player, {**members, **games}, as_json=as_json)


def print_game(game: Json, *, as_json: bool) -> None:
    """Print a game and its seats."""
    clock, cancelled = game["clock"], game["cancelled"]
    members = {
        "game": game["id"],
        "status": f"{game['status']}, private" if game["private"] else game["status"],
        "title": game["title"],
        "edition": game["edition"],
        "version": game["version"],
        "owner": f"{game['owner']['player']} ({game['owner']['name']})",
        "opened": time_of(game["opened_at"]),
        "changed": time_of(game["changed_at"]),
        "seat to act": game["seat_to_act"],
        "deadline": clock and time_of(clock["deadline"]),
        "paused since": clock and time_of(clock["paused_since"]),
        "cancelled": cancelled and f"by {cancelled['by']}: {text_of(cancelled['reason'])}",
    }
    seats = {f"seat {seat['seat']}": _seat(seat) for seat in game["seats"]}
    _print_members(game, {**members, **seats}, as_json=as_json)


def print_switches(switches: Json, *, as_json: bool) -> None:
    """Print how players may register, and whether the service is read-only."""
    read_only = switches["read_only"]
    since = read_only and f"since {text_of(time_of(read_only['since']))}, reason: {text_of(read_only['reason'])}"
    _print_members(switches, {"registration": switches["registration"], "read-only": since or "off"}, as_json=as_json)


def print_announcements(found: list[Json], *, as_json: bool) -> None:
    """Print announcements."""
    print_list(
        found,
        ("announcement", "from", "until", "text"),
        lambda one: (one["id"], time_of(one["from"]), time_of(one["until"]), one["text"]),
        as_json=as_json,
    )


def print_reports(found: list[Json], *, as_json: bool) -> None:
    """Print reported messages."""
    print_list(
        found,
        ("report", "time", "by", "reason", "game", "author", "message"),
        lambda one: (
            one["id"],
            time_of(one["at"]),
            one["by_name"],
            one["reason"],
            one["game"],
            one["message"] and one["message"]["name"],
            one["message"] and one["message"]["text"],
        ),
        as_json=as_json,
    )


def _print_members(value: Json, members: Json, *, as_json: bool) -> None:
    from . import output

    if as_json:
        print_json(value)
    else:
        output.print_members(members)


def _seat(seat: Json) -> str:
    player = None if seat["player"] is None else f"{seat['player']} ({text_of(seat['name'])})"
    bot = None if seat["bot"] is None else f"bot {seat['bot']}"
    return ", ".join(filter(None, [player, bot, "resigned" if seat["resigned"] else None])) or "free"
