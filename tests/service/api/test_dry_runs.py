"""Dry runs: the response shows the move's effects, as far as the sender can know them, and nothing changes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from redis.connection import AbstractConnection

from engine import EDITIONS, NEWEST
from service.games.repository import Games
from service.play.moves import play_bot_turn

from ..servers import Valkey
from ..times import DAY, Time, clock
from .conftest import SEED, Json, Person

KEY = "0123456789abcdef"


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def dry_run(person: Person, game: Json, move: Json, status: int = 200, query: str = "true", **headers: str) -> Json:
    """Send a dry run of a move at the version of this view."""
    sent = {"If-Match": f'"{game["version"]}"', **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = person.ask("POST", f"/games/{game['id']}/moves?dry_run={query}", json=move, headers=sent)
    assert answer.status_code == status, answer.text
    body: Json = answer.get_json(force=True)
    return body


def stored(log_server: Valkey) -> dict[bytes, Any]:
    """Return everything that is stored."""
    with log_server.client() as client:
        return {key: client.dump(key) for key in client.keys("*")}


def next_turn(anna: Person, games: Games, game: Json) -> Json:
    """Let the bots move until it is Anna's turn or the game is over."""
    while not (game := anna.get(f"/games/{game['id']}"))["moves"] and game["status"] == "running":
        assert play_bot_turn(games, game["id"])
    return game


@pytest.mark.parametrize(
    ("key", "options"), [*((key, {}) for key in EDITIONS), ("ffg-2007", {"hidden_cards": True, "points": 5})]
)
def test_what_a_dry_run_says_happens(anna: Person, games: Games, key: str, options: Json) -> None:
    """The predicted events come first. If the prediction is complete, the game is as predicted."""
    seats = NEWEST[key].fewest_seats
    bots = [{"seat": seat, "bot": "random"} for seat in range(1, seats)]
    game = anna.open_game(edition=key, seats=seats, options={"battle_limit": 16, **options}, bots=bots, seed=SEED)
    random, stops = Random(key), set()
    while (game := next_turn(anna, games, game))["status"] == "running":
        move = random.choice(game["moves"])
        before = anna.get(f"/games/{game['id']}")
        said = dry_run(anna, game, move)
        assert said["made"] is False
        assert said["game"]["version"] == game["version"] + 1
        assert said["game"]["fairness"]["seed"] is None
        assert anna.get(f"/games/{game['id']}") == before
        after = anna.move(game, move)
        (commit,) = anna.get(f"/games/{game['id']}/events?after={game['version']}")["commits"]
        if after["status"] == "running":
            assert said["events"] == commit["events"][: len(said["events"])]
        if said["stops"] is None:
            assert len(said["events"]) == len(commit["events"])
            assert said["game"]["result"] == after["result"]
            assert said["game"]["status"] == after["status"]
            assert all("cards" not in seat["hand"] for seat in said["game"]["position"]["seats"][1:])
            assert after["status"] != "running" or without_time(said["game"]) == without_time(after)
        else:
            assert said["game"]["moves"] == []
            assert (said["game"]["position"]["phase"], said["game"]["position"]["turn"]) == (None, None)
            assert said["game"]["position"]["battle"] >= 1
        stops.add(said["stops"])
    assert None in stops
    assert "draw" in stops or key == "eurogames-1995"
    assert ("hidden-cards" in stops) is ("hidden_cards" in options)


def without_time(game: Json) -> Json:
    """Return a view without the members that a dry run leaves out or shows with their current values."""
    return {**game, "changed_at": 0, "clock": None, "fairness": {**game["fairness"], "seed": None}, "head": None}


