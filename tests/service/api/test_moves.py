"""Moves: versions, keys, refusals, and whole games."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine import (
    EDITIONS,
    NEWEST,
    Command,
    SeededChance,
    advance,
    command_from_record,
    commitment,
    replay,
    start,
)
from service.api.conditions import seen_versions
from service.config import Config
from service.games.events import to_records
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.problems import Problem
from service.store import Store

from ..servers import Valkey, Wire
from ..times import real
from .conftest import SEED, Json, Person, at_once


def play_on(person: Person, games: Games, game: Json) -> Json:
    """Play a game to its end, taking the last legal move each time."""
    while game["status"] != "finished":
        if game["moves"]:
            game = person.move(game, game["moves"][-1])
        else:
            assert play_bot_turn(games, game["id"])
            game = person.get(f"/games/{game['id']}")
    return game


@pytest.mark.parametrize("key", EDITIONS)
def test_a_whole_game_ends_with_a_winner(anna: Person, games: Games, key: str) -> None:
    seats = min(4, NEWEST[key].most_seats)
    bots = [{"seat": seat, "bot": "steady"} for seat in range(1, seats)]
    game = play_on(anna, games, anna.open_game(edition=key, seats=seats, bots=bots))
    assert game["result"]["winners"]
    assert game["position"]["phase"] == "over"
    assert game["position"]["turn"] is None
    assert game["id"] in {listed["id"] for listed in anna.get("/games?status=finished")["games"]}


def test_a_move_shows_the_game_after_it(anna: Person, against_bots: Json) -> None:
    after = anna.move(against_bots, against_bots["moves"][0])
    assert after["version"] == against_bots["version"] + 1
    assert after == anna.get(f"/games/{after['id']}")


def test_every_legal_move_can_be_posted_as_it_is(anna: Person, games: Games, against_bots: Json) -> None:
    game = against_bots
    for turn in range(12):
        while not game["moves"]:
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
        game = anna.move(game, game["moves"][turn % len(game["moves"])])


def test_a_version_is_required(anna: Person, against_bots: Json) -> None:
    path = f"/games/{against_bots['id']}/moves"
    assert anna.post(path, against_bots["moves"][0], 428)["code"] == "version-required"


@pytest.mark.parametrize("sent", ["7", "", "7, 8", '"7', 'w/"7"', '*, "7"', "**", '"7" "8"', ",", '"7",,x', '"a b"'])
def test_a_version_that_cannot_be_read_is_refused(anna: Person, against_bots: Json, sent: str) -> None:
    path = f"/games/{against_bots['id']}/moves"
    answer = anna.ask("POST", path, json=against_bots["moves"][0], headers={"If-Match": sent})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "malformed-header")


@pytest.mark.parametrize(
    "sent",
    [
        'W/"{}"',
        'W/"{}.0.5c0ffee5"',
        '"x"',
        '""',
        '"{}.5C0FFEE5"',
        '"99999999999"',
        'W/"{}", "0"',
        '"0", "999999", ',
    ],
)
def test_a_tag_that_does_not_match_strongly_is_refused(anna: Person, against_bots: Json, sent: str) -> None:
    """RFC 9110, 13.1.1 and 8.8.3.2: a weak tag never matches, and neither does a tag that the server has not sent."""
    path = f"/games/{against_bots['id']}/moves"
    headers = {"If-Match": sent.format(against_bots["version"])}
    for where in (path, f"{path}?dry_run=true"):
        answer = anna.ask("POST", where, json=against_bots["moves"][0], headers=headers)
        problem = answer.get_json(force=True)
        assert (answer.status_code, problem["code"]) == (412, "stale-version")
        assert problem["version"] == against_bots["version"]
    assert anna.get(f"/games/{against_bots['id']}") == against_bots


@pytest.mark.parametrize(
    "sent",
    [
        "*",
        " * ",
        '"1", "{}"',
        '"{}.0.5c0ffee5" ,"1"',
        'W/"1", "{}"',
        '"x", "{}"',
        '"{}", "999999"',
        '"{}",',
        ', ,"{}"',
        '"1",, ,"{}" , ',
    ],
)
def test_any_version_or_one_of_a_list_is_taken(anna: Person, against_bots: Json, sent: str) -> None:
    """RFC 9110: it is enough that one tag matches (13.1.1), and empty elements of a list are ignored (5.6.1.2)."""
    path = f"/games/{against_bots['id']}/moves"
    headers = {"If-Match": sent.format(against_bots["version"])}
    assert anna.ask("POST", path, json=against_bots["moves"][0], headers=headers).status_code == 201


@pytest.mark.parametrize(
    "sent", ["," * 20_000, '"7"' + "," * 20_000 + "x", '"7"' + " " * 20_000 + "x", '"7", ' * 5_000 + "x"]
)
def test_a_long_list_that_cannot_be_read_takes_no_time(app: Flask, sent: str) -> None:
    with app.test_request_context(headers={"If-Match": sent}):
        began = time.process_time()
        with pytest.raises(Problem, match="If-Match must be a version"):
            seen_versions()
        assert time.process_time() - began < 1


def test_any_version_means_the_game_as_it_is_now(anna: Person, games: Games, against_bots: Json) -> None:
    """What has happened since does not matter, but the rules do. A repetition without a key is another move."""
    path, headers = f"/games/{against_bots['id']}/moves", {"If-Match": "*"}
    anna.move(against_bots, against_bots["moves"][0])
    answer = anna.ask("POST", path, json=against_bots["moves"][0], headers=headers)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (409, "wrong-phase")
    while not (now := anna.get(f"/games/{against_bots['id']}"))["moves"]:
        assert play_bot_turn(games, now["id"])
    keyed = {**headers, "Idempotency-Key": "once"}
    first, again = (anna.ask("POST", path, json=now["moves"][0], headers=keyed) for _ in range(2))
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert first.get_json()["version"] == now["version"] + 1


def test_the_entity_tag_of_a_view_is_taken_as_its_version(anna: Person, against_bots: Json) -> None:
    path = f"/games/{against_bots['id']}"
    tag = anna.ask("GET", path).headers["ETag"]
    answer = anna.ask("POST", f"{path}/moves", json=against_bots["moves"][0], headers={"If-Match": tag})
    assert answer.status_code == 201
    assert answer.headers["ETag"].startswith(f'"{against_bots["version"] + 1}.0.')


@pytest.mark.parametrize("form", ['"{}"', '"{}.0"', '"{}.1"', '"{}.5c0ffee5"', '"{}.0.5c0ffee5"', ' "{}.0.00000000" '])
def test_of_an_entity_tag_only_the_version_counts(anna: Person, against_bots: Json, form: str) -> None:
    """The tag's seat and names do not matter; a tag of release 0.3.0, which has no names, is accepted too."""
    headers = {"If-Match": form.format(against_bots["version"])}
    path = f"/games/{against_bots['id']}/moves"
    assert anna.ask("POST", path, json=against_bots["moves"][0], headers=headers).status_code == 201


