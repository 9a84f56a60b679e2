"""Names in views: players' names next to their ids, and bots' labels next to their keys.

A view is computed from the log, which contains only ids, so names are added to the view last. Each member that
holds the id of a player or bot gets a companion member that holds the name: `player` gets `name`, `bot` gets `label`,
`owner` gets `owner_name`, and `by` gets `by_name`. The name is None if the member holds no player or bot, or if the
player was deleted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any, get_args

from engine.bots import label_of
from engine.record import name_of_type

from ..games.events import TableEvent
from ..games.repository import Games
from ..store.keys import is_player_id

Json = dict[str, Any]
NamesOf = Callable[[Iterable[str]], Mapping[str, str | None]]
"""A function that returns the name of each given player, or None for a player without a name (`store.names`)."""

NAMED = {"player": "name", "bot": "label", "owner": "owner_name", "by": "by_name"}
"""Maps each member that contains a player or bot to the member that contains the name."""
_PLAYERS = {"player", "owner"}
"""The members of events that contain a player."""
NAMED_IN_EVENTS = {member: name for member, name in NAMED.items() if member != "by"}
"""The members of `NAMED` that occur in events. `by` is left out, because it never contains a player in an event."""
_NAMED_EVENTS = {
    name_of_type(kind): [member for member in NAMED_IN_EVENTS if member in kind._fields]
    for kind in get_args(TableEvent)
    if NAMED_IN_EVENTS.keys() & set(kind._fields)
}
"""Maps each `type` of event that contains players or bots to the event's members that hold their ids. Game events never
contain players or bots."""


def name_game(games: Games, view: Json) -> Json:
    """Return a game's view with the players' names and the bots' labels added.

    Takes one round trip, or none if this process has cached all the names.
    """
    return add_to_game(view, games.store.names.of)


def name_commits(games: Games, commits: Sequence[Json]) -> list[Json]:
    """Return commits with the players' names and the bots' labels added. Takes as many round trips as `name_game`."""
    return add_to_commits(commits, games.store.names.of)


def add_to_game(view: Json, names_of: NamesOf) -> Json:
    """Return a game's view with the players' names and the bots' labels added."""
    names = names_of(_players_of(view))
    named_view = _name_header(view, names)
    if (cancelled := view["cancelled"]) is not None:
        named_view["cancelled"] = name_cancellation(cancelled, names)
    if (clock := view["clock"]) is not None:
        named_view["clock"] = {**clock, "settings": name_settings(clock["settings"])}
    return named_view


def add_to_summaries(summaries: Sequence[Json], names_of: NamesOf) -> list[Json]:
    """Return summaries of games with the players' names and the bots' labels added."""
    names = names_of({player for summary in summaries for player in _players_of(summary)})
    return [
        {**_name_header(summary, names), "clock": summary["clock"] and name_settings(summary["clock"])}
        for summary in summaries
    ]


def add_to_turns(turns: Sequence[Json], names_of: NamesOf) -> list[Json]:
    """Return an inbox's turns with the players' names and the bots' labels added."""
    names = names_of({seat["player"] for turn in turns for seat in turn["seated"] if seat["player"] is not None})
    return [{**turn, "seated": _name_seats(turn["seated"], names)} for turn in turns]


def add_to_commits(commits: Sequence[Json], names_of: NamesOf) -> list[Json]:
    """Return commits with the players' names and the bots' labels added.

    Events without players or bots are returned unchanged.
    """
    names = names_of(players_in(commits))
    with_events = [
        not _NAMED_EVENTS.keys().isdisjoint([event["type"] for event in commit["events"]]) for commit in commits
    ]
    named_commits = [_name_author(commit, names) for commit in commits]
    for commit in compress(named_commits, with_events):
        commit["events"] = [
            _name_event(event, names) if event["type"] in _NAMED_EVENTS else event for event in commit["events"]
        ]
    return named_commits


def tag_of(seats: Iterable[Json], *more: str | None) -> str:
    """Return eight hexadecimal digits that change if a name in `seats` or in `more` changes.

    >>> tag_of([{"name": "Anna"}], "Anna")
    '9b5ca71c'
    """
    names = [*more, *(seat["name"] for seat in seats)]
    return hashlib.sha256("\n".join([name or "" for name in names]).encode()).hexdigest()[:8]


def tag_of_names(names: Mapping[str, str | None]) -> str:
    """Return eight hexadecimal digits that change if one of these players' names changes."""
    return tag_of([], *(word for pair in sorted(names.items()) for word in pair))


def players_in(commits: Sequence[Json]) -> set[str]:
    """Return the ids of all players in these commits: the authors, and the players in the events."""
    players = {author for author in {commit["by"] for commit in commits} if is_player_id(author)}
    for commit in commits:
        for event in commit["events"]:
            players.update(event[member] for member in _NAMED_EVENTS.get(event["type"], ()) if member in _PLAYERS)
    return players


def name_cancellation(cancelled: Json, names: Mapping[str, str | None]) -> Json:
    """Return who cancelled a game, that player's name, and the reason.

    The name is None if no player cancelled the game, or if the player was deleted.
    """
    return {"by": cancelled["by"], "by_name": names.get(cancelled["by"]), "reason": cancelled["reason"]}


def name_settings(settings: Json) -> Json:
    """Return a clock's settings, followed by the label of the bot in these settings."""
    return {**settings, "label": label_of(settings["bot"])}


def _players_of(view: Json) -> list[str]:
    return [view["owner"], *[seat["player"] for seat in view["seated"] if seat["player"] is not None]]


def _name_header(view: Json, names: Mapping[str, str | None]) -> Json:
    """Return the members that come from `games.list_entries.show_header`, with names added."""
    named_header: Json = {}
    for member, value in view.items():
        named_header[member] = value
        if member == "owner":
            named_header["owner_name"] = names[value]
    named_header["seated"] = _name_seats(view["seated"], names)
    return named_header


def _name_seats(seats: Sequence[Json], names: Mapping[str, str | None]) -> list[Json]:
    return [
        {
            "seat": seat["seat"],
            "player": (player := seat["player"]),
            "name": None if player is None else names[player],
            "bot": (bot := seat["bot"]),
            "label": None if bot is None else label_of(bot),
        }
        for seat in seats
    ]


def _name_author(commit: Json, names: Mapping[str, str | None]) -> Json:
    named_commit: Json = {}
    for member, value in commit.items():
        named_commit[member] = value
        if member == "by":
            named_commit["by_name"] = names.get(value)
    return named_commit


def _name_event(event: Json, names: Mapping[str, str | None]) -> Json:
    named_event: Json = {}
    for member, value in event.items():
        named_event[member] = value
        if member in NAMED_IN_EVENTS:
            named_event[NAMED[member]] = label_of(value) if member == "bot" else names[value]
    if "clock" in named_event:
        named_event["clock"] = name_settings(named_event["clock"])
    return named_event
