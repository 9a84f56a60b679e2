"""Streams: their formats (HTML standard, 9.2), what they show to whom, and where they begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.config import Config
from service.games.repository import Games

from ...servers import DURABLE, Valkey, folder_for_data
from ...streams import LINES, SSE, Json, seen
from ..conftest import Person, played_on
from .conftest import ALIVE, BOTS, ask, commits, play_on, play_to_the_end, stream

# Forms


def test_a_server_sent_event_is_a_commit_with_its_number_as_id(spectator: Person, against_bots: Json) -> None:
    answer = ask(spectator, f"/games/{against_bots['id']}/events", SSE)
    sent, *_ = next(answer.iter_encoded()).split(b"\n\n")
    number, data = sent.split(b"\n")
    assert number == b"id: 1"
    assert data.startswith(b'data: {"seq":1,')
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Vary"] == "Accept, Authorization"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    answer.close()


@pytest.mark.usefixtures("soon")
def test_an_idle_stream_shows_that_it_is_alive(spectator: Person, against_bots: Json, media_type: str) -> None:
    path = f"/games/{against_bots['id']}/events?after={against_bots['version']}"
    answer = ask(spectator, path, media_type)
    assert list(islice(answer.iter_encoded(), 3)) == [ALIVE[media_type]] * 3
    answer.close()


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*;q=0.5", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("text/*", SSE),
        ("application/json;q=0.5, application/x-ndjson", LINES),
        ("text/event-stream;q=0, */*", "application/json"),
    ],
)
def test_the_form_is_the_one_that_is_liked_best(
    spectator: Person, against_bots: Json, accept: str | None, chosen: str
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    path = f"/v1/games/{against_bots['id']}/events"
    with spectator._client.application.test_client().get(path, headers=headers) as answer:
        assert (answer.status_code, answer.mimetype) == (200, chosen)
        assert "Accept" in ", ".join(answer.headers.getlist("Vary"))


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, SSE),
        ("", SSE),
        ("*/*", SSE),
        ("text/event-stream", SSE),
        ("application/json, text/*;q=0.1", SSE),
        ("application/json, */*;q=0.1", SSE),
        ("application/*", LINES),
        ("application/x-ndjson, text/event-stream;q=0.5", LINES),
    ],
)
@pytest.mark.parametrize("path", ["/me/events/stream", "/games/{id}/events/stream"])
def test_the_address_of_a_stream_sends_server_sent_events_unless_lines_are_liked_better(
    anna: Person, against_bots: Json, accept: str | None, chosen: str, path: str
) -> None:
    headers = anna.headers if accept is None else {**anna.headers, "Accept": accept}
    client = anna._client.application.test_client()
    with client.get(f"/v1{path.format(**against_bots)}", headers=headers) as answer:
        assert (answer.status_code, answer.mimetype) == (200, chosen)


@pytest.mark.parametrize("path", ["/me/events/stream", "/games/{id}/events/stream"])
def test_a_stream_is_no_page_and_does_not_wait(anna: Person, against_bots: Json, path: str) -> None:
    path = path.format(**against_bots)
    answer = anna.ask("GET", path, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (406, "not-acceptable")
    assert anna.get(f"{path}?wait=5", 422)["code"] == "unknown-field"


@pytest.mark.parametrize("accept", ["text/html", "application/xml, text/event-stream;q=0"])
@pytest.mark.parametrize("path", ["/me/events", "/games/{id}/events", "/me/events/stream", "/games/{id}/events/stream"])
def test_what_is_sent_in_no_form_that_is_accepted_is_a_problem(
    anna: Person, against_bots: Json, accept: str, path: str
) -> None:
    answer = anna.ask("GET", path.format(**against_bots), headers={"Accept": accept})
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (406, "not-acceptable")


def test_a_page_may_ask_where_it_stopped(spectator: Person) -> None:
    answer = spectator._client.application.test_client().options("/v1/me/events")
    assert "Last-Event-ID" in answer.headers["Access-Control-Allow-Headers"]


# One game


def test_a_stream_tells_every_caller_what_the_answer_in_json_tells(
    anna: Person, bruno: Person, spectator: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    game = against_bots
    for _ in range(12):
        game = play_on(anna, games, game)
    assert game["status"] == "running"
    for caller in (anna, bruno, spectator):
        told = caller.get(f"/games/{game['id']}/events")["commits"]
        sent = list(islice(stream(caller, f"/games/{game['id']}/events", media_type), len(told)))
        assert [commit.data for commit in sent] == told
        if media_type == SSE:
            assert [commit.id for commit in sent] == [str(commit["seq"]) for commit in told]


def test_a_stream_goes_on_as_the_game_does(
    anna: Person, spectator: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    game = against_bots
    path = f"/games/{game['id']}/events"
    mine, theirs = (stream(caller, f"{path}?after={game['version']}", media_type) for caller in (anna, spectator))
    for _ in range(15):
        game = play_on(anna, games, game)
        for caller, sent in ((anna, mine), (spectator, theirs)):
            assert commits(sent, 1) == caller.get(f"{path}?after={game['version'] - 1}")["commits"]


def test_who_sits_down_while_the_stream_is_open_sees_the_hand(
    anna: Person, bruno: Person, spectator: Person, media_type: str
) -> None:
    path = f"/games/{anna.open_game(bots=BOTS[1:])['id']}"
    seated, watching = (stream(caller, f"{path}/events?after=1", media_type) for caller in (bruno, spectator))
    bruno.post(f"{path}/join")
    for sent, sees in ((seated, True), (watching, False)):
        (commit,) = commits(sent, 1)
        (dealt,) = (event for event in commit["events"] if event["type"] == "hands-dealt")
        assert ["cards" in hand for hand in dealt["hands"]] == [False, sees, False]


def test_who_leaves_while_the_stream_is_open_sees_no_hand(
    anna: Person, bruno: Person, person: Callable[..., Person], media_type: str
) -> None:
    path = f"/games/{anna.open_game(bots=BOTS[1:], start='owner')['id']}"
    bruno.post(f"{path}/join")
    sent = stream(bruno, f"{path}/events", media_type)
    assert [commit["seq"] for commit in commits(sent, 2)] == [1, 2]
    bruno.post(f"{path}/leave")
    person("Carla").post(f"{path}/join")
    anna.post(f"{path}/start")
    left, _, started = commits(sent, 3)
    assert left["events"][0]["type"] == "seat-left"
    (dealt,) = (event for event in started["events"] if event["type"] == "hands-dealt")
    assert all("cards" not in hand for hand in dealt["hands"])


def test_a_stream_begins_after_a_version_or_after_the_last_event_that_came(
    anna: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    path = f"/games/{against_bots['id']}/events"
    play_on(anna, games, against_bots)
    first = next(stream(anna, path, media_type))
    (second,) = commits(stream(anna, f"{path}?after=1", media_type), 1)
    assert (first.data["seq"], second["seq"]) == (1, 2)
    assert commits(stream(anna, f"{path}?after=0", media_type, last=seen(media_type, first)), 1) == [second]
    again = anna.ask("GET", path, headers={"Last-Event-ID": seen(media_type, first)})
    assert again.get_json()["commits"][0] == second


@pytest.mark.parametrize("last", ["", "x", "-1", "1.5", "7 ", "1" * 10, "AQ"])
def test_a_last_event_that_no_game_has_sent_is_a_problem(anna: Person, against_bots: Json, last: str) -> None:
    for accept in (SSE, "application/json"):
        headers = {"Last-Event-ID": last, "Accept": accept}
        answer = anna.ask("GET", f"/games/{against_bots['id']}/events?after=1", headers=headers)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (400, "malformed-header")


def test_a_stream_ends_with_its_game(
    anna: Person, spectator: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    path = f"/games/{against_bots['id']}/events"
    open_all_the_time = stream(spectator, path, media_type)
    before = commits(open_all_the_time, against_bots["version"])
    game = play_to_the_end(anna, games, against_bots)
    for begun, rest in ((before, list(open_all_the_time)), ([], list(stream(anna, path, media_type)))):
        told = begun + [sent.data for sent in rest if sent.type == "message"]
        assert [commit["seq"] for commit in told] == list(range(1, game["version"] + 1))
        assert told[-1]["events"][-1]["type"] == "game-ended"
        assert [sent.type for sent in rest if sent.type != "message"] == (["end"] if media_type == SSE else [])


def test_who_asks_again_after_the_end_is_told_to_stop(
    anna: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    over = play_to_the_end(anna, games, against_bots)
    cancelled = anna.post(f"/games/{anna.open_game()['id']}/leave")
    for game in (over, cancelled):
        answer = ask(anna, f"/games/{game['id']}/events", media_type, last=str(game["version"]))
        assert (answer.status_code, answer.data, answer.headers["Cache-Control"]) == (204, b"", "no-store")
        sent = list(stream(anna, f"/games/{game['id']}/events?after={game['version'] - 1}", media_type))
        assert [one.data.get("seq") for one in sent if one.type == "message"] == [game["version"]]


def test_a_token_that_is_replaced_shows_nothing_more(
    anna: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    game = against_bots
    paths = (f"/games/{game['id']}/events?after={game['version']}", "/me/events?after=now")
    streams = [(ask(anna, path, media_type)) for path in paths]
    token = anna.post("/me/token", status=201)["token"]
    anna.headers = {"Authorization": f"Bearer {token}"}
    play_on(anna, games, game)
    for answer in streams:
        assert b"".join(answer.iter_encoded()) == ALIVE[media_type]
        answer.close()


# Problems and resources


@pytest.fixture
def crowded(made: Flask, log_server: Valkey) -> Iterator[Person]:
    """Somebody who sends requests to an app that allows only one wait at a time."""
    with played_on(made, Config(redis_url=log_server.url, queue_url=log_server.url, max_waits=1)):
        yield Person(made.test_client(), "Anna")


def test_beyond_the_cap_no_stream_begins_until_another_ends(crowded: Person, media_type: str) -> None:
    path = f"/games/{crowded.open_game()['id']}/events"
    for one, other in ((path, "/me/events"), ("/me/events", path)):
        taken = ask(crowded, one, media_type)
        refused = ask(crowded, other, media_type)
        assert (refused.status_code, refused.get_json(force=True)["code"]) == (503, "too-many-waits")
        assert int(refused.headers["Retry-After"]) > 0
        taken.close()
        ask(crowded, other, media_type).close()


def test_asking_for_the_head_of_a_stream_takes_no_place(crowded: Person, media_type: str) -> None:
    path = f"/games/{crowded.open_game()['id']}/events"
    for _ in range(2):
        with ask(crowded, path, media_type, "HEAD") as answer:
            assert (answer.status_code, answer.mimetype, answer.data) == (200, media_type, b"")


def test_what_is_wrong_before_a_stream_begins_is_a_problem(anna: Person, spectator: Person, media_type: str) -> None:
    strange = Person(anna._client)
    strange.headers = {"Authorization": "Bearer nobody"}
    game = anna.open_game()["id"]
    asked = [
        (anna, "/games/17abcdefghjkmnpqrs/events", None, 404, "unknown-game"),
        (strange, f"/games/{game}/events", None, 401, "token-unknown"),
        (anna, f"/games/{game}/events?after=x", None, 422, "invalid-request"),
        (spectator, "/me/events", None, 401, "token-required"),
        (strange, "/me/events", None, 401, "token-unknown"),
        (anna, "/me/events?after=7", None, 422, "invalid-request"),
        (anna, "/me/events", "7", 400, "malformed-header"),
        (anna, "/me/events", "now", 400, "malformed-header"),
    ]
    for caller, path, last, status, code in asked:
        answer = ask(caller, path, media_type, last=last)
        assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
        assert answer.get_json(force=True)["code"] == code


@pytest.mark.usefixtures("soon")
def test_a_stream_ends_when_the_store_is_lost(made: Flask, media_type: str) -> None:
    with folder_for_data("valkey-") as folder:
        server = Valkey(Path(folder), *DURABLE)
        with played_on(made, Config(redis_url=server.url, queue_url=server.url)):
            anna = Person(made.test_client(), "Anna")
            game = anna.open_game()["id"]
            paths = (f"/games/{game}/events?after=1", "/me/events?after=now")
            streams = [ask(anna, path, media_type) for path in paths]
            server.kill()
            for answer in streams:
                assert set(b"".join(answer.iter_encoded())) <= set(ALIVE[media_type])
                answer.close()


def test_an_app_that_ends_lets_its_streams_go(app: Flask, anna: Person, against_bots: Json, media_type: str) -> None:
    paths = (f"/games/{against_bots['id']}/events?after={against_bots['version']}", "/me/events?after=now")
    streams = [ask(anna, path, media_type) for path in paths]
    found: Any = app.extensions["condottiere"]
    found.store.waits.close()
    for answer in streams:
        assert b"".join(answer.iter_encoded()) == ALIVE[media_type]
        answer.close()
