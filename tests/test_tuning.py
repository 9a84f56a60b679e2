"""Tuning: the same seed gives the same weights, stored with their origin; ARENA.md agrees with the recorded deals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from benchmarks import arena, fit, tune
from engine import DEFAULT, NEWEST
from engine.bots import BOTS
from engine.bots.expert_1 import FILE as FITTED
from engine.bots.heuristic import Weights
from engine.bots.skilled_1 import FILE, WEIGHTS, kind_of, weights_of
from service.tools.arena.cells import Cell, Deal, play_deal
from service.tools.arena.report import row_of
from service.tools.arena.results import read_results
from service.tools.arena.run import read_deals
from service.tools.simulation.players import full_name
from tests.guides import ROOT

KIND = "duel-2"


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use so few deals that a change is easily accepted."""
    monkeypatch.setattr(tune, "DEALS", 8)
    monkeypatch.setattr(tune, "LEAST_DEALS", 8)


def tuned(folder: Path, *words: str) -> dict[str, object]:
    """Tune one kind, starting from an empty file, and return its entry."""
    file = folder / "weights.json"
    file.write_text("{}")
    command = [KIND, "--from", "guess", "--steps", "15", "--file", str(file), *words]
    result = CliRunner().invoke(tune.main, command, catch_exceptions=False)
    assert result.exit_code == 0
    entry: dict[str, object] = json.loads(file.read_text())[KIND]
    return entry


def test_the_same_seed_tunes_to_the_same_weights(tmp_path: Path) -> None:
    first = tuned(tmp_path)
    assert tuned(tmp_path) == first
    assert tuned(tmp_path, "--seed", "1") != first
    assert weights_of({KIND: first}, KIND) != tune.FIRST


def test_weights_have_their_origin(tmp_path: Path) -> None:
    (run,) = tuned(tmp_path, "--seed", "3", "--opponents", "steady,last")["provenance"]  # type: ignore[misc]
    assert (run["from"], run["kind"], run["seed"], run["opponents"]) == ("guess", KIND, 3, "steady,last")
    assert 0 < run["kept"] <= run["steps"] <= 15


def test_a_tuning_continues_from_weights_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(FILE.read_text())
    before = json.loads(file.read_text())["board-2"]["provenance"]
    words = [KIND, "--from", "board-2", "--steps", "15", "--file", str(file)]
    assert CliRunner().invoke(tune.main, words, catch_exceptions=False).exit_code == 0
    after = json.loads(file.read_text())
    assert after[KIND]["provenance"][: len(before)] == before
    assert after[KIND]["provenance"][-1]["from"] == "board-2"
    assert after["board-2"]["provenance"] == before


def test_weights_are_one_list_and_back() -> None:
    assert tune.unflatten(tune.flatten(tune.FIRST)) == tune.FIRST
    assert len(tune.flatten(tune.FIRST)) == len(Weights._fields) - 1 + len(tune.FIRST.prices)


def test_every_weight_of_the_released_bot_has_an_origin() -> None:
    content = json.loads(FILE.read_text())
    for kind in WEIGHTS:
        runs = content[kind]["provenance"]
        assert runs[0]["from"] == "guess"


def test_every_kind_has_tables() -> None:
    for kind in WEIGHTS:
        tables = tune.tables_of(kind)
        assert tables
        assert {kind_of(tune.edition(table.key, options=table.options), table.seats) for table in tables} == {kind}


def test_arena_md_says_what_the_deals_say() -> None:
    """After a change of a bot or an edition, old deals no longer count: run `python -m benchmarks.arena`."""
    rows = [row_of(cell, own) for cell, own in read_deals([*arena.cells()], arena.RESULTS).items()]
    assert arena.DOCUMENT.read_text() == "\n".join(arena.document(rows)) + "\n"
    assert sum(row.games for row in rows) > 0


@pytest.mark.parametrize(("bot", "others"), [("steady", "random"), ("skilled", "steady"), ("expert", "skilled")])
def test_a_summary_says_how_strong_the_bot_was_in_the_arena(bot: str, others: str) -> None:
    (cell,) = (
        cell
        for cell in arena.cells()
        if (cell.edition, cell.seats, cell.bot, cell.others) == (DEFAULT, 3, full_name(bot), full_name(others))
    )
    row = row_of(cell, read_deals([cell], arena.RESULTS)[cell])
    assert row.games > 100
    assert row.share is not None
    assert f"Against two {others} bots it wins {100 * row.share:.0f}% of games." in BOTS[bot].summary
    guide = (ROOT / "docs" / "bots.md").read_text()
    (line,) = (line for line in guide.splitlines() if line.startswith(f"| `{bot}` |"))
    assert line.endswith(f"| `{others}`: wins {100 * row.share:.0f}% |")


QUICK = [cell for cell in arena.cells() if cell.bot == full_name("skilled") and cell.others == full_name("steady")]


@pytest.mark.parametrize("cell", QUICK, ids=lambda cell: cell.key)
def test_the_bots_still_play_the_first_deal_of_a_cell_in_the_same_way(cell: Cell) -> None:
    (deals,) = read_deals([cell], arena.RESULTS).values()
    assert all(play_deal(cell, deal.number).won == deal.won for deal in deals[:1])


def test_recorded_deals_are_played_again_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """The deals are those of cells with a goal."""
    true = play_deal(QUICK[0], 0)
    wrong = true._replace(number=1, won=(0.125,) * len(true.won))
    assert arena.different({QUICK[0]._replace(goal=0.5): [true, wrong], QUICK[1]: [true]}, 9, Random(1)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.rpartition(" ")[2] for line in lines) == ["DIFFERENT", "same"]