def test_a_stale_version_is_refused_and_changes_nothing(anna: Person, against_bots: Json) -> None:
    after = anna.move(against_bots, against_bots["moves"][0])
    problem = anna.move(against_bots, against_bots["moves"][1], 412)
    assert (problem["code"], problem["version"]) == ("stale-version", after["version"])
    assert anna.get(f"/games/{after['id']}") == after


def test_a_version_that_is_not_there_yet_is_refused(anna: Person, against_bots: Json) -> None:
    future = {**against_bots, "version": against_bots["version"] + 1}
    assert anna.move(future, against_bots["moves"][0], 412)["code"] == "stale-version"


def test_a_repeated_key_gets_its_first_answer(anna: Person, against_bots: Json) -> None:
    first = anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="k1")
    headers = {"If-Match": f'"{against_bots["version"]}"', "Idempotency-Key": "k1"}
    path = f"/games/{first['id']}/moves"
    again = anna.ask("POST", path, json=against_bots["moves"][0], headers=headers)
    assert again.status_code == 201
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json() == first
    assert anna.get(f"/games/{first['id']}")["version"] == first["version"]


def test_a_repeated_key_gets_its_first_answer_when_the_game_has_moved_on(
    anna: Person, games: Games, against_bots: Json
) -> None:
    first = anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="k1")
    play_on(anna, games, first)
    assert anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="k1") == first


def test_a_key_with_another_body_is_refused(anna: Person, against_bots: Json) -> None:
    anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="k1")
    assert anna.move(against_bots, against_bots["moves"][1], 422, Idempotency_Key="k1")["code"] == "key-reused"


def test_a_key_that_cannot_be_read_is_refused(anna: Person, against_bots: Json) -> None:
    for key in ("x" * 201, "two words"):
        assert anna.move(against_bots, against_bots["moves"][0], 400, Idempotency_Key=key)["code"] == "malformed-header"


def test_a_refused_move_may_use_its_key_again(anna: Person, against_bots: Json) -> None:
    wrong = {"type": "keep-hand"}
    assert anna.move(against_bots, wrong, 409, Idempotency_Key="k1")["code"] == "wrong-phase"
    anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="k1")


