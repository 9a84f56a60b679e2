"""Memory: a fresh process replays one game again and again, and its memory must not grow.

`python -m benchmarks.memory FILE 10 1000` runs that process. It reads a seed and a log from a JSON file, and prints its
resident memory in KiB after 10 and after 1,000 replays.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from service.games.game import rebuild
from service.store.commits import Commits

from .processes import run_module
from .recording import recordings
from .report import OnProgress, Row, Section

FEW = 10
MANY, QUICK_MANY = 10_000, 1_000
REPORTS = 20
"""The number of progress reports."""
GOAL_PERCENT = 2.0
STATUS = Path("/proc/self/status")


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure how much a process's memory grows between a few replays and many."""
    many = QUICK_MANY if quick else MANY
    growth = _growth(many, on_progress) if STATUS.exists() else None
    return Section(
        title="Memory",
        how="The resident memory (VmRSS) of a fresh process that repeatedly rebuilds the game in the section Replay.",
        columns=("Replays", "MiB", "Growth"),
        rows=_rows(many, *growth) if growth else (Row(("not measured: this system has no /proc", "", "")),),
    )


def _growth(many: int, on_progress: OnProgress) -> tuple[int, int]:
    """Return the resident memory after a few replays and after many, in KiB."""
    asked = [FEW, *(many * part // REPORTS for part in range(1, REPORTS + 1))]
    sizes = []
    with TemporaryDirectory(prefix="condottiere-") as folder:
        game, errors = Path(folder) / "game", Path(folder) / "errors"
        (recording,) = recordings(1)
        game.write_bytes(orjson.dumps([recording.seed.hex(), *(row.decode() for row in recording.rows)]))
        with run_module(["benchmarks.memory", str(game), *map(str, asked)], errors, {}) as process:
            assert process.stdout is not None
            for line in process.stdout:
                sizes.append(int(line))
                on_progress(len(sizes) / len(asked))
        if len(sizes) < len(asked):
            raise RuntimeError(f"the replaying process exited early: {errors.read_text()}")
    return sizes[0], sizes[-1]


def _rows(many: int, before: int, after: int) -> tuple[Row, ...]:
    percent = 100 * (after - before) / before
    return (
        Row((f"{FEW:,}", f"{before / 1024:.1f}", "")),
        Row(
            (f"{many:,}", f"{after / 1024:.1f}", f"{percent:+.1f}%"),
            f"flat within {GOAL_PERCENT:g}%",
            abs(percent) <= GOAL_PERCENT,
        ),
    )


def _replay(game: Path, counts: list[int]) -> None:
    """Print the resident memory after each of the given numbers of replays."""
    seed, *rows = orjson.loads(game.read_bytes())
    commits = [row.encode() for row in rows]
    done = 0
    for count in counts:
        for _ in range(done, count):
            rebuild(Commits("", commits), bytes.fromhex(seed))
        done = count
        print(_resident(), flush=True)


def _resident() -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


if __name__ == "__main__":
    _replay(Path(sys.argv[1]), [int(count) for count in sys.argv[2:]])
