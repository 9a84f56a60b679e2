"""Ending by consent: players agree to end a game, either in its current standing or without a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from service.games.game import rebuild
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify
from service.views.game import show_game

from ..times import clock
from .conftest import Json, Person

DUEL = {"edition": "zman-2018-duel", "seats": 2}


def finding(games: Games, game: str) -> object:
    """Return the error in a game's record."""
    return verify(read_record(as_json(load(games, game), None))).finding


def asked(game: Json) -> list[tuple[int, str]]:
    return [(one["seat"], one["outcome"]) for one in game["ending"]["asked"]]


def check_log(games: Games, game: str) -> None:
    """Check that each version of a game is the same, whether its log is loaded as a whole or commit by commit."""
    whole = load(games, game)
    followed = whole.at(1)
    for commit in whole.since(1):
        followed_after = followed.after(commit.at, commit.events, commit.by)
        read = rebuild(whole.commits[: commit.seq], whole.seed)
        assert show_game(read, None) == show_game(followed_after, None), commit.seq
        assert read.table.end_asked == followed_after.table.end_asked
        followed = read


@pytest.fixture
def carla(person: Callable[..., Person]) -> Person:
    """A third player."""
    return person("Carla")


@pytest.fixture
def path(anna: Person, bruno: Person, carla: Person) -> str:
    """The path of a three-player game."""
    game = anna.open_game(seats=3)["id"]
    for player in (bruno, carla):
        player.post(f"/games/{game}/join")
    return f"/games/{game}"


def battles(players: dict[str | None, Person], path: str) -> Iterator[int]:
    """Play on with the last legal move each time, and yield the number of the battle after each move."""
    someone = next(iter(players.values()))
    while (game := someone.get(path))["status"] == "running":
        mover = players[game["seated"][game["position"]["turn"]]["player"]]
        view = mover.get(path)
        yield mover.move(view, view["moves"][-1])["position"]["battle"]


def test_a_game_ends_as_it_stands_when_all_agree(
    anna: Person, bruno: Person, carla: Person, spectator: Person, path: str, games: Games
) -> None:
    first = anna.post(f"{path}/end", {"outcome": "leaders"})
    assert first["ending"] == {"asked": [{"seat": 0, "outcome": "leaders"}], "leaders": [0, 1, 2]}
    assert bruno.post(f"{path}/end", {"outcome": "leaders"})["status"] == "running"
    over = carla.post(f"{path}/end", {"outcome": "leaders"})
    assert (over["status"], over["ending"], over["cancelled"]) == ("finished", None, None)
    assert over["result"] == {"winners": [0, 1, 2], "reasons": ["consent"]}
    assert over["position"]["battle"] == first["position"]["battle"]
    assert over["moves"] == []
    last = spectator.get(f"{path}/events")["commits"][-1]["events"]
    assert last == [
        {"type": "end-asked", "seat": 2, "outcome": "leaders", "version": over["version"] - 1},
        {"type": "game-ended", "winners": [0, 1, 2], "reasons": ["consent"]},
    ]
    game = path.rpartition("/")[2]
    assert finding(games, game) is None
    check_log(games, game)


def test_a_game_ends_without_a_result(anna: Person, bruno: Person, carla: Person, path: str, games: Games) -> None:
    for player in (anna, bruno):
        player.post(f"{path}/end", {"outcome": "none"})
    over = carla.post(f"{path}/end", {"outcome": "none"})
    assert (over["status"], over["result"]) == ("cancelled", None)
    assert over["cancelled"] == {"by": "players", "by_name": None, "reason": "the players agreed to end the game"}
    assert over["fairness"]["seed"] is not None
    refused = anna.post(f"{path}/end", {"outcome": "none"}, 409)
    assert (refused["code"], "the players agreed" in refused["detail"]) == ("game-cancelled", True)
    game = path.rpartition("/")[2]
    assert finding(games, game) is None
    check_log(games, game)


def test_players_must_agree_to_the_same_outcome(anna: Person, bruno: Person, carla: Person, path: str) -> None:
    wanted = ((anna, "none"), (bruno, "leaders"), (carla, "none"), (anna, "leaders"), (anna, "leaders"))
    for player, outcome in wanted:
        game = player.post(f"{path}/end", {"outcome": outcome})
    assert asked(game) == [(0, "none"), (1, "leaders"), (2, "none"), (0, "leaders")]
    assert bruno.post(f"{path}/end", {"outcome": "none"})["status"] == "cancelled"


