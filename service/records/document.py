"""The record of a game: a header, and the commits of the game's log.

A game that has ended has an open record. An open record contains the stored commits unchanged. Each of these commits
has two hashes: the hash of the commit, and the hash of the position after the commit. The record of a game that has not
ended is created for one caller. Such a record contains the events as the caller may see them, but no hashes, because a
hash would let the caller find hidden cards by trial and error.

The chain is computed from the commits. The hashes stored with the commits are not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import orjson

from engine import EngineError, State, evolve, replay, to_notation

from ..clocks.settings import to_record as settings_to_record
from ..games.commits import commits_of
from ..games.game import Game, Snapshot
from ..games.hiding import hide_seats, hides_names
from ..games.list_entries import show_result
from ..games.repository import Games
from ..store import formats
from ..store.chain import START, head, next_hash
from ..store.errors import CorruptLog
from ..views.events import show_commits
from ..views.game import show_fairness
from ..views.names import players_in

RECORD = 1
"""The number of the record format, which is separate from the number of the commit format."""

Json = dict[str, Any]


def header_of(game: Game, player: str | None, names: Mapping[str, str | None] | None = None) -> Json:
    """Return a game's record without its commits, as `player` may see it (None: a spectator).

    If `names` is given, the result includes these names, keyed by player id. Raises: CorruptLog.
    """
    header = header_with(game, reduce(next_hash, game.commits.stored_lines(), START), player)
    return header if names is None else {**header, "names": dict(names)}


def header_with(game: Snapshot, hash_: str, player: str | None) -> Json:
    """Return the header of a game's record, without names. `hash_` is the last hash of the game's chain."""
    opened, revealed = game.table.opened, game.revealed
    seats = [{"player": seat.player, "bot": seat.bot, "entropy": seat.entropy or None} for seat in game.table.seats]
    return {
        "record": RECORD,
        "game": game.id,
        "edition": opened.edition,
        "revision": None if game.state is None else game.state.edition.revision,
        "options": opened.options,
        "seats": hide_seats(seats, player) if hides_names(game) else seats,
        "status": game.status,
        "version": game.version,
        "open": revealed,
        "seat": None if revealed or player is None else game.table.seat_of(player),
        "clock": None if game.table.clock is None else settings_to_record(game.table.clock.settings),
        "result": show_result(game),
        "fairness": show_fairness(game),
        "head": head(game.seed, hash_),
    }


def names_in(games: Games, game: Game, player: str | None) -> dict[str, str | None]:
    """Return the names of all players in a game's record, keyed and sorted by player id.

    A name is None if the player was deleted. While the game hides its players, the result contains only the name of
    `player`, who is reading the record. Takes one round trip, or none if this process has cached all of these names.
    """
    players = players_in(game.commits)
    names = games.store.names.of(players & {player} if hides_names(game) else players)
    return dict(sorted(names.items()))


def commits_in(game: Game, player: str | None) -> Iterator[bytes]:
    """Yield each commit of a game's record as JSON, as `player` may see it. Raises: CorruptLog."""
    return _open_commits(game) if game.revealed else _redacted_commits(game, player)


def as_json(game: Game, player: str | None, names: Mapping[str, str | None] | None = None) -> bytes:
    """Return a game's record as one JSON document. The arguments are those of `header_of`. Raises: CorruptLog."""
    header = orjson.dumps(header_of(game, player, names))
    return b'%b,"commits":[%b]}' % (header[:-1], b",".join(commits_in(game, player)))


def as_lines(game: Game, player: str | None, names: Mapping[str, str | None] | None = None) -> Iterator[bytes]:
    """Yield the lines of a game's record as NDJSON: the header, and then each commit. Raises: CorruptLog."""
    yield orjson.dumps(header_of(game, player, names)) + b"\n"
    for commit in commits_in(game, player):
        yield commit + b"\n"


def position_hash(state: State | None) -> str | None:
    """Return the SHA-256 of a position's notation, in hexadecimal, or None before the game starts."""
    return None if state is None else hashlib.sha256(to_notation(state).encode()).hexdigest()


def _open_commits(game: Game) -> Iterator[bytes]:
    """Yield each commit as it is stored, with its hashes but without its key and fingerprint."""
    hash_, state = START, None
    for place, line in enumerate(game.commits.stored_lines()):
        hash_ = next_hash(hash_, line)
        (commit,) = commits_of(game.commits[place : place + 1])
        try:
            if events := commit.game_events:
                state = replay(events) if state is None else evolve(state, *events)
            position = position_hash(state)
        except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
            raise CorruptLog(game.id) from error
        yield line[:-1] + b',"hash":"%b","position":%b}' % (hash_.encode(), orjson.dumps(position))


def _redacted_commits(game: Game, player: str | None) -> Iterator[bytes]:
    for commit in show_commits(game, 0, player):
        members = {"seq": commit["seq"], "at": commit["at"], "by": commit["by"], "revision": formats.FORMAT}
        yield orjson.dumps({**members, "events": commit["events"]})
