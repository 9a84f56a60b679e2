"""`condottiere demo`: one whole game over HTTP, one scripted person against bots, told battle by battle.

It uses nothing but the public API, as any client would: register, open, look, move, wait for events.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import requests
from rich.console import Console
from rich.markup import escape
from rich.table import Table

Json = dict[str, Any]

WAIT = 25
"""Seconds that one question for events may wait."""
PATIENCE = 4
"""Questions in a row without any news, after which the game is taken for stuck."""
COLOURS = ("bright_cyan", "bright_yellow", "bright_green", "bright_magenta", "bright_red", "bright_blue")


class DemoError(Exception):
    """The game could not be played to its end."""


class Client:
    """A player's end of the API."""

    def __init__(self, url: str) -> None:
        """Take the address of a server, such as http://127.0.0.1:8000."""
        self._url = url.rstrip("/")
        self._session = requests.Session()

    def register(self, name: str) -> Json:
        """Register and use the token from now on."""
        player = self._ask("POST", "/players", {"name": name})
        self._session.headers["Authorization"] = f"Bearer {player['token']}"
        return player

    def open_game(self, edition: str, seats: int, options: Mapping[str, object], bot: str) -> Json:
        """Open a game against bots; it starts at once."""
        bots = [{"seat": seat, "bot": bot} for seat in range(1, seats)]
        return self._ask("POST", "/games", {"edition": edition, "seats": seats, "options": options, "bots": bots})

    def look(self, game: str) -> Json:
        """Return the game as this player sees it."""
        return self._ask("GET", f"/games/{game}")

    def move(self, game: str, version: int, move: Json) -> Json:
        """Make a move and return the game after it; a stale version is looked at again by the caller."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": secrets.token_hex(8)}
        return self._ask("POST", f"/games/{game}/moves", move, headers)

    def events(self, game: str, after: int) -> Json:
        """Return what happened since a version, waiting for it."""
        return self._ask("GET", f"/games/{game}/events?after={after}&wait={WAIT}")

    def _ask(self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] | None = None) -> Json:
        try:
            answer = self._session.request(
                method, f"{self._url}/v1{path}", json=body, headers=headers, timeout=WAIT + 15
            )
            content: Json = answer.json()
        except requests.ConnectionError:
            raise DemoError(
                f"nothing answers at {self._url}: start `condottiere serve`, or name another server with --url"
            ) from None
        except requests.RequestException as error:
            raise DemoError(f"{self._url} does not answer as a Condottiere server: {error}") from error
        if not answer.ok:
            raise DemoError(f"{method} {path}: {content.get('code')}: {content.get('detail')}")
        return content


def play(url: str, edition: str, seats: int, options: Mapping[str, object], console: Console) -> Json:
    """Play one game to its end and return its last view. Raises: DemoError."""
    client = Client(url)
    player = client.register(f"demo-{secrets.token_hex(4)}")
    game = client.open_game(edition, seats, options, "steady")
    console.print(
        f"Game [bold]{game['id']}[/] of {edition}: {player['name']} against {seats - 1} bots.", highlight=False
    )
    teller = Teller(console, game)
    seen = silence = 0
    while True:
        news = client.events(game["id"], seen)
        silence = silence + 1 if news["next"] == seen else 0
        if silence == PATIENCE:
            raise DemoError(f"nothing has happened in game {game['id']} for {PATIENCE * WAIT} s: is a worker running?")
        seen = news["next"]
        for commit in news["commits"]:
            teller.tell(commit["events"])
        game = client.look(game["id"])
        if game["version"] > seen:
            continue
        if game["status"] == "finished":
            _tell_result(console, game)
            return game
        if game["moves"]:
            client.move(game["id"], game["version"], choose(game))


def choose(game: Json) -> Json:
    """Return the scripted person's move: lead with the smallest card that leads, and stop when leading."""
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