def test_a_request_counts_until_the_battle_ends(
    anna: Person, bruno: Person, carla: Person, path: str, games: Games
) -> None:
    players: dict[str | None, Person] = {player.id: player for player in (anna, bruno, carla)}
    for player in (anna, bruno):
        player.post(f"{path}/end", {"outcome": "none"})
    playing = battles(players, path)
    while len(asked(anna.get(path))) == 2:
        assert next(playing) in (1, 2)
    game = carla.post(f"{path}/end", {"outcome": "none"})
    assert (game["status"], asked(game)) == ("running", [(2, "none")])
    check_log(games, path.rpartition("/")[2])


def test_who_has_resigned_is_not_asked(anna: Person, bruno: Person, carla: Person, path: str, games: Games) -> None:
    """After a resignation other seats may lead, so earlier consent no longer counts."""
    for player in (anna, bruno):
        player.post(f"{path}/end", {"outcome": "leaders"})
    assert carla.post(f"{path}/resign")["ending"] == {"asked": [], "leaders": [0, 1]}
    for player in (bruno, anna):
        over = player.post(f"{path}/end", {"outcome": "leaders"})
    assert over["result"] == {"winners": [0, 1], "reasons": ["consent"]}
    game = path.rpartition("/")[2]
    assert finding(games, game) is None
    check_log(games, game)


def test_a_player_who_comes_back_has_not_agreed(
    anna: Person, bruno: Person, host: Person, path: str, games: Games
) -> None:
    bruno.post(f"{path}/end", {"outcome": "none"})
    host.post(f"/admin{path}/give-seat", {"seat": 1, "bot": "steady", "reason": "away"})
    assert asked(anna.get(path)) == []
    assert bruno.post(f"{path}/end", {"outcome": "none"}, 409)["code"] == "seat-with-bot"
    bruno.post(f"{path}/return")
    assert asked(anna.post(f"{path}/end", {"outcome": "none"})) == [(0, "none")]
    check_log(games, path.rpartition("/")[2])


def test_nobody_agrees_with_bots(anna: Person, games: Games) -> None:
    """Otherwise a player who leads against bots could win at the best moment."""
    game = anna.open_game(bots=[{"seat": n, "bot": "steady"} for n in (1, 2)])["id"]
    for outcome in ("none", "leaders"):
        assert anna.post(f"/games/{game}/end", {"outcome": outcome}, 409)["code"] == "nobody-to-agree"
    play_bot_turn(games, game)


def test_a_paused_game_can_be_ended(anna: Person, bruno: Person, games: Games) -> None:
    for outcome, status in (("none", "cancelled"), ("leaders", "finished")):
        game = anna.open_game(**DUEL, clock=clock())["id"]
        bruno.post(f"/games/{game}/join")
        for player in (anna, bruno):
            player.post(f"/games/{game}/pause")
        anna.post(f"/games/{game}/end", {"outcome": outcome})
        assert bruno.post(f"/games/{game}/end", {"outcome": outcome})["status"] == status
        assert anna.get("/me/turns")["turns"] == []
        assert finding(games, game) is None
        check_log(games, game)


def test_a_repeated_request_agrees_once(anna: Person, bruno: Person) -> None:
    game = anna.open_game(**DUEL)["id"]
    bruno.post(f"/games/{game}/join")
    sent = {"json": {"outcome": "leaders"}, "headers": {"Idempotency-Key": "once"}}
    first, again = (anna.ask("POST", f"/games/{game}/end", **sent) for _ in range(2))
    assert first.get_json() == again.get_json()
    over = bruno.ask("POST", f"/games/{game}/end", **sent)
    assert over.get_json()["status"] == "finished"
    assert bruno.ask("POST", f"/games/{game}/end", **sent).get_json() == over.get_json()


def test_other_outcomes_are_refused(anna: Person, path: str) -> None:
    for body in ({}, {"outcome": "draw"}, {"outcome": None}):
        assert anna.post(f"{path}/end", body, 422)["code"] == "invalid-request"
    assert anna.post(f"{path}/end", {"outcome": "none", "winners": [0]}, 422)["code"] == "unknown-field"
    assert asked(anna.get(path)) == []
