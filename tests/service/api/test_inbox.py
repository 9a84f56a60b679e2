"""The inbox: what it contains, in which order, and when a long poll ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from flask import Flask

from service.config import Config
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.store import keys
from service.timekeeping.deadlines import keep_time
from service.views import inbox

from ..servers import Valkey, counted, until
from ..times import DAY, HOUR, SECOND, Time, clock
from .conftest import SEED, Json, Person, played_on

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
LONG = 50
"""Seconds; nothing here takes this long."""


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def duel(anna: Person, bruno: Person, **asked: object) -> Json:
    """Open a two-player game, and return it as Anna sees it."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, **asked)
    bruno.post(f"/games/{game['id']}/join")
    return anna.get(f"/games/{game['id']}")


def turns(person: Person) -> list[Json]:
    """Return the turns that wait for a person."""
    found: list[Json] = person.get("/me/turns")["turns"]
    return found


def asked_of(game: Json, *players: Person) -> tuple[Person, Person]:
    """Return the player whose turn it is, and the other one."""
    ordered = sorted(players, key=lambda player: player.get(f"/games/{game['id']}")["moves"] == [])
    return ordered[0], ordered[1]


def let_ask(wanted: Person, other: Person, game: Json) -> str:
    """Let the other player move until it is the wanted player's turn; return the game's id."""
    while asked_of(game, wanted, other)[0] is not wanted:
        move(other, game)
    return str(game["id"])


def move(person: Person, game: Json, number: int = 0) -> Json:
    """Let a person make one of the legal moves."""
    now = person.get(f"/games/{game['id']}")
    return person.move(now, now["moves"][number])


@contextmanager
def waited_for(app: Flask, person: Person, games: Games) -> Iterator[Future[Json]]:
    """Let a person wait for the inbox to change; the change must happen within the block."""
    cursor = person.get("/me/turns")["next"]
    other = Person(app.test_client())
    other.headers = person.headers
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(other.get, f"/me/turns?after={cursor}&wait={LONG}")
        until(lambda: bool(games.store.waits._waiters.get(person.id)))
        yield found
        assert found.result(LONG)["next"] != cursor


# What stands in it


def test_a_turn_says_what_waits_where_and_for_how_long(anna: Person, bruno: Person, time: Time) -> None:
    began = time.now
    game = duel(anna, bruno, clock=clock())
    asked, other = asked_of(game, anna, bruno)
    time.passes(HOUR)
    view = asked.get(f"/games/{game['id']}")
    assert turns(asked) == [
        {
            "game": game["id"],
            "url": f"/v1/games/{game['id']}",
            "edition": "zman-2018-duel",
            "seat": view["you"],
            "phase": view["position"]["phase"],
            "version": view["version"],
            "since": began,
            "deadline": view["clock"]["turn"]["deadline"],
            "reminder": None,
            "seated": view["seated"],
        }
    ]
    assert turns(other) == []


