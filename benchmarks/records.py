"""Records: the size of a game's record in bytes, plain and compressed, and how long it takes to generate."""

from __future__ import annotations

import gzip
from statistics import median
from time import process_time_ns

from engine import EDITIONS
from service.games.game import rebuild
from service.gateway.compression import LEVEL
from service.records.document import as_json
from service.store.commits import Commits

from .recording import BOT, EVENTS, MATCH, SEATS, Recording, matches, recordings
from .report import OnProgress, Row, Section

TURNS, QUICK_TURNS = 9, 3
MATCH_EVENTS = 1_500
GOAL_BYTES = 160
"""The maximum number of compressed bytes per commit."""


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure the records of one recorded game of each edition, and of one match."""
    recorded = [recordings(1, key=key)[0] for key in EDITIONS] + matches(1, MATCH_EVENTS)
    rows = []
    for number, recording in enumerate(recorded, 1):
        name = f"{MATCH}, a match" if number == len(recorded) else recording.edition
        rows.append(_row(name, recording, QUICK_TURNS if quick else TURNS))
        on_progress(number / len(recorded))
    return Section(
        title="Records",
        how=(
            f"The open record, as JSON, of one game of {SEATS} `{BOT}` bots (two in a duel) in each edition, and of "
            f"one match. The game is the one whose number of events is nearest to {EVENTS}; the match has at least "
            f"{MATCH_EVENTS:,} events. gzip uses the service's compression level. The times are the median CPU times "
            "for generating a record from the stored commits."
        ),
        columns=("Edition", "Commits", "Events", "Bytes per commit", "gzip", "ms", "µs per commit"),
        rows=tuple(rows),
    )


def _row(name: str, recording: Recording, turns: int) -> Row:
    rows, times = recording.rows, list[int]()
    for _ in range(turns):
        start = process_time_ns()
        record = as_json(rebuild(Commits("", rows), recording.seed), None)
        times.append(process_time_ns() - start)
    commits, taken = len(rows), median(times) / 1e6
    zipped = len(gzip.compress(record, LEVEL)) / commits
    cells = (f"{commits:,}", f"{recording.events:,}", f"{len(record) / commits:.0f}", f"{zipped:.0f}")
    return Row(
        (name, *cells, f"{taken:.1f}", f"{1000 * taken / commits:.0f}"),
        f"gzip ≤ {GOAL_BYTES} per commit",
        zipped <= GOAL_BYTES,
    )
