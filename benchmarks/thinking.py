"""Thinking: how much search bots slow down other players, measured with real servers and processes.

* A log server that writes to disk before it responds, a queue server, one clock, one worker, one thinker and one web
  process run with default settings.
* The time from a person's move to the first reply of `skilled` is measured while the service is idle, and while six
  `expert` bots play.
* The time of a view over HTTP is measured while the service is idle, and while the experts and a hundred games between
  `steady` bots are playing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from .hints import WARM, set_up
from .processes import HERE, web
from .report import OnProgress, Row, Section

ANSWERS, QUICK_ANSWERS = 200, 40
VIEWS, QUICK_VIEWS = 2_000, 400
"""The number of replies and of views that are timed in each situation."""
GAMES = 100
EXPERTS = 6
MOST_MS = 150.0
"""The maximum p95 of the replies of a bot that does not search, in milliseconds."""
MOST_TIMES = 3.0
"""The maximum p99 of a view while bots play, as a multiple of the p99 when idle."""


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure replies while experts play, and views while bots play."""
    answers, views = (QUICK_ANSWERS, QUICK_VIEWS) if quick else (ANSWERS, VIEWS)
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        stage = set_up(Path(name), stack)
        server = stack.enter_context(web(["service", "web"], Path(name) / "web.log", stage.settings))
        for process in ("worker", "thinker"):
            stack.enter_context(stage.process("service", process))
        stage.answers(WARM, "skilled")
        idle_answers = stage.answers(answers, "skilled")
        (finished,) = stage.open_games_of_bots(1, lambda _: None, "steady")
        stage.await_end(finished)
        idle_views = time_views(server.port, finished, views)
        on_progress(0.4)
        stage.open_games_of_bots(1, lambda _: None, "expert", EXPERTS)
        beside_experts = stage.answers(answers, "skilled")
        on_progress(0.7)
        stage.open_games_of_bots(GAMES, lambda _: None, "steady")
        beside_games = time_views(server.port, finished, views)
        stage.check_that_bots_play(GAMES // 4)
        on_progress(1.0)
    return Section(
        title="Thinking",
        how=(
            "One worker and one thinker. The time from a person's move to the first reply of `skilled` is measured "
            f"{answers} times while the service is idle, and {answers} times while {EXPERTS} `expert` bots play a "
            f"game. `GET /v1/games/{{id}}` for a finished game is measured {views} times while the service is idle, "
            f"and {views} times while the experts and {GAMES} games of `steady` bots are playing."
        ),
        columns=("", "Measured", "Compared with", "Ratio"),
        rows=(
            *_rows("reply, idle", idle_answers, idle_answers, most=MOST_MS),
            *_rows("reply while experts play", beside_experts, idle_answers, most=MOST_MS),
            *_rows("view while bots play", beside_games, idle_views, times=MOST_TIMES),
        ),
    )


def time_views(port: int, game_id: str, number: int) -> list[float]:
    """Request a game's view `number` times over one connection, and return the times in milliseconds."""
    times = []
    with closing(HTTPConnection(HERE, port, timeout=30)) as connection:
        for _ in range(number):
            begun = time.perf_counter()
            connection.request("GET", f"/v1/games/{game_id}")
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"a view gets {answer.status}")
            times.append(1000 * (time.perf_counter() - begun))
    return times


def _rows(
    name: str, ours: Sequence[float], theirs: Sequence[float], most: float | None = None, times: float | None = None
) -> list[Row]:
    """Return a row for each percentile. The goals are `most` (p95, in milliseconds) and `times` (p99, as a ratio)."""
    rows = []
    for percent in (50, 95, 99):
        first, second = (quantiles(values, n=100)[percent - 1] for values in (ours, theirs))
        cells = (f"{name}, p{percent}", f"{first:.1f} ms", f"{second:.1f} ms idle", f"{first / second:.2f}")
        if most is not None and percent == 95:
            rows.append(Row(cells, f"≤ {most:g} ms", first <= most))
        elif times is not None and percent == 99:
            rows.append(Row(cells, f"≤ {times:g} times", first / second <= times))
        else:
            rows.append(Row(cells))
    return rows
