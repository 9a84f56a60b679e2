"""Games that nobody has won: what players, lists and the demo say about them."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

import pytest
from rich.console import Console

from service.tools.narration import Narrator

from .conftest import Json, Person

DRAWS = [
    pytest.param("zman-2018-duel", {"battle_limit": 1}, ["pass", "pass"], "battle-limit", id="zman-2018-duel"),
    pytest.param(
        "eurogames-revised",
        {"final_battle": "english"},
        ["decline-region", "decline-region", "pass", "pass"],
        "final-battle",
        id="eurogames-revised",
    ),
]


def play(anna: Person, bruno: Person, key: str, options: Json, moves: Sequence[str]) -> Json:
    """Let two people play with moves of these types, whoever's turn it is; return the game as Anna sees it."""
    game = anna.open_game(edition=key, seats=2, options=options)
    bruno.post(f"/games/{game['id']}/join")
    for kind in moves:
        for person in (anna, bruno):
            seen = person.get(f"/games/{game['id']}")
            if seen["moves"]:
                person.move(seen, next(move for move in seen["moves"] if move["type"] == kind))
                break
    return anna.get(f"/games/{game['id']}")


@pytest.mark.parametrize(("key", "options", "moves", "reason"), DRAWS)
def test_a_game_that_nobody_has_won_is_over_without_a_winner(
    anna: Person, bruno: Person, key: str, options: Json, moves: Sequence[str], reason: str
) -> None:
    game = play(anna, bruno, key, options, moves)
    assert (game["status"], game["moves"]) == ("finished", [])
    assert game["result"] == {"winners": [], "reasons": [reason]}
    commits = anna.get(f"/games/{game['id']}/events")["commits"]
    assert commits[-1]["events"][-1] == {"type": "game-ended", "winners": [], "reasons": [reason]}
    for person in (anna, bruno):
        assert person.get("/me/turns")["turns"] == []


@pytest.mark.parametrize(("key", "options", "moves", "reason"), DRAWS)
def test_it_stands_in_the_list_of_finished_games(
    anna: Person, bruno: Person, spectator: Person, key: str, options: Json, moves: Sequence[str], reason: str
) -> None:
    game = play(anna, bruno, key, options, moves)
    (listed,) = spectator.get("/games?status=finished")["games"]
    assert (listed["id"], listed["result"]) == (game["id"], {"winners": [], "reasons": [reason]})


@pytest.mark.parametrize(("key", "options", "moves", "reason"), DRAWS)
def test_the_demo_says_that_nobody_has_won(
    anna: Person, bruno: Person, key: str, options: Json, moves: Sequence[str], reason: str
) -> None:
    game = play(anna, bruno, key, options, moves)
    output = StringIO()
    narrator = Narrator(Console(file=output), anna.get(f"/editions/{key}"), ["Anna", "Bruno"])
    narrator.conclude(game)
    assert output.getvalue().endswith(f"\nWinner: nobody; the game is a draw ({reason.replace('-', ' ')})\n")