def test_a_pair_that_searches_stops_when_its_goal_is_decided() -> None:
    searched = [cell for cell in arena.cells() if cell.bot == full_name("expert")]
    assert len(searched) > 10
    for cell in arena.cells():
        assert (cell.goal is not None) == (cell in searched)


@pytest.mark.parametrize("pair", [pair for pair in arena.PAIRS if pair not in arena.SEARCHED])
def test_the_arena_has_every_edition_at_two_three_four_and_six_seats(pair: tuple[str, str]) -> None:
    """Editions are included as far as they support these numbers of seats, if necessary with an option."""
    names = tuple(map(full_name, pair))
    found = {(cell.edition, cell.seats) for cell in arena.cells() if (cell.bot, cell.others) == names}
    assert found == {
        (key, seats)
        for key, newest in NEWEST.items()
        for seats in (2, 3, 4, 6)
        if tune.options_of(newest, seats) is not None
    }
    assert len(found) == 21


SHARES = {
    ("skilled", "steady"): (90, 90, 82, 82),
    ("expert", "skilled"): (62, 62, 75, 83),
    ("expert", "steady"): (96, 96, 86, 90),
}
"""The goals of each pair, in percent: with two seats, in the duel, with three seats and with four."""


def goals() -> Iterator[tuple[tuple[str, str], str, int, int]]:
    """Yield each goal: the bots, the edition, the number of seats, and the required share of wins in percent."""
    (duel,) = (key for key, newest in NEWEST.items() if newest.board is None)
    for pair, shares in SHARES.items():
        for (key, seats), share in zip(((DEFAULT, 2), (duel, 2), (DEFAULT, 3), (DEFAULT, 4)), shares, strict=True):
            yield pair, key, seats, share
    for key in NEWEST.keys() - {DEFAULT, duel}:
        yield ("skilled", "steady"), key, 2, 80
        yield ("skilled", "steady"), key, 4, 80
        yield ("expert", "skilled"), key, 4, 25


def test_the_arena_says_of_every_goal_whether_it_is_met() -> None:
    """Goals cannot be lowered unnoticed, because this test repeats them.

    If one is not met, the guide says what was tried.
    """
    lines = arena.DOCUMENT.read_text().splitlines()
    guide = (ROOT / "docs" / "bots.md").read_text().partition("### Goals that are not met")[2]
    for (bot, others), key, seats, goal in goals():
        (row,) = (
            line.strip("| ").split(" | ")
            for line in _section(lines, f"## `{full_name(bot)}` against `{full_name(others)}`")
            if re.match(rf"\| {key}(,[^|]*)? \| {seats} \|", line)
        )
        assert re.fullmatch(r"[\d,]+ [\d.]+% [\d.]+ to [\d.]+", " ".join(row[3:6]))
        wanted, _, verdict = row[-1].partition("%: ")
        assert wanted == f"≥ {goal}"
        if verdict != "met":
            assert (key, seats) == (DEFAULT, 4)
            assert f"* `{bot}` should win at least {goal}%" in guide
            assert f"against three `{others}` bots" in guide


def _section(lines: list[str], heading: str) -> list[str]:
    """Return the lines between a heading and the next one."""
    rest = lines[lines.index(heading) + 1 :]
    return rest[: next((number for number, line in enumerate(rest) if line.startswith("## ")), len(rest))]


def test_deals_without_times_are_played_again(tmp_path: Path) -> None:
    """Deals are replayed until enough of a cell's deals have times.

    A deal with a different result is kept, and counted.
    """
    cell = QUICK[0]._replace(goal=0.5)
    true = [play_deal(cell, number) for number in range(4)]
    untimed = [deal._replace(cpu=None) for deal in true]
    wrong = untimed[1]._replace(won=(0.125,) * cell.seats)
    deals = {cell: [true[0], wrong, untimed[2], untimed[3]], QUICK[1]: untimed[:1]}
    file = tmp_path / "arena.jsonl"
    assert arena.time_deals(deals, 3, file) == 1
    assert deals[cell][1] == wrong
    assert [deal.cpu is None for deal in deals[cell]] == [False, True, False, True]
    assert [(deal.number, deal.won) for deal in read_results(file)[cell.key].values()] == [(2, true[2].won)]
    assert deals[QUICK[1]] == untimed[:1]


def test_the_highest_cpu_time_is_compared_with_the_goal_of_a_move() -> None:
    cell = next(cell for cell in arena.cells() if cell.bot == full_name("expert"))
    for p95, verdict in ((500_000, "500 ms; goal: at most 700 ms, met."), (700_001, "**not met**.")):
        rows = [row_of(cell, [Deal(0, (1.0, 1.0), (9, p95)), Deal(1, (1.0, 1.0), None)])]
        assert any(line.startswith("Highest CPU p95: ") and line.endswith(verdict) for line in arena.document(rows))


def test_the_same_seed_fits_the_same_coefficients(tmp_path: Path) -> None:
    """The coefficients predict better than a model without features, on games that were not used for fitting."""
    contents = []
    for seed in ("1", "1", "2"):
        file = tmp_path / f"{len(contents)}.json"
        command = [KIND, "--games", "60", "--seed", seed, "--file", str(file)]
        assert CliRunner().invoke(fit.main, command, catch_exceptions=False).exit_code == 0
        contents.append(json.loads(file.read_text()))
    assert contents[0] == contents[1] != contents[2]


def test_the_outlook_of_the_released_bot_was_fitted_and_predicts() -> None:
    content = json.loads(FITTED.read_text())
    assert content.keys() == WEIGHTS.keys()
    for fitted in content.values():
        origin = fitted["provenance"]
        assert origin["games"] >= 1000
        for loss, without, examples in zip(
            origin["loss"], origin["loss without features"], origin["examples"], strict=True
        ):
            assert loss < without or not examples
