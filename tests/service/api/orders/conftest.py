"""Two-player games, in their first battle, whose players give orders."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from service.games.repository import Games
from service.orders.following import follow
from service.play.moves import play_bot_turn

from ..conftest import SEED, Json, Person

KEEP: Json = {"after_battle": "keep"}
NOTHING: Json = {"after_battle": None, "battle": None}
IF_NOT_900: Json = {"type": "pass-if-exceeds", "strength": 900}
CLOCK: Json = {"kind": "per-move", "seconds": 86_400}


def orders_of(person: Person, game: Json, status: int = 200) -> Json:
    """Return a player's orders as the API shows them."""
    return person.get(f"/games/{game['id']}/orders", status)


def put(person: Person, game: Json, asked: Json, status: int = 200, **headers: str) -> Json:
    """Give orders."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = person.ask("PUT", f"/games/{game['id']}/orders", json=asked, headers=sent)
    assert answer.status_code == status, answer.text
    body: Json = answer.get_json(force=True)
    return body


def work(games: Games, game: Json) -> int:
    """Do the worker's job as long as something is due in a game; return the number of moves made."""
    moves = 0
    while games.store.due.overdue(0):
        moves += play_bot_turn(games, game["id"]) or follow(games, game["id"])
    return moves


@pytest.fixture(autouse=True)
def known_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has the same hands."""
    monkeypatch.setattr("service.play.seating.secrets", SimpleNamespace(token_bytes=lambda _: bytes.fromhex(SEED)))


@pytest.fixture
def table(anna: Person, bruno: Person) -> Json:
    """A game of Anna and Bruno with a clock, in its first battle, on Anna's turn."""
    return sit_down(anna, bruno)


@pytest.fixture
def last_battle(anna: Person, bruno: Person) -> Json:
    """Like `table`, but the game ends after this battle."""
    return sit_down(anna, bruno, options={"two_on_the_board": True, "battle_limit": 1})


def sit_down(anna: Person, bruno: Person, **asked: object) -> Json:
    """Open a game for two and play on until it is Anna's turn in a battle."""
    game = anna.open_game(**{"seats": 2, "options": {"two_on_the_board": True}, "clock": CLOCK, **asked})
    return in_battle(anna, bruno, bruno.post(f"/games/{game['id']}/join"))


def finish(anna: Person, bruno: Person, game: Json) -> Json:
    """Play a game to its end."""
    while game["status"] == "running":
        for person in (anna, bruno):
            view = person.get(f"/games/{game['id']}")
            if view["moves"]:
                game = person.move(view, view["moves"][0])
    return game


def in_battle(anna: Person, bruno: Person, game: Json) -> Json:
    """Play on until it is Anna's turn in a battle, and return the game as she sees it."""
    while True:
        views = [person.get(f"/games/{game['id']}") for person in (anna, bruno)]
        if views[0]["position"]["phase"] == "battle" and views[0]["moves"]:
            return views[0]
        for person, view in zip((anna, bruno), views, strict=True):
            if view["moves"]:
                person.move(view, (plays(view) or view["moves"])[0])


def value(play: Json) -> int:
    """Return the printed value of a mercenary."""
    return int(play["card"].split("-")[1])


def plays(view: Json) -> list[Json]:
    """Return the moves that lay a card without a target, strongest mercenaries last."""
    named = [move for move in view["moves"] if set(move) == {"type", "card"} and move["card"].startswith("mercenary")]
    return sorted(named, key=value)