def test_many_at_once_make_one_move(anna: Person, against_bots: Json) -> None:
    asked = 8
    barrier, answers = Barrier(asked), []

    def ask(number: int) -> None:
        barrier.wait()
        headers = {"If-Match": f'"{against_bots["version"]}"', "Idempotency-Key": f"k{number}"}
        path = f"/games/{against_bots['id']}/moves"
        answers.append(anna.ask("POST", path, json=against_bots["moves"][0], headers=headers).status_code)

    threads = [Thread(target=ask, args=(number,)) for number in range(asked)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201, *[412] * (asked - 1)]


def test_one_key_many_times_at_once_makes_one_move_and_gets_one_answer(anna: Person, against_bots: Json) -> None:
    answers = at_once(lambda _: move_with_key(anna, against_bots, "once"), 8)
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
    assert anna.get(f"/games/{against_bots['id']}") == answers[0].get_json()


def move_with_key(person: Person, game: Json, key: str) -> TestResponse:
    """Make the first legal move of a view."""
    headers = {"If-Match": f'"{game["version"]}"', "Idempotency-Key": key}
    return person.ask("POST", f"/games/{game['id']}/moves", json=game["moves"][0], headers=headers)


class TestInOneMillisecond:
    """Requests in the same millisecond create the same commit, byte for byte."""

    @pytest.fixture
    def time(self) -> Callable[[], int]:
        """A clock that stands still."""
        now = real()
        return lambda: now

    def test_all_but_one_of_identical_moves_are_marked(self, anna: Person, games: Games, against_bots: Json) -> None:
        for _ in range(8):
            game = against_bots
            answers = at_once(lambda _: move_with_key(anna, game, "k"), 8)  # noqa: B023
            assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
            assert ["Idempotent-Replayed" in answer.headers for answer in answers].count(False) == 1
            against_bots = anna.open_game(bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}])
            while not against_bots["moves"]:
                assert play_bot_turn(games, against_bots["id"])
                against_bots = anna.get(f"/games/{against_bots['id']}")

    def test_a_move_whose_answer_the_store_has_lost_is_not_marked(
        self, app: Flask, anna: Person, against_bots: Json, log_server: Valkey
    ) -> None:
        """The request finds its own commit, which nobody has been told about yet."""
        wire = Wire(log_server)
        config = Config(redis_url=wire.url, queue_url=log_server.url)
        near = app.extensions["condottiere"]
        far = Games(_LosesAppends(config, wire), near.hints, now=near.now)
        app.extensions["condottiere"] = far
        first = move_with_key(anna, against_bots, "k")
        assert far.store.lost
        assert (first.status_code, "Idempotent-Replayed" in first.headers) == (201, False)
        again = move_with_key(anna, against_bots, "k")
        assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")
        app.extensions["condottiere"] = near
        far.store.close()
        wire.close()


class _LosesAppends(Store):
    """A store at the end of a wire that loses the response to its first append."""

    def __init__(self, config: Config, wire: Wire) -> None:
        super().__init__(config)
        self.lost, run_noting_retries = 0, self._server.run_noting_retries

        def losing(*asked: Any) -> Any:
            if not self.lost:
                self.lost += 1
                wire.lose()
            return run_noting_retries(*asked)

        self._server.run_noting_retries = losing  # type: ignore[method-assign]


def test_a_refusal_cites_its_clause_and_says_what_is_legal(anna: Person, against_bots: Json) -> None:
    problem = anna.move(against_bots, {"type": "keep-hand"}, 409)
    assert problem["edition"] == "zman-2018"
    assert problem["clause"] == NEWEST["zman-2018"].clauses["wrong-phase"]
    assert problem["legal"] == against_bots["moves"]


def test_somebody_elses_turn(anna: Person, against_bots: Json) -> None:
    game = against_bots
    while game["moves"]:
        game = anna.move(game, game["moves"][0])
    problem = anna.move(game, {"type": "pass"}, 409)
    assert problem["code"] in ("not-your-turn", "already-passed")
    assert "legal" not in problem


def test_a_log_that_was_written_in_single_lines_is_played_on(
    anna: Person, games: Games, against_bots: Json, log_server: Valkey
) -> None:
    """All logs used to have this form, and existing games must continue after an upgrade."""
    game = anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="first")
    events = anna.get(f"/games/{game['id']}/events")
    with log_server.client() as client:
        (key,) = client.scan_iter(f"*log:{game['id']}")
        for place, row in enumerate(client.lrange(key, 0, -1)):
            client.lset(key, place, orjson.dumps(orjson.loads(row)))
        assert b"\n" not in b"".join(client.lrange(key, 0, -1))
    assert anna.get(f"/games/{game['id']}") == game
    assert anna.get(f"/games/{game['id']}/events") == events
    assert anna.move(against_bots, against_bots["moves"][0], Idempotency_Key="first") == game
    assert play_on(anna, games, game)["status"] == "finished"


