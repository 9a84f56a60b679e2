"""The deliveries about a game with a clock: turns, reminders, timeouts, and seats that change hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask

from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.store.deliveries import First, Outcome
from service.timekeeping.deadlines import keep_time
from service.webhooks import planning
from service.webhooks.delivering import Message, conclude, prepare
from service.webhooks.replays import Replays
from service.webhooks.sending import PostResult

from ..api.answers import hold_told_against_the_description
from ..api.conftest import SEED, Json, Person
from ..times import DAY, HOUR, Time, clock, real

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time(real())


class Listener:
    """A player's verified webhook, and the deliveries that are planned for it."""

    def __init__(self, games: Games, person: Person, **asked: Any) -> None:
        """Subscribe to events."""
        self.games = games
        self.player = person.id
        self.id = person.post("/webhooks", {"url": "https://example.org/", **asked}, 201)["id"]
        games.store.webhooks.change(self.id, {"verified": games.now()})

    def deliveries(self) -> list[Json]:
        """Plan all deliveries, and return those for this webhook, oldest first."""
        while planning.plan(self.games, range(64)).more:
            pass
        found = self.games.store.deliveries.numbered(self.id, 1, 100)
        return [one for one in found if one["type"] != "ping"]

    def told(self, since: int = 0) -> list[tuple[str, int]]:
        """Return the kinds and versions of this webhook's deliveries after a version."""
        return [(one["type"], one["version"]) for one in self.deliveries() if one["version"] > since]

    def letter(self, kind: str) -> Message | Outcome:
        """Return the last delivery of a kind, as it would be sent now, or its outcome."""
        last = [one for one in self.deliveries() if one["type"] == kind][-1]
        return prepare(self.games, Replays(), First(self.games.store.webhooks.get(self.id), last))

    def data(self, kind: str) -> Json:
        """Return the data in the last delivery of a kind."""
        letter = self.letter(kind)
        assert isinstance(letter, Message), letter
        body: Json = orjson.loads(letter.body)
        hold_told_against_the_description(body)
        data: Json = body["data"]
        return data

    def status(self, kind: str) -> str:
        """Return the status of the last delivery of a kind at the time when it is to be tried."""
        letter = self.letter(kind)
        return "waiting" if isinstance(letter, Message) else str(letter.delivery["status"])


def duel(anna: Person, bruno: Person, **asked: Any) -> tuple[Json, Person, Person]:
    """Open a two-player game with a clock; return the game, the player whose turn it is, and the other player."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(**asked))
    bruno.post(f"/games/{game['id']}/join")
    asked_of = sorted((anna, bruno), key=lambda player: player.get(f"/games/{game['id']}")["moves"] == [])
    return asked_of[0].get(f"/games/{game['id']}"), asked_of[0], asked_of[1]


def with_bruno_to_move(anna: Person, bruno: Person, **asked: Any) -> Json:
    """Open a game of Anna's with a clock, and return it as Bruno sees it on his turn."""
    game, asked_of, _ = duel(anna, bruno, **asked)
    while asked_of is not bruno:
        anna.move(game, game["moves"][0])
        game = anna.get(f"/games/{game['id']}")
        asked_of = anna if game["moves"] else bruno
    return bruno.get(f"/games/{game['id']}")


def against_bots(anna: Person, games: Games, **asked: Any) -> Json:
    """Return a game of Anna against two bots, with a clock, at the first moment at which it is her turn."""
    game = anna.open_game(bots=BOTS, seed=SEED, clock=clock(**asked))
    return play_bots(anna, games, game)


def play_bots(anna: Person, games: Games, game: Json) -> Json:
    """Let bots move as long as it is a bot's turn."""
    while play_bot_turn(games, game["id"]):
        pass
    return anna.get(f"/games/{game['id']}")


