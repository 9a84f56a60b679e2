"""The reports of simulations: every format has the same games, and shared victories count by share.

Confidence intervals agree with published ones.
"""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from service.tools.simulation.games import Game
from service.tools.simulation.report import Tally, quantile, wilson

from .simulated import games_of, simulated


def test_csv_says_what_json_lines_say() -> None:
    words = ("--games", "4", "--bots", "steady,random")
    rows = list(csv.DictReader(simulated("--format", "csv", *words).splitlines()))
    games = games_of(*words)
    for row, game in zip(rows, games, strict=True):
        assert [row[f"bot_{seat}"] for seat in range(4)] == game["bots"]
        assert [int(row[f"regions_{seat}"]) for seat in range(4)] == game["regions"]
        assert [int(seat) for seat in row["winners"].split()] == game["winners"]
        assert row["reasons"].split() == game["reasons"]
        assert [int(row[name]) for name in ("game", "moves", "battles", "rounds")] == [
            game[name] for name in ("game", "moves", "battles", "rounds")
        ]


def test_the_tables_count_every_game() -> None:
    told = simulated("--games", "8", "--bots", "steady,random")
    lines = [line.split() for line in told.splitlines() if line.strip()]
    assert told.startswith("8 games of zman-2018, 4 seats, seed 0\n")
    by_name = {words[0]: words for words in lines}
    assert [by_name[name][1] for name in ("steady", "random", "0", "3")] == ["8"] * 4
    assert float(by_name["steady"][2]) + float(by_name["random"][2]) == pytest.approx(8)
    assert by_name["steady"][-1] == "50.0%"
    assert by_name["2"][-1] == "25.0%"
    moves = [game["moves"] for game in games_of("--games", "8", "--bots", "steady,random")]
    assert by_name["moves"][1:] == [f"{sum(moves) / 8:.1f}", str(sorted(moves)[3]), str(max(moves))]


def won(*winners: int, bots: tuple[str, ...] = ("a", "b", "b")) -> Game:
    """Return a game with these winners."""
    return Game(1, bots, winners, ("stall",), 9, 3, 1, (1, 1, 1), (1, 1, 1), (0, 0, 0))


def test_a_shared_victory_is_counted_by_share() -> None:
    tally = Tally()
    tally.add(won(0, 1))
    tally.add(won(0, 1, 2))
    tally.add(won(2))
    assert {bot: (standing.games, standing.wins) for bot, standing in tally.bots.items()} == {
        "a": (3, Fraction(5, 6)),
        "b": (3, Fraction(13, 6)),
    }
    assert [tally.seats[seat].wins for seat in range(3)] == [Fraction(5, 6), Fraction(5, 6), Fraction(4, 3)]
    assert tally.bots["b"].par / 3 == Fraction(2, 3)


def test_counts_do_not_grow_with_the_number_of_games() -> None:
    tally = Tally()
    for _ in range(1000):
        tally.add(won(0))
    assert tally.games == 1000
    assert (len(tally.bots), len(tally.seats), len(tally.reasons), len(tally.moves), len(tally.battles)) == (
        2,
        3,
        1,
        1,
        1,
    )


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    """R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3."""
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.00005)
    assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low), abs=0.00005)


def test_quantiles_are_lengths_that_occurred() -> None:
    lengths = dict.fromkeys(range(1, 21), 1)
    assert [quantile(lengths, percent) for percent in (50, 95, 100)] == [10, 19, 20]
    assert quantile({7: 1}, 50) == quantile({7: 1}, 95) == 7


def test_where_there_is_no_terminal_there_are_no_control_sequences() -> None:
    for form in ("table", "jsonl", "csv"):
        assert "\x1b" not in simulated("--games", "1", "--format", form)
