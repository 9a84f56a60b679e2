"""Simulations: fair, repeatable with any number of processes, and clear about what cannot be played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import EDITIONS, NEWEST, Command
from engine.bots import BOTS, Bot, Situation
from service.tools.simulation.games import make_plan, play_game, seating
from tests.guides import ROOT

from .simulated import asked, games_of, simulated

CHOICE = f"choose from {', '.join(BOTS)}, or name a function as MODULE:FUNCTION"
"""The message for an invalid bot name, as long as every bot has one revision."""


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_the_number_of_processes_makes_no_difference(form: str) -> None:
    words = ("--games", "7", "--bots", "steady,random,random", "--format", form)
    assert simulated(*words, jobs=2) == simulated(*words, jobs=1)


def test_the_same_seed_plays_the_same_games() -> None:
    assert games_of("--games", "3", "--seed", "5") == games_of("--games", "3", "--seed", "5")
    assert games_of("--games", "3", "--seed", "5") != games_of("--games", "3", "--seed", "6")


def test_a_game_depends_on_its_number_and_not_on_how_many_are_played() -> None:
    assert games_of("--games", "2") == games_of("--games", "4")[:2]
    assert len({(game["moves"], *game["regions"]) for game in games_of("--games", "4")}) == 4


def test_bots_are_repeated_and_move_one_seat_from_game_to_game() -> None:
    seats = [game["bots"] for game in games_of("--games", "4", "--seats", "3", "--bots", "steady,random")]
    assert seats == [
        ["steady", "random", "steady"],
        ["steady", "steady", "random"],
        ["random", "steady", "steady"],
        ["steady", "random", "steady"],
    ]


def test_without_rotation_everybody_stays() -> None:
    games = games_of("--games", "3", "--seats", "3", "--bots", "steady,random", "--no-rotate")
    assert [game["bots"] for game in games] == [["steady", "random", "steady"]] * 3


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_rotated_bot_sits_in_every_seat_equally_often(seats: int) -> None:
    plan = make_plan("eurogames-1995", seats, ["steady", *["random"] * (seats - 1)], 1, 0, [], rotate=True)
    assert sorted(seating(plan, number).index("steady") for number in range(5, 5 + seats)) == list(range(seats))


@pytest.mark.parametrize("key", EDITIONS)
def test_every_edition_is_played_by_every_number_of_seats(key: str) -> None:
    for seats in range(NEWEST[key].fewest_seats, NEWEST[key].most_seats + 1):
        game = play_game(make_plan(key, seats, ["steady"], 1, 0, [], rotate=True), 1)
        assert len(game.regions) == len(game.bots) == seats
        assert game.winners
        assert game.reasons


def test_all_games_of_a_match_are_counted() -> None:
    """The state contains only the last game. A match to 20 points wins more regions than its last game shows."""
    game = play_game(make_plan("ffg-2007", 3, ["steady"], 1, 0, ["points=20"], rotate=True), 1)
    assert max(game.points) >= 20
    assert game.battles >= sum(game.won) > sum(game.regions)
    assert game.rounds > 1


def test_an_edition_is_played_by_as_many_as_it_takes() -> None:
    assert [len(game["bots"]) for game in games_of("--games", "1", "--edition", "zman-2018-duel")] == [2]


def test_options_are_in_force() -> None:
    games = games_of("--games", "5", "--option", "battle_limit=1")
    assert [(game["battles"], game["reasons"]) for game in games] == [(1, ["battle-limit"])] * 5
    assert "battle_limit=1" in simulated("--games", "1", "--option", "battle_limit=1")


def test_a_bot_sees_what_a_person_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()

    def look(situation: Situation) -> Command:
        view = situation.view
        seen.add(tuple(seat == view.seat or isinstance(hand, int) for seat, hand in enumerate(view.hands)))
        return BOTS["steady"].choose(situation)

    monkeypatch.setitem(BOTS, "watchful", Bot("watchful", "Looks.", look, level=0))
    games_of("--games", "2", "--bots", "watchful")
    assert seen == {(True,) * 4}


def test_a_bot_may_be_a_revision_or_something_that_can_be_imported() -> None:
    def played(*bots: str) -> list[object]:
        games = games_of("--games", "3", "--seats", "3", "--bots", ",".join(bots))
        return [(game["moves"], game["winners"]) for game in games]

    assert played("steady@1", "random@1") == played("steady", "random")
    assert played("steady", "engine.bots.uniform:choose_at_random") == played("steady", "random")
    assert played("steady", "engine.bots.uniform:BOT") == played("steady", "random")


def test_a_function_is_found_in_the_current_folder(tmp_path: Path) -> None:
    """Its worker processes find it too. Python does not search the current folder for an installed command."""
    (tmp_path / "first_of_mine.py").write_text("def play(situation):\n    return situation.view.legal[0]\n")
    words = ["simulate", "--games", "2", "--jobs", "2", "--bots", "first_of_mine:play"]
    command = f"from service.cli import main; main({words})"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "first_of_mine:play" in run.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--edition", "chess"], f"there is no edition chess; choose one of {', '.join(EDITIONS)}"),
        (["--seats", "7"], "zman-2018 supports 3 to 6 seats, not 7"),
        (["--edition", "eurogames-1995", "--seats", "1"], "eurogames-1995 supports 2 to 6 seats, not 1"),
        (["--bots", "steady,garry"], f"there is no bot 'garry'; {CHOICE}"),
        (["--bots", ""], f"there is no bot ''; {CHOICE}"),
        (["--bots", "steady@99"], f"there is no bot 'steady@99'; {CHOICE}"),
        (["--bots", "steady@new"], f"there is no bot 'steady@new'; {CHOICE}"),
        (["--bots", "missing:play"], "the bot missing:play cannot be imported: No module named 'missing'"),
        (["--bots", ":play"], "the bot :play cannot be imported: Empty module name"),
        (
            ["--bots", "engine.bots:play"],
            "the bot engine.bots:play cannot be imported: module 'engine.bots' has no attribute 'play'",
        ),
        (["--bots", "engine.bots:BOTS"], "the bot engine.bots:BOTS is not a function"),
        (["--seats", "3", "--bots", "random,random,random,random"], "name 1 to 3 bots for 3 seats, not 4"),
        (["--option", "speed=9"], "zman-2018 has no option speed; its options are two_on_the_board, battle_limit"),
        (["--option", "battle_limit=0"], "battle_limit must be 1 to 1000, not 0"),
        (["--option", "battle_limit=many"], "battle_limit must be 1 to 1000, not 'many'"),
        (["--option", "battle_limit"], "write an option as KEY=VALUE, not as 'battle_limit'"),
        (["--option", "battle_limit=1", "--option", "battle_limit=2"], "the option battle_limit is given twice"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(words: list[str], says: str) -> None:
    result = asked(*words)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {says}\n")
