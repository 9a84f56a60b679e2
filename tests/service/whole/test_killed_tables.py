"""Forty clients invite, talk, show cards, play and ask for rematches at eleven tables, while processes are killed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from service.config import Config
from service.rebuild.rebuild import open_rebuild, rebuild
from service.webhooks.signing import new_secret

from ..pids import alive
from ..servers import until
from .consumer import Consumer
from .product import LONG, Json, Service, descendants, running
from .test_killed_web import Stubborn
from .test_killed_worker import SERVE_AGAIN_SOON
from .test_webhook_bots import LOOPBACK

pytestmark = pytest.mark.slow

FOURS, DUELS = 9, 2
"""The numbers of tables with four and with two players."""
EDITIONS = ("ffg-2007", "eurogames-revised", "zman-2018", "zman-2018-classic", "eurogames-1995")
DUEL = "zman-2018-duel"
SUPERVISOR = "serve"
KILLED = ("web", "worker", "deliver", "clock", "thinker", "log", "queue", SUPERVISOR)
BETWEEN = 300
"""The maximum number of responses between two kills."""
MOVES = 60
"""The number of moves after which the players agree to end a game."""
KINDS = ["invitation.received", "rematch.proposed", "table.filled", "message.received", "cards.shown", "turn.started"]
WEBHOOKS = {"invitation": "invitation.received", "rematch": "rematch.proposed"}
"""The types of deliveries about invitations, by kind of invitation."""
HEARD = {*WEBHOOKS.values(), "table.filled", "message.received", "cards.shown", "turn.started"}
"""The types of deliveries that every player with a webhook gets at least once."""


class Client(Stubborn):
    """A player that polls, waits for news with long polls, or gets deliveries and responds to them."""

    def __init__(self, url: str, number: int, seat: int, chance: Random) -> None:
        """Register."""
        super().__init__(url, chance)
        self.number, self.seat, self.chance = number, seat, chance
        self.turns_answered = 0
        self.register(f"client-{number}")
        self.name = f"client-{number}"

    @property
    def has_webhook(self) -> bool:
        """Whether the client has a webhook."""
        return self.seat == 1

    @property
    def waits(self) -> bool:
        """Whether the client waits for news with long polls."""
        return self.seat == 2

    @property
    def path(self) -> str:
        """The path of the client's endpoint."""
        return f"/{self.number}"

    def subscribe(self, consumer: Consumer) -> None:
        """Create a webhook, and wait until its endpoint is verified."""
        asked = {"url": consumer.url + self.path, "secret": consumer.secret, "events": KINDS}
        made = self.ask("POST", "/webhooks", asked)
        until(lambda: self.get(f"/webhooks/{made['id']}")["verified_at"] is not None, LONG)

    def invited_to(self, kind: str, consumer: Consumer) -> str:
        """Wait for an invitation of this kind, over the webhook if there is one. Return the id of its game."""
        found: list[str] = []

        def look() -> bool:
            if self.has_webhook:
                delivered = consumer.events(self.path)
                found[:] = [event["data"]["game"] for event in delivered if event["type"] == WEBHOOKS[kind]]
            else:
                listed = self.get(f"/me/invitations{'?wait=1' if self.waits else ''}")["invitations"]
                found[:] = [invitation["game"] for invitation in listed if invitation["kind"] == kind]
            return bool(found)

        until(look, LONG)
        return found[0]

    def move(self, game: Json, consumer: Consumer) -> None:
        """Make a random move, and repeat it until there is a response; with a webhook, choose a delivered move."""
        version, moves = self.delivered_turn(game, consumer) if self.has_webhook else (game["version"], game["moves"])
        headers = {
            "Authorization": f"Bearer {self.token}",
            "If-Match": f'"{version}"',
            "Idempotency-Key": f"{self.chance.getrandbits(128):032x}",
        }
        self._until_answered("POST", f"/games/{game['id']}/moves", self.chance.choice(moves), headers)
        self.answered += 1

    def delivered_turn(self, game: Json, consumer: Consumer) -> tuple[int, list[Json]]:
        """Wait for the delivery of the current turn. Return its version and moves."""
        found: list[Json] = []

        def look() -> bool:
            delivered = [event["data"] for event in consumer.events(self.path) if event["type"] == "turn.started"]
            found[:] = [turn for turn in delivered if turn["game"] == game["id"]][self.turns_answered :]
            return bool(found)

        until(look, LONG)
        (turn,) = found
        self.turns_answered += 1
        assert turn["version"] <= game["version"]
        assert [one["move"] for one in turn["moves"]] == game["moves"]
        return turn["version"], game["moves"]

    def turn(self, game_id: str) -> Json:
        """Return the game. If it is another player's turn, a client that waits for news first waits for some."""
        game = self.get(f"/games/{game_id}")
        if self.waits and not game["moves"] and game["status"] == "running":
            self.get(f"/games/{game_id}/events?after={game['version']}&wait=1")
            game = self.get(f"/games/{game_id}")
        return game