def test_the_version_is_the_one_to_move_at(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    """The version is correct even if the clock has changed since the turn began."""
    game = duel(anna, bruno, clock=clock())
    asked, other = asked_of(game, anna, bruno)
    time.passes(DAY * 3 // 4)
    assert keep_time(games, game["id"])
    other.post(f"/games/{game['id']}/pause")
    (turn,) = turns(asked)
    assert turn["reminder"] == 25
    assert turn["version"] == asked.get(f"/games/{game['id']}")["version"]


def test_the_most_urgent_is_first_over_all_shards(anna: Person, bruno: Person, time: Time) -> None:
    """The order is by deadline; turns without one follow, the longest wait first."""
    opened = []
    for number in range(8):
        chosen = None if number % 2 else clock(seconds=86_400 * (8 - number))
        opened.append(let_ask(anna, bruno, duel(anna, bruno, clock=chosen)))
        time.passes(SECOND)
    assert len({game_id[:2] for game_id in opened}) > 1
    assert [turn["game"] for turn in turns(anna)] == [*opened[6::-2], *opened[1::2]]
    assert turns(bruno) == []


def test_an_inbox_takes_two_round_trips_however_many_turns_wait(anna: Person, bruno: Person) -> None:
    for _ in range(5):
        duel(anna, bruno)
    turns(anna)
    with counted() as sent:
        turns(anna)
    assert len(sent) == 2, "the player, and all shards at once"


def test_it_needs_a_token_and_shows_nobody_elses_turns(
    anna: Person, bruno: Person, spectator: Person, person: Callable[..., Person]
) -> None:
    game = duel(anna, bruno)
    asked, other = asked_of(game, anna, bruno)
    assert (len(turns(asked)), turns(other), turns(person("Carla"))) == (1, [], [])
    assert spectator.get("/me/turns", 401)["code"] == "token-required"


def test_a_turn_tells_nothing_that_is_hidden(anna: Person, bruno: Person, spectator: Person) -> None:
    """Anybody who looks at the game without a token can see all of its members."""
    game = duel(anna, bruno, clock=clock())
    asked, _ = asked_of(game, anna, bruno)
    seen = spectator.get(f"/games/{game['id']}")
    (turn,) = turns(asked)
    assert turn == {
        "game": seen["id"],
        "url": f"/v1/games/{seen['id']}",
        "edition": seen["edition"],
        "seat": seen["position"]["turn"],
        "phase": seen["position"]["phase"],
        "version": seen["version"],
        "since": seen["clock"]["turn"]["since"],
        "deadline": seen["clock"]["turn"]["deadline"],
        "reminder": None,
        "seated": seen["seated"],
    }


def test_a_game_against_bots_waits_only_when_it_waits_for_me(anna: Person, games: Games) -> None:
    game = anna.open_game(bots=BOTS, seed=SEED)
    for _ in range(40):
        assert bool(turns(anna)) == bool(game["moves"])
        assert anna.move(game, game["moves"][0]) if game["moves"] else play_bot_turn(games, game["id"])
        game = anna.get(f"/games/{game['id']}")
        if game["status"] != "running":
            break


def test_a_game_that_has_ended_waits_for_nobody(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, clock=clock())
    asked, _ = asked_of(game, anna, bruno)
    asked.post(f"/games/{game['id']}/resign")
    assert anna.get(f"/games/{game['id']}")["status"] == "finished"
    assert turns(anna) == turns(bruno) == []


def test_after_a_resignation_out_of_turn_the_version_is_still_the_one_to_move_at(
    anna: Person, bruno: Person, person: Callable[..., Person]
) -> None:
    game = anna.open_game()
    carla = person("Carla")
    for joining in (bruno, carla):
        joining.post(f"/games/{game['id']}/join")
    everybody = (anna, bruno, carla)
    asked = next(player for player in everybody if turns(player))
    next(player for player in everybody if player is not asked).post(f"/games/{game['id']}/resign")
    (turn,) = turns(asked)
    assert turn["version"] == asked.get(f"/games/{game['id']}")["version"]


def test_a_game_that_pauses_waits_for_nobody(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno, clock=clock())
    asked, other = asked_of(game, anna, bruno)
    for player in (anna, bruno):
        player.post(f"/games/{game['id']}/pause")
    assert turns(anna) == turns(bruno) == []
    other.post(f"/games/{game['id']}/resume")
    assert [turn["game"] for turn in turns(asked)] == [game["id"]]


# Deadlines


def test_a_turn_whose_time_is_over_is_not_shown_as_waiting(anna: Person, bruno: Person, time: Time) -> None:
    """The service records the timeout first, even if the clock process was late.

    The game may then wait for another player.
    """
    game = duel(anna, bruno, clock=clock())
    asked, _ = asked_of(game, anna, bruno)
    (before,) = turns(asked)
    time.now = before["deadline"]
    assert before not in turns(asked)
    after = [turn for player in (anna, bruno) for turn in turns(player)]
    assert before not in after
    assert [turn["deadline"] > time.now for turn in after] == [True]
    events = anna.get(f"/games/{game['id']}/events")["commits"][-1]["events"]
    assert "seat-timed-out" in [event["type"] for event in events]


@pytest.mark.parametrize("at_timeout", ["bot", "open-seat", "resign"])
def test_a_seat_that_was_taken_from_its_player_waits_for_it_no_more(
    anna: Person, bruno: Person, time: Time, at_timeout: str
) -> None:
    game = duel(anna, bruno, clock=clock(at_timeout=at_timeout))
    asked, _ = asked_of(game, anna, bruno)
    time.passes(DAY)
    assert turns(asked) == []


def test_a_seat_that_is_taken_back_waits_again(anna: Person, bruno: Person, time: Time) -> None:
    game = duel(anna, bruno, clock=clock(at_timeout="bot"))
    asked, other = asked_of(game, anna, bruno)
    time.passes(DAY)
    assert turns(asked) == []
    asked.post(f"/games/{game['id']}/return")
    while not (found := turns(asked)):
        view = other.get(f"/games/{game['id']}")
        other.move(view, view["moves"][0])
    (turn,) = found
    assert (turn["since"], turn["deadline"]) == (time.now, time.now + DAY)


def test_one_look_sees_to_some_games_and_the_next_to_more(
    anna: Person, bruno: Person, games: Games, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games whose timeouts it could not record are left out, because they may no longer wait for the player."""
    monkeypatch.setattr(inbox, "MAX_WRITTEN", 2)
    for _ in range(5):
        let_ask(anna, bruno, duel(anna, bruno, clock=clock(at_timeout="bot")))
    time.passes(DAY)
    for left in (3, 1, 0):
        assert turns(anna) == []
        assert len(games.store.turns.of_player(anna.id)) == left


def test_while_an_outage_goes_on_nobodys_time_is_over(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game = duel(anna, bruno, clock=clock())
    asked, _ = asked_of(game, anna, bruno)
    games.store.presence.beat("clock", time.now)
    time.passes(DAY)
    assert [turn["game"] for turn in turns(asked)] == [game["id"]]


def test_a_game_whose_log_is_corrupt_does_not_hide_the_others(
    anna: Person, bruno: Person, time: Time, log_server: Valkey
) -> None:
    spoilt, sound = duel(anna, bruno, clock=clock()), duel(anna, bruno, clock=clock(seconds=3 * 86_400))
    with log_server.client() as client:
        client.rpush(keys.of_game(spoilt["id"], "log"), b"nonsense")
    time.passes(2 * DAY)
    assert [turn["game"] for player in (anna, bruno) for turn in turns(player)] == [sound["id"]]


# Waiting


def test_an_inbox_is_waited_for_until_it_is_another(app: Flask, anna: Person, bruno: Person, games: Games) -> None:
    """The opponent's move in any game ends the wait."""
    watched = [duel(anna, bruno) for _ in range(3)]
    for game in watched:
        let_ask(bruno, anna, game)
    assert turns(anna) == []
    with waited_for(app, anna, games) as found:
        for _ in range(20):
            if found.done():
                break
            if bruno.get(f"/games/{watched[1]['id']}")["moves"]:
                move(bruno, watched[1])
    assert [turn["game"] for turn in found.result()["turns"]] == [watched[1]["id"]]


def test_a_timeout_ends_the_wait(app: Flask, anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game = duel(anna, bruno, clock=clock(at_timeout="bot"))
    asked, _ = asked_of(game, anna, bruno)
    with waited_for(app, asked, games) as found:
        time.passes(DAY)
        assert keep_time(games, game["id"])
    assert found.result()["turns"] == []


def test_a_deadline_that_moves_ends_the_wait(app: Flask, anna: Person, bruno: Person, games: Games) -> None:
    game = duel(anna, bruno, clock=clock())
    asked, other = asked_of(game, anna, bruno)
    asked.post(f"/games/{game['id']}/extension", {"seconds": 3_600})
    (before,) = turns(asked)
    with waited_for(app, asked, games) as found:
        other.post(f"/games/{game['id']}/extension/grant", {"seconds": 3_600})
    assert [turn["deadline"] for turn in found.result()["turns"]] == [before["deadline"] + HOUR]


def test_what_one_knows_is_not_waited_for_longer_than_asked(anna: Person, bruno: Person) -> None:
    duel(anna, bruno)
    now = anna.get("/me/turns")
    assert anna.get(f"/me/turns?after={now['next']}&wait=1") == now
    assert anna.get(f"/me/turns?after={now['next']}") == now


def test_another_inbox_than_one_knows_is_not_waited_for(anna: Person, bruno: Person) -> None:
    empty = anna.get("/me/turns")["next"]
    game = duel(anna, bruno)
    asked, _ = asked_of(game, anna, bruno)
    assert asked.get(f"/me/turns?after={empty}&wait={LONG}")["turns"]
    assert asked.get(f"/me/turns?wait={LONG}")["turns"]


def test_what_has_not_changed_is_not_sent_again(anna: Person, bruno: Person) -> None:
    game = duel(anna, bruno)
    asked, _ = asked_of(game, anna, bruno)
    answer = asked.ask("GET", "/me/turns")
    tag = answer.headers["ETag"]
    cursor = answer.get_json(force=True)["next"]
    assert tag.startswith(f'"{cursor}.')
    assert answer.headers["Cache-Control"] == "private, no-cache"
    known = asked.ask("GET", "/me/turns", headers={"If-None-Match": tag})
    assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)
    assert asked.ask("GET", "/me/turns", headers={"If-None-Match": f'"{cursor}"'}).status_code == 304
    move(asked, game)
    assert asked.ask("GET", "/me/turns", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("query", ["after=", "after=7", "after=now", "after=4F53CDA18C2BAA0C0354BB5F9A3ECBE5"])
def test_what_no_answer_gave_is_no_cursor(anna: Person, query: str) -> None:
    problem = anna.get(f"/me/turns?{query}&wait=1", 422)
    assert (problem["code"], list(problem["errors"])) == ("invalid-request", ["after"])


def test_when_all_places_are_taken_one_is_told_to_come_back(made: Flask, log_server: Valkey) -> None:
    """Requests that need not wait are still answered."""
    with played_on(made, Config(redis_url=log_server.url, queue_url=log_server.url, max_waits=1)) as games:
        anna = Person(made.test_client(), "Anna")
        now = anna.get("/me/turns")
        with games.store.waits.waiter("somebody"):
            answer = anna.ask("GET", f"/me/turns?after={now['next']}&wait=5")
            assert (answer.status_code, answer.get_json(force=True)["code"]) == (503, "too-many-waits")
            assert int(answer.headers["Retry-After"]) > 0
            assert anna.get(f"/me/turns?after={now['next']}") == anna.get("/me/turns?wait=5") == now
