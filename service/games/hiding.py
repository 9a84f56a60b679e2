"""Hidden names: a game that was opened with `names: hidden` does not reveal its players until the game ends.

A game that is cancelled before it starts never reveals its players. While a game hides its players, everybody sees
`HIDDEN` instead of the id of every other player. Nobody can therefore find out whether two hidden seats, in one game or
in different games, belong to the same player. The log and the rows in the store contain the real ids. All data about a
game that hides its players passes through this module before leaving the service. The only exception is data that
only the host sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..store.keys import is_player_id
from .events import NAMES_HIDDEN
from .game import Snapshot

HIDDEN = "hidden"
"""The text that replaces the id of a player whose name is hidden."""
_PLAYERS = {"player", "owner"}
"""The members of events that contain a player's id."""

Json = dict[str, Any]


def hides_names(game: Snapshot) -> bool:
    """Return whether the players of a game are hidden now."""
    return game.table.names == NAMES_HIDDEN and not game.revealed


def hide_player(player: str, viewer: str | None) -> str:
    """Return a player's id as `viewer` sees it. `viewer` is None for a spectator without an account."""
    return player if player == viewer else HIDDEN


def hide_game(view: Mapping[str, Any], viewer: str | None) -> Json:
    """Return a copy of a game's view that hides the ids of all players except `viewer`."""
    cancelled = view["cancelled"]
    return {**hide_header(view, viewer), "cancelled": cancelled and _hide_author(cancelled, viewer)}


def hide_header(header: Mapping[str, Any], viewer: str | None) -> Json:
    """Return a copy of a game's header or list entry that hides the ids of all players except `viewer`."""
    return {**header, "owner": hide_player(header["owner"], viewer), "seated": hide_seats(header["seated"], viewer)}


def hide_seats(seated: Sequence[Json], viewer: str | None) -> list[Json]:
    """Return a copy of a game's seats that hides the ids of all players except `viewer`.

    >>> hide_seats([{"seat": 0, "player": "p17k3v9k3v9k3"}, {"seat": 1, "player": None}], None)
    [{'seat': 0, 'player': 'hidden'}, {'seat': 1, 'player': None}]
    """
    return [
        {**seat, "player": None if seat["player"] is None else hide_player(seat["player"], viewer)} for seat in seated
    ]


def hide_commit(commit: Mapping[str, Any], viewer: str | None) -> Json:
    """Return a copy of a commit (as JSON) that hides the ids of all players except `viewer`.

    >>> commit = {"by": "p17k3v9k3v9k3", "events": [{"type": "seat-left", "seat": 1, "player": "p17k3v9k3v9k3"}]}
    >>> hide_commit(commit, None)
    {'by': 'hidden', 'events': [{'type': 'seat-left', 'seat': 1, 'player': 'hidden'}]}
    >>> hide_commit(commit, "p17k3v9k3v9k3") == commit
    True
    """
    return {**_hide_author(commit, viewer), "events": [_hide_event(event, viewer) for event in commit["events"]]}


def _hide_author(record: Mapping[str, Any], viewer: str | None) -> Json:
    return {**record, "by": hide_player(record["by"], viewer) if is_player_id(record["by"]) else record["by"]}


def _hide_event(event: Json, viewer: str | None) -> Json:
    members = _PLAYERS & event.keys()
    return {**event, **{member: hide_player(event[member], viewer) for member in members}} if members else event
