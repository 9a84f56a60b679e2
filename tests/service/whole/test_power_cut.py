"""Everything is killed at once while people and bots play, and started again: all acknowledged changes are there."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from ..servers import free_port, until
from .product import LONG_GAME, LOST, Json, Person, hold_together, running, was_undisturbed

pytestmark = pytest.mark.slow

NAMES = ("Caterina", "Francesco", "Ludovico", "Bianca")
BOTS_ALONE = 2


class Made(NamedTuple):
    """A move with the view for which it was made, its key, and the response; None if no response came."""

    game: Json
    move: Json
    key: str
    answer: Json | None


class Player:
    """A person who plays one random game after another against bots, and remembers every response."""

    def __init__(self, person: Person, chance: Random) -> None:
        """Start without any games."""
        self.person = person
        self.made: list[Made] = []
        self.chance = chance

    def acknowledged(self) -> list[Made]:
        """Return the moves that got a response."""
        return [made for made in self.made if made.answer is not None]

    def play(self) -> None:
        """Play until the service is gone."""
        with contextlib.suppress(*LOST):
            while True:
                game = self.person.my_turn(self.person.open_game(2, seats=3)["id"])
                while game["moves"]:
                    self._move(game)
                    game = self.person.my_turn(game["id"])

    def _move(self, game: Json) -> None:
        move, key = self.chance.choice(game["moves"]), f"{self.chance.getrandbits(64):x}"
        self.made.append(Made(game, move, key, None))
        answer = self.person.move(game, move, key)
        assert answer.status_code == 201, answer.text
        self.made[-1] = Made(game, move, key, answer.json())


def test_what_was_acknowledged_outlives_the_death_of_every_process(folder: Path, chance: Random) -> None:
    """Moves, lists and tokens are still there, and the bots continue."""
    port = str(free_port())
    with ThreadPoolExecutor() as threads, running(folder, PORT=port) as service:
        players = [Player(Person(service.url, name), Random(chance.random())) for name in NAMES]
        plays = [threads.submit(player.play) for player in players]
        watcher = Person(service.url, "Ginevra")
        alone = [watcher.open_game(6, seed=LONG_GAME)["id"] for _ in range(BOTS_ALONE)]
        enough = chance.randrange(20, 60)
        until(lambda: all(player.made for player in players) and _count(players) >= enough)
        assert any(watcher.get(f"/games/{game}")["status"] == "running" for game in alone)
        service.kill_everything()
        for play in plays:
            play.result()
    with running(folder, PORT=port) as service:
        for player in players:
            _everything_is_there(player)
            player.person.session.close()
        assert {game["id"] for game in watcher.get("/games?status=mine")["games"]} == set(alone)
        for game in alone:
            was_undisturbed(watcher, service.log_url, game)
        watcher.session.close()


def _count(players: Sequence[Player]) -> int:
    return sum(len(player.acknowledged()) for player in players)


def _everything_is_there(player: Player) -> None:
    """Fail unless a player's token, games and moves are there; then let the player continue."""
    person = player.person
    assert person.get("/me")["id"] == person.id
    mine = person.get("/games?status=mine&limit=100")["games"]
    assert {game["id"] for game in mine} >= {made.game["id"] for made in player.made}
    for game in mine:
        person.my_turn(game["id"])
    mine = person.get("/games?status=mine&limit=100")["games"]
    running = {game["id"] for game in person.get("/games?status=running&limit=100")["games"]}
    for game in mine:
        assert person.get(f"/games/{game['id']}")["status"] == game["status"]
        assert (game["id"] in running) == (game["status"] == "running")
    feeds = {game["id"]: hold_together(person, game["id"]) for game in mine}
    for game, move, key, answer in player.acknowledged():
        assert answer is not None
        commit = feeds[game["id"]][answer["version"] - 1]
        assert (commit["by"], commit["at"]) == (person.id, answer["changed_at"])
        assert commit["seq"] == game["version"] + 1
        again = person.move(game, move, key)
        assert (again.status_code, again.headers["Idempotent-Replayed"], again.json()) == (201, "true", answer)
    _go_on(player)


def _go_on(player: Player) -> None:
    """Repeat the last move, whether or not it got a response, and make another one."""
    game, move, key, _ = player.made[-1]
    assert player.person.move(game, move, key).status_code == 201
    assert [commit["by"] for commit in hold_together(player.person, game["id"])].count(player.person.id) == 1 + sum(
        made.game["id"] == game["id"] for made in player.made
    )
    game = player.person.my_turn(game["id"])
    if game["moves"]:
        assert player.person.move(game, player.chance.choice(game["moves"]), "next").status_code == 201
