"""`make quick` runs the tests that are closest to a change, the closest first."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .repository import Repository, load

IMPORTERS = {
    "service.rows": {"service.store", "tests.service.test_rows"},
    "service.store": {"service.moves", "tests.service.helper"},
    "service.moves": {"tests.service.test_moves"},
    "service.worker": set[str](),
    "service.api.pages": set[str](),
    "service.api.deep.pages": set[str](),
    "tests.clients.test_python": set[str](),
    "tests.games": {"tests.test_games"},
    "tests.games.files": {"tests.test_games"},
    "tests.service.helper": {"tests.service.test_lists"},
    "tests.service.api.test_any": set[str](),
    "tests.service.jobs.test_worker_outages": set[str](),
    "tests.service.jobs.test_workers": set[str](),
    "tests.service.test_lists": set[str](),
    "tests.service.test_moves": set[str](),
    "tests.service.test_rows": set[str](),
    "tests.service.whole.test_killed_worker": set[str](),
    "tests.test_games": set[str](),
}
"""A project, as `grimp` would analyse it."""

ROWS, MOVES, LISTS = (f"tests/service/test_{name}.py" for name in ("rows", "moves", "lists"))
OUTAGES, KILLED = "tests/service/jobs/test_worker_outages.py", "tests/service/whole/test_killed_worker.py"
API, GAMES = "tests/service/api/test_any.py", "tests/test_games.py"


@pytest.mark.parametrize(
    ("changed", "near"),
    [
        pytest.param(["service/store.py"], [LISTS, MOVES, ROWS], id="two imports away, or beside it"),
        pytest.param(["service/rows.py"], [ROWS, LISTS, MOVES], id="one import away comes first"),
        pytest.param([LISTS, "service/rows.py"], [LISTS, ROWS, MOVES], id="what was changed itself comes first of all"),
        pytest.param(["service/worker.py"], [OUTAGES, LISTS, MOVES, ROWS], id="named for it"),
        pytest.param([KILLED], [KILLED], id="slow, but changed itself"),
        pytest.param(["service/api/deep/pages.py"], [API], id="in the nearest folder that mirrors it"),
        pytest.param(["tests/games/zman-2018.jsonl"], [GAMES], id="data of a package"),
        pytest.param(["clients/python/check"], ["tests/clients/test_python.py"], id="a library for clients"),
        pytest.param(["README.md", "service/removed.py"], [], id="no module"),
    ],
)
def test_these_tests_are_near(changed: list[str], near: list[str]) -> None:
    assert load("quick").nearest_first(changed, IMPORTERS) == near


def test_there_is_an_end_to_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = load("quick")
    monkeypatch.setattr(quick, "FILES", 1)
    assert quick.nearest_first(["service/rows.py"], IMPORTERS) == [ROWS]


@pytest.fixture
def quick(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, in a repository with one commit on `main`."""
    script = load("quick")
    monkeypatch.setattr(script, "ROOT", repository.root)
    repository.write("engine/cards.py", "")
    repository.commit("engine: add cards")
    return script


def test_everything_since_the_branch_left_main_is_changed(quick: ModuleType, repository: Repository) -> None:
    """Changes may be committed or not, and may be in files that git does not track.

    Ignored files and changes on `main` do not count.
    """
    left = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "--quiet", "-b", "branch")
    repository.write("engine/board.py", "")
    repository.write(".gitignore", "*.log\n")
    repository.commit("engine: add a board")
    repository.git("checkout", "--quiet", "main")
    repository.write("engine/state.py", "")
    repository.commit("engine: add a state")
    repository.git("checkout", "--quiet", "branch")
    repository.write("engine/cards.py", "WINTER = 7\n")
    repository.write("engine/città nuova.py", "")
    repository.write("engine/now.log", "")
    assert quick.base(["main"]) == left
    changed = [".gitignore", "engine/board.py", "engine/cards.py", "engine/città nuova.py"]
    assert quick.changed_since(left) == changed


def test_where_nothing_has_changed_that_is_said(quick: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert quick.main([]) == 0
    assert "Nothing has changed" in capsys.readouterr().out


def test_what_there_is_to_compare_with_is_asked_for(quick: ModuleType) -> None:
    with pytest.raises(SystemExit, match="SINCE=HEAD~3"):
        quick.main(["trunk"])


def test_a_run_that_has_no_time_skips_its_tests() -> None:
    """The run passes, and reports how many tests were skipped."""
    command = [sys.executable, "-m", "pytest", "--seconds=0", "-p", "no:cacheprovider", __file__, "-k", "near"]
    run = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert re.search(r"SKIPPED \[\d+\] tests/conftest.py:\d+: the time of this run is up", run.stdout)
    assert "passed" not in run.stdout