def test_a_turn_is_told_with_its_deadline(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    listeners = {person: Listener(games, person) for person in (anna, bruno)}
    game, asked, other = duel(anna, bruno)
    assert listeners[asked].told(1) == [("game.started", 2), ("turn.started", 2)]
    assert listeners[other].told(1) == [("game.started", 2)]
    data = listeners[asked].data("turn.started")
    assert (data["deadline"], data["version"]) == (time.now + DAY, 2)
    assert data["view"] == game
    assert [numbered["move"] for numbered in data["moves"]] == game["moves"]


def test_shown_cards_are_told_to_those_who_see_them(app: Flask, anna: Person, bruno: Person, games: Games) -> None:
    """The delivery contains the cards. Nobody else gets it, and a turn that was delivered before stays open."""
    game = anna.open_game(showing="allowed", clock=clock())
    path = f"/games/{game['id']}"
    people = [anna, bruno, Person(app.test_client(), "Carla")]
    for person in people[1:]:
        person.post(f"{path}/join")
    listeners = [Listener(games, person) for person in people]
    before = anna.get(path)
    turn = before["position"]["turn"]
    cards = before["position"]["seats"][0]["hand"]["cards"][:2]
    shown = anna.post(f"{path}/shown", {"to": [1], "cards": cards}, 201)
    told = [listener.told(before["version"]) for listener in listeners]
    assert told == [[], [("cards.shown", shown["version"])], []]
    data = listeners[1].data("cards.shown")
    assert data["commit"]["events"][0]["cards"] == {"count": 2, "cards": cards}
    assert data["view"] == bruno.get(path)
    assert listeners[turn].status("turn.started") == "waiting"


def test_a_deadline_is_told_as_it_was_then(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    """Every try of the delivery therefore has the same contents."""
    listener = Listener(games, bruno)
    game = with_bruno_to_move(anna, bruno)
    bruno.post(f"/games/{game['id']}/extension", {"seconds": 3_600})
    anna.post(f"/games/{game['id']}/extension/grant", {"seconds": 3_600})
    assert bruno.get(f"/games/{game['id']}")["clock"]["turn"]["deadline"] == time.now + DAY + HOUR
    assert listener.data("turn.started")["deadline"] == time.now + DAY
    assert listener.told(game["version"]) == [("table.changed", game["version"] + n) for n in (1, 2)]


def test_a_reminder_is_told_to_whom_it_reminds_with_what_is_left(
    anna: Person, bruno: Person, games: Games, time: Time
) -> None:
    listeners = {person: Listener(games, person) for person in (anna, bruno)}
    game = with_bruno_to_move(anna, bruno)
    began, deadline = game["version"], time.now + DAY
    for number, (left, part) in enumerate(((25, 0.75), (5, 0.2)), 1):
        time.passes(round(part * DAY))
        assert keep_time(games, game["id"])
        assert listeners[bruno].told(began)[-1] == ("turn.reminder", began + number)
        data = listeners[bruno].data("turn.reminder")
        assert (data["left"], data["deadline"], data["seat"]) == (left, deadline, game["you"])
        assert [event["type"] for event in data["commit"]["events"]] == ["seat-reminded"]
        assert data["view"]["moves"] == game["moves"]
    assert listeners[anna].told(began) == []


def test_a_timeout_is_told_to_whose_time_was_over_before_what_followed(
    anna: Person, bruno: Person, games: Games, time: Time
) -> None:
    listeners = {person: Listener(games, person) for person in (anna, bruno)}
    game = with_bruno_to_move(anna, bruno)
    began = game["version"]
    time.passes(DAY)
    assert keep_time(games, game["id"])
    assert listeners[bruno].told(began)[:2] == [("turn.expired", began + 1), ("game.moved", began + 1)]
    assert "turn.expired" not in dict(listeners[anna].told(began))
    data = listeners[bruno].data("turn.expired")
    assert (data["misses"], data["seat"]) == (1, game["you"])
    assert data["commit"]["by"] == "clock"
    waits = anna if anna.get(f"/games/{game['id']}")["moves"] else bruno
    assert listeners[waits].told(began)[-1] == ("turn.started", began + 1)
    assert listeners[waits].data("turn.started")["deadline"] == time.now + DAY


def test_while_a_bot_stands_in_no_turn_is_told(anna: Person, games: Games, time: Time) -> None:
    """Once the player takes back the seat, the waiting turn is delivered."""
    listener = Listener(games, anna)
    game = against_bots(anna, games, at_timeout="bot")
    began = game["version"]
    time.passes(DAY)
    assert keep_time(games, game["id"])
    assert listener.told(began) == [("turn.expired", began + 1), ("game.moved", began + 1)]
    for _ in range(60):
        assert play_bot_turn(games, game["id"])
        found = load(games, game["id"])
        assert found.state is not None
        if found.state.turn == 0 and found.version > began + 5:
            break
    stood_in = found.version
    assert {kind for kind, _ in listener.told(began + 1)} == {"game.moved"}
    anna.post(f"/games/{game['id']}/return")
    assert listener.told(stood_in) == [("table.changed", stood_in + 1), ("turn.started", stood_in + 1)]
    assert listener.data("turn.started")["deadline"] == time.now + DAY


@pytest.mark.parametrize("late", [False, True], ids=["at-once", "when-it-has-gone-on"])
def test_whose_seat_is_opened_is_told_so_and_nothing_later_and_a_substitute_from_then_on(
    anna: Person, bruno: Person, person: Callable[..., Person], games: Games, time: Time, late: bool
) -> None:
    carla = person("Carla")
    listeners = {player: Listener(games, player) for player in (anna, bruno, carla)}
    game = with_bruno_to_move(anna, bruno, at_timeout="open-seat")
    path, began = f"/games/{game['id']}", game["version"]
    assert listeners[bruno].told(began) == []
    time.passes(DAY)
    assert keep_time(games, game["id"])
    if not late:
        assert listeners[bruno].told(began) == [("turn.expired", began + 1), ("game.moved", began + 1)]
    carla.post(f"{path}/join")
    while not (view := carla.get(path))["moves"]:
        seen = anna.get(path)
        anna.move(seen, seen["moves"][0])
    opened, sat = began + 1, began + 2
    assert listeners[bruno].told(began) == [("turn.expired", opened), ("game.moved", opened)]
    assert listeners[carla].told()[0] == ("table.changed", sat)
    assert listeners[carla].told()[-1] == ("turn.started", view["version"])
    assert ("game.moved", opened) in listeners[anna].told()
    data = listeners[bruno].data("turn.expired")
    assert (data["seat"], data["view"]["you"], data["view"]["moves"]) == (game["you"], None, [])
    assert all("cards" not in seat["hand"] for seat in data["view"]["position"]["seats"])
    assert (listeners[carla].data("table.changed")["seat"], view["you"]) == (game["you"], game["you"])


def test_an_owner_whose_seat_is_opened_watches(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    listener = Listener(games, anna)
    game, asked, other = duel(anna, bruno, at_timeout="open-seat")
    while asked is not anna:
        # He lays a card. When Anna's seat has passed, it is his turn, whatever is on the table.
        game = bruno.move(game, game["moves"][-1])
        game = anna.get(f"/games/{game['id']}")
        asked = anna if game["moves"] else bruno
        game = game if asked is anna else bruno.get(f"/games/{game['id']}")
    assert other in (anna, bruno)
    time.passes(DAY)
    assert keep_time(games, game["id"])
    seen = bruno.get(f"/games/{game['id']}")
    bruno.move(seen, seen["moves"][0])
    began = game["version"]
    kinds = [("turn.expired", began + 1), ("game.moved", began + 1), ("game.moved", began + 2)]
    assert listener.told(began) == kinds
    assert listener.data("turn.expired")["seat"] == game["you"]
    assert listener.data("game.moved")["seat"] is None


def test_who_leaves_a_table_is_told_so_and_nothing_later(anna: Person, bruno: Person, games: Games) -> None:
    listener = Listener(games, bruno)
    game = anna.open_game(start="owner")
    for what in ("join", "leave"):
        bruno.post(f"/games/{game['id']}/{what}")
    anna.post(f"/games/{game['id']}/leave")
    assert listener.told() == [("table.changed", 2), ("table.changed", 3)]
    assert listener.data("table.changed")["seat"] == 1


# A turn that is over


def reminded(anna: Person, bruno: Person, games: Games, time: Time, **asked: Any) -> tuple[Json, Listener]:
    """Return a game on Bruno's turn, of which he has been reminded, and his webhook."""
    listener = Listener(games, bruno)
    game = with_bruno_to_move(anna, bruno, **asked)
    time.passes(DAY * 3 // 4)
    assert keep_time(games, game["id"])
    for kind in ("turn.started", "turn.reminder"):
        assert listener.status(kind) == "waiting"
    return bruno.get(f"/games/{game['id']}"), listener


def test_when_a_player_has_moved_nothing_of_the_turn_is_told_any_more(
    anna: Person, bruno: Person, games: Games, time: Time
) -> None:
    game, listener = reminded(anna, bruno, games, time)
    bruno.move(game, game["moves"][0])
    assert listener.status("turn.reminder") == "over"


@pytest.mark.parametrize("at_timeout", ["pass", "bot", "open-seat", "resign"])
def test_when_the_time_was_over_only_that_is_told(
    anna: Person, bruno: Person, games: Games, time: Time, at_timeout: str
) -> None:
    game, listener = reminded(anna, bruno, games, time, at_timeout=at_timeout)
    time.passes(DAY // 4)
    assert keep_time(games, game["id"])
    started = [
        one for one in listener.deliveries() if one["type"] == "turn.started" and one["version"] < game["version"]
    ]
    webhook = games.store.webhooks.get(listener.id)
    outcome = prepare(games, Replays(), First(webhook, started[-1]))
    assert isinstance(outcome, Outcome)
    assert outcome.delivery["status"] == "over"
    assert listener.status("turn.reminder") == "over"
    assert listener.status("turn.expired") == "waiting"


def test_what_is_said_of_the_clock_ends_no_turn(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game, listener = reminded(anna, bruno, games, time)
    for player in (anna, bruno):
        player.post(f"/games/{game['id']}/pause")
    anna.post(f"/games/{game['id']}/resume")
    assert listener.status("turn.started") == listener.status("turn.reminder") == "waiting"


def test_a_refusal_of_a_turn_that_is_over_is_not_told(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    """It is not sent even if it was already planned, or if the response arrives after a bot got the seat."""
    game, listener = reminded(anna, bruno, games, time, at_timeout="bot")
    letter = listener.letter("turn.started")
    assert isinstance(letter, Message)
    sent = PostResult(status=200, body=b'{"move": 99}', error=None, retry_after=None, latency=1)
    refused = conclude(games, letter, sent, lambda: 0.5)
    assert refused.follow_up is not None
    webhook = games.store.webhooks.get(listener.id)
    planned = {**refused.follow_up, "number": 99, "sequence": 99}
    assert isinstance(prepare(games, Replays(), First(webhook, planned)), Message)
    time.passes(DAY // 4)
    assert keep_time(games, game["id"])
    outcome = prepare(games, Replays(), First(webhook, planned))
    assert isinstance(outcome, Outcome)
    assert outcome.delivery["status"] == "over"
    answered = conclude(games, letter, sent._replace(body=b'{"move": 0}'), lambda: 0.5)
    assert answered.follow_up is None
    assert answered.delivery["tries"][-1]["problem"]["code"] == "seat-with-bot"


# Catching up


def test_an_endpoint_that_has_just_proved_itself_is_told_of_the_turn_though_the_clock_had_the_last_word(
    anna: Person, bruno: Person, games: Games
) -> None:
    game = with_bruno_to_move(anna, bruno)
    bruno.post(f"/games/{game['id']}/extension", {"seconds": 3_600})
    anna.post(f"/games/{game['id']}/extension/grant", {"seconds": 3_600})
    while planning.plan(games, range(64)).more:
        pass
    listener = Listener(games, bruno, events=["turn.started"])
    webhook = games.store.webhooks.get(listener.id)
    assert webhook is not None
    planning.catch_up(games, webhook)
    planning.catch_up(games, webhook)
    assert listener.told() == [("turn.started", game["version"])]
    assert listener.status("turn.started") == "waiting"