class Table:
    """Two or four clients who together do everything that people do around a game."""

    def __init__(self, url: str, number: int, chance: Random) -> None:
        """Register the clients. The first one will invite the others."""
        self.number, self.chance = number, chance
        self.edition, self.seats = (EDITIONS[number % len(EDITIONS)], 4) if number < FOURS else (DUEL, 2)
        self.clients = [Client(url, 4 * number + seat, seat, Random(chance.random())) for seat in range(self.seats)]
        self.said: list[tuple[int, str, tuple[int, ...]]] = []
        self.shown: list[tuple[int, int, str]] = []
        self.games: list[str] = []

    @property
    def answered(self) -> int:
        """How many responses the clients have received."""
        return sum(client.answered for client in self.clients)

    def meet(self, consumer: Consumer) -> None:
        """Subscribe, invite, talk, play to the end, and begin a rematch that ends by consent."""
        for client in self.clients:
            if client.has_webhook:
                client.subscribe(consumer)
        first = self.invite(consumer)
        self.talk(first)
        self.play(first, None, consumer)
        second = self.rematch(first, consumer)
        self.play(second, MOVES, consumer)
        self.agree_to_end(second)

    def invite(self, consumer: Consumer) -> str:
        """Open a private game and invite the others, who accept. Return its id."""
        owner, *guests = self.clients
        opened = {"edition": self.edition, "seats": self.seats, "private": True, "showing": "allowed"}
        game: str = owner.ask("POST", "/games", {**opened, "title": f"Table {self.number}"})["id"]
        self.games.append(game)
        for guest in guests:
            owner.ask("POST", f"/games/{game}/invitations", {"player": guest.name})
        for guest in guests:
            assert guest.invited_to("invitation", consumer) == game
            guest.ask("POST", f"/games/{game}/invitation/accept")
        assert owner.get(f"/games/{game}")["status"] == "running"
        return game

    def talk(self, game: str) -> None:
        """Let everybody write to the table, and write a promise to the next seat."""
        for seat, client in enumerate(self.clients):
            for room, seats in (("table", ()), ("seats", tuple(sorted((seat, (seat + 1) % self.seats))))):
                text = f"{room} {client.chance.getrandbits(64):x}"
                body = {"room": room, "text": text, **({"seats": list(seats)} if seats else {})}
                client.ask("POST", f"/games/{game}/talk", body)
                self.said.append((seat, text, seats))

    def show(self, game: str) -> None:
        """Let everybody show the first card of their hand to the next seat."""
        for client in self.clients:
            view = client.get(f"/games/{game}")
            cards, seat = view["position"]["seats"][view["you"]]["hand"]["cards"], view["you"]
            if cards and not view["position"]["seats"][seat]["resigned"]:
                to = (seat + 1) % self.seats
                client.ask("POST", f"/games/{game}/shown", {"to": [to], "cards": cards[:1]})
                self.shown.append((seat, to, cards[0]))

    def play(self, game: str, moves: int | None, consumer: Consumer) -> None:
        """Make random moves, to the end or for a number of moves."""
        made = 0
        for client in self.clients:
            client.turns_answered = 0
        while moves is None or made < moves:
            for client in self.clients:
                view = client.turn(game)
                if view["status"] == "finished":
                    return
                if view["moves"]:
                    client.move(view, consumer)
                    made += 1
            if made and not self.shown:
                self.show(game)

    def rematch(self, game: str, consumer: Consumer) -> str:
        """Ask for a rematch, to which the others agree. Return its id."""
        owner, *guests = self.clients
        again: str = owner.ask("POST", f"/games/{game}/rematch", {})["id"]
        self.games.append(again)
        for guest in guests:
            assert guest.invited_to("rematch", consumer) == again
            assert guest.ask("POST", f"/games/{game}/rematch", {})["id"] == again
        assert owner.get(f"/games/{again}")["status"] == "running"
        assert owner.get(f"/games/{game}/table")["rematch"] == again
        assert owner.get(f"/games/{again}/table")["rematch_of"] == game
        return again

    def agree_to_end(self, game: str) -> None:
        """End a game by consent in its current standing, unless it is over."""
        for client in self.clients:
            if client.get(f"/games/{game}")["status"] == "running":
                client.ask("POST", f"/games/{game}/end", {"outcome": "leaders"})

    def hold(self, consumer: Consumer) -> None:
        """Fail unless everything was done once, and all players know exactly what they should."""
        owner = self.clients[0]
        assert [owner.get(f"/games/{game}")["status"] for game in self.games] == ["finished", "finished"]
        first = owner.get(f"/games/{self.games[0]}/events?after=0")["commits"]
        kinds = Counter(event["type"] for commit in first for event in commit["events"])
        assert (kinds["seat-taken"], kinds["cards-shown"]) == (self.seats, len(self.shown))
        for seat, client in enumerate(self.clients):
            readable = [(by, text) for by, text, seats in self.said if not seats or seat in seats]
            messages = client.get(f"/games/{self.games[0]}/talk")["messages"]
            assert [(one["seat"], one["text"]) for one in messages] == readable
            shown = [(one["seat"], one["cards"]) for one in client.get(f"/games/{self.games[0]}")["shown"]]
            assert shown == [(by, [card]) for by, to, card in self.shown if to == seat]
            if client.has_webhook:
                of_others = {text for by, text in readable if by != seat}
                until(lambda: delivered_to(client, consumer) >= of_others, LONG)  # noqa: B023
                assert delivered_to(client, consumer) <= {text for _, text in readable}
                assert {event["type"] for event in consumer.events(client.path)} >= HEARD


