"""`condottiere demo`: plays a whole game over HTTP, with a scripted player against bots, and prints each battle.

Like any client, the demo uses only the public API to register, open a game, read it, move, and wait for events.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from rich.console import Console

from .client import WAIT, Client, ClientError, NoServer
from .narration import CONDOTTIERI, Narrator

Json = dict[str, Any]

PATIENCE = 4
"""The number of consecutive requests without new events after which the game counts as stuck."""
BOT = "steady"
LETTERS, LENGTH = "bcdfghjklmnpqrstvwxz", 5
"""The letters and the length of the suffix that makes the player's name unique. The suffix has no digits, because
a number can follow the name."""


class DemoError(Exception):
    """The demo could not play the game to its end."""


def play(url: str, edition: str, seats: int, options: Mapping[str, object], console: Console) -> Json:
    """Play one game to its end and return its last view. Raises: DemoError."""
    try:
        return _play(Client(url), edition, seats, options, console)
    except NoServer as error:
        raise DemoError(f"{error}: start `condottiere serve`, or choose another server with --url") from None
    except ClientError as error:
        raise DemoError(str(error)) from None


def _play(client: Client, edition: str, seats: int, options: Mapping[str, object], console: Console) -> Json:
    """Play one game to its end and return its last view. Raises: DemoError, ClientError."""
    player = client.register(f"Caterina-{''.join(secrets.choice(LETTERS) for _ in range(LENGTH))}")
    game = client.open_game(edition, seats, options, BOT)
    bots = iter(CONDOTTIERI)
    names = [player["name"] if seat["seat"] == game["you"] else next(bots) for seat in game["seated"]]
    narrator = Narrator(console, client.edition(edition), names)
    narrator.introduce(game)
    seen = silence = 0
    while True:
        news = client.events(game["id"], seen)
        silence = silence + 1 if news["next"] == seen else 0
        if silence == PATIENCE:
            raise DemoError(
                f"nothing has happened in game {game['id']} for {PATIENCE * WAIT} s: check that a worker is running"
            )
        seen = news["next"]
        for commit in news["commits"]:
            narrator.narrate(commit["events"])
        game = client.look(game["id"])
        if game["version"] > seen:
            continue
        if game["status"] == "finished":
            narrator.conclude(game)
            return game
        if game["moves"]:
            client.move(game["id"], game["version"], choose(game))


def choose(game: Json) -> Json:
    """Return the scripted player's move: lay the smallest card that takes the lead, and pass when in the lead."""
    moves: list[Json] = game["moves"]
    position = game["position"]
    by_type: dict[str, list[Json]] = {}
    for move in moves:
        by_type.setdefault(move["type"], []).append(move)
    if position["phase"] == "choose-region":
        return moves[0]
    if position["phase"] != "battle":
        return moves[-1]
    strengths = [seat["strength"] for seat in position["seats"]]
    mine = strengths.pop(game["you"])
    if mine > max(strengths):
        return by_type["pass"][0]
    mercenaries = [move for move in by_type.get("play-card", []) if move["card"].startswith("mercenary")]
    behind = max(strengths) - mine
    enough = [move for move in mercenaries if _value(move) > behind]
    if enough:
        return min(enough, key=_value)
    return max(mercenaries, key=_value) if mercenaries and behind < 12 else by_type["pass"][0]


def _value(move: Json) -> int:
    return int(move["card"].removeprefix("mercenary-"))
