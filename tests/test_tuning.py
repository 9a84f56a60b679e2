"""Tuning: the same seed gives the same weights, kept with their origin; ARENA.md says what was played."""

from __future__ import annotations

import json
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
from service.tools.arena.cells import Cell, play_deal
from service.tools.arena.report import row_of
from service.tools.arena.run import read_deals
from service.tools.simulation.players import full_name

KIND = "duel-2"


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play so few deals that a change is easily kept."""
    monkeypatch.setattr(tune, "DEALS", 8)
    monkeypatch.setattr(tune, "LEAST_DEALS", 8)


def tuned(folder: Path, *words: str) -> dict[str, object]:
    """Tune one kind in an empty file, and return its entry."""
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
    assert f"Against two {others} bots it wins {100 * row.share:.0f} % of games." in BOTS[bot].summary


QUICK = [cell for cell in arena.cells() if cell.bot == full_name("skilled") and cell.others == full_name("steady")]


@pytest.mark.parametrize("cell", QUICK, ids=lambda cell: cell.key)
def test_the_bots_still_play_the_first_deal_of_a_cell_in_the_same_way(cell: Cell) -> None:
    (deals,) = read_deals([cell], arena.RESULTS).values()
    assert all(play_deal(cell, deal.number).won == deal.won for deal in deals[:1])


def test_recorded_deals_are_played_again_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of cells that have a goal."""
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


def test_the_arena_has_every_edition_at_every_number_of_seats() -> None:
    found = {(cell.edition, cell.seats) for cell in arena.cells()}
    assert {(key, newest.most_seats) for key, newest in NEWEST.items()} <= found
    assert {(key, newest.fewest_seats) for key, newest in NEWEST.items()} <= found


def test_the_same_seed_fits_the_same_coefficients(tmp_path: Path) -> None:
    """They predict better than no features, on games that were not fitted."""
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