def delivered_to(client: Client, consumer: Consumer) -> set[str]:
    """Return the texts of the messages that were delivered to a client."""
    events = [event for event in consumer.events(client.path) if event["type"] == "message.received"]
    return {event["data"]["message"]["text"] for event in events}


def kill(service: Service, name: str) -> None:
    """Kill a process of the service and those that it has started. If it is the supervisor, start it again."""
    if name == SUPERVISOR:
        service.kill_everything()
        service.start()
        return
    pid = service.pid_of(name)
    for each in (pid, *descendants(pid)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    until(lambda: not alive(pid), LONG)


def kill_until_over(service: Service, tables: list[Table], lives: list[Future[None]], chance: Random) -> Counter[str]:
    """Kill every process once, then random ones, each after some responses. Return how often each was killed."""
    killed: Counter[str] = Counter()
    while not all(life.done() for life in lives):
        left = [name for name in KILLED if not killed[name]] or KILLED
        enough = sum(table.answered for table in tables) + chance.randrange(1, BETWEEN)
        until(
            lambda: sum(table.answered for table in tables) >= enough or all(life.done() for life in lives),  # noqa: B023
            LONG,
        )
        name = chance.choice(left)
        kill(service, name)
        killed[name] += 1
        service.wait_until_up()
    return killed


@pytest.mark.timeout(900)
def test_forty_clients_lose_nothing_however_often_anything_is_killed(folder: Path, chance: Random) -> None:
    secret = new_secret()
    with (
        Consumer(secret) as consumer,
        running(folder, SERVE_AGAIN_SOON, **LOOPBACK, CONDOTTIERE_LIMITS="off") as service,
        ThreadPoolExecutor(FOURS + DUELS) as threads,
    ):
        tables = [Table(service.url, number, Random(chance.random())) for number in range(FOURS + DUELS)]
        assert sum(len(table.clients) for table in tables) == 40
        lives = [threads.submit(table.meet, consumer) for table in tables]
        killed = kill_until_over(service, tables, lives, chance)
        for life in lives:
            life.result()
        assert set(killed) == set(KILLED)
        for table in tables:
            table.hold(consumer)
        with open_rebuild(Config(redis_url=service.log_url, queue_url=""), (), mends=False) as rebuilding:
            assert list(rebuild(rebuilding)) == []
