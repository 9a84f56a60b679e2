"""Recorded games: logs as the service would have stored them, and the moves that led to them.

Bots play games with consecutive seeds, and the games whose number of events is nearest to the target are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, islice
from types import MappingProxyType
from typing import Any, NamedTuple

from engine import CONSTRUCTION, DEFAULT, NEWEST, Event, SeededChance, State, advance, commitment, replay, start
from engine.bots import BOTS
from engine.commands import Command
from engine.record import command_to_record
from service.games.events import SeatTaken, TableOpened, to_record, to_records
from service.store.chain import hashes_of, line_of
from service.store.commits import CommitRecord, encode_commit
from service.store.formats import FORMAT

BOT = "steady"
SEATS = 4
"""The number of seats in a recorded game, if the edition supports that number."""
EVENTS = 400
"""The target number of events in a recorded game."""
POINTS = "points"
MATCH_OPTIONS = {POINTS: 25}
MATCH = next(key for key, edition in NEWEST.items() if any(option.key == POINTS for option in edition.options))
"""The edition for the longest logs: the first one with matches."""
SEEDS = 128
"""The number of games from which the recorded games are chosen."""
PLAYERS = tuple(f"p{seat:02d}0123456789" for seat in range(SEATS))
NOON = 1_800_000_000_000


class Move(NamedTuple):
    """A seat's move, with its command as a record."""

    seat: int
    record: dict[str, Any]


class Recording(NamedTuple):
    """A complete game between people, with a winner.

    Commit 1 seats the players and starts the game. Move n, counted from 0, is commit n + 2.
    """

    edition: str
    seed: bytes
    commits: tuple[CommitRecord, ...]
    moves: tuple[Move, ...]

    @property
    def events(self) -> int:
        """The number of events in the log."""
        return sum(len(commit["events"]) for commit in self.commits)

    def commits_with(self, events: int) -> int:
        """Return how many of the first commits contain at least `events` events. At least one move follows them."""
        counts = accumulate(len(commit["events"]) for commit in self.commits[:-1])
        return next(number for number, count in enumerate(counts, 1) if count >= events)

    @property
    def rows(self) -> list[bytes]:
        """The commits, encoded as in the store."""
        return [encode_commit(commit) for commit in self.commits]


def matches(count: int, events: int, players: Sequence[str] = PLAYERS) -> list[Recording]:
    """Return matches of `MATCH` with at least `events` events. Raises: ValueError if there are too few."""
    found = (_record(MATCH, number, players, MATCH_OPTIONS) for number in range(SEEDS))
    long_enough = list(islice((one for one in found if one.events >= events), count))
    if len(long_enough) < count:
        raise ValueError(f"only {len(long_enough)} of {SEEDS} matches have {events} events")
    return long_enough


def recordings(count: int, players: Sequence[str] = PLAYERS, key: str = DEFAULT) -> list[Recording]:
    """Return the `count` games of an edition whose numbers of events are nearest to `EVENTS`, nearest first.

    If the edition has fewer seats than there are players, the last players do not play.
    """
    return [_record(key, number, players) for number in _nearest(key)[:count]]


@cache
def _nearest(key: str) -> list[int]:
    return sorted(range(SEEDS), key=lambda number: abs(_record(key, number, PLAYERS).events - EVENTS))


def _record(
    key: str, number: int, players: Sequence[str], options: Mapping[str, object] = MappingProxyType({})
) -> Recording:
    """Play and return the game with this number. Its course does not depend on the players."""
    seed = hashlib.sha256(f"recording {number}".encode()).digest()
    players = players[: NEWEST[key].most_seats]
    chance = SeededChance(seed, [b""] * len(players))
    opening = start(key, len(players), chance, options)
    seating = _seating(key, seed, players, {**NEWEST[key].chosen, **options})
    commits = [_commit(1, players[0], seating + to_records(opening))]
    moves = []
    state, log = replay(opening), [*opening]
    while state.result is None:
        seat, command = state.turn, _choice(state, log, chance)
        moves.append(Move(seat, command_to_record(command)))
        events = advance(state, command, chance)
        log += events
        commits.append(_commit(len(commits) + 1, players[seat], to_records(events)))
    return Recording(key, seed, tuple(_with_hashes(commits)), tuple(moves))


def _with_hashes(commits: Sequence[CommitRecord]) -> Iterator[CommitRecord]:
    """Yield each commit with its hash, which comes before the commit's format and events, as in the store."""
    for commit, hash_ in zip(commits, hashes_of(map(line_of, commits)), strict=True):
        revision, events = commit["revision"], commit["events"]
        yield {**_head(commit), "hash": hash_, "revision": revision, "events": events}


def _head(commit: CommitRecord) -> CommitRecord:
    """Return the members of a commit before its format and its events."""
    return {name: value for name, value in commit.items() if name not in ("revision", "events")}


def _choice(state: State, log: Sequence[Event], chance: SeededChance) -> Command:
    return BOTS[BOT].play(state, log, chance.bot_random(state.battles))


def _seating(key: str, seed: bytes, players: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    opened = TableOpened(players[0], key, options, len(players), "auto", commitment(seed), CONSTRUCTION, seeded=False)
    return [to_record(opened), *(to_record(SeatTaken(seat, player, "")) for seat, player in enumerate(players))]


def _commit(seq: int, by: str, events: list[dict[str, Any]]) -> CommitRecord:
    """Return a commit of realistic size: its key and its fingerprint are as long as real ones."""
    fingerprint = hashlib.sha256(f"{by} {seq}".encode()).hexdigest()[:32]
    return {
        "seq": seq,
        "at": NOON + seq,
        "by": by,
        "key": fingerprint,
        "fingerprint": fingerprint,
        "revision": FORMAT,
        "events": events,
    }
