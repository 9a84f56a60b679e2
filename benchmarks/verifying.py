"""Verifying: how many records one core verifies per second, with and without bots' moves to recompute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from statistics import median
from time import process_time_ns

from engine import CONSTRUCTION, EDITIONS, NEWEST, SeededChance, advance, commitment, replay, start
from engine.bots import BOTS
from service.games.commits import Commit
from service.games.events import Event, SeatTaken, TableOpened, bot_seated
from service.games.game import game_of
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify

from .recording import BOT, NOON, PLAYERS, SEATS
from .report import OnProgress, Row, Section

TURNS, QUICK_TURNS = 7, 3
GAMES = 5
"""The number of games of each edition. The figures are medians over these games."""
GOAL = 10
"""The minimum number of records of bots' games per second."""


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure the verification of some games of each edition."""
    rows, done, total = [], count(1), 2 * len(EDITIONS)
    for key in EDITIONS:
        for people in (False, True):
            rows.append(_row(key, people, QUICK_TURNS if quick else TURNS))
            on_progress(next(done) / total)
    return Section(
        title="Verifying",
        how=(
            f"The CPU time from the bytes of an open record to the report. In each edition, {GAMES} games of {SEATS} "
            f"`{BOT}` bots (two in a duel), and the same number of games of people, whose moves need not be "
            "recomputed. The figures are medians of the games."
        ),
        columns=("Edition", "Moves by", "Commits", "kB", "ms", "µs per commit", "Records per second"),
        rows=tuple(rows),
    )


def _row(key: str, people: bool, turns: int) -> Row:
    records = [_record(key, number, people) for number in range(GAMES)]
    sizes, times = [text.count(b'{"seq":') for text in records], []
    for text in records:
        times.append(median(_time(text) for _ in range(turns)))
    commits, taken, size = median(sizes), median(times) / 1e9, median(map(len, records)) / 1000
    cells = ("people" if people else "bots", f"{commits:.0f}", f"{size:.0f}", f"{1000 * taken:.1f}")
    row = (key, *cells, f"{1e6 * taken / commits:.0f}", f"{1 / taken:.0f}")
    return Row(row) if people else Row(row, f"≥ {GOAL} per second", 1 / taken >= GOAL)


def _time(text: bytes) -> int:
    begun = process_time_ns()
    report = verify(read_record(text))
    taken = process_time_ns() - begun
    assert report.valid, report.finding
    return taken


def _record(key: str, number: int, people: bool) -> bytes:
    """Return the record of a game in which a bot chooses every move, even if people have the seats."""
    seed, seats = hashlib.sha256(f"verifying {number}".encode()).digest(), min(SEATS, NEWEST[key].most_seats)
    chance = SeededChance(seed, [b""] * seats)
    events = start(key, seats, chance)
    commits = [*_seated(key, seed, seats, events, people)]
    state, log = replay(events), [*events]
    while state.result is None:
        seat, version = state.turn, len(commits)
        command = BOTS[BOT].play(state, log, chance.bot_random(version))
        by = PLAYERS[seat] if people else f"bot:{seat}"
        caused = advance(state, command, chance)
        log += caused
        commits.append(Commit(version + 1, NOON + version, by, "", "", caused))
    return as_json(game_of("17bench", commits, seed), None)


def _seated(key: str, seed: bytes, seats: int, begun: Sequence[Event], people: bool) -> Iterator[Commit]:
    """Yield the commits that open a table, seat people one at a time or bots in one commit, and start the game."""
    owner, options = PLAYERS[0], dict(NEWEST[key].chosen)
    opened = TableOpened(owner, key, options, seats, "auto", commitment(seed), CONSTRUCTION, seeded=False)
    if not people:
        yield Commit(1, NOON, owner, "", "", [opened, *(bot_seated(seat, BOT) for seat in range(seats)), *begun])
        return
    for seat, player in enumerate(PLAYERS[:seats]):
        first: list[Event] = [] if seat else [opened]
        last = begun if seat == seats - 1 else ()
        yield Commit(seat + 1, NOON, player, "", "", [*first, SeatTaken(seat, player, ""), *last])
