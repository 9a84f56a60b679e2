"""The contents of a recorded game's file, and how a game is recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine import (
    EDITIONS,
    Command,
    Edition,
    Event,
    SeededChance,
    advance,
    event_to_record,
    events_from_records,
    history_for,
    replay,
    start,
    view_for,
)
from engine.bots import Situation
from engine.notation import to_notation

FOLDER = Path(__file__).parent
"""The folder of the recorded games, which has a folder for each revision of an edition."""


def named(value: Edition) -> str:
    """Return the name of an edition's revision, as the notation writes it, for files and folders."""
    return f"{value.key}@{value.revision}"


REVISIONS: Mapping[str, Edition] = {
    named(value): value for revisions in EDITIONS.values() for value in revisions.values()
}
"""Every revision of every edition, by its name."""


Player = Callable[[Situation], Command]
"""The player of a seat, a bot or a player that follows a plan: it chooses one of the legal commands."""


class Origin(NamedTuple):
    """What a game was made from; `players` has a name for each seat.

    A file without a revision belongs to the first one.
    """

    edition: str
    seats: int
    options: Mapping[str, object]
    seed: str
    entropies: Sequence[str]
    players: Sequence[str]
    revision: int = 1

    def start(self, chance: SeededChance) -> list[Event]:
        """Return the events that open the game."""
        return start(self.edition, self.seats, chance, self.options, revision=self.revision)

    def chance(self) -> SeededChance:
        """Return the chance that the game was played with."""
        return SeededChance(bytes.fromhex(self.seed), map(bytes.fromhex, self.entropies))


class Recorded(NamedTuple):
    """A recorded game: what it was made from, its commits, and the notation of its final position."""

    origin: Origin
    commits: Sequence[Sequence[Event]]
    position: str

    def log(self) -> list[Event]:
        """Return all events."""
        return [event for commit in self.commits for event in commit]


def record(origin: Origin, players: Sequence[Player]) -> Recorded:
    """Play a game to its end."""
    chance = origin.chance()
    commits = [origin.start(chance)]
    state, log = replay(commits[0]), [*commits[0]]
    while state.result is None:
        seat = state.turn
        random = chance.bot_random(len(commits))
        command = players[seat](Situation(view_for(state, seat), history_for(log, seat), random, iterations=0))
        commits.append(advance(state, command, chance))
        log += commits[-1]
    return Recorded(origin, commits, to_notation(state))


def write(path: Path, game: Recorded) -> None:
    """Write a file."""
    lines: list[object] = [game.origin._asdict()]
    lines += [[event_to_record(event) for event in commit] for commit in game.commits]
    lines.append(game.position)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines))


def read(path: Path) -> Recorded:
    """Parse a file."""
    origin, *commits, position = map(json.loads, path.read_text().splitlines())
    return Recorded(Origin(**origin), [events_from_records(commit) for commit in commits], position)
