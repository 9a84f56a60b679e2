"""The arena: rotating seats, repeatable, resumable, stopped once it is decided, and honest about uncertainty."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import DEFAULT, NEWEST, ChooseRegion, Command, View
from engine.bots import BOTS, Bot, Situation
from service.cli import main
from service.tools.arena.cells import Cell, Deal, make_cells, play_deal
from service.tools.arena.report import row_of
from service.tools.arena.results import BadResults, ResultsFile, read_results
from service.tools.arena.statistics import decide, interval, ratings
from service.tools.simulation.players import BadPlan
from tests.guides import ROOT, follow

from .simulated import NO_WISHES

BOARD = next(key for key, edition in NEWEST.items() if edition.fewest_seats == 2 and edition.board)


def asked(*words: str) -> Result:
    """Run the command in one process and return its result."""
    return CliRunner(env=NO_WISHES).invoke(main, ["arena", "--jobs", "1", *words])


def reported(*words: str) -> dict[str, Any]:
    """Return the command's JSON output, without CPU times."""
    result = asked("--json", *words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    report: dict[str, Any] = json.loads(result.stdout)
    for cell in report["cells"]:
        assert 0 <= cell.pop("cpu_p50") <= cell.pop("cpu_p95")
    return report


def cell(*, seats: int = 2, deals: int = 4, goal: float | None = None, bots: str = "steady,random") -> Cell:
    (made,) = make_cells([BOARD], [seats], bots.split(","), [], 0, deals, goal)
    return made


def test_a_bot_plays_each_deal_from_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """All seats get the same first cards, whichever bot sits there."""
    firsts: list[View] = []
    games: list[str] = []

    def look(name: str, situation: Situation) -> Command:
        view = situation.view
        if view.legal[0] == ChooseRegion(view.seat or 0, 0) and not view.battles and not view.rounds:
            firsts.append(view)
            games.append(name)
        return BOTS["random"].choose(situation)

    for name in ("one", "other"):
        monkeypatch.setitem(BOTS, name, Bot(name, "Looks.", partial(look, name), level=0))
    deal = play_deal(cell(seats=3)._replace(bot="one", others="other"), 0)
    assert len(deal.won) == len(firsts) == 3
    assert len({(view.seat, view.hands) for view in firsts}) == 1
    assert sorted(games) == ["one", "other", "other"]


def test_the_shares_depend_on_nothing_but_the_seed() -> None:
    words = ("--bots", "steady,random", "--edition", BOARD, "--seats", "2", "--deals", "6")
    first = reported(*words)
    assert reported(*words) == first
    assert reported(*words, "--jobs", "2") == first
    assert reported(*words, "--seed", "1") != first


def test_a_round_robin_has_a_cell_for_every_pair_at_every_table() -> None:
    cells = make_cells([BOARD, DEFAULT], [2, 3], ["steady", "random", "skilled@1"], [], 0, 9, None)
    pairs = [("steady@1", "random@1"), ("steady@1", "skilled@1"), ("random@1", "skilled@1")]
    tables = [(BOARD, 2), (BOARD, 3), (DEFAULT, 3)]
    assert [(own.edition, own.seats, own.bot, own.others) for own in cells] == [
        (*table, *pair) for table in tables for pair in pairs
    ]
    assert len({own.key for own in cells}) == len(cells)


def test_options_are_in_force_and_part_of_a_cell() -> None:
    (own,) = make_cells([DEFAULT], [2], ["steady", "random"], ["two_on_the_board=true", "battle_limit=1"], 0, 1, None)
    assert own.table == f"{DEFAULT}, battle_limit=1, two_on_the_board=true, 2 seats"
    assert "battle_limit=1" in own.key
    assert sum(play_deal(own, 0).won) in {0.5, 1.0, 1.5, 2.0, 0.0}


def test_an_arena_continues_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    words = ("--bots", "steady,random", "--edition", BOARD, "--seats", "2", "--deals")
    whole = reported(*words, "6")
    reported(*words, "4", "--results", str(file))
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 4
    file.write_text("".join(lines[:3]) + lines[3][:20])
    assert reported(*words, "6", "--results", str(file)) == whole
    assert [json.loads(line)["deal"] for line in file.read_text().splitlines()] == [0, 1, 2, 3, 4, 5]
    before = file.read_bytes()
    assert reported(*words, "6", "--results", str(file)) == whole
    assert file.read_bytes() == before


def test_deals_of_another_seed_edition_or_bot_are_not_taken() -> None:
    own = cell()
    for other in (own._replace(seed=1), own._replace(seats=3), own._replace(bot="skilled@1"), own._replace(goal=0.5)):
        assert (other.key == own.key) is (other.goal == 0.5)


@pytest.mark.parametrize("line", ['{"cell": "a", "deal": 0}', "[]", '{"deal": 0, "won": 1, "cpu": []}', "not JSON"])
def test_a_results_file_of_something_else_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(f"{line}\n")
    with pytest.raises(BadResults, match=r"results.jsonl:1 is not an arena result"):
        read_results(file)
    result = asked("--bots", "steady,random", "--results", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {file}:1 is not an arena result\n"


def test_a_deal_that_was_kept_is_read(tmp_path: Path) -> None:
    own, deals = cell(), [Deal(3, (1.0, 0.5), (20, 40)), Deal(4, (0.0, 0.5), None)]
    with ResultsFile(tmp_path / "results.jsonl") as file:
        for deal in deals:
            file.append(own, deal)
    assert read_results(tmp_path / "results.jsonl") == {own.key: {deal.number: deal for deal in deals}}


def test_the_times_are_those_of_the_deals_that_were_timed(tmp_path: Path) -> None:
    own, file = cell(deals=3), tmp_path / "results.jsonl"
    untimed, *timed = Deal(0, (1.0, 0.5), None), Deal(1, (1.0, 1.0), (30, 50)), Deal(2, (0.0, 0.5), (20, 40))
    row = row_of(own, [untimed, *timed])
    assert (row.deals, row.timed, row.cpu_p50, row.cpu_p95) == (3, 2, 20, 40)
    assert row_of(own, [untimed])[6:8] == (None, None)
    with ResultsFile(file) as results:
        for deal in (untimed, untimed._replace(number=1), untimed._replace(number=2)):
            results.append(own, deal)
    words = ("--bots", "steady,random", "--edition", BOARD, "--seats", "2", "--deals", "3", "--results", str(file))
    result = asked(*words)
    assert (result.exit_code, "75.0%" in result.stdout) == (0, True)
    (shown,) = json.loads(asked(*words, "--json").stdout)["cells"]
    assert (shown["share"], shown["cpu_p95"], shown["timed"]) == (0.75, None, 0)


def test_a_cell_stops_when_its_goal_is_decided() -> None:
    words = ("--bots", "steady,random", "--edition", BOARD, "--seats", "2", "--deals", "200")
    (above,) = reported(*words, "--goal", "30")["cells"]
    assert (above["verdict"], above["finished"], above["deals"] < 100) == ("above", True, True)
    (below,) = reported(*words, "--goal", "99.9")["cells"]
    assert (below["verdict"], below["finished"], below["deals"] < 100) == ("below", True, True)
    (few,) = reported(*words[:-1], "2", "--goal", "70")["cells"]
    assert (few["verdict"], few["finished"], few["deals"]) == ("open", True, 2)


@pytest.mark.parametrize(("seats", "par"), [(2, 0.5), (4, 0.25)])
def test_the_test_is_seldom_wrong(seats: int, par: float) -> None:
    """At the goal itself, either result is wrong. The test is applied after every deal."""
    random = Random(seats)
    answers = []
    for _ in range(200):
        deals = [sum(random.random() < par for _ in range(seats)) / seats for _ in range(200)]
        answers.append(decide(deals, par))
    assert answers.count(None) >= 180


def test_the_interval_covers_what_is_true() -> None:
    random = Random(1)
    covered = 0
    for _ in range(300):
        shares = [sum(random.random() < 0.8 for _ in range(3)) / 3 for _ in range(60)]
        low, high = interval(shares, 3)
        covered += low <= 0.8 <= high
    assert 0.91 <= covered / 300 <= 0.99


def test_an_interval_is_never_a_point() -> None:
    assert interval([1.0] * 20, 2) == pytest.approx((0.8389, 1.0), abs=0.001)
    assert interval([0.0] * 20, 2) == pytest.approx((0.0, 0.1611), abs=0.001)
    low, high = interval([0.5] * 20, 2)
    assert low < 0.5 < high


def test_ratings_are_those_of_the_model() -> None:
    """At four seats, odds of ten to one against three equal seats correspond to 400 points."""
    share = 10 / 13
    shares = {("a", "b"): [share] * 500, ("b", "c"): [share] * 500, ("a", "c"): [100 / 103] * 500}
    found = ratings(shares, 4, "c")
    assert list(found) == ["a", "b", "c"]
    assert [round(rating) for rating, _, _ in found.values()] == pytest.approx([800, 400, 0], abs=12)
    assert found["c"] == (0.0, 0.0, 0.0)
    assert all(low <= rating + 1e-9 <= high + 2e-9 or low == high for rating, low, high in found.values())


def test_the_table_has_a_row_for_every_cell_and_fits_a_terminal() -> None:
    words = ("--bots", "skilled,steady,random", "--seats", "2", "--seats", "3", "--edition", BOARD)
    result = asked(*words, "--deals", "3", "--goal", "50")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith(BOARD)] == [f"{BOARD}, 2 seats", f"{BOARD}, 3 seats"]
    assert sum(line.startswith("skilled@1  steady@1") for line in lines) == 2
    assert sum("50%: " in line for line in lines) == 6
    assert sum(line.startswith("random@1") and "+0 to +0" in line for line in lines) == 2
    assert max(map(len, lines)) <= 80
    assert "…" not in result.stdout
    assert "\x1b" not in result.stdout


def test_a_cell_without_deals_is_open() -> None:
    row = row_of(cell(goal=0.5), [])
    assert (row.deals, row.share, row.verdict, row.finished) == (0, None, "open", False)
    assert row_of(cell(), []).verdict is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--bots", "steady"], "name at least two bots, and each bot only once"),
        (["--bots", "steady,steady@1"], "name at least two bots, and each bot only once"),
        (["--bots", "steady,random", "--edition", "chess"], "there is no edition chess; choose one of"),
        (["--bots", "steady,random", "--seats", "2"], f"{DEFAULT} supports 3 to 6 seats, not 2"),
        (["--bots", "steady,garry"], "there is no bot 'garry'; choose from"),
        (["--bots", "steady,random", "--option", "speed=9"], f"{DEFAULT} has no option speed;"),
        (["--bots", "steady,random", "--results", "/missing/file"], "No such file or directory"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(words: list[str], says: str) -> None:
    result = asked(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_ctrl_c_reports_what_has_been_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"

    def append(self: ResultsFile, own: Cell, deal: Deal) -> None:
        kept(self, own, deal)
        if deal.number == 2:
            raise KeyboardInterrupt

    kept = ResultsFile.append
    monkeypatch.setattr(ResultsFile, "append", append)
    result = asked("--bots", "steady,random", "--json", "--results", str(file))
    assert result.exit_code == 130
    (own,) = json.loads(result.stdout)["cells"]
    assert (own["deals"], own["finished"]) == (3, False)
    assert len(file.read_text().splitlines()) == 3


def test_a_terminal_shows_the_progress_and_standard_output_only_the_report() -> None:
    words = ("--jobs", "1", "--bots", "steady,random", "--edition", BOARD, "--seats", "2", "--deals", "4")
    terminal, end = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "service", "arena", *words],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=end,
        text=True,
    ) as arena:
        os.close(end)
        shown = b""
        with suppress(OSError):  # The terminal is closed when the arena ends.
            while part := os.read(terminal, 4096):
                shown += part
        os.close(terminal)
        report = arena.communicate()[0]
    assert b"steady@1 v. random@1" in shown
    assert b"4/4" in shown
    assert "steady@1 v. random@1" not in report
    assert "steady@1" in report


def test_a_plan_needs_two_bots() -> None:
    with pytest.raises(BadPlan, match="name at least two bots"):
        make_cells([BOARD], [2], ["steady"], [], 0, 1, None)


def test_the_guide_to_the_bots_does_what_it_shows(tmp_path: Path) -> None:
    follow(ROOT / "docs" / "bots.md", tmp_path, {})
