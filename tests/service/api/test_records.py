"""Records: whose numbers change, and how, for everything that can happen to a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service import create_app
from service.config import Config
from service.games.repository import Games, load
from service.play.moves import Move, move, play_bot_turn
from service.timekeeping.deadlines import keep_time

from ..servers import Valkey, Wire, counted
from ..times import DAY, HOUR, SECOND, Time, clock
from .conftest import SEED, Json, Person

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
NONE: Json = {"moves": 0, "timeouts": 0, "move_times": None}


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def record(person: Person) -> Json:
    """Return a person's record."""
    found: Json = person.get(f"/players/{person.id}")["record"]
    return found


def opened(anna: Person, games: Games, **asked: object) -> Json:
    """Return a game of Anna against two bots, at the first moment at which it is her turn."""
    game = anna.open_game(bots=BOTS, seed=SEED, **asked)
    while not game["moves"]:
        assert play_bot_turn(games, game["id"])
        game = anna.get(f"/games/{game['id']}")
    return game


def about(ms: int) -> list[object]:
    """Return quartiles with equal values."""
    return [pytest.approx(ms, rel=0.03)] * 3


def test_a_record_is_public_and_costs_one_round_trip_more(anna: Person, spectator: Person, games: Games) -> None:
    game = opened(anna, games)
    anna.move(game, game["moves"][0])
    spectator.get(f"/players/{anna.id}")
    with counted() as sent:
        shown = spectator.get(f"/players/{anna.id}")
    assert len(sent) == 2
    assert shown == {"id": anna.id, "name": "Anna", "record": record(anna)}


def test_without_a_clock_a_move_takes_from_the_last_commit_on(anna: Person, games: Games, time: Time) -> None:
    game = anna.open_game(bots=BOTS, seed=SEED)
    for minutes in (1, 2, 3):
        while not game["moves"]:
            time.passes(HOUR)
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
        time.passes(minutes * 60 * SECOND)
        game = anna.move(game, game["moves"][0])
    shown = record(anna)
    assert (shown["moves"], shown["timeouts"], shown["move_times"]["mean"]) == (3, 0, 120 * SECOND)
    middles = [pytest.approx(minutes * 60 * SECOND, rel=0.03) for minutes in (1, 2, 3)]
    assert shown["move_times"]["quartiles"] == middles


def test_with_a_clock_a_move_takes_what_counted(anna: Person, games: Games, time: Time) -> None:
    """The time of a pause does not count, and a commit in between changes nothing."""
    game = opened(anna, games, clock=clock())
    time.passes(HOUR)
    anna.post(f"/games/{game['id']}/pause")
    time.passes(5 * HOUR)
    anna.post(f"/games/{game['id']}/resume")
    time.passes(HOUR)
    game = anna.get(f"/games/{game['id']}")
    anna.move(game, game["moves"][0])
    assert record(anna) == {
        "moves": 1,
        "timeouts": 0,
        "move_times": {"mean": 2 * HOUR, "quartiles": about(2 * HOUR)},
    }


def test_a_record_is_summed_over_games(anna: Person, games: Games, time: Time) -> None:
    for number in range(4):
        game = opened(anna, games, clock=clock() if number % 2 else None)
        time.passes(10 * SECOND)
        anna.move(game, game["moves"][0])
    assert record(anna)["moves"] == 4
    assert record(anna)["move_times"] == {"mean": 10 * SECOND, "quartiles": about(10 * SECOND)}


def test_a_move_that_is_repeated_counts_once_and_one_that_is_refused_not_at_all(
    anna: Person, games: Games, time: Time
) -> None:
    game = opened(anna, games)
    time.passes(SECOND)
    anna.move(game, {"type": "keep-hand"}, 409)
    assert record(anna) == NONE
    for _ in range(3):
        anna.move(game, game["moves"][0], Idempotency_Key="once")
        time.passes(HOUR)
    assert record(anna) == {"moves": 1, "timeouts": 0, "move_times": {"mean": SECOND, "quartiles": about(SECOND)}}


def test_a_move_whose_append_is_asked_twice_counts_once(log_server: Valkey) -> None:
    """The first response is lost. The time is taken only once, between loading the log and appending to it."""
    wire = Wire(log_server)
    app = create_app(Config(redis_url=wire.url, queue_url=log_server.url))
    games: Games = app.extensions["condottiere"]
    anna = Person(app.test_client(), "Anna")
    game = opened(anna, games)
    lost = []

    def losing() -> int:
        lost.append(wire.lose())
        return game["changed_at"] + 7 * SECOND  # type: ignore[no-any-return]

    answer = move(
        replace(games, now=losing), game["id"], anna.id, Move(game["moves"][0], frozenset((game["version"],)), "once")
    )
    assert (len(lost), answer.repeated, answer.game.version) == (1, False, game["version"] + 1)
    assert load(games, game["id"]).version == game["version"] + 1
    shown = record(anna)
    assert (shown["moves"], shown["move_times"]["mean"]) == (1, 7 * SECOND)
    games.store.close()
    games.hints.close()
    wire.close()


@pytest.mark.parametrize("at_timeout", ["pass", "bot", "open-seat", "resign"])
def test_a_timeout_counts_for_its_player_and_the_move_for_nobody(
    anna: Person, games: Games, time: Time, at_timeout: str
) -> None:
    """It does not matter what happens to the seat. Moves that a bot then makes there are in nobody's record."""
    game = opened(anna, games, clock=clock(at_timeout=at_timeout))
    time.passes(DAY)
    assert keep_time(games, game["id"])
    assert record(anna) == {**NONE, "timeouts": 1}
    while play_bot_turn(games, game["id"]):
        time.passes(SECOND)
    if at_timeout in ("bot", "open-seat"):
        assert load(games, game["id"]).status == "finished", "bots played it to its end"
    assert record(anna) == {**NONE, "timeouts": 1}


def test_timeouts_are_counted_each(anna: Person, games: Games, time: Time) -> None:
    game = opened(anna, games, clock=clock())
    for timeouts in (1, 2, 3):
        time.passes(DAY)
        assert keep_time(games, game["id"])
        assert record(anna) == {**NONE, "timeouts": timeouts}
        while play_bot_turn(games, game["id"]):
            pass
    assert load(games, game["id"]).status == "running"


def test_a_substitute_is_counted_for_what_it_does_and_the_player_before_for_nothing_more(
    anna: Person, bruno: Person, games: Games, time: Time
) -> None:
    game = opened(anna, games, clock=clock(at_timeout="open-seat"))
    time.passes(DAY)
    assert keep_time(games, game["id"])
    view = bruno.post(f"/games/{game['id']}/join")
    time.passes(HOUR)
    bruno.move(view, view["moves"][0])
    assert record(anna) == {**NONE, "timeouts": 1}
    assert record(bruno) == {"moves": 1, "timeouts": 0, "move_times": {"mean": HOUR, "quartiles": about(HOUR)}}


def test_who_resigns_has_not_moved(anna: Person, games: Games) -> None:
    anna.post(f"/games/{opened(anna, games)['id']}/resign")
    assert record(anna) == NONE
