"""`condottiere demo`: plays one whole game over HTTP, a scripted player against bots, and prints it battle by battle.

The demo uses only the public API, as any client would: register, open, read, move, wait for events.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import requests
from rich.console import Console

from .narration import Narrator

Json = dict[str, Any]

WAIT = 25
"""Seconds that one request for events may wait."""
PATIENCE = 4
"""Consecutive requests without news after which the game counts as stuck."""
BOT = "steady"
LETTERS, LENGTH = "bcdfghjklmnpqrstvwxz", 5
"""Letters and length of the suffix that makes the player's name unique: no digits, since a number may follow."""


class DemoError(Exception):
    """The demo could not play the game to its end."""


class Client:
    """A player's HTTP client."""

    def __init__(self, url: str) -> None:
        """Send requests to the server at `url`, such as http://127.0.0.1:8000."""
        self._url = url.rstrip("/")
        self._session = requests.Session()

    def register(self, name: str) -> Json:
        """Register and use the token from now on."""
        player = self._ask("POST", "/players", {"name": name})
        self._session.headers["Authorization"] = f"Bearer {player['token']}"
        return player

    def edition(self, key: str) -> Json:
        """Return an edition, with its cards and its board."""
        return self._ask("GET", f"/editions/{key}")

    def open_game(self, edition: str, seats: int, options: Mapping[str, object], bot: str) -> Json:
        """Open a game against bots, which starts at once."""
        bots = [{"seat": seat, "bot": bot} for seat in range(1, seats)]
        return self._ask("POST", "/games", {"edition": edition, "seats": seats, "options": options, "bots": bots})

    def look(self, game: str) -> Json:
        """Return the game as this player sees it."""
        return self._ask("GET", f"/games/{game}")

    def move(self, game: str, version: int, move: Json) -> Json:
        """Make a move and return the game after it. Raises: DemoError, also if the version is stale."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": secrets.token_hex(8)}
        return self._ask("POST", f"/games/{game}/moves", move, headers)

    def events(self, game: str, after: int) -> Json:
        """Return the commits after a version; wait until there are any."""
        return self._ask("GET", f"/games/{game}/events?after={after}&wait={WAIT}")

    def _ask(self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None) -> Json:
        try:
            answer = self._session.request(
                method, f"{self._url}/v1{path}", json=body, headers=headers, timeout=WAIT + 15
            )
            content: Json = answer.json()
        except requests.ConnectionError:
            raise DemoError(
                f"no server answers at {self._url}: start `condottiere serve`, or choose another server with --url"
            ) from None
        except requests.RequestException as error:
            raise DemoError(f"{self._url} does not answer like a Condottiere server: {error}") from error
        if not answer.ok:
            raise DemoError(f"{method} {path}: {content.get('code')}: {content.get('detail')}")
        return content


def play(url: str, edition: str, seats: int, options: Mapping[str, object], console: Console) -> Json:
    """Play one game to its end and return its last view. Raises: DemoError."""
    client = Client(url)
    player = client.register(f"Caterina-{''.join(secrets.choice(LETTERS) for _ in range(LENGTH))}")
    game = client.open_game(edition, seats, options, BOT)
    narrator = Narrator(console, game, client.edition(edition), player["name"])
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
