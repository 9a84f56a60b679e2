"""Recorded games: the engine still produces the same events as when they were recorded.

These tests therefore detect every change of the rules. Before a revision is released, `python -m tests.games` records
its games again, and comparing the files shows what has changed. After the release, a change needs a new revision.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine import (
    Event,
    advance,
    command_of,
    decide,
    event_to_record,
    legal_commands,
    replay,
)
from engine.notation import from_notation, to_notation
from tests.games.__main__ import TABLES
from tests.games.files import FOLDER, REVISIONS, Recorded, named, read

pytestmark = pytest.mark.whole_games

FILES = sorted(FOLDER.glob("*/*.jsonl"))
FEWEST = 50


def records(events: Sequence[Event]) -> list[dict[str, object]]:
    """Return events with the names of their types, which tell apart those with equal fields."""
    return [event_to_record(event) for event in events]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_command_is_decided_as_it_was(file: Path) -> None:
    """The test uses the recorded draws, and checks that the log leads to the recorded position."""
    game = read(file)
    origin, chance = game.origin, game.origin.chance()
    opening, *commits = game.commits
    assert records(origin.start(chance)) == records(opening)
    state = replay(opening)
    for commit in commits:
        command = command_of(commit[0])
        assert command is not None
        assert command in legal_commands(state)
        before = state.copy()
        assert records(advance(state, command, chance)) == records(commit)
        assert records(decide(before, command, chance)) == records(commit)
    assert state == replay(game.log())
    assert to_notation(state) == game.position
    assert from_notation(game.position) == state
    assert file.parent.name == f"{origin.edition}@{origin.revision}" == named(state.edition)


def of_bots(name: str) -> list[Recorded]:
    """Return the games of an edition's revision that bots played."""
    return [read(file) for file in FILES if file.parent.name == name and file.name.startswith("bots-")]


@pytest.mark.parametrize("name", REVISIONS)
def test_every_revision_has_fifty_games_of_bots(name: str) -> None:
    """The games cover every number of seats, every option and every bot, and some have no options."""
    value, games = REVISIONS[name], of_bots(name)
    assert len(games) >= FEWEST
    seats = Counter(game.origin.seats for game in games)
    assert set(seats) >= set(range(value.fewest_seats, value.most_seats + 1))
    assert min(seats.values()) >= FEWEST // 5
    assert {player for game in games for player in game.origin.players} == {bot for bots in TABLES for bot in bots}
    assert any(not game.origin.options for game in games)
    for option in value.options:
        chosen = {game.origin.options.get(option.key, option.default) for game in games}
        assert chosen == set(option.values) or (isinstance(option.values, range) and len(chosen) > 1)


@pytest.mark.parametrize("name", REVISIONS)
def test_every_revision_has_games_with_every_pair_of_options(name: str) -> None:
    """Only pairs that can be combined are required."""
    value = REVISIONS[name]
    pairs = {
        frozenset((one, other))
        for game in of_bots(name)
        for one in game.origin.options
        for other in game.origin.options
    }
    forbidden = {frozenset(conflict.options) for conflict in value.conflicts}
    keys = [option.key for option in value.options]
    assert {frozenset((one, other)) for one in keys for other in keys} - forbidden == pairs