def test_a_card_that_is_not_in_hand(anna: Person, games: Games, against_bots: Json) -> None:
    game = against_bots
    while game["position"]["phase"] != "battle" or not game["moves"]:
        if game["moves"]:
            game = anna.move(game, game["moves"][0])
        else:
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
    held = set(game["position"]["seats"][0]["hand"]["cards"])
    missing = next(card for card in ("heroine", "bishop", "drummer", "winter", "surrender") if card not in held)
    assert anna.move(game, {"type": "play-card", "card": missing}, 409)["code"] == "card-not-in-hand"


def test_a_stranger_and_somebody_elses_seat(anna: Person, bruno: Person, against_bots: Json) -> None:
    assert bruno.move(against_bots, against_bots["moves"][0], 403)["code"] == "not-seated"
    problem = anna.move(against_bots, {**against_bots["moves"][0], "seat": 1}, 403)
    assert problem["code"] == "not-your-seat"
    anna.move(against_bots, {**against_bots["moves"][0], "seat": 0})


def test_a_finished_game_takes_no_move(anna: Person, games: Games, against_bots: Json) -> None:
    game = play_on(anna, games, against_bots)
    assert anna.move(game, {"type": "pass"}, 409)["code"] == "game-over"


def test_a_game_that_has_not_started_takes_no_move(anna: Person) -> None:
    game = anna.open_game()
    assert anna.move(game, {"type": "pass"}, 409)["code"] == "game-not-started"
    anna.post(f"/games/{game['id']}/leave")
    assert anna.move(game, {"type": "pass"}, 409)["code"] == "game-cancelled"


def test_a_game_that_does_not_exist(anna: Person) -> None:
    for game_id in ("00aaaaaaaaaaaaaaaa", "x", "99aaaaaaaaaaaaaaaa", "%7Bs00%7D"):
        assert anna.get(f"/games/{game_id}", 404)["code"] == "unknown-game"


def test_the_seed_is_shown_when_the_game_is_over(anna: Person, games: Games, against_bots: Json) -> None:
    assert against_bots["fairness"]["seed"] is None
    assert play_on(anna, games, against_bots)["fairness"]["seed"] == SEED


@pytest.mark.parametrize("key", EDITIONS)
def test_anybody_can_draw_a_finished_game_again(anna: Person, spectator: Person, games: Games, key: str) -> None:
    """Spectators see the seed at the end; with it, every commit can be decided again."""
    seats = min(3, NEWEST[key].most_seats)
    bots = [{"seat": seat, "bot": "random"} for seat in range(1, seats)]
    game = play_on(anna, games, anna.open_game(edition=key, seats=seats, bots=bots, entropy="c0ffee"))
    fairness = game["fairness"]
    assert commitment(bytes.fromhex(fairness["seed"])) == fairness["commitment"]
    chance = SeededChance(
        bytes.fromhex(fairness["seed"]), [bytes.fromhex(added or "") for added in fairness["entropies"]]
    )
    opening, *commits = spectator.get(f"/games/{game['id']}/events")["commits"]
    events = start(key, seats, chance, game["options"])
    state = replay(events)
    assert to_records(events) == [event for event in opening["events"] if event["type"] not in TABLE]
    for commit in commits:
        command = asked_for(commit["events"][0])
        assert to_records(advance(state, command, chance)) == commit["events"]
    assert state.result is not None


TABLE = {"table-opened", "seat-taken", "bot-seated"}
COMMANDS = {
    "region-chosen": "choose-region",
    "card-played": "play-card",
    "seat-passed": "pass",
    "card-turned-up": "pass",
    "hand-kept": "keep-hand",
    "hand-discarded": "discard-hand",
    "region-declined": "decline-region",
    "card-laid-face-down": "play-card",
    "cards-drawn": "draw-cards",
    "cards-kept": "keep-cards",
}
ASKED = {"card", "take", "take_from", "favor", "turn_up", "region", "number"}


def asked_for(first: Json) -> Command:
    """Return the command of a commit, which its first event contains completely."""
    asked = {name: value for name, value in first.items() if name in ASKED}
    if first["type"] == "card-turned-up":
        asked["turn_up"] = asked.pop("card")
    if first["type"] == "cards-kept":
        asked["keep"] = first["cards"]["cards"]
    return command_from_record({**asked, "type": COMMANDS[first["type"]]}, first["seat"])