def test_a_dry_run_writes_nothing(
    anna: Person, against_bots: Json, log_server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server runs a script, no hint is sent, and the log server's data do not change."""
    before = stored(log_server)
    sent: list[str] = []
    send = AbstractConnection.send_packed_command

    def noted(self: AbstractConnection, command: Any, check_health: bool = True) -> None:
        sent.append(repr(command))
        send(self, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", noted)
    for move in against_bots["moves"]:
        sent.clear()
        dry_run(anna, against_bots, move, Idempotency_Key=KEY)
        assert len(sent) == 1, sent
    monkeypatch.undo()
    assert stored(log_server) == before


def test_a_dry_run_uses_up_no_key(anna: Person, against_bots: Json) -> None:
    """A move can use the key of a dry run. A dry run ignores the key of a move, even with a different body."""
    first, other = against_bots["moves"][:2]
    said = dry_run(anna, against_bots, first, Idempotency_Key=KEY)
    made = anna.move(against_bots, other, Idempotency_Key=KEY)
    assert made["version"] == said["game"]["version"] == against_bots["version"] + 1
    assert dry_run(anna, against_bots, first, 412, Idempotency_Key=KEY)["code"] == "stale-version"
    assert dry_run(anna, against_bots, first, 400, Idempotency_Key="not a key")["code"] == "malformed-header"


@pytest.mark.parametrize("query", ["false", ""])
def test_without_a_dry_run_the_move_is_made(anna: Person, against_bots: Json, query: str) -> None:
    move = against_bots["moves"][0]
    made = dry_run(anna, against_bots, move, 201, query=query) if query else anna.move(against_bots, move)
    assert made == anna.get(f"/games/{made['id']}")
    assert made["version"] == against_bots["version"] + 1


@pytest.mark.parametrize("query", ["True", "1", "yes", "", "maybe", "true&dry_run=true", "false&dry_run=true"])
def test_any_other_value_is_refused(anna: Person, against_bots: Json, query: str) -> None:
    """Repeated values are refused too, so that no client makes a move by mistake instead of trying it."""
    answer = dry_run(anna, against_bots, against_bots["moves"][0], 422, query=query)
    assert (answer["code"], list(answer["errors"])) == ("invalid-request", ["dry_run"])
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


def test_a_misspelt_parameter_is_refused(anna: Person, against_bots: Json) -> None:
    """Otherwise a client could make a move by mistake instead of trying it."""
    headers = {"If-Match": f'"{against_bots["version"]}"'}
    path = f"/games/{against_bots['id']}/moves?dryrun=true"
    answer = anna.ask("POST", path, json=against_bots["moves"][0], headers=headers)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "unknown-field")
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


def test_a_dry_run_is_refused_like_the_move(anna: Person, bruno: Person, spectator: Person, against_bots: Json) -> None:
    """The problem is the same, byte for byte, whatever is wrong with the move."""
    version, move = against_bots["version"], against_bots["moves"][0]
    path = f"/games/{against_bots['id']}/moves"
    held = against_bots["position"]["seats"][0]["hand"]["cards"]
    asked: list[tuple[Person, str, Json, Json]] = [
        (spectator, path, move, {"If-Match": f'"{version}"'}),
        (bruno, path, move, {"If-Match": f'"{version}"'}),
        (anna, path, move, {}),
        (anna, path, move, {"If-Match": "7"}),
        (anna, path, move, {"If-Match": f'"{version + 1}"'}),
        (anna, path, {"type": "nonsense"}, {"If-Match": f'"{version}"'}),
        (anna, path, {"type": "play-card", "card": "joker"}, {"If-Match": f'"{version}"'}),
        (anna, path, {"type": "draw-cards", "number": 1}, {"If-Match": f'"{version}"'}),
        (anna, path, {**move, "seat": 1}, {"If-Match": f'"{version}"'}),
        (anna, "/games/17h8q2v5c0mzk4r9td/moves", move, {"If-Match": f'"{version}"'}),
        *(
            (anna, path, {"type": "play-card", "card": card, "turn_up": held[0]}, {"If-Match": f'"{version}"'})
            for card in ("surrender", "bishop", held[0])
        ),
    ]
    codes = set()
    for person, where, body, headers in asked:
        tried = person.ask("POST", f"{where}?dry_run=true", json=body, headers=headers)
        real = person.ask("POST", where, json=body, headers=headers)
        assert tried.status_code >= 400
        assert (tried.status_code, tried.data) == (real.status_code, real.data)
        codes.add(tried.get_json(force=True)["code"])
    assert codes >= {
        "token-required",
        "not-seated",
        "version-required",
        "malformed-header",
        "stale-version",
        "invalid-request",
        "wrong-phase",
        "not-your-seat",
        "unknown-game",
    }


def test_games_that_do_not_run_refuse_a_dry_run(anna: Person, bruno: Person) -> None:
    """They refuse it before the start, during a pause, and after the end."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock())
    assert dry_run(anna, game, {"type": "pass"}, 409)["code"] == "game-not-started"
    bruno.post(f"/games/{game['id']}/join")
    for person in (anna, bruno):
        person.post(f"/games/{game['id']}/pause")
    paused = anna.get(f"/games/{game['id']}")
    assert dry_run(anna, paused, {"type": "pass"}, 409)["code"] == "game-paused"
    anna.post(f"/games/{game['id']}/resume")
    over = anna.post(f"/games/{game['id']}/resign")
    assert dry_run(anna, over, {"type": "pass"}, 409)["code"] == "game-over"


def test_a_dry_run_after_the_deadline_is_decided_as_if_it_had_not_passed(
    anna: Person, bruno: Person, time: Time, log_server: Valkey
) -> None:
    """A real move would first record the timeout."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="resign"))
    bruno.post(f"/games/{game['id']}/join")
    mover = next(person for person in (anna, bruno) if person.get(f"/games/{game['id']}")["moves"])
    view = mover.get(f"/games/{game['id']}")
    in_time = dry_run(mover, view, view["moves"][0])
    time.passes(2 * DAY)
    before = stored(log_server)
    assert dry_run(mover, view, view["moves"][0]) == in_time
    assert stored(log_server) == before
    assert in_time["game"]["clock"] == view["clock"]
    assert mover.move(view, view["moves"][0], 412)["code"] == "stale-version"


def test_a_dry_run_while_the_service_is_read_only(host: Person, anna: Person, against_bots: Json) -> None:
    """A dry run writes nothing, so the service accepts it."""
    host.ask("PUT", "/admin/read-only", json={"on": True, "reason": "Upgrade"})
    assert anna.move(against_bots, against_bots["moves"][0], 503)["code"] == "read-only"
    assert dry_run(anna, against_bots, against_bots["moves"][0])["made"] is False