class Teller:
    """Tells a game's events in plain words, a colour a seat."""

    def __init__(self, console: Console, game: Json) -> None:
        """Take where to tell and who sits where."""
        self._console = console
        self._names = [
            "Caterina" if seat["seat"] == game["you"] else f"{seat['bot']} {seat['seat']}" for seat in game["seated"]
        ]
        self._battles = 0
        self._fighting = False
        self._region = ""

    def tell(self, events: list[Json]) -> None:
        """Tell the events of one commit."""
        for event in events:
            words = TOLD.get(event["type"])
            if words is not None:
                for line in words(self, event):
                    self._console.print(line, highlight=False)

    def seat(self, number: int) -> str:
        """Return a seat's name in its colour."""
        return f"[{COLOURS[number]}]{escape(self._names[number])}[/]"

    def region(self, event: Json) -> Iterator[str]:
        """Tell that a region is contested."""
        self._region = event["region"].capitalize()
        yield f"\n{self.seat(event['seat'])} chooses {self._region}"

    def declined(self, event: Json) -> Iterator[str]:
        """Tell that nobody wanted a region."""
        yield f"\n{self.seat(event['seat'])} chooses no region"

    def turn(self, event: Json) -> Iterator[str]:
        """Tell that a battle begins."""
        if event["phase"] == "battle" and not self._fighting:
            self._fighting = True
            self._battles += 1
            where = f": {self._region}" if self._region else ""
            yield f"[bold]Battle {self._battles}{where}[/]"

    def face_down(self, event: Json) -> Iterator[str]:
        """Tell that a card was laid face down."""
        yield f"  {self.seat(event['seat'])} lays {event.get('card', 'a card')}, face down"

    def turned_up(self, event: Json) -> Iterator[str]:
        """Tell which card was turned up."""
        yield f"  {self.seat(event['seat'])} turns up {event['card']}"

    def card(self, event: Json) -> Iterator[str]:
        """Tell what was laid, and what was named with it."""
        named = "".join(f", {key} {event[key]}" for key in ("take", "favor") if key in event)
        yield f"  {self.seat(event['seat'])} lays {event['card']}{named}"

    def passing(self, event: Json) -> Iterator[str]:
        """Tell who passed."""
        why = " (no cards)" if event["forced"] else ""
        yield f"  {self.seat(event['seat'])} passes{why}"

    def outcome(self, event: Json) -> Iterator[str]:
        """Tell how a battle ended."""
        if "strengths" in event:
            yield "  " + ", ".join(f"{self.seat(seat)} {total}" for seat, total in enumerate(event["strengths"]))
        self._fighting, self._region = False, ""
        prize = event["region"].capitalize() if "region" in event else "the battle"
        who = self.seat(event["winner"]) if "winner" in event else "nobody"
        yield f"  => {who} takes [bold]{prize}[/]"

    def final_battle(self, event: Json) -> Iterator[str]:
        """Tell who fights it out."""
        yield f"\n[bold]A final battle[/] between {', '.join(map(self.seat, event['fighters']))} ({event['reason']})"

    def scored(self, event: Json) -> Iterator[str]:
        """Tell how the match stands."""
        yield "\nPoints: " + ", ".join(f"{self.seat(seat)} {points}" for seat, points in enumerate(event["points"]))

    def marker(self, event: Json) -> Iterator[str]:
        """Tell who holds the battle marker now."""
        yield f"  {self.seat(event['seat'])} has the battle marker ({event['reason']})"

    def discarded(self, event: Json) -> Iterator[str]:
        """Tell who discarded a hand."""
        yield f"  {self.seat(event['seat'])} discards {event['cards']['count']} cards"

    def dealt(self, event: Json) -> Iterator[str]:
        """Tell that cards were dealt."""
        sizes = ", ".join(f"{self.seat(seat)} {hand['count']}" for seat, hand in enumerate(event["hands"]))
        yield f"\n[dim]Cards are dealt:[/] {sizes}"

    def drawn(self, event: Json) -> Iterator[str]:
        """Tell who drew cards."""
        yield f"  {self.seat(event['seat'])} draws {event['cards']['count']} cards"

    def kept(self, event: Json) -> Iterator[str]:
        """Tell who kept cards."""
        yield f"  {self.seat(event['seat'])} keeps {event['cards']['count']} cards"


TOLD: Mapping[str, Callable[[Teller, Json], Iterator[str]]] = {
    "region-chosen": Teller.region,
    "region-declined": Teller.declined,
    "turn-started": Teller.turn,
    "card-played": Teller.card,
    "card-laid-face-down": Teller.face_down,
    "card-turned-up": Teller.turned_up,
    "seat-passed": Teller.passing,
    "battle-ended": Teller.outcome,
    "marker-taken": Teller.marker,
    "hand-discarded": Teller.discarded,
    "hands-dealt": Teller.dealt,
    "cards-drawn": Teller.drawn,
    "cards-kept": Teller.kept,
    "final-battle-started": Teller.final_battle,
    "match-scored": Teller.scored,
}
"""How each event is told; the others go without saying."""


def _tell_result(console: Console, game: Json) -> None:
    result = game["result"]
    table = Table(title="The end", title_justify="left")
    for heading in ("Seat", "Player", "Battles won", "Regions"):
        table.add_column(heading)
    for seat, seated in zip(game["position"]["seats"], game["seated"], strict=True):
        won = "[bold]" if seat["seat"] in result["winners"] else ""
        name = seated["bot"] or "you"
        cells = (seat["seat"], name, seat["battles_won"], ", ".join(seat["regions"]))
        table.add_row(*(f"{won}{cell}" for cell in cells))
    console.print()
    console.print(table)
    winners = ", ".join("you" if seat == game["you"] else f"seat {seat}" for seat in result["winners"])
    console.print(f"Winner: [bold]{winners or 'nobody, a draw'}[/] ({', '.join(result['reasons'])})", highlight=False)
